//! The lock that Java's `FileChannel.lock()` takes: exclusive, over the whole file, waiting for others to let go.
//!
//! On Unix that is a record lock of POSIX. The standard library's `File::lock` is a lock of another kind there, which
//! would keep no JVM out; it must not be used in its place.

use std::fs::File;
use std::io;

/// Waits until no other process has a lock of the file, and takes it. It is held until the file is closed.
#[cfg(unix)]
pub(super) fn lock_exclusively(file: &File) -> io::Result<()> {
    use rustix::fs::{FlockOperation, fcntl_lock};
    loop {
        match fcntl_lock(file, FlockOperation::LockExclusive) {
            Err(rustix::io::Errno::INTR) => {}
            result => return result.map_err(io::Error::from),
        }
    }
}

/// Waits until no other process has a lock of the file, and takes it. It is held until the file is closed.
#[cfg(not(unix))]
pub(super) fn lock_exclusively(file: &File) -> io::Result<()> {
    file.lock()
}
