//! XML and CSV of real classes with made-up probes, compared byte for byte with what JaCoCo writes.
//!
//! By default a sample of real classes is compared. With `PROBITY_CORPUS=all` it is every class of the installed JDKs and
//! of the whole corpus; `cargo xtask compare reports` runs that and records the result.

#![allow(clippy::print_stdout, reason = "the counts are the result; they are shown with --nocapture")]

#[path = "../support/made_up.rs"]
mod made_up;

use std::io::Write as _;
use std::process::{Command, Stdio};

use probity_classpath::Source;
use probity_report::{write_csv, xml_text};
use probity_test_support::corpus::{self, Part, Place};
use probity_test_support::java::{Compilation, test_jdks};
use probity_test_support::tools::jacoco_class_path;

use made_up::{classes_of, our_report};

#[test]
fn xml_and_csv_are_those_of_jacoco() {
    let whole = corpus::is_whole_wanted();
    let part = if whole { Part::All } else { Part::Sample };
    let mut compared = 0;
    for Place { label, spec } in corpus::places(part).expect("the corpus can be fetched") {
        let source = Source::open(&spec).expect("the source can be opened");
        let every = if whole || source.name().ends_with(".jar") { 1 } else { 16 };
        let classes = classes_of(&source, every);
        let (xml, csv) = jacoco_reports(&classes);
        let report = our_report(&classes);
        assert_same(&label, &xml_text(&report, 2), &xml);
        assert_same(&label, &write_csv(&report), &csv);
        println!("{label}: {} classes, {} bytes of XML agree", classes.len(), xml.len());
        compared += classes.len();
    }
    assert!(compared > 12_000, "only {compared} classes were compared");
    println!("the reports of {compared} classes are byte for byte those of JaCoCo 0.8.15");
}

/// Shows the first difference with what stands around it: reports have one long line.
fn assert_same(label: &str, ours: &str, theirs: &str) {
    if ours == theirs {
        return;
    }
    let at = ours.bytes().zip(theirs.bytes()).take_while(|(ours, theirs)| ours == theirs).count();
    let around = |text: &str| {
        let bytes = &text.as_bytes()[at.saturating_sub(400)..(at + 200).min(text.len())];
        String::from_utf8_lossy(bytes).into_owned()
    };
    let class = ours[..at].rfind("<class name").map_or("", |start| &ours[start..(start + 200).min(at)]);
    let method = ours[..at].rfind("<method name").map_or("", |start| &ours[start..(start + 200).min(at)]);
    panic!(
        "{label} differs at byte {at}\nin {class}\nin {method}\nours:   {}\ntheirs: {}",
        around(ours),
        around(theirs)
    );
}

/// XML and CSV of JaCoCo.
fn jacoco_reports(classes: &[Vec<u8>]) -> (String, String) {
    let jdk = test_jdks().into_iter().next().expect("a JDK is installed");
    let jars = jacoco_class_path().expect("JaCoCo can be fetched");
    let program = Compilation::with(&jdk)
        .class_path(jars.clone())
        .source("ReportDump.java", include_str!("ReportDump.java"))
        .compile()
        .expect("the program compiles");
    let class_path = std::env::join_paths(jars.into_iter().chain([program.folder()])).expect("paths join");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut java = Command::new(jdk.java())
        .arg("-cp")
        .arg(class_path)
        .arg("ReportDump")
        .arg(folder.path())
        .stdin(Stdio::piped())
        .spawn()
        .expect("java starts");
    let mut stdin = java.stdin.take().expect("standard input is piped");
    for class in classes {
        stdin.write_all(&(class.len() as u32).to_be_bytes()).expect("java reads");
        stdin.write_all(class).expect("java reads");
    }
    drop(stdin);
    assert!(java.wait().expect("java ends").success());
    let read = |name| std::fs::read_to_string(folder.path().join(name)).expect("the report is there");
    (read("report.xml"), read("report.csv"))
}
