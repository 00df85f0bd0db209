//! Test suites with frameworks that make and change classes pass under the agent as without it.

use crate::execution_data::names;
use crate::harness::{Recording, compile_with, everything, one_jdk, record, run, said};
use crate::traces::trace;
use probity_test_support::java::{Program, ProgramOutput, test_jdks};
use probity_test_support::programs;
use probity_toolchain::Jdk;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

fn class_path(sets: &[&[&str]]) -> Vec<PathBuf> {
    programs::class_path(sets).unwrap_or_else(|error| panic!("{error}"))
}

fn launcher<'j>(jdk: &'j Jdk, class_path: &[PathBuf], test: &str) -> Program<'j> {
    Program::with(jdk, "org.junit.platform.console.ConsoleLauncher")
        .class_path(class_path)
        .argument("execute")
        .argument("--disable-banner")
        .argument("--details=summary")
        .argument(format!("--select-class={test}"))
        .time_limit(Duration::from_secs(300))
}

/// The lines in which the launcher counts tests.
fn counts(output: &ProgramOutput) -> Vec<&str> {
    output.stdout.lines().filter(|line| line.contains("tests ")).map(str::trim).collect()
}

fn assert_passes_as_without(program: &Program<'_>, tests: usize, recorded: &[&str]) {
    let plain = run(program);
    assert_eq!(plain.exit_code, Some(0), "{plain}");
    let successful = format!("{tests} tests successful");
    assert!(counts(&plain).iter().any(|line| line.contains(&successful)), "{plain}");
    let traced = trace(program);
    let passed: usize = traced.jvm().units().values().map(|unit| unit.tests.len()).sum();
    assert_eq!(passed, tests, "the traces have all tests");
    let with_traces = Recording { output: traced.output, data: traced.data };
    for recording in [record(program, ""), with_traces] {
        assert_eq!(recording.output.exit_code, Some(0), "{}", recording.output);
        assert_eq!(counts(&recording.output), counts(&plain));
        assert_eq!(said(&recording.output), [""; 0]);
        let names = names(&recording.data);
        for class in recorded {
            assert!(names.iter().any(|name| name == class), "{class} has no hits");
        }
    }
}

#[test]
fn inline_mocks_of_mockito() {
    let libraries = class_path(&[programs::JUNIT, programs::MOCKITO]);
    for jdk in test_jdks() {
        let classes = compile_with(&jdk, "MockTest", include_str!("java/MockTest.java"), &libraries);
        let all: Vec<PathBuf> = libraries.iter().cloned().chain([classes.folder()]).collect();
        let program = launcher(&jdk, &all, "MockTest").jvm_argument("-Xshare:auto");
        assert_passes_as_without(&program, 5, &["MockTest", "MockTest$Final", "MockTest$Statics"]);
    }
}

#[test]
fn a_test_of_spring_boot() {
    let libraries = class_path(&[programs::JUNIT, programs::SPRING_BOOT]);
    let jdks = if everything() { test_jdks() } else { vec![one_jdk()] };
    for jdk in jdks {
        let classes = compile_with(&jdk, "SpringTest", include_str!("java/SpringTest.java"), &libraries);
        let all: Vec<PathBuf> = libraries.iter().cloned().chain([classes.folder()]).collect();
        let program = launcher(&jdk, &all, "SpringTest");
        assert_passes_as_without(
            &program,
            2,
            &["SpringTest", "SpringTest$Service", "SpringTest$Application"],
        );
    }
}

#[test]
fn a_test_in_kotlin() {
    let libraries = class_path(&[programs::KOTLIN, programs::KOTLIN_TEST, programs::JUNIT]);
    let compiler = class_path(&[programs::KOTLIN_COMPILER]);
    let jdks = if everything() { test_jdks() } else { vec![one_jdk()] };
    for jdk in jdks {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let source = folder.path().join("SomeTest.kt");
        std::fs::write(&source, include_str!("java/SomeTest.kt")).expect("a writable folder");
        let out = folder.path().join("classes");
        let compiled = Command::new(jdk.java())
            .arg("-cp")
            .arg(std::env::join_paths(&compiler).expect("no separators"))
            .arg("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler")
            .args(["-no-stdlib", "-no-reflect", "-classpath"])
            .arg(std::env::join_paths(&libraries).expect("no separators"))
            .arg("-d")
            .args([&out, &source])
            .output()
            .expect("a JVM");
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let all: Vec<PathBuf> = libraries.iter().cloned().chain([out]).collect();
        let program = launcher(&jdk, &all, "SomeTest");
        assert_passes_as_without(&program, 4, &["SomeTest", "SomeTestKt", "Sum", "SomeTest$suspends$1"]);
    }
}
