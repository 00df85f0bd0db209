//! The bits of workloads are those that JaCoCo's agent records.

use crate::execution_data::{differences, probe_count};
use crate::harness::{everything, record, record_with_jacoco, run, said};
use crate::workloads::{self, Workload};
use probity_test_support::java::test_jdks;
use probity_toolchain::Jdk;
use std::collections::BTreeSet;

#[test]
fn every_workload_has_jacocos_bits() {
    let jdks = test_jdks();
    let mut rows = Vec::new();
    let mut unexplained = Vec::new();
    for (turn, workload) in workloads::SAMPLE.iter().enumerate() {
        // In a sample the JDKs take turns.
        let on_this_turn = |index: usize| everything() || turn % jdks.len() == index;
        for (_, jdk) in jdks.iter().enumerate().filter(|(index, _)| on_this_turn(*index)) {
            compare(jdk, &workload(jdk), &mut rows, &mut unexplained);
        }
    }
    for workload in workloads::LONG.iter().filter(|_| everything()) {
        for jdk in &jdks {
            compare(jdk, &workload(jdk), &mut rows, &mut unexplained);
        }
    }
    let table = rows.join("\n");
    println!("{HEADING}\n{table}");
    assert!(unexplained.is_empty(), "{table}\n{}", unexplained.join("\n"));
}

const HEADING: &str = "| workload | JDK | classes | probes | hit | bits ours/JaCoCo | bits JaCoCo/JaCoCo | unexplained |\n\
                       |---|---|---|---|---|---|---|---|";

/// Adds a row about a workload, and the bits in which our recording differs from JaCoCo's although JaCoCo's does not
/// differ from itself.
fn compare(jdk: &Jdk, workload: &Workload, rows: &mut Vec<String>, unexplained: &mut Vec<String>) {
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
    let noise = if everything() || !different.is_empty() {
        differences(&first.data, &record_with_jacoco(&program, &options).data)
    } else {
        BTreeSet::new()
    };
    let more: Vec<_> = different.difference(&noise).map(|bit| format!("{}: {bit}", workload.name)).collect();
    let hit: usize = ours.data.classes().map(|class| class.probes.hit_count()).sum();
    rows.push(format!(
        "| {} | {} | {} | {} | {hit} | {} | {} | {} |",
        workload.name,
        jdk.feature_version(),
        ours.data.classes().len(),
        probe_count(&ours.data),
        different.len(),
        noise.len(),
        more.len()
    ));
    unexplained.extend(more);
}
