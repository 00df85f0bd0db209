//! From the recording of one JVM to the traces of its units.
//!
//! Traces are made one at a time, since those of a large run would not all be wanted in memory. What is the same for all of them
//! (classes, what code may have used, what was outside) is found once.

use crate::class_use::{ClassUse, Reason};
use crate::closure::{Closure, Slot};
use crate::environment::environment;
use crate::hits::Hits;
use crate::names::NameId;
use crate::paths::{path_of_url, relative};
use crate::recording::{Owner, Recording, UnitRecord};
use crate::stretches::Bundles;
use crate::surroundings::Surroundings;
use crate::trace::{Environment, Outcome, Test, Trace};
use crate::understood::ClassCache;
use crate::versions::{Version, Versions};
use crate::world::{ClassSource, FileSource};
use probity_shape::{ContentId, Shape};
use probity_wire::{Origin, TestOutcome};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// What a JVM did, understood as far as it can be.
#[derive(Debug)]
pub struct Ingest<'r> {
    recording: &'r Recording,
    versions: Versions,
    bundles: Bundles,
    /// The place of each version in the order of names.
    ranks: Vec<usize>,
    places: Vec<Arc<str>>,
    environment: Environment,
    project: Option<String>,
}

/// The probes of a class that were hit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassHits {
    /// The internal name.
    pub name: String,
    /// JaCoCo's id of the class.
    pub class_id: u64,
    /// How many probes of JaCoCo's it has; entry probes follow them.
    pub probes: u32,
    /// The bytes of the class, if they are known.
    pub content: Option<ContentId>,
    /// The probes that were hit.
    pub hits: Hits,
}

/// What is to be told about a recording.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Problem {
    /// A unit began and did not end; it has no trace.
    NotDone {
        /// Its name.
        unit: String,
    },
    /// Something about the recording that makes all of its traces distrusted.
    Fault(String),
    /// A class cannot be had, or not be understood.
    Class(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotDone { unit } => write!(f, "{unit} did not end, so it has no trace"),
            Self::Fault(what) | Self::Class(what) => f.write_str(what),
        }
    }
}

impl<'r> Ingest<'r> {
    /// Reads the classes of a recording and finds what its code may have used. Paths are made relative to the project.
    pub fn new(
        recording: &'r Recording,
        classes: &mut dyn ClassSource,
        files: &mut dyn FileSource,
        project: Option<&str>,
        cache: &mut ClassCache,
    ) -> Self {
        let mut versions = Versions::read(recording, classes, cache);
        let bundles = Bundles::new(recording, &mut versions);
        let class_path = files.class_path();
        let start = recording.start.as_ref();
        let environment = start.map(|start| environment(start, &class_path, project)).unwrap_or_default();
        let place =
            |url: &str| path_of_url(url).map_or_else(|| url.to_owned(), |path| relative(&path, project));
        let places = shared_places(versions.all.iter().map(|version| place(&version.place)));
        Self {
            recording,
            ranks: ranks(&versions),
            versions,
            bundles,
            places,
            environment,
            project: project.map(str::to_owned),
        }
    }

    /// Makes the trace of each unit that ended, in the order in which they began.
    pub fn traces(
        &self,
        classes: &mut dyn ClassSource,
        files: &mut dyn FileSource,
        mut each: impl FnMut(Trace),
    ) {
        let mut closure = Closure::new(self.recording, &self.bundles, &self.versions, classes);
        let project = self.project.as_deref();
        let (recording, bundles, versions) = (self.recording, &self.bundles, &self.versions);
        let mut surroundings = Surroundings::new(recording, bundles, versions, files, project);
        for (position, unit) in recording.units.iter().enumerate().filter(|(_, unit)| unit.is_done()) {
            each(self.trace(position, unit, &mut closure, &mut surroundings));
        }
    }

    fn trace(
        &self,
        position: usize,
        unit: &UnitRecord,
        closure: &mut Closure<'_>,
        surroundings: &mut Surroundings<'_>,
    ) -> Trace {
        let mut trace = Trace {
            unit: unit.name.clone(),
            framework: unit.framework.clone(),
            began: unit.began,
            micros: unit.micros,
            tests: tests(unit),
            environment: self.environment.clone(),
            threads_left: unit.threads_left,
            overlaps: self.names_of_overlaps(unit),
            ..Trace::default()
        };
        closure.walk(position);
        let facts = std::mem::take(&mut closure.found.facts);
        let mut distrust = std::mem::take(&mut closure.found.distrust);
        let counts = |version: usize| closure.slot(version).is_some_and(|slot| !slot.reasons.is_empty());
        surroundings.add(position, &facts, &counts, &mut trace, &mut distrust);
        let mut used = std::mem::take(&mut closure.found.versions);
        used.sort_unstable_by_key(|&version| self.ranks.get(version));
        trace.classes.reserve(used.len());
        for version in used {
            if let Some(slot) = closure.slot_mut(version) {
                trace.classes.extend(self.class_use(version, slot));
                slot.clear();
            }
        }
        let absent = closure.found.absent.iter();
        trace.absent_classes = absent.map(|&name| self.versions.names.text(name).to_owned()).collect();
        trace.absent_classes.sort_unstable();
        trace.distrust = distrust.into_iter().map(Into::into).collect();
        trace
    }

    fn class_use(&self, version: usize, slot: &mut Slot) -> Option<ClassUse> {
        let place = self.places.get(version)?;
        let version = self.versions.get(version)?;
        let text = |name: NameId| self.versions.names.shared(name);
        slot.reasons.sort_unstable_by_key(|(why, _)| *why);
        slot.inherited.remove(&slot.own);
        Some(ClassUse {
            name: version.name.map(text)?,
            content: version.content?,
            place: Arc::clone(place),
            hits: std::mem::take(&mut slot.own),
            inherited: std::mem::take(&mut slot.inherited),
            reasons: slot.reasons.iter().map(|&(why, of)| Reason { why, of: of.map(text) }).collect(),
        })
    }

    fn names_of_overlaps(&self, unit: &UnitRecord) -> Vec<String> {
        let others = unit.overlaps.iter().filter_map(|&number| self.recording.unit(number));
        let mut names: Vec<String> = others.map(|(_, other)| other.name.clone()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// In what JVM the units ran.
    #[must_use]
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    /// The shapes of all classes that were loaded, by their bytes.
    pub fn shapes(&self) -> impl Iterator<Item = &Shape> {
        self.versions.all.iter().filter_map(Version::shape)
    }

    /// The probes that were hit outside all units.
    #[must_use]
    pub fn outside(&self) -> Vec<ClassHits> {
        self.rows(|owner| owner == Owner::Outside)
    }

    /// The probes that were hit neither in a unit that has a trace nor outside: by units that did not end, and by initialisers
    /// wherever they are not told as a part of something else.
    #[must_use]
    pub fn leftover(&self) -> Vec<ClassHits> {
        let has_row = |owner| match owner {
            Owner::Unit(unit) => self.recording.units.get(unit).is_some_and(UnitRecord::is_done),
            Owner::Outside => true,
            Owner::Once(_) => false,
        };
        let rows = self.rows(has_row);
        let known: HashMap<(&str, u64), &Hits> =
            rows.iter().map(|row| ((row.name.as_str(), row.class_id), &row.hits)).collect();
        let mut leftover = self.rows(|owner| !has_row(owner));
        for row in &mut leftover {
            if let Some(known) = known.get(&(row.name.as_str(), row.class_id)) {
                row.hits.remove(known);
            }
        }
        leftover.retain(|row| !row.hits.is_empty());
        leftover
    }

    /// The probes that were hit in the whole JVM, also by units that have no trace: what JaCoCo would have recorded.
    #[must_use]
    pub fn all_hits(&self) -> Vec<ClassHits> {
        self.rows(|_| true)
    }

    /// Adds up the hits of some owners, sorted by name. What was made while the program ran and says of no place that it is from
    /// there is left out, as JaCoCo does.
    fn rows(&self, wanted: impl Fn(Owner) -> bool) -> Vec<ClassHits> {
        let mut rows: BTreeMap<(&str, u64), ClassHits> = BTreeMap::new();
        for stretch in self.recording.stretches.iter().filter(|stretch| wanted(stretch.owner)) {
            for (class, bits) in &stretch.hits {
                let Some(loaded) = self.recording.classes.get(*class) else { continue };
                if matches!(loaded.message.origin, Origin::Made(_)) {
                    continue;
                }
                let version = self.versions.of_class(*class).and_then(|version| self.versions.get(version));
                let row = rows.entry((&loaded.name, loaded.message.id)).or_insert_with(|| ClassHits {
                    name: loaded.name.clone(),
                    class_id: loaded.message.id,
                    probes: loaded.message.probes,
                    content: version.and_then(|version| version.content),
                    hits: Hits::default(),
                });
                row.hits.add(&Hits::from_bytes(bits.clone()));
            }
        }
        rows.into_values().filter(|row| !row.hits.is_empty()).collect()
    }

    /// What is to be told, sorted.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        // Of what was prepared and did not run nobody expects a trace.
        let undone = self.recording.units.iter().filter(|unit| unit.has_run && !unit.is_done());
        let mut problems: Vec<Problem> =
            undone.map(|unit| Problem::NotDone { unit: unit.name.clone() }).collect();
        problems.extend(self.recording.faults.iter().cloned().map(Problem::Fault));
        let classes = self.versions.all.iter().filter_map(|version| version.distrust.clone());
        problems.extend(classes.map(Problem::Class));
        problems.sort_unstable();
        problems.dedup();
        problems
    }
}

/// Places, of which there are few, each once.
fn shared_places(places: impl Iterator<Item = String>) -> Vec<Arc<str>> {
    let mut known: HashSet<Arc<str>> = HashSet::new();
    places
        .map(|place| match known.get(place.as_str()) {
            Some(known) => Arc::clone(known),
            None => {
                let place: Arc<str> = place.into();
                known.insert(Arc::clone(&place));
                place
            }
        })
        .collect()
}

/// The place of each version in the order of names and bytes.
fn ranks(versions: &Versions) -> Vec<usize> {
    let key = |version: &usize| {
        let version = versions.get(*version);
        let name = version.and_then(|version| version.name).map(|name| versions.names.text(name));
        (name, version.and_then(|version| version.content))
    };
    let mut order: Vec<usize> = (0..versions.all.len()).collect();
    order.sort_by_cached_key(key);
    let mut ranks = vec![0; order.len()];
    for (rank, version) in order.into_iter().enumerate() {
        if let Some(place) = ranks.get_mut(version) {
            *place = rank;
        }
    }
    ranks
}

fn tests(unit: &UnitRecord) -> Vec<Test> {
    let tests = unit.tests.iter();
    tests
        .map(|test| Test {
            id: String::from_utf8_lossy(&test.id).into_owned(),
            outcome: match test.outcome {
                TestOutcome::Passed => Outcome::Passed,
                TestOutcome::Failed => Outcome::Failed,
                TestOutcome::Skipped => Outcome::Skipped,
            },
            micros: test.micros,
        })
        .collect()
}
