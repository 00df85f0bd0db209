//! The folder of one run: settings for the extension, and what it leaves behind.

use std::ffi::OsStr;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::description::TestExecution;
use super::{escaped, unescaped};

/// The environment variable that tells the extension where the folder is.
pub const VARIABLE: &str = "PROBITY_MAVEN_RUN";

/// How the names of the folders of executions begin.
const EXECUTION: &str = "execution-";

/// What the extension has to know.
#[derive(Debug)]
pub struct Settings<'a> {
    /// The agent's library.
    pub agent: &'a Path,
    /// Where to ask and the word that shows who asks; nothing if nobody answers.
    pub conversation: Option<(u16, &'a str)>,
    /// The extensions that the user loads.
    pub own_extensions: Option<&'a OsStr>,
}

/// Writes the settings. Only the user may read them.
///
/// # Errors
///
/// Fails if the file cannot be written, or if a path is no text.
pub fn write_settings(folder: &Path, settings: &Settings<'_>) -> io::Result<()> {
    let text = |value: &OsStr| {
        let error = || io::Error::new(io::ErrorKind::InvalidInput, "the path of the agent is no text");
        value.to_str().map(escaped).ok_or_else(error)
    };
    let mut lines = format!("agent={}\n", text(settings.agent.as_os_str())?);
    if let Some((port, token)) = settings.conversation {
        lines.push_str(&format!("port={port}\ntoken={token}\n"));
    }
    if let Some(own) = settings.own_extensions {
        lines.push_str(&format!("own-extensions={}\n", text(own)?));
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(folder.join("settings"))?.write_all(lines.as_bytes())
}

/// Whether Maven has loaded the extension.
#[must_use]
pub fn is_loaded(folder: &Path) -> bool {
    folder.join("loaded").is_file()
}

/// What the extension could not do, in words.
#[must_use]
pub fn problems(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("problems")).unwrap_or_default();
    text.lines().map(unescaped).collect()
}

/// The folders of executions that were described, by name.
#[must_use]
pub fn executions(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> =
        entries.map(|entry| entry.path()).filter(|path| is_execution(path)).collect();
    folders.sort_unstable();
    folders
}

fn is_execution(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str);
    name.is_some_and(|name| name.starts_with(EXECUTION)) && path.join("description").is_file()
}

/// The folder of an execution by its name; nothing if there is none.
#[must_use]
pub fn execution(folder: &Path, name: &str) -> Option<PathBuf> {
    let path = folder.join(name);
    (!name.contains(['/', '\\']) && is_execution(&path)).then_some(path)
}

/// Reads the description of an execution.
///
/// # Errors
///
/// Fails if it cannot be read.
pub fn describe(execution: &Path) -> io::Result<TestExecution> {
    Ok(TestExecution::parse(&fs::read_to_string(execution.join("description"))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_folders_of_executions_are_found() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path();
        for name in ["execution-1", "execution-2", "other"] {
            fs::create_dir(path.join(name)).expect("makes");
        }
        for name in ["execution-1", "other"] {
            fs::write(path.join(name).join("description"), "module=a:b\n").expect("writes");
        }
        assert_eq!(executions(path), [path.join("execution-1")]);
        assert_eq!(execution(path, "execution-1"), Some(path.join("execution-1")));
        for name in ["execution-2", "other", "execution-1/../other", ""] {
            assert_eq!(execution(path, name), None, "{name}");
        }
        assert_eq!(describe(&path.join("execution-1")).expect("reads").module, "a:b");
    }

    #[test]
    fn settings_are_lines() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let settings =
            Settings { agent: Path::new("/a\nb.so"), conversation: Some((7, "word")), own_extensions: None };
        write_settings(folder.path(), &settings).expect("writes");
        let text = fs::read_to_string(folder.path().join("settings")).expect("reads");
        assert_eq!(text, "agent=/a\\nb.so\nport=7\ntoken=word\n");
    }
}
