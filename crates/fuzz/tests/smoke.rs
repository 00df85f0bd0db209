//! A few thousand cases of each target, the same ones on every run.
//!
//! Long runs are for `cargo xtask fuzz`. Counts are checked, because a target that refuses everything tries nothing.

use probity_fuzz::jury::Jury;
use probity_fuzz::mutate::{Damager, Mutator};
use probity_fuzz::run::{Counts, Plan, Target, run};
use probity_fuzz::seeds;
use probity_fuzz::store_files::StoreFiles;
use probity_test_support::java::test_jdks;

const CASES: u64 = 4_000;
const SEEDS_OF_EACH: usize = 60;

fn seeds() -> Vec<Vec<u8>> {
    seeds::load(&test_jdks()[..1], SEEDS_OF_EACH).expect("classes to damage")
}

fn try_some(target: Target, jury: Option<&Jury>, seeds: Vec<Vec<u8>>) -> Counts {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let plan =
        Plan { time: None, cases: Some(CASES), seed: 7, threads: 1, failures: folder.path().to_owned() };
    let damager: &dyn Damager =
        if target == Target::Store { &StoreFiles::new() } else { &Mutator::new(seeds) };
    let counts = run(target, damager, jury, &plan, &|_| {}).unwrap_or_else(|failure| panic!("{failure}"));
    assert!(counts.cases >= CASES);
    let failures: Vec<&String> = counts.failures.iter().map(|(_, what)| what).collect();
    assert!(failures.is_empty(), "{} failures: {failures:?}", failures.len());
    assert_eq!(counts.cases, counts.right + counts.refused);
    counts
}

/// Tries a target on each JDK, with classes that the JVM links.
fn try_on_each_jdk(target: Target) {
    for jdk in test_jdks() {
        let jury = Jury::new(jdk).expect("the sample");
        let linked = jury.linked(&seeds()).expect("a JVM");
        let counts = try_some(target, Some(&jury), linked);
        assert!(counts.right > CASES / 8, "{counts:?}");
        assert_eq!(counts.crashes, 0);
    }
}

#[test]
fn roundtrip_smoke() {
    assert!(try_some(Target::Roundtrip, None, seeds()).right > CASES / 4);
}

#[test]
fn hostile_smoke() {
    assert!(try_some(Target::Hostile, None, seeds()).right > CASES / 4);
}

#[test]
fn accepts_smoke() {
    try_on_each_jdk(Target::Accepts);
}

#[test]
fn rewrite_smoke() {
    try_on_each_jdk(Target::Rewrite);
}

#[test]
fn store_smoke() {
    let counts = try_some(Target::Store, None, Vec::new());
    assert!(counts.right > CASES / 20 && counts.refused > CASES / 4, "{counts:?}");
}
