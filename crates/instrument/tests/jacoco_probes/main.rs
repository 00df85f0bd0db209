//! Class ids, probe counts and the place of every probe, compared with JaCoCo's own library.
//!
//! By default a sample of real classes is compared. With `PROBITY_CORPUS=all` it is every class of the installed JDKs and
//! of the whole corpus; `cargo xtask compare probes` runs that and records the result.

#![allow(clippy::print_stdout, reason = "the counts are the result; they are shown with --nocapture")]

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use probity_classfile::ClassFile;
use probity_classpath::Source;
use probity_instrument::list::{CodeList, Node};
use probity_instrument::plan::{MethodPlan, Place};
use probity_instrument::{Instrumenter, class_id};
use probity_test_support::corpus::{self, Part};
use probity_test_support::java::{Compilation, test_jdks};
use probity_test_support::tools::jacoco_class_path;

/// What is known of one class: id, number of probes, and where each stands.
#[derive(Debug, PartialEq, Eq)]
struct Probes {
    id: u64,
    count: u32,
    places: String,
}

#[test]
fn ids_counts_and_places_are_those_of_jacoco() {
    let whole = corpus::is_whole_wanted();
    let part = if whole { Part::All } else { Part::Sample };
    let mut compared = 0;
    for corpus::Place { label, spec } in corpus::places(part).expect("the corpus can be fetched") {
        let source = Source::open(&spec).expect("the source can be opened");
        let every = if whole || source.name().ends_with(".jar") { 1 } else { 8 };
        let (names, classes) = classes_of(&source, every);
        let theirs = ask_jacoco(&classes);
        assert_eq!(theirs.len(), classes.len(), "{label}");
        let mut instrumenter = Instrumenter::new();
        for ((name, class), theirs) in names.iter().zip(&classes).zip(theirs) {
            let ours = probes_of(&mut instrumenter, class);
            assert_eq!(ours.to_string(), theirs, "{name} of {label}");
        }
        println!("{label}: {} classes agree", classes.len());
        compared += classes.len();
    }
    assert!(compared > 15_000, "only {compared} classes were compared");
    println!("{compared} classes agree with JaCoCo 0.8.15 in id, number and places of probes");
}

fn classes_of(source: &Source, every: usize) -> (Vec<String>, Vec<Vec<u8>>) {
    let mut position = 0;
    let (mut names, mut classes) = (Vec::new(), Vec::new());
    source.visit_classes(|entry| {
        let entry = entry.expect("the class can be read");
        if position % every == 0 {
            names.push(entry.name.to_owned());
            classes.push(entry.bytes.to_vec());
        }
        position += 1;
    });
    (names, classes)
}

impl std::fmt::Display for Probes {
    /// As the Java program prints it: the places as a digest.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digest = self.places.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        write!(f, "{:016x} {} {digest:016x}", self.id, self.count)
    }
}

fn probes_of(instrumenter: &mut Instrumenter, bytes: &[u8]) -> Probes {
    let class = ClassFile::read(bytes).expect("the class is well-formed");
    let mut places = String::new();
    let (mut methods, mut count) = (0, 0);
    instrumenter
        .visit_plans(&class, |position, _, list, plan| {
            while methods <= position {
                places.push_str("M ");
                methods += 1;
            }
            describe(list, plan, count, &mut places);
            count += plan.probes.len() as u32;
        })
        .expect("the class can be planned");
    while methods < class.methods().len() {
        places.push_str("M ");
        methods += 1;
    }
    Probes { id: class_id(bytes), count, places }
}

/// The probes of one body in the words of the Java program.
fn describe(list: &CodeList, plan: &MethodPlan, first: u32, out: &mut String) {
    let mut instruction = 0;
    let mut probes = plan.probes.iter().zip(first..).peekable();
    for (node, at) in list.nodes().iter().zip(0..) {
        let mut here = Vec::new();
        while let Some((probe, id)) = probes.next_if(|(probe, _)| probe.node == at) {
            here.push((probe.place, id));
        }
        for (place, id) in &here {
            let letter = match place {
                Place::FallThrough(_) => 'P',
                Place::Exit => 'X',
                Place::Jump(_) => 'J',
                Place::SwitchEdge(_) => continue,
            };
            let _ = write!(out, "{letter}{id}@{instruction} ");
        }
        let Node::Instruction(node) = node else { continue };
        if matches!(here.first(), Some((Place::SwitchEdge(_), _))) {
            let id_of = |label| here.iter().find(|(place, _)| *place == Place::SwitchEdge(label));
            let ids =
                list.targets(node).iter().map(|&label| id_of(label).map_or(-1, |&(_, id)| i64::from(id)));
            let ids: Vec<String> = ids.map(|id| id.to_string()).collect();
            let _ = write!(out, "S@{instruction}:{} ", ids.join(","));
        }
        instruction += 1;
    }
}

/// What JaCoCo says of each class, a line each.
fn ask_jacoco(classes: &[Vec<u8>]) -> Vec<String> {
    let jdk = test_jdks().into_iter().next().expect("a JDK is installed");
    let jars = jacoco_class_path().expect("JaCoCo can be fetched");
    let program = Compilation::with(&jdk)
        .class_path(jars.clone())
        .source("ProbeDump.java", include_str!("ProbeDump.java"))
        .compile()
        .expect("the program compiles");
    let class_path = std::env::join_paths(jars.into_iter().chain([program.folder()])).expect("paths join");
    let mut java = Command::new(jdk.java())
        .arg("-cp")
        .arg(class_path)
        .arg("ProbeDump")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("java starts");
    let mut stdin = java.stdin.take().expect("standard input is piped");
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for class in classes {
                stdin.write_all(&(class.len() as u32).to_be_bytes()).expect("java reads");
                stdin.write_all(class).expect("java reads");
            }
        });
        let output = java.wait_with_output().expect("java ends");
        assert!(output.status.success());
        String::from_utf8(output.stdout).expect("text").lines().map(str::to_owned).collect()
    })
}
