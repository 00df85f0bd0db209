//! What can go wrong when artifacts are fetched, said so that the reader knows what to do.
//!
//! The text is the whole message; callers must not have to add to it.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

use probity_toolchain::MavenNotFound;

use super::coordinates::{BadCoordinates, Coordinates};
use crate::cache::NoCacheFolder;

/// Artifacts are not there and could not be fetched.
#[derive(Debug)]
pub enum FetchError {
    /// A name is malformed.
    BadCoordinates(BadCoordinates),
    /// There is no place for the cache.
    NoCacheFolder(NoCacheFolder),
    /// Artifacts are missing and there is no Maven to fetch them.
    NoMaven {
        /// What is missing.
        missing: Vec<Coordinates>,
        /// Where Maven was looked for.
        reason: MavenNotFound,
    },
    /// A file or folder of the cache could not be used.
    Io {
        /// What was being done.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// Maven ran and failed.
    MavenFailed {
        /// What it should have fetched.
        missing: Vec<Coordinates>,
        /// The end of what it printed.
        output: String,
    },
    /// Maven ran without an error, and yet a jar is not there.
    NotDelivered(Coordinates),
}

const WHAT_TO_DO: &str = "run `cargo xtask fetch` once while Maven can reach its repository; afterwards the network is \
                          not needed";

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FetchError::BadCoordinates(error) => error.fmt(f),
            FetchError::NoCacheFolder(error) => error.fmt(f),
            FetchError::NoMaven { missing, reason } => {
                write!(f, "{} to be fetched, but {reason}\ninstall Maven, then {WHAT_TO_DO}", list(missing))
            }
            FetchError::Io { action, path, source } => {
                write!(f, "cannot {action} {}: {source}", path.display())
            }
            FetchError::MavenFailed { missing, output } => {
                write!(f, "Maven could not fetch {}; {WHAT_TO_DO}. Maven said:\n{output}", list(missing))
            }
            FetchError::NotDelivered(coordinates) => {
                write!(f, "Maven reported no error but did not deliver {coordinates}")
            }
        }
    }
}

impl Error for FetchError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            FetchError::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

impl From<BadCoordinates> for FetchError {
    fn from(error: BadCoordinates) -> Self {
        FetchError::BadCoordinates(error)
    }
}

impl From<NoCacheFolder> for FetchError {
    fn from(error: NoCacheFolder) -> Self {
        FetchError::NoCacheFolder(error)
    }
}

fn list(coordinates: &[Coordinates]) -> String {
    let names: Vec<String> = coordinates.iter().map(ToString::to_string).collect();
    names.join(", ")
}
