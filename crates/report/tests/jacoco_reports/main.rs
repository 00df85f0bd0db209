//! XML and CSV of real classes with made-up probes, compared byte for byte with what JaCoCo writes.
//!
//! By default a sample of real classes is compared. With `PROBITY_CORPUS=all` it is every class of the installed JDKs and
//! of the whole corpus; `cargo xtask compare reports` runs that and records the result.

#![allow(clippy::print_stdout, reason = "the counts are the result; they are shown with --nocapture")]

use std::collections::HashSet;
use std::io::Write as _;
use std::process::{Command, Stdio};

use probity_classfile::ClassFile;
use probity_classpath::Source;
use probity_coverage::{Analyzer, BundleBuilder, ProbeHits};
use probity_instrument::{Instrumenter, class_id};
use probity_report::{Report, ReportNode, SessionInfo, write_csv, write_xml};
use probity_test_support::corpus::{self, Part, Place};
use probity_test_support::java::{Compilation, test_jdks};
use probity_test_support::tools::jacoco_class_path;

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
        assert_same(&label, &write_xml(&report, 2), &xml);
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

/// Classes of different names: the copies for newer Java versions and module descriptions are left out.
fn classes_of(source: &Source, every: usize) -> Vec<Vec<u8>> {
    let mut position = 0;
    let mut names = HashSet::new();
    let mut classes = Vec::new();
    source.visit_classes(|entry| {
        let entry = entry.expect("the class can be read");
        position += 1;
        if position % every != 0 || entry.name.contains("META-INF/versions/") {
            return;
        }
        let class = ClassFile::read(entry.bytes).expect("the class is well-formed");
        let name = class.name().expect("the class has a name").to_text().into_owned();
        if name != "module-info" && names.insert(name) {
            classes.push(entry.bytes.to_vec());
        }
    });
    classes
}

/// The same numbers as in the Java program.
fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

struct MadeUp(Vec<bool>);

impl ProbeHits for MadeUp {
    fn count(&self) -> usize {
        self.0.len()
    }
    fn is_hit(&self, number: usize) -> bool {
        self.0[number]
    }
}

fn made_up_hits(instrumenter: &mut Instrumenter, bytes: &[u8]) -> Option<MadeUp> {
    let class = ClassFile::read(bytes).expect("well-formed");
    let count = u64::from(instrumenter.plan(&class).expect("planned").counts().jacoco);
    let id = class_id(bytes);
    let mode = mix(id) & 7;
    let hit = |probe: u64| mode == 1 || (mix(id.wrapping_add(probe)) & 3) < (mode & 3);
    (mode != 0 && count > 0).then(|| MadeUp((0..count).map(hit).collect()))
}

fn our_report(classes: &[Vec<u8>]) -> Report {
    let mut analyzer = Analyzer::new();
    let mut instrumenter = Instrumenter::new();
    let mut builder = BundleBuilder::new();
    for bytes in classes {
        let hits = made_up_hits(&mut instrumenter, bytes);
        let hits = hits.as_ref().map(|hits| hits as &dyn ProbeHits);
        if let Some(class) = analyzer.analyze(bytes, |_| hits).expect("the class can be analysed") {
            builder.add(class).expect("names differ");
        }
    }
    Report {
        sessions: vec![SessionInfo { id: "s&1".to_owned(), start_millis: 1, dump_millis: 2 }],
        root: ReportNode::Bundle(builder.build("all \"of\" <it>")),
    }
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
