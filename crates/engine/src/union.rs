//! The union of traces of a unit: what it used in any of them.
//!
//! A unit that was recorded in several orders, alone and in several JVMs has traces that can differ, since some things happen once in
//! a JVM and some state is shared. Each is true, and all of them together are what counts. Adding is a union, so the order of
//! traces makes no difference, nor does it matter how often one is added.

use probity_trace::{ClassUse, Hits, Outcome, Reason, Test, Trace};
use std::collections::BTreeMap;

/// The union of traces that were made in one tree: of one unit, with the same versions of classes. Nothing if there are none.
///
/// Hits are added up. A test ended as badly as it ever did, and what makes one trace distrusted makes the union so.
/// When it was recorded and how long it took is the most of all.
#[must_use]
pub fn union<'t>(traces: impl IntoIterator<Item = &'t Trace>) -> Option<Trace> {
    let mut traces = traces.into_iter();
    let mut all = Trace::default();
    // Also a single trace is brought into the order of a union.
    add(&mut all, traces.next()?);
    traces.for_each(|trace| add(&mut all, trace));
    Some(all)
}

fn add(all: &mut Trace, trace: &Trace) {
    keep_most(&mut all.unit, &trace.unit);
    keep_most(&mut all.framework, &trace.framework);
    keep_most(&mut all.began, &trace.began);
    keep_most(&mut all.micros, &trace.micros);
    keep_most(&mut all.environment, &trace.environment);
    keep_most(&mut all.threads_left, &trace.threads_left);
    all.tests = tests(&all.tests, &trace.tests);
    all.classes = classes(&all.classes, &trace.classes);
    add_all(&mut all.absent_classes, &trace.absent_classes);
    add_all(&mut all.files, &trace.files);
    add_all(&mut all.resources, &trace.resources);
    add_all(&mut all.properties, &trace.properties);
    add_all(&mut all.variables, &trace.variables);
    add_all(&mut all.overlaps, &trace.overlaps);
    add_all(&mut all.distrust, &trace.distrust);
    all.reads_stack_traces |= trace.reads_stack_traces;
    all.starts_processes |= trace.starts_processes;
}

fn keep_most<T: Ord + Clone>(all: &mut T, one: &T) {
    if *one > *all {
        all.clone_from(one);
    }
}

fn add_all<T: Ord + Clone>(all: &mut Vec<T>, more: &[T]) {
    all.extend_from_slice(more);
    all.sort_unstable();
    all.dedup();
}

fn tests(all: &[Test], more: &[Test]) -> Vec<Test> {
    let mut tests: BTreeMap<&str, Test> = BTreeMap::new();
    for test in all.iter().chain(more) {
        let known = tests.entry(&test.id).or_insert_with(|| test.clone());
        known.micros = known.micros.max(test.micros);
        if badness(test.outcome) > badness(known.outcome) {
            known.outcome = test.outcome;
        }
    }
    tests.into_values().collect()
}

fn badness(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Passed => 0,
        Outcome::Skipped => 1,
        Outcome::Failed => 2,
    }
}

fn classes(all: &[ClassUse], more: &[ClassUse]) -> Vec<ClassUse> {
    let mut classes: BTreeMap<_, Vec<&ClassUse>> = BTreeMap::new();
    for used in all.iter().chain(more) {
        classes.entry((&used.name, used.content, &used.place)).or_default().push(used);
    }
    classes.into_values().filter_map(union_of_uses).collect()
}

/// The union of uses of one class; where it is from is told by the first.
pub(crate) fn union_of_uses<'u>(uses: impl IntoIterator<Item = &'u ClassUse>) -> Option<ClassUse> {
    let mut uses = uses.into_iter().peekable();
    let first = *uses.peek()?;
    let mut all = ClassUse {
        name: first.name.clone(),
        content: first.content,
        place: first.place.clone(),
        hits: Hits::default(),
        inherited: Hits::default(),
        reasons: Vec::new(),
    };
    for used in uses {
        all.hits.add(&used.hits);
        all.inherited.add(&used.inherited);
        used.reasons.iter().for_each(|reason| add_reason(&mut all.reasons, reason));
    }
    all.inherited.remove(&all.hits);
    Some(all)
}

/// Each kind of reason is there once; of those through several classes, the first by name.
fn add_reason(reasons: &mut Vec<Reason>, reason: &Reason) {
    match reasons.iter_mut().find(|known| known.why == reason.why) {
        Some(known) => {
            known.of = match (known.of.take(), &reason.of) {
                (Some(one), Some(other)) => Some(if one <= *other { one } else { other.clone() }),
                (one, other) => one.or_else(|| other.clone()),
            };
        }
        None => {
            reasons.push(reason.clone());
            reasons.sort_unstable();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_shape::{ContentId, Use};
    use probity_trace::{FileState, FileUse, ResourceUse, SettingUse, Why};
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn name() -> impl Strategy<Value = String> {
        "[ab]{1,2}"
    }

    fn content() -> impl Strategy<Value = ContentId> {
        (0u8..3).prop_map(|byte| ContentId([byte; 16]))
    }

    fn hits() -> impl Strategy<Value = Hits> {
        vec(0u32..40, 0..6).prop_map(Hits::from_iter)
    }

    fn class() -> impl Strategy<Value = ClassUse> {
        let kinds = [Why::Ran, Why::Once, Why::Supertype, Why::Named(Use::New)];
        let reason = (proptest::sample::select(kinds.to_vec()), proptest::option::of(name()));
        let reason = reason.prop_map(|(why, of)| Reason { why, of: of.map(Into::into) });
        (name(), content(), name(), hits(), hits(), vec(reason, 0..4)).prop_map(
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

    fn test() -> impl Strategy<Value = Test> {
        let outcome = proptest::sample::select(vec![Outcome::Passed, Outcome::Failed, Outcome::Skipped]);
        (name(), outcome, 0u64..3).prop_map(|(id, outcome, micros)| Test { id, outcome, micros })
    }

    fn setting() -> impl Strategy<Value = SettingUse> {
        let setting = (proptest::option::of(name()), proptest::option::of(content()));
        setting.prop_map(|(name, value)| SettingUse { name, value })
    }

    fn trace() -> impl Strategy<Value = Trace> {
        let file =
            (name(), content()).prop_map(|(path, content)| FileUse { path, state: FileState::File(content) });
        let resource = (name(), proptest::option::of(content()));
        let resource = resource.prop_map(|(name, found)| ResourceUse { name, found });
        let numbers = (0u64..3, 0u64..3, 0u32..3, any::<bool>(), any::<bool>());
        let lists = (vec(name(), 0..3), vec(file, 0..3), vec(resource, 0..3), vec(setting(), 0..3));
        (name(), numbers, vec(test(), 0..4), vec(class(), 0..6), lists, vec(setting(), 0..2)).prop_map(
            |(flag, numbers, tests, classes, (absent_classes, files, resources, properties), variables)| {
                let (began, micros, threads_left, reads_stack_traces, starts_processes) = numbers;
                let mut trace = Trace {
                    unit: "shop.CartTest".to_owned(),
                    began,
                    micros,
                    tests,
                    classes,
                    files,
                    resources,
                    properties,
                    variables,
                    reads_stack_traces,
                    starts_processes,
                    threads_left,
                    overlaps: absent_classes.clone(),
                    distrust: absent_classes.clone(),
                    absent_classes,
                    ..Trace::default()
                };
                trace.environment.flags.push(flag);
                trace
            },
        )
    }

    proptest! {
        #[test]
        fn a_union_depends_on_no_order_and_no_repetition(one in trace(), two in trace(), three in trace()) {
            let all = union([&one, &two, &three]);
            prop_assert_eq!(&union([&three, &one, &two]), &all);
            prop_assert_eq!(&union([&two, &two, &one, &three, &one]), &all);
            let first = union([&one, &two]).expect("a union");
            let rest = union([&two, &three]).expect("a union");
            prop_assert_eq!(&union([&first, &three]), &all);
            prop_assert_eq!(&union([&one, &rest]), &all);
            let all = all.expect("a union");
            prop_assert_eq!(union([&all]).expect("a union"), all.clone());
            prop_assert_eq!(union([&all, &two]).expect("a union"), all);
        }

        #[test]
        fn a_union_has_all_that_each_has(one in trace(), two in trace()) {
            let all = union([&one, &two]).expect("a union");
            for trace in [&one, &two] {
                for used in &trace.classes {
                    let found = all.classes.iter().find(|found| {
                        (&found.name, found.content, &found.place) == (&used.name, used.content, &used.place)
                    });
                    let found = found.expect("the class");
                    prop_assert!(used.hits.iter().all(|probe| found.hits.has(probe)));
                    prop_assert!(used.inherited.iter().all(|probe| found.all_hits().has(probe)));
                    prop_assert!(used.reasons.iter().all(|reason| found.is_there_because(reason.why)));
                }
                prop_assert!(trace.files.iter().all(|file| all.files.contains(file)));
                prop_assert!(trace.distrust.iter().all(|why| all.distrust.contains(why)));
                prop_assert!(trace.absent_classes.iter().all(|name| all.absent_classes.contains(name)));
                let has_failed = trace.outcome() == Outcome::Failed;
                prop_assert!(!has_failed || all.outcome() == Outcome::Failed);
            }
        }
    }

    #[test]
    fn there_is_no_union_of_nothing() {
        assert_eq!(union([]), None);
    }
}
