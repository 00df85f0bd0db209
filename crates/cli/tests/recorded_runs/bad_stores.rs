//! Stores that cannot be written or read: the tests run all the same, and one line says what is wrong.

use std::fs;

use crate::project::{Project, TESTS, said, script, text};

#[test]
fn a_store_that_cannot_be_written_costs_traces_and_nothing_else() {
    let project = Project::new();
    // A file where a folder should be stops everybody, also those who may write everywhere.
    fs::write(project.store_folder(), "no folder").expect("writes");
    let output = project.probity(&["run", "--store", ".probity"], &project.plain(3)).output().expect("runs");
    assert_eq!(output.status.code(), Some(3));
    let said = said(&output);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].starts_with("warning: .probity/shapes: cannot be written: "), "{said:?}");
    assert!(said[0].ends_with("; what was recorded is lost, and these tests will run again"), "{said:?}");
    assert_eq!(fs::read_to_string(project.store_folder()).expect("is there"), "no folder");
}

#[test]
fn files_of_a_newer_version_are_told_and_stay() {
    let project = Project::new();
    assert_eq!(project.run(&project.junit_4(&TESTS[..1])).status.code(), Some(0));
    let folder = project.store_folder().join("traces");
    let first = fs::read_dir(&folder).expect("is there").flatten().next().expect("a file").path();
    let mut bytes = fs::read(&first).expect("reads");
    let version = bytes.iter().position(|byte| *byte == 0 || *byte < 32).expect("a version");
    let at = (version..version + 4).find(|&at| bytes[at] != 0).expect("a version");
    bytes[at] = 250;
    fs::remove_file(&first).expect("removes");
    let newer = first.with_file_name("newer.seg");
    fs::write(&newer, &bytes).expect("writes");
    let output = project.run(&project.junit_4(&TESTS[1..2]));
    assert_eq!(output.status.code(), Some(0));
    let said = said(&output);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].contains("its format is version") && said[0].contains("newer.seg"), "{said:?}");
    assert_eq!(project.traces().len(), 1);
    assert_eq!(fs::read(&newer).expect("is there"), bytes);
}

/// A limit for the size of files stands for a full disk: nothing larger can be written, by nobody below.
#[test]
fn a_full_disk_costs_traces_and_nothing_else() {
    let project = Project::new();
    assert_eq!(project.run(&project.junit_4(&TESTS[..1])).status.code(), Some(0));
    let before = project.traces();
    for (blocks, name) in [(1, "one"), (64, "some"), (400, "more")] {
        let limited = project.folder.path().join(name);
        let words: Vec<String> =
            project.junit_4(&TESTS).iter().map(|word| format!("'{}'", word.to_string_lossy())).collect();
        let probity = env!("CARGO_BIN_EXE_probity");
        let command =
            format!("trap '' XFSZ\nulimit -f {blocks}\nexec '{probity}' run -- {}", words.join(" "));
        script(&limited, &command);
        let output =
            std::process::Command::new(&limited).current_dir(project.folder.path()).output().expect("runs");
        assert_eq!(output.status.code(), Some(0), "{blocks}: {}", text(&output.stderr));
        assert!(text(&output.stdout).contains("OK (12 tests)"), "{}", text(&output.stdout));
        let said = said(&output);
        assert!((1..=4).contains(&said.len()), "{blocks}: {said:?}");
        assert_eq!(project.store().verify().problems, [], "{blocks}");
        let now = project.traces();
        assert!(before.iter().all(|trace| now.iter().any(|one| one.unit == trace.unit)));
        assert!(project.left_behind().is_empty());
    }
}
