//! Which class owns which range of the shared arrays.
//!
//! Ranges go by class id: the same class file in two class loaders, loaded again after it was unloaded, or redefined to
//! what it was, has one range. A range is never given to another class, so what was recorded is never mixed up; the
//! memory grows with the number of different class files only.

use crate::holder::STANDARD_CAPACITY;
use probity_instrument::ProbeCounts;
use std::collections::{HashMap, HashSet};

/// A range of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    /// The number of the holder.
    pub(crate) holder: usize,
    /// The first element.
    pub(crate) start: u32,
    /// How many probes of each kind there are.
    pub(crate) counts: ProbeCounts,
}

/// A class that is recorded.
#[derive(Clone, Debug)]
pub(crate) struct RecordedClass {
    pub(crate) name: Box<[u8]>,
    pub(crate) range: Range,
    /// Whether it is among those of which execution data is wanted.
    pub(crate) is_reported: bool,
    /// Whether some of its methods have no room for their probes: then there is no execution data of it.
    pub(crate) is_incomplete: bool,
}

/// Two classes with one id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IdClash;

/// All ranges.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    classes: HashMap<u64, RecordedClass>,
    /// The ids of classes that have no probes, since there is nothing in them to have any.
    without_probes: HashSet<u64>,
    /// Capacity and use of each holder's array.
    holders: Vec<HolderUse>,
    /// The holder from which small ranges are taken.
    current: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct HolderUse {
    capacity: u32,
    used: u32,
}

impl Registry {
    /// The range of a class. If it needs a new holder, `make_holder` is called with the holder's number and capacity.
    ///
    /// # Errors
    ///
    /// Fails if the id belongs to another class, or with the error of `make_holder`.
    pub(crate) fn assign<E>(
        &mut self,
        id: u64,
        name: &[u8],
        counts: ProbeCounts,
        is_reported: bool,
        make_holder: impl FnOnce(usize, u32) -> Result<(), E>,
    ) -> Result<Result<Range, IdClash>, E> {
        if let Some(known) = self.classes.get_mut(&id) {
            let same = *known.name == *name && known.range.counts == counts;
            known.is_reported |= same && is_reported;
            return Ok(if same { Ok(known.range) } else { Err(IdClash) });
        }
        let holder = match self.current.filter(|&holder| self.has_room(holder, counts.total())) {
            Some(holder) => holder,
            None => self.add_holder(counts.total(), make_holder)?,
        };
        let mut start = 0;
        if let Some(holder) = self.holders.get_mut(holder) {
            start = holder.used;
            holder.used += counts.total();
        }
        let range = Range { holder, start, counts };
        self.classes
            .insert(id, RecordedClass { name: name.into(), range, is_reported, is_incomplete: false });
        Ok(Ok(range))
    }

    /// Notes that not all probes of a class are there.
    pub(crate) fn note_incomplete(&mut self, id: u64) {
        if let Some(class) = self.classes.get_mut(&id) {
            class.is_incomplete = true;
        }
    }

    /// Notes a class that needs no range.
    pub(crate) fn note_without_probes(&mut self, id: u64) {
        self.without_probes.insert(id);
    }

    /// Whether a class of this id has a range or needs none.
    pub(crate) fn knows(&self, id: u64) -> bool {
        self.classes.contains_key(&id) || self.without_probes.contains(&id)
    }

    fn has_room(&self, holder: usize, length: u32) -> bool {
        self.holders.get(holder).is_some_and(|holder| holder.capacity - holder.used >= length)
    }

    /// A class with more probes than an array has gets an array of its own, and the current one stays in use. The number
    /// of a holder that could not be made is spent: its class may be there half-made.
    fn add_holder<E>(
        &mut self,
        length: u32,
        make_holder: impl FnOnce(usize, u32) -> Result<(), E>,
    ) -> Result<usize, E> {
        let number = self.holders.len();
        let capacity = length.max(STANDARD_CAPACITY);
        let made = make_holder(number, capacity);
        self.holders.push(HolderUse { capacity: if made.is_ok() { capacity } else { 0 }, used: 0 });
        made?;
        if capacity == STANDARD_CAPACITY {
            self.current = Some(number);
        }
        Ok(number)
    }

    /// All classes with their ids.
    pub(crate) fn classes(&self) -> impl Iterator<Item = (u64, &RecordedClass)> {
        self.classes.iter().map(|(&id, class)| (id, class))
    }

    /// How many elements of each holder's array are in use.
    pub(crate) fn used(&self) -> impl Iterator<Item = u32> + '_ {
        self.holders.iter().map(|holder| holder.used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn counts(jacoco: u32) -> ProbeCounts {
        ProbeCounts { jacoco, entries: 1 }
    }

    fn assign(registry: &mut Registry, id: u64, jacoco: u32) -> Range {
        let made: Result<_, Infallible> = registry.assign(id, b"a/B", counts(jacoco), true, |_, _| Ok(()));
        made.unwrap().unwrap()
    }

    #[test]
    fn ranges_do_not_overlap_and_one_id_has_one_range() {
        let mut registry = Registry::default();
        let first = assign(&mut registry, 1, 10);
        let second = assign(&mut registry, 2, 5);
        assert_eq!((first.holder, first.start), (0, 0));
        assert_eq!((second.holder, second.start), (0, 11));
        assert_eq!(assign(&mut registry, 1, 10), first);
        assert_eq!(registry.used().collect::<Vec<_>>(), [17]);
    }

    #[test]
    fn a_full_array_is_followed_by_another_and_a_giant_class_has_its_own() {
        let mut registry = Registry::default();
        assign(&mut registry, 1, STANDARD_CAPACITY - 10);
        let giant = assign(&mut registry, 2, 50_000);
        assert_eq!((giant.holder, giant.start), (1, 0));
        let small = assign(&mut registry, 3, 2);
        assert_eq!(small.holder, 0, "there was room left in the first array");
        let next = assign(&mut registry, 4, 20);
        assert_eq!((next.holder, next.start), (2, 0));
    }

    #[test]
    fn another_class_with_the_same_id_is_refused() {
        let mut registry = Registry::default();
        assign(&mut registry, 1, 10);
        let clash: Result<_, Infallible> = registry.assign(1, b"other", counts(10), true, |_, _| Ok(()));
        assert_eq!(clash.unwrap(), Err(IdClash));
        let clash: Result<_, Infallible> = registry.assign(1, b"a/B", counts(11), true, |_, _| Ok(()));
        assert_eq!(clash.unwrap(), Err(IdClash));
    }

    #[test]
    fn a_holder_that_cannot_be_made_is_not_tried_again() {
        let mut registry = Registry::default();
        assert!(registry.assign(1, b"a/B", counts(10), true, |_, _| Err("no")).is_err());
        assert_eq!(registry.classes().count(), 0);
        assert_eq!(assign(&mut registry, 1, 10).holder, 1, "the first number is spent");
        assert_eq!(registry.used().collect::<Vec<_>>(), [0, 11]);
    }
}
