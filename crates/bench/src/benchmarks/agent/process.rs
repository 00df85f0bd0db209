//! Runs a JVM under an agent, or under none, and tells how much processor time its process took.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use probity_toolchain::Jdk;

use crate::failure::Failure;
use crate::timed::{Timed, timed};

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
    let class_path = std::env::join_paths(&program.class_path).unwrap_or_default();
    let java = jdk.java();
    let agent = variant.argument(&data);
    let mut command_line: Vec<&OsStr> = vec![java.as_os_str()];
    command_line.extend(agent.as_deref());
    command_line.extend(program.jvm_arguments.iter().map(OsStr::new));
    command_line.extend([OsStr::new("-classpath"), &class_path, OsStr::new(&program.main_class)]);
    command_line.extend(program.arguments.iter().map(OsString::as_os_str));
    let Timed { wall, cpu, stdout } = timed(&program.main_class, &command_line, folder)?;
    let recorded = std::fs::metadata(&data).map_or(0, |metadata| metadata.len());
    Ok(Run { wall, cpu, stdout, recorded })
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
}
