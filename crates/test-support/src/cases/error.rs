//! What can go wrong with a case, other than that its tests fail.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use super::case::Revision;
use crate::java::{JavaError, ProgramOutput};
use crate::maven::FetchError;

/// A case could not be read, compiled or run.
#[derive(Debug)]
pub enum CaseError {
    /// A file or folder could not be used.
    Io {
        /// What was being done.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A file is not a case.
    Syntax {
        /// The file.
        file: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: Problem,
    },
    /// A revision does not compile.
    DoesNotCompile {
        /// The case.
        case: String,
        /// The revision.
        revision: Revision,
        /// What the compiler said.
        messages: String,
    },
    /// The JVM ended before all tests had run.
    Incomplete {
        /// The case.
        case: String,
        /// The first test without a result.
        test: String,
        /// What the JVM printed.
        output: ProgramOutput,
    },
    /// The program that runs the tests wrote what it should not.
    BadResults {
        /// The case.
        case: String,
        /// The line that is not understood.
        line: String,
    },
    /// The JDK that a case is meant for is not installed.
    NoJdk {
        /// The case.
        case: String,
        /// The feature version of the JDK.
        version: u32,
    },
    /// The JVM that compiles does not answer.
    CompilerIsGone,
    /// A program in Java could not be compiled or run.
    Java(JavaError),
    /// JUnit could not be fetched.
    Fetch(FetchError),
}

/// What is wrong with a line of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// A line of the head has no key.
    NoKey,
    /// A key that cases do not have.
    UnknownKey(String),
    /// A key that may stand once stands again.
    Repeated(String),
    /// A key without which there is no case.
    Missing(&'static str),
    /// A value that its key cannot have.
    BadValue(String),
    /// A name that is not among the tests.
    NotATest(String),
    /// A test that both gives another result and need not run.
    MustRun(String),
    /// The head of a file that says something else than its path.
    BadFileHead(String),
    /// A path that leads out of the folder.
    BadPath(String),
    /// The same file twice in a revision.
    SecondFile(String),
    /// A deleted file that was not there.
    NothingToDelete(String),
    /// A file that the second revision does not change.
    Unchanged(String),
    /// Contents that are not Base64 although they should be.
    NotBase64(String),
}

impl CaseError {
    pub(super) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        CaseError::Io { action, path: path.to_owned(), source }
    }
}

impl fmt::Display for CaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CaseError::Io { action, path, source } => {
                write!(f, "cannot {action} {}: {source}", path.display())
            }
            CaseError::Syntax { file, line, problem } => write!(f, "{}:{line}: {problem}", file.display()),
            CaseError::DoesNotCompile { case, revision, messages } => {
                write!(f, "{case} does not compile ({revision:?}):\n{messages}")
            }
            CaseError::Incomplete { case, test, output } => {
                write!(f, "{case}: the JVM ended before {test} had a result\n{output}")
            }
            CaseError::BadResults { case, line } => write!(f, "{case}: not a result: {line}"),
            CaseError::NoJdk { case, version } => write!(f, "{case} needs a JDK {version}: install one"),
            CaseError::CompilerIsGone => f.write_str("the JVM that compiles cases ended or does not answer"),
            CaseError::Java(error) => error.fmt(f),
            CaseError::Fetch(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::NoKey => f.write_str("expected `key: value` or `=== file`"),
            Problem::UnknownKey(key) => write!(f, "there is no key `{key}`"),
            Problem::Repeated(key) => write!(f, "`{key}` stands twice"),
            Problem::Missing(key) => write!(f, "`{key}` is missing"),
            Problem::BadValue(value) => write!(f, "`{value}` cannot stand here"),
            Problem::NotATest(name) => write!(f, "`{name}` is not among the tests"),
            Problem::MustRun(name) => write!(f, "`{name}` gives another result and so must run"),
            Problem::BadFileHead(words) => write!(f, "expected `=== [after] PATH [how]`, not `{words}`"),
            Problem::BadPath(path) => write!(f, "`{path}` is not a path inside the folder of the case"),
            Problem::SecondFile(path) => write!(f, "`{path}` stands twice"),
            Problem::NothingToDelete(path) => write!(f, "`{path}` is deleted but was not there"),
            Problem::Unchanged(path) => write!(f, "`{path}` is the same after as before"),
            Problem::NotBase64(path) => write!(f, "the contents of `{path}` are not Base64"),
        }
    }
}

impl Error for CaseError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            CaseError::Io { source, .. } => Some(source),
            CaseError::Java(error) => Some(error),
            CaseError::Fetch(error) => Some(error),
            _ => None,
        }
    }
}

impl From<JavaError> for CaseError {
    fn from(error: JavaError) -> Self {
        CaseError::Java(error)
    }
}

impl From<FetchError> for CaseError {
    fn from(error: FetchError) -> Self {
        CaseError::Fetch(error)
    }
}
