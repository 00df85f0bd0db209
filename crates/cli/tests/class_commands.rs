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

#[test]
fn a_report_that_cannot_be_written_leaves_the_old_one_whole() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let old = folder.path().join("old.xml");
    fs::write(&old, "old").expect("writes");
    let xml = format!("xml={}", old.display());
    let missing = probity(&["report", "--classes", "no-such-folder", "--format", &xml]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("no-such-folder"));
    assert_eq!(fs::read_to_string(&old).expect("reads"), "old");
    let format = probity(&["report", "--classes", ".", "--format", "pdf=x"]);
    assert_eq!(format.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&format.stderr).contains("no format 'pdf'"));
}
