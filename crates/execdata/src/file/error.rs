//! Why an exec file cannot be used.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::store::LoadError;

/// An exec file that cannot be used.
#[derive(Debug)]
pub struct ExecFileError {
    /// The file, or a folder above it.
    pub path: PathBuf,
    /// Why.
    pub kind: ExecFileErrorKind,
}

/// Why an exec file cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExecFileErrorKind {
    /// The system does not allow it.
    Io {
        /// What was tried, such as `open`.
        action: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// It could not be written to the end, and what was written could not be taken back.
    HalfWritten {
        /// What the system said when writing.
        source: io::Error,
    },
    /// What is in it cannot be used.
    Content(LoadError),
}

impl ExecFileError {
    /// A file whose content cannot be used.
    pub fn content(path: &Path, error: impl Into<LoadError>) -> Self {
        ExecFileError { path: path.to_owned(), kind: ExecFileErrorKind::Content(error.into()) }
    }

    pub(super) fn io(path: &Path, action: &'static str, source: io::Error) -> Self {
        ExecFileError { path: path.to_owned(), kind: ExecFileErrorKind::Io { action, source } }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match &self.kind {
            ExecFileErrorKind::Content(error) => Some(error.hint()),
            ExecFileErrorKind::HalfWritten { .. } => {
                Some("the file now ends in an incomplete block; delete it and record again")
            }
            ExecFileErrorKind::Io { source, .. } => match source.kind() {
                io::ErrorKind::NotFound => Some("check the path; relative paths start at the current folder"),
                io::ErrorKind::PermissionDenied => Some("check the permissions of the file and its folder"),
                io::ErrorKind::IsADirectory => Some("give the path of a file, not of a folder"),
                io::ErrorKind::StorageFull | io::ErrorKind::FileTooLarge | io::ErrorKind::QuotaExceeded => {
                    Some("make room on the disk; what was in the file before is still there")
                }
                _ => None,
            },
        }
    }
}

impl fmt::Display for ExecFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.kind)
    }
}

impl fmt::Display for ExecFileErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExecFileErrorKind::Io { action: "read", source } if source.kind() == io::ErrorKind::NotFound => {
                write!(f, "no such file")
            }
            ExecFileErrorKind::Io { action, source } => write!(f, "cannot {action}: {source}"),
            ExecFileErrorKind::HalfWritten { source } => write!(f, "only partly written: {source}"),
            ExecFileErrorKind::Content(error) => write!(f, "{error}"),
        }
    }
}

impl Error for ExecFileError {}
