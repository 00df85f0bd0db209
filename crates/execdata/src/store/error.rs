//! Why execution data cannot be added up.

use std::error::Error;
use std::fmt;

use crate::format::ReadError;

/// Two classes with the same id that are not the same class.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum MergeError {
    /// They have different names.
    DifferentNames {
        /// The id.
        id: u64,
        /// The name of the class that was there.
        kept: String,
        /// The name of the other.
        other: String,
    },
    /// They have different numbers of probes.
    DifferentLengths {
        /// The id.
        id: u64,
        /// The name of both.
        name: String,
        /// How many probes the class has that was there.
        kept: usize,
        /// How many the other has.
        other: usize,
    },
}

/// A file that cannot be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadError {
    /// It cannot be read.
    Read(ReadError),
    /// A class in it is another one than that with the same id before.
    Merge {
        /// Where the class starts.
        offset: u64,
        /// What is different.
        error: MergeError,
    },
}

impl MergeError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        "the data comes from different tools or is damaged; record it again with one tool"
    }
}

impl LoadError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            LoadError::Read(error) => error.hint(),
            LoadError::Merge { error, .. } => error.hint(),
        }
    }
}

impl fmt::Display for MergeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MergeError::DifferentNames { id, kept, other } => {
                write!(f, "different classes with the id {id:016x}: {kept} and {other}")
            }
            MergeError::DifferentLengths { id, name, kept, other } => {
                write!(f, "different classes {name} with the id {id:016x}: {kept} and {other} probes")
            }
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Read(error) => write!(f, "{error}"),
            LoadError::Merge { offset, error } => write!(f, "{error} (byte {offset})"),
        }
    }
}

impl Error for MergeError {}

impl Error for LoadError {}

impl From<ReadError> for LoadError {
    fn from(error: ReadError) -> LoadError {
        LoadError::Read(error)
    }
}
