//! The folder into which the JVMs of one run write: made for the run, removed at its end.
//!
//! What a run leaves behind that was killed is never read. The next run removes it, and so does who prunes the store, once the
//! process is gone: its number is in the name of the folder, and it held a lock in it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// How the names of such folders begin; the number of the process follows, and something that makes them different.
const START: &str = "recordings-";

/// The file in it that the run has locked.
const LOCK: &str = "lock";

/// A folder for the recordings of one run.
#[derive(Debug)]
pub(crate) struct RecordingFolder {
    pub(crate) path: PathBuf,
    /// The folder around it, if it was not there before.
    made: Option<PathBuf>,
    /// Shows others that the run is still there.
    _lock: Option<File>,
}

impl RecordingFolder {
    /// A folder beside the traces or, where that cannot be, among the temporary files.
    pub(crate) fn make(store: &Path) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let name = format!("{START}{}-{}", std::process::id(), since.as_nanos());
        let beside = std::path::absolute(store).unwrap_or_else(|_| store.to_owned()).join(&name);
        let made = (!store.exists()).then(|| store.to_owned());
        let path = match fs::create_dir_all(&beside) {
            Ok(()) => beside,
            Err(_) => std::env::temp_dir().join(format!("probity-{name}")),
        };
        // Where there is no folder nothing is recorded, and that is told.
        let lock = fs::create_dir_all(&path).and_then(|()| locked(&path)).ok();
        Self { path, made, _lock: lock }
    }
}

fn locked(folder: &Path) -> io::Result<File> {
    let file = File::create(folder.join(LOCK))?;
    file.lock()?;
    Ok(file)
}

impl Drop for RecordingFolder {
    fn drop(&mut self) {
        // What cannot be removed now is removed by the next run.
        let _ = fs::remove_dir_all(&self.path);
        // Who has recorded nothing leaves nothing; a folder with something in it stays.
        let _ = self.made.as_ref().map(fs::remove_dir);
    }
}

/// Removes what runs left behind that were killed. Gives how many folders were removed; what cannot be removed stays.
pub fn remove_left_behind(store: &Path) -> usize {
    let entries = fs::read_dir(store).into_iter().flatten().flatten();
    let left = entries.map(|entry| entry.path()).filter(|path| is_left_behind(path));
    left.filter(|path| fs::remove_dir_all(path).is_ok()).count()
}

/// Whether a folder is of a run whose process is gone, here and wherever else the store is used.
fn is_left_behind(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str());
    let Some(rest) = name.and_then(|name| name.strip_prefix(START)) else { return false };
    let number: Option<u32> = rest.split('-').next().and_then(|number| number.parse().ok());
    let is_gone = number.is_some_and(|number| !is_running(number));
    is_gone && path.is_dir() && is_unlocked(path)
}

/// Whether nobody has the lock of a folder; one that was killed early had none yet.
fn is_unlocked(folder: &Path) -> bool {
    match File::open(folder.join(LOCK)) {
        Ok(lock) => lock.try_lock().is_ok(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// Whether a process of this number runs here. Where that cannot be seen, the lock alone says it.
fn is_running(process: u32) -> bool {
    Path::new("/proc").join(process.to_string()).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_left_behind_is_removed() {
        let store = tempfile::tempdir().expect("temporary folder");
        let folder = |name: &str| {
            let path = store.path().join(name);
            fs::create_dir_all(&path).expect("makes");
            fs::write(path.join("a.rec"), "half").expect("writes");
            path
        };
        let own = RecordingFolder::make(store.path());
        // No process has a number as large as this.
        let gone = [folder("recordings-4294967295"), folder("recordings-4294967294-7")];
        let elsewhere = folder("recordings-4294967293-7");
        let lock = locked(&elsewhere).expect("locks");
        let others = [folder("traces"), folder("recordings-"), folder("recordings-1-2")];
        assert_eq!(remove_left_behind(store.path()), 2);
        assert!(gone.iter().all(|path| !path.exists()));
        assert!(elsewhere.exists() && own.path.exists() && others.iter().all(|path| path.exists()));
        drop(lock);
        assert_eq!(remove_left_behind(store.path()), 1);
        let path = own.path.clone();
        drop(own);
        assert!(!path.exists());
        assert_eq!(remove_left_behind(&store.path().join("missing")), 0);
    }
}
