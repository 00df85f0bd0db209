//! The part of the environment that decides which tools are found.
//!
//! It is a value so that tests can describe a machine with a few folders. Only [`Environment::of_this_process`] may
//! read process state, and nothing here may write any.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The variables and folders that the search for tools depends on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Environment {
    /// `JAVA_HOME`: the JDK that the user asks for.
    pub java_home: Option<PathBuf>,
    /// `MAVEN_HOME`: the Maven that the user asks for.
    pub maven_home: Option<PathBuf>,
    /// `M2_HOME`: the older name of `MAVEN_HOME`.
    pub m2_home: Option<PathBuf>,
    /// `PATH`: the folders in which programs are looked up by name.
    pub path: Option<OsString>,
    /// The user's home folder.
    pub home: Option<PathBuf>,
    /// The folder that stands for `/` when the usual folders of an operating system are looked at.
    pub root: PathBuf,
}

impl Environment {
    /// Reads the environment of the running process.
    #[must_use]
    pub fn of_this_process() -> Self {
        Environment {
            java_home: folder_variable("JAVA_HOME"),
            maven_home: folder_variable("MAVEN_HOME"),
            m2_home: folder_variable("M2_HOME"),
            path: env::var_os("PATH"),
            home: folder_variable("HOME").or_else(|| folder_variable("USERPROFILE")),
            root: PathBuf::from("/"),
        }
    }

    /// All programs of this name in the folders of `PATH`, in their order.
    #[must_use]
    pub fn programs_on_path(&self, name: &str) -> Vec<PathBuf> {
        let file_name = format!("{name}{}", env::consts::EXE_SUFFIX);
        let path = self.path.as_deref().unwrap_or(OsStr::new(""));
        env::split_paths(path)
            .filter(|folder| !folder.as_os_str().is_empty())
            .map(|folder| folder.join(&file_name))
            .filter(|program| program.is_file())
            .collect()
    }

    /// A folder of the operating system, given relative to the root.
    pub(crate) fn system_folder(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// A folder of the user, given relative to the home folder.
    pub(crate) fn user_folder(&self, relative: &str) -> Option<PathBuf> {
        self.home.as_ref().map(|home| home.join(relative))
    }
}

/// The folders inside a folder, by name; none where it does not exist or cannot be read.
pub(crate) fn folders_in(parent: &Path) -> Vec<PathBuf> {
    let Ok(entries) = parent.read_dir() else {
        return Vec::new();
    };
    let mut folders: Vec<PathBuf> =
        entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| path.is_dir()).collect();
    folders.sort();
    folders
}

/// The value of a variable that names a folder; an empty value counts as unset, as shells leave them behind.
fn folder_variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from)
}
