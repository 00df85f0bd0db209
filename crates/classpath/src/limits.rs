//! How much a container may ask of us.
//!
//! Limits exist because containers may be hostile: a few bytes of archive can stand for terabytes. They are
//! checked while listing, on declared sizes, so that the same entries are refused in every run; what an entry
//! really unpacks to is then held to what it declared. Nothing else in the crate decides how much is too
//! much.

use crate::source::EntryKind;

/// What one container may hold before its entries, or the whole of it, are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The largest class file that is read, in bytes.
    pub max_class_bytes: u64,
    /// The largest archive inside an archive that is read, and the largest file that is no class, in bytes.
    pub max_nested_bytes: u64,
    /// The sum of the unpacked sizes of all listed entries of one container, in bytes. Entries past it are
    /// refused. It does not apply to folders, where files take on disk what they take in memory.
    pub max_total_bytes: u64,
    /// How many entries of any sort a container may have. With more it is not opened at all.
    pub max_entries: usize,
}

impl Limits {
    /// Far above anything that compilers and packagers produce, far below what would hurt.
    pub const STANDARD: Limits = Limits {
        max_class_bytes: 64 << 20,
        max_nested_bytes: 512 << 20,
        max_total_bytes: 8 << 30,
        max_entries: 1_000_000,
    };

    /// The largest entry of a kind, in bytes.
    pub(crate) fn of(&self, kind: EntryKind) -> u64 {
        match kind {
            EntryKind::NestedArchive | EntryKind::Other => self.max_nested_bytes,
            EntryKind::Class | EntryKind::Folder => self.max_class_bytes,
        }
    }
}
