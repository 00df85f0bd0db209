//! Builds of several modules, JVMs and executions: one store for all.

use crate::project::{NEWEST, PRICE, Pom, Project, junit_4, parent};

const TEST_JAR: &str = "<plugin><artifactId>maven-jar-plugin</artifactId><version>3.4.2</version><executions><execution><goals><goal>test-jar</goal></goals>\
                        </execution></executions></plugin>";

/// A library with its tests in a jar, an application in the module path that uses it, and tests in several executions and JVMs.
fn of_modules() -> Project {
    let project = Project::empty();
    project.write("pom.xml", &parent(&["library", "application"]));
    let library = Pom { parent: true, ..Pom::new("library") }.text();
    // The jar of tests comes with the execution of the usual one.
    let library = library.replace(
        "<plugin><artifactId>maven-jar-plugin</artifactId><version>3.4.2</version></plugin>",
        TEST_JAR,
    );
    project.write("library/pom.xml", &library);
    project.write("library/src/main/java/shop/Price.java", PRICE);
    project.write(
        "library/src/test/java/shop/TwiceTest.java",
        &junit_4("TwiceTest", "assertEquals(4, Price.twice(2));"),
    );
    project.write(
        "library/src/test/java/shop/Sample.java",
        "package shop; public class Sample { public static int two() { return 2; } }",
    );
    let on_library = "<dependency><groupId>shop</groupId><artifactId>library</artifactId><version>1</version></dependency>\
         <dependency><groupId>shop</groupId><artifactId>library</artifactId><version>1</version><type>test-jar</type><scope>test</scope></dependency>";
    let pom = Pom::new("application");
    let failsafe = format!(
        "<plugin><artifactId>maven-failsafe-plugin</artifactId><version>{NEWEST}</version><executions><execution><goals><goal>integration-test</goal>\
         <goal>verify</goal></goals></execution></executions></plugin>"
    );
    let executions = "<execution><id>again</id><phase>test</phase><goals><goal>test</goal></goals><configuration>\
         <systemPropertyVariables><again>yes</again></systemPropertyVariables></configuration></execution>";
    let pom = Pom {
        parent: true,
        dependencies: format!("{}{on_library}", pom.dependencies),
        configuration: "<forkCount>2</forkCount><reuseForks>false</reuseForks>".to_owned(),
        executions: executions.to_owned(),
        plugins: failsafe,
        ..pom
    };
    project.write("application/pom.xml", &pom.text());
    project.write(
        "application/src/main/java/app/Bill.java",
        "package app; public class Bill { public static int of(int n) { return shop.Price.thrice(n); } }",
    );
    let test = |name: &str, check: &str| junit_4(name, check).replace("package shop;", "package app;");
    let bill = "assertEquals(6, Bill.of(shop.Sample.two())); System.getProperty(\"again\");";
    project.write("application/src/test/java/app/BillTest.java", &test("BillTest", bill));
    project.write(
        "application/src/test/java/app/OtherTest.java",
        &test("OtherTest", "assertEquals(3, Bill.of(1));"),
    );
    project
        .write("application/src/test/java/app/BillIT.java", &test("BillIT", "assertEquals(9, Bill.of(3));"));
    project
}

#[test]
fn a_build_of_modules_has_one_store() {
    let project = of_modules();
    let run = project.mvn(&["-q", "-T", "2", "verify"]);
    run.assert_code(0);
    assert_eq!(run.warnings(), [""; 0], "{run}");
    // One of the library; two of the application, in two executions; one of Failsafe.
    assert_eq!(run.summary(), "probity: recorded 6 units: 6 passed, 0 failed, 0 skipped", "{run}");
    assert!(
        project.has(".probity") && !project.has("library/.probity") && !project.has("application/.probity")
    );
    let traces = project.traces();
    assert_eq!(
        traces.keys().collect::<Vec<_>>(),
        ["app.BillIT", "app.BillTest", "app.OtherTest", "shop.TwiceTest"]
    );
    let places = |unit: &str, class: &str| -> Vec<String> {
        let classes = traces[unit][0].classes.iter().filter(|used| &*used.name == class);
        classes.map(|used| used.place.to_string()).collect()
    };
    assert_eq!(places("app.BillTest", "app/Bill"), ["application/target/classes"]);
    assert_eq!(places("app.BillTest", "shop/Price").len(), 1);
    assert_eq!(places("app.BillTest", "shop/Sample").len(), 1);
    assert!(
        traces["app.BillIT"][0]
            .environment
            .flags
            .iter()
            .any(|flag| flag.starts_with("maven-failsafe-plugin"))
    );
    // The property that one of the two executions sets is known where it is read.
    let again: std::collections::BTreeSet<_> = traces["app.BillTest"]
        .iter()
        .map(|trace| {
            trace
                .properties
                .iter()
                .find(|used| used.name.as_deref() == Some("again"))
                .expect("reads it")
                .value
        })
        .collect();
    assert_eq!(again.len(), 2);
    parts_of_the_build(&project);
}

/// What is known of the other modules stays, whatever part is built, and from where.
fn parts_of_the_build(project: &Project) {
    project.write("left-out.txt", "app.BillTest\napp.BillIT\nshop.TwiceTest\n");
    let list = project.path().join("left-out.txt");
    let own = ["--leave-out", list.to_str().expect("text")];
    let run = project.mvn_with(&own, &["-q", "-o", "clean", "verify", "-pl", "application", "-am"]);
    let summary = run.assert_code(0).summary();
    assert!(summary.starts_with("probity: recorded 2 units: 2 passed, 0 failed, 0 skipped"), "{run}");
    assert!(summary.ends_with("; 4 units left out"), "{run}");
    assert!(project.has("application/target/failsafe-reports/TEST-app.BillIT.xml"));
    let inside = project
        .command(&[], &["-q", "test"])
        .current_dir(project.path().join("library"))
        .output()
        .expect("runs");
    let inside = crate::project::Run::of(&inside);
    assert_eq!(inside.assert_code(0).summary(), "probity: recorded nothing; 1 unit left out", "{inside}");
    assert!(!project.has("library/.probity"));
}

#[test]
fn a_module_on_the_module_path_is_recorded() {
    let project = Project::of_two_tests(&Pom::new("one"));
    project.write("src/main/java/module-info.java", "module shop { exports shop; }");
    let run = project.mvn(&["test"]);
    assert_eq!(
        run.assert_code(0).summary(),
        "probity: recorded 2 units: 2 passed, 0 failed, 0 skipped",
        "{run}"
    );
    project.mvn_with(&["--all"], &["-q", "test"]).assert_code(0);
    let told = project.surroundings("shop.TwiceTest");
    assert_eq!(told.len(), 1, "{told:#?}");
    assert_eq!(project.traces()["shop.TwiceTest"][0].distrust, Vec::<String>::new());
    let none = project.mvn(&["-q", "test"]);
    assert_eq!(none.assert_code(0).summary(), "probity: recorded nothing; 2 units left out", "{none}");
}
