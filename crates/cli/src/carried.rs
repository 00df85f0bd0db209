//! Unpacks what the command carries into the user's cache, once for each content: the agent's library, the extension for Maven.
//!
//! A JVM runs what is there with the rights of the user, so nothing is trusted by its name: a file that is there is
//! compared byte by byte with the one that is carried, and replaced if it differs. It appears whole or not at all, and a
//! file that a JVM has loaded is never written to, only replaced, so any number of processes may do this at once.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};

/// Why something that is carried cannot be used.
#[derive(Debug)]
pub(crate) enum UnpackError {
    /// There is no place to unpack it to.
    NoCacheFolder,
    /// Everybody could change what is in this folder.
    OpenToAll(PathBuf),
    /// The operating system refused something about this file or folder.
    Io(PathBuf, io::Error),
}

impl UnpackError {
    /// What a person can do about it.
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            UnpackError::NoCacheFolder => "set XDG_CACHE_HOME or HOME to an absolute path",
            UnpackError::OpenToAll(_) => "take the right to write away from others: chmod o-w",
            UnpackError::Io(..) => "check that the folder can be written by the current user",
        }
    }
}

impl fmt::Display for UnpackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnpackError::NoCacheFolder => {
                f.write_str("there is no place to unpack what this command carries")
            }
            UnpackError::OpenToAll(folder) => {
                write!(f, "{}: everybody may write here, so nothing is unpacked", folder.display())
            }
            UnpackError::Io(path, error) => write!(f, "{}: this cannot be unpacked: {error}", path.display()),
        }
    }
}

/// The path of a file that is carried, unpacked into the cache of the user if it is not there.
pub(crate) fn path(shelf: &str, file_name: &str, content: &[u8]) -> Result<PathBuf, UnpackError> {
    unpack(&cache_folder(|name| env::var_os(name))?, shelf, file_name, content)
}

/// The product's cache folder: `XDG_CACHE_HOME/probity`, else `~/.cache/probity`. Relative paths do not count, as the
/// standard of that variable has it: they would mean another folder for each working folder.
fn cache_folder(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, UnpackError> {
    let folder = |name| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    folder("XDG_CACHE_HOME")
        .or_else(|| folder("HOME").map(|home| home.join(".cache")))
        .map(|cache| cache.join("probity"))
        .ok_or(UnpackError::NoCacheFolder)
}

/// The path of a file in the cache, which is `CACHE/SHELF/HASH/FILE_NAME`.
fn unpack(cache: &Path, shelf: &str, file_name: &str, content: &[u8]) -> Result<PathBuf, UnpackError> {
    let shelf = cache.join(shelf);
    let folder = shelf.join(format!("{:016x}", hash(content)));
    create_folder(&folder)?;
    for folder in [cache, &shelf, &folder] {
        check_folder(folder)?;
    }
    let path = folder.join(file_name);
    if !holds(&path, content) {
        replace(&path, content).map_err(|error| UnpackError::Io(path.clone(), error))?;
    }
    Ok(path)
}

/// The name of a content (FNV-1a). It only tells versions apart; what is there is compared byte by byte.
fn hash(content: &[u8]) -> u64 {
    content
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Makes a folder and those above it; what is made belongs to the user alone.
fn create_folder(folder: &Path) -> Result<(), UnpackError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder).map_err(|error| UnpackError::Io(folder.to_owned(), error))
}

/// Fails if everybody may write to the folder: they could put another library in the place of ours.
#[cfg(unix)]
fn check_folder(folder: &Path) -> Result<(), UnpackError> {
    use std::os::unix::fs::PermissionsExt;
    let metadata = fs::metadata(folder).map_err(|error| UnpackError::Io(folder.to_owned(), error))?;
    if metadata.permissions().mode() & 0o002 == 0 {
        Ok(())
    } else {
        Err(UnpackError::OpenToAll(folder.to_owned()))
    }
}

#[cfg(not(unix))]
fn check_folder(_: &Path) -> Result<(), UnpackError> {
    Ok(())
}

/// Whether there is a plain file with this content, which nobody but its owner may change.
fn holds(path: &Path, content: &[u8]) -> bool {
    let is_safe = |metadata: &fs::Metadata| {
        #[cfg(unix)]
        let closed = std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o777 == 0o755;
        #[cfg(not(unix))]
        let closed = true;
        metadata.is_file() && metadata.len() == content.len() as u64 && closed
    };
    fs::symlink_metadata(path).is_ok_and(|metadata| is_safe(&metadata))
        && fs::read(path).is_ok_and(|found| found == content)
}

/// Writes the library beside its place and moves it there.
fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let beside = beside(path);
    let written = write_new(&beside, content).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // The first error is the one to tell; a file that was never made cannot be removed.
        let _: io::Result<()> = fs::remove_file(&beside);
    }
    written
}

/// A name that nobody else writes to, in the same folder.
fn beside(path: &Path) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    path.with_extension(format!("{}-{count}.partial", process::id()))
}

fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    // What a process of the same number left behind when it was killed is in the way.
    let _: io::Result<()> = fs::remove_file(path);
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(content)?;
    make_executable(&file)?;
    file.sync_all()
}

#[cfg(unix)]
fn make_executable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("is there").permissions().mode() & 0o777
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("is a folder");
        entries.map(|entry| entry.expect("is listed").file_name().to_string_lossy().into_owned()).collect()
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

    #[test]
    fn a_library_is_unpacked_once_and_for_its_owner_to_change() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let cache = folder.path().join("probity");
        let path = unpack(&cache, "agent", "lib.so", b"library").expect("unpacks");
        assert_eq!(path, cache.join("agent/e029b3e5014c2890/lib.so"));
        assert_eq!(fs::read(&path).expect("is there"), b"library");
        assert_eq!((mode(&path), mode(&cache), mode(&cache.join("agent"))), (0o755, 0o700, 0o700));
        let inode = fs::metadata(&path).expect("is there").ino();
        assert_eq!(unpack(&cache, "agent", "lib.so", b"library").expect("is there already"), path);
        assert_eq!(fs::metadata(&path).expect("is there").ino(), inode, "it was not written again");
        let other = unpack(&cache, "agent", "lib.so", b"another").expect("unpacks");
        assert_ne!(other.parent(), path.parent());
    }

    #[test]
    fn what_is_not_the_library_is_replaced() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = unpack(folder.path(), "agent", "lib.so", b"library").expect("unpacks");
        let elsewhere = folder.path().join("elsewhere");
        let spoil: [&dyn Fn(); 3] = [
            &|| fs::write(&path, b"changed").expect("writes"),
            &|| fs::set_permissions(&path, fs::Permissions::from_mode(0o777)).expect("sets"),
            &|| {
                fs::write(&elsewhere, b"library").expect("writes");
                fs::remove_file(&path).expect("removes");
                symlink(&elsewhere, &path).expect("links");
            },
        ];
        for spoil in spoil {
            spoil();
            unpack(folder.path(), "agent", "lib.so", b"library").expect("unpacks again");
            assert_eq!(fs::read(&path).expect("is there"), b"library");
            assert!(fs::symlink_metadata(&path).expect("is there").is_file());
            assert_eq!(mode(&path), 0o755);
        }
        assert_eq!(names(path.parent().expect("has a folder")), ["lib.so"]);
    }

    #[test]
    fn a_folder_that_everybody_may_write_to_is_refused() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = unpack(folder.path(), "agent", "lib.so", b"library").expect("unpacks");
        let innermost = path.parent().expect("has a folder");
        fs::set_permissions(innermost, fs::Permissions::from_mode(0o777)).expect("sets");
        let error =
            unpack(folder.path(), "agent", "lib.so", b"library").expect_err("everybody may write there");
        assert!(matches!(&error, UnpackError::OpenToAll(open) if open == innermost), "{error}");
    }

    #[test]
    fn many_may_unpack_at_once() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let content = vec![7; 1 << 20];
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let path = unpack(folder.path(), "agent", "lib.so", &content).expect("unpacks");
                    assert_eq!(fs::read(&path).expect("is there"), content);
                });
            }
        });
        let innermost = folder.path().join("agent").join(format!("{:016x}", hash(&content)));
        assert_eq!(names(&innermost), ["lib.so"]);
    }

    #[test]
    fn a_cache_that_cannot_be_made_is_an_error() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let taken = folder.path().join("taken");
        fs::write(&taken, b"a file").expect("writes");
        let error =
            unpack(&taken.join("probity"), "agent", "lib.so", b"library").expect_err("a file is in the way");
        assert!(matches!(error, UnpackError::Io(..)), "{error}");
    }
}
