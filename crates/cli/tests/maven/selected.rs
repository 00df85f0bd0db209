//! What a change can affect runs, and nothing else; results and coverage are those of all tests.

use crate::project::{JACOCO, JUNIT_4, Pom, Project, Run, junit_4, ran, test_dependency, without_sessions};

fn edit(project: &Project, file: &str, from: &str, to: &str) {
    let text = project.read(file);
    assert!(text.contains(from), "{text}");
    project.write(file, &text.replace(from, to));
}

const PRICE: &str = "src/main/java/shop/Price.java";

#[test]
fn a_change_runs_what_it_can_affect() {
    let project = Project::of_two_tests(&Pom::new("one"));
    let mvn = |arguments: &[&str]| project.mvn(arguments);
    assert_eq!(
        ran(mvn(&["test"]).assert_code(0)),
        ["shop.ThriceTest", "shop.TwiceTest"],
        "everything is new"
    );
    let nothing = mvn(&["clean", "test"]);
    assert_eq!(ran(nothing.assert_code(0)), [""; 0], "{nothing}");
    assert_eq!(nothing.summary(), "probity: recorded nothing; 2 units left out");
    assert!(project.has("target/surefire-reports/TEST-shop.TwiceTest.xml"));
    edit(&project, PRICE, "2 * n", "n + n");
    assert_eq!(ran(mvn(&["test"]).assert_code(0)), ["shop.TwiceTest"]);
    // Back to what is known.
    edit(&project, PRICE, "n + n", "2 * n");
    assert_eq!(ran(mvn(&["test"]).assert_code(0)), [""; 0]);
    project.write("src/test/java/shop/NewTest.java", &junit_4("NewTest", "assertTrue(true);"));
    assert_eq!(ran(mvn(&["test"]).assert_code(0)), ["shop.NewTest"]);
    std::fs::remove_file(project.path().join("src/test/java/shop/NewTest.java")).expect("removes");
    let deleted = mvn(&["clean", "test"]);
    assert_eq!(deleted.assert_code(0).summary(), "probity: recorded nothing; 2 units left out");
    assert!(!project.has("target/surefire-reports/TEST-shop.NewTest.xml"));
    // A change that breaks a test is found.
    edit(&project, PRICE, "3 * n", "4 * n");
    assert_eq!(ran(mvn(&["test"]).assert_code(1)), ["shop.ThriceTest"]);
}

#[test]
fn a_part_of_a_test_is_not_taken_for_all_of_it() {
    let project = Project::of_two_tests(&Pom::new("one"));
    let both = "package shop; public class TwiceTest { @org.junit.Test public void good() {} \
         @org.junit.Test public void bad() { org.junit.Assert.fail(); } }";
    project.write("src/test/java/shop/TwiceTest.java", both);
    project.mvn(&["-q", "test", "-Dtest=TwiceTest#good"]).assert_code(0);
    let all = project.mvn(&["test"]);
    assert_eq!(ran(all.assert_code(1)), ["shop.ThriceTest", "shop.TwiceTest"], "{all}");
}

#[test]
fn settings_and_libraries_count() {
    let asking = "assertEquals(\"1\", System.getProperty(\"asked\"));";
    let dependencies = |version: &str| {
        test_dependency(JUNIT_4) + &test_dependency(&format!("commons-cli:commons-cli:{version}"))
    };
    let pom = |value: &str, version: &str| Pom {
        configuration: format!("<systemPropertyVariables><asked>{value}</asked></systemPropertyVariables>"),
        dependencies: dependencies(version),
        ..Pom::new("one")
    };
    let project = Project::of_two_tests(&pom("1", "1.8.0"));
    project.write("src/test/java/shop/AskingTest.java", &junit_4("AskingTest", asking));
    let library = "assertNotNull(new org.apache.commons.cli.Options().getOptions());";
    project.write("src/test/java/shop/LibraryTest.java", &junit_4("LibraryTest", library));
    project.mvn(&["-q", "test"]).assert_code(0);
    // The old jar stays where it is.
    project.write("pom.xml", &pom("1", "1.9.0").text());
    let bumped = project.mvn(&["test"]);
    assert!(ran(bumped.assert_code(0)).contains(&"shop.LibraryTest"), "{bumped}");
    project.write("pom.xml", &pom("2", "1.9.0").text());
    let changed = project.mvn(&["test"]);
    assert!(ran(changed.assert_code(1)).contains(&"shop.AskingTest"), "{changed}");
}

/// JaCoCo's report goal sees what tests cover that did not run, also where a class has changed around it.
#[test]
fn jacoco_reports_what_all_tests_cover() {
    let project = Project::of_two_tests(&Pom { plugins: JACOCO.to_owned(), ..Pom::new("one") });
    let covered = |run: &Run| {
        let xml = without_sessions(&project.read("target/site/jacoco/jacoco.xml"));
        assert!(xml.contains("<counter type=\"METHOD\""), "{run}\n{xml}");
        xml
    };
    project.mvn(&["-q", "test"]).assert_code(0);
    edit(&project, PRICE, "return 2 * n;", "int twice = n;\n        twice += n;\n        return twice;");
    let few = project.mvn(&["clean", "test"]);
    assert_eq!(ran(few.assert_code(0)), ["shop.TwiceTest"]);
    let ours = covered(&few);
    let none = project.mvn(&["clean", "test"]);
    assert_eq!(none.assert_code(0).summary(), "probity: recorded nothing; 2 units left out");
    assert_eq!(covered(&none), ours);
    let plain = project.plain(&["clean", "test"]);
    assert_eq!(covered(plain.assert_code(0)), ours);
}
