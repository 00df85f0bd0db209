//! The test suites of real projects, recorded as traces.
//!
//! - All rows together are what JaCoCo's agent records, bit by bit: in one JVM, in several beside each other, and in a JVM for
//!   each test class. What differs between two runs of one agent is left out and counted. So is what the program does
//!   otherwise because JaCoCo adds members to its classes: those bits must be as ours when JaCoCo's agent runs again and changes
//!   no class but the one that has them.
//! - All rows together are the execution data that the same JVMs wrote: here nothing may differ at all.
//! - The program is not changed: as many tests are found, pass and fail as without the agent, the exit code is the same, and a
//!   program that looks at classes and stacks sees the same.
//!
//! It is told how large the store is, and how many units are distrusted for which reasons. By default this is done with some
//! test classes of one suite. With `PROBITY_PROJECTS=all` it is all suites; `cargo xtask compare traces` runs that and records the result.
//! `PROBITY_SUITE=part-of-a-name` takes only suites with such names.

#![allow(clippy::print_stdout, reason = "the counts are the result; they are shown with --nocapture")]

mod bits;
mod layout;
mod looks;
mod recorded;

use std::collections::{BTreeMap, BTreeSet};

use probity_execdata::store::Store as ExecData;
use probity_test_support::java::test_jdks;
use probity_test_support::suites::{SUITES, Suite};
use probity_toolchain::Jdk;

use bits::{DifferentBit, differences, hit_count};
use layout::Layout;
use recorded::{Recorded, Runs, Size, size_of_store};

/// How often the agents are asked again whether they agree with themselves about what they differ in.
const MORE_RUNS: usize = 4;

#[test]
fn rows_of_real_suites_are_jacocos_and_the_program_is_not_changed() {
    let whole = std::env::var("PROBITY_PROJECTS").is_ok_and(|value| value == "all");
    let only = std::env::var("PROBITY_SUITE").ok();
    let is_wanted = |suite: &&Suite| match &only {
        Some(part) => suite.library.contains(part.as_str()),
        None => whole || suite.in_sample,
    };
    let size = if whole || only.is_some() { Size::Whole } else { Size::Sample };
    let jdks = test_jdks();
    let mut unexplained = Vec::new();
    for (turn, suite) in SUITES.iter().filter(is_wanted).enumerate() {
        // One suite stands for all where it is about another JDK.
        let jdks = if turn == 0 && whole { &jdks[..] } else { &jdks[..1] };
        for jdk in jdks {
            for layout in Layout::ALL {
                unexplained.extend(Comparison::new(jdk, suite, layout, size).run());
            }
            looks::assert_same(jdk, suite);
        }
    }
    assert!(unexplained.is_empty(), "{} bits differ:\n{}", unexplained.len(), unexplained.join("\n"));
}

/// One suite in one layout, beside JaCoCo.
struct Comparison<'a> {
    jdk: &'a Jdk,
    suite: &'a Suite,
    layout: Layout,
    runs: Runs<'a>,
}

impl<'a> Comparison<'a> {
    fn new(jdk: &'a Jdk, suite: &'a Suite, layout: Layout, size: Size) -> Self {
        Self { jdk, suite, layout, runs: Runs::new(jdk, suite, layout, size) }
    }

    /// Compares, prints a row, and gives the bits that nothing explains.
    fn run(&self) -> Vec<String> {
        let ours = self.traced();
        let first = self.runs.jacoco(None);
        let mut different: Vec<DifferentBit> = differences(&ours.recorded.hits, &first).into_iter().collect();
        let noisy = self.take_out_noise(&mut different, &ours, &first);
        let seen = self.take_out_what_sees_jacoco(&mut different);
        self.print(&ours, &[hit_count(&first), noisy, different.len()], &seen);
        let name = |bit: &DifferentBit| format!("{}, {}: {bit}", self.suite.library, self.layout);
        let unexplained: Vec<String> = different.iter().map(name).collect();
        unexplained.iter().for_each(|line| println!("different: {line}"));
        unexplained
    }

    /// Takes out the bits that one and the same agent does not see in each run: they depend on time or chance. Gives how many
    /// these are.
    fn take_out_noise(&self, different: &mut Vec<DifferentBit>, ours: &Recorded, first: &ExecData) -> usize {
        let before = different.len();
        for turn in 0..MORE_RUNS {
            if different.is_empty() {
                break;
            }
            let noise = if turn % 2 == 0 {
                differences(first, &self.runs.jacoco(None))
            } else {
                differences(&ours.recorded.hits, &self.runs.traced().recorded.hits)
            };
            let noise: BTreeSet<DifferentBit> = noise.into_iter().map(DifferentBit::nobodys).collect();
            different.retain(|bit| !noise.contains(&bit.clone().nobodys()));
        }
        before - different.len()
    }

    /// Records the suite, and sees that the program is not changed.
    fn traced(&self) -> Recorded {
        let what = format!("{}, {}", self.suite.library, self.layout);
        let ours = self.runs.traced();
        let mut plain = self.runs.plain();
        if plain != ours.ended {
            // Tests that give another result each time say nothing of the agent.
            plain = self.runs.plain();
        }
        assert_eq!(ours.ended, plain, "{what}: the tests do not end as without the agent");
        assert_eq!(ours.said, [""; 0], "{what}");
        let within = differences(&ours.recorded.hits, &ours.exec);
        assert!(within.is_empty(), "{what}: rows are not the data of the same JVMs: {within:?}");
        ours
    }

    /// Takes out the bits that are as ours where JaCoCo's agent changes no other class, so that nobody sees its members.
    fn take_out_what_sees_jacoco(&self, different: &mut Vec<DifferentBit>) -> Vec<DifferentBit> {
        let mut seen = Vec::new();
        let classes: BTreeSet<String> = different.iter().map(DifferentBit::class).collect();
        for class in classes {
            let alone = self.runs.jacoco(Some(&class));
            let is_explained = |bit: &DifferentBit| bit.class() == class && bit.is_as_in_first(&alone);
            seen.extend(different.iter().filter(|bit| is_explained(bit)).cloned());
            different.retain(|bit| !is_explained(bit));
        }
        seen
    }

    fn print(&self, ours: &Recorded, bits: &[usize; 3], seen: &[DifferentBit]) {
        let (run, passed) = self.runs.counts(&ours.ended);
        let units: BTreeSet<&str> = ours.traces.iter().map(|trace| trace.unit.as_str()).collect();
        let [hit, noisy, different] = bits;
        println!(
            "| {} | {} | {} | {} | {} | {passed} of {run} | {} | {hit} | {} | {noisy} | {different} | {} | {:.1} | {} |",
            self.suite.library,
            self.suite.kind,
            self.jdk.feature_version(),
            self.layout,
            ours.recorded.jvms,
            units.len(),
            named(ours, seen),
            ours.pairs(),
            size_of_store(ours) as f64 / ours.pairs().max(1) as f64,
            distrusted(ours),
        );
    }
}

/// How many bits these are, and which: their class, method and numbers.
fn named(ours: &Recorded, bits: &[DifferentBit]) -> String {
    let mut methods: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for bit in bits {
        let method = format!("{}.{}", bit.class(), bit.method(ours.recorded.shapes.values()));
        methods.entry(method).or_default().push(bit.probe());
    }
    let shown: Vec<String> =
        methods.iter().map(|(method, probes)| format!("{method}: {}", probes.join(" "))).collect();
    if shown.is_empty() { "0".to_owned() } else { format!("{} ({})", bits.len(), shown.join("; ")) }
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
