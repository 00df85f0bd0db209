//! Any trace comes back, whatever its texts and numbers are; only the order of what has none is the store's.

use probity_shape::{ContentId, Use};
use probity_store::{TraceId, format};
use probity_trace::{
    ClassUse, Environment, FileState, FileUse, Hits, Outcome, Reason, ResourceUse, SettingUse, Test, Trace,
    Why,
};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

/// Few letters, so that texts share beginnings; among them such as take several bytes.
fn text() -> impl Strategy<Value = String> {
    "[ab/é𝔸]{0,9}"
}

fn content() -> impl Strategy<Value = ContentId> {
    (0u8..3).prop_map(|byte| ContentId([byte; 16]))
}

fn class_use() -> impl Strategy<Value = ClassUse> {
    let whys = [Why::Ran, Why::Once, Why::Named(Use::Catch), Why::OtherUnit];
    let reason = (proptest::sample::select(whys.to_vec()), option::of(text()))
        .prop_map(|(why, of)| Reason { why, of: of.map(Into::into) });
    let hits = || vec(any::<u8>(), 0..4).prop_map(Hits::from_bytes);
    (text(), content(), text(), hits(), hits(), vec(reason, 0..3)).prop_map(
        |(name, content, place, hits, inherited, reasons)| ClassUse {
            name: name.into(),
            content,
            place: place.into(),
            hits,
            inherited,
            reasons,
        },
    )
}

fn state() -> impl Strategy<Value = FileState> {
    prop_oneof![
        Just(FileState::Absent),
        content().prop_map(FileState::File),
        any::<bool>().prop_map(|is_folder| FileState::Exists { is_folder }),
        content().prop_map(FileState::Listing),
    ]
}

fn settings() -> impl Strategy<Value = Vec<SettingUse>> {
    let setting = (option::of(text()), option::of(content()));
    vec(setting.prop_map(|(name, value)| SettingUse { name, value }), 0..4)
}

prop_compose! {
    fn test()(
        id in text(),
        micros: u64,
        outcome in proptest::sample::select(vec![Outcome::Passed, Outcome::Failed, Outcome::Skipped]),
    ) -> Test {
        Test { id, outcome, micros }
    }
}

prop_compose! {
    fn environment()(agent in text(), jdk in text(), flags in vec(text(), 0..3), class_path in vec(text(), 0..3)) -> Environment {
        Environment { agent, jdk, flags, class_path }
    }
}

prop_compose! {
    fn surroundings()(
        absent_classes in vec(text(), 0..4),
        files in vec((text(), state()).prop_map(|(path, state)| FileUse { path, state }), 0..4),
        resources in vec((text(), option::of(content())).prop_map(|(name, found)| ResourceUse { name, found }), 0..4),
        properties in settings(),
        variables in settings(),
        (reads_stack_traces, starts_processes, threads_left) in any::<(bool, bool, u32)>(),
        overlaps in vec(text(), 0..3),
        distrust in vec(text(), 0..3),
    ) -> Trace {
        Trace {
            absent_classes, files, resources, properties, variables, reads_stack_traces, starts_processes, threads_left,
            overlaps, distrust, ..Trace::default()
        }
    }
}

prop_compose! {
    fn trace()(
        (unit, framework) in (text(), text()),
        (began, micros) in any::<(u64, u64)>(),
        tests in vec(test(), 0..4),
        environment in environment(),
        classes in vec(class_use(), 0..8),
        rest in surroundings(),
    ) -> Trace {
        Trace { unit, framework, began, micros, tests, environment, classes, ..rest }
    }
}

/// The trace in the order of the store, everything once.
fn in_order(mut trace: Trace) -> Trace {
    trace.classes.sort_by_key(|class| {
        let ClassUse { name, content, place, hits, inherited, reasons } = class.clone();
        // Both rows of hits are one run of bytes there, behind the length of the first.
        let (own, inherited) = (hits.as_bytes(), inherited.as_bytes());
        let length: &[u8] = if own.is_empty() && inherited.is_empty() { &[] } else { &[own.len() as u8] };
        (name, content, place, [length, own, inherited].concat(), reasons)
    });
    trace.classes.dedup();
    fn sort<T: Ord>(list: &mut Vec<T>) {
        list.sort();
        list.dedup();
    }
    for list in [&mut trace.absent_classes, &mut trace.overlaps, &mut trace.distrust] {
        sort(list);
    }
    sort(&mut trace.files);
    sort(&mut trace.resources);
    sort(&mut trace.properties);
    sort(&mut trace.variables);
    trace
}

fn read(bytes: &[u8]) -> (Vec<Trace>, Vec<TraceId>) {
    let traces = format::read_traces(bytes).expect("is whole");
    (traces.iter().map(|trace| trace.to_trace()).collect(), traces.iter().map(|trace| trace.id()).collect())
}

proptest! {
    #[test]
    fn any_trace_comes_back(trace in trace()) {
        let (read, ids) = read(&format::write_traces(std::slice::from_ref(&trace), &[]));
        prop_assert_eq!(ids.len(), 1);
        prop_assert_eq!(&read, &[in_order(trace)]);
    }

    #[test]
    fn the_identity_does_not_depend_on_the_company(one in trace(), others in vec(trace(), 0..4)) {
        let (_, alone) = read(&format::write_traces(std::slice::from_ref(&one), &[]));
        let all: Vec<Trace> = others.into_iter().chain([one]).collect();
        let (_, together) = read(&format::write_traces(&all, &[]));
        prop_assert!(together.contains(&alone[0]));
    }
}
