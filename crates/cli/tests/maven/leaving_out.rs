//! Classes that are left out do not run, and all others do.

use crate::project::{Pom, Project, junit_4, ran, test_dependency};

/// Tests with the same simple name in several packages, and one in none.
fn of_equal_names() -> Project {
    let project = Project::of_two_tests(&Pom::new("one"));
    let source = junit_4("TwiceTest", "assertEquals(4, shop.Price.twice(2));");
    for package in ["other", "other.shop"] {
        let path = format!("src/test/java/{}/TwiceTest.java", package.replace('.', "/"));
        project.write(&path, &source.replace("package shop;", &format!("package {package};")));
    }
    project.write("src/test/java/TwiceTest.java", &source.replace("package shop;", ""));
    project
}

#[test]
fn names_are_exact() {
    let project = of_equal_names();
    let others = ["TwiceTest", "other.TwiceTest", "other.shop.TwiceTest", "shop.ThriceTest"];
    let names = |text: &str| {
        project.write("left-out.txt", text);
        project.mvn_with(&["--leave-out", "left-out.txt"], &["test"])
    };
    let run = names("shop.TwiceTest\nshop.Unknown\n");
    assert_eq!(ran(run.assert_code(0)), others);
    assert!(run.summary().ends_with("; 1 unit left out"), "{run}");
    // In no package.
    let run = names("TwiceTest\n");
    assert_eq!(
        ran(run.assert_code(0)),
        ["other.TwiceTest", "other.shop.TwiceTest", "shop.ThriceTest", "shop.TwiceTest"]
    );
    assert!(project.has("target/surefire-reports/TEST-TwiceTest.xml"));
    let own = ["--leave-out", "left-out.txt", "--no-replay"];
    project.mvn_with(&own, &["-q", "clean", "test"]).assert_code(0);
    assert!(!project.has("target/surefire-reports/TEST-TwiceTest.xml"));
    // What is no name of a class leaves nothing out.
    let run = names("**/*Test\n%regex[.*]\n*\nshop/TwiceTest.java\n");
    assert_eq!(ran(run.assert_code(0)).len(), 5);
}

#[test]
fn tests_that_the_user_names_are_narrowed() {
    let project = of_equal_names();
    project.write("left-out.txt", "shop.TwiceTest\nother.TwiceTest\n");
    let mvn = |arguments: &[&str]| project.mvn_with(&["--leave-out", "left-out.txt"], arguments);
    let run = mvn(&["test", "-Dtest=TwiceTest"]);
    assert_eq!(ran(run.assert_code(0)), ["TwiceTest", "other.shop.TwiceTest"]);
    // None of those that were named need run, which is no failure, although Surefire fails if it finds none.
    let run = mvn(&["test", "-Dtest=shop.TwiceTest,!other.shop.TwiceTest", "-DfailIfNoTests=true"]);
    assert_eq!(ran(run.assert_code(0)), [""; 0]);
    let run = mvn(&["test", "-Dtest=Nothing"]);
    assert_eq!(ran(run.assert_code(1)), [""; 0]);
    // A trace that was recorded with such a filter is not taken for one without.
    let flags: std::collections::BTreeSet<Vec<String>> = project.traces()["other.shop.TwiceTest"]
        .iter()
        .map(|trace| trace.environment.flags.clone())
        .collect();
    assert_eq!(flags.len(), 1);
    project.mvn_with(&["--all"], &["-q", "test"]).assert_code(0);
    let flags: std::collections::BTreeSet<Vec<String>> = project.traces()["other.shop.TwiceTest"]
        .iter()
        .map(|trace| trace.environment.flags.clone())
        .collect();
    assert_eq!(flags.len(), 2);
}

#[test]
fn nested_tests_stay_with_their_class() {
    let nested = |name: &str| {
        format!(
            "package shop; import org.junit.jupiter.api.*;
class {name} {{ @Test void plain() {{}} @Nested class Inner {{ @Test void inside() {{}} @Nested class Deep {{ @Test void down() {{}} }} }} }}"
        )
    };
    let dependencies = test_dependency("org.junit.jupiter:junit-jupiter:5.11.4");
    // A list of the user's own, so that Surefire's usual exclusion of nested classes is not there.
    let configuration =
        "<excludes><exclude>**/Never*</exclude></excludes><failIfNoTests>true</failIfNoTests>".to_owned();
    let project = Project::empty();
    project.write("pom.xml", &Pom { dependencies, configuration, ..Pom::new("one") }.text());
    project.write("src/test/java/shop/FirstTest.java", &nested("FirstTest"));
    project.write("src/test/java/shop/SecondTest.java", &nested("SecondTest"));
    project.write("left-out.txt", "shop.FirstTest\n");
    let run = project.mvn_with(&["--leave-out", "left-out.txt"], &["test"]);
    run.assert_code(0);
    assert!(run.stdout.contains("Tests run: 3,"), "{run}");
    assert!(!run.stdout.contains("FirstTest"), "{run}");
    assert_eq!(project.units(), ["shop.SecondTest"]);
    assert_eq!(project.traces()["shop.SecondTest"][0].tests.len(), 3);
}
