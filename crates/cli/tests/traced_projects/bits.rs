//! Compares what was recorded in two ways, bit by bit.

use std::collections::BTreeSet;
use std::fmt;

use probity_execdata::format::ClassData;
use probity_execdata::store::Store;
use probity_execdata::utf;
use probity_shape::{MethodShape, Shape};

/// A probe that one recording has hit and the other has not.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct DifferentBit {
    class: String,
    id: u64,
    /// The number of the probe; none if the two do not agree how many there are.
    probe: Option<usize>,
    /// Whether the first recording has it.
    in_first: bool,
}

impl DifferentBit {
    /// The same bit, whoever has it.
    pub(crate) fn nobodys(self) -> Self {
        Self { in_first: false, ..self }
    }

    /// The class, as people write it.
    pub(crate) fn class(&self) -> String {
        self.class.replace('/', ".")
    }

    /// Whether a recording says of it what the first one said.
    pub(crate) fn is_as_in_first(&self, other: &Store) -> bool {
        let is_hit =
            |probe| other.class(self.id).is_some_and(|class| class.probes.iter().nth(probe) == Some(true));
        self.probe.is_some_and(|probe| is_hit(probe) == self.in_first)
    }

    /// The name of the method that has the probe.
    pub(crate) fn method<'s>(&self, shapes: impl IntoIterator<Item = &'s Shape>) -> String {
        let shape = shapes.into_iter().find(|shape| shape.class_id == self.id && shape.name == self.class);
        let methods = shape.map(|shape| shape.methods.iter()).into_iter().flatten();
        let has_probe = |method: &&MethodShape| {
            let probes = method.body.as_ref().map(|body| body.probes.clone()).unwrap_or_default();
            self.probe
                .and_then(|probe| u32::try_from(probe).ok())
                .is_some_and(|probe| probes.contains(&probe))
        };
        methods.into_iter().find(has_probe).map(|method| method.name.clone()).unwrap_or_default()
    }

    /// The number of the probe, in words.
    pub(crate) fn probe(&self) -> String {
        self.probe.map_or_else(|| "all".to_owned(), |probe| probe.to_string())
    }
}

impl fmt::Display for DifferentBit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whose = if self.in_first { "ours" } else { "JaCoCo's" };
        write!(f, "{} {:016x} probe {:?}, only {whose}", self.class, self.id, self.probe)
    }
}

/// All bits in which two recordings differ. A class that one of them does not have has no hits there.
pub(crate) fn differences(left: &Store, right: &Store) -> BTreeSet<DifferentBit> {
    let mut found = BTreeSet::new();
    for class in left.classes() {
        compare_class(class, right.class(class.id), &mut found);
    }
    for class in right.classes().filter(|class| left.class(class.id).is_none()) {
        let bit =
            |probe| DifferentBit { class: name_of(class), id: class.id, probe: Some(probe), in_first: false };
        let hits = class.probes.iter().enumerate().filter(|(_, is_hit)| *is_hit);
        found.extend(hits.map(|(probe, _)| bit(probe)));
    }
    found
}

fn compare_class(
    class: &ClassData<Vec<u8>>,
    other: Option<&ClassData<Vec<u8>>>,
    found: &mut BTreeSet<DifferentBit>,
) {
    let bit = |probe, in_first| DifferentBit { class: name_of(class), id: class.id, probe, in_first };
    if other.is_some_and(|other| other.probes.len() != class.probes.len() || other.name != class.name) {
        found.insert(bit(None, true));
        return;
    }
    let of_other: Vec<bool> =
        other.map_or_else(|| vec![false; class.probes.len()], |other| other.probes.iter().collect());
    let both = class.probes.iter().zip(of_other).enumerate();
    let different = both.filter(|(_, (ours, theirs))| ours != theirs);
    found.extend(different.map(|(probe, (ours, _))| bit(Some(probe), ours)));
}

fn name_of(class: &ClassData<Vec<u8>>) -> String {
    utf::to_text(&class.name)
}

/// How many probes were hit.
pub(crate) fn hit_count(data: &Store) -> usize {
    data.classes().map(|class| class.probes.hit_count()).sum()
}
