//! Where and with what a result was obtained: what is needed to do it again.
//!
//! It must say nothing of the machine that would be different elsewhere for no reason, such as paths.

use std::fmt;
use std::fs;

use crate::failure::Failure;
use crate::processes;

/// What is needed to do it again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Surroundings {
    pub(crate) date: String,
    pub(crate) commit: String,
    pub(crate) rust: String,
    pub(crate) system: String,
    pub(crate) cores: usize,
}

impl Surroundings {
    /// Those of this run.
    pub(crate) fn here() -> Result<Surroundings, Failure> {
        let line = |program: &str, arguments: &[&str]| {
            let mut command = processes::program(program);
            command.args(arguments);
            processes::output_of(command).map(|output| String::from_utf8_lossy(&output).trim().to_owned())
        };
        let system = fs::read_to_string("/etc/os-release").unwrap_or_default();
        Ok(Surroundings {
            date: line("date", &["-u", "+%Y-%m-%d"])?,
            commit: line("git", &["rev-parse", "--short=12", "HEAD"])?,
            rust: line("rustc", &["--version"])?,
            system: system_name(&system).unwrap_or(std::env::consts::OS).to_owned(),
            cores: std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get),
        })
    }
}

impl fmt::Display for Surroundings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Surroundings { date, commit, rust, system, cores } = self;
        writeln!(f, "- Date: {date}")?;
        writeln!(f, "- Versions: Probity at {commit}, {rust}, {system}; the JDKs and jars are in the table")?;
        writeln!(f, "- Machine: {} with {cores} cores", std::env::consts::ARCH)
    }
}

/// The name of the operating system in the text of an `os-release` file.
fn system_name(os_release: &str) -> Option<&str> {
    let value = os_release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(value.trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_is_named_without_quotes() {
        assert_eq!(
            system_name("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n"),
            Some("Debian GNU/Linux 12")
        );
        assert_eq!(system_name(""), None);
    }
}
