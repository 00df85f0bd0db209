//! Where the agent's library is.
//!
//! A command that was built to be passed on carries the library and unpacks it once per machine and content; see
//! [`cache`]. One that was built for development has it beside itself or in `deps`
//! there, where cargo puts it.

mod cache;

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The library that this command carries; the build script decides.
const CARRIED: Option<&[u8]> = include!(concat!(env!("OUT_DIR"), "/carried_library.rs"));

/// Why there is no library to give to a JVM.
#[derive(Debug)]
pub(crate) enum AgentLibraryError {
    /// The command carries none, and there is none at this place.
    NotThere(PathBuf),
    /// The command does not know where it is itself.
    UnknownPlace(io::Error),
    /// There is no place to unpack it to.
    NoCacheFolder,
    /// Everybody could change what is in this folder.
    OpenToAll(PathBuf),
    /// The operating system refused something about this file or folder.
    Io(PathBuf, io::Error),
}

impl AgentLibraryError {
    /// What a person can do about it.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            AgentLibraryError::NotThere(_) => {
                Some("build it with `cargo build -p probity-agent`, in the same profile as this command")
            }
            AgentLibraryError::UnknownPlace(_) => None,
            AgentLibraryError::NoCacheFolder => Some("set XDG_CACHE_HOME or HOME to an absolute path"),
            AgentLibraryError::OpenToAll(_) => Some("take the right to write away from others: chmod o-w"),
            AgentLibraryError::Io(..) => Some("check that the folder can be written by the current user"),
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
            AgentLibraryError::NoCacheFolder => f.write_str("there is no place to unpack the agent to"),
            AgentLibraryError::OpenToAll(folder) => {
                write!(f, "{}: everybody may write here, so the agent is not unpacked", folder.display())
            }
            AgentLibraryError::Io(path, error) => {
                write!(f, "{}: the agent cannot be unpacked: {error}", path.display())
            }
        }
    }
}

/// The path of the library, unpacked if that is needed.
pub(crate) fn path() -> Result<PathBuf, AgentLibraryError> {
    match CARRIED {
        Some(content) => cache::unpack(&cache_folder(|name| env::var_os(name))?, &file_name(), content),
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

/// The product's cache folder: `XDG_CACHE_HOME/probity`, else `~/.cache/probity`. Relative paths do not count, as the
/// standard of that variable has it: they would mean another folder for each working folder.
fn cache_folder(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, AgentLibraryError> {
    let folder = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    folder("XDG_CACHE_HOME")
        .or_else(|| folder("HOME").map(|home| home.join(".cache")))
        .map(|cache| cache.join("probity"))
        .ok_or(AgentLibraryError::NoCacheFolder)
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

    #[test]
    fn the_cache_is_where_the_standard_says() {
        let with = |variables: &[(&str, &str)]| {
            let value = |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| value);
            cache_folder(|name| value(name).map(OsString::from)).ok()
        };
        let both = [("XDG_CACHE_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(with(&both), Some(PathBuf::from("/x/probity")));
        assert_eq!(with(&both[1..]), Some(PathBuf::from("/h/.cache/probity")));
        assert_eq!(
            with(&[("XDG_CACHE_HOME", "x"), ("HOME", "/h")]),
            Some(PathBuf::from("/h/.cache/probity"))
        );
        assert_eq!(with(&[("XDG_CACHE_HOME", ""), ("HOME", "")]), None);
    }
}
