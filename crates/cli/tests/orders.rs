//! Tests are recorded in order, in reverse order, in another order and alone: what each depends on is the same, or the difference has a
//! reason that is known. Where units share state that nobody can see, an audit says so.
//!
//! The usual run takes a sample of the cases; `PROBITY_ORDERS=all` takes all that have two tests or more, and
//! `PROBITY_CASE=part-of-a-name` those with such names, with all that is different.

#![allow(clippy::print_stdout, reason = "what differs is shown to who asks for one case")]

#[path = "support/agent_library.rs"]
mod agent_library;

use std::collections::BTreeSet;
use std::env;
use std::path::Path;

use agent_library::agent_library;
use probity_engine::audit::{Comparison, Verdict, audit};
use probity_engine::recording::read_recordings;
use probity_store::{Run, Store};
use probity_test_support::cases::{Case, CaseError, Revision, Workshop, try_each};

/// The variable that restricts the run to some cases.
const ONLY: &str = "PROBITY_CASE";

/// The variable that takes all cases.
const ALL: &str = "PROBITY_ORDERS";

/// The groups that every run looks at.
const SAMPLE: [&str; 3] = ["cross-test-state", "static-initialisers", "class-presence"];

/// The cases in which tests share state that cannot be seen, so that a test runs other code after another test than alone.
const SHARED: &[&str] = &[
    "cache_filled_by_another_way",
    "cache_filled_two_calls_deep",
    "checkcast_of_object_of_earlier_test",
    "cleaner_runs_in_later_test",
    "earlier_test_ignored_state_missing",
    "enumset_all_of",
    "executor_created_by_earlier_test",
    "finalizer_runs_in_later_test",
    "generated_class_cached_by_earlier_test",
    "initialiser_failed_in_earlier_test",
    "lambda_object_made_by_earlier_test",
    "reflective_field_get_in_second_test",
    "serviceloader_cached_by_earlier_test",
    "singleton_built_by_earlier_test",
    "system_property_set_by_earlier_test",
    "temp_file_written_by_earlier_test",
    "thread_outlives_test",
];

/// Cases in which it is not certain: whether a thread or the collector is in time, or what is left of a class of two loaders.
const UNCERTAIN: &[&str] = &[
    "class_unloaded_name_reused",
    "cleaner_runs_in_later_test",
    "finalizer_runs_in_later_test",
    "thread_outlives_test",
];

/// Cases whose tests end the JVM or wait for ever where the tests before them did not prepare what they use.
const NEED_THEIR_ORDER: &[&str] =
    &["timer_task_in_later_test", "unsafe_allocate_instance", "unsafe_field_read"];

/// The group whose tests all share state: an audit lists it, unexplained or as shared.
const SHARING: &str = "cross-test-state";

/// Those in it whose tests depend on the same in every order, since what one is spared by the other counts for it.
const COUNTS_IN_BOTH: &[&str] =
    &["singleton_map_filled_by_earlier_test", "static_cache_filled_by_earlier_test"];

/// The one in it whose tests share state only after its change.
const SHARES_LATER: &str = "new_initialiser_in_earlier_test_pollutes";

#[test]
fn what_a_test_uses_does_not_depend_on_the_order_unless_state_is_shared() {
    let only = env::var(ONLY).ok();
    let takes_all = env::var(ALL).is_ok_and(|value| value == "all");
    let mut cases = Case::load_all().unwrap_or_else(|error| panic!("{error}"));
    cases.retain(|case| case.tests.len() > 1 && !NEED_THEIR_ORDER.contains(&case.name.as_str()));
    cases.retain(|case| match &only {
        Some(part) => case.name.contains(part.as_str()),
        None => takes_all || SAMPLE.contains(&case.group.as_str()),
    });
    assert!(!cases.is_empty(), "no case has such a name");
    let told = try_each(&cases, Case::jdk, try_case);
    let told = told.unwrap_or_else(|error| panic!("{error}"));
    assert!(told.is_empty(), "{} of {} cases:\n{}", told.len(), cases.len(), told.join("\n"));
}

fn try_case(case: &Case, workshop: &Workshop) -> Result<Vec<String>, CaseError> {
    let store = tempfile::tempdir().expect("temporary folder");
    let store = Store::at(store.path());
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut problems = Vec::new();
    for order in orders(&case.tests) {
        record(case, workshop, &order, folder.path(), &store)?;
    }
    let (traces, shapes) = (store.load(), store.shapes());
    let audit = audit(&traces, &shapes, traces.units());
    let mut shares_state = false;
    for comparison in &audit.comparisons {
        if env::var(ONLY).is_ok() {
            println!("{}: {}", case.name, shown(comparison, &Verdict::ALL));
        }
        if comparison.count(Verdict::Unexplained) > 0 {
            shares_state = true;
            if !SHARED.contains(&case.name.as_str()) && !UNCERTAIN.contains(&case.name.as_str()) {
                problems.push(shown(comparison, &[Verdict::Unexplained]));
            }
        }
    }
    let is_listed = |one: &Comparison| one.count(Verdict::Unexplained) + one.count(Verdict::Shared) > 0;
    let has_to_be_listed = case.name != SHARES_LATER && !COUNTS_IN_BOTH.contains(&case.name.as_str());
    if case.group == SHARING && has_to_be_listed && !audit.comparisons.iter().any(is_listed) {
        problems.push("no state that is shared is listed".to_owned());
    }
    let is_certain = !UNCERTAIN.contains(&case.name.as_str());
    if is_certain && SHARED.contains(&case.name.as_str()) && !shares_state {
        problems.push("shares no state that an audit sees".to_owned());
    }
    Ok(problems)
}

fn shown(comparison: &Comparison, verdicts: &[Verdict]) -> String {
    let mut text = comparison.unit.clone();
    for difference in &comparison.differences {
        if verdicts.contains(&difference.cause.verdict()) {
            let (with, without) = (&difference.with, &difference.without);
            let name = &difference.name;
            text.push_str(&format!(
                "\n    {:?} {:?} {name} in {with:?} not in {without:?}: {}",
                difference.cause,
                difference.kind,
                difference.reasons.join(", ")
            ));
        }
    }
    text
}

/// The tests in order, in reverse, in an order that looks like none, and each alone.
fn orders(tests: &[String]) -> BTreeSet<Vec<String>> {
    let mut orders = BTreeSet::from([tests.to_vec()]);
    orders.insert(tests.iter().rev().cloned().collect());
    let mut mixed = tests.to_vec();
    mixed.rotate_left(tests.len() / 2);
    mixed.swap(0, tests.len() / 3);
    orders.insert(mixed);
    orders.extend(tests.iter().map(|test| vec![test.clone()]));
    orders
}

fn record(
    case: &Case,
    workshop: &Workshop,
    tests: &[String],
    folder: &Path,
    store: &Store,
) -> Result<(), CaseError> {
    let recordings = tempfile::tempdir().expect("temporary folder");
    let built = workshop.build(case, Revision::Before, folder)?;
    let agent = agent_library();
    let agent = format!("-agentpath:{}=output=none,traces={}", agent.display(), recordings.path().display());
    built.tests().only(tests.iter().cloned()).jvm_argument(agent).run()?;
    let mut traces = Vec::new();
    let recorded = read_recordings(recordings.path(), folder, |trace| traces.push(trace));
    let shapes: Vec<_> = recorded.unwrap_or_else(|error| panic!("{error}")).shapes.into_values().collect();
    let run = Run { began: 0, command: tests.join(" "), exit: Some(0) };
    store.add_run(&traces, &shapes, &run).unwrap_or_else(|error| panic!("{error}"));
    Ok(())
}
