//! Every case behaves as it says, without any part of Probity: in its first revision the tests pass, and in the second
//! exactly those give another result that it names.
//!
//! `PROBITY_CASE=part-of-a-name` runs only the cases with such names and shows what their tests did, and
//! `PROBITY_CASE_JDK=25` runs them on that JDK instead of the one that each is meant for.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use probity_test_support::cases::{
    Case, CaseError, FoundClass, Revision, TestOutcome, WhatChanged, Workshop, try_each,
};

/// The variable that restricts the run to some cases.
const ONLY: &str = "PROBITY_CASE";

/// The variable that names another JDK, by its feature version.
const OTHER_JDK: &str = "PROBITY_CASE_JDK";

#[test]
fn exactly_the_tests_change_that_a_case_names() {
    let only = env::var(ONLY).ok();
    let mut cases = Case::load_all().unwrap_or_else(|error| panic!("{error}"));
    cases.retain(|case| only.as_ref().is_none_or(|part| case.name.contains(part.as_str())));
    assert!(!cases.is_empty(), "no case has such a name");
    let told = try_each(&cases, jdk_for, |case, workshop| try_case(case, workshop, only.is_some()));
    let told = told.unwrap_or_else(|error| panic!("{error}"));
    assert!(told.is_empty(), "{} cases:\n{}", cases.len(), told.join("\n"));
}

#[test]
fn no_two_cases_have_the_same_name() {
    let cases = Case::load_all().unwrap_or_else(|error| panic!("{error}"));
    let mut seen = BTreeMap::new();
    for case in &cases {
        if let Some(other) = seen.insert(&case.name, &case.group) {
            panic!("{} is in {other} and in {}", case.name, case.group);
        }
    }
}

#[test]
fn the_tables_name_cases_that_there_are() {
    let cases = Case::load_all().unwrap_or_else(|error| panic!("{error}"));
    let readme = fs::read_to_string(Case::folder().join("README.md")).expect("the README of the cases");
    let (_, tables) = readme.split_once("## Which construct").expect("the first table");
    let rows = tables.lines().filter_map(|line| line.strip_prefix("| ")?.rsplit_once(" | "));
    let mut rows: Vec<&str> = rows.map(|(_, cases)| cases).collect();
    rows.retain(|cases| cases.starts_with('`'));
    assert!(rows.len() > 40, "{} rows", rows.len());
    for name in rows.iter().flat_map(|row| row.split('`').skip(1).step_by(2)) {
        assert!(cases.iter().any(|case| case.name == name), "there is no case {name}");
    }
}

/// The JDK on which a case is tried.
fn jdk_for(case: &Case) -> u32 {
    let other = env::var(OTHER_JDK).ok().map(|version| version.parse().expect("the number of a JDK"));
    other.filter(|_| case.only_jdk.is_none()).unwrap_or(case.jdk())
}

/// What a case says and does not do.
fn try_case(case: &Case, workshop: &Workshop, show: bool) -> Result<Vec<String>, CaseError> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (before, classes_before) = run(case, Revision::Before, workshop, folder.path())?;
    let (after, classes_after) = run(case, Revision::After, workshop, folder.path())?;
    let mut problems = Vec::new();
    for test in &case.tests {
        let (old, new) = (&before[test], &after[test]);
        if show {
            tell(&format!("{}: {test}: {old}\n  becomes {new}", case.name));
        }
        let says = |list: &[String]| list.contains(test);
        if *old == TestOutcome::Absent || *old == TestOutcome::Ran(Vec::new()) {
            problems.push(format!("{test} does not run before: {old}"));
        }
        if old.failed() != says(&case.fails_before) {
            problems.push(format!("{test} before: {old}"));
        }
        let is_deleted = *new == TestOutcome::Absent;
        if says(&case.changes) && (old == new || is_deleted) {
            problems.push(format!("{test} does not change: {new}"));
        }
        if !says(&case.changes) && old != new && !is_deleted {
            problems.push(format!("{test} changes: {old} becomes {new}"));
        }
    }
    let what = WhatChanged::between(case, &classes_before, &classes_after);
    if show {
        tell(&format!("{}: {what:?}", case.name));
    }
    if !case.changes.is_empty() && what.is_nothing() {
        problems.push("nothing is different that a test could see".to_owned());
    }
    Ok(problems)
}

/// Says something to whoever asked for it, past the test framework, which shows nothing of tests that pass.
fn tell(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

type Run = (BTreeMap<String, TestOutcome>, BTreeMap<String, FoundClass>);

fn run(case: &Case, revision: Revision, workshop: &Workshop, folder: &Path) -> Result<Run, CaseError> {
    let built = workshop.build(case, revision, folder)?;
    let classes = built.classes()?;
    Ok((built.tests().run()?.outcomes, classes))
}
