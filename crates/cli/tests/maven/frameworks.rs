//! All test frameworks in one build: each is recorded, results that are replayed are those that Surefire wrote.

use std::collections::BTreeMap;

use crate::project::{NEWEST, Pom, Project, parent, test_dependency};

const JUPITER: &str = r#"
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.*;
import org.junit.jupiter.params.provider.*;
class JupiterTest {
    @Test void plain() {}
    @Disabled @Test void off() {}
    @ParameterizedTest @ValueSource(ints = {1, 2}) void each(int n) {}
    @RepeatedTest(2) void again() {}
    @TestFactory java.util.List<DynamicTest> made() {
        return java.util.List.of(DynamicTest.dynamicTest("one", () -> {}), DynamicTest.dynamicTest("two", () -> {}));
    }
    @Test void told(TestInfo info) {}
    @Nested class Inner {
        @Test void inside() {}
        @Nested class Deep { @Test void down() {} }
    }
}
"#;

const FOUR: &str = r#"package four;
import org.junit.*;
import org.junit.experimental.runners.Enclosed;
import org.junit.runner.RunWith;
@RunWith(Enclosed.class)
public class FourTest {
    public static class Plain { @Test public void one() {} @Ignore @Test public void two() {} }
    @RunWith(org.junit.runners.Parameterized.class)
    public static class Each {
        @org.junit.runners.Parameterized.Parameters(name = "{index}: a={0}") public static Object[] data() { return new Object[] {1, 2}; }
        public Each(int n) {}
        @Test public void checks() {}
    }
}
"#;

const THREE: &str = "package three;
public class ThreeTest extends junit.framework.TestCase { public void testOne() { assertEquals(1, 1); } public void testTwo() {} }
";

const TESTNG: &str = r#"package ng;
import org.testng.annotations.*;
public class NgTest {
    @Test public void one() {}
    @DataProvider public Object[][] data() { return new Object[][] {{1}, {2}}; }
    @Test(dataProvider = "data") public void each(int n) {}
}
"#;

/// A project with a module for each framework.
fn all_frameworks(surefire: &'static str, junit_6: bool) -> Project {
    let jupiter = |package: &str| format!("package {package};{JUPITER}");
    let mut modules = vec![
        ("three", "junit:junit:3.8.2", "ThreeTest", THREE.to_owned()),
        ("four", "junit:junit:4.13.2", "FourTest", FOUR.to_owned()),
        ("five", "org.junit.jupiter:junit-jupiter:5.11.4", "JupiterTest", jupiter("five")),
        ("ng", "org.testng:testng:7.10.2", "NgTest", TESTNG.to_owned()),
    ];
    if junit_6 {
        modules.push(("six", "org.junit.jupiter:junit-jupiter:6.0.0", "JupiterTest", jupiter("six")));
    }
    let project = Project::empty();
    let names: Vec<&str> = modules.iter().map(|module| module.0).collect();
    project.write("pom.xml", &parent(&names));
    for (name, dependency, test, source) in modules {
        let pom = Pom { parent: true, surefire, dependencies: test_dependency(dependency), ..Pom::new(name) };
        project.write(&format!("{name}/pom.xml"), &pom.text());
        project.write(&format!("{name}/src/test/java/{name}/{test}.java"), &source);
    }
    project
}

/// The results in a file of Surefire: class, name and whether it was skipped, sorted.
fn results(xml: &str) -> Vec<(String, String, bool)> {
    let value = |text: &str, name: &str| {
        let start = text.split_once(&format!(" {name}=\"")).map_or("", |(_, rest)| rest);
        start.split('"').next().unwrap_or_default().to_owned()
    };
    let cases = xml.split("<testcase").skip(1);
    let mut results: Vec<_> = cases
        .map(|case| {
            // What TestNG's methods were called with is not recorded.
            let name =
                value(case, "name").split("](").next().unwrap_or_default().trim_end_matches(']').to_owned();
            (value(case, "classname"), name, case.contains("<skipped"))
        })
        .collect();
    results.sort();
    results
}

fn all_results(project: &Project) -> BTreeMap<String, Vec<(String, String, bool)>> {
    let files = [
        ("three", "three.ThreeTest"),
        ("four", "four.FourTest"),
        ("five", "five.JupiterTest"),
        ("six", "six.JupiterTest"),
        ("ng", "ng.NgTest"),
        ("ng", "TestSuite"),
    ];
    let mut all = BTreeMap::new();
    for (module, file) in files {
        let path = format!("{module}/target/surefire-reports/TEST-{file}.xml");
        if project.has(&path) {
            all.insert(module.to_owned(), results(&project.read(&path)));
        }
    }
    all
}

/// Records everything, then leaves everything out: the results are the same.
fn record_then_leave_out(project: &Project, units: &[&str]) {
    let first = project.mvn(&["-q", "test"]);
    assert_eq!(
        first.assert_code(0).summary(),
        format!("probity: recorded {0} units: {0} passed, 0 failed, 0 skipped", units.len())
    );
    assert_eq!(project.units(), units);
    for traces in project.traces().values() {
        assert_eq!(traces[0].distrust, Vec::<String>::new(), "{}", traces[0].unit);
    }
    let recorded = all_results(project);
    project.write("left-out.txt", &units.join("\n"));
    let second = project.mvn_with(&["--leave-out", "left-out.txt"], &["clean", "test"]);
    assert_eq!(
        second.assert_code(0).summary(),
        format!("probity: recorded nothing; {} units left out", units.len())
    );
    assert!(!second.stdout.contains("Running "), "{second}");
    assert_eq!(all_results(project), recorded);
    let replayed = project.read("four/target/surefire-reports/TEST-four.FourTest.xml");
    assert!(replayed.contains("<property name=\"probity.recorded\" value=\""), "{replayed}");
}

#[test]
fn all_frameworks_are_recorded_and_their_results_replayed() {
    let project = all_frameworks(NEWEST, true);
    record_then_leave_out(
        &project,
        &["five.JupiterTest", "four.FourTest", "ng.NgTest", "six.JupiterTest", "three.ThreeTest"],
    );
}

#[test]
fn the_oldest_surefire_works_as_the_newest() {
    let project = all_frameworks("2.22.2", false);
    record_then_leave_out(&project, &["five.JupiterTest", "four.FourTest", "ng.NgTest", "three.ThreeTest"]);
}
