//! Exec files on disk, written under a lock that other writers respect.
//!
//! Many JVMs may write to one file, ours and JaCoCo's. Each waits for an exclusive lock of the whole file, of the kind
//! that Java takes, and appends its data whole or not at all. JaCoCo's agent in the *same* process is not kept out on
//! Unix, where such locks belong to processes.

mod error;
mod lock;

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use error::{ExecFileError, ExecFileErrorKind};

/// A file that no other writer writes to while this value lives.
#[derive(Debug)]
pub struct LockedFile {
    // Closed first: the lock goes with it, and then the next thread may have it.
    file: File,
    path: PathBuf,
    _only_writer: MutexGuard<'static, ()>,
}

impl LockedFile {
    /// Opens a file, which is created with its folders if need be, and waits until it can be locked.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be created, opened or locked.
    pub fn open(path: &Path) -> Result<Self, ExecFileError> {
        let only_writer = only_writer_of_this_process();
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(|source| ExecFileError::io(folder, "create", source))?;
        }
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|source| ExecFileError::io(path, "open", source))?;
        lock::lock_exclusively(&file).map_err(|source| ExecFileError::io(path, "lock", source))?;
        Ok(LockedFile { file, path: path.to_owned(), _only_writer: only_writer })
    }

    /// Removes everything from it.
    ///
    /// # Errors
    ///
    /// Fails when the system does not allow it.
    pub fn clear(&mut self) -> Result<(), ExecFileError> {
        let result = if self.is_regular() { self.file.set_len(0) } else { Ok(()) };
        result.map_err(|source| ExecFileError::io(&self.path, "empty", source))
    }

    /// Appends whole blocks.
    ///
    /// # Errors
    ///
    /// Fails when they cannot be written. The file then has its old length, unless the error says otherwise.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), ExecFileError> {
        let old_length = if self.is_regular() { Some(self.file.seek(SeekFrom::End(0))) } else { None };
        let old_length =
            old_length.transpose().map_err(|source| ExecFileError::io(&self.path, "write", source))?;
        self.file.write_all(bytes).map_err(|source| {
            let is_restored = old_length.is_none_or(|length| self.file.set_len(length).is_ok());
            let kind = match is_restored {
                true => ExecFileErrorKind::Io { action: "write", source },
                false => ExecFileErrorKind::HalfWritten { source },
            };
            ExecFileError { path: self.path.clone(), kind }
        })
    }

    /// Devices and pipes can be written, but have no length.
    fn is_regular(&self) -> bool {
        self.file.metadata().is_ok_and(|metadata| metadata.is_file())
    }
}

/// Appends whole blocks to a file, which is created with its folders if need be.
///
/// # Errors
///
/// As [`LockedFile::open`] and [`LockedFile::append`].
pub fn append(path: &Path, bytes: &[u8]) -> Result<(), ExecFileError> {
    LockedFile::open(path)?.append(bytes)
}

/// Replaces what is in a file, which is created with its folders if need be.
///
/// # Errors
///
/// Fails when the file cannot be opened, locked or written. In the last case it is empty then.
pub fn overwrite(path: &Path, bytes: &[u8]) -> Result<(), ExecFileError> {
    let mut file = LockedFile::open(path)?;
    file.clear()?;
    file.append(bytes)
}

/// Sees whether a file can be written, as early as possible, and empties it if asked to.
///
/// # Errors
///
/// As [`LockedFile::open`] and [`LockedFile::clear`].
pub fn open_for_check(path: &Path, truncate: bool) -> Result<(), ExecFileError> {
    let mut file = LockedFile::open(path)?;
    if truncate { file.clear() } else { Ok(()) }
}

/// Reads a file.
///
/// # Errors
///
/// Fails when there is no such file or it cannot be read. What is in it is not looked at.
pub fn read(path: &Path) -> Result<Vec<u8>, ExecFileError> {
    fs::read(path).map_err(|source| ExecFileError::io(path, "read", source))
}

/// On Unix, locks of files do not keep threads of one process apart, and closing a file anywhere in the process lets
/// go of its lock. So only one thread has such a file open at a time.
fn only_writer_of_this_process() -> MutexGuard<'static, ()> {
    static WRITER: Mutex<()> = Mutex::new(());
    WRITER.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_created_and_content_is_appended_or_replaced() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("a").join("b").join("x.exec");
        append(&path, b"one").expect("appends");
        append(&path, b"two").expect("appends");
        assert_eq!(read(&path).expect("reads"), b"onetwo");
        overwrite(&path, b"3").expect("overwrites");
        assert_eq!(read(&path).expect("reads"), b"3");
        open_for_check(&path, false).expect("is writable");
        assert_eq!(read(&path).expect("reads"), b"3");
        open_for_check(&path, true).expect("is writable");
        assert_eq!(read(&path).expect("reads"), b"");
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let error = append(folder.path(), b"x").expect_err("a folder is no file");
        assert_eq!(error.path, folder.path());
        assert!(error.to_string().contains("cannot open"), "{error}");
        let missing = folder.path().join("missing.exec");
        assert!(read(&missing).expect_err("missing").to_string().contains("missing.exec"));
        fs::write(folder.path().join("file"), b"").expect("writes");
        let below_a_file = folder.path().join("file").join("x.exec");
        let error = append(&below_a_file, b"x").expect_err("a file is no folder");
        assert!(error.to_string().contains("cannot create"), "{error}");
    }

    #[test]
    fn threads_do_not_mix_their_data() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("x.exec");
        std::thread::scope(|scope| {
            for byte in 0..8 {
                let path = &path;
                scope.spawn(move || (0..20).for_each(|_| append(path, &[byte; 1000]).expect("appends")));
            }
        });
        let content = read(&path).expect("reads");
        assert_eq!(content.len(), 8 * 20 * 1000);
        for chunk in content.chunks(1000) {
            assert!(chunk.iter().all(|byte| *byte == chunk[0]));
        }
    }

    /// What is written to this device is refused as if the disk were full.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error_also_where_nothing_can_be_restored() {
        let error = append(Path::new("/dev/full"), b"x").expect_err("is full");
        assert!(error.to_string().starts_with("/dev/full: cannot write: "), "{error}");
    }
}
