//! Why a command failed, and the exit code that tells.
//!
//! Usage errors end with 2, which is what the argument parser uses; nothing here may use that code.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use probity_test_support::java::JavaError;
use probity_test_support::maven::FetchError;

use crate::setup::MissingTools;

/// A command could not do what it is for.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A program ended with an error, which it has told itself.
    Program {
        /// The command line.
        command: String,
    },
    /// A program could not be started.
    CannotRun {
        /// The command line.
        command: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// A file or folder of the repository could not be read.
    Unreadable {
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A file of the repository could not be written.
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// What cargo says about the workspace could not be understood.
    Metadata(serde_json::Error),
    /// What a program printed could not be understood.
    Answer {
        /// The command line.
        command: String,
        /// Why.
        source: serde_json::Error,
    },
    /// Classes of the corpus did not come out as they went in; they have been listed.
    Corpus {
        /// How many sources they are in.
        failed: usize,
    },
    /// The repository breaks rules of its structure, which have been listed.
    Untidy {
        /// How many.
        errors: usize,
    },
    /// What was built does not do what it should.
    Unexpected(String),
    /// A Java program could not be compiled or run.
    Java(JavaError),
    /// Artifacts could not be fetched.
    Fetch(FetchError),
    /// A tool of the machine is missing.
    Tools(MissingTools),
    /// A step of several failed.
    Step {
        /// Its name.
        name: String,
        /// How to run it alone.
        alone: String,
        /// Why.
        cause: Box<Failure>,
    },
    /// A failure that has been printed already, because something else had to be printed after it.
    AlreadyTold(Box<Failure>),
}

const FAILED: u8 = 1;
const TOOLS_MISSING: u8 = 3;

impl Failure {
    /// 3 when tools have to be installed first, 1 for everything else.
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code())
    }

    /// Whether the reader has yet to hear of it.
    pub(crate) fn is_to_be_told(&self) -> bool {
        !matches!(self, Failure::AlreadyTold(_))
    }

    fn code(&self) -> u8 {
        match self {
            Failure::Tools(_) => TOOLS_MISSING,
            Failure::Step { cause, .. } | Failure::AlreadyTold(cause) => cause.code(),
            _ => FAILED,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Program { command } => write!(f, "`{command}` failed"),
            Failure::CannotRun { command, source } => write!(f, "cannot run `{command}`: {source}"),
            Failure::Unreadable { path, source } => write!(f, "cannot read {}: {source}", path.display()),
            Failure::Unwritable { path, source } => write!(f, "cannot write {}: {source}", path.display()),
            Failure::Answer { command, source } => {
                write!(f, "`{command}` says something unexpected: {source}")
            }
            Failure::Corpus { failed } => {
                write!(f, "{failed} sources of the corpus have classes that fail, listed above")
            }
            Failure::Metadata(error) => write!(f, "`cargo metadata` says something unexpected: {error}"),
            Failure::Untidy { errors } => {
                write!(f, "the repository breaks {errors} of its rules, listed above")
            }
            Failure::Unexpected(what) => f.write_str(what),
            Failure::Java(error) => error.fmt(f),
            Failure::Fetch(error) => error.fmt(f),
            Failure::Tools(missing) => missing.fmt(f),
            Failure::AlreadyTold(failure) => failure.fmt(f),
            Failure::Step { name, alone, cause } => {
                write!(f, "step {name} failed: {cause}\n(to run it alone: {alone})")
            }
        }
    }
}

impl From<FetchError> for Failure {
    fn from(error: FetchError) -> Self {
        Failure::Fetch(error)
    }
}

impl From<JavaError> for Failure {
    fn from(error: JavaError) -> Self {
        Failure::Java(error)
    }
}

impl From<MissingTools> for Failure {
    fn from(missing: MissingTools) -> Self {
        Failure::Tools(missing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_tools_have_a_code_of_their_own_even_inside_a_step() {
        let tools = || Failure::Tools(MissingTools { reasons: Vec::new(), packages: Vec::new() });
        let step = Failure::Step { name: "x".to_owned(), alone: "y".to_owned(), cause: Box::new(tools()) };
        assert_eq!((tools().code(), step.code()), (TOOLS_MISSING, TOOLS_MISSING));
        assert_eq!(Failure::AlreadyTold(Box::new(step)).code(), TOOLS_MISSING);
        assert_eq!(Failure::Untidy { errors: 1 }.code(), FAILED);
    }
}
