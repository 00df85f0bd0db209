//! Numbers for classes, and which class loader sees which class under which name.

use crate::registry::Range;
use crate::tracing::sink::{BitSet, Sink};
use probity_wire::{ClassMessage, Origin, Used};
use std::collections::{HashMap, HashSet};

/// A class that was loaded, with all that is known of it.
#[derive(Debug)]
pub(crate) struct NewClass<'a> {
    pub(crate) name: &'a [u8],
    /// JaCoCo's id.
    pub(crate) id: u64,
    pub(crate) length: u32,
    /// The number of the class loader.
    pub(crate) loader: u64,
    /// Its probes, if it has any.
    pub(crate) range: Option<Range>,
    /// Why it has none although it should.
    pub(crate) not_recorded: Option<String>,
    pub(crate) origin: Origin,
}

/// All classes of this JVM that are not the JDK's.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    by_id: HashMap<u64, Vec<Known>>,
    count: u32,
    by_loader: HashMap<u64, HashMap<Box<[u8]>, u32>>,
    /// The names of all classes, the JDK's too as far as they were seen.
    names: HashSet<Box<[u8]>>,
    /// For each holder the ranges of its array, by their start.
    ranges: Vec<Vec<Owned>>,
}

#[derive(Debug)]
struct Known {
    name: Box<[u8]>,
    number: u32,
    is_written: bool,
}

#[derive(Clone, Copy, Debug)]
struct Owned {
    start: u32,
    length: u32,
    class: u32,
}

impl Classes {
    /// The number of a class by its id and name: the same class file has one, in whatever loader.
    pub(crate) fn number(&mut self, id: u64, name: &[u8]) -> u32 {
        self.known(id, name).number
    }

    fn known(&mut self, id: u64, name: &[u8]) -> &mut Known {
        let same_id = self.by_id.entry(id).or_default();
        let at = same_id.iter().position(|known| *known.name == *name).unwrap_or_else(|| {
            same_id.push(Known { name: name.into(), number: self.count, is_written: false });
            self.count += 1;
            same_id.len() - 1
        });
        // The position was found or made just now.
        #[allow(clippy::indexing_slicing, reason = "the position is that of an element")]
        &mut same_id[at]
    }

    /// Notes a class; what is to be written of it, if it is new.
    pub(crate) fn add(&mut self, class: NewClass<'_>) -> Option<ClassMessage> {
        self.names.insert(class.name.into());
        let known = self.known(class.id, class.name);
        let (number, is_new) = (known.number, !std::mem::replace(&mut known.is_written, true));
        self.by_loader.entry(class.loader).or_default().insert(class.name.into(), number);
        if !is_new && class.not_recorded.is_none() {
            return None;
        }
        if let Some(range) = class.range.filter(|_| is_new) {
            self.add_range(range, number);
        }
        Some(ClassMessage {
            number,
            name: class.name.to_vec(),
            id: class.id,
            length: class.length,
            probes: class.range.map_or(0, |range| range.counts.jacoco),
            entry_probes: class.range.map_or(0, |range| range.counts.entries),
            not_recorded: class.not_recorded.map(String::into_bytes),
            origin: class.origin,
        })
    }

    /// Notes the name of a class of the JDK.
    pub(crate) fn add_name(&mut self, name: &[u8]) {
        if !self.names.contains(name) {
            self.names.insert(name.into());
        }
    }

    fn add_range(&mut self, range: Range, class: u32) {
        if range.counts.total() == 0 {
            return;
        }
        if self.ranges.len() <= range.holder {
            self.ranges.resize_with(range.holder + 1, Vec::new);
        }
        let Some(ranges) = self.ranges.get_mut(range.holder) else { return };
        let owned = Owned { start: range.start, length: range.counts.total(), class };
        let at = ranges.partition_point(|other| other.start < owned.start);
        ranges.insert(at, owned);
    }

    /// The number of the class that a loader knows by a name.
    pub(crate) fn find(&self, loader: u64, name: &[u8]) -> Option<u32> {
        self.by_loader.get(&loader)?.get(name).copied()
    }

    /// Whether a class of this name is there; the name may be that of an array and have dots.
    pub(crate) fn has_name(&self, name: &[u8]) -> bool {
        let element = name.iter().position(|&byte| byte != b'[').unwrap_or(name.len());
        let mut element_name = name.get(element..).unwrap_or_default();
        if element > 0 {
            let object = element_name.strip_prefix(b"L").and_then(|name| name.strip_suffix(b";"));
            let Some(object) = object else { return true };
            element_name = object;
        }
        if element_name.contains(&b'.') {
            let slashes: Vec<u8> =
                element_name.iter().map(|&byte| if byte == b'.' { b'/' } else { byte }).collect();
            return self.names.contains(&*slashes);
        }
        self.names.contains(element_name)
    }

    /// The hits of a sink, class by class.
    pub(crate) fn hits(&self, sink: &Sink) -> Vec<(u32, Vec<u8>)> {
        let mut hits = Vec::new();
        for (holder, ranges) in self.ranges.iter().enumerate() {
            let Some(set) = sink.hits(holder) else { continue };
            add_hits(ranges, set, &mut hits);
        }
        hits.sort_unstable_by_key(|(class, _)| *class);
        hits
    }
}

/// Adds the elements of a set, class by class. It takes as long as there are elements, however many classes there are.
fn add_hits(ranges: &[Owned], set: &BitSet, hits: &mut Vec<(u32, Vec<u8>)>) {
    let mut rest = ranges;
    let mut bits = Vec::new();
    for element in set.iter() {
        let is_before = |owned: &Owned| owned.start + owned.length <= element;
        if rest.first().is_some_and(is_before) {
            give(rest, &mut bits, hits);
            rest = rest.get(rest.partition_point(is_before)..).unwrap_or_default();
        }
        let Some(owned) = rest.first() else { return };
        let Some(offset) = element.checked_sub(owned.start) else { continue };
        let byte = offset as usize / 8;
        if bits.len() <= byte {
            bits.resize(byte + 1, 0_u8);
        }
        if let Some(byte) = bits.get_mut(byte) {
            *byte |= 1 << (offset % 8);
        }
    }
    give(rest, &mut bits, hits);
}

/// Gives bits to the owner of the first range, and to those who share it.
fn give(ranges: &[Owned], bits: &mut Vec<u8>, hits: &mut Vec<(u32, Vec<u8>)>) {
    if let Some(first) = ranges.first().filter(|_| !bits.is_empty()) {
        let owners = ranges.iter().take_while(|owned| owned.start == first.start);
        hits.extend(owners.map(|owned| (owned.class, bits.clone())));
        bits.clear();
    }
}

/// Puts together what is written of a sink.
pub(crate) fn used(classes: &Classes, facts: &super::facts::Facts, sink: &Sink) -> Used {
    let numbers: Vec<u32> = sink.facts.iter().collect();
    let is_absent = |number: &u32| facts.name_of(*number).is_some_and(|name| !classes.has_name(name));
    Used {
        hits: classes.hits(sink),
        absent: numbers.iter().copied().filter(is_absent).collect(),
        facts: numbers,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tracing::sink::Hit;
    use probity_instrument::ProbeCounts;

    fn class(name: &'static [u8], id: u64, start: u32) -> NewClass<'static> {
        let counts = ProbeCounts { jacoco: 3, entries: 1 };
        NewClass {
            name,
            id,
            length: 10,
            loader: 1,
            range: Some(Range { holder: 0, start, counts }),
            not_recorded: None,
            origin: Origin::Location(b"file:/x/".to_vec()),
        }
    }

    #[test]
    fn a_class_file_has_one_number_and_is_written_once() {
        let mut classes = Classes::default();
        assert_eq!(classes.number(7, b"a/B"), 0);
        assert!(classes.add(class(b"a/B", 7, 0)).is_some());
        assert!(classes.add(NewClass { loader: 2, ..class(b"a/B", 7, 0) }).is_none());
        assert_eq!(classes.number(8, b"a/B"), 1, "other bytes");
        assert_eq!((classes.find(1, b"a/B"), classes.find(2, b"a/B")), (Some(0), Some(0)));
        assert_eq!(classes.find(3, b"a/B"), None);
    }

    #[test]
    fn hits_are_given_to_the_owners_of_the_ranges() {
        let mut classes = Classes::default();
        classes.add(class(b"a/C", 8, 4));
        classes.add(class(b"a/B", 7, 0));
        let mut sink = Sink::default();
        for element in [1, 7] {
            sink.hit(Hit { holder: 0, element });
        }
        assert_eq!(classes.hits(&sink), [(0, vec![0b1000]), (1, vec![0b10])]);
    }

    #[test]
    fn hits_in_long_ranges_and_between_ranges_are_given_to_the_right_owners() {
        let owned = |start, length, class| Owned { start, length, class };
        let ranges = [owned(2, 20, 5), owned(30, 4, 6), owned(30, 4, 7), owned(34, 1, 8), owned(90, 2, 9)];
        let mut set = BitSet::default();
        for element in [0, 2, 11, 21, 25, 33, 34, 70, 99] {
            set.insert(element);
        }
        let mut hits = Vec::new();
        add_hits(&ranges, &set, &mut hits);
        assert_eq!(hits, [(5, vec![1, 2, 8]), (6, vec![8]), (7, vec![8]), (8, vec![1])]);
    }

    #[test]
    fn names_of_arrays_and_names_with_dots_are_understood() {
        let mut classes = Classes::default();
        classes.add_name(b"a/B");
        for name in ["a/B", "a.B", "[La.B;", "[[La/B;", "[I"] {
            assert!(classes.has_name(name.as_bytes()), "{name}");
        }
        assert!(!classes.has_name(b"a.C"));
    }
}
