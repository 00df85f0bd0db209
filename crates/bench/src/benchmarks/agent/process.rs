//! Runs a JVM and tells how much processor time its process took.
//!
//! The standard library does not tell the processor time of a child, so a shell does: bash has a word for it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use probity_toolchain::Jdk;

use crate::failure::Failure;

/// What records, if anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Variant {
    None,
    /// The library of the agent.
    Ours(PathBuf),
    /// The jar of JaCoCo's agent.
    JaCoCo(PathBuf),
}

impl Variant {
    /// The JVM's argument for it, with the file that it records to.
    fn argument(&self, data: &Path) -> Option<OsString> {
        let (option, agent) = match self {
            Variant::None => return None,
            Variant::Ours(library) => ("-agentpath:", library),
            Variant::JaCoCo(jar) => ("-javaagent:", jar),
        };
        let mut argument = OsString::from(option);
        argument.push(agent);
        argument.push("=destfile=");
        argument.push(data);
        Some(argument)
    }
}

/// A Java program as it is measured.
#[derive(Clone, Debug, Default)]
pub(super) struct JavaProgram {
    pub(super) class_path: Vec<PathBuf>,
    pub(super) jvm_arguments: Vec<String>,
    pub(super) main_class: String,
    pub(super) arguments: Vec<OsString>,
}

/// What one run took and gave.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    /// Seconds on the wall.
    pub(super) wall: f64,
    /// Seconds of processor time, in the program and in the kernel for it.
    pub(super) cpu: f64,
    pub(super) stdout: String,
    /// How many bytes the agent recorded.
    pub(super) recorded: u64,
}

/// `$0` is the file for what the program says on standard error; what is left there is the time.
const TIMED: &str = "TIMEFORMAT='%R %U %S'; time \"$@\" 2>\"$0\"";

/// Runs the program once in a folder, which keeps what it records and says.
pub(super) fn run(
    jdk: &Jdk,
    variant: &Variant,
    program: &JavaProgram,
    folder: &Path,
) -> Result<Run, Failure> {
    let data = folder.join("recorded.exec");
    // A file that is not there cannot be removed; one that cannot be removed would be noticed by its size.
    let _: std::io::Result<()> = std::fs::remove_file(&data);
    let said = folder.join("said");
    let mut command = Command::new("bash");
    command.env("LC_ALL", "C").arg("-c").arg(TIMED).arg(&said).arg(jdk.java());
    command.args(variant.argument(&data)).args(&program.jvm_arguments).arg("-classpath");
    command.arg(std::env::join_paths(&program.class_path).unwrap_or_default());
    command.arg(&program.main_class).args(&program.arguments);
    command.current_dir(folder).stdin(Stdio::null());
    let output =
        command.output().map_err(|error| Failure::Program { name: program.main_class.clone(), error })?;
    let broken = |why: String| Failure::Broken { name: program.main_class.clone(), why };
    if !output.status.success() {
        return Err(broken(std::fs::read_to_string(&said).unwrap_or_default()));
    }
    let times = String::from_utf8_lossy(&output.stderr).into_owned();
    let [wall, user, system] = three_numbers(&times).ok_or_else(|| broken(times.clone()))?;
    let recorded = std::fs::metadata(&data).map_or(0, |metadata| metadata.len());
    let stdout = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(Run { wall, cpu: user + system, stdout, recorded })
}

fn three_numbers(text: &str) -> Option<[f64; 3]> {
    let numbers: Vec<f64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    numbers.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agents_are_given_to_the_jvm_in_their_own_way() {
        let data = Path::new("/d");
        assert_eq!(Variant::None.argument(data), None);
        assert_eq!(Variant::Ours("/l".into()).argument(data), Some("-agentpath:/l=destfile=/d".into()));
        assert_eq!(Variant::JaCoCo("/j".into()).argument(data), Some("-javaagent:/j=destfile=/d".into()));
    }

    #[test]
    fn only_three_numbers_are_a_time() {
        assert_eq!(three_numbers("1.500 1.250 0.125\n"), Some([1.5, 1.25, 0.125]));
        assert_eq!(three_numbers("bash: java: no such file\n1 2 3\n"), None);
        assert_eq!(three_numbers("1 2\n"), None);
    }
}
