//! Arguments of test JVMs that the project has of its own, and JaCoCo's agent, which is replaced.

use crate::project::{JACOCO, Pom, Project, Run, junit_4, without_sessions};

/// A project whose tests look at the system properties that are to come from the arguments of the JVM.
fn asking(pom: &Pom, property: &str) -> Project {
    let project = Project::of_two_tests(pom);
    let check = format!("assertEquals(\"yes\", System.getProperty(\"{property}\"));");
    project.write("src/test/java/shop/AskingTest.java", &junit_4("AskingTest", &check));
    project
}

fn assert_recorded(run: &Run) {
    assert_eq!(
        run.assert_code(0).summary(),
        "probity: recorded 3 units: 3 passed, 0 failed, 0 skipped",
        "{run}"
    );
}

#[test]
fn arguments_of_the_project_are_kept() {
    let configured = |line: &str| format!("<argLine>{line}</argLine>");
    let variants = [
        (configured("-Dfrom.pom=yes"), String::new(), "from.pom"),
        (configured("@{argLine} -Dfrom.pom=yes"), configured("-Dfrom.property=yes"), "from.property"),
        (String::new(), configured("-Dfrom.property=yes"), "from.property"),
        (configured("\n  '-Dwith space=1 2'\n  \"-Dfrom.pom=yes\"  "), String::new(), "from.pom"),
    ];
    for (configuration, properties, asked) in variants {
        let pom = Pom { configuration: configuration.clone(), properties, ..Pom::new("one") };
        let project = asking(&pom, asked);
        assert_recorded(&project.mvn(&["-q", "test"]));
        let flags = &project.traces()["shop.AskingTest"][0].environment.flags;
        assert!(flags.contains(&format!("-D{asked}=yes")), "{flags:?}");
        assert!(!flags.iter().any(|flag| flag.contains("agent")), "{flags:?}");
    }
    let project = asking(&Pom::new("one"), "from.line");
    assert_recorded(&project.mvn(&["-q", "test", "-DargLine=-Dfrom.line=yes"]));
}

#[test]
fn folders_with_spaces_are_no_hindrance() {
    let project = Project::empty();
    let inner = Project::of_two_tests(&Pom::new("one"));
    let spaced = project.path().join("a folder, with things");
    std::fs::rename(inner.path(), &spaced).expect("moves");
    let output = inner.command(&[], &["-q", "test"]).current_dir(&spaced).output().expect("runs");
    let run = Run::of(&output);
    assert_eq!(
        run.assert_code(0).summary(),
        "probity: recorded 2 units: 2 passed, 0 failed, 0 skipped",
        "{run}"
    );
}

#[test]
fn jacoco_is_replaced_and_its_report_is_the_same() {
    let configuration = "<argLine>@{argLine} -Dfrom.pom=yes</argLine>".to_owned();
    for configuration in [configuration, String::new()] {
        let pom = Pom { configuration, plugins: JACOCO.to_owned(), ..Pom::new("one") };
        let project = Project::of_two_tests(&pom);
        project.plain(&["-q", "test"]).assert_code(0);
        let theirs = without_sessions(&project.read("target/site/jacoco/jacoco.xml"));
        assert!(theirs.contains("<counter type=\"METHOD\" missed=\"1\" covered=\"2\"/>"), "{theirs}");
        let run = project.mvn(&["-q", "clean", "test"]);
        assert_eq!(
            run.assert_code(0).summary(),
            "probity: recorded 2 units: 2 passed, 0 failed, 0 skipped",
            "{run}"
        );
        assert_eq!(without_sessions(&project.read("target/site/jacoco/jacoco.xml")), theirs);
        let trace = &project.traces()["shop.TwiceTest"][0];
        assert!(
            !trace.environment.flags.iter().any(|flag| flag.contains("jacoco")),
            "{:?}",
            trace.environment.flags
        );
        assert!(!trace.classes.iter().any(|class| class.name.contains("jacoco")));
    }
}
