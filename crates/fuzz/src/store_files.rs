//! Files of a store, and damage to them.
//!
//! Most damage would be noticed by a checksum and go no deeper, so most damaged files get the checksums that they should have.

use fastrand::Rng;
use probity_shape::ContentId;
use probity_store::{Run, format};

use crate::mutate::{Damager, Strength};
use crate::synthetic::Project;

/// What stands in front of the first section, and the length and checksum in front of each.
const HEAD: usize = 16;
const SECTION_HEAD: usize = 16;

/// Files that are whole.
#[derive(Debug)]
pub struct StoreFiles {
    files: Vec<Vec<u8>>,
}

impl StoreFiles {
    /// Some files with traces and some with shapes.
    #[must_use]
    pub fn new() -> Self {
        let project = Project { classes_per_unit: 4, ..Project::SMALL };
        let mut files = Vec::new();
        for number in 0..8 {
            let traces: Vec<_> = (number..number * 2 + 1).map(|unit| project.trace(unit, number)).collect();
            let run = Run { began: number.into(), command: "java".to_owned(), exit: Some(1) };
            files.push(format::write_traces(&traces, &[run]));
            files.push(format::write_shapes(&project.shapes(number)[..number as usize]));
        }
        Self { files }
    }

    fn damage(&self, bytes: &mut Vec<u8>, rng: &mut Rng) {
        let at = rng.usize(HEAD.min(bytes.len())..bytes.len().max(HEAD + 1));
        match rng.u8(..10) {
            0 => bytes.truncate(at),
            1 => {
                let end = (at + rng.usize(..64)).min(bytes.len());
                bytes.drain(at.min(end)..end);
            }
            2 => {
                let other = rng.choice(&self.files).map_or(&[][..], Vec::as_slice);
                let start = rng.usize(..=other.len());
                let piece = other.get(start..(start + rng.usize(..64)).min(other.len())).unwrap_or_default();
                bytes.splice(at.min(bytes.len())..at.min(bytes.len()), piece.iter().copied());
            }
            3..6 => change(bytes, at, |byte| byte ^ 1 << rng.u8(..8)),
            6..8 => change(bytes, at, |byte| byte.wrapping_add(rng.u8(..3)).wrapping_sub(1)),
            _ => change(bytes, at, |_| rng.choice([0, 1, 0x7F, 0x80, 0xFF]).unwrap_or(0)),
        }
    }
}

impl Default for StoreFiles {
    fn default() -> Self {
        Self::new()
    }
}

impl Damager for StoreFiles {
    fn damaged(&self, _: Strength, rng: &mut Rng) -> Vec<u8> {
        let mut bytes = rng.choice(&self.files).cloned().unwrap_or_default();
        let before = lengths(&bytes);
        for _ in 0..rng.usize(1..4) {
            self.damage(&mut bytes, rng);
        }
        if rng.u8(..8) != 0 {
            seal(&mut bytes, &before, rng.bool());
        }
        bytes
    }
}

fn change(bytes: &mut [u8], at: usize, new: impl FnOnce(u8) -> u8) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte = new(*byte);
    }
}

/// The lengths of all sections.
fn lengths(bytes: &[u8]) -> Vec<usize> {
    let mut lengths = Vec::new();
    let mut at = HEAD;
    while let Some(length) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let length = usize::try_from(u64::from_be_bytes(*length)).unwrap_or(usize::MAX);
        lengths.push(length);
        at = at.saturating_add(SECTION_HEAD).saturating_add(length);
    }
    lengths
}

/// Gives sections the checksums of what is in them. Their lengths are those that they say, or those of before where nothing is
/// there any more that says them.
fn seal(bytes: &mut [u8], before: &[usize], old_lengths: bool) {
    let mut at = HEAD;
    for &old in before {
        let Some(head) = bytes.get(at..).and_then(<[u8]>::first_chunk::<8>) else { return };
        let said = usize::try_from(u64::from_be_bytes(*head)).unwrap_or(usize::MAX);
        let left = bytes.len().saturating_sub(at + SECTION_HEAD);
        let length = if old_lengths || said > left { old.min(left) } else { said };
        let start = at + SECTION_HEAD;
        let Some(contents) = bytes.get(start..start + length) else { return };
        let sum = ContentId::of(contents).0;
        if let Some(place) = bytes.get_mut(at..at + 8) {
            place.copy_from_slice(&(length as u64).to_be_bytes());
        }
        if let (Some(place), Some(sum)) = (bytes.get_mut(at + 8..start), sum.first_chunk::<8>()) {
            place.copy_from_slice(sum);
        }
        at = start + length;
    }
}
