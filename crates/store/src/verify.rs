//! Looks at every bit of a store.
//!
//! Loading trusts checksums; this also compares each file with its name, each trace with its identity, and takes every shape apart.

use crate::class_pack::ClassPack;
use crate::error::{Damage, DamageKind, Malformed, Problem};
use crate::folder::{self, Part};
use crate::segment::read::read as read_segment;
use crate::shape_pack::Pack;
use crate::traces::Traces;
use std::path::Path;
use std::slice;

/// What was looked at, and what is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// How many files.
    pub files: usize,
    /// How many traces.
    pub traces: usize,
    /// How many shapes.
    pub shapes: usize,
    /// What is wrong.
    pub problems: Vec<Problem>,
}

pub(crate) fn verify(folder: &Path) -> Verified {
    let mut verified = Verified::default();
    for part in Part::ALL {
        let (files, unreadable) = folder::read_all(folder, part);
        verified.problems.extend(unreadable);
        for file in files {
            verified.files += 1;
            let damage = verified.file(part, &file.bytes).err().or_else(|| {
                let is_named =
                    file.path.file_name().is_some_and(|name| *name == *folder::name_of(&file.bytes));
                (!is_named).then_some(Damage { offset: 0, kind: DamageKind::Misnamed })
            });
            verified.problems.extend(damage.map(|damage| Problem { file: file.path, damage }));
        }
    }
    verified
}

impl Verified {
    fn file(&mut self, part: Part, bytes: &[u8]) -> Result<(), Damage> {
        match part {
            Part::Traces => {
                let segment = read_segment(bytes)?;
                let traces = Traces::of(slice::from_ref(&segment), Vec::new());
                self.traces += traces.len();
                let is_wrong = traces.iter().any(|trace| trace.computed_id() != trace.id());
                if is_wrong { Err(Damage { offset: 0, kind: DamageKind::WrongId }) } else { Ok(()) }
            }
            Part::Classes => {
                let pack = ClassPack::read(bytes)?;
                let is_whole = |(content, place): &(_, std::ops::Range<usize>)| {
                    pack.class(*content, place.clone()).is_some()
                };
                if pack.places.iter().all(is_whole) {
                    Ok(())
                } else {
                    Err(Damage { offset: 0, kind: DamageKind::WrongId })
                }
            }
            Part::Shapes => {
                let pack = Pack::read(bytes)?;
                self.shapes += pack.places.len();
                let is_whole = |(content, place): &(_, std::ops::Range<usize>)| {
                    pack.shape(*content, place.clone()).is_some()
                };
                if pack.places.iter().all(is_whole) {
                    Ok(())
                } else {
                    Err(Damage { offset: 0, kind: DamageKind::Malformed(Malformed::TooShort) })
                }
            }
        }
    }
}
