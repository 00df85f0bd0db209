//! A whole store as one file: the files of the store one after the other.
//!
//! To import it is to put the files into a store under the names that their contents give them, so nothing in it can name a place of its own.

use crate::bytes::Malformed;
use crate::class_pack::ClassPack;
use crate::container::{FileReader, FileWriter, Kind};
use crate::error::{Damage, Problem};
use crate::folder::{self, Part};
use crate::segment::read::read as read_segment;
use crate::shape_pack::Pack;
use std::path::Path;

const KIND: Kind = Kind { magic: *b"probitystore", version: 1 };

fn check(part: Part, bytes: &[u8]) -> Result<(), Damage> {
    match part {
        Part::Traces => read_segment(bytes).map(|_| ()),
        Part::Shapes => Pack::read(bytes).map(|_| ()),
        Part::Classes => ClassPack::read(bytes).map(|_| ()),
    }
}

/// All files that can be used, and what cannot.
pub(crate) fn export(folder: &Path) -> (Vec<u8>, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut sections = Vec::new();
    for (code, part) in (0u8..).zip(Part::ALL) {
        let (files, unreadable) = folder::read_all(folder, part);
        problems.extend(unreadable);
        for file in files {
            match check(part, &file.bytes) {
                Ok(()) => sections.push([&[code], file.bytes.as_slice()].concat()),
                Err(damage) => problems.push(Problem { file: file.path, damage }),
            }
        }
    }
    let mut writer = FileWriter::new(KIND);
    writer.section(&(sections.len() as u64).to_be_bytes());
    sections.iter().for_each(|section| writer.section(section));
    (writer.finish(), problems)
}

/// The files of an export; all of them are whole.
pub(crate) fn read(exported: &[u8]) -> Result<Vec<(Part, &[u8])>, Damage> {
    let mut reader = FileReader::new(exported, KIND)?;
    let count = reader.read(|reader| Ok(u64::from_be_bytes(reader.array()?)))?;
    let mut files = Vec::new();
    for _ in 0..count {
        let (part, bytes) = reader.read(|reader| {
            let code = reader.byte()?;
            let part = Part::ALL.get(usize::from(code)).ok_or(Malformed::UnknownKind(code))?;
            Ok((*part, reader.take(reader.left())?))
        })?;
        check(part, bytes)?;
        files.push((part, bytes));
    }
    reader.end()?;
    Ok(files)
}
