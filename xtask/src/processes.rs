//! Starts cargo and other programs in the repository, with their output going through.
//!
//! Output must never be held back until a program ends: people watch it.

use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::failure::Failure;
use crate::root::repository_root;

/// The cargo that started this command, with these arguments, in the root of the repository.
pub(crate) fn cargo<A: Into<OsString>>(arguments: impl IntoIterator<Item = A>) -> Command {
    let program = env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(program);
    command.args(arguments.into_iter().map(Into::into)).current_dir(repository_root());
    command
}

/// The product's command, optimised, with these arguments. It can be run in any folder.
pub(crate) fn probity(arguments: &[&str]) -> Command {
    let mut command = cargo(["run", "--quiet", "--release", "--locked", "--manifest-path"]);
    command
        .arg(repository_root().join("Cargo.toml"))
        .args(["--package", "probity-cli", "--"])
        .args(arguments);
    command
}

/// Any other program, in the root of the repository.
pub(crate) fn program(name: &str) -> Command {
    let mut command = Command::new(name);
    command.current_dir(repository_root());
    command
}

/// Runs a program that must succeed.
pub(crate) fn run(mut command: Command) -> Result<(), Failure> {
    eprintln!("$ {}", shown(&command));
    let status =
        command.status().map_err(|source| Failure::CannotRun { command: shown(&command), source })?;
    if status.success() { Ok(()) } else { Err(Failure::Program { command: shown(&command) }) }
}

/// Runs a program that must succeed, and shows every line of its standard output also to a reader.
pub(crate) fn run_reading(mut command: Command, mut reader: impl FnMut(&str)) -> Result<(), Failure> {
    eprintln!("$ {}", shown(&command));
    let text = shown(&command);
    let cannot_run = |source| Failure::CannotRun { command: text.clone(), source };
    let mut child = command.stdout(Stdio::piped()).spawn().map_err(cannot_run)?;
    if let Some(stdout) = child.stdout.take() {
        pass_on(BufReader::new(stdout), &mut io::stdout(), &mut reader).map_err(cannot_run)?;
    }
    let status = child.wait().map_err(cannot_run)?;
    if status.success() { Ok(()) } else { Err(Failure::Program { command: text }) }
}

/// What a program that must succeed prints on standard output.
pub(crate) fn output_of(mut command: Command) -> Result<Vec<u8>, Failure> {
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .map_err(|source| Failure::CannotRun { command: shown(&command), source })?;
    if output.status.success() {
        Ok(output.stdout)
    } else {
        Err(Failure::Program { command: shown(&command) })
    }
}

/// What a program printed on standard output, however it ended.
#[derive(Debug)]
pub(crate) struct Answer {
    /// The command line.
    pub(crate) command: String,
    pub(crate) stdout: Vec<u8>,
}

/// Runs a program whose answer on standard output tells whether it was successful.
pub(crate) fn answer_of(mut command: Command) -> Result<Answer, Failure> {
    let text = shown(&command);
    match command.stderr(Stdio::inherit()).output() {
        Ok(output) => Ok(Answer { command: text, stdout: output.stdout }),
        Err(source) => Err(Failure::CannotRun { command: text, source }),
    }
}

/// Copies line by line, so that nothing waits, and bytes rather than text, since a test may print anything.
fn pass_on(mut from: impl BufRead, to: &mut impl io::Write, reader: &mut impl FnMut(&str)) -> io::Result<()> {
    let mut line = Vec::new();
    while from.read_until(b'\n', &mut line)? > 0 {
        to.write_all(&line)?;
        to.flush()?;
        reader(String::from_utf8_lossy(&line).trim_end());
        line.clear();
    }
    Ok(())
}

/// The command line as a person would type it.
fn shown(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program.file_name().unwrap_or(command.get_program()).to_string_lossy();
    command.get_args().fold(name.into_owned(), |mut text, argument| {
        let _ = write!(text, " {}", argument.to_string_lossy());
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_copied_as_bytes_and_shown_as_text() {
        let mut copy = Vec::new();
        let mut seen = Vec::new();
        pass_on(&b"one\r\ntwo\xff\nlast"[..], &mut copy, &mut |line: &str| seen.push(line.to_owned()))
            .expect("memory");
        assert_eq!(copy, b"one\r\ntwo\xff\nlast");
        assert_eq!(seen, ["one", "two\u{fffd}", "last"]);
    }

    #[test]
    fn commands_are_shown_without_the_folder_of_the_program() {
        let mut command = Command::new("/some/where/cargo");
        command.args(["test", "--workspace"]);
        assert_eq!(shown(&command), "cargo test --workspace");
    }
}
