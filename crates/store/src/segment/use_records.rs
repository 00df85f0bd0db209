//! The uses of classes that a file will have: each once, and at the end in order.
//!
//! There can be hundreds of thousands, found millions of times. Each is a record of bytes behind the one before, so that to look for one is to compare
//! bytes in one place; the table that finds them has nothing but numbers.

use super::tables::ReasonRow;
use crate::bytes::{put_bytes, put_count, put_number, put_optional};
use crate::quick_hash::QuickState;
use probity_trace::Why;
use std::hash::{BuildHasher, Hasher};

/// Uses by number.
#[derive(Debug)]
pub(super) struct UseRecords {
    hashing: QuickState,
    bytes: Vec<u8>,
    /// Where each record ends.
    ends: Vec<usize>,
    /// Less than half of it is taken. A use is in the place that its hash says, or behind it where others were first.
    table: Vec<Place>,
    /// Records that are asked for together, with their hashes and where they end.
    waiting: Vec<u8>,
    waiting_ends: Vec<(u32, usize)>,
}

/// A place of the table.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    /// The hash of the use, so that few records are looked at in vain and none when the table grows.
    hash: u32,
    /// The number of the use and one more; 0 if there is none.
    next: u32,
}

/// A use, looked at.
#[derive(Clone, Copy)]
struct Record<'r> {
    version: u32,
    hits: &'r [u8],
    /// A code and a text for each, the text as its number and one more.
    reasons: &'r [[u8; REASON]],
}

const REASON: usize = 5;
const FIRST_TABLE: usize = 1 << 10;

impl Default for UseRecords {
    fn default() -> Self {
        Self {
            hashing: QuickState::default(),
            bytes: Vec::new(),
            ends: Vec::new(),
            table: vec![Place::default(); FIRST_TABLE],
            waiting: Vec::new(),
            waiting_ends: Vec::new(),
        }
    }
}

impl UseRecords {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Keeps a use to be asked for with others.
    pub(super) fn wait(&mut self, version: u32, hits: &[u8], reasons: &[ReasonRow]) {
        let start = self.waiting.len();
        append(&mut self.waiting, version, hits, reasons);
        let hash = self.hash(self.waiting.get(start..).unwrap_or_default());
        self.waiting_ends.push((hash, self.waiting.len()));
    }

    /// The numbers of all that wait; new ones get the next.
    pub(super) fn numbers(&mut self) -> Vec<u32> {
        self.look_ahead();
        let (waiting, ends) = (std::mem::take(&mut self.waiting), std::mem::take(&mut self.waiting_ends));
        let mut start = 0;
        let mut number = |&(hash, end): &(u32, usize)| {
            let record = waiting.get(start..end).unwrap_or_default();
            start = end;
            self.number_of(hash, record)
        };
        let numbers = ends.iter().map(&mut number).collect();
        (self.waiting, self.waiting_ends) = (waiting, ends);
        self.waiting.clear();
        self.waiting_ends.clear();
        numbers
    }

    /// Looks at all places at which something will be compared. One look does not depend on another, so the processor fetches many at
    /// once; where each waits for the one before, fetching takes most of the time.
    fn look_ahead(&self) {
        let mask = self.table.len().wrapping_sub(1);
        let place = |hash: u32| self.table.get(hash as usize & mask).map_or(0, |place| place.next);
        let places = self.waiting_ends.iter().map(|(hash, _)| place(*hash));
        std::hint::black_box(places.clone().fold(0, |all, next| all ^ next));
        let ends = places.clone().map(|next| self.ends.get(next as usize).copied().unwrap_or_default());
        std::hint::black_box(ends.fold(0, |all, end| all ^ end));
        let records = places.filter_map(|next| self.bytes_of(next.checked_sub(1)?).last().copied());
        std::hint::black_box(records.fold(0, |all, byte| all ^ byte));
    }

    fn number_of(&mut self, hash: u32, record: &[u8]) -> u32 {
        let place = self.place(hash, |number| self.bytes_of(number) == record);
        if let Some(known) = self.table.get(place).and_then(|place| place.next.checked_sub(1)) {
            return known;
        }
        self.bytes.extend_from_slice(record);
        let number = self.ends.len() as u32;
        self.ends.push(self.bytes.len());
        self.table.get_mut(place).into_iter().for_each(|place| *place = Place { hash, next: number + 1 });
        if self.ends.len() * 2 > self.table.len() {
            self.grow();
        }
        number
    }

    fn hash(&self, record: &[u8]) -> u32 {
        let mut hasher = self.hashing.build_hasher();
        hasher.write(record);
        hasher.finish() as u32
    }

    /// The place of a use, or the free one that it should have.
    fn place(&self, hash: u32, is_it: impl Fn(u32) -> bool) -> usize {
        let mask = self.table.len().wrapping_sub(1);
        let mut at = hash as usize & mask;
        while let Some(Place { hash: other, next }) = self.table.get(at) {
            match next.checked_sub(1) {
                None => break,
                Some(number) if *other == hash && is_it(number) => break,
                Some(_) => at = (at + 1) & mask,
            }
        }
        at
    }

    /// Makes the table twice as large.
    fn grow(&mut self) {
        let larger = vec![Place::default(); self.table.len() * 2];
        let known = std::mem::replace(&mut self.table, larger);
        for known in known.into_iter().filter(|place| place.next > 0) {
            let place = self.place(known.hash, |_| false);
            self.table.get_mut(place).into_iter().for_each(|place| *place = known);
        }
    }

    fn bytes_of(&self, number: u32) -> &[u8] {
        let number = number as usize;
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(number).copied().unwrap_or(start);
        self.bytes.get(start..end).unwrap_or_default()
    }

    fn get(&self, number: u32) -> Record<'_> {
        let (version, rest) = take_number(self.bytes_of(number));
        let (length, rest) = take_number(rest);
        let (hits, reasons) = rest.split_at_checked(length as usize).unwrap_or_default();
        Record { version, hits, reasons: reasons.as_chunks().0 }
    }

    /// Puts all in order; versions and texts get their last numbers.
    pub(super) fn sorted<'u, T: Fn(u32) -> u32>(
        &'u self,
        version: impl Fn(u32) -> u32,
        text: T,
    ) -> SortedUses<'u, T> {
        let key = |old: u32| {
            let record = self.get(old);
            let mut first = [0; 8];
            first.iter_mut().zip(record.hits).for_each(|(to, from)| *to = *from);
            Key { version: version(record.version), hits: u64::from_be_bytes(first), old }
        };
        let mut order: Vec<Key> = (0..self.len() as u32).map(key).collect();
        order.sort_unstable_by(|one, other| {
            (one.version, one.hits).cmp(&(other.version, other.hits)).then_with(|| {
                let (one, other) = (self.get(one.old), self.get(other.old));
                one.hits.cmp(other.hits).then_with(|| one.reasons(&text).cmp(other.reasons(&text)))
            })
        });
        SortedUses { uses: self, order, text }
    }
}

fn append(bytes: &mut Vec<u8>, version: u32, hits: &[u8], reasons: &[ReasonRow]) {
    bytes.extend_from_slice(&version.to_le_bytes());
    bytes.extend_from_slice(&(hits.len() as u32).to_le_bytes());
    bytes.extend_from_slice(hits);
    for (why, of) in reasons {
        let [a, b, c, d] = of.map_or(0, |of| of + 1).to_le_bytes();
        bytes.extend_from_slice(&[why.code(), a, b, c, d]);
    }
}

fn take_number(bytes: &[u8]) -> (u32, &[u8]) {
    bytes.split_first_chunk().map_or((0, &[]), |(number, rest)| (u32::from_le_bytes(*number), rest))
}

impl Record<'_> {
    fn coded_reasons(&self) -> impl ExactSizeIterator<Item = (u8, Option<u32>)> {
        self.reasons.iter().map(|&[code, a, b, c, d]| (code, u32::from_le_bytes([a, b, c, d]).checked_sub(1)))
    }

    fn reasons(&self, text: impl Fn(u32) -> u32) -> impl Iterator<Item = (Option<Why>, Option<u32>)> {
        self.coded_reasons().map(move |(code, of)| (Why::from_code(code), of.map(&text)))
    }
}

/// Uses in their last order.
pub(super) struct SortedUses<'u, T> {
    uses: &'u UseRecords,
    order: Vec<Key>,
    text: T,
}

/// What decides the order of most uses; then it is all of their hits and the reasons.
struct Key {
    version: u32,
    /// The first bytes of the hits.
    hits: u64,
    old: u32,
}

impl<T: Fn(u32) -> u32> SortedUses<'_, T> {
    /// For each old number the new one.
    pub(super) fn numbers(&self) -> Vec<u32> {
        let mut numbers = vec![0; self.order.len()];
        for (position, key) in (0..).zip(&self.order) {
            if let Some(number) = numbers.get_mut(key.old as usize) {
                *number = position;
            }
        }
        numbers
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        put_count(out, self.order.len());
        let mut before = 0;
        for key in &self.order {
            let record = self.uses.get(key.old);
            put_number(out, key.version - before);
            before = key.version;
            put_bytes(out, record.hits);
            put_count(out, record.reasons.len());
            for (code, of) in record.coded_reasons() {
                out.push(code);
                put_optional(out, of.map(&self.text));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn each_use_has_one_number_however_many_there_are() {
        let mut uses = UseRecords::default();
        let mut known: HashMap<(u32, Vec<u8>, Vec<ReasonRow>), u32> = HashMap::new();
        for round in 0..3_u32 {
            let mut asked = Vec::new();
            for step in 0..3000_u32 {
                let hits = vec![step as u8; step as usize % 11];
                let reasons = [(Why::Ran, None), (Why::Once, Some(step % 5))];
                let key = (step % 700, hits, reasons[..(step / 7) as usize % 3].to_vec());
                uses.wait(key.0, &key.1, &key.2);
                asked.push(key);
                if step % (70 + round) == 0 || step == 2999 {
                    for (key, number) in asked.drain(..).zip(uses.numbers()) {
                        let next = known.len() as u32;
                        assert_eq!(*known.entry(key).or_insert(next), number, "{round} {step}");
                    }
                }
            }
        }
        assert_eq!(uses.len(), known.len());
        for ((version, hits, reasons), number) in &known {
            let record = uses.get(*number);
            assert_eq!((record.version, record.hits), (*version, &hits[..]));
            let expected = reasons.iter().map(|(why, of)| (why.code(), *of));
            assert!(record.coded_reasons().eq(expected));
        }
    }
}
