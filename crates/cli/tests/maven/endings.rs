//! How Maven ends is how the command ends, whatever becomes of the recording.

use std::os::unix::process::CommandExt as _;
use std::time::{Duration, Instant};

use crate::project::{Pom, Project, junit_4};

#[test]
fn a_failing_test_fails_the_build_as_without() {
    let project = Project::of_two_tests(&Pom::new("one"));
    project.write(
        "src/test/java/shop/WrongTest.java",
        &junit_4("WrongTest", "assertEquals(1, Price.twice(2));"),
    );
    let plain = project.plain(&["-q", "test"]);
    let run = project.mvn(&["-q", "test"]);
    assert_eq!(run.code, plain.code, "{run}");
    assert_eq!(run.summary(), "probity: recorded 3 units: 2 passed, 1 failed, 0 skipped");
    // Nothing has changed: what failed runs again, and what passed does not.
    let again = project.mvn(&["-q", "test"]);
    assert_eq!(again.code, plain.code, "{again}");
    assert_eq!(again.summary(), "probity: recorded 1 unit: 0 passed, 1 failed, 0 skipped; 2 units left out");
    project.mvn(&["-q", "test", "-Dmaven.test.failure.ignore=true"]).assert_code(0);
}

#[test]
fn builds_that_do_not_get_to_their_tests_end_as_without() {
    let project = Project::of_two_tests(&Pom::new("one"));
    project.write("src/main/java/shop/Broken.java", "package shop; class Broken {");
    let run = project.mvn(&["-q", "test"]);
    run.assert_code(1);
    assert!(run.stdout.contains("COMPILATION ERROR"), "{run}");
    assert_eq!(run.stderr, "", "nothing is to be told");
    project.write("pom.xml", "<project>");
    let run = project.mvn(&["-q", "test"]);
    run.assert_code(1);
    assert_eq!(run.warnings(), [""; 0], "{run}");
    let run = project.mvn(&["--version"]);
    assert!(run.assert_code(0).stdout.contains("Apache Maven"), "{run}");
    assert_eq!(run.warnings(), [""; 0], "{run}");
}

#[test]
fn skipped_tests_are_no_problem() {
    let project = Project::of_two_tests(&Pom::new("one"));
    for skip in ["-DskipTests", "-Dmaven.test.skip"] {
        let run = project.mvn(&["-q", "test", skip]);
        assert_eq!(run.assert_code(0).stderr, "", "{run}");
    }
    assert!(!project.has(".probity"), "nothing was recorded");
}

#[test]
fn tests_that_cannot_be_recorded_run() {
    let old = Project::of_two_tests(&Pom { surefire: "2.12.4", ..Pom::new("one") });
    old.write("left-out.txt", "shop.TwiceTest");
    let run = old.mvn_with(&["--leave-out", "left-out.txt"], &["test"]);
    assert!(run.assert_code(0).stdout.contains("Tests run: 2,"), "{run}");
    let told = "all tests of one (surefire:test default-test) ran, and none was recorded: version 2.12.4 of the plugin is older than 2.22";
    assert_eq!(run.warnings(), [told], "{run}");
    let inside = Project::of_two_tests(&Pom {
        configuration: "<forkCount>0</forkCount>".to_owned(),
        ..Pom::new("one")
    });
    let run = inside.mvn(&["test"]);
    assert!(run.assert_code(0).stdout.contains("Tests run: 2,"), "{run}");
    assert_eq!(run.warnings().len(), 1, "{run}");
    assert!(run.stderr.contains("forkCount is 0"), "{run}");
}

#[test]
fn a_store_that_cannot_be_written_costs_traces_and_nothing_else() {
    let project = Project::of_two_tests(&Pom::new("one"));
    project.write("taken", "a file");
    let run = project.mvn_with(&["--store", "taken/store"], &["-q", "test"]);
    run.assert_code(0);
    assert!(run.stderr.contains("these tests will run again"), "{run}");
    assert!(project.has("target/surefire-reports/TEST-shop.TwiceTest.xml"));
}

#[test]
fn without_maven_it_is_said_where_it_was_looked_for() {
    let project = Project::of_two_tests(&Pom::new("one"));
    let run = project.mvn_with(&["--maven", "/no/such/mvn"], &["test"]);
    assert!(run.assert_code(2).stderr.contains("/no/such/mvn cannot be started"), "{run}");
}

/// A run that is interrupted leaves no half of a trace, and the next one cleans up.
#[test]
fn an_interrupted_run_leaves_nothing_that_counts() {
    let project = Project::of_two_tests(&Pom::new("one"));
    let slow = junit_4("SlowTest", "new java.io.File(\"started\").createNewFile(); Thread.sleep(60000);");
    project.write("src/test/java/shop/SlowTest.java", &slow.replace("checks()", "checks() throws Exception"));
    let mut child = project.command(&[], &["-q", "test"]).process_group(0).spawn().expect("starts");
    let start = Instant::now();
    while !project.has("started") {
        assert!(start.elapsed() < Duration::from_secs(120), "the test does not start");
        std::thread::sleep(Duration::from_millis(20));
    }
    // As a terminal does, to everybody in the group; a shell may have made SIGINT one that is ignored.
    let group = format!("-{}", child.id());
    let killed = std::process::Command::new("kill").args(["-TERM", "--", &group]).status().expect("kills");
    assert!(killed.success());
    assert!(!child.wait().expect("ends").success());
    assert!(!project.units().contains(&"shop.SlowTest".to_owned()));
    std::fs::remove_file(project.path().join("src/test/java/shop/SlowTest.java")).expect("removes");
    project.mvn(&["-q", "clean", "test"]).assert_code(0);
    assert_eq!(project.units(), ["shop.ThriceTest", "shop.TwiceTest"]);
    let left = std::fs::read_dir(project.path().join(".probity")).expect("a store").flatten();
    assert!(!left.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with("recordings")));
}
