//! The test suites of real projects, recorded as traces.
//!
//! - All rows together are what JaCoCo's agent records, bit by bit: in one JVM, in several beside each other, and in a JVM for
//!   each test class. What differs between two runs of JaCoCo's agent is left out and counted.
//! - All rows together are the execution data that the same JVMs wrote: here nothing may differ at all.
//! - The program is not changed: as many tests are found, pass and fail as without the agent, the exit code is the same, and a
//!   program that looks at classes and stacks sees the same.
//!
//! It is told how large the store is, and how many units are distrusted for which reasons. By default this is done with a
//! sample. With `PROBITY_PROJECTS=all` it is all suites; `cargo xtask compare traces` runs that and records the result.
//! `PROBITY_SUITE=part-of-a-name` takes only suites with such names.

#![allow(clippy::print_stdout, reason = "the counts are the result; they are shown with --nocapture")]

mod bits;
mod layout;
mod looks;
mod recorded;

use std::collections::BTreeMap;

use probity_test_support::java::test_jdks;
use probity_test_support::suites::{SUITES, Suite};
use probity_toolchain::Jdk;

use bits::{DifferentBit, differences, hit_count};
use layout::Layout;
use recorded::{Recorded, Runs, size_of_store};

/// How often JaCoCo's agent is asked again whether it agrees with itself about what we differ in.
const MORE_RUNS: usize = 3;

#[test]
fn rows_of_real_suites_are_jacocos_and_the_program_is_not_changed() {
    let whole = std::env::var("PROBITY_PROJECTS").is_ok_and(|value| value == "all");
    let only = std::env::var("PROBITY_SUITE").ok();
    let is_wanted = |suite: &&Suite| match &only {
        Some(part) => suite.library.contains(part.as_str()),
        None => whole || suite.in_sample,
    };
    let jdks = test_jdks();
    let mut unexplained = Vec::new();
    for (turn, suite) in SUITES.iter().filter(is_wanted).enumerate() {
        let jdk = &jdks[turn % jdks.len()];
        for layout in Layout::ALL {
            unexplained.extend(compare(jdk, suite, layout, whole));
        }
        looks::assert_same(jdk, suite);
    }
    assert!(unexplained.is_empty(), "{} bits differ:\n{}", unexplained.len(), unexplained.join("\n"));
}

/// Compares one suite in one layout, prints a row, and gives the bits that nothing explains.
fn compare(jdk: &Jdk, suite: &Suite, layout: Layout, whole: bool) -> Vec<String> {
    let runs = Runs::new(jdk, suite, layout);
    let ours = runs.traced();
    let mut plain = runs.plain();
    if plain != ours.ended {
        // Tests that give another result each time say nothing of the agent.
        plain = runs.plain();
    }
    assert_eq!(ours.ended, plain, "{}, {layout}: the tests do not end as without the agent", suite.library);
    assert_eq!(ours.said, [""; 0], "{}, {layout}", suite.library);
    let within = differences(&ours.recorded.hits, &ours.exec);
    assert!(
        within.is_empty(),
        "{}, {layout}: rows are not the data of the same JVMs: {within:?}",
        suite.library
    );
    let first = runs.jacoco();
    let different: Vec<DifferentBit> =
        differences(&ours.recorded.hits, &first).into_iter().filter(|bit| !bit.sees_jacoco()).collect();
    let mut noise = if whole { differences(&first, &runs.jacoco()) } else { Default::default() };
    for _ in 0..MORE_RUNS {
        if different.iter().any(|bit| !noise.contains(bit)) {
            noise.extend(differences(&first, &runs.jacoco()));
        }
    }
    let unexplained: Vec<&DifferentBit> = different.iter().filter(|bit| !noise.contains(bit)).collect();
    let (run, passed) = runs.counts(&ours.ended);
    println!(
        "| {} | {} | {} | {layout} | {} | {passed} of {run} | {} | {} | {} | {} | {} | {:.1} | {} |",
        suite.library,
        suite.kind,
        jdk.feature_version(),
        ours.recorded.jvms,
        ours.traces.len(),
        hit_count(&first),
        noise.len(),
        unexplained.len(),
        ours.pairs(),
        size_of_store(&ours) as f64 / ours.pairs().max(1) as f64,
        distrusted(&ours),
    );
    let what = |bit: &&DifferentBit| format!("{}, {layout}: {bit}", suite.library);
    let unexplained: Vec<String> = unexplained.iter().map(what).collect();
    unexplained.iter().for_each(|line| println!("different: {line}"));
    unexplained
}

/// How many units are distrusted, and for what reasons, the most frequent first.
fn distrusted(ours: &Recorded) -> String {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for reason in ours.traces.iter().flat_map(|trace| &trace.distrust) {
        *reasons.entry(without_names(reason)).or_default() += 1;
    }
    let mut reasons: Vec<(usize, String)> =
        reasons.into_iter().map(|(reason, count)| (count, reason)).collect();
    reasons.sort_unstable_by(|left, right| right.0.cmp(&left.0).then_with(|| left.1.cmp(&right.1)));
    let units = ours.traces.iter().filter(|trace| !trace.distrust.is_empty()).count();
    let shown: Vec<String> = reasons.iter().map(|(count, reason)| format!("{count}: {reason}")).collect();
    if shown.is_empty() { units.to_string() } else { format!("{units} ({})", shown.join("; ")) }
}

/// A reason without the names of classes and files, so that equal reasons are counted together.
fn without_names(reason: &str) -> String {
    let word = |word: &str| {
        let is_name = word.trim_end_matches(['.', ',', ':']).contains(['.', '/', '$']);
        if is_name { "…".to_owned() } else { word.to_owned() }
    };
    reason.split(' ').map(word).collect::<Vec<_>>().join(" ").replace('|', "/")
}
