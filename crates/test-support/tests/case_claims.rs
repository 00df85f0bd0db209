//! What a case says that a tool need not run has at least this reason: the test loads no class that is different.
//!
//! Only the coarsest level can be seen without a tool, by the JVM's own list of the classes that it loads. Tables of line
//! numbers and local variables do not count at any level, so both revisions are compiled without them.

use std::collections::BTreeSet;
use std::fs;

use probity_test_support::cases::{Case, CaseError, Level, Revision, Workshop, try_each};

/// The members of a class stand in another order. No level counts that, but the bytes of the class differ.
const OTHER_ORDER: &[&str] = &["constant_field_order", "method_order"];

#[test]
fn tests_that_need_not_run_at_the_level_of_classes_load_none_that_changed() {
    let mut cases = Case::load_all().unwrap_or_else(|error| panic!("{error}"));
    cases.retain(|case| {
        let says_so = case.tests.iter().any(|test| case.need_not_run_at(Level::Class, test));
        says_so && !OTHER_ORDER.contains(&case.name.as_str())
    });
    for case in &mut cases {
        case.javac_arguments.push("-g:none".to_owned());
    }
    let told = try_each(&cases, Case::jdk, try_case).unwrap_or_else(|error| panic!("{error}"));
    assert!(told.is_empty(), "{} cases:\n{}", cases.len(), told.join("\n"));
}

fn try_case(case: &Case, workshop: &Workshop) -> Result<Vec<String>, CaseError> {
    let changed = case.what_changed(workshop)?.classes;
    let folder = tempfile::tempdir().expect("temporary folder");
    let built = workshop.build(case, Revision::Before, folder.path())?;
    let list = folder.path().join("loaded.txt");
    let mut problems = Vec::new();
    for test in case.tests.iter().filter(|test| case.need_not_run_at(Level::Class, test)) {
        let argument = format!("-Xlog:class+load:file={}:none", list.display());
        built.tests().only([test.as_str()]).jvm_argument(argument).run()?;
        let text = fs::read_to_string(&list).expect("the list of loaded classes");
        let loaded: BTreeSet<&str> = text.lines().filter_map(|line| line.split(' ').next()).collect();
        let different: Vec<&String> = changed.keys().filter(|name| loaded.contains(name.as_str())).collect();
        if !different.is_empty() {
            problems.push(format!("{test} loads {different:?}"));
        }
    }
    Ok(problems)
}
