//! The runtime image of a JDK, `lib/modules`, read without a JVM.
//!
//! The index in front says where every resource of every module is; this module lists the classes among them,
//! and reads them straight from the file. Hash tables of the format are not used: everything is listed
//! anyway. It never loads more of the file than the index and the entry asked for.

mod index;
mod resource;

use crate::error::{EntryErrorKind, OpenErrorKind};
use crate::limits::Limits;
use crate::names;
use crate::source::{Entry, EntryKind, OpenProblem, Place, Problem, ReadBuffer};
use crate::storage::Storage;

use index::{Header, Index, Location};

pub(crate) use index::is_image;

/// Names of all classes of a JDK take about two megabytes; an index can be made to ask for much more.
const MAX_NAME_BYTES: usize = 64 << 20;

/// Folders of the image that list modules and packages; no class is in them.
const PSEUDO_MODULES: [&[u8]; 2] = [b"modules", b"packages"];

#[derive(Debug)]
pub(crate) struct Image {
    storage: Storage,
    index: Index,
}

/// Where a resource is in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ImagePlace {
    offset: u64,
    /// How many bytes it takes if it is compressed; 0 if it is not.
    compressed: u64,
}

/// Opens an image and lists its classes by name.
pub(crate) fn open(storage: Storage, limits: &Limits) -> Result<(Image, Vec<Entry>), OpenProblem> {
    let header = Header::read(&storage)?;
    if header.table_length() > limits.max_entries {
        return Err(OpenErrorKind::TooManyEntries { limit: limits.max_entries }.into());
    }
    let index = Index::read(header, &storage)?;
    let mut entries = list(&index)?;
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    refuse_duplicates(&mut entries);
    refuse_too_large(&mut entries, limits);
    Ok((Image { storage, index }, entries))
}

fn list(index: &Index) -> Result<Vec<Entry>, OpenProblem> {
    let mut entries = Vec::new();
    let mut name_bytes = 0_usize;
    for slot in 0..index.header().table_length() {
        let Some(location) = index.location(slot) else { continue };
        let entry = match location {
            Ok(location) => class_entry(index, &location),
            Err(problem) => Some(unlisted(slot, problem)),
        };
        if let Some(entry) = entry {
            name_bytes = name_bytes.saturating_add(entry.name.len());
            entries.push(entry);
        }
        if name_bytes > MAX_NAME_BYTES {
            return Err(OpenErrorKind::ImageNamesTooLong.into());
        }
    }
    Ok(entries)
}

fn class_entry(index: &Index, location: &Location<'_>) -> Option<Entry> {
    if location.extension != b"class" || PSEUDO_MODULES.contains(&location.module) {
        return None;
    }
    let (name, name_problem) = names::check(&location.full_name());
    let problem = |kind| Problem { offset: Some(location.index_offset), kind };
    let problem = match (name_problem, index.content_offset(location.content_offset)) {
        (Some(hostile), _) => Some(problem(EntryErrorKind::HostileName(hostile))),
        (None, None) => {
            Some(problem(EntryErrorKind::ImageLocation("its content is past the end of any file")))
        }
        (None, Some(_)) => None,
    };
    let offset = index.content_offset(location.content_offset).unwrap_or(u64::MAX);
    let place = Place::Image(ImagePlace { offset, compressed: location.compressed });
    Some(Entry { name, kind: EntryKind::Class, size: location.uncompressed, place, problem })
}

/// A slot of the index that cannot be read may have been a class: it is listed as one that cannot be read.
fn unlisted(slot: usize, problem: Problem) -> Entry {
    Entry {
        name: format!("entry {slot} of the index"),
        kind: EntryKind::Class,
        size: 0,
        place: Place::Nowhere,
        problem: Some(problem),
    }
}

fn refuse_duplicates(entries: &mut [Entry]) {
    let mut rest = entries;
    while let [first, tail @ ..] = rest {
        if let Some(second) = tail.first_mut().filter(|second| second.name == first.name) {
            second.problem.get_or_insert(Problem { offset: None, kind: EntryErrorKind::Duplicate });
        }
        rest = tail;
    }
}

fn refuse_too_large(entries: &mut [Entry], limits: &Limits) {
    let mut total = 0_u64;
    for entry in entries {
        let Place::Image(place) = entry.place else { continue };
        let size = entry.size.max(place.compressed);
        let kind = if size > limits.max_class_bytes {
            Some(EntryErrorKind::TooLarge { size, limit: limits.max_class_bytes })
        } else {
            total = total.saturating_add(size);
            (total > limits.max_total_bytes)
                .then_some(EntryErrorKind::OverTotal { limit: limits.max_total_bytes })
        };
        if let Some(kind) = kind {
            entry.problem.get_or_insert(Problem { offset: Some(place.offset), kind });
        }
    }
}

impl Image {
    /// Reads a class into `buffer.bytes` and tells where its data starts.
    pub(crate) fn read(
        &self,
        place: &ImagePlace,
        size: u64,
        limits: &Limits,
        buffer: &mut ReadBuffer,
    ) -> Result<u64, Problem> {
        let stored = if place.compressed == 0 { size } else { place.compressed };
        self.read_stored(place.offset, stored, buffer)
            .and_then(|()| {
                if place.compressed == 0 {
                    Ok(())
                } else {
                    resource::unpack(&self.index, size, limits, buffer)
                }
            })
            .map(|()| place.offset)
            .map_err(|kind| Problem { offset: Some(place.offset), kind })
    }

    fn read_stored(&self, offset: u64, length: u64, buffer: &mut ReadBuffer) -> Result<(), EntryErrorKind> {
        let available = self.storage.length();
        let end = offset.saturating_add(length);
        if end > available {
            return Err(EntryErrorKind::CutShort { end, available });
        }
        Ok(self.storage.read_range(offset, length, &mut buffer.bytes)?)
    }
}
