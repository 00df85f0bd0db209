//! Merging is a union: the order does not count, nor how often, nor how the runs were put into files.

use crate::roundtrip::{empty, run};
use crate::synthetic::Project;
use probity_store::{Retention, Store};
use probity_trace::Trace;
use proptest::prelude::*;

/// Units and versions that a run recorded.
type Recorded = Vec<(u32, u32, u64)>;

fn recorded() -> impl Strategy<Value = Recorded> {
    proptest::collection::vec((0u32..6, 0u32..4, 0u64..3), 0..6)
}

fn add(store: &Store, number: usize, recorded: &Recorded) {
    let project = Project { classes_per_unit: 4, ..Project::SMALL };
    let traces: Vec<Trace> = recorded
        .iter()
        .map(|&(unit, version, later)| {
            let trace = project.trace(unit, version);
            Trace { began: trace.began + later, micros: later, ..trace }
        })
        .collect();
    store.add_run(&traces, &project.shapes(number as u32)[..5], &run(number as u64)).expect("adds");
}

/// Everything that a store says.
fn all(store: &Store) -> (Vec<Trace>, Vec<probity_store::Run>, Vec<probity_shape::Shape>) {
    let (traces, shapes) = (store.load(), store.shapes());
    assert_eq!((traces.problems(), shapes.problems()), (&[][..], &[][..]));
    (
        traces.iter().map(|trace| trace.to_trace()).collect(),
        traces.runs().to_vec(),
        shapes.contents().map(|content| shapes.get(content).expect("is there")).collect(),
    )
}

fn import(into: &Store, from: &Store) {
    let file = into.folder().with_extension("exported");
    std::fs::create_dir_all(file.parent().expect("has one")).expect("makes");
    std::fs::write(&file, from.export().0).expect("writes");
    into.import(&file).expect("imports");
}

const KEEP_ALL: Retention = Retention { traces_per_unit: usize::MAX, runs: usize::MAX };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn stores_merge_in_any_order_and_as_often_as_one_likes(
        runs in proptest::collection::vec(recorded(), 1..5),
        order in any::<u64>(),
    ) {
        // One store that saw all runs, and one for each run.
        let (_folder, together) = empty();
        runs.iter().enumerate().for_each(|(number, run)| add(&together, number, run));
        let mut alone: Vec<_> = runs.iter().enumerate().map(|(number, run)| {
            let (folder, store) = empty();
            add(&store, number, run);
            (folder, store)
        }).collect();
        let (_merged_folder, merged) = empty();
        let mut rng = fastrand::Rng::with_seed(order);
        rng.shuffle(&mut alone);
        for (_, store) in alone.iter().chain(&alone[..1]) {
            import(&merged, store);
        }
        let wanted = all(&together);
        prop_assert_eq!(&all(&merged), &wanted);
        import(&merged, &together);
        prop_assert_eq!(&all(&merged), &wanted);

        // To put everything into few files changes nothing but shapes that nobody needs.
        merged.prune(&KEEP_ALL).expect("prunes");
        let (traces, runs, _) = all(&merged);
        prop_assert_eq!((&traces, &runs), (&wanted.0, &wanted.1));
        import(&merged, &together);
        prop_assert_eq!(&all(&merged), &wanted);
    }
}
