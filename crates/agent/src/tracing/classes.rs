//! Numbers for classes, and which class loader sees which class under which name.

use crate::registry::Range;
use crate::tracing::sink::Sink;
use probity_instrument::EntryOnly;
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
    /// Its methods that have a single probe for want of room.
    pub(crate) entry_only: Vec<EntryOnly>,
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
    /// The methods that have a single probe, by the number of the class. There are hardly ever any.
    entry_only: HashMap<u32, Vec<EntryOnly>>,
}

#[derive(Debug)]
struct Known {
    name: Box<[u8]>,
    number: u32,
    is_written: bool,
    /// Whether it was told where it comes from.
    is_placed: bool,
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
            same_id.push(Known {
                name: name.into(),
                number: self.count,
                is_written: false,
                is_placed: false,
            });
            self.count += 1;
            same_id.len() - 1
        });
        // The position was found or made just now.
        #[allow(clippy::indexing_slicing, reason = "the position is that of an element")]
        &mut same_id[at]
    }

    /// Notes a class; what is to be written of it, if it is new. A class that a program made first and then loaded from its place
    /// is told again, with the place.
    pub(crate) fn add(&mut self, class: NewClass<'_>) -> Option<ClassMessage> {
        self.names.insert(class.name.into());
        let known = self.known(class.id, class.name);
        let (number, is_new) = (known.number, !std::mem::replace(&mut known.is_written, true));
        let has_place = matches!(class.origin, Origin::Location(_));
        let is_newly_placed = has_place && !known.is_placed;
        known.is_placed |= has_place;
        self.by_loader.entry(class.loader).or_default().insert(class.name.into(), number);
        if !is_new && !is_newly_placed && class.not_recorded.is_none() {
            return None;
        }
        if let Some(range) = class.range.filter(|_| is_new) {
            self.add_range(range, number);
        }
        if is_new && !class.entry_only.is_empty() {
            self.entry_only.insert(number, class.entry_only);
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

    /// The hits of a sink, class by class. There are few of them beside all the probes that there are.
    pub(crate) fn hits(&self, sink: &Sink) -> Vec<(u32, Vec<u8>)> {
        let mut hits = Vec::new();
        for (holder, ranges) in self.ranges.iter().enumerate() {
            let Some(set) = sink.hits(holder) else { continue };
            let mut next = set.next_from(0);
            while let Some(element) = next {
                let after = ranges.partition_point(|owned| owned.start <= element);
                let Some(owned) = after.checked_sub(1).and_then(|at| ranges.get(at)) else {
                    next = set.next_from(element + 1);
                    continue;
                };
                let mut bits = set.bits_of(owned.start, owned.length);
                if !bits.is_empty() {
                    let entry_only = self.entry_only.get(&owned.class);
                    entry_only.into_iter().flatten().for_each(|method| add_probes(&mut bits, *method));
                    hits.push((owned.class, bits));
                }
                next = set.next_from((owned.start + owned.length).max(element + 1));
            }
        }
        hits.sort_unstable_by_key(|(class, _)| *class);
        hits
    }
}

/// If a method was entered that has a single probe, anything in it may have run: all of its probes count as hit.
fn add_probes(bits: &mut Vec<u8>, method: EntryOnly) {
    let is_entered =
        bits.get(method.probe as usize / 8).is_some_and(|byte| byte >> (method.probe % 8) & 1 == 1);
    let end = method.first + method.count;
    if is_entered && bits.len() < end.div_ceil(8) as usize {
        bits.resize(end.div_ceil(8) as usize, 0);
    }
    for probe in (method.first..end).filter(|_| is_entered) {
        if let Some(byte) = bits.get_mut(probe as usize / 8) {
            *byte |= 1 << (probe % 8);
        }
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
            entry_only: Vec::new(),
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
    fn a_class_that_was_made_is_told_again_with_its_place() {
        let mut classes = Classes::default();
        let made = || NewClass { origin: Origin::Made(vec![1]), ..class(b"a/B", 7, 0) };
        assert!(classes.add(made()).is_some());
        assert!(classes.add(made()).is_none());
        let placed = classes.add(class(b"a/B", 7, 0)).expect("is told");
        assert_eq!((placed.number, placed.origin), (0, Origin::Location(b"file:/x/".to_vec())));
        let claimed = Origin::Claimed { location: b"file:/x/".to_vec(), bytes: vec![1] };
        for origin in [Origin::Made(vec![1]), claimed] {
            assert!(classes.add(NewClass { origin, ..class(b"a/B", 7, 0) }).is_none());
        }
        assert!(classes.add(class(b"a/B", 7, 0)).is_none());
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
    fn a_method_with_a_single_probe_counts_as_run_as_a_whole() {
        let mut classes = Classes::default();
        let entry_only = vec![EntryOnly { probe: 9, first: 1, count: 7 }];
        let counts = ProbeCounts { jacoco: 9, entries: 1 };
        let range = Some(Range { holder: 0, start: 0, counts });
        classes.add(NewClass { range, entry_only, ..class(b"a/B", 7, 0) });
        let mut sink = Sink::default();
        sink.hit(Hit { holder: 0, element: 0 });
        assert_eq!(classes.hits(&sink), [(0, vec![1])]);
        sink.hit(Hit { holder: 0, element: 9 });
        assert_eq!(classes.hits(&sink), [(0, vec![0xFF, 0b10])]);
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
