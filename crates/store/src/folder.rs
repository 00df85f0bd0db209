//! The folder of a store: which files there are, how they are written, and who may change it when.
//!
//! A file is written beside its place under a name that nobody reads, brought to the disk, and renamed: it is there whole or not at all,
//! also when the process is killed or the machine stops. Everybody who reads or adds has the lock together with others; who
//! removes files has it alone. Nothing is removed here but what the caller names and what killed processes left behind.

use crate::error::{Problem, StoreError, StoreErrorKind};
use probity_shape::ContentId;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// What is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Traces,
    Shapes,
    Classes,
}

impl Part {
    pub(crate) const ALL: [Self; 3] = [Self::Shapes, Self::Traces, Self::Classes];

    /// The folder of such files.
    pub(crate) fn folder(self) -> &'static str {
        match self {
            Self::Traces => "traces",
            Self::Shapes => "shapes",
            Self::Classes => "classes",
        }
    }
}

const LOCK: &str = "lock";
const EXTENSION: &str = "seg";
const PARTIAL: &str = "partial";

/// A store is nobody's source code.
const IGNORE: (&str, &str) = (".gitignore", "*\n");

/// A file of a store that was read.
pub(crate) struct Read {
    pub(crate) path: PathBuf,
    pub(crate) bytes: Vec<u8>,
}

/// Keeps others away, or keeps them from keeping others away, until it is dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: Option<File>,
}

/// The name of a file with these bytes.
pub(crate) fn name_of(bytes: &[u8]) -> String {
    format!("{}.{EXTENSION}", ContentId::of(bytes))
}

/// For those who only read: nothing is made, and where there is no lock nobody ever removed anything.
pub(crate) fn lock_to_read(folder: &Path) -> Lock {
    let file = File::open(folder.join(LOCK)).ok().filter(|file| file.lock_shared().is_ok());
    Lock { _file: file }
}

/// For those who add: makes the folders.
pub(crate) fn lock_to_add(folder: &Path) -> Result<Lock, StoreError> {
    let file = open_lock(folder)?;
    // Without a lock, adding is as safe as ever; only a prune at the same time could take away what is relied on.
    let file = file.lock_shared().is_ok().then_some(file);
    Ok(Lock { _file: file })
}

/// For those who remove files.
pub(crate) fn lock_to_remove(folder: &Path) -> Result<Lock, StoreError> {
    let file = open_lock(folder)?;
    let failed = |error| StoreError { path: folder.join(LOCK), kind: StoreErrorKind::NotLockable(error) };
    file.lock().map_err(failed)?;
    Ok(Lock { _file: Some(file) })
}

/// The same, unless somebody else has the lock now.
pub(crate) fn try_lock_to_remove(folder: &Path) -> Result<Option<Lock>, StoreError> {
    let file = open_lock(folder)?;
    let failed = |error| StoreError { path: folder.join(LOCK), kind: StoreErrorKind::NotLockable(error) };
    match file.try_lock() {
        Ok(()) => Ok(Some(Lock { _file: Some(file) })),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(failed(error)),
    }
}

fn open_lock(folder: &Path) -> Result<File, StoreError> {
    for part in Part::ALL {
        let folder = folder.join(part.folder());
        fs::create_dir_all(&folder).map_err(StoreError::unwritable(&folder))?;
    }
    let ignore = folder.join(IGNORE.0);
    if !ignore.exists() {
        fs::write(&ignore, IGNORE.1).map_err(StoreError::unwritable(&ignore))?;
    }
    let path = folder.join(LOCK);
    let opened = OpenOptions::new().write(true).create(true).truncate(false).open(&path);
    opened.map_err(StoreError::unwritable(&path))
}

/// The files of a part, in the order of their names, and what cannot be read. A folder that is not there has none.
pub(crate) fn read_all(folder: &Path, part: Part) -> (Vec<Read>, Vec<Problem>) {
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    let paths = match paths(&folder.join(part.folder()), EXTENSION) {
        Ok(paths) => paths,
        Err(error) => {
            problems.push(Problem::unreadable(&folder.join(part.folder()), &error));
            return (files, problems);
        }
    };
    for path in paths {
        match fs::read(&path) {
            Ok(bytes) => files.push(Read { path, bytes }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => problems.push(Problem::unreadable(&path, &error)),
        }
    }
    (files, problems)
}

fn paths(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            paths.push(path);
        }
    }
    paths.sort_unstable();
    Ok(paths)
}

/// Writes a file under the name of its contents, unless it is there. Says whether it was not.
pub(crate) fn write(folder: &Path, part: Part, bytes: &[u8]) -> Result<bool, StoreError> {
    let folder = folder.join(part.folder());
    let place = folder.join(name_of(bytes));
    // A file of this name can be damaged; then it is replaced.
    if fs::read(&place).is_ok_and(|there| there == bytes) {
        return Ok(false);
    }
    write_beside(&folder, &place, bytes).map_err(StoreError::unwritable(&place))?;
    Ok(true)
}

fn write_beside(folder: &Path, place: &Path, bytes: &[u8]) -> io::Result<()> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let beside = folder.join(format!("{}-{number}.{PARTIAL}", std::process::id()));
    let written = File::create(&beside)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&beside, place));
    if written.is_err() {
        // The first error is the one to tell.
        let _: io::Result<()> = fs::remove_file(&beside);
        return written;
    }
    sync_folder(folder)
}

/// Brings the names in a folder to the disk, where the system can do that.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Removes files; the caller has the lock alone.
pub(crate) fn remove(paths: &[PathBuf], _: &Lock) -> Result<(), StoreError> {
    paths.iter().try_for_each(|path| fs::remove_file(path).map_err(StoreError::unwritable(path)))
}

/// What processes left behind that were killed while they wrote; the caller has the lock alone, so nobody writes now.
pub(crate) fn left_behind(folder: &Path, _: &Lock) -> Vec<PathBuf> {
    let of = |part: Part| paths(&folder.join(part.folder()), PARTIAL).unwrap_or_default();
    Part::ALL.into_iter().flat_map(of).collect()
}
