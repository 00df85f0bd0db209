//! The bits of workloads are those that JaCoCo's agent records.

use crate::execution_data::{DifferentBit, differences, probe_count};
use crate::harness::{Recording, everything, record, record_with_jacoco, run, said};
use crate::workloads::{self, Workload};
use probity_test_support::java::{Program, test_jdks};
use probity_toolchain::Jdk;
use std::collections::BTreeSet;

#[test]
fn every_workload_has_jacocos_bits() {
    assert_jacocos_bits(record);
}

/// Records each workload in some way, and compares what comes out.
pub(crate) fn assert_jacocos_bits(record: fn(&Program<'_>, &str) -> Recording) {
    let jdks = test_jdks();
    let mut rows = Vec::new();
    let mut unexplained = Vec::new();
    for (turn, workload) in workloads::SAMPLE.iter().enumerate() {
        let mut noise = BTreeSet::new();
        // In a sample the JDKs take turns.
        let on_this_turn = |index: usize| everything() || turn % jdks.len() == index;
        for (_, jdk) in jdks.iter().enumerate().filter(|(index, _)| on_this_turn(*index)) {
            unexplained.extend(compare(jdk, &workload(jdk), record, &mut noise, &mut rows));
        }
    }
    for workload in workloads::LONG.iter().filter(|_| everything()) {
        let mut noise = BTreeSet::new();
        for jdk in &jdks {
            unexplained.extend(compare(jdk, &workload(jdk), record, &mut noise, &mut rows));
        }
    }
    let table = rows.join("\n");
    println!("{HEADING}\n{table}");
    assert!(unexplained.is_empty(), "{table}\n{}", unexplained.join("\n"));
}

const HEADING: &str = "| workload | JDK | classes | probes | hit | bits ours/JaCoCo | bits JaCoCo/JaCoCo | unexplained |\n\
                       |---|---|---|---|---|---|---|---|";

/// How often JaCoCo's agent is asked again whether it agrees with itself about what we differ in.
const MORE_RUNS: usize = 3;

/// Adds a row about a workload, and to `noise` what JaCoCo differs from itself in. Returns the bits in which our recording
/// differs from JaCoCo's although they do not depend on time and JaCoCo's does not differ from itself, on this JDK or another.
fn compare(
    jdk: &Jdk,
    workload: &Workload,
    record: fn(&Program<'_>, &str) -> Recording,
    noise: &mut BTreeSet<DifferentBit>,
    rows: &mut Vec<String>,
) -> Vec<String> {
    let program = workload.program(jdk);
    let plain = run(&program);
    let options = format!("excludes={}", workload.looked_at);
    let first = record_with_jacoco(&program, &options);
    let ours = record(&program, &options);
    assert_eq!(plain.exit_code, Some(workload.exit_code), "{}: {plain}", workload.name);
    assert_eq!(ours.output.exit_code, plain.exit_code, "{}: {}", workload.name, ours.output);
    assert_eq!(said(&ours.output), [""; 0], "{}", workload.name);
    assert!(ours.data.classes().len() > 0, "{}: nothing was recorded", workload.name);
    let different = differences(&ours.data, &first.data);
    let again = || differences(&first.data, &record_with_jacoco(&program, &options).data);
    let of_two_runs = if everything() { again() } else { BTreeSet::new() };
    noise.extend(of_two_runs.iter().cloned());
    noise.extend(different.iter().filter(|bit| workload.timed.contains(&bit.class.as_str())).cloned());
    for _ in 0..MORE_RUNS {
        if !different.is_subset(noise) {
            noise.extend(again());
        }
    }
    let more = different.difference(noise).map(|bit| format!("{}: {bit}", workload.name));
    let more: Vec<String> = more.collect();
    let hit: usize = ours.data.classes().map(|class| class.probes.hit_count()).sum();
    rows.push(format!(
        "| {} | {} | {} | {} | {hit} | {} | {} | {} |",
        workload.name,
        jdk.feature_version(),
        ours.data.classes().len(),
        probe_count(&ours.data),
        different.len(),
        of_two_runs.len(),
        more.len()
    ));
    more
}
