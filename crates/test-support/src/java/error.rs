//! What can go wrong around a Java program, other than what the program itself does.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use super::run::ProgramOutput;

/// A Java program could not be compiled or run.
#[derive(Debug)]
pub enum JavaError {
    /// A file, folder or program could not be used.
    Io {
        /// What was being done.
        action: &'static str,
        /// The file, folder or program.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The compiler found errors.
    DoesNotCompile {
        /// What the compiler said.
        messages: String,
    },
    /// The program did not end within its limit and was killed.
    TimedOut {
        /// What ran.
        program: String,
        /// The limit.
        limit: Duration,
        /// What it had printed by then.
        output: ProgramOutput,
    },
    /// The program ended with a code other than 0, where success was asked for.
    Failed {
        /// What ran.
        program: String,
        /// What it printed, and its code.
        output: ProgramOutput,
    },
}

impl fmt::Display for JavaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JavaError::Io { action, path, source } => {
                write!(f, "cannot {action} {}: {source}", path.display())
            }
            JavaError::DoesNotCompile { messages } => {
                write!(f, "the Java sources do not compile:\n{messages}")
            }
            JavaError::TimedOut { program, limit, output } => {
                write!(f, "{program} was killed after {limit:?}\n{output}")
            }
            JavaError::Failed { program, output } => write!(f, "{program} failed\n{output}"),
        }
    }
}

impl Error for JavaError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            JavaError::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
