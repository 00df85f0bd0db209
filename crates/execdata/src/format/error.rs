//! What can be wrong with execution data, where it is, and what to do about it.
//!
//! Texts are complete but plain; what is refused here is what JaCoCo refuses.

use std::error::Error;
use std::fmt;

use super::FORMAT_VERSION;

/// Data that is not what it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// Where, in bytes from the start.
    pub offset: u64,
    /// What.
    pub kind: ReadErrorKind,
}

/// What is wrong with execution data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// It does not start with a header.
    NotExecutionData,
    /// A header has another number in place of the magic one.
    BadMagic {
        /// The number.
        found: u16,
    },
    /// A header names another version of the format.
    IncompatibleVersion {
        /// That version.
        found: u16,
    },
    /// A block is of a type that the format does not have.
    UnknownBlock {
        /// The byte that tells the type.
        block_type: u8,
    },
    /// It ends inside a block.
    Truncated,
    /// An id or a name is not text.
    MalformedText,
    /// A class has more probes than Java can count.
    TooManyProbes {
        /// How many.
        count: u32,
    },
}

impl ReadErrorKind {
    pub(crate) fn at(self, offset: u64) -> ReadError {
        ReadError { offset, kind: self }
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(self) -> &'static str {
        match self {
            ReadErrorKind::NotExecutionData | ReadErrorKind::BadMagic { .. } => {
                "only files that a coverage agent recorded can be read, usually *.exec"
            }
            ReadErrorKind::IncompatibleVersion { .. } => {
                "record the data again; JaCoCo writes this version since 0.7.5"
            }
            ReadErrorKind::Truncated => "its writer was killed or the disk was full; record the data again",
            ReadErrorKind::UnknownBlock { .. }
            | ReadErrorKind::MalformedText
            | ReadErrorKind::TooManyProbes { .. } => "the data is damaged; record it again",
        }
    }
}

impl ReadError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        self.kind.hint()
    }
}

impl fmt::Display for ReadErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadErrorKind::NotExecutionData => {
                write!(f, "not execution data: it does not start with a header")
            }
            ReadErrorKind::BadMagic { found } => {
                write!(f, "not execution data: a header has {found:04x} in place of c0c0")
            }
            ReadErrorKind::IncompatibleVersion { found } => {
                write!(f, "incompatible version 0x{found:x} of the format, not 0x{FORMAT_VERSION:x}")
            }
            ReadErrorKind::UnknownBlock { block_type } => write!(f, "unknown block type 0x{block_type:02x}"),
            ReadErrorKind::Truncated => write!(f, "the data ends inside a block"),
            ReadErrorKind::MalformedText => write!(f, "a name is not modified UTF-8"),
            ReadErrorKind::TooManyProbes { count } => write!(f, "a class cannot have {count} probes"),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (byte {})", self.kind, self.offset)
    }
}

impl Error for ReadError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_and_types_are_told_in_hexadecimal_with_their_place() {
        let error = ReadErrorKind::IncompatibleVersion { found: 0x1006 }.at(0);
        assert_eq!(error.to_string(), "incompatible version 0x1006 of the format, not 0x1007 (byte 0)");
        let error = ReadErrorKind::UnknownBlock { block_type: 0xFE }.at(5);
        assert_eq!(error.to_string(), "unknown block type 0xfe (byte 5)");
    }
}
