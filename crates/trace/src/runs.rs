//! What ran, method by method: the smallest part of what a unit did that counts for another unit as well.

use crate::hits::Hits;
use crate::names::NameId;
use crate::unit_set::UnitSet;
use probity_shape::{MemberKey, Use};
use std::collections::HashMap;

/// A method that was entered, with the probes that were hit in it in some stretches of time. Whoever hit the same probes of the method
/// has the same run.
#[derive(Debug)]
pub(crate) struct Run {
    /// The place of the method among those that were entered.
    pub(crate) method: usize,
    pub(crate) hits: Hits,
    /// The classes that it may have used, without its own.
    pub(crate) uses: Vec<(Use, NameId)>,
    /// The static fields that it may have used, through the classes that it names.
    pub(crate) statics: Vec<(NameId, MemberKey)>,
    /// The units that have it.
    pub(crate) units: UnitSet,
}

/// A method that was entered by somebody.
#[derive(Debug)]
pub(crate) struct EnteredMethod {
    pub(crate) version: usize,
    /// Its position in the class.
    pub(crate) position: usize,
    pub(crate) runs: Vec<usize>,
}

/// What one method did in one stretch of time.
#[derive(Debug, Default)]
pub(crate) struct MethodRun {
    /// Its position in the class.
    pub(crate) position: usize,
    pub(crate) hits: Hits,
    pub(crate) uses: Vec<(Use, NameId)>,
    pub(crate) statics: Vec<(NameId, MemberKey)>,
}

/// All runs of a JVM, each once.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    pub(crate) all: Vec<Run>,
    pub(crate) methods: Vec<EnteredMethod>,
    method_of: HashMap<(usize, usize), usize>,
    known: HashMap<(usize, Hits), usize>,
}

impl Runs {
    /// The number of a run of a method of a version.
    pub(crate) fn id(&mut self, version: usize, run: MethodRun) -> usize {
        let next = self.methods.len();
        let method = *self.method_of.entry((version, run.position)).or_insert(next);
        if method == next {
            self.methods.push(EnteredMethod { version, position: run.position, runs: Vec::new() });
        }
        let id = self.all.len();
        match self.known.entry((method, run.hits)) {
            std::collections::hash_map::Entry::Occupied(known) => return *known.get(),
            std::collections::hash_map::Entry::Vacant(place) => {
                let hits = place.key().1.clone();
                place.insert(id);
                let MethodRun { uses, statics, .. } = run;
                self.all.push(Run { method, hits, uses, statics, units: UnitSet::default() });
            }
        }
        if let Some(method) = self.methods.get_mut(method) {
            method.runs.push(id);
        }
        id
    }

    /// A unit has some runs.
    pub(crate) fn add_unit(&mut self, unit: usize, runs: &[usize]) {
        for &run in runs {
            if let Some(run) = self.all.get_mut(run) {
                run.units.insert(unit);
            }
        }
    }
}
