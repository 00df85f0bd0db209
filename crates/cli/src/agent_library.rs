//! Where the agent's library is.
//!
//! A command that was built to be passed on carries the library and unpacks it once per machine and content; see
//! [`carried`]. One that was built for development has it beside itself or in `deps`
//! there, where cargo puts it.

use std::env;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::carried::{self, UnpackError};

/// The library that this command carries; the build script decides.
const CARRIED: Option<&[u8]> = include!(concat!(env!("OUT_DIR"), "/carried_library.rs"));

/// Why there is no library to give to a JVM.
#[derive(Debug)]
pub(crate) enum AgentLibraryError {
    /// The command carries none, and there is none at this place.
    NotThere(PathBuf),
    /// The command does not know where it is itself.
    UnknownPlace(io::Error),
    /// The command carries one that cannot be unpacked.
    NotUnpacked(UnpackError),
}

impl AgentLibraryError {
    /// What a person can do about it.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            AgentLibraryError::NotThere(_) => {
                Some("build it with `cargo build -p probity-agent`, in the same profile as this command")
            }
            AgentLibraryError::UnknownPlace(_) => None,
            AgentLibraryError::NotUnpacked(error) => Some(error.hint()),
        }
    }
}

impl fmt::Display for AgentLibraryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentLibraryError::NotThere(path) => {
                write!(f, "there is no agent: this command carries none, and {} is not there", path.display())
            }
            AgentLibraryError::UnknownPlace(error) => {
                write!(f, "there is no agent: this command does not know where it is: {error}")
            }
            AgentLibraryError::NotUnpacked(error) => write!(f, "there is no agent: {error}"),
        }
    }
}

/// The path of the library, unpacked if that is needed.
pub(crate) fn path() -> Result<PathBuf, AgentLibraryError> {
    match CARRIED {
        Some(content) => {
            carried::path("agent", &file_name(), content).map_err(AgentLibraryError::NotUnpacked)
        }
        None => {
            let command = env::current_exe().map_err(AgentLibraryError::UnknownPlace)?;
            beside(&command)
        }
    }
}

/// The library in the folder of the command, or in cargo's `deps` there. The latter comes first: each build renews it,
/// while one that is for tests alone leaves the other as it was, or does not make it at all.
fn beside(command: &Path) -> Result<PathBuf, AgentLibraryError> {
    let library = command.with_file_name(file_name());
    let newest = command.with_file_name("deps").join(file_name());
    [newest, library.clone()]
        .into_iter()
        .find(|path| path.is_file())
        .ok_or(AgentLibraryError::NotThere(library))
}

fn file_name() -> String {
    format!("{}probity_agent{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_beside_the_command_is_found() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let command = folder.path().join("probity");
        let error = beside(&command).expect_err("there is none");
        assert!(error.to_string().contains("probity_agent"), "{error}");
        let library = folder.path().join(file_name());
        std::fs::write(&library, b"library").expect("writes");
        assert_eq!(beside(&command).expect("is there"), library);
        let newest = folder.path().join("deps").join(file_name());
        std::fs::create_dir(folder.path().join("deps")).expect("makes a folder");
        std::fs::write(&newest, b"library").expect("writes");
        assert_eq!(beside(&command).expect("is there"), newest);
    }
}
