//! A JVM that is killed loses the unit that was running and nothing else; JVMs beside each other do not disturb each other.

use crate::harness::our_argument;
use crate::traces::{TracedJvm, compile_files, compile_one, recordings};
use probity_test_support::java::{CompiledClasses, test_jdks};
use probity_test_support::programs;
use probity_toolchain::Jdk;
use probity_wire::Message;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// How many classes there are, each with one test that takes a few milliseconds.
const CLASSES: usize = 60;
const KILLS: u64 = 20;

fn sources() -> String {
    let mut text = format!("// file: Killed.java\n{}", include_str!("java/Killed.java"));
    for number in 0..CLASSES {
        let _ = writeln!(
            text,
            "// file: K{number}.java\npublic class K{number} {{\n  @org.junit.Test public void works() throws Exception {{\n    \
             Helper.go({number});\n    Thread.sleep(15);\n  }}\n}}"
        );
    }
    text + "// file: Helper.java\nclass Helper { static int go(int x) { return x > 3 ? 1 : 2; } }\n"
}

fn start(jdk: &Jdk, libraries: &[PathBuf], classes: &CompiledClasses, traces: &Path) -> Child {
    let places = libraries.iter().cloned().chain([classes.folder()]);
    Command::new(jdk.java())
        .arg(our_argument(&format!("output=none,traces={}", traces.display())))
        .arg("-cp")
        .arg(std::env::join_paths(places).expect("no separators"))
        .arg("Killed")
        .stdout(Stdio::piped())
        .spawn()
        .expect("a JVM")
}

/// Units that are done are whole, they are the first ones, and no other counts.
fn assert_readable(jvm: &TracedJvm) -> usize {
    if let Some(damage) = jvm.damage {
        assert!(damage.to_string().contains("in the middle of a frame"), "{damage}");
    }
    let units = jvm.units();
    let done: Vec<_> = units.values().filter(|unit| unit.done).collect();
    for number in 0..done.len() {
        let unit = &units[&format!("K{number}")];
        assert!(unit.done, "K{number}");
        assert_eq!(unit.tests, [format!("works(K{number}) passed")]);
        assert!(unit.used.hits.contains_key("Helper") && unit.used.hits.contains_key(&unit.name));
    }
    assert!(units.len() <= done.len() + 1, "at most one is not done");
    done.len()
}

#[test]
fn a_jvm_that_is_killed_loses_only_the_unit_that_was_running() {
    let libraries = programs::class_path(&[programs::JUNIT_4]).unwrap_or_else(|error| panic!("{error}"));
    let jdks = test_jdks();
    let compiled: Vec<CompiledClasses> =
        jdks.iter().map(|jdk| compile_files(jdk, &sources(), &libraries)).collect();
    let mut found = Vec::new();
    for turn in 0..KILLS {
        let at = turn as usize % jdks.len();
        let traces = tempfile::tempdir().expect("a temporary folder");
        let mut child = start(&jdks[at], &libraries, &compiled[at], traces.path());
        let output = child.stdout.take().expect("it is piped");
        // The moment is some classes and some milliseconds after the start.
        let runs = std::io::BufRead::lines(std::io::BufReader::new(output));
        let started = runs.take(1 + (turn as usize * 7) % 40).map_while(Result::ok).count();
        std::thread::sleep(Duration::from_micros(turn * 3_111 % 19_000));
        child.kill().expect("it is running");
        child.wait().expect("it has ended");
        let jvms = recordings(traces.path());
        assert_eq!(jvms.len(), 1);
        let done = assert_readable(&jvms[0]);
        assert!(done + 1 >= started, "{done} are done of those before the {started}th");
        assert_ne!(jvms[0].messages.last(), Some(&Message::End));
        found.push(done);
    }
    assert!(found.iter().any(|&done| done > 10), "{found:?}");
}

#[test]
fn jvms_beside_each_other_have_recordings_of_their_own() {
    for jdk in test_jdks() {
        let classes = compile_one(&jdk, "Exit", include_str!("java/Exit.java"));
        let traces = tempfile::tempdir().expect("a temporary folder");
        let jvm = |way: &str| {
            Command::new(jdk.java())
                .arg(our_argument(&format!("output=none,traces={}", traces.path().display())))
                .arg("-cp")
                .arg(classes.folder())
                .args(["Exit", way])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("a JVM")
        };
        let ways = ["end", "exit", "throw", "halt", "thread", "hook"];
        for mut child in ways.map(jvm) {
            child.wait().expect("it ends");
        }
        let jvms = recordings(traces.path());
        assert_eq!(jvms.len(), ways.len());
        let mut units: Vec<String> = Vec::new();
        for jvm in &jvms {
            assert_eq!((jvm.damage, jvm.messages.last()), (None, Some(&Message::End)));
            units.extend(jvm.units().into_keys());
        }
        units.sort();
        assert_eq!(units, ["Exit end", "Exit exit", "Exit halt", "Exit hook", "Exit thread", "Exit throw"]);
    }
}
