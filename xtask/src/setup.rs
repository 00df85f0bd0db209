//! Makes sure that the machine has the tools that the commands need: a JDK and, for tests, Maven, a browser and readers
//! of reports.
//!
//! Missing tools are installed where that needs no question: on Debian and Ubuntu, as root or with a `sudo` that asks
//! for no password. Everywhere else the message says exactly what to install. Nothing else of the machine may be touched.

use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};

use probity_test_support::browser;
use probity_test_support::java::{TESTED_VERSIONS, installed_jdks};
use probity_toolchain::{Environment, Jdk, best_jdk, find_maven};

use crate::failure::Failure;
use crate::processes;

/// The oldest JDK that the commands work with.
pub(crate) const OLDEST_JDK: u32 = 17;

/// A tool that a command needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tool {
    /// A JDK with its compiler.
    Jdk,
    /// Maven.
    Maven,
    /// A browser and what drives it.
    Browser,
    /// LCOV's own programs, which read what we write in its format.
    Lcov,
    /// A validator of XML.
    Xmllint,
}

/// Everything that the tests need.
pub(crate) const FOR_TESTS: &[Tool] = &[Tool::Jdk, Tool::Maven, Tool::Browser, Tool::Lcov, Tool::Xmllint];

impl Tool {
    fn debian_packages(self) -> &'static [&'static str] {
        match self {
            Tool::Jdk => &["openjdk-17-jdk-headless"],
            Tool::Maven => &["maven"],
            Tool::Browser => &["chromium", "chromium-driver"],
            Tool::Lcov => &["lcov"],
            Tool::Xmllint => &["libxml2-utils"],
        }
    }

    /// Looks for the tool; the error says where.
    fn look_for(self, environment: &Environment) -> Result<String, String> {
        match self {
            Tool::Jdk => best_jdk(environment, OLDEST_JDK)
                .map(|jdk| jdk.to_string())
                .map_err(|error| error.to_string()),
            Tool::Maven => {
                find_maven(environment).map(|maven| maven.to_string()).map_err(|error| error.to_string())
            }
            Tool::Browser => programs(&browser::PROGRAMS, environment),
            Tool::Lcov => programs(&["lcov", "genhtml"], environment),
            Tool::Xmllint => programs(&["xmllint"], environment),
        }
    }
}

/// Where some programs are on the path.
fn programs(names: &[&str], environment: &Environment) -> Result<String, String> {
    let mut found = Vec::new();
    for name in names {
        match environment.programs_on_path(name).first() {
            Some(program) => found.push(program.display().to_string()),
            None => return Err(format!("no {name} found: it is in no folder of PATH")),
        }
    }
    Ok(found.join(" and "))
}

/// Tools are missing and could not be installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct MissingTools {
    /// For each tool what was looked for and where.
    pub(crate) reasons: Vec<String>,
    /// The packages of Debian and Ubuntu that have them.
    pub(crate) packages: Vec<&'static str>,
}

impl fmt::Display for MissingTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for reason in &self.reasons {
            writeln!(f, "{reason}")?;
        }
        writeln!(f, "install them and run the command again:")?;
        writeln!(f, "  Debian, Ubuntu:  sudo apt-get install {}", self.packages.join(" "))?;
        write!(
            f,
            "  elsewhere:       any JDK {OLDEST_JDK} or newer (set JAVA_HOME to it), Maven 3.6.3 or newer, and for \
             tests Chromium with chromedriver, lcov and xmllint"
        )
    }
}

/// Finds the tools, installs what is missing if that is possible without a question, and says what there is.
pub(crate) fn ensure(tools: &[Tool]) -> Result<(), Failure> {
    let environment = Environment::of_this_process();
    if let Err(missing) = look_for(tools, &environment) {
        let Some(installer) = Installer::of_this_machine() else {
            return Err(missing.into());
        };
        eprintln!("missing and about to be installed: {}", missing.packages.join(" "));
        installer.install(&missing.packages)?;
    }
    for found in look_for(tools, &environment)? {
        eprintln!("found {found}");
    }
    for line in report_on_tested_jdks(&installed_jdks()) {
        eprintln!("{line}");
    }
    Ok(())
}

fn look_for(tools: &[Tool], environment: &Environment) -> Result<Vec<String>, MissingTools> {
    let mut found = Vec::new();
    let mut missing = MissingTools { reasons: Vec::new(), packages: Vec::new() };
    for tool in tools {
        match tool.look_for(environment) {
            Ok(description) => found.push(description),
            Err(reason) => {
                missing.reasons.push(reason);
                missing.packages.extend(tool.debian_packages());
            }
        }
    }
    if missing.reasons.is_empty() { Ok(found) } else { Err(missing) }
}

/// For each JDK version that tests are meant for, whether it is there.
fn report_on_tested_jdks(installed: &[Jdk]) -> Vec<String> {
    let line = |version| match installed.iter().find(|jdk| jdk.feature_version() == version) {
        Some(jdk) => format!("checks run on JDK {version} ({})", jdk.home().display()),
        None => format!("JDK {version} is not installed: checks on it are not run"),
    };
    TESTED_VERSIONS.into_iter().map(line).collect()
}

/// The way to install packages without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Installer {
    AptGet,
    SudoAptGet,
}

impl Installer {
    fn of_this_machine() -> Option<Self> {
        if !Path::new("/usr/bin/apt-get").is_file() {
            None
        } else if is_root() {
            Some(Installer::AptGet)
        } else if succeeds(Command::new("sudo").args(["-n", "true"])) {
            Some(Installer::SudoAptGet)
        } else {
            None
        }
    }

    fn install(self, packages: &[&str]) -> Result<(), Failure> {
        processes::run(self.command(&["update"]))?;
        processes::run(self.command(&[&["install", "--yes", "--no-install-recommends"], packages].concat()))
    }

    fn command(self, arguments: &[&str]) -> Command {
        let mut command = match self {
            Installer::AptGet => Command::new("env"),
            Installer::SudoAptGet => {
                let mut sudo = Command::new("sudo");
                sudo.args(["-n", "env"]);
                sudo
            }
        };
        command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]).args(arguments);
        command
    }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn succeeds(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn what_is_missing_is_named_with_its_package() {
        let nowhere = Environment { root: PathBuf::from("/no/such/root"), ..Environment::default() };
        let missing =
            look_for(&[Tool::Jdk, Tool::Maven, Tool::Browser], &nowhere).expect_err("there is nothing");
        assert_eq!(missing.packages, ["openjdk-17-jdk-headless", "maven", "chromium", "chromium-driver"]);
        let text = missing.to_string();
        assert!(text.contains("no JDK 17 or newer") && text.contains("no Maven found"), "{text}");
        assert!(text.contains("no chromedriver found"), "{text}");
        assert!(text.contains("apt-get install openjdk-17-jdk-headless maven chromium"), "{text}");
    }

    #[test]
    fn absent_jdks_are_reported_as_not_checked() {
        let lines = report_on_tested_jdks(&[]);
        assert_eq!(lines[0], "JDK 17 is not installed: checks on it are not run");
        assert_eq!(lines[1], "JDK 25 is not installed: checks on it are not run");
    }

    #[test]
    fn packages_are_installed_without_questions() {
        let command = Installer::SudoAptGet.command(&["install", "--yes", "maven"]);
        let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
        assert_eq!(command.get_program(), "sudo");
        assert_eq!(
            words,
            ["-n", "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", "--yes", "maven"]
        );
    }
}
