//! Tells from its first bytes what a file is, whatever it is called.
//!
//! The rules are those by which JaCoCo chooses what it analyses, also for files that end too early, so that both count
//! the same classes. This module looks at bytes that others have read; it opens nothing.

use crate::source::EntryKind;

pub(crate) const CLASS_MAGIC: [u8; 4] = [0xCA, 0xFE, 0xBA, 0xBE];
const ARCHIVE: [u8; 4] = *b"PK\x03\x04";
const ARCHIVE_WITHOUT_ENTRIES: [u8; 4] = *b"PK\x05\x06";
const GZIP: [u8; 2] = [0x1F, 0x8B];

/// The first version of class files. What has a smaller number there is no class but a program for macOS.
const FIRST_CLASS_VERSION: u16 = 45;

/// Fewer bytes than this are nothing that is known.
pub(crate) const SHORTEST: u64 = 4;

/// So many bytes are enough to tell what a file is.
pub(crate) const START_LENGTH: usize = 8;

/// What a file is by its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// A class file, whole or cut.
    Class,
    /// A zip archive with something in it.
    Archive,
    /// Something packed by gzip.
    Gzip,
}

impl Format {
    /// What these bytes are, or the file that starts with them; `None` if they are nothing in which classes are looked
    /// for. Eight bytes of a file are enough.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Format> {
        let first = bytes.first_chunk::<4>()?;
        if *first == CLASS_MAGIC {
            is_class_version(bytes).then_some(Format::Class)
        } else if *first == ARCHIVE {
            Some(Format::Archive)
        } else {
            first.starts_with(&GZIP).then_some(Format::Gzip)
        }
    }

    pub(crate) fn entry_kind(self) -> EntryKind {
        match self {
            Format::Class => EntryKind::Class,
            Format::Archive | Format::Gzip => EntryKind::NestedArchive,
        }
    }
}

/// A class that is cut inside its version is a class that cannot be analysed, as it is for JaCoCo.
fn is_class_version(bytes: &[u8]) -> bool {
    match bytes {
        [_, _, _, _, _, _, high, low, ..] => u16::from_be_bytes([*high, *low]) >= FIRST_CLASS_VERSION,
        _ => true,
    }
}

/// Whether bytes are an archive without entries, which has another start than other archives.
pub(crate) fn is_archive_without_entries(bytes: &[u8]) -> bool {
    bytes.starts_with(&ARCHIVE_WITHOUT_ENTRIES)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_by_their_start() {
        assert_eq!(Format::of(b"\xCA\xFE\xBA\xBE\0\0\0\x3D more"), Some(Format::Class));
        assert_eq!(Format::of(b"PK\x03\x04"), Some(Format::Archive));
        assert_eq!(Format::of(b"\x1F\x8B\x08\0"), Some(Format::Gzip));
        for other in
            [&b""[..], b"text", b"PK\x05\x06 empty archive", b"JM\x01\0PK\x03\x04", b"\xCA\xFE\xD0\x0D"]
        {
            assert_eq!(Format::of(other), None, "{other:?}");
        }
    }

    #[test]
    fn a_program_for_macos_is_no_class() {
        assert_eq!(Format::of(b"\xCA\xFE\xBA\xBE\0\0\0\x02"), None);
        assert_eq!(Format::of(b"\xCA\xFE\xBA\xBE\0\0\0\x2C"), None);
        assert_eq!(Format::of(b"\xCA\xFE\xBA\xBE\0\0\0\x2D"), Some(Format::Class));
    }

    #[test]
    fn a_cut_class_is_a_class_and_a_cut_magic_is_nothing() {
        for length in 4..8 {
            assert_eq!(Format::of(&b"\xCA\xFE\xBA\xBE\0\0\0\0"[..length]), Some(Format::Class));
        }
        for cut in [&b"\xCA\xFE\xBA"[..], b"PK\x03", b"\x1F\x8B", b"\x1F\x8B\x08"] {
            assert_eq!(Format::of(cut), None, "{cut:?}");
        }
    }
}
