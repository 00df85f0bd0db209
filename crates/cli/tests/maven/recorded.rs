//! One module: its tests are recorded, and nothing else is different.

use crate::project::{Pom, Project};

/// Maven's output without what differs from run to run: times, and the names of temporary files.
fn comparable(output: &str) -> String {
    let differs =
        |line: &str| ["Total time", "Finished at", "Deleting"].iter().any(|word| line.contains(word));
    let kept = output.lines().filter(|line| !differs(line));
    kept.map(|line| line.chars().filter(|c| !c.is_ascii_digit() && *c != '.').collect::<String>() + "\n")
        .collect()
}

#[test]
fn tests_are_recorded_and_maven_prints_what_it_prints() {
    let project = Project::of_two_tests(&Pom::new("one"));
    let plain = project.plain(&["clean", "test"]);
    plain.assert_code(0);
    let recorded = project.mvn(&["clean", "test"]);
    recorded.assert_code(0);
    assert_eq!(comparable(&recorded.stdout), comparable(&plain.stdout));
    assert_eq!(recorded.summary(), "probity: recorded 2 units: 2 passed, 0 failed, 0 skipped");
    assert_eq!(recorded.stderr.lines().count(), 1, "{recorded}");
    let traces = project.traces();
    assert_eq!(traces.keys().collect::<Vec<_>>(), ["shop.ThriceTest", "shop.TwiceTest"]);
    let trace = &traces["shop.TwiceTest"][0];
    assert_eq!(trace.distrust, Vec::<String>::new());
    let price = trace.classes.iter().find(|class| &*class.name == "shop/Price").expect("it uses the class");
    assert_eq!(&*price.place, "target/classes");
    let class_path = &trace.environment.class_path;
    assert!(class_path.iter().any(|entry| entry == "target/test-classes"), "{class_path:?}");
    assert!(class_path.iter().any(|entry| entry.ends_with("junit-4.13.2.jar")), "{class_path:?}");
    assert!(!class_path.iter().any(|entry| entry.contains("surefirebooter")), "{class_path:?}");
    let flags = &trace.environment.flags;
    assert!(flags.iter().any(|flag| flag.starts_with("maven-surefire-plugin 3.")), "{flags:?}");
    // What Surefire makes for each run leaves nothing behind.
    assert!(!trace.files.iter().any(|file| file.path.contains("target/surefire/")), "{:?}", trace.files);
    project.mvn_with(&["--all"], &["-q", "test"]).assert_code(0);
    for unit in ["shop.TwiceTest", "shop.ThriceTest"] {
        let told = project.surroundings(unit);
        assert_eq!(told.len(), 1, "{told:#?}");
    }
    assert_eq!(project.store().load().runs().len(), 2);
}
