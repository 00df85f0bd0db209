//! What was added comes back, and what is known already is not written twice.

use crate::synthetic::Project;
use probity_store::{Retention, Run, Store};
use probity_trace::{Outcome, Trace};
use tempfile::TempDir;

pub(crate) fn run(began: u64) -> Run {
    Run { began, command: "java -jar tests.jar".to_owned(), exit: Some(0) }
}

pub(crate) fn empty() -> (TempDir, Store) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = Store::at(folder.path().join("project/.probity"));
    (folder, store)
}

pub(crate) fn loaded(store: &Store) -> Vec<Trace> {
    let traces = store.load();
    assert_eq!(traces.problems(), []);
    traces.iter().map(|trace| trace.to_trace()).collect()
}

fn traces(units: std::ops::Range<u32>, version: u32) -> Vec<Trace> {
    let mut traces: Vec<Trace> = units.map(|unit| Project::SMALL.trace(unit, version)).collect();
    traces.sort_by(|one, other| one.unit.cmp(&other.unit));
    traces
}

#[test]
fn where_nothing_is_there_are_no_traces_and_nothing_is_made() {
    let (_folder, store) = empty();
    assert!(store.load().is_empty() && store.shapes().is_empty());
    assert_eq!(store.contents().problems, []);
    assert_eq!(store.verify().files, 0);
    assert!(!store.folder().exists());
}

#[test]
fn traces_and_shapes_come_back() {
    let (_folder, store) = empty();
    let (traces, shapes) = (traces(0..120, 3), Project::SMALL.shapes(3));
    let added = store.add_run(&traces, &shapes, &run(7)).expect("adds");
    assert_eq!((added.traces, added.seen_again, added.shapes), (120, 0, 30));
    assert_eq!(loaded(&store), traces);
    let stored = store.shapes();
    assert_eq!(stored.len(), shapes.len());
    for shape in shapes {
        assert_eq!(stored.get(shape.content), Some(shape));
    }
    assert_eq!(store.load().runs(), [run(7)]);
    let verified = store.verify();
    assert_eq!((verified.files, verified.traces, verified.shapes), (2, 120, 30));
    assert_eq!(verified.problems, []);
    let ignored = std::fs::read_to_string(store.folder().join(".gitignore")).expect("is there");
    assert_eq!(ignored, "*\n");
}

#[test]
fn a_unit_is_found_with_all_its_traces_the_newest_first() {
    let (_folder, store) = empty();
    for version in [2, 1, 3] {
        store.add_run(&traces(0..20, version), &[], &run(version.into())).expect("adds");
    }
    let all = store.load();
    let unit = Project::SMALL.trace(5, 0).unit;
    let times: Vec<u64> = all.of_unit(&unit).map(|trace| trace.began()).collect();
    assert_eq!(times.len(), 3);
    assert!(times.is_sorted_by(|one, other| one > other), "{times:?}");
    assert_eq!(all.units().count(), 20);
    assert!(all.units().is_sorted());
    assert_eq!(all.of_unit("org.example.Nothing").count(), 0);
}

#[test]
fn a_trace_that_is_known_is_only_seen_again() {
    let (_folder, store) = empty();
    let mut traces = traces(0..50, 0);
    let first = store.add_run(&traces, &Project::SMALL.shapes(0), &run(1)).expect("adds");
    for trace in &mut traces {
        trace.began += 1_000_000;
        trace.micros = 5;
        trace.tests[0].outcome = Outcome::Failed;
        // Through which class another one counts is no difference either.
        trace.classes[0].reasons.iter_mut().for_each(|reason| reason.of = None);
    }
    let again = store.add_run(&traces, &Project::SMALL.shapes(0), &run(2)).expect("adds");
    assert_eq!((again.traces, again.seen_again, again.shapes), (0, 50, 0));
    assert!(again.bytes * 4 < first.bytes, "{} and {}", again.bytes, first.bytes);
    let now = loaded(&store);
    assert_eq!(now.len(), 50);
    for (now, given) in now.iter().zip(&traces) {
        assert_eq!((now.began, now.micros, &now.tests), (given.began, given.micros, &given.tests));
        assert_eq!(now.outcome(), Outcome::Failed);
    }
    // An older recording that comes later changes nothing.
    traces.iter_mut().for_each(|trace| trace.began = 1);
    store.add_run(&traces, &[], &run(3)).expect("adds");
    assert_eq!(loaded(&store), now);
}

#[test]
fn a_difference_in_what_it_depends_on_is_another_trace() {
    let (_folder, store) = empty();
    let one = Project::SMALL.trace(1, 0);
    let mut others = vec![one.clone(); 6];
    others[1].classes[0].content.0[0] ^= 1;
    others[2].classes[0].hits.add(&probity_trace::Hits::from_iter([99]));
    others[3].absent_classes.push("zzz".to_owned());
    others[4].environment.jdk.push('x');
    others[5].distrust.push("why".to_owned());
    let added = store.add_run(&others, &[], &run(1)).expect("adds");
    assert_eq!(added.traces, 6);
    assert_eq!(store.load().len(), 6);
}

#[test]
fn order_and_repetition_in_what_is_given_make_no_difference() {
    let (_folder, store) = empty();
    let (_other_folder, other) = empty();
    let mut traces = traces(0..30, 1);
    store.add_run(&traces, &Project::SMALL.shapes(1), &run(1)).expect("adds");
    traces.reverse();
    traces.extend(traces[..5].to_vec());
    traces.iter_mut().for_each(|trace| trace.classes.reverse());
    let shapes: Vec<_> = Project::SMALL.shapes(1).into_iter().rev().collect();
    other.add_run(&traces, &shapes, &run(1)).expect("adds");
    assert_eq!(store.export().0, other.export().0);
}

#[test]
fn many_files_are_a_reason_to_prune() {
    let (_folder, store) = empty();
    let mut trace = Project::SMALL.trace(1, 0);
    let mut add = |number: u64| {
        trace.began += number;
        store.add_run(std::slice::from_ref(&trace), &[], &run(number)).expect("adds")
    };
    let mut runs = 0;
    while !add(runs).wants_prune() {
        runs += 1;
        assert!(runs < 100);
    }
    assert!(store.prune_if_free(&Retention::USUAL).expect("prunes").is_some());
    let added = add(1000);
    assert!(added.trace_files == 2 && !added.wants_prune());
}

#[test]
fn a_prune_keeps_the_newest_and_what_they_need() {
    let (_folder, store) = empty();
    for version in 0..12 {
        let (traces, shapes) = (traces(0..40, version), Project::SMALL.shapes(version));
        store.add_run(&traces, &shapes, &run(version.into())).expect("adds");
    }
    let before = store.load();
    let shapes_before = store.shapes().len();
    let keep = Retention { traces_per_unit: 3, runs: 5 };
    let pruned = store.prune(&keep).expect("prunes");
    assert_eq!(pruned.problems, []);
    assert_eq!(pruned.traces, [before.len(), 120]);
    assert!(pruned.bytes[1] * 2 < pruned.bytes[0] && pruned.files == [24, 2], "{pruned:?}");
    assert_eq!((pruned.shapes[0], pruned.runs), (shapes_before, [12, 5]));
    let after = store.load();
    for unit in before.units() {
        let newest: Vec<Trace> = before.of_unit(unit).take(3).map(|trace| trace.to_trace()).collect();
        let kept: Vec<Trace> = after.of_unit(unit).map(|trace| trace.to_trace()).collect();
        assert_eq!(kept, newest);
    }
    let shapes = store.shapes();
    assert_eq!(shapes.len(), pruned.shapes[1]);
    assert!(shapes.len() < shapes_before);
    assert!(after.iter().flat_map(|trace| trace.classes()).all(|class| shapes.contains(class.content())));
    assert_eq!(store.verify().problems, []);
    let again = store.prune(&keep).expect("prunes");
    assert_eq!((again.bytes[0], again.bytes[1]), (pruned.bytes[1], pruned.bytes[1]));
}

#[test]
fn what_was_exported_can_be_imported_anywhere_and_again() {
    let (folder, store) = empty();
    let (_other_folder, other) = empty();
    store.add_run(&traces(0..40, 1), &Project::SMALL.shapes(1), &run(1)).expect("adds");
    other.add_run(&traces(20..60, 2), &Project::SMALL.shapes(2), &run(2)).expect("adds");
    let file = folder.path().join("exported");
    std::fs::write(&file, store.export().0).expect("writes");
    let imported = other.import(&file).expect("imports");
    assert_eq!((imported.files, imported.new_files), (2, 2));
    assert_eq!(other.import(&file).expect("imports").new_files, 0);
    assert_eq!(other.load().len(), 80);
    for trace in loaded(&store) {
        assert!(loaded(&other).contains(&trace));
    }
}
