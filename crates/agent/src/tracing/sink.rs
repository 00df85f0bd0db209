//! Where hits and facts are collected: sets of small numbers.

/// A set of numbers, as bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// Adds a number; says whether it is new.
    pub(crate) fn insert(&mut self, number: u32) -> bool {
        let at = number as usize / 64;
        if self.words.len() <= at {
            self.words.resize(at + 1, 0);
        }
        let bit = 1 << (number % 64);
        self.words.get_mut(at).is_some_and(|word| {
            let is_new = *word & bit == 0;
            *word |= bit;
            is_new
        })
    }

    pub(crate) fn has(&self, number: u32) -> bool {
        self.words.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The lowest number that is not below another.
    pub(crate) fn next_from(&self, number: u32) -> Option<u32> {
        let first = number / 64;
        let mut mask = u64::MAX << (number % 64);
        for (word, at) in self.words.iter().skip(first as usize).zip(first..) {
            let left = *word & mask;
            if left != 0 {
                return Some(at * 64 + left.trailing_zeros());
            }
            mask = u64::MAX;
        }
        None
    }

    /// The numbers, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().zip(0_u32..).flat_map(|(&word, at)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(at * 64 + bit)
            })
        })
    }

    /// The numbers of a range as bytes, the first in the lowest bit of the first; without zeros at the end.
    pub(crate) fn bits_of(&self, start: u32, length: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let (first, last) = (start / 64, (start + length).div_ceil(64));
        for (word, at) in self.words.iter().skip(first as usize).take((last - first) as usize).zip(first..) {
            let mut left = *word;
            while left != 0 {
                let number = at * 64 + left.trailing_zeros();
                left &= left - 1;
                let Some(offset) = number.checked_sub(start).filter(|&offset| offset < length) else {
                    continue;
                };
                let byte = offset as usize / 8;
                if bytes.len() <= byte {
                    bytes.resize(byte + 1, 0);
                }
                if let Some(byte) = bytes.get_mut(byte) {
                    *byte |= 1 << (offset % 8);
                }
            }
        }
        bytes
    }
}

/// A hit: an element of the array of a holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) holder: u32,
    pub(crate) element: u32,
}

/// What was used in some stretch of time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sink {
    /// The elements that were hit, for each holder.
    hits: Vec<BitSet>,
    /// The numbers of the facts.
    pub(crate) facts: BitSet,
}

impl Sink {
    pub(crate) fn hit(&mut self, hit: Hit) {
        let holder = hit.holder as usize;
        if self.hits.len() <= holder {
            self.hits.resize_with(holder + 1, BitSet::default);
        }
        if let Some(hits) = self.hits.get_mut(holder) {
            hits.insert(hit.element);
        }
    }

    /// Whether an element of the array of a holder was hit.
    pub(crate) fn has(&self, holder: usize, element: u32) -> bool {
        self.hits(holder).is_some_and(|hits| hits.has(element))
    }

    /// The elements that were hit in the array of a holder.
    pub(crate) fn hits(&self, holder: usize) -> Option<&BitSet> {
        self.hits.get(holder)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.hits.iter().all(BitSet::is_empty)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_come_out_as_bits() {
        let mut set = BitSet::default();
        for number in [3, 63, 64, 130, 131] {
            assert!(set.insert(number));
            assert!(!set.insert(number));
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 63, 64, 130, 131]);
        assert_eq!(set.bits_of(0, 4), [0b1000]);
        assert_eq!(set.bits_of(60, 6), [0b1_1000]);
        assert_eq!(set.bits_of(130, 1), [1]);
        assert_eq!(set.bits_of(132, 500), [] as [u8; 0]);
        assert_eq!(set.bits_of(4, 59), [] as [u8; 0]);
        let next = [0, 3, 4, 63, 64, 65, 131].map(|number| set.next_from(number));
        assert_eq!(next, [Some(3), Some(3), Some(63), Some(63), Some(64), Some(130), Some(131)]);
        assert_eq!((set.next_from(132), set.next_from(100_000)), (None, None));
    }
}
