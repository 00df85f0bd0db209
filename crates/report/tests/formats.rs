//! The formats on one small program: what they say is written down here, line by line.

use probity_coverage::{Analyzer, BundleBuilder, LineSet, ProbeHits};
use probity_report::{
    PackagePaths, Report, ReportNode, SessionInfo, write_annotations, write_cobertura, write_json,
    write_lcov, write_markdown, write_patch_markdown, write_sonar,
};
use probity_test_support::java::{Compilation, test_jdks};

const SOURCE: &str = "package a;
class B {
    static int f(boolean b) {
        if (b) {
            return 1;
        }
        return 2;
    }
    static void g() {
        f(true);
    }
}
";

/// The probes of `f` when only its first way out was taken: constructor, `return 1`, `return 2`, `g`.
struct Taken([bool; 4]);

impl ProbeHits for Taken {
    fn count(&self) -> usize {
        self.0.len()
    }
    fn is_hit(&self, number: usize) -> bool {
        self.0[number]
    }
}

fn report() -> Report {
    let jdk = test_jdks().remove(0);
    let classes = Compilation::with(&jdk)
        .release(8)
        .option("-g")
        .source("a/B.java", SOURCE)
        .compile()
        .expect("compiles");
    let bytes = std::fs::read(classes.class_file("a/B")).expect("reads");
    let hits = Taken([false, true, false, false]);
    let class = Analyzer::new().analyze(&bytes, |_| Some(&hits)).expect("is analysed").expect("is a class");
    let mut builder = BundleBuilder::new();
    builder.add(class).expect("is the only one");
    Report {
        sessions: vec![SessionInfo { id: "s".to_owned(), start_millis: 1, dump_millis: 2 }],
        root: ReportNode::Bundle(builder.build("Demo")),
    }
}

#[test]
fn lcov_tells_functions_branches_and_lines() {
    let expected = "TN:
SF:a/B.java
FN:2,a/B.<init>()V
FN:4,a/B.f(Z)I
FN:10,a/B.g()V
FNDA:0,a/B.<init>()V
FNDA:1,a/B.f(Z)I
FNDA:0,a/B.g()V
FNF:3
FNH:1
BRDA:4,0,0,1
BRDA:4,0,1,0
BRF:2
BRH:1
DA:2,0
DA:4,1
DA:5,1
DA:7,0
DA:10,0
DA:11,0
LF:6
LH:2
end_of_record
";
    assert_eq!(write_lcov(&report(), &PackagePaths), expected);
}

#[test]
fn sonar_tells_lines_to_cover() {
    let expected = "<coverage version=\"1\">
  <file path=\"a/B.java\">
    <lineToCover lineNumber=\"2\" covered=\"false\"/>
    <lineToCover lineNumber=\"4\" covered=\"true\" branchesToCover=\"2\" coveredBranches=\"1\"/>
    <lineToCover lineNumber=\"5\" covered=\"true\"/>
    <lineToCover lineNumber=\"7\" covered=\"false\"/>
    <lineToCover lineNumber=\"10\" covered=\"false\"/>
    <lineToCover lineNumber=\"11\" covered=\"false\"/>
  </file>
</coverage>
";
    assert_eq!(write_sonar(&report(), &PackagePaths), expected);
}

#[test]
fn cobertura_tells_rates_and_conditions() {
    let text = write_cobertura(&report(), &PackagePaths, &["src".to_owned()]);
    for part in [
        "<coverage line-rate=\"0.3333\" branch-rate=\"0.5000\" complexity=\"4\" lines-covered=\"2\" lines-valid=\"6\"",
        "<source>src</source>",
        "<package name=\"a\" line-rate=\"0.3333\"",
        "<class name=\"a.B\" filename=\"a/B.java\"",
        "<method name=\"&lt;init&gt;\" signature=\"()V\" line-rate=\"0.0000\" branch-rate=\"1.0\" complexity=\"1\">",
        "<line number=\"4\" hits=\"1\" branch=\"true\" condition-coverage=\"50% (1/2)\"/>",
        "<line number=\"7\" hits=\"0\" branch=\"false\"/>",
    ] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn markdown_lists_packages_by_what_they_miss() {
    let expected = "## Demo

| | lines | branches | methods |
|---|--:|--:|--:|
| **all** | 33 % (2/6) | 50 % (1/2) | 33 % (1/3) |
| `a` | 33 % (2/6) | 50 % (1/2) | 33 % (1/3) |
";
    assert_eq!(write_markdown(&report()), expected);
}

/// The report of some lines only.
fn restricted(lines: &LineSet) -> Report {
    let Report { sessions, root } = report();
    let ReportNode::Bundle(bundle) = root else { panic!("is a bundle") };
    Report { sessions, root: ReportNode::Bundle(bundle.restricted(|_, _| Some(lines))) }
}

#[test]
fn markdown_of_changed_lines_lists_what_is_missed() {
    let expected = "## Demo

| | lines | branches | methods |
|---|--:|--:|--:|
| **all** | 25 % (1/4) | 50 % (1/2) | 50 % (1/2) |
| `a` | 25 % (1/4) | 50 % (1/2) | 50 % (1/2) |

Only lines that were changed since `main` count. Not covered:

| file | missed lines | partly covered |
|---|---|---|
| `a/B.java` | 7, 10-11 | 4 |
";
    let written = |lines| write_patch_markdown(&restricted(&lines), "main", &PackagePaths);
    assert_eq!(written(LineSet::from_iter([3..=4, 6..=11])), expected);
    assert!(written(LineSet::from_iter([5..=5])).ends_with(" All of them are covered.\n"));
    assert!(written(LineSet::from_iter([6..=6])).ends_with(" None of them has code.\n"));
}

#[test]
fn annotations_begin_with_what_misses_most() {
    let expected = "\
::warning file=a/B.java,line=10,endLine=11,title=Coverage::Lines 10 to 11 are not covered
::warning file=a/B.java,line=2,endLine=2,title=Coverage::Line 2 is not covered
::warning file=a/B.java,line=7,endLine=7,title=Coverage::Line 7 is not covered
::warning file=a/B.java,line=4,endLine=4,title=Coverage::Line 4 is partly covered: 1 branch was not taken
";
    assert_eq!(write_annotations(&report(), &PackagePaths), expected);
}

#[test]
fn json_has_the_documented_keys() {
    let value: serde_json::Value = serde_json::from_str(&write_json(&report())).expect("JSON");
    assert_eq!(value["schema"], 1);
    assert_eq!(value["sessions"][0]["id"], "s");
    let package = &value["packages"][0];
    assert_eq!(package["name"], "a");
    assert_eq!(package["classes"][0]["name"], "a/B");
    assert_eq!(package["classes"][0]["methods"][1]["line"], 4);
    assert_eq!(package["files"][0]["lines"][1], serde_json::json!([4, 0, 2, 1, 1]));
    assert_eq!(value["counters"]["lines"], serde_json::json!({ "missed": 4, "covered": 2 }));
}
