//! JUnit 5 tests in several orders, and what an audit says of them.

use std::ffi::OsString;

use crate::project::{Project, text};

const RANDOM: &str =
    "--config=junit.jupiter.testclass.order.default=org.junit.jupiter.api.ClassOrderer$Random";

fn jupiter(project: &Project, tests: &[&str], more: &[&str]) -> Vec<OsString> {
    let mut words = project.jvm(&project.console);
    words.push("org.junit.platform.console.ConsoleLauncher".into());
    words.extend(["execute", "--disable-banner", "--details=none"].map(Into::into));
    words.extend(tests.iter().map(|test| OsString::from(format!("--select-class={test}"))));
    words.extend(more.iter().map(Into::into));
    words
}

#[test]
fn an_audit_finds_a_cache_that_tests_share_and_nothing_else() {
    let project = Project::new();
    let all = ["shop.OneJupiter", "shop.TwoJupiter", "shop.LoneJupiter"];
    let mut reverse = all;
    reverse.reverse();
    let seed = "--config=junit.jupiter.execution.order.random.seed=11";
    let runs = [
        jupiter(&project, &all, &[]),
        jupiter(&project, &reverse, &[]),
        jupiter(&project, &all, &[RANDOM, seed]),
        jupiter(&project, &all[1..2], &[]),
        jupiter(&project, &all[2..], &[]),
    ];
    for words in runs {
        let output = project.run(&words);
        assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    }
    let audit = project.probity(&["audit", "TwoJupiter"], &[]).output().expect("runs");
    let told = text(&audit.stdout);
    // Whoever found a rate in the cache depends on how it was computed, in whatever order.
    assert_eq!(audit.status.code(), Some(0), "{told}");
    assert!(told.contains("shared with other units: "), "{told}");
    // Nobody else uses its rate.
    let audit = project.probity(&["audit", "shop.LoneJupiter", "--all"], &[]).output().expect("runs");
    assert_eq!(audit.status.code(), Some(0), "{}", text(&audit.stdout));
    let json = project.probity(&["audit", "--json"], &[]).output().expect("runs");
    let json = text(&json.stdout);
    assert!(json.contains("\"verdict\":\"shared\""), "{json}");
    assert!(!json.contains("\"verdict\":\"unexplained\""), "{json}");
    let unknown = project.probity(&["audit", "ThreeJupiter"], &[]).output().expect("runs");
    assert_eq!(unknown.status.code(), Some(2), "{}", text(&unknown.stderr));
}
