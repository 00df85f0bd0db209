//! Runs a program and tells how much time its process took.
//!
//! The standard library does not tell the processor time of a child, so a shell does: bash has a word for it.

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::failure::Failure;

/// What one run took and gave.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Timed {
    /// Seconds on the wall.
    pub(crate) wall: f64,
    /// Seconds of processor time, in the program and in the kernel for it.
    pub(crate) cpu: f64,
    pub(crate) stdout: String,
}

/// `$0` is the file for what the program says on standard error; what is left there is the time.
const TIMED: &str = "TIMEFORMAT='%R %U %S'; time \"$@\" 2>\"$0\"";

/// Runs a program with its arguments once in a folder, which keeps what it says. It must end well.
pub(crate) fn timed(name: &str, command_line: &[&OsStr], folder: &Path) -> Result<Timed, Failure> {
    let said = folder.join("said");
    let mut command = Command::new("bash");
    command.env("LC_ALL", "C").arg("-c").arg(TIMED).arg(&said).args(command_line);
    command.current_dir(folder).stdin(Stdio::null());
    let output = command.output().map_err(|error| Failure::Program { name: name.to_owned(), error })?;
    let broken = |why: String| Failure::Broken { name: name.to_owned(), why };
    if !output.status.success() {
        return Err(broken(std::fs::read_to_string(&said).unwrap_or_default()));
    }
    let times = String::from_utf8_lossy(&output.stderr).into_owned();
    let [wall, user, system] = three_numbers(&times).ok_or_else(|| broken(times.clone()))?;
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(Timed { wall, cpu: user + system, stdout })
}

fn three_numbers(text: &str) -> Option<[f64; 3]> {
    let numbers: Vec<f64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    numbers.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_three_numbers_are_a_time() {
        assert_eq!(three_numbers("1.500 1.250 0.125\n"), Some([1.5, 1.25, 0.125]));
        assert_eq!(three_numbers("bash: java: no such file\n1 2 3\n"), None);
        assert_eq!(three_numbers("1 2\n"), None);
    }
}
