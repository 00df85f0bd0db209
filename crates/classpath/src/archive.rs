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
use crate::format::{self, Format};
use crate::gzip;
use crate::inflate::Wrapping;
use crate::limits::Limits;
use crate::names::{self, NameProblem};
use crate::source::{Entry, EntryKind, OpenProblem, Place, Problem, ReadBuffer, Recognition};
use crate::storage::Storage;

const ZIP_MAGIC: &[u8] = b"PK";
const JMOD_MAGIC: &[u8] = b"JM";

/// How much packed data is read to see the start of an entry: first so much that it nearly always is enough, at last so
/// much that no packer makes data for which it is not.
const PACKED_START_LENGTHS: [u64; 2] = [256, 64 << 10];

/// So many bytes of a file packed by gzip tell what is in it, unless its header has a very long name.
const GZIP_START_LENGTH: usize = 4 << 10;

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

/// Opens an archive and lists its classes and nested archives in the order of its directory. By content, the first bytes
/// of entries of other names are unpacked.
pub(crate) fn open(
    storage: Storage,
    magic: &[u8],
    limits: &Limits,
    recognition: Recognition,
) -> Result<(Archive, Vec<Entry>), OpenProblem> {
    let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
    let length = storage.length();
    let zip = ZipLocator::new()
        .locate_in_reader(storage, &mut buffer, length)
        .map_err(|(_, error)| not_an_archive(error, magic))?;
    check_directory_start(&zip)?;
    let archive = Archive { zip };
    let entries = list(&archive, limits, recognition, &mut buffer)?;
    Ok((archive, entries))
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

fn list(
    archive: &Archive,
    limits: &Limits,
    recognition: Recognition,
    buffer: &mut [u8],
) -> Result<Vec<Entry>, OpenProblem> {
    let mut listing = Listing {
        archive,
        limits,
        recognition,
        buffer: ReadBuffer::new(),
        entries: Vec::new(),
        seen: HashSet::new(),
        total: 0,
    };
    let mut count = 0_usize;
    let mut records = archive.zip.entries(buffer);
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
    archive: &'a Archive,
    limits: &'a Limits,
    recognition: Recognition,
    buffer: ReadBuffer,
    entries: Vec<Entry>,
    seen: HashSet<String>,
    total: u64,
}

impl Listing<'_> {
    fn add(&mut self, record: &ZipFileHeaderRecord<'_>) {
        let path = record.file_path();
        let place = ArchivePlace {
            way: record.wayfinder(),
            header_offset: record.local_header_offset(),
            method: record.compression_method(),
            checksum: record.crc32(),
        };
        let (kind, start_problem) = match (names::kind_of(path.as_bytes()), self.recognition) {
            (Some(kind), _) => (kind, None),
            (None, Recognition::ByName) => return,
            (None, Recognition::Everything) if path.as_bytes().ends_with(b"/") => return,
            (None, Recognition::Everything) => (EntryKind::Other, None),
            (None, Recognition::ByContent) => match self.recognise(record, &place) {
                Ok(Some(format)) => (format.entry_kind(), None),
                Ok(None) => return,
                Err(problem) => (EntryKind::Class, Some(problem)),
            },
        };
        let (name, name_problem) = names::check(path.as_bytes());
        let problem = start_problem.or_else(|| self.refuse(record, &name, name_problem, kind));
        self.entries.push(Entry {
            name,
            kind,
            size: record.uncompressed_size_hint(),
            place: Place::Archive(place),
            problem,
        });
    }

    fn refuse(
        &mut self,
        record: &ZipFileHeaderRecord<'_>,
        name: &str,
        name_problem: Option<NameProblem>,
        kind: EntryKind,
    ) -> Option<Problem> {
        let size = record.uncompressed_size_hint().max(record.compressed_size_hint());
        name_problem
            .map(EntryErrorKind::HostileName)
            .or_else(|| self.duplicate(name, kind))
            .or_else(|| refused_method(record))
            .or_else(|| self.too_large(size, kind))
            .map(|kind| Problem { offset: Some(record.central_directory_offset()), kind })
    }

    /// What an entry of any name is. One that cannot be unpacked may have been a class.
    fn recognise(
        &mut self,
        record: &ZipFileHeaderRecord<'_>,
        place: &ArchivePlace,
    ) -> Result<Option<Format>, Problem> {
        let is_folder = record.file_path().as_bytes().ends_with(b"/");
        if is_folder || record.uncompressed_size_hint() < format::SHORTEST {
            return Ok(None);
        }
        if let Some(kind) = refused_method(record) {
            return Err(Problem { offset: Some(record.central_directory_offset()), kind });
        }
        self.archive.read_start(place, format::START_LENGTH, &mut self.buffer)?;
        let format = Format::of(&self.buffer.bytes);
        if format != Some(Format::Gzip) {
            return Ok(format);
        }
        self.archive.read_start(place, GZIP_START_LENGTH, &mut self.buffer)?;
        Ok(format.filter(|_| gzip::may_hold_classes(self.buffer.bytes.as_slice())))
    }

    fn duplicate(&mut self, name: &str, kind: EntryKind) -> Option<EntryErrorKind> {
        let again = kind == EntryKind::Class && !self.seen.insert(name.to_owned());
        again.then_some(EntryErrorKind::Duplicate)
    }

    /// Counts the larger of the packed and the unpacked size: both are held in memory while reading.
    fn too_large(&mut self, size: u64, kind: EntryKind) -> Option<EntryErrorKind> {
        let limit = self.limits.of(kind);
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

    /// Reads the first bytes of an entry into `buffer.bytes`, `wanted` of them or all there are. Whatever the size of the
    /// entry, little more is read than they need.
    fn read_start(
        &self,
        place: &ArchivePlace,
        wanted: usize,
        buffer: &mut ReadBuffer,
    ) -> Result<(), Problem> {
        let (start, end) = self.data_range(place)?;
        self.read_start_of_data(place, (start, end), wanted, buffer)
            .map_err(|kind| Problem { offset: Some(start), kind })
    }

    fn read_start_of_data(
        &self,
        place: &ArchivePlace,
        (start, end): (u64, u64),
        wanted: usize,
        buffer: &mut ReadBuffer,
    ) -> Result<(), EntryErrorKind> {
        let storage = self.zip.get_ref();
        let packed = end.saturating_sub(start);
        if end > storage.length() {
            return Err(EntryErrorKind::CutShort { end, available: storage.length() });
        }
        if place.method == CompressionMethod::STORE {
            return Ok(storage.read_range(start, packed.min(wanted as u64), &mut buffer.bytes)?);
        }
        for attempt in PACKED_START_LENGTHS {
            let attempt = packed.min(attempt.max(wanted as u64));
            storage.read_range(start, attempt, &mut buffer.packed)?;
            if buffer.inflater.unpack_start(&buffer.packed, wanted, &mut buffer.bytes)? {
                return Ok(());
            }
            if attempt == packed {
                return Err(EntryErrorKind::PackedDataEndsEarly);
            }
        }
        Err(EntryErrorKind::PackedDataCorrupt)
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
