//! Where Maven is, and of which version.
//!
//! The order of preference is the user's: `MAVEN_HOME`, `M2_HOME`, `mvn` on the `PATH`, then Debian's folder. Maven
//! keeps its version in no file that all packagings share, so it is asked. Nothing here may run a build.

use std::env;
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::environment::Environment;
use crate::jdk::all_jdks;
use crate::version::version_in_maven_output;

/// An installed Maven.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maven {
    program: PathBuf,
    version: String,
}

impl Maven {
    /// The `mvn` to run.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The version that it gives for itself.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }
}

impl fmt::Display for Maven {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Maven {} as {}", self.version, self.program.display())
    }
}

/// An `mvn` that was found but could not tell its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedMaven {
    /// The program.
    pub program: PathBuf,
    /// What it said, or why it could not be started.
    pub answer: String,
}

/// No Maven that works was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MavenNotFound {
    /// The places that were searched, in their order.
    pub searched: Vec<String>,
    /// What was found there but did not work.
    pub rejected: Vec<RejectedMaven>,
}

impl fmt::Display for MavenNotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no Maven found; looked at {}", self.searched.join(", "))?;
        for RejectedMaven { program, answer } in &self.rejected {
            write!(f, "\n  {} -version does not give a version: {answer}", program.display())?;
        }
        Ok(())
    }
}

impl Error for MavenNotFound {}

/// The preferred Maven of the machine.
///
/// # Errors
///
/// Fails when there is none that runs, and says what was looked at.
pub fn find_maven(environment: &Environment) -> Result<Maven, MavenNotFound> {
    let mut rejected = Vec::new();
    for program in maven_programs(environment) {
        match version_of(&program, environment) {
            Ok(version) => return Ok(Maven { program, version }),
            Err(answer) => rejected.push(RejectedMaven { program, answer }),
        }
    }
    Err(MavenNotFound { searched: maven_search_places(environment), rejected })
}

const DEBIAN_HOME: &str = "usr/share/maven";

/// Every `mvn` of the machine, the preferred one first. None is tried, which would take as long as half a build.
#[must_use]
pub fn maven_programs(environment: &Environment) -> Vec<PathBuf> {
    let homes = [&environment.maven_home, &environment.m2_home];
    let mut programs: Vec<PathBuf> = homes.into_iter().flatten().map(|home| program_of(home)).collect();
    programs.extend(environment.programs_on_path("mvn"));
    programs.push(program_of(&environment.system_folder(DEBIAN_HOME)));
    programs.retain(|program| program.is_file());
    programs
}

fn program_of(home: &Path) -> PathBuf {
    let suffix = if env::consts::FAMILY == "windows" { ".cmd" } else { "" };
    home.join("bin").join(format!("mvn{suffix}"))
}

/// The places where Maven is looked for, for people.
#[must_use]
pub fn maven_search_places(environment: &Environment) -> Vec<String> {
    let variable = |name: &str, value: &Option<PathBuf>| match value {
        Some(home) => format!("{name} ({})", home.display()),
        None => format!("{name} (not set)"),
    };
    vec![
        variable("MAVEN_HOME", &environment.maven_home),
        variable("M2_HOME", &environment.m2_home),
        "mvn on the PATH".to_owned(),
        environment.system_folder(DEBIAN_HOME).display().to_string(),
    ]
}

/// Asks the program for its version; it is given a JDK, since it may be installed where no `java` is on the `PATH`.
fn version_of(program: &Path, environment: &Environment) -> Result<String, String> {
    let mut command = Command::new(program);
    command.args(["--batch-mode", "-version"]);
    if let Some(jdk) = all_jdks(environment).first() {
        command.env("JAVA_HOME", jdk.home());
    }
    let output = command.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    version_in_maven_output(&text).ok_or_else(|| {
        let said = format!("{text}{}", String::from_utf8_lossy(&output.stderr));
        said.trim().lines().next().unwrap_or("it printed nothing").to_owned()
    })
}
