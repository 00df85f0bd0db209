//! What was used, made ready to be added to units: classes as versions, what their code may have used, facts as what they
//! mean.
//!
//! It is made once for each unit, each initialiser and for what is outside all units, and added to as many units as inherit it.

use crate::hits::Hits;
use crate::names::{NameId, internal_name, top_level};
use crate::paths::absolute;
use crate::reach::Reaches;
use crate::recording::{Owner, Recording, Stretch};
use crate::shared_state::{FieldUses, earlier_units, first_message};
use crate::spared::Spared;
use crate::versions::{Versions, shown};
use crate::world::Asked;
use probity_shape::{Mutf8, Use};
use probity_wire::Fact;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What was used in the stretches of time of one owner.
#[derive(Debug, Default)]
pub(crate) struct Bundle {
    pub(crate) hits: Vec<Hit>,
    /// Facts, by position, and whether they named a class that was not there.
    pub(crate) facts: Vec<(usize, bool)>,
    pub(crate) faults: Vec<String>,
}

/// A version whose code ran.
#[derive(Debug, Default)]
pub(crate) struct Hit {
    pub(crate) version: usize,
    pub(crate) hits: Hits,
    pub(crate) uses: Vec<(Use, NameId)>,
    /// What ran of each method.
    pub(crate) runs: Vec<usize>,
}

/// What a fact means here.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Linked(usize),
    Inspected(usize),
    Named(NameId),
    UsedByHidden(NameId),
    File(String, Asked),
    Written(String),
    Resource(String),
    Property(String, Option<Vec<u8>>),
    AllProperties,
    Variable(String, Option<Vec<u8>>),
    AllVariables,
    ChildProcess,
    StackTrace,
    /// A system property was set; nothing for all of them.
    PropertyWritten(Option<String>),
    /// Something was set that all share.
    SharedWritten,
    /// It makes distrusted whoever met it.
    Distrust(String),
    /// It says nothing, such as what concerns the JDK.
    Nothing,
}

/// Everything that was used in a JVM.
#[derive(Debug, Default)]
pub(crate) struct Bundles {
    /// By the position of the unit.
    pub(crate) units: Vec<Bundle>,
    /// By version.
    pub(crate) once: HashMap<usize, Bundle>,
    /// What belongs to all units.
    pub(crate) outside: Bundle,
    /// What was done outside all units with a test class and those nested in it, by its name: it belongs to those that use it.
    pub(crate) outside_of: HashMap<String, Bundle>,
    /// By the position of the fact.
    pub(crate) meanings: Vec<Meaning>,
    /// Who wrote a file, by path.
    pub(crate) writers: HashMap<String, BTreeSet<Owner>>,
    /// The paths written in a folder, by its path.
    pub(crate) written_in: HashMap<String, BTreeSet<String>>,
    /// Versions whose initialiser was entered and never ended: where that was seen first, and by which units.
    pub(crate) unended: HashMap<usize, (usize, BTreeSet<Owner>)>,
    /// By the position of the unit, the earlier ones whose state it may see.
    pub(crate) earlier: Vec<BTreeSet<usize>>,
    /// By the position of the unit, how many units began before it ended. They are in the order in which they began.
    pub(crate) began_before: Vec<usize>,
    /// What units may have been spared because others did it before.
    pub(crate) spared: Spared,
}

impl Bundles {
    /// Makes everything ready.
    pub(crate) fn new(recording: &Recording, versions: &mut Versions) -> Self {
        let meanings = recording.facts.iter().map(|fact| meaning(recording, versions, fact)).collect();
        let tests: BTreeSet<String> = recording.units.iter().map(|unit| test_class(&unit.name)).collect();
        let mut maker = Maker {
            versions,
            tests,
            meanings,
            reaches: Reaches::default(),
            open: BTreeMap::new(),
            entered: HashMap::new(),
            fields: HashMap::new(),
        };
        for stretch in &recording.stretches {
            maker.add(stretch);
        }
        let mut bundles = Self { unended: maker.unended(recording), ..Self::default() };
        bundles.units.resize_with(recording.units.len(), Bundle::default);
        for (key, open) in std::mem::take(&mut maker.open) {
            bundles.put(key, open.close());
        }
        let fields = std::mem::take(&mut maker.fields);
        bundles.earlier = earlier_units(recording, maker.versions, &maker.meanings, &fields);
        bundles.began_before = began_before(recording);
        bundles.spared = Spared::new(maker.versions, std::mem::take(&mut maker.reaches.runs));
        bundles.meanings = maker.meanings;
        versions.make_room();
        bundles.find_writers(recording);
        bundles
    }

    fn put(&mut self, key: Key, bundle: Bundle) {
        match key {
            Key::Unit(unit) => {
                if let Some(place) = self.units.get_mut(unit) {
                    *place = bundle;
                }
            }
            Key::Once(version) => {
                self.once.insert(version, bundle);
            }
            Key::Outside => self.outside = bundle,
            Key::OutsideOf(test) => {
                self.outside_of.insert(test, bundle);
            }
        }
    }

    fn find_writers(&mut self, recording: &Recording) {
        for stretch in &recording.stretches {
            for (fact, _) in &stretch.facts {
                if let Some(Meaning::Written(path)) = self.meanings.get(*fact) {
                    self.writers.entry(path.clone()).or_default().insert(stretch.owner);
                    if let Some(folder) = crate::paths::parent(path) {
                        self.written_in.entry(folder.to_owned()).or_default().insert(path.clone());
                    }
                }
            }
        }
    }
}

fn began_before(recording: &Recording) -> Vec<usize> {
    let first: Vec<usize> = (0..recording.units.len()).map(|unit| first_message(recording, unit)).collect();
    recording.units.iter().map(|unit| first.partition_point(|&at| at < unit.last_at)).collect()
}

/// The internal name of the top-level class of a unit.
pub(crate) fn test_class(unit: &str) -> String {
    top_level(&unit.replace('.', "/")).to_owned()
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Unit(usize),
    Once(usize),
    Outside,
    OutsideOf(String),
}

/// A bundle that still grows.
#[derive(Debug, Default)]
struct Open {
    hits: BTreeMap<usize, OpenHit>,
    facts: BTreeSet<(usize, bool)>,
    faults: Vec<String>,
}

#[derive(Debug, Default)]
struct OpenHit {
    hits: Hits,
    uses: BTreeSet<(Use, NameId)>,
    runs: BTreeSet<usize>,
}

impl OpenHit {
    fn close(self, version: usize) -> Hit {
        let Self { hits, uses, runs } = self;
        Hit { version, hits, uses: uses.into_iter().collect(), runs: runs.into_iter().collect() }
    }
}

impl Open {
    fn close(self) -> Bundle {
        let hits = self.hits.into_iter();
        Bundle {
            hits: hits.map(|(version, hit)| hit.close(version)).collect(),
            facts: self.facts.into_iter().collect(),
            faults: self.faults,
        }
    }
}

struct Maker<'v> {
    versions: &'v mut Versions,
    /// The top-level classes of all units.
    tests: BTreeSet<String>,
    meanings: Vec<Meaning>,
    reaches: Reaches,
    open: BTreeMap<Key, Open>,
    /// Classes of the recording whose initialiser was entered: where first, and by whom.
    entered: HashMap<usize, (usize, BTreeSet<Owner>)>,
    /// The static fields that units use, by the position of the unit.
    fields: HashMap<usize, FieldUses>,
}

impl Maker<'_> {
    fn add(&mut self, stretch: &Stretch) {
        let key = match stretch.owner {
            Owner::Unit(unit) => Key::Unit(unit),
            Owner::Outside => Key::Outside,
            Owner::Once(class) => match class.and_then(|class| self.versions.of_class(class)) {
                Some(version) => Key::Once(version),
                // Nothing is known of the class, or it is of the JDK: everybody may have used it.
                None => Key::Outside,
            },
        };
        self.open.entry(key.clone()).or_default().faults.extend(stretch.faults.iter().cloned());
        for (class, bits) in &stretch.hits {
            self.add_hit(stretch, &key, *class, &Hits::from_bytes(bits.clone()));
        }
        for &(fact, is_absent) in &stretch.facts {
            let key = self.key_of(&key, self.name_in(fact).map(str::to_owned).as_deref());
            self.open.entry(key).or_default().facts.insert((fact, is_absent));
        }
    }

    fn add_hit(&mut self, stretch: &Stretch, key: &Key, class: usize, hits: &Hits) {
        let Some(version) = self.versions.of_class(class).filter(|_| !hits.is_empty()) else { return };
        let reached = self.reaches.of(self.versions, version, hits);
        let name = self.name_of(version).to_owned();
        let key = self.key_of(key, Some(&name));
        if reached.enters_initialiser {
            let entered = self.entered.entry(class).or_insert((stretch.at, BTreeSet::new()));
            entered.1.insert(stretch.owner);
        }
        if let Owner::Unit(unit) = stretch.owner {
            let fields = self.fields.entry(unit).or_default();
            fields.reads.extend(reached.fields.reads.iter().cloned());
            fields.writes.extend(reached.fields.writes.iter().cloned());
            self.reaches.runs.add_unit(unit, &reached.runs);
        }
        let open = self.open.entry(key).or_default();
        if reached.has_unknown_hits {
            open.faults.push(format!("{} has hits of probes that it does not have", shown(&name)));
        }
        let hit = open.hits.entry(version).or_default();
        hit.hits.add(hits);
        hit.uses.extend(reached.uses.iter().copied());
        hit.runs.extend(&reached.runs);
    }

    /// What concerns a test class outside all units is not everybody's.
    fn key_of(&self, key: &Key, name: Option<&str>) -> Key {
        match name.map(top_level) {
            Some(top) if *key == Key::Outside && self.tests.contains(top) => Key::OutsideOf(top.to_owned()),
            _ => key.clone(),
        }
    }

    fn name_of(&self, version: usize) -> &str {
        let name = self.versions.get(version).and_then(|version| version.name);
        name.map_or("", |name| self.versions.names.text(name))
    }

    /// The class that a fact is about.
    fn name_in(&self, fact: usize) -> Option<&str> {
        match self.meanings.get(fact)? {
            Meaning::Linked(version) | Meaning::Inspected(version) => Some(self.name_of(*version)),
            Meaning::Named(name) | Meaning::UsedByHidden(name) => Some(self.versions.names.text(*name)),
            _ => None,
        }
    }

    /// An initialiser of which it was not said what was used while it ran has not ended, or not well.
    fn unended(&mut self, recording: &Recording) -> HashMap<usize, (usize, BTreeSet<Owner>)> {
        let ended: BTreeSet<usize> = recording
            .stretches
            .iter()
            .filter_map(|stretch| match stretch.owner {
                Owner::Once(class) => class,
                _ => None,
            })
            .collect();
        let entered = std::mem::take(&mut self.entered).into_iter();
        let mut unended: HashMap<usize, (usize, BTreeSet<Owner>)> = HashMap::new();
        for (class, (at, by)) in entered.filter(|(class, _)| !ended.contains(class)) {
            let Some(version) = self.versions.of_class(class) else { continue };
            let (first, all) = unended.entry(version).or_insert((at, by.clone()));
            *first = at.min(*first);
            all.retain(|owner| by.contains(owner));
        }
        unended
    }
}

fn meaning(recording: &Recording, versions: &mut Versions, fact: &Fact) -> Meaning {
    let directory = recording.start.as_ref().map_or(&[][..], |start| &start.directory);
    let directory = String::from_utf8_lossy(directory);
    let path = |bytes: &[u8], with: &dyn Fn(String) -> Meaning| match std::str::from_utf8(bytes) {
        Ok(path) => with(absolute(path, &directory)),
        Err(_) => {
            Meaning::Distrust(format!("it used {:?}, which is no text", String::from_utf8_lossy(bytes)))
        }
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match fact {
        Fact::Linked(number) | Fact::Inspected(number) => match recording.class_of_number(*number) {
            None => Meaning::Distrust(format!("it met class {number}, which was not recorded")),
            Some(class) => match (versions.of_class(class), fact) {
                (None, _) => Meaning::Nothing,
                (Some(version), Fact::Linked(_)) => Meaning::Linked(version),
                (Some(version), _) => Meaning::Inspected(version),
            },
        },
        Fact::Named(name) | Fact::UsedByHidden(name) => {
            let Some(name) = internal_name(&Mutf8::new(name).to_text()) else { return Meaning::Nothing };
            let name = versions.names.id(&name);
            if matches!(fact, Fact::Named(_)) { Meaning::Named(name) } else { Meaning::UsedByHidden(name) }
        }
        Fact::FileRead(bytes) => path(bytes, &|path| Meaning::File(path, Asked::Read)),
        Fact::FileTested(bytes) => path(bytes, &|path| Meaning::File(path, Asked::Tested)),
        Fact::FolderListed(bytes) => path(bytes, &|path| Meaning::File(path, Asked::Listed)),
        Fact::FileWritten(bytes) => path(bytes, &Meaning::Written),
        Fact::Resource(name) => Meaning::Resource(Mutf8::new(name).to_text().into_owned()),
        Fact::Property { name, value } => Meaning::Property(text(name), value.clone()),
        Fact::Variable { name, value } => Meaning::Variable(text(name), value.clone()),
        Fact::AllProperties => Meaning::AllProperties,
        Fact::AllVariables => Meaning::AllVariables,
        Fact::ChildProcess => Meaning::ChildProcess,
        Fact::StackTrace => Meaning::StackTrace,
        Fact::Unknown(what) => Meaning::Distrust(text(what)),
        Fact::PropertyWritten(name) => Meaning::PropertyWritten(name.as_deref().map(text)),
        Fact::SharedWritten(_) => Meaning::SharedWritten,
    }
}
