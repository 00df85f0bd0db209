//! Files packed by gzip: one class or one archive, packed as a whole.
//!
//! Such a file states its unpacked size only at its end and cannot be trusted, so it is unpacked up to the limit for what
//! is in it and no further. This module never unpacks more than a few bytes to see what that is.

use std::io::{self, ErrorKind, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;
use rawzip::ReaderAt;

use crate::error::{EntryErrorKind, OpenErrorKind};
use crate::format::{Format, START_LENGTH};
use crate::limits::Limits;
use crate::source::{Entry, EntryKind, OpenProblem, Place};
use crate::storage::Storage;

const ENDING: &str = ".gz";

/// Lists what is in the file: one entry, or none if it is nothing in which classes are looked for.
pub(crate) fn list(storage: &Storage, path: &Path) -> Result<Vec<Entry>, OpenProblem> {
    let start = start_inside(StorageReader::new(storage)).map_err(|error| match error.kind() {
        ErrorKind::InvalidInput | ErrorKind::InvalidData | ErrorKind::UnexpectedEof => {
            OpenErrorKind::GzipDamaged(error)
        }
        _ => OpenErrorKind::Unreadable(error),
    })?;
    let entry = Format::of(&start).map(|format| Entry {
        name: name_inside(path),
        kind: format.entry_kind(),
        size: 0,
        place: Place::WholeFile,
        problem: None,
    });
    Ok(entry.into_iter().collect())
}

/// Replaces `into` with what the file unpacks to.
pub(crate) fn read(
    storage: &Storage,
    kind: EntryKind,
    limits: &Limits,
    into: &mut Vec<u8>,
) -> Result<(), EntryErrorKind> {
    into.clear();
    let limit = limits.of(kind);
    let unpacked = MultiGzDecoder::new(StorageReader::new(storage));
    unpacked.take(limit.saturating_add(1)).read_to_end(into).map_err(|error| match error.kind() {
        ErrorKind::InvalidInput | ErrorKind::InvalidData => EntryErrorKind::PackedDataCorrupt,
        ErrorKind::UnexpectedEof => EntryErrorKind::PackedDataEndsEarly,
        _ => error.into(),
    })?;
    let size = into.len() as u64;
    if size > limit { Err(EntryErrorKind::TooLarge { size, limit }) } else { Ok(()) }
}

/// Whether classes are looked for in a gzip file with this start. It is so too if the start does not tell: reading the
/// whole will.
pub(crate) fn may_hold_classes(start: impl Read) -> bool {
    start_inside(start).map_or(true, |start| Format::of(&start).is_some())
}

fn start_inside(packed: impl Read) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    MultiGzDecoder::new(packed).take(START_LENGTH as u64).read_to_end(&mut start)?;
    Ok(start)
}

fn name_inside(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    name.strip_suffix(ENDING).unwrap_or(&name).to_owned()
}

/// Reads a storage from its start to its end.
struct StorageReader<'s> {
    storage: &'s Storage,
    offset: u64,
}

impl<'s> StorageReader<'s> {
    fn new(storage: &'s Storage) -> StorageReader<'s> {
        StorageReader { storage, offset: 0 }
    }
}

impl Read for StorageReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.storage.read_at(buffer, self.offset)?;
        self.offset = self.offset.saturating_add(count as u64);
        Ok(count)
    }
}
