//! The test units behind each line: recorded by the command, shown by the page.

use std::fs;
use std::path::Path;
use std::process::Command;

use probity_test_support::java::{Compilation, test_jdks};
use probity_test_support::programs;
use serde_json::json;

use crate::pages::{ask, browser};

const LIB: &str = "public class Lib {
    static int once(int n) {
        return n + 1;
    }
    static int never(int n) {
        return n - 1;
    }
    static int both(int n) {
        return n * 2;
    }
}
";

fn test(class: &str, body: &str) -> String {
    format!("public class {class} {{ @org.junit.Test public void t() {{ {body} }} }}")
}

/// Runs the command in a folder.
fn probity(folder: &Path, arguments: &[&str]) {
    let output = Command::new(env!("CARGO_BIN_EXE_probity"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("the command runs");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_line_names_the_units_that_cover_it() {
    let jdk = test_jdks().swap_remove(0);
    let junit = programs::class_path(&[programs::JUNIT_4]).unwrap_or_else(|error| panic!("{error}"));
    let compiled = Compilation::with(&jdk)
        .option("-g")
        .class_path(&junit)
        .source("Lib.java", LIB)
        .source("FirstTest.java", &test("FirstTest", "Lib.once(1); Lib.both(1);"))
        .source("SecondTest.java", &test("SecondTest", "Lib.both(2);"))
        .compile()
        .unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().expect("temporary folder");
    fs::write(folder.path().join("Lib.java"), LIB).expect("writes");
    let classes = compiled.folder().display().to_string();
    let jars: Vec<String> = junit.iter().map(|jar| jar.display().to_string()).collect();
    let class_path = [&[classes.clone()][..], &jars].concat().join(":");
    let java = jdk.home().join("bin/java").display().to_string();
    let core = "org.junit.runner.JUnitCore";
    probity(
        folder.path(),
        &["run", "--exec", "j.exec", "--", &java, "-cp", &class_path, core, "FirstTest", "SecondTest"],
    );
    let arguments = [
        "report",
        "--exec",
        "j.exec",
        "--sources",
        ".",
        "--units",
        "--format",
        "html=html",
        "--classes",
        &classes,
    ];
    probity(folder.path(), &arguments);

    let browser = browser();
    let page = folder.path().join("html/default/Lib.java.html");
    let panel_of = |line: u32| {
        browser.open(&page, &format!("#L{line}")).expect("opens");
        ask(&browser, "document.querySelector('#line-panel').textContent")
    };
    assert_eq!(panel_of(3), json!("Line 3This line is covered.Covered by this test:FirstTest"));
    assert_eq!(panel_of(9), json!("Line 9This line is covered.Covered by 2 tests:FirstTestSecondTest"));
    let of_none = panel_of(6);
    assert!(of_none.as_str().is_some_and(|text| !text.contains("Test")), "{of_none}");
    assert_eq!(ask(&browser, "document.querySelectorAll('#units li').length"), json!(2));
    assert_eq!(browser.complaints().expect("answers"), Vec::<String>::new());
}
