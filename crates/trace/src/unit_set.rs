//! Sets of units of one JVM, by their positions.

/// A bit for each unit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct UnitSet {
    /// The first unit in the lowest bit of the first word; the last word is not 0.
    words: Vec<u64>,
}

impl UnitSet {
    /// Adds a unit.
    pub(crate) fn insert(&mut self, unit: usize) {
        let at = unit / 64;
        if self.words.len() <= at {
            self.words.resize(at + 1, 0);
        }
        if let Some(word) = self.words.get_mut(at) {
            *word |= 1 << (unit % 64);
        }
    }

    /// Adds what others have.
    pub(crate) fn add(&mut self, other: &Self) {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            *word |= more;
        }
    }

    /// Those of the first units, without one of them.
    pub(crate) fn first_without(&self, count: usize, unit: usize) -> Self {
        let mut first = self.clone();
        first.words.truncate(count.div_ceil(64));
        if let Some(last) = first.words.get_mut(count / 64) {
            *last &= (1 << (count % 64)) - 1;
        }
        if let Some(word) = first.words.get_mut(unit / 64) {
            *word &= !(1 << (unit % 64));
        }
        while first.words.last() == Some(&0) {
            first.words.pop();
        }
        first
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The first unit that is in both.
    pub(crate) fn first_common(&self, other: &Self) -> Option<usize> {
        let mut words = self.words.iter().zip(&other.words).map(|(one, other)| one & other).enumerate();
        words.find(|(_, both)| *both != 0).map(|(at, both)| at * 64 + both.trailing_zeros() as usize)
    }

    /// The units, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let is_in = |unit: usize| self.words.get(unit / 64).is_some_and(|word| word >> (unit % 64) & 1 == 1);
        (0..self.words.len() * 64).filter(move |&unit| is_in(unit))
    }
}

impl FromIterator<usize> for UnitSet {
    fn from_iter<I: IntoIterator<Item = usize>>(units: I) -> Self {
        let mut set = Self::default();
        units.into_iter().for_each(|unit| set.insert(unit));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_units_are_sets_of_numbers() {
        let mut set = UnitSet::from_iter([3, 64, 200]);
        set.add(&UnitSet::from_iter([5]));
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 5, 64, 200]);
        assert_eq!(set.first_without(200, 5), UnitSet::from_iter([3, 64]));
        assert_eq!(set.first_without(201, 200), UnitSet::from_iter([3, 5, 64]));
        assert_eq!(set.first_without(64, 0), UnitSet::from_iter([3, 5]));
        assert!(set.first_without(3, 0).is_empty());
        assert_eq!(set.first_common(&UnitSet::from_iter([4, 64, 200])), Some(64));
        assert_eq!(set.first_common(&UnitSet::from_iter([4, 65])), None);
    }
}
