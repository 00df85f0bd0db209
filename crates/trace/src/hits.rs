//! The probes of a class that were hit: JaCoCo's first, then those at entries.

use probity_shape::MethodShape;
use std::ops::Range;

/// A bit for each probe; bits behind the end are not set.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hits {
    /// The first probe in the lowest bit of the first byte; the last byte is not 0.
    bytes: Vec<u8>,
}

impl Hits {
    /// Hits from bytes of which the first probe is the lowest bit of the first.
    #[must_use]
    pub fn from_bytes(mut bytes: Vec<u8>) -> Self {
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
        Self { bytes }
    }

    /// The bytes, without those at the end that are 0.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether no probe was hit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Whether a probe was hit.
    #[must_use]
    pub fn has(&self, probe: u32) -> bool {
        self.bytes.get(probe as usize / 8).is_some_and(|byte| byte >> (probe % 8) & 1 == 1)
    }

    /// Whether one of some probes was hit.
    #[must_use]
    pub fn has_any(&self, mut probes: Range<u32>) -> bool {
        probes.any(|probe| self.has(probe))
    }

    /// Whether a method was entered.
    #[must_use]
    pub fn enter(&self, method: &MethodShape) -> bool {
        method.body.as_ref().is_some_and(|body| {
            self.has_any(body.probes.clone()) || body.entry_probe.is_some_and(|probe| self.has(probe))
        })
    }

    /// The probes that were hit, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.bytes.len() as u32 * 8).filter(|&probe| self.has(probe))
    }

    /// Takes away what others have.
    pub fn remove(&mut self, other: &Self) {
        for (byte, less) in self.bytes.iter_mut().zip(&other.bytes) {
            *byte &= !less;
        }
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
    }

    /// The hits of the first probes only.
    #[must_use]
    pub fn first(&self, count: u32) -> Self {
        let mut bytes = self.bytes.clone();
        bytes.truncate(count.div_ceil(8) as usize);
        if let Some(last) = bytes.get_mut(count as usize / 8) {
            *last &= (1 << (count % 8)) - 1;
        }
        Self::from_bytes(bytes)
    }

    /// Adds what others have.
    pub fn add(&mut self, other: &Self) {
        if self.bytes.len() < other.bytes.len() {
            self.bytes.resize(other.bytes.len(), 0);
        }
        for (byte, more) in self.bytes.iter_mut().zip(&other.bytes) {
            *byte |= more;
        }
    }
}

impl FromIterator<u32> for Hits {
    fn from_iter<I: IntoIterator<Item = u32>>(probes: I) -> Self {
        let mut hits = Self::default();
        for probe in probes {
            let at = probe as usize / 8;
            if hits.bytes.len() <= at {
                hits.bytes.resize(at + 1, 0);
            }
            if let Some(byte) = hits.bytes.get_mut(at) {
                *byte |= 1 << (probe % 8);
            }
        }
        hits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_sets_of_numbers() {
        let mut hits = Hits::from_iter([3, 17]);
        assert_eq!(hits.iter().collect::<Vec<_>>(), [3, 17]);
        assert!(hits.has(3) && !hits.has(4) && !hits.has(1000));
        assert!(hits.has_any(10..18) && !hits.has_any(4..17));
        hits.add(&Hits::from_iter([100]));
        assert_eq!(hits, Hits::from_iter([100, 17, 3, 3]));
        assert_eq!(Hits::from_bytes(vec![0, 0]), Hits::default());
        assert_eq!(hits.first(17), Hits::from_iter([3]));
        assert_eq!(hits.first(18), Hits::from_iter([3, 17]));
        assert_eq!(hits.first(16), Hits::from_iter([3]));
        assert_eq!(hits.first(1000), hits);
        let mut fewer = hits.clone();
        fewer.remove(&Hits::from_iter([100, 3, 4]));
        assert_eq!(fewer, Hits::from_iter([17]));
        assert_eq!(Hits::from_bytes(hits.as_bytes().to_vec()), hits);
    }
}
