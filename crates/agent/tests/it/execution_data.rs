//! Compares what two agents recorded, bit by bit.

use probity_execdata::format::ClassData;
use probity_execdata::store::Store;
use probity_execdata::utf;
use std::collections::BTreeSet;
use std::fmt;

/// A probe that one recording has hit and the other has not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DifferentBit {
    pub(crate) class: String,
    pub(crate) id: u64,
    /// The number of the probe; none if the two do not agree how many there are.
    pub(crate) probe: Option<usize>,
}

impl fmt::Display for DifferentBit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:016x} probe {:?}", self.class, self.id, self.probe)
    }
}

/// All bits in which two recordings differ. A class that one of them does not have has no hits there.
pub(crate) fn differences(left: &Store, right: &Store) -> BTreeSet<DifferentBit> {
    let mut found = BTreeSet::new();
    for class in left.classes() {
        compare_class(class, right.class(class.id), &mut found);
    }
    for class in right.classes().filter(|class| left.class(class.id).is_none()) {
        compare_class(class, None, &mut found);
    }
    found
}

fn compare_class(
    class: &ClassData<Vec<u8>>,
    other: Option<&ClassData<Vec<u8>>>,
    found: &mut BTreeSet<DifferentBit>,
) {
    let bit = |probe| DifferentBit { class: name_of(class), id: class.id, probe };
    if other.is_some_and(|other| other.probes.len() != class.probes.len() || other.name != class.name) {
        found.insert(bit(None));
        return;
    }
    let of_other: Vec<bool> =
        other.map_or_else(|| vec![false; class.probes.len()], |other| other.probes.iter().collect());
    let different =
        class.probes.iter().zip(of_other).enumerate().filter(|(_, (ours, theirs))| ours != theirs);
    found.extend(different.map(|(probe, _)| bit(Some(probe))));
}

/// The name of a class as text.
pub(crate) fn name_of(class: &ClassData<Vec<u8>>) -> String {
    utf::to_text(&class.name)
}

/// The class of a name, of which there must be exactly one.
pub(crate) fn the_class<'s>(data: &'s Store, name: &str) -> &'s ClassData<Vec<u8>> {
    let found = classes_named(data, name);
    assert_eq!(found.len(), 1, "{name} among {:?}", names(data));
    found[0]
}

/// All entries of a name.
pub(crate) fn classes_named<'s>(data: &'s Store, name: &str) -> Vec<&'s ClassData<Vec<u8>>> {
    data.classes().filter(|class| name_of(class) == name).collect()
}

/// The names of all classes with hits, in order.
pub(crate) fn names(data: &Store) -> Vec<String> {
    let mut names: Vec<String> = data.classes().map(name_of).collect();
    names.sort();
    names
}

/// How many probes all classes have together.
pub(crate) fn probe_count(data: &Store) -> usize {
    data.classes().map(|class| class.probes.len()).sum()
}
