//! Every case is recorded in its first revision, and what is selected in the second is compared with what the case says: each test
//! whose result changes must run at every level, and what need not run at a level does not.
//!
//! `PROBITY_CASE=part-of-a-name` runs only the cases with such names and shows what was decided, and why.

#![allow(clippy::print_stdout, reason = "what is selected is shown to who asks for one case")]

#[path = "support/agent_library.rs"]
mod agent_library;

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use agent_library::agent_library;
use probity_engine::recording::read_recordings;
use probity_engine::selection::{ClassPathNow, Level, Selection, SelectionRequest, State, select};
use probity_store::{Run, Store};
use probity_test_support::cases::{
    Case, CaseError, Level as CaseLevel, Revision, Settings, Workshop, try_each,
};
use probity_trace::{Environment, Trace};

/// The levels, as the product and as the cases call them.
const LEVELS: [(Level, CaseLevel); 3] =
    [(Level::Class, CaseLevel::Class), (Level::Method, CaseLevel::Method), (Level::Edge, CaseLevel::Edge)];

/// The variable that restricts the run to some cases.
const ONLY: &str = "PROBITY_CASE";

/// The cases whose second revision only adds state that an earlier test leaves behind: that is seen when the earlier test has run again.
const SEEN_ONLY_AFTERWARDS: [&str; 1] = ["new_initialiser_in_earlier_test_pollutes"];

/// What a case says need not run, and why it runs all the same.
const TOO_CAREFUL: [(&str, &str); 17] = [
    ("abstract_method_gets_body_unused", "a class that was not compiled again may have had no body to call"),
    ("enum_implements_interface_added", "another supertype counts for all who use the class"),
    ("interface_added_instanceof", "another supertype counts for all who use the class"),
    ("interface_order_changed", "another order of supertypes can change which default method is chosen"),
    (
        "serial_interface_added",
        "another supertype counts for all who use the class, and the JDK asks for this one",
    ),
    ("sealed_nonsealed_subclass_unaffected", "other flags of a class count for all who use it"),
    ("reflection_getclass_modifiers_static_nested", "other flags of a class count for all who use it"),
    (
        "locale_flag_changed",
        "the JDK looks at the option wherever it formats something, and nobody sees that",
    ),
    ("timezone_environment", "the JDK looks at the variable wherever it tells a time, and nobody sees that"),
    (
        "manifest_version_read",
        "the manifest is read of whichever archive has the package, and nobody sees which",
    ),
    (
        "do_while_second_iteration",
        "a field that is set can be set, and the method left, before the next probe",
    ),
    (
        "else_branch_added",
        "it does the same, but the new probe behind the branch does not follow from the old ones",
    ),
    ("try_range_extended", "what is caught around an instruction belongs to it, and all run it"),
    (
        "switch_expression_arrow",
        "a constant is linked when it is first met, which can fail in front of the next probe",
    ),
    ("switch_pattern_guard_changed", "a call in the guard can fail in front of the next probe"),
    ("clinit_not_triggered_by_array", "who looks for a class by name may have it initialised"),
    ("clinit_not_triggered_by_class_literal", "who looks for a class by name may have it initialised"),
];

#[test]
fn what_changes_is_selected_and_what_need_not_run_is_not() {
    let only = env::var(ONLY).ok();
    let mut cases = Case::load_all().unwrap_or_else(|error| panic!("{error}"));
    cases.retain(|case| only.as_ref().is_none_or(|part| case.name.contains(part.as_str())));
    assert!(!cases.is_empty(), "no case has such a name");
    let told = try_each(&cases, Case::jdk, try_case);
    let told = told.unwrap_or_else(|error| panic!("{error}"));
    assert!(told.is_empty(), "{} of {} cases:\n{}", told.len(), cases.len(), told.join("\n"));
}

fn try_case(case: &Case, workshop: &Workshop) -> Result<Vec<String>, CaseError> {
    let folder = tempfile::tempdir().expect("temporary folder");
    let project = std::fs::canonicalize(folder.path()).expect("is there");
    let before = workshop.build(case, Revision::Before, &project)?;
    let roots_before = before.layout().class_path();
    let recordings = tempfile::tempdir().expect("temporary folder");
    let agent = format!(
        "-agentpath:{}=output=none,traces={}",
        agent_library().display(),
        recordings.path().display()
    );
    before.tests().jvm_argument(agent).run()?;
    let store_folder = tempfile::tempdir().expect("temporary folder");
    let store = Store::at(store_folder.path());
    let environment = add_to_store(&store, recordings.path(), &project);
    let same = selected(&case.before, &store, &project, ClassPathNow::AsBefore, None, Level::Class);
    let mut problems = what_ran_for_nothing(case, &same);
    let after = workshop.build(case, Revision::After, &project)?;
    let class_path = class_path_now(&environment, &project, &roots_before, after.layout().class_path());
    let environment = environment_now(case, environment);
    for (level, case_level) in LEVELS {
        let class_path = ClassPathNow::Exactly(&class_path);
        let selection = selected(&case.after, &store, &project, class_path, Some(&environment), level);
        if env::var(ONLY).is_ok() {
            for unit in &selection.units {
                println!("{} at level {level}: {} {:?} {:?}", case.name, unit.unit, unit.state, unit.reasons);
            }
        }
        problems.extend(what_is_wrong(case, case_level, &selection));
    }
    Ok(problems)
}

fn add_to_store(store: &Store, recordings: &Path, project: &Path) -> Environment {
    let mut traces: Vec<Trace> = Vec::new();
    let recorded = read_recordings(recordings, project, |trace| traces.push(trace));
    let recorded = recorded.unwrap_or_else(|error| panic!("{error}"));
    let shapes: Vec<_> = recorded.shapes.into_values().collect();
    let classes = recorded.classes.iter().map(|(content, bytes)| (*content, bytes.as_slice()));
    store.add_classes(classes).expect("writes");
    let run = Run { began: 0, command: String::new(), exit: Some(0) };
    store.add_run(&traces, &shapes, &run).expect("writes");
    traces.first().expect("a trace").environment.clone()
}

/// The class path of the second revision: its roots, and behind them what else was there.
fn class_path_now(
    environment: &Environment,
    project: &Path,
    before: &[PathBuf],
    after: Vec<PathBuf>,
) -> Vec<PathBuf> {
    let entries = environment.class_path.iter().map(|entry| project.join(entry));
    let before: Vec<PathBuf> =
        before.iter().map(|root| std::fs::canonicalize(root).unwrap_or_else(|_| root.clone())).collect();
    let others = entries.filter(|entry| !before.contains(entry));
    after.into_iter().chain(others).collect()
}

/// The JVM of the second revision.
fn environment_now(case: &Case, mut environment: Environment) -> Environment {
    let (before, after) = (&case.before.jvm_arguments, &case.after.jvm_arguments);
    if before != after {
        let others = environment.flags.iter().filter(|flag| !before.contains(flag));
        environment.flags = after.iter().chain(others).cloned().collect();
    }
    environment.flags.retain(|flag| !flag.starts_with("TZ="));
    environment.flags.extend(case.after.environment.get("TZ").map(|zone| format!("TZ={zone}")));
    environment
}

fn selected(
    settings: &Settings,
    store: &Store,
    project: &Path,
    class_path: ClassPathNow<'_>,
    environment: Option<&Environment>,
    level: Level,
) -> Selection {
    let mut variables: BTreeMap<OsString, OsString> = env::vars_os().collect();
    variables.extend(settings.environment.iter().map(|(name, value)| (name.into(), value.into())));
    select(&SelectionRequest {
        store,
        project,
        class_path,
        environment,
        variables: &variables,
        level,
        counts: None,
    })
}

/// Nothing changed, so nothing runs but what failed or cannot be trusted.
fn what_ran_for_nothing(case: &Case, selection: &Selection) -> Vec<String> {
    let stale = selection.units.iter().filter(|unit| unit.state == State::Stale);
    let stale = stale.filter(|unit| !case.fails_before.contains(&unit.unit));
    stale.map(|unit| format!("{}: {} without a change: {:?}", case.name, unit.unit, unit.reasons)).collect()
}

fn what_is_wrong(case: &Case, level: CaseLevel, selection: &Selection) -> Vec<String> {
    let mut wrong = Vec::new();
    for test in &case.tests {
        let unit = selection.units.iter().find(|unit| unit.unit == *test);
        let runs = unit.is_some_and(|unit| unit.state != State::Fresh);
        if case.changes.contains(test) && !runs && !SEEN_ONLY_AFTERWARDS.contains(&case.name.as_str()) {
            wrong.push(format!("{} at {level:?}: MISSED {test}", case.name));
        }
        let is_too_careful = TOO_CAREFUL.iter().any(|(name, _)| *name == case.name);
        if case.need_not_run_at(level, test) && runs && !is_too_careful {
            let reasons = unit.map(|unit| format!("{:?}", unit.reasons)).unwrap_or_default();
            wrong.push(format!("{} at {level:?}: ran {test}: {reasons}", case.name));
        }
    }
    wrong
}
