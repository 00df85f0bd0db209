//! `probity agent-path` as users call it: in a folder of its own, with and without a library beside it.
//!
//! The command under test carries no library. One that does is built and tried by `cargo xtask dist`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// A folder on the file system where the command is, so that it can be linked to.
fn folder_beside_the_command() -> tempfile::TempDir {
    tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("temporary folder")
}

/// Under another name, so that what cargo has built beside the command plays no part. A link and not a copy: while a
/// copy is written, a process that another test starts may inherit the open file, and a file open for writing
/// cannot be run.
fn agent_path_in(folder: &Path) -> Output {
    let command = folder.join("probity");
    fs::hard_link(env!("CARGO_BIN_EXE_probity"), &command).expect("links the command");
    Command::new(&command).arg("agent-path").output().expect("runs")
}

fn library_in(folder: &Path) -> std::path::PathBuf {
    let name = format!("{}probity_agent{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    folder.join(name)
}

#[test]
fn the_library_beside_the_command_is_printed() {
    let folder = folder_beside_the_command();
    let real = folder.path().canonicalize().expect("is there");
    fs::write(library_in(&real), b"library").expect("writes");
    let output = agent_path_in(&real);
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        format!("{}\n", library_in(&real).display()),
        "{output:?}"
    );
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn without_a_library_it_is_said_where_it_should_be_and_how_to_get_it() {
    let folder = folder_beside_the_command();
    let real = folder.path().canonicalize().expect("is there");
    let output = agent_path_in(&real);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{message}");
    assert!(message.contains(&library_in(&real).display().to_string()), "{message}");
    assert!(message.contains("hint: build it with `cargo build -p probity-agent`"), "{message}");
}
