//! What can be wrong: with the bytes of a file ([`Damage`]), with a file of a store ([`Problem`]), and with what was asked for
//! ([`StoreError`]).
//!
//! A problem never stops anything: the file is as if it were not there.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

pub use crate::bytes::Malformed;

/// What is wrong with the bytes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Where in the file.
    pub offset: u64,
    /// What.
    pub kind: DamageKind,
}

/// The ways in which a file can be wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DamageKind {
    /// It does not start as such a file does.
    NotOne,
    /// It was written by another version of this program.
    OtherVersion {
        /// The version of its format.
        found: u32,
        /// The version that is read here.
        known: u32,
    },
    /// It ends too early.
    CutOff,
    /// The checksum of a part is not that of its contents.
    Checksum,
    /// The contents of a part are not what they should be.
    Malformed(Malformed),
    /// There is something behind its end.
    TooLong,
    /// Its name is not that of its contents.
    Misnamed,
    /// The id of a trace is not that of its contents.
    WrongId,
    /// The operating system does not let it be read.
    Unreadable(String),
    /// With the files before it there is more than can be loaded.
    TooMuch,
}

impl DamageKind {
    /// Whether the file is of a version that this program does not know yet.
    #[must_use]
    pub fn is_newer(&self) -> bool {
        matches!(self, Self::OtherVersion { found, known } if found > known)
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            DamageKind::NotOne => f.write_str("it is not a file of a store")?,
            DamageKind::OtherVersion { found, known } => {
                return write!(f, "its format is version {found}, and this program reads version {known}");
            }
            DamageKind::CutOff => f.write_str("it is cut off")?,
            DamageKind::Checksum => f.write_str("a checksum is wrong")?,
            DamageKind::Malformed(malformed) => write!(f, "it is malformed: {malformed}")?,
            DamageKind::TooLong => f.write_str("there is something behind its end")?,
            DamageKind::Misnamed => return f.write_str("its name is not the hash of its contents"),
            DamageKind::WrongId => return f.write_str("the id of a trace is not that of its contents"),
            DamageKind::Unreadable(error) => return write!(f, "it cannot be read: {error}"),
            DamageKind::TooMuch => return f.write_str("the store has more than can be loaded"),
        }
        write!(f, " (offset {})", self.offset)
    }
}

impl std::error::Error for Damage {}

/// A file of a store that cannot be used, or not be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub damage: Damage,
}

impl Problem {
    pub(crate) fn unreadable(file: &Path, error: &io::Error) -> Self {
        let kind = DamageKind::Unreadable(error.to_string());
        Self { file: file.to_owned(), damage: Damage { offset: 0, kind } }
    }

    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match &self.damage.kind {
            kind if kind.is_newer() => "use the newer program, or another store",
            DamageKind::OtherVersion { .. } => "delete the file; its units run again",
            DamageKind::Unreadable(_) => "check that the current user may read it",
            DamageKind::TooMuch => "prune the store",
            _ => "delete the file; its units run again and are recorded anew",
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}; what it holds counts as absent", self.file.display(), self.damage)
    }
}

/// Why something that was asked of a store was not done.
#[derive(Debug)]
pub struct StoreError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong.
    pub kind: StoreErrorKind,
}

/// The ways in which it can fail.
#[derive(Debug)]
#[non_exhaustive]
pub enum StoreErrorKind {
    /// It cannot be read.
    Unreadable(io::Error),
    /// It cannot be written.
    Unwritable(io::Error),
    /// Others cannot be kept away from it while it is changed.
    NotLockable(io::Error),
    /// It cannot be imported.
    Damaged(Damage),
    /// There is more than one file can hold.
    TooLarge,
}

impl StoreError {
    pub(crate) fn unreadable(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self { path, kind: StoreErrorKind::Unreadable(error) }
    }

    pub(crate) fn unwritable(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self { path, kind: StoreErrorKind::Unwritable(error) }
    }

    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match &self.kind {
            StoreErrorKind::Unreadable(error) if error.kind() == io::ErrorKind::NotFound => "check the path",
            StoreErrorKind::Unreadable(_) => "check that the current user may read it",
            StoreErrorKind::Unwritable(error) if error.kind() == io::ErrorKind::StorageFull => {
                "make room on the disk; nothing in the store was changed"
            }
            StoreErrorKind::Unwritable(_) => "check that the folder can be written by the current user",
            StoreErrorKind::NotLockable(_) => "use a folder on a file system with locks",
            StoreErrorKind::Damaged(damage) if damage.kind.is_newer() => "use the newer program",
            StoreErrorKind::Damaged(_) => "export it again; nothing was imported",
            StoreErrorKind::TooLarge => "prune the store",
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        match &self.kind {
            StoreErrorKind::Unreadable(error) => write!(f, "{path}: cannot be read: {error}"),
            StoreErrorKind::Unwritable(error) => write!(f, "{path}: cannot be written: {error}"),
            StoreErrorKind::NotLockable(error) => write!(f, "{path}: cannot be locked: {error}"),
            StoreErrorKind::Damaged(damage) => write!(f, "{path}: {damage}"),
            StoreErrorKind::TooLarge => write!(f, "{path}: there is more than a file can hold"),
        }
    }
}

impl std::error::Error for StoreError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            StoreErrorKind::Unreadable(error)
            | StoreErrorKind::Unwritable(error)
            | StoreErrorKind::NotLockable(error) => Some(error),
            StoreErrorKind::Damaged(damage) => Some(damage),
            StoreErrorKind::TooLarge => None,
        }
    }
}
