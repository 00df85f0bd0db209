//! Writes files whole or not at all.
//!
//! A file is written beside its place and then moved there, so that nobody ever sees a part of it: not after a full
//! disk, not after a crash. Nothing is deleted but what was written here.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

/// Why a file was not written.
#[derive(Debug)]
pub(crate) struct WriteError {
    /// The file that was to be written.
    pub(crate) path: PathBuf,
    pub(crate) kind: WriteErrorKind,
}

/// The ways in which writing can fail.
#[derive(Debug)]
pub(crate) enum WriteErrorKind {
    /// It is there already and may not be replaced.
    Exists,
    /// The operating system refused.
    Io(io::Error),
}

impl WriteError {
    /// What a person can do about it.
    pub(crate) fn hint(&self) -> &'static str {
        match &self.kind {
            WriteErrorKind::Exists => "give another folder, or --force to replace what is there",
            WriteErrorKind::Io(_) => "check that the folder can be written by the current user",
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            WriteErrorKind::Exists => write!(f, "{}: exists already", self.path.display()),
            WriteErrorKind::Io(error) => write!(f, "{}: cannot be written: {error}", self.path.display()),
        }
    }
}

/// Fails if the file exists.
pub(crate) fn check_absent(path: &Path) -> Result<(), WriteError> {
    match fs::symlink_metadata(path) {
        Ok(_) => Err(WriteError { path: path.to_owned(), kind: WriteErrorKind::Exists }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(WriteError { path: path.to_owned(), kind: WriteErrorKind::Io(error) }),
    }
}

/// Writes a file, with the folders that it needs, in place of one that may be there.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    let failed = |error| WriteError { path: path.to_owned(), kind: WriteErrorKind::Io(error) };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    let beside = beside(path);
    let written = write_new(&beside, content).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // The first error is the one to tell; a file that was never made cannot be removed.
        let _: io::Result<()> = fs::remove_file(&beside);
    }
    written.map_err(failed)
}

/// A name that no other process writes to, in the same folder.
fn beside(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.partial", process::id()));
    path.with_file_name(name)
}

fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file: File = OpenOptions::new().write(true).create(true).truncate(true).open(path)?;
    file.write_all(content)?;
    file.sync_data()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("is a folder");
        entries.map(|entry| entry.expect("is listed").file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn files_are_written_with_their_folders_and_replaced() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("a/b/C.class");
        check_absent(&path).expect("is not there");
        write_whole(&path, b"old").expect("writes");
        write_whole(&path, b"new").expect("replaces");
        assert_eq!(fs::read(&path).expect("is there"), b"new");
        assert_eq!(names(&folder.path().join("a/b")), ["C.class"]);
        let error = check_absent(&path).expect_err("is there");
        assert!(error.to_string().ends_with("C.class: exists already"), "{error}");
    }

    #[test]
    fn a_failure_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("taken");
        fs::create_dir_all(path.join("by a folder")).expect("creates");
        let error = write_whole(&path, b"new").expect_err("a folder is in its place");
        assert!(error.to_string().contains("taken: cannot be written"), "{error}");
        assert_eq!(names(folder.path()), ["taken"]);
    }
}
