//! State that units of one JVM share: what one leaves behind and a later one sees.
//!
//! A static field that code of the project writes outside the initialiser of its class, a system property that is set, or
//! something else that all of the JVM share. A unit that reads what an earlier unit wrote depends on all that the earlier one
//! did, since nobody knows how the value came about. Objects that are changed behind a field that nobody writes are the matter of
//! [`crate::spared`]. State that libraries keep for themselves is not seen.

use crate::recording::{Owner, Recording};
use crate::stretches::Meaning;
use crate::versions::{Version, Versions};
use probity_shape::Shape;
use std::collections::{BTreeSet, HashMap};

/// A static field: the class that declares it, and its name.
pub(crate) type Field = (String, String);

/// The fields that code which ran may have read and written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FieldUses {
    pub(crate) reads: BTreeSet<Field>,
    pub(crate) writes: BTreeSet<Field>,
}

impl FieldUses {
    /// Adds the accesses of a method of a version at the instructions that may have run.
    pub(crate) fn add(&mut self, version: &Version, method: usize, may_have_run: impl Fn(u32) -> bool) {
        if !is_of_project(version) {
            return;
        }
        let own = version.shape().map_or("", |shape| shape.name.as_str());
        let is_initialiser = version.methods.get(method).is_some_and(|method| method.is_initialiser);
        for access in version.statics(method).iter().filter(|access| may_have_run(access.instruction)) {
            // What an initialiser does to its own class belongs to all that use the class.
            if is_initialiser && access.class == own {
                continue;
            }
            let field = (access.class.clone(), access.field.clone());
            if access.writes {
                self.writes.insert(field)
            } else {
                self.reads.insert(field)
            };
        }
    }
}

/// Whether a class is in a folder: in the project, and not in a library.
pub(crate) fn is_of_project(version: &Version) -> bool {
    version.place.starts_with("file:") && version.place.ends_with('/')
}

/// What a unit reads and writes of what is shared.
#[derive(Debug, Default)]
struct Shared {
    fields: FieldUses,
    reads_properties: BTreeSet<String>,
    reads_all_properties: bool,
    writes_properties: BTreeSet<String>,
    writes_all_properties: bool,
    writes_more: bool,
}

impl Shared {
    fn add_fact(&mut self, meaning: &Meaning) {
        match meaning {
            Meaning::Property(name, _) => {
                self.reads_properties.insert(name.clone());
            }
            Meaning::AllProperties => self.reads_all_properties = true,
            Meaning::PropertyWritten(Some(name)) => {
                self.writes_properties.insert(name.clone());
            }
            Meaning::PropertyWritten(None) => self.writes_all_properties = true,
            Meaning::SharedWritten => self.writes_more = true,
            _ => {}
        }
    }
}

/// Who wrote what.
#[derive(Debug, Default)]
struct Writers<'a> {
    fields: HashMap<&'a Field, Vec<usize>>,
    properties: HashMap<&'a str, Vec<usize>>,
    /// Those who set some property.
    any_property: Vec<usize>,
    /// Those who set all properties at once.
    all_properties: Vec<usize>,
    /// Those who set something else that all share.
    more: Vec<usize>,
}

impl<'a> Writers<'a> {
    fn of(all: &'a [Shared]) -> Self {
        let mut writers = Self::default();
        for (unit, shared) in all.iter().enumerate() {
            for field in &shared.fields.writes {
                writers.fields.entry(field).or_default().push(unit);
            }
            for name in &shared.writes_properties {
                writers.properties.entry(name).or_default().push(unit);
            }
            if !shared.writes_properties.is_empty() || shared.writes_all_properties {
                writers.any_property.push(unit);
            }
            if shared.writes_all_properties {
                writers.all_properties.push(unit);
            }
            if shared.writes_more {
                writers.more.push(unit);
            }
        }
        writers
    }

    /// All whose writing a unit may see, whenever they ran.
    fn seen_by(&self, shared: &Shared) -> BTreeSet<usize> {
        let mut seen: BTreeSet<usize> = self.more.iter().copied().collect();
        seen.extend(shared.fields.reads.iter().filter_map(|field| self.fields.get(field)).flatten());
        let names = shared.reads_properties.iter().map(String::as_str);
        seen.extend(names.filter_map(|name| self.properties.get(name)).flatten());
        if !shared.reads_properties.is_empty() {
            seen.extend(&self.all_properties);
        }
        if shared.reads_all_properties {
            seen.extend(&self.any_property);
        }
        seen
    }
}

/// For each unit, by position, the earlier units whose state it may see, directly or through others.
pub(crate) fn earlier_units(
    recording: &Recording,
    versions: &Versions,
    meanings: &[Meaning],
    uses: &HashMap<usize, FieldUses>,
) -> Vec<BTreeSet<usize>> {
    let mut all: Vec<Shared> = Vec::new();
    all.resize_with(recording.units.len(), Shared::default);
    for stretch in &recording.stretches {
        if let Owner::Unit(unit) = stretch.owner
            && let Some(shared) = all.get_mut(unit)
        {
            let found = stretch.facts.iter().filter_map(|(fact, _)| meanings.get(*fact));
            found.for_each(|meaning| shared.add_fact(meaning));
        }
    }
    let shapes: HashMap<&str, &Shape> =
        versions.all.iter().filter_map(Version::shape).map(|shape| (shape.name.as_str(), shape)).collect();
    for (unit, fields) in uses {
        if let Some(shared) = all.get_mut(*unit) {
            shared.fields = resolved(&shapes, fields);
        }
    }
    let writers = Writers::of(&all);
    let mut seen: Vec<BTreeSet<usize>> = Vec::with_capacity(all.len());
    for (unit, shared) in all.iter().enumerate() {
        let last = recording.units.get(unit).map_or(0, |unit| unit.last_at);
        let mut writers = writers.seen_by(shared);
        writers.retain(|&other| other != unit && first_message(recording, other) < last);
        seen.push(writers);
    }
    close(&mut seen);
    seen
}

/// The position of the first message about a unit.
pub(crate) fn first_message(recording: &Recording, unit: usize) -> usize {
    let stretches = recording.units.get(unit).map(|unit| unit.stretches.as_slice()).unwrap_or_default();
    let first = stretches.first().and_then(|&stretch| recording.stretches.get(stretch));
    first.map_or(usize::MAX, |stretch| stretch.at)
}

/// What an earlier unit saw may be in what it left behind.
fn close(seen: &mut [BTreeSet<usize>]) {
    loop {
        let before: usize = seen.iter().map(BTreeSet::len).sum();
        for unit in 0..seen.len() {
            let through: BTreeSet<usize> = seen
                .get(unit)
                .into_iter()
                .flatten()
                .filter_map(|&other| seen.get(other))
                .flatten()
                .copied()
                .filter(|&other| other != unit)
                .collect();
            if let Some(seen) = seen.get_mut(unit) {
                seen.extend(through);
            }
        }
        if seen.iter().map(BTreeSet::len).sum::<usize>() == before {
            return;
        }
    }
}

/// The fields under the names of the classes that declare them.
fn resolved(shapes: &HashMap<&str, &Shape>, uses: &FieldUses) -> FieldUses {
    let resolve = |field: &Field| (declaring_class(shapes, field), field.1.clone());
    FieldUses {
        reads: uses.reads.iter().map(resolve).collect(),
        writes: uses.writes.iter().map(resolve).collect(),
    }
}

/// A field may be named through a subclass of the class that declares it.
fn declaring_class(shapes: &HashMap<&str, &Shape>, (class, field): &Field) -> String {
    let mut pending = vec![class.clone()];
    let mut met = BTreeSet::new();
    while let Some(name) = pending.pop() {
        if !met.insert(name.clone()) {
            continue;
        }
        let Some(shape) = shapes.get(name.as_str()) else { continue };
        if shape.fields.iter().any(|declared| declared.name == *field) {
            return name;
        }
        pending.extend(shape.super_name.iter().chain(&shape.interfaces).cloned());
    }
    class.clone()
}
