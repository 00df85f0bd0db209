//! The file into which a JVM writes what was recorded.
//!
//! Frames wait in memory until a unit ends, and are then written in one go. A file that cannot be written is told once; the
//! program goes on, and nothing of it counts as recorded.

use probity_wire::{HEADER, Message, write_frame};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// An open recording.
#[derive(Debug)]
pub(crate) struct Recording {
    path: PathBuf,
    /// Nothing once writing has failed.
    file: Option<File>,
    waiting: Vec<u8>,
}

impl Recording {
    /// Makes a file of its own in a folder, which is made if need be.
    ///
    /// # Errors
    ///
    /// Fails if there can be no such file.
    pub(crate) fn create(folder: &Path, process: u32, started: u64) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        for attempt in 0..1000 {
            let path = folder.join(format!("{started}-{process}-{attempt}.recording"));
            match File::create_new(&path) {
                Ok(file) => {
                    return Ok(Self { path, file: Some(file), waiting: HEADER.to_vec() });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    /// Adds a frame to those that wait.
    pub(crate) fn add(&mut self, message: &Message) {
        if self.file.is_some() {
            write_frame(&mut self.waiting, message);
        }
    }

    /// Writes what waits; gives the error if that fails, which is the last time that anything is written.
    pub(crate) fn flush(&mut self) -> Option<io::Error> {
        let written = self.file.as_mut().map(|file| file.write_all(&self.waiting));
        self.waiting.clear();
        match written {
            Some(Err(error)) => {
                self.file = None;
                Some(error)
            }
            _ => None,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_wire::Frames;

    #[test]
    fn frames_are_written_when_they_are_flushed() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = Recording::create(&folder.path().join("new"), 7, 5).unwrap();
        let second = Recording::create(&folder.path().join("new"), 7, 5).unwrap();
        assert_ne!(first.path(), second.path());
        first.add(&Message::End);
        assert_eq!(std::fs::read(first.path()).unwrap(), b"");
        assert!(first.flush().is_none());
        let bytes = std::fs::read(first.path()).unwrap();
        assert_eq!(Frames::new(&bytes).unwrap().collect::<Vec<_>>(), [Ok(Message::End)]);
    }
}
