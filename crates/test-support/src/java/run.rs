//! Runs Java programs, and keeps what they print.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use probity_toolchain::Jdk;

use super::error::JavaError;
use crate::process;

const DEFAULT_TIME_LIMIT: Duration = Duration::from_secs(120);

/// A Java program to be run.
#[derive(Debug, Clone)]
pub struct Program<'a> {
    jdk: &'a Jdk,
    main_class: String,
    class_path: Vec<PathBuf>,
    jvm_arguments: Vec<OsString>,
    arguments: Vec<OsString>,
    working_folder: Option<PathBuf>,
    environment: Vec<(OsString, OsString)>,
    time_limit: Duration,
}

impl<'a> Program<'a> {
    /// The program with this main class, such as `org.example.Main`; it is killed if it takes longer than two minutes.
    #[must_use]
    pub fn with(jdk: &'a Jdk, main_class: &str) -> Self {
        Program {
            jdk,
            main_class: main_class.to_owned(),
            class_path: Vec::new(),
            jvm_arguments: Vec::new(),
            arguments: Vec::new(),
            working_folder: None,
            environment: Vec::new(),
            time_limit: DEFAULT_TIME_LIMIT,
        }
    }

    /// Adds jars or folders to the class path.
    #[must_use]
    pub fn class_path<P: Into<PathBuf>>(mut self, entries: impl IntoIterator<Item = P>) -> Self {
        self.class_path.extend(entries.into_iter().map(Into::into));
        self
    }

    /// Adds an argument for the JVM, such as `-Xverify:all`.
    #[must_use]
    pub fn jvm_argument(mut self, argument: impl Into<OsString>) -> Self {
        self.jvm_arguments.push(argument.into());
        self
    }

    /// Adds an argument for the program.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// Sets the folder in which the program runs, instead of that of this process.
    #[must_use]
    pub fn working_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.working_folder = Some(folder.into());
        self
    }

    /// Sets a variable of the environment, beside those of this process.
    #[must_use]
    pub fn environment(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Sets the time after which the program is killed.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// Runs the program, whatever its exit code will be.
    ///
    /// # Errors
    ///
    /// Fails when the JVM cannot be started or the program takes too long.
    pub fn run(&self) -> Result<ProgramOutput, JavaError> {
        let java = self.jdk.java();
        let mut command = Command::new(&java);
        command.args(&self.jvm_arguments).arg("-classpath").arg(joined_class_path(&self.class_path));
        command.arg(&self.main_class).args(&self.arguments);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        if let Some(folder) = &self.working_folder {
            command.current_dir(folder);
        }
        let captured = process::run(&mut command, self.time_limit).map_err(|source| JavaError::Io {
            action: "run",
            path: java,
            source,
        })?;
        let exit_code = captured.status.and_then(|status| status.code());
        let output = ProgramOutput { exit_code, stdout: captured.stdout, stderr: captured.stderr };
        if captured.status.is_none() {
            return Err(JavaError::TimedOut { program: self.to_string(), limit: self.time_limit, output });
        }
        Ok(output)
    }

    /// Runs the program, which must end with exit code 0.
    ///
    /// # Errors
    ///
    /// As [`Program::run`], and when the program ends in any other way.
    pub fn run_successfully(&self) -> Result<ProgramOutput, JavaError> {
        let output = self.run()?;
        if output.exit_code == Some(0) {
            return Ok(output);
        }
        Err(JavaError::Failed { program: self.to_string(), output })
    }
}

impl fmt::Display for Program<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on JDK {}", self.main_class, self.jdk.version())
    }
}

/// What a program printed, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramOutput {
    /// The exit code; none when a signal ended the program.
    pub exit_code: Option<i32>,
    /// What it printed on standard output.
    pub stdout: String,
    /// What it printed on standard error.
    pub stderr: String,
}

impl fmt::Display for ProgramOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exit_code {
            Some(code) => writeln!(f, "exit code {code}")?,
            None => writeln!(f, "ended by a signal")?,
        }
        write!(f, "standard output:\n{}\nstandard error:\n{}", self.stdout, self.stderr)
    }
}

/// One argument for the class path. An entry that contains the separator itself cannot be expressed; none is given then,
/// and the JVM will say which class it does not find.
pub(crate) fn joined_class_path(entries: &[PathBuf]) -> OsString {
    env::join_paths(entries).unwrap_or_default()
}
