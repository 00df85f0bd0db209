//! How the program ends, what it reads and prints, and what is recorded of it.

use std::io::Write as _;
use std::process::{Output, Stdio};

use probity_execdata::store::Store as ExecData;
use probity_store::Run;
use probity_test_support::tools;
use probity_trace::{Outcome, Trace};

use crate::project::{Project, TESTS, said, script, text};

#[test]
fn a_program_keeps_its_exit_code_its_input_and_its_output() {
    let project = Project::new();
    let mut outcomes = Vec::new();
    for code in [0, 1, 3] {
        let mut command = project.probity(&["run"], &project.plain(code));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("starts");
        let input: Vec<u8> = (0..=255).cycle().take(100_000).collect();
        child.stdin.take().expect("is piped").write_all(&input).expect("writes");
        let output = child.wait_with_output().expect("ends");
        assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
        assert_eq!(output.stdout, input, "code {code}");
        assert!(text(&output.stderr).starts_with("said by the program\n"), "{}", text(&output.stderr));
        assert_eq!(said(&output).len(), 1, "{:?}", said(&output));
        let trace = project.traces().into_iter().max_by_key(|trace| trace.began).expect("a trace");
        outcomes.push((trace.tests.first().map(|test| test.id.clone()), trace.outcome()));
    }
    // A JVM without tests is one unit, and its exit code is its test.
    let id = Some("exit code".to_owned());
    let failed = (id.clone(), Outcome::Failed);
    assert_eq!(outcomes, [(id, Outcome::Passed), failed.clone(), failed]);
    assert_eq!(project.left_behind(), [""; 0].map(std::path::PathBuf::from));
}

#[test]
fn a_signal_is_kept_as_shells_tell_it() {
    let project = Project::new();
    let killed = project.folder.path().join("killed");
    script(&killed, "kill -9 $$");
    let output = project.run(&[killed.into()]);
    assert_eq!(output.status.code(), Some(137));
    assert_eq!(
        said(&output).first().map(String::as_str),
        Some("warning: no JVM was recorded, so all tests will run again")
    );
}

#[test]
fn units_are_listed_and_missing_entries_of_the_class_path_make_no_difference() {
    let project = Project::new();
    let mut words = project.junit_4(&TESTS);
    let place = words.iter().position(|word| word == "-cp").expect("a class path") + 1;
    let missing = project.folder.path().join("missing");
    let mut class_path = words[place].clone();
    for entry in [missing.join("classes"), missing.join("a.jar")] {
        class_path.push(":");
        class_path.push(entry);
    }
    words[place] = class_path;
    let output = project.run(&words);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(said(&output), ["probity: recorded 4 units: 4 passed, 0 failed, 0 skipped; 4 new traces"]);
    let listed = project.probity(&["trace", "list", "--json"], &[]).output().expect("runs");
    let listed = text(&listed.stdout);
    for test in TESTS {
        assert!(listed.contains(&format!("\"unit\":\"{test}\"")), "{listed}");
    }
}

#[test]
fn a_script_that_starts_jvms_hands_the_agent_on() {
    let project = Project::new();
    let launcher = project.folder.path().join("launch tests");
    let words: Vec<String> =
        project.junit_4(&TESTS).iter().map(|word| format!("'{}'", word.to_string_lossy())).collect();
    script(&launcher, &format!("echo launched\n{}\nexit 5", words.join(" ")));
    let mut command = project.probity(&["run"], &[launcher.into()]);
    // What was there before stays.
    let output = command.env("JAVA_TOOL_OPTIONS", "-Dshop.option=7").output().expect("runs");
    assert_eq!(output.status.code(), Some(5));
    assert!(text(&output.stdout).starts_with("launched\n"));
    let traces = project.traces();
    assert_eq!(traces.len(), 4, "{}", text(&output.stderr));
    let flags = &traces[0].environment.flags;
    assert!(flags.iter().any(|flag| flag == "-Dshop.option=7"), "{flags:?}");
}

#[test]
fn execution_data_is_jacocos_bit_by_bit() {
    let run = assert_execution_data_is_jacocos(&Project::new(), &TESTS, 0);
    assert_eq!(said(&run), ["probity: recorded 4 units: 4 passed, 0 failed, 0 skipped; 4 new traces"]);
}

#[test]
fn what_ran_in_a_unit_that_ends_the_jvm_is_in_the_execution_data_and_has_no_trace() {
    let ending = "package shop; public class EndingTest {
        @org.junit.Test public void ends() { if (Rates.of(\"long\") == 4) System.exit(7); } }";
    let project = Project::with(&[("shop/EndingTest.java", ending)], &[]);
    let tests = [TESTS[0], "shop.EndingTest", TESTS[1]];
    let run = assert_execution_data_is_jacocos(&project, &tests, 7);
    let said = said(&run);
    assert!(
        said.iter().any(|line| line.ends_with("shop.EndingTest did not end, so it has no trace")),
        "{said:?}"
    );
    assert!(!said.iter().any(|line| line.contains(TESTS[1])), "{said:?}");
    let units: Vec<String> = project.traces().into_iter().map(|trace| trace.unit).collect();
    assert_eq!(units, [TESTS[0]]);
}

/// Runs tests with `probity run` and with JaCoCo's agent, and compares what was hit.
fn assert_execution_data_is_jacocos(project: &Project, tests: &[&str], code: i32) -> Output {
    let [ours, theirs] = ["ours.exec", "theirs.exec"].map(|name| project.folder.path().join(name));
    let run =
        project.probity(&["run", "--exec", "ours.exec"], &project.junit_4(tests)).output().expect("runs");
    assert_eq!(run.status.code(), Some(code), "{}", text(&run.stderr));
    let agent = tools::jacoco_agent().unwrap_or_else(|error| panic!("{error}"));
    let mut words = project.junit_4(tests);
    words.insert(1, format!("-javaagent:{}=destfile={}", agent.display(), theirs.display()).into());
    let (program, arguments) = words.split_first().expect("a program");
    let jacoco: Output = std::process::Command::new(program).args(arguments).output().expect("runs");
    assert_eq!(jacoco.status.code(), Some(code), "{}", text(&jacoco.stderr));
    let classes = |file: &std::path::Path| {
        let mut data = ExecData::default();
        data.load(&std::fs::read(file).expect("is there")).unwrap_or_else(|error| panic!("{error}"));
        let mut classes: Vec<String> = data.classes().map(|class| format!("{class:?}")).collect();
        classes.sort();
        classes
    };
    let (ours, theirs) = (classes(&ours), classes(&theirs));
    assert!(ours.len() > 50, "{} classes", ours.len());
    assert_eq!(ours, theirs);
    run
}

#[test]
fn two_runs_at_once_lose_nothing() {
    let project = Project::new();
    let start = |test: &str| {
        let mut command = project.probity(&["run"], &project.junit_4(&[test]));
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("starts")
    };
    let children = TESTS.map(start);
    for child in children {
        let output = child.wait_with_output().expect("ends");
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    let mut units: Vec<String> = project.traces().into_iter().map(|trace| trace.unit).collect();
    units.sort();
    let mut tests = TESTS;
    tests.sort_unstable();
    assert_eq!(units, tests);
    assert_eq!(project.store().verify().problems, []);
    assert!(project.left_behind().is_empty());
}

#[test]
fn what_cannot_be_started_is_told_and_leaves_nothing() {
    let project = Project::new();
    let output = project.run(&["no-such-program".into()]);
    assert_eq!(output.status.code(), Some(2));
    let said = said(&output);
    assert!(said[0].starts_with("error: no-such-program cannot be started: "), "{said:?}");
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(!project.store_folder().exists());
    let nothing = project.run(&[]);
    assert_eq!(nothing.status.code(), Some(2));
    assert!(text(&nothing.stderr).contains("<COMMAND>..."), "{}", text(&nothing.stderr));
    assert!(!project.store_folder().exists());
}

#[test]
fn a_run_prunes_a_store_of_many_files_unless_somebody_uses_it() {
    let project = Project::new();
    let trace = Trace { unit: "shop.OldTest".to_owned(), ..Trace::default() };
    for number in 0..70 {
        let traces = [Trace { began: number, ..trace.clone() }];
        let run = Run { began: number, command: "a run".to_owned(), exit: Some(0) };
        project.store().add_run(&traces, &[], &run).expect("adds");
    }
    let files = || project.store().contents().trace_files.0;
    let in_use = std::fs::File::open(project.store_folder().join("lock")).expect("is there");
    in_use.lock_shared().expect("locks");
    let output = project.run(&project.plain(0));
    assert_eq!((output.status.code(), files()), (Some(0), 71));
    assert!(said(&output).iter().all(|line| !line.contains("prune")), "{:?}", said(&output));
    drop(in_use);
    let output = project.run(&project.plain(3));
    assert_eq!((output.status.code(), files()), (Some(3), 1));
    let said = said(&output);
    assert!(said.last().is_some_and(|line| line.contains("pruned the store: ")), "{said:?}");
    assert!(project.traces().iter().any(|trace| trace.unit == "shop.OldTest"));
}
