//! Archives in the zip format: jar, war, jmod.
//!
//! The directory at the end of the archive is the only truth, as it is for the JVM; headers in front of
//! entries serve to find the data. Damage to the directory refuses the archive, damage to an entry refuses
//! that entry. Nothing here follows a name to a file system.

use std::collections::HashSet;

use flate2::Crc;
use rawzip::{
    CompressionMethod, ErrorKind, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ReaderAt, ZipArchive,
    ZipArchiveEntryWayfinder, ZipFileHeaderRecord, ZipLocator,
};

use crate::error::{EntryErrorKind, OpenErrorKind};
use crate::inflate::Wrapping;
use crate::limits::Limits;
use crate::names;
use crate::source::{Entry, EntryKind, OpenProblem, Place, Problem, ReadBuffer};
use crate::storage::Storage;

const ZIP_MAGIC: &[u8] = b"PK";
const JMOD_MAGIC: &[u8] = b"JM";

#[derive(Debug)]
pub(crate) struct Archive {
    zip: ZipArchive<Storage>,
}

/// Where an entry's data is and how it is packed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ArchivePlace {
    way: ZipArchiveEntryWayfinder,
    header_offset: u64,
    method: CompressionMethod,
    checksum: u32,
}

/// Opens an archive and lists its classes and nested archives in the order of its directory.
pub(crate) fn open(
    storage: Storage,
    magic: &[u8],
    limits: &Limits,
) -> Result<(Archive, Vec<Entry>), OpenProblem> {
    let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
    let length = storage.length();
    let zip = ZipLocator::new()
        .locate_in_reader(storage, &mut buffer, length)
        .map_err(|(_, error)| not_an_archive(error, magic))?;
    check_directory_start(&zip)?;
    let entries = list(&zip, limits, &mut buffer)?;
    Ok((Archive { zip }, entries))
}

fn not_an_archive(error: rawzip::Error, magic: &[u8]) -> OpenProblem {
    let looks_like_one = magic.starts_with(ZIP_MAGIC) || magic.starts_with(JMOD_MAGIC);
    match error.kind() {
        ErrorKind::MissingEndOfCentralDirectory if looks_like_one => OpenErrorKind::ArchiveCutShort.into(),
        ErrorKind::MissingEndOfCentralDirectory => OpenErrorKind::NotRecognised.into(),
        _ => damaged(error),
    }
}

fn damaged(error: rawzip::Error) -> OpenProblem {
    let offset = error.eocd_offset();
    match error.into_kind() {
        ErrorKind::IO(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => error.into(),
        kind => OpenProblem { offset, kind: OpenErrorKind::ArchiveDirectoryDamaged(kind.into()) },
    }
}

/// The start of the directory is stated twice: as an offset, and by its size before the end record. The JVM
/// goes by the size. An archive where the two differ would show us other classes than it shows the JVM.
fn check_directory_start(zip: &ZipArchive<Storage>) -> Result<(), OpenProblem> {
    const SIZE_IN_END_RECORD: u64 = 12;
    const LOCATOR_BEFORE_END_RECORD: u64 = 20;
    const LOCATOR_SIGNATURE: [u8; 4] = *b"PK\x06\x07";
    let end_record = zip.eocd_offset();
    let has_wide_record = end_record
        .checked_sub(LOCATOR_BEFORE_END_RECORD)
        .is_some_and(|locator| read_four(zip.get_ref(), locator) == Some(LOCATOR_SIGNATURE));
    let stated_size =
        read_four(zip.get_ref(), end_record.saturating_add(SIZE_IN_END_RECORD)).map(u32::from_le_bytes);
    let (by_offset, by_size) = match stated_size {
        Some(size) if !has_wide_record => (zip.directory_offset(), end_record.saturating_sub(size.into())),
        _ => return Ok(()),
    };
    if by_offset == by_size {
        return Ok(());
    }
    let kind = OpenErrorKind::ArchiveDirectoryAmbiguous { by_offset, by_size };
    Err(OpenProblem { offset: Some(end_record), kind })
}

fn read_four(storage: &Storage, offset: u64) -> Option<[u8; 4]> {
    let mut bytes = [0; 4];
    storage.read_exact_at(&mut bytes, offset).ok().map(|()| bytes)
}

fn list(zip: &ZipArchive<Storage>, limits: &Limits, buffer: &mut [u8]) -> Result<Vec<Entry>, OpenProblem> {
    let mut listing = Listing { limits, entries: Vec::new(), seen: HashSet::new(), total: 0 };
    let mut count = 0_usize;
    let mut records = zip.entries(buffer);
    while let Some(record) = records.next_entry().map_err(damaged)? {
        count += 1;
        if count > limits.max_entries {
            return Err(OpenErrorKind::TooManyEntries { limit: limits.max_entries }.into());
        }
        listing.add(&record);
    }
    Ok(listing.entries)
}

/// The list in the making, with what is needed to refuse entries.
struct Listing<'a> {
    limits: &'a Limits,
    entries: Vec<Entry>,
    seen: HashSet<String>,
    total: u64,
}

impl Listing<'_> {
    fn add(&mut self, record: &ZipFileHeaderRecord<'_>) {
        let path = record.file_path();
        let Some(kind) = names::kind_of(path.as_bytes()) else { return };
        let (name, name_problem) = names::check(path.as_bytes());
        let problem = name_problem
            .map(EntryErrorKind::HostileName)
            .or_else(|| self.duplicate(&name, kind))
            .or_else(|| refused_method(record))
            .or_else(|| {
                self.too_large(record.uncompressed_size_hint().max(record.compressed_size_hint()), kind)
            });
        self.entries.push(Entry {
            name,
            kind,
            size: record.uncompressed_size_hint(),
            place: Place::Archive(ArchivePlace {
                way: record.wayfinder(),
                header_offset: record.local_header_offset(),
                method: record.compression_method(),
                checksum: record.crc32(),
            }),
            problem: problem.map(|kind| Problem { offset: Some(record.central_directory_offset()), kind }),
        });
    }

    fn duplicate(&mut self, name: &str, kind: EntryKind) -> Option<EntryErrorKind> {
        let again = kind == EntryKind::Class && !self.seen.insert(name.to_owned());
        again.then_some(EntryErrorKind::Duplicate)
    }

    /// Counts the larger of the packed and the unpacked size: both are held in memory while reading.
    fn too_large(&mut self, size: u64, kind: EntryKind) -> Option<EntryErrorKind> {
        let limit = match kind {
            EntryKind::NestedArchive => self.limits.max_nested_bytes,
            EntryKind::Class | EntryKind::Folder => self.limits.max_class_bytes,
        };
        if size > limit {
            return Some(EntryErrorKind::TooLarge { size, limit });
        }
        self.total = self.total.saturating_add(size);
        let limit = self.limits.max_total_bytes;
        (self.total > limit).then_some(EntryErrorKind::OverTotal { limit })
    }
}

fn refused_method(record: &ZipFileHeaderRecord<'_>) -> Option<EntryErrorKind> {
    let method = record.compression_method();
    if record.flags().is_encrypted() {
        Some(EntryErrorKind::Encrypted)
    } else if method == CompressionMethod::STORE || method == CompressionMethod::DEFLATE {
        None
    } else {
        Some(EntryErrorKind::UnknownMethod { method: method.as_u16(), name: method.name() })
    }
}

impl Archive {
    /// Reads an entry into `buffer.bytes` and tells where its data starts.
    pub(crate) fn read(
        &self,
        place: &ArchivePlace,
        size: u64,
        buffer: &mut ReadBuffer,
    ) -> Result<u64, Problem> {
        let (start, end) = self.data_range(place)?;
        self.read_data(place, (start, end), size, buffer)
            .map(|()| start)
            .map_err(|kind| Problem { offset: Some(start), kind })
    }

    fn data_range(&self, place: &ArchivePlace) -> Result<(u64, u64), Problem> {
        let entry = self.zip.get_entry(place.way).map_err(|error| {
            let kind = match error.into_kind() {
                ErrorKind::IO(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => error.into(),
                _ => EntryErrorKind::NoEntryHere,
            };
            Problem { offset: Some(place.header_offset), kind }
        })?;
        Ok(entry.compressed_data_range())
    }

    fn read_data(
        &self,
        place: &ArchivePlace,
        (start, end): (u64, u64),
        size: u64,
        buffer: &mut ReadBuffer,
    ) -> Result<(), EntryErrorKind> {
        let storage = self.zip.get_ref();
        let packed = end.saturating_sub(start);
        if end > storage.length() {
            return Err(EntryErrorKind::CutShort { end, available: storage.length() });
        }
        if place.method == CompressionMethod::STORE {
            if packed != size {
                return Err(EntryErrorKind::StoredSizesDiffer { packed, declared: size });
            }
            storage.read_range(start, packed, &mut buffer.bytes)?;
        } else {
            storage.read_range(start, packed, &mut buffer.packed)?;
            buffer.inflater.unpack(&buffer.packed, Wrapping::None, size, &mut buffer.bytes)?;
        }
        check_sum(&buffer.bytes, place.checksum)
    }
}

fn check_sum(bytes: &[u8], declared: u32) -> Result<(), EntryErrorKind> {
    let mut crc = Crc::new();
    crc.update(bytes);
    let actual = crc.sum();
    if actual == declared { Ok(()) } else { Err(EntryErrorKind::Checksum { declared, actual }) }
}
