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
    fn a_set_has_what_was_put_in() {
        let mut set = BitSet::default();
        for number in [3, 63, 64, 130, 131] {
            assert!(set.insert(number));
            assert!(!set.insert(number));
        }
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 63, 64, 130, 131]);
    }
}
