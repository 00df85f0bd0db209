//! `classinfo` and `report` beside JaCoCo's own command, on a real jar.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use probity_test_support::corpus::{self, Part};
use probity_test_support::java::test_jdks;
use probity_test_support::tools;

fn probity(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_probity")).args(arguments).output().expect("runs")
}

fn jacoco(arguments: &[&str]) -> Output {
    let jar = tools::jacoco_command().unwrap_or_else(|error| panic!("{error}"));
    let mut command = Command::new(test_jdks()[0].java());
    command.args(["-Dfile.encoding=UTF-8", "-jar"]).arg(jar).args(arguments).output().expect("runs")
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn sample_jar(part_of_name: &str) -> String {
    let jars = corpus::fetched(Part::Sample).expect("the corpus can be fetched");
    let jar = jars.into_iter().find(|jar| jar.jar.artifact.contains(part_of_name)).expect("in the sample");
    jar.path.display().to_string()
}

#[test]
fn classinfo_prints_what_jacocos_command_prints() {
    let jar = sample_jar("jython");
    for arguments in [vec!["classinfo", &jar], vec!["classinfo", "--verbose", &jar]] {
        let ours = text(&probity(&arguments));
        assert!(ours.lines().count() > 300);
        assert!(ours == text(&jacoco(&arguments)), "{arguments:?} differ");
    }
}

#[test]
fn classinfo_as_json_has_the_same_numbers() {
    let output = text(&probity(&["classinfo", "--json", &sample_jar("jython")]));
    let object: serde_json::Value = serde_json::from_str(&output).expect("JSON");
    let classes = object["classes"].as_array().expect("classes");
    assert_eq!(classes.len(), 336);
    assert!(classes.iter().all(|class| class["id"].as_str().is_some_and(|id| id.len() == 16)));
    assert!(classes.iter().any(|class| class["instructions"].as_u64() > Some(1000)));
}

#[test]
fn report_writes_what_jacocos_command_writes() {
    let jar = sample_jar("jython");
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let formats = [format!("xml={}", path("ours.xml")), format!("csv={}", path("ours.csv"))];
    text(&probity(&["report", "--classes", &jar, "--format", &formats[0], &formats[1]]));
    let (xml, csv) = (path("theirs.xml"), path("theirs.csv"));
    text(&jacoco(&["report", "--classfiles", &jar, "--xml", &xml, "--csv", &csv]));
    for format in ["xml", "csv"] {
        let read = |who: &str| fs::read(Path::new(&path(&format!("{who}.{format}")))).expect("written");
        assert!(read("ours").len() > 10_000);
        assert!(read("ours") == read("theirs"), "{format} differs");
    }
}

/// The old reports that a failed run must leave as they are, and what else is in the folder.
struct OldReports(tempfile::TempDir);

impl OldReports {
    fn write() -> OldReports {
        let folder = tempfile::tempdir().expect("temporary folder");
        fs::write(folder.path().join("old.xml"), "old").expect("writes");
        fs::create_dir_all(folder.path().join("taken")).expect("creates");
        fs::write(folder.path().join("taken/notes.txt"), "notes").expect("writes");
        OldReports(folder)
    }

    /// Asks for the old report and another; gives the exit code and the messages. Nothing may have changed.
    fn report(&self, classes: &str, other: &str) -> (Option<i32>, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_probity"))
            .args(["report", "--classes", classes, "--format", "xml=old.xml", other])
            .current_dir(self.0.path())
            .output()
            .expect("runs");
        let entries = fs::read_dir(self.0.path()).expect("is a folder");
        let mut names: Vec<_> = entries.map(|entry| entry.expect("is listed").file_name()).collect();
        names.sort();
        assert_eq!(names, ["old.xml", "taken"]);
        let read = |name: &str| fs::read_to_string(self.0.path().join(name)).expect("reads");
        assert_eq!((read("old.xml"), read("taken/notes.txt")), ("old".to_owned(), "notes".to_owned()));
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    }
}

#[test]
fn a_report_that_cannot_be_written_leaves_the_old_one_whole() {
    let old = OldReports::write();
    let jar = sample_jar("jython");
    for (classes, other, message) in [
        ("no-such-folder", "csv=new.csv", "no-such-folder: no such file or folder"),
        (&jar, "csv=taken", "taken: cannot be written: is a directory"),
        (&jar, "html=taken", "taken: the folder has other files than a report of this program"),
        (&jar, "csv=old.xml/new.csv", "old.xml/new.csv: cannot be written"),
        (&jar, "pdf=x", "no format 'pdf'"),
    ] {
        let (code, messages) = old.report(classes, other);
        assert_eq!(code, Some(2), "{messages}");
        assert!(messages.contains(message), "{messages}");
    }
}

#[test]
fn reports_are_written_without_the_sources_that_are_missing() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (html, xml) = (format!("html={}", path("html")), format!("xml={}", path("report.xml")));
    let sources = path("missing");
    let jar = sample_jar("jython");
    let output = probity(&["report", "--classes", &jar, "--sources", &sources, "--format", &html, &xml]);
    text(&output);
    let warning = format!("warning: {sources}: there is no such folder with sources\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), warning);
    assert!(Path::new(&path("html/index.html")).exists() && Path::new(&path("report.xml")).exists());
}
