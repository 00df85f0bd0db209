//! Writes files whole or not at all.
//!
//! A file is written beside its place and then moved there, so that nobody ever sees a part of it: not after a full
//! disk, not after a crash of this program. Nothing is deleted but what was written here. What is written can be made again, so nobody
//! waits for the disk: if the machine itself stops in that second, it is up to its file system what is there.

use std::fmt;
use std::fs::{self, File};
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
    /// A folder with something else in it is in its place.
    Foreign,
    /// The operating system refused.
    Io(io::Error),
}

impl WriteError {
    /// What a person can do about it.
    pub(crate) fn hint(&self) -> &'static str {
        match &self.kind {
            WriteErrorKind::Exists => "give another folder, or --force to replace what is there",
            WriteErrorKind::Foreign => {
                "give an empty folder, or one that does not exist; nothing was deleted"
            }
            WriteErrorKind::Io(error) if error.kind() == io::ErrorKind::IsADirectory => {
                "give the path of a file, not of a folder"
            }
            WriteErrorKind::Io(error) if error.kind() == io::ErrorKind::NotADirectory => {
                "give the path of a folder, not of a file"
            }
            WriteErrorKind::Io(_) => "check that the folder can be written by the current user",
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            WriteErrorKind::Exists => write!(f, "{}: exists already", self.path.display()),
            WriteErrorKind::Foreign => {
                write!(f, "{}: the folder has other files than a report of this program", self.path.display())
            }
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
    Staged::written(path, &mut |file| file.write_all(content))?.move_into_place()
}

/// Something that is written beside its place and can be moved there. If it is dropped instead, it is gone.
#[derive(Debug)]
pub(crate) struct Staged {
    place: PathBuf,
    beside: PathBuf,
    is_folder: bool,
}

impl Staged {
    /// A file that `write` fills, beside its place, with the folders that it needs.
    pub(crate) fn written(
        place: &Path,
        write: &mut dyn FnMut(&mut File) -> io::Result<()>,
    ) -> Result<Staged, WriteError> {
        let failed = |error| WriteError { path: place.to_owned(), kind: WriteErrorKind::Io(error) };
        if place.is_dir() {
            // Found out now, and not when others may have been moved already.
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let staged = Staged { place: place.to_owned(), beside: beside(place, "partial"), is_folder: false };
        File::create(&staged.beside).and_then(|mut file| write(&mut file)).map_err(failed)?;
        Ok(staged)
    }

    /// An empty folder beside the place of one. What is there may be replaced only if it is empty or `is_ours` says so.
    pub(crate) fn folder(place: &Path, is_ours: impl Fn(&Path) -> bool) -> Result<Staged, WriteError> {
        let failed = |error| WriteError { path: place.to_owned(), kind: WriteErrorKind::Io(error) };
        let is_empty = match fs::read_dir(place) {
            Ok(mut entries) => entries.next().is_none(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => true,
            Err(error) => return Err(failed(error)),
        };
        if !is_empty && !is_ours(place) {
            return Err(WriteError { path: place.to_owned(), kind: WriteErrorKind::Foreign });
        }
        let staged = Staged { place: place.to_owned(), beside: beside(place, "partial"), is_folder: true };
        fs::create_dir_all(&staged.beside).map_err(failed)?;
        Ok(staged)
    }

    /// Where it is now.
    pub(crate) fn path(&self) -> &Path {
        &self.beside
    }

    /// Moves it to its place.
    pub(crate) fn move_into_place(self) -> Result<(), WriteError> {
        let moved =
            if self.is_folder { self.replace_folder() } else { fs::rename(&self.beside, &self.place) };
        moved.map_err(|error| WriteError { path: self.place.clone(), kind: WriteErrorKind::Io(error) })
    }

    /// A folder cannot be renamed to one that is there: the old one steps aside, and comes back if that fails.
    fn replace_folder(&self) -> io::Result<()> {
        let old = beside(&self.place, "old");
        let was_there = match fs::rename(&self.place, &old) {
            Ok(()) => true,
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(error),
        };
        if let Err(error) = fs::rename(&self.beside, &self.place) {
            if was_there {
                fs::rename(&old, &self.place)?;
            }
            return Err(error);
        }
        if was_there { fs::remove_dir_all(&old) } else { Ok(()) }
    }
}

impl Drop for Staged {
    /// What was moved is no longer there; an error that made it stay is told elsewhere.
    fn drop(&mut self) {
        let _: io::Result<()> =
            if self.is_folder { fs::remove_dir_all(&self.beside) } else { fs::remove_file(&self.beside) };
    }
}

/// A name that no other process writes to, in the same folder.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.{suffix}", process::id()));
    path.with_file_name(name)
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
    fn a_folder_is_replaced_only_if_it_may_be() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let place = folder.path().join("report");
        let is_ours = |path: &Path| path.join("ours").exists();
        for content in ["old", "new"] {
            let staged = Staged::folder(&place, is_ours).expect("may be replaced");
            fs::write(staged.path().join("ours"), content).expect("writes");
            staged.move_into_place().expect("moves");
            assert_eq!(fs::read(place.join("ours")).expect("is there"), content.as_bytes());
            assert_eq!(names(folder.path()), ["report"]);
        }
        drop(Staged::folder(&place, is_ours).expect("may be replaced"));
        assert_eq!(
            (names(&place), names(folder.path())),
            (vec!["ours".to_owned()], vec!["report".to_owned()])
        );
        fs::rename(place.join("ours"), place.join("theirs")).expect("renames");
        let error = Staged::folder(&place, is_ours).expect_err("may not be replaced");
        assert!(error.to_string().ends_with("other files than a report of this program"), "{error}");
        assert_eq!(names(&place), ["theirs"]);
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
