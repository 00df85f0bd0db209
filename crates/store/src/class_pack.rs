//! The file with the classes of the project themselves, packed: what a body did before it changed can only be told from its bytes.
//!
//! Classes of libraries are not kept: they change rarely, and then as a whole.

use crate::bytes::{Reader, put_bytes, put_count};
use crate::container::{FileReader, FileWriter, Kind};
use crate::error::{Damage, Problem};
use crate::folder::Read;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use probity_shape::ContentId;
use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::ops::Range;

const KIND: Kind = Kind { magic: *b"probityclass", version: 1 };

/// No class file is larger than that by far; what says it is, is damaged.
const MOST: u64 = 1 << 27;

/// The file with some classes.
pub(crate) fn write<'c>(classes: impl Iterator<Item = (ContentId, &'c [u8])>) -> Vec<u8> {
    let mut sorted: Vec<(ContentId, &[u8])> = classes.collect();
    sorted.sort_unstable_by_key(|(content, _)| *content);
    sorted.dedup_by_key(|(content, _)| *content);
    let mut out = Vec::new();
    put_count(&mut out, sorted.len());
    for (content, bytes) in sorted {
        out.extend(content.0);
        put_bytes(&mut out, &packed(bytes));
    }
    let mut file = FileWriter::new(KIND);
    file.section(&out);
    file.finish()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    // Memory never refuses.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut unpacked = Vec::new();
    DeflateDecoder::new(bytes).take(MOST).read_to_end(&mut unpacked).ok()?;
    Some(unpacked)
}

/// A file that was read: classes are unpacked when they are asked for.
#[derive(Debug)]
pub(crate) struct ClassPack {
    bytes: Vec<u8>,
    pub(crate) places: Vec<(ContentId, Range<usize>)>,
}

impl ClassPack {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Damage> {
        let mut file = FileReader::new(bytes, KIND)?;
        let pack = file.read(|reader| {
            let whole = reader.take(reader.left())?;
            let mut reader = Reader::new(whole);
            let places = reader.list(|reader| {
                let content = ContentId(reader.array()?);
                let length = reader.bytes()?.len();
                let end = whole.len() - reader.left();
                Ok((content, end - length..end))
            })?;
            reader.end()?;
            Ok(Self { bytes: whole.to_vec(), places })
        })?;
        file.end()?;
        Ok(pack)
    }

    /// The bytes of a class that is there; nothing if they are not what they should be.
    pub(crate) fn class(&self, content: ContentId, place: Range<usize>) -> Option<Vec<u8>> {
        let bytes = unpacked(self.bytes.get(place)?)?;
        (ContentId::of(&bytes) == content).then_some(bytes)
    }
}

/// The classes of a store.
#[derive(Debug, Default)]
pub struct Classes {
    packs: Vec<ClassPack>,
    places: HashMap<ContentId, (usize, Range<usize>)>,
    problems: Vec<Problem>,
}

impl Classes {
    pub(crate) fn of(files: &[Read], problems: Vec<Problem>) -> Self {
        let mut classes = Self { problems, ..Self::default() };
        for file in files {
            match ClassPack::read(&file.bytes) {
                Ok(pack) => {
                    let number = classes.packs.len();
                    for (content, place) in &pack.places {
                        classes.places.entry(*content).or_insert_with(|| (number, place.clone()));
                    }
                    classes.packs.push(pack);
                }
                Err(damage) => classes.problems.push(Problem { file: file.path.clone(), damage }),
            }
        }
        classes
    }

    /// The bytes of a class; nothing if they are not kept.
    #[must_use]
    pub fn get(&self, content: ContentId) -> Option<Vec<u8>> {
        let (pack, place) = self.places.get(&content)?;
        self.packs.get(*pack)?.class(content, place.clone())
    }

    /// Whether the bytes of a class are kept.
    #[must_use]
    pub fn contains(&self, content: ContentId) -> bool {
        self.places.contains_key(&content)
    }

    /// The files that could not be used.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_come_back_as_they_were() {
        let classes: Vec<Vec<u8>> = vec![b"one class".to_vec(), vec![7; 10_000], Vec::new()];
        let pairs = || classes.iter().map(|bytes| (ContentId::of(bytes), bytes.as_slice()));
        let file = write(pairs().chain(pairs()));
        let pack = ClassPack::read(&file).expect("is whole");
        assert_eq!(pack.places.len(), 3);
        let read = Read { path: "x".into(), bytes: file.clone() };
        let all = Classes::of(&[read], Vec::new());
        for bytes in &classes {
            assert_eq!(all.get(ContentId::of(bytes)).as_ref(), Some(bytes));
        }
        assert_eq!(all.get(ContentId::of(b"other")), None);
        for cut in 0..file.len() {
            assert!(ClassPack::read(&file[..cut]).is_err(), "{cut}");
        }
    }
}
