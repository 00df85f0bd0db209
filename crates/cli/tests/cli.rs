//! Runs the command as users do and compares what it prints.
//!
//! Each file in `cmd` is one test: commands and the output they must give. They run in a folder whose files
//! are made here, so that no binary is checked in. After a wanted change, `TRYCMD=overwrite` writes the new
//! output into the files.

mod inputs;

use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

#[test]
fn commands_print_what_they_shall() {
    let folder = tempfile::tempdir().expect("temporary folder");
    inputs::write_all(folder.path());
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join("cmd");
    std::env::set_current_dir(folder.path()).expect("enters the folder");
    trycmd::TestCases::new().case(cases.join("*.trycmd")).case(cases.join("*.toml")).run();
}

#[test]
fn nobody_reading_the_output_is_no_error() {
    let folder = tempfile::tempdir().expect("temporary folder");
    inputs::write_all(folder.path());
    let mut command = Command::new(env!("CARGO_BIN_EXE_probity"))
        .args(["debug", "class"])
        .arg(folder.path().join("good.jar"))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    drop(command.stdout.take());
    let output = command.wait_with_output().expect("ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn the_number_of_threads_does_not_change_the_output() {
    let folder = tempfile::tempdir().expect("temporary folder");
    inputs::write_all(folder.path());
    let output = |threads: &str| {
        Command::new(env!("CARGO_BIN_EXE_probity"))
            .args(["debug", "class", "--print", "--threads", threads, "many.jar", "classes", "damaged.jar"])
            .current_dir(folder.path())
            .output()
            .expect("runs")
    };
    let alone = output("1");
    assert!(alone.stdout.len() > 10_000, "{} bytes", alone.stdout.len());
    assert!(!alone.stderr.is_empty());
    assert_eq!(output("8"), alone);
}

#[test]
fn the_store_is_that_of_the_nearest_folder_above() {
    let folder = tempfile::tempdir().expect("temporary folder");
    inputs::write_all(folder.path());
    let units = |below: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_probity"));
        let output =
            command.args(["trace", "list", "--json"]).current_dir(folder.path().join(below)).output();
        let document: Value =
            serde_json::from_slice(&output.expect("runs").stdout).expect("one JSON document");
        document["units"].as_array().expect("a list of units").len()
    };
    assert_eq!((units("traced/module"), units("traced"), units("shop")), (3, 3, 0));
    assert!(!folder.path().join("shop/.probity").exists(), "to look makes nothing");
}

/// Files may only grow to a block, as on a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_store_as_it_was() {
    let folder = tempfile::tempdir().expect("temporary folder");
    inputs::write_all(folder.path());
    let run = |script: &str| {
        let mut command = Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_probity")]).current_dir(folder.path());
        let output = command.output().expect("runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let (code, ..) = run("\"$0\" store export all --store traced/.probity");
    assert_eq!(code, Some(0));
    let (_, before, _) = run("\"$0\" trace list --store traced-damaged");
    let script = "ulimit -f 1 && trap '' XFSZ && exec \"$0\" store import all --store traced-damaged";
    let (code, _, message) = run(script);
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("cannot be written: ") && message.contains("hint: "), "{message}");
    assert_eq!(run("\"$0\" trace list --store traced-damaged").1, before);
}

/// Runs a round trip with JSON output in a folder, and checks what holds for every such run: it ends with the code for
/// findings or for unusable input, and standard output is one whole JSON document.
fn refused_in_json(folder: &Path, file: &str) -> Vec<Value> {
    let Output { status, stdout, stderr } = Command::new(env!("CARGO_BIN_EXE_probity"))
        .args(["debug", "class", "--roundtrip", "--json", file])
        .current_dir(folder)
        .output()
        .expect("runs");
    assert!(matches!(status.code(), Some(1 | 2)), "{file}: {status}: {}", String::from_utf8_lossy(&stderr));
    let document: Value = serde_json::from_slice(&stdout).expect("one JSON document");
    document["failures"].as_array().expect("a list of failures").clone()
}

#[test]
fn every_bad_file_is_refused_with_its_name_and_a_place() {
    let folder = tempfile::tempdir().expect("temporary folder");
    inputs::write_all(folder.path());
    for (name, _) in inputs::bad_files() {
        let failures = refused_in_json(folder.path(), name);
        assert!(!failures.is_empty(), "{name}");
        for failure in failures {
            assert_eq!(failure["file"], name);
            assert!(failure["offset"].is_u64(), "{failure}");
            assert!(failure["error"].as_str().is_some_and(|text| !text.is_empty()), "{failure}");
        }
    }
}

#[test]
fn a_class_may_be_cut_off_anywhere() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (count, archive) = inputs::beginnings();
    std::fs::write(folder.path().join("cut-classes.jar"), archive).expect("writes");
    let failures = refused_in_json(folder.path(), "cut-classes.jar");
    assert_eq!(failures.len(), count);
    assert!(failures.iter().all(|failure| failure["offset"].is_u64() && failure["class"].is_string()));
}
