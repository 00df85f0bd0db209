//! Coverage of changed lines, in repositories that the `git` command makes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use probity_test_support::java::{Compilation, test_jdks};

const BEFORE: &str = "package a;
class B {
    static int f(int i) {
        return i;
    }
}
";

const AFTER: &str = "package a;
class B {
    static int f(int i) {
        if (i > 1) {
            return 2;
        }
        return i;
    }
    static int g() {
        return 3;
    }
}
";

fn git(folder: &Path, arguments: &[&str]) {
    let status = Command::new("git")
        .args(["-c", "user.name=n", "-c", "user.email=e"])
        .args(arguments)
        .current_dir(folder)
        .status()
        .expect("git runs");
    assert!(status.success(), "git {arguments:?}");
}

/// A repository with one commit, a source file that was changed since, and its class.
fn changed_project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("temporary folder");
    let root = folder.path();
    fs::create_dir_all(root.join("src/a")).expect("creates");
    fs::write(root.join(".gitignore"), "classes/\n").expect("writes");
    fs::write(root.join("src/a/B.java"), BEFORE).expect("writes");
    git(root, &["init", "-q", "-b", "main"]);
    git(root, &["add", "-A"]);
    git(root, &["commit", "-q", "-m", "m"]);
    fs::write(root.join("src/a/B.java"), AFTER).expect("writes");
    let jdk = test_jdks().remove(0);
    let compiled = Compilation::with(&jdk)
        .option("-g")
        .source("a/B.java", AFTER)
        .source("a/Gone.java", "package a; class Gone { }")
        .compile()
        .expect("compiles");
    fs::create_dir_all(root.join("classes/a")).expect("creates");
    for class in ["a/B", "a/Gone"] {
        fs::copy(compiled.class_file(class), root.join("classes").join(class).with_extension("class"))
            .expect("copies");
    }
    folder
}

fn probity(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_probity"));
    command.args(arguments).current_dir(folder.join("src")).output().expect("runs")
}

fn report(folder: &Path, arguments: &[&str]) -> Output {
    let all = [&["report", "--classes", "../classes", "--sources", "../src"], arguments].concat();
    probity(folder, &all)
}

#[test]
fn only_changed_lines_count_and_paths_are_those_of_the_repository() {
    let project = changed_project();
    let output = report(project.path(), &["--diff", "main", "--format", "annotations=-", "markdown=m"]);
    let expected = "\
::warning file=src/a/B.java,line=4,endLine=5,title=Coverage::Lines 4 to 5 are not covered
::warning file=src/a/B.java,line=10,endLine=10,title=Coverage::Line 10 is not covered
";
    let summary = "## JaCoCo Coverage Report

| | lines | branches | methods |
|---|--:|--:|--:|
| **all** | 0 % (0/3) | 0 % (0/2) | 0 % (0/2) |
| `a` | 0 % (0/3) | 0 % (0/2) | 0 % (0/2) |

Only lines that were changed since `main` count. Not covered:

| file | missed lines | partly covered |
|---|---|---|
| `src/a/B.java` | 4-5, 10 |  |
";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    assert_eq!(fs::read_to_string(project.path().join("src/m")).expect("is written"), summary);
    let warning = "warning: source files were not found and are left out of the changed lines: a/Gone.java\n";
    assert_eq!(String::from_utf8_lossy(&output.stderr), warning);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn every_format_shows_the_changed_lines_only() {
    let project = changed_project();
    let output =
        report(project.path(), &["--diff", "HEAD", "--format", "xml=x", "csv=c", "html=h", "json=j"]);
    assert_eq!(output.status.code(), Some(0));
    let xml = fs::read_to_string(project.path().join("src/x")).expect("is written");
    assert!(xml.contains("<method name=\"g\" desc=\"()I\" line=\"10\">"), "{xml}");
    assert!(xml.contains("<counter type=\"LINE\" missed=\"3\" covered=\"0\"/>"), "{xml}");
    assert!(!xml.contains("<init>") && !xml.contains("Gone"), "{xml}");
    let csv = fs::read_to_string(project.path().join("src/c")).expect("is written");
    assert_eq!(csv.lines().count(), 2, "{csv}");
}

#[test]
fn rules_are_checked_on_changed_lines() {
    let project = changed_project();
    let check =
        ["check-coverage", "--classes", "../classes", "--sources", "../src", "--diff", "main", "--rule"];
    let output = probity(project.path(), &[&check[..], &["line-missed<=3", "method-total<=2"]].concat());
    let said = "2 rules checked on 1 element: no violations\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), said);
    assert_eq!(output.status.code(), Some(0));
    let output = probity(project.path(), &[&check[..], &["line-missed<=2"]].concat());
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("lines missed count is 3, but expected maximum is 2"), "{said}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn each_group_has_the_changed_lines_of_its_own_sources() {
    let project = changed_project();
    fs::create_dir_all(project.path().join("unchanged/a")).expect("creates");
    fs::write(project.path().join("unchanged/a/B.java"), AFTER).expect("writes");
    git(project.path(), &["add", "unchanged"]);
    git(project.path(), &["commit", "-q", "-m", "m", "--", "unchanged"]);
    let arguments = ["report", "--group", "one=../classes", "in/two=../classes", "--sources", "one=../src"];
    let more = ["in=../unchanged", "--diff", "HEAD", "--format", "csv=-"];
    let output = probity(project.path(), &[&arguments[..], &more].concat());
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let groups: Vec<&str> = said.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(groups, ["JaCoCo Coverage Report/one"], "{said}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn an_unknown_revision_is_an_error_with_a_hint() {
    let project = changed_project();
    let output = report(project.path(), &["--diff", "no-such", "--format", "xml=x"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.starts_with("error: Git knows no commit 'no-such'\n  hint: give a branch"), "{said}");
    assert!(!project.path().join("src/x").exists());
}
