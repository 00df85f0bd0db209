//! What can be wrong with a container, and with one entry of it.
//!
//! Both errors say which container, which entry, which byte, and offer a hint that tells a person what to do
//! next. They are data: this module never prints, and no text here depends on the machine.

use std::fmt;
use std::io;
use std::sync::Arc;

use crate::names::NameProblem;

/// Why a container as a whole cannot be used.
#[derive(Debug)]
pub struct OpenError {
    /// The container, as it was named.
    pub container: String,
    /// Where in the container the problem is, if it is at one place.
    pub offset: Option<u64>,
    /// What the problem is.
    pub kind: OpenErrorKind,
}

/// The ways in which a container can be unusable.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenErrorKind {
    /// The operating system refused.
    Unreadable(io::Error),
    /// It is neither a regular file nor a folder.
    NotAFileOrFolder,
    /// It is none of the formats this crate reads.
    NotRecognised,
    /// The home folder of a JDK was expected, but it has no runtime image.
    NoRuntimeImage(io::Error),
    /// It starts like an archive but has no directory at its end.
    ArchiveCutShort,
    /// The directory of the archive is damaged.
    ArchiveDirectoryDamaged(rawzip::Error),
    /// The archive states two different places for its directory.
    ArchiveDirectoryAmbiguous {
        /// Where the directory starts by its stated offset.
        by_offset: u64,
        /// Where it starts by its stated size.
        by_size: u64,
    },
    /// There are more entries than [`Limits::max_entries`](crate::Limits::max_entries).
    TooManyEntries {
        /// The limit.
        limit: usize,
    },
    /// A runtime image of a version this crate does not know.
    ImageVersion {
        /// The major version found.
        major: u16,
        /// The minor version found.
        minor: u16,
    },
    /// The index of a runtime image is longer than the file.
    ImageCutShort {
        /// How many bytes the index needs.
        needed: u64,
        /// How many bytes there are.
        available: u64,
    },
    /// It starts like a file packed by gzip and is none, or ends too early.
    GzipDamaged(io::Error),
    /// The names of a runtime image take more memory than any real image's.
    ImageNamesTooLong,
    /// The archive inside another one could not be read.
    Nested(Box<EntryError>),
}

impl OpenError {
    /// What a person can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match &self.kind {
            OpenErrorKind::Unreadable(error) if error.kind() == io::ErrorKind::NotFound => {
                Some("check the path; relative paths start at the current folder")
            }
            OpenErrorKind::Unreadable(_) => Some("check that the file can be read by the current user"),
            OpenErrorKind::NotAFileOrFolder | OpenErrorKind::NotRecognised => Some(
                "give a class file, a folder, a jar, war or jmod, or jrt: followed by the home folder of a JDK",
            ),
            OpenErrorKind::NoRuntimeImage(_) => Some(
                "JDK 9 and later have lib/modules in their home folder; before that, give jre/lib/rt.jar",
            ),
            OpenErrorKind::ArchiveCutShort
            | OpenErrorKind::ArchiveDirectoryDamaged(_)
            | OpenErrorKind::ArchiveDirectoryAmbiguous { .. }
            | OpenErrorKind::GzipDamaged(_)
            | OpenErrorKind::ImageCutShort { .. } => {
                Some("the file is incomplete or damaged; build or download it again")
            }
            OpenErrorKind::TooManyEntries { .. } | OpenErrorKind::ImageNamesTooLong => {
                Some("no build tool makes such a file; do not use it unless you know where it comes from")
            }
            OpenErrorKind::ImageVersion { .. } => {
                Some("this JDK is newer than this program; use a newer program")
            }
            OpenErrorKind::Nested(error) => error.hint(),
        }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.container, self.kind)?;
        write_offset(f, self.offset)
    }
}

impl fmt::Display for OpenErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenErrorKind::Unreadable(error) => write_io(f, error),
            OpenErrorKind::NotAFileOrFolder => f.write_str("is neither a file nor a folder"),
            OpenErrorKind::NotRecognised => {
                f.write_str("is neither a class file nor an archive nor a runtime image")
            }
            OpenErrorKind::NoRuntimeImage(error) => {
                f.write_str("has no runtime image at lib/modules: ")?;
                write_io(f, error)
            }
            OpenErrorKind::ArchiveCutShort => f.write_str("the archive has no directory at its end"),
            OpenErrorKind::ArchiveDirectoryDamaged(error) => {
                write!(f, "the directory of the archive is damaged: {error}")
            }
            OpenErrorKind::ArchiveDirectoryAmbiguous { by_offset, by_size } => write!(
                f,
                "the directory of the archive starts at byte {by_offset} by its offset but at byte {by_size} by its size"
            ),
            OpenErrorKind::GzipDamaged(_) => f.write_str("its data packed by gzip is damaged"),
            OpenErrorKind::TooManyEntries { limit } => write!(f, "has more than {limit} entries"),
            OpenErrorKind::ImageVersion { major, minor } => {
                write!(f, "the runtime image has the unknown version {major}.{minor}")
            }
            OpenErrorKind::ImageCutShort { needed, available } => {
                write!(f, "the index of the runtime image needs {needed} bytes, the file has {available}")
            }
            OpenErrorKind::ImageNamesTooLong => {
                f.write_str("the names in the runtime image are too long to be real")
            }
            OpenErrorKind::Nested(error) => write!(f, "{}", error.kind),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            OpenErrorKind::Unreadable(error)
            | OpenErrorKind::NoRuntimeImage(error)
            | OpenErrorKind::GzipDamaged(error) => Some(error),
            OpenErrorKind::ArchiveDirectoryDamaged(error) => Some(error),
            OpenErrorKind::Nested(error) => Some(error),
            _ => None,
        }
    }
}

/// Why one entry of a container cannot be read.
#[derive(Debug, Clone)]
pub struct EntryError {
    /// The container, as it was named.
    pub container: Arc<str>,
    /// The entry, as the container names it; with replacement characters if that is not UTF-8.
    pub name: String,
    /// Where in the container the problem is, if it is at one place.
    pub offset: Option<u64>,
    /// What the problem is.
    pub kind: EntryErrorKind,
}

/// The ways in which an entry can be unusable.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum EntryErrorKind {
    /// The operating system refused.
    Unreadable(Arc<io::Error>),
    /// It is a device, a pipe or a folder where a file was expected.
    NotAFile,
    /// Its name is not to be trusted.
    HostileName(NameProblem),
    /// An earlier entry has the same name.
    Duplicate,
    /// It is larger than its limit.
    TooLarge {
        /// Its size as declared or found.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// It and the entries before it are larger than
    /// [`Limits::max_total_bytes`](crate::Limits::max_total_bytes).
    OverTotal {
        /// The limit.
        limit: u64,
    },
    /// It is encrypted.
    Encrypted,
    /// It is packed by a method other than stored and deflated.
    UnknownMethod {
        /// The number of the method.
        method: u16,
        /// The usual name of the method, if it has one.
        name: Option<&'static str>,
    },
    /// The archive's directory points to a place where no entry starts.
    NoEntryHere,
    /// Its data ends past the end of the container.
    CutShort {
        /// Where its data should end.
        end: u64,
        /// Where the container ends.
        available: u64,
    },
    /// It is stored as it is, but its two sizes differ.
    StoredSizesDiffer {
        /// The size in the archive.
        packed: u64,
        /// The declared size.
        declared: u64,
    },
    /// Its packed data is not valid.
    PackedDataCorrupt,
    /// Its packed data stops before its end mark.
    PackedDataEndsEarly,
    /// It unpacks to more than was declared.
    LongerThanDeclared {
        /// The declared size.
        declared: u64,
    },
    /// It unpacks to less than was declared.
    ShorterThanDeclared {
        /// The declared size.
        declared: u64,
        /// The size found.
        actual: u64,
    },
    /// Its checksum is wrong.
    Checksum {
        /// The declared CRC-32.
        declared: u32,
        /// The CRC-32 of the bytes found.
        actual: u32,
    },
    /// Its place in the index of a runtime image is not valid.
    ImageLocation(&'static str),
    /// It is compressed in a way this crate does not know.
    ImageCompression {
        /// The name of the compression.
        name: String,
    },
    /// The header in front of its compressed data is not valid.
    ImageResource(&'static str),
    /// It was listed by another source.
    OfAnotherSource,
}

impl EntryError {
    /// What a person can do about it.
    pub fn hint(&self) -> Option<&'static str> {
        match &self.kind {
            EntryErrorKind::Unreadable(_) => Some("check that the file can be read by the current user"),
            EntryErrorKind::HostileName(_)
            | EntryErrorKind::OverTotal { .. }
            | EntryErrorKind::TooLarge { .. } => Some(
                "no compiler or packager makes such an entry; do not use the container unless you know where it comes from",
            ),
            EntryErrorKind::Duplicate => Some(
                "a JVM takes the last entry of that name, other tools the first; build the archive with only one of them",
            ),
            EntryErrorKind::Encrypted => {
                Some("a JVM cannot read it either; build the archive without a password")
            }
            EntryErrorKind::UnknownMethod { .. } => {
                Some("a JVM cannot read it either; build the archive with the methods stored or deflated")
            }
            EntryErrorKind::NoEntryHere
            | EntryErrorKind::CutShort { .. }
            | EntryErrorKind::StoredSizesDiffer { .. }
            | EntryErrorKind::PackedDataCorrupt
            | EntryErrorKind::PackedDataEndsEarly
            | EntryErrorKind::LongerThanDeclared { .. }
            | EntryErrorKind::ShorterThanDeclared { .. }
            | EntryErrorKind::Checksum { .. }
            | EntryErrorKind::ImageLocation(_)
            | EntryErrorKind::ImageResource(_) => {
                Some("the container is damaged; build or download it again")
            }
            EntryErrorKind::ImageCompression { .. } => {
                Some("link the image again with --compress zip-6, or without")
            }
            EntryErrorKind::NotAFile | EntryErrorKind::OfAnotherSource => None,
        }
    }
}

impl fmt::Display for EntryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.container, Visible(&self.name), self.kind)?;
        write_offset(f, self.offset)
    }
}

impl fmt::Display for EntryErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EntryErrorKind::Unreadable(error) => write_io(f, error),
            EntryErrorKind::NotAFile => f.write_str("is not a regular file"),
            EntryErrorKind::HostileName(problem) => write!(f, "{problem}"),
            EntryErrorKind::Duplicate => f.write_str("an earlier entry has the same name"),
            EntryErrorKind::TooLarge { size, limit } => write!(f, "has {size} bytes, the limit is {limit}"),
            EntryErrorKind::OverTotal { limit } => {
                write!(f, "it and the entries before it have more than {limit} bytes")
            }
            EntryErrorKind::Encrypted => f.write_str("is encrypted"),
            EntryErrorKind::UnknownMethod { method, name: Some(name) } => {
                write!(f, "is packed by method {method} ({name})")
            }
            EntryErrorKind::UnknownMethod { method, name: None } => {
                write!(f, "is packed by the unknown method {method}")
            }
            EntryErrorKind::NoEntryHere => {
                f.write_str("the archive's directory points to a place where no entry starts")
            }
            EntryErrorKind::CutShort { end, available } => {
                write!(f, "its data ends at byte {end}, the file has {available}")
            }
            EntryErrorKind::StoredSizesDiffer { packed, declared } => {
                write!(f, "is stored as {packed} bytes but declared to have {declared}")
            }
            EntryErrorKind::PackedDataCorrupt => f.write_str("its packed data is corrupt"),
            EntryErrorKind::PackedDataEndsEarly => f.write_str("its packed data ends early"),
            EntryErrorKind::LongerThanDeclared { declared } => {
                write!(f, "has more than the declared {declared} bytes")
            }
            EntryErrorKind::ShorterThanDeclared { declared, actual } => {
                write!(f, "has {actual} bytes, not the declared {declared}")
            }
            EntryErrorKind::Checksum { declared, actual } => {
                write!(f, "its checksum is {actual:08x}, not the declared {declared:08x}")
            }
            EntryErrorKind::ImageLocation(what) => write!(f, "its place in the index is not valid: {what}"),
            EntryErrorKind::ImageCompression { name } => {
                write!(f, "is compressed by the unknown method `{}`", Visible(name))
            }
            EntryErrorKind::ImageResource(what) => write!(f, "its compressed data is not valid: {what}"),
            EntryErrorKind::OfAnotherSource => f.write_str("was listed by another source"),
        }
    }
}

impl std::error::Error for EntryError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            EntryErrorKind::Unreadable(error) => Some(error.as_ref()),
            _ => None,
        }
    }
}

impl From<io::Error> for EntryErrorKind {
    fn from(error: io::Error) -> EntryErrorKind {
        EntryErrorKind::Unreadable(Arc::new(error))
    }
}

/// A name from a container with control characters escaped, so that it cannot write on a terminal.
struct Visible<'a>(&'a str);

impl fmt::Display for Visible<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|character| {
            if character.is_control() {
                write!(f, "{}", character.escape_default())
            } else {
                write!(f, "{character}")
            }
        })
    }
}

fn write_offset(f: &mut fmt::Formatter<'_>, offset: Option<u64>) -> fmt::Result {
    offset.map_or(Ok(()), |offset| write!(f, " (byte {offset})"))
}

/// The frequent errors in words that do not depend on the operating system.
fn write_io(f: &mut fmt::Formatter<'_>, error: &io::Error) -> fmt::Result {
    match error.kind() {
        io::ErrorKind::NotFound => f.write_str("no such file or folder"),
        io::ErrorKind::PermissionDenied => f.write_str("permission denied"),
        _ => write!(f, "{error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_error_names_container_entry_and_byte() {
        let error = EntryError {
            container: Arc::from("lib.jar"),
            name: "a/B\u{1b}[31m\0.class".to_owned(),
            offset: Some(12),
            kind: EntryErrorKind::HostileName(NameProblem::Nul),
        };
        assert_eq!(
            error.to_string(),
            "lib.jar: a/B\\u{1b}[31m\\u{0}.class: its name contains a NUL character (byte 12)"
        );
    }
}
