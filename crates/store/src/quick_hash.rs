//! A quick hash for tables in memory.
//!
//! Making a file looks things up millions of times, and the standard library's hash takes most of that time. This one multiplies and folds, from a
//! start that is another one in every process. Nothing on disk depends on it.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};

/// A table with the quick hash.
pub(crate) type QuickMap<K, V> = HashMap<K, V, QuickState>;

/// Where hashes start.
#[derive(Clone, Debug)]
pub(crate) struct QuickState(u64);

impl Default for QuickState {
    fn default() -> Self {
        Self(RandomState::new().hash_one(0u8))
    }
}

impl BuildHasher for QuickState {
    type Hasher = QuickHasher;

    fn build_hasher(&self) -> QuickHasher {
        QuickHasher(self.0)
    }
}

/// A hash that is being made.
#[derive(Debug)]
pub(crate) struct QuickHasher(u64);

impl QuickHasher {
    #[inline]
    fn add(&mut self, word: u64) {
        const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
        let product = u128::from(self.0 ^ word) * u128::from(ODD);
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }
}

impl Hasher for QuickHasher {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.add(u64::from_ne_bytes(*word)));
        let mut last = [0; 8];
        last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        self.add(u64::from_ne_bytes(last) ^ (bytes.len() as u64) << 56);
    }

    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.add(number.into());
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.add(number.into());
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.add(number);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn like_things_have_other_hashes() {
        let state = QuickState::default();
        let mut hashes: HashSet<u64> = (0..10_000u32).map(|number| state.hash_one(number)).collect();
        hashes.extend((0..10_000).map(|number| state.hash_one(format!("org/example/Class{number}"))));
        hashes.extend((0..50).map(|length| state.hash_one(vec![0u8; length])));
        assert_eq!(hashes.len(), 20_050);
    }
}
