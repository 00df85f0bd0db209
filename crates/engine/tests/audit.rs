//! Traces of a unit in several orders, made up: which are compared, and what their differences are put down to.

use probity_engine::audit::{Audit, Cause, Kind, Verdict, audit, trees};
use probity_engine::union::union;
use probity_shape::{ContentId, Use};
use probity_store::{Run, Store};
use probity_trace::{ClassUse, FileState, FileUse, Hits, Reason, Trace, Why};

fn used(name: &str, version: u8, hits: &[u32], reasons: &[(Why, Option<&str>)]) -> ClassUse {
    ClassUse {
        name: name.into(),
        content: ContentId([version; 16]),
        place: "classes".into(),
        hits: Hits::from_iter(hits.iter().copied()),
        inherited: Hits::default(),
        reasons: reasons.iter().map(|&(why, of)| Reason { why, of: of.map(Into::into) }).collect(),
    }
}

fn trace(began: u64, classes: Vec<ClassUse>) -> Trace {
    let mut trace = Trace { unit: "T".to_owned(), began, classes, ..Trace::default() };
    trace.environment.class_path.push("classes".to_owned());
    trace
}

fn stored(traces: &[Trace]) -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().expect("temporary folder");
    let store = Store::at(folder.path());
    let run = Run { began: 0, command: String::new(), exit: Some(0) };
    store.add_run(traces, &[], &run).expect("adds");
    (folder, store)
}

fn audited(traces: &[Trace]) -> Audit {
    let (_folder, store) = stored(traces);
    let traces = store.load();
    audit(&traces, &store.shapes(), traces.units())
}

/// The differences of the only comparison.
fn causes(traces: &[Trace]) -> Vec<(Kind, String, Cause)> {
    let audit = audited(traces);
    let [comparison] = audit.comparisons.as_slice() else { panic!("{audit:?}") };
    comparison.differences.iter().map(|one| (one.kind, one.name.clone(), one.cause)).collect()
}

#[test]
fn only_traces_of_one_tree_are_compared() {
    let ran = [(Why::Ran, None)];
    let old = trace(1, vec![used("T", 1, &[0], &ran), used("A", 1, &[0], &ran)]);
    let new = trace(2, vec![used("T", 1, &[0], &ran), used("A", 2, &[0], &ran)]);
    let either = trace(3, vec![used("T", 1, &[0], &ran)]);
    let (_folder, store) = stored(&[old, new, either]);
    let traces = store.load();
    let found = trees(traces.of_unit("T"));
    let began = |tree: &probity_engine::audit::Tree| -> Vec<u64> {
        tree.traces.iter().map(|trace| trace.began).collect()
    };
    assert_eq!(found.iter().map(began).collect::<Vec<_>>(), [vec![3, 2], vec![3, 1]]);
    let all = union(&found[0].traces).expect("a union");
    assert_eq!(all.classes.iter().map(|used| used.content.0[0]).collect::<Vec<_>>(), [2, 1]);
}

#[test]
fn another_fork_and_another_order_are_no_other_environment() {
    let flags = |began, flags: &[&str]| {
        let mut trace = trace(began, Vec::new());
        trace.environment.flags = flags.iter().map(|&flag| flag.to_owned()).collect();
        trace
    };
    let alike = [flags(1, &["-ea", "-Dsurefire.forkNumber=1"]), flags(2, &["-ea"])];
    assert_eq!(audited(&alike).comparisons.len(), 1);
    let other = [flags(1, &["-ea"]), flags(2, &["-da"])];
    assert_eq!((audited(&other).comparisons.len(), audited(&other).single), (0, 1));
}

#[test]
fn code_that_ran_in_one_order_only_is_unexplained_with_what_follows() {
    let ran = [(Why::Ran, None)];
    let test = used("T", 1, &[0], &ran);
    let named = used("B", 1, &[], &[(Why::Named(Use::New), Some("A"))]);
    let mut more = trace(1, vec![test.clone(), used("A", 1, &[0, 3], &ran), named]);
    more.files.push(FileUse { path: "a.txt".to_owned(), state: FileState::Absent });
    let less = trace(2, vec![test]);
    let found = causes(&[more, less]);
    let expected = [
        (Kind::Class, "A", Cause::Ran),
        (Kind::Class, "B", Cause::Follows),
        (Kind::File, "a.txt", Cause::Follows),
    ];
    assert_eq!(found, expected.map(|(kind, name, cause)| (kind, name.to_owned(), cause)));
}

#[test]
fn what_happens_once_is_explained_and_what_others_did_is_shared() {
    let test = used("T", 1, &[0], &[(Why::Ran, None)]);
    let once = used("A", 1, &[], &[(Why::Once, Some("T"))]);
    let named = used("B", 1, &[], &[(Why::Supertype, Some("A"))]);
    let linked = used("C", 1, &[], &[(Why::Linked, None)]);
    let outside = used("D", 1, &[], &[(Why::Outside, None)]);
    let shared = used("E", 1, &[], &[(Why::Linked, Some("U")), (Why::OtherUnit, Some("U"))]);
    let not_loaded = used("F", 1, &[], &[(Why::Named(Use::Call), Some("T"))]);
    let more = trace(1, vec![test.clone(), once, named, linked, outside, shared, not_loaded]);
    let found = causes(&[more, trace(2, vec![test])]);
    let mut names: Vec<(&str, Cause)> =
        found.iter().map(|(_, name, cause)| (name.as_str(), *cause)).collect();
    names.sort_unstable();
    let expected = [
        ("A", Cause::Once),
        ("B", Cause::Once),
        ("C", Cause::Linked),
        ("D", Cause::Outside),
        ("E", Cause::OtherUnit),
        ("F", Cause::NotLoaded),
    ];
    assert_eq!(names, expected);
}

#[test]
fn what_was_inherited_is_no_difference_and_other_values_are_unexplained() {
    let own = used("A", 1, &[1], &[(Why::Ran, None)]);
    let mut inherited = used("A", 1, &[], &[(Why::Once, Some("A"))]);
    inherited.inherited = Hits::from_iter([1]);
    assert_eq!(causes(&[trace(1, vec![own.clone()]), trace(2, vec![inherited])]), []);
    let with_file = |began, state| {
        let mut trace = trace(began, vec![own.clone()]);
        trace.files.push(FileUse { path: "a.txt".to_owned(), state });
        trace
    };
    let read = |byte| FileState::File(ContentId([byte; 16]));
    let exists = FileState::Exists { is_folder: false };
    assert_eq!(causes(&[with_file(1, read(1)), with_file(2, exists)]), []);
    let found = audited(&[with_file(1, read(1)), with_file(2, read(2))]);
    assert_eq!(found.with(Verdict::Unexplained), 1);
    assert_eq!(
        causes(&[with_file(1, FileState::Absent), with_file(2, exists)]),
        [(Kind::File, "a.txt".to_owned(), Cause::Value)]
    );
}
