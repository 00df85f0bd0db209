//! What a unit was spared because an earlier unit of the same JVM did it before.
//!
//! Objects that hang on a static field live on from unit to unit: caches, registries, singletons. Who finds a value in a cache does not
//! compute it, so that nothing of the computation was recorded; yet its value is what an earlier unit computed. No message tells who
//! changed such an object, so this is about what may be:
//!
//! - Two units share state if code that counts for them may have used the same static field of the project, and the field may hold an
//!   object that changes. What only the initialiser of its own class does with a field counts for all who use the class anyway.
//! - A unit that shares state with earlier units may have been spared what they did. That is looked for by name: from all bodies that
//!   count for it, also from blocks that did not run, to each method that one of the earlier units entered and that is named there, and
//!   on from the bodies of those. What they hit in these methods, and the classes and static fields that they used there, count for it.
//!   In methods that it entered itself, what they hit counts as well: they may have gone the way that it was spared.
//! - What counts brings in further static fields, initialisers and thereby further earlier units, until there is no more.
//!
//! This is safe for whatever the unit would do itself if it ran alone, as far as that is named by code: a body that it would enter is named
//! by a body that it entered, or by one that it would enter before. It does not depend on which of the earlier units came first, and
//! no message more takes anything away: methods are only ever added, whether or not the unit has entered others of the same name.
//!
//! What is left open: state that an earlier unit put where this one finds it and would never make by itself (such a test fails or differs when it
//! runs alone, which an audit shows); what is called by reflection alone, with the name of its class in a text or a file; objects that
//! libraries and the JDK keep for themselves behind their own static fields, since through the fields of test frameworks all units would share
//! state with all; and loggers.

use crate::names::NameId;
use crate::runs::{EnteredMethod, Run, Runs};
use crate::targets::{Finder, Named, StaticField, Targets};
use crate::unit_set::UnitSet;
use crate::versions::{Method, Version, Versions};
use std::collections::{BTreeSet, HashMap};

/// What ran in a JVM and where it can lead.
#[derive(Debug, Default)]
pub(crate) struct Spared {
    runs: Vec<Run>,
    /// The static fields that each run may have used.
    fields_of: Vec<Vec<usize>>,
    /// The place of the units that have each run.
    units_of: Vec<usize>,
    /// All sets of units that there are.
    unit_sets: Vec<UnitSet>,
    methods: Vec<EnteredMethod>,
    /// What each method names; empty if units share no state.
    names_of: Vec<Vec<usize>>,
    targets: Vec<Targets>,
    fields: Vec<StaticField>,
}

impl Spared {
    /// Finds where everything that ran can lead.
    pub(crate) fn new(versions: &Versions, runs: Runs) -> Self {
        let Runs { all: runs, methods, .. } = runs;
        let mut finder = Finder::new(versions, &methods);
        let mut spared = Self { runs, methods, ..Self::default() };
        spared.find_fields(&mut finder);
        if finder.fields.iter().any(|field| field.is_shared && !field.users.is_empty()) {
            spared.find_targets(versions, &mut finder);
            spared.sort_units();
        }
        spared.fields = finder.fields;
        spared
    }

    fn find_fields(&mut self, finder: &mut Finder<'_>) {
        for run in &self.runs {
            let named = run.statics.iter();
            let fields: BTreeSet<usize> =
                named.flat_map(|&(class, key)| finder.fields_of(class, key)).collect();
            for &field in &fields {
                finder.fields.get_mut(field).into_iter().for_each(|field| field.users.add(&run.units));
            }
            self.fields_of.push(fields.into_iter().collect());
        }
    }

    fn find_targets(&mut self, versions: &Versions, finder: &mut Finder<'_>) {
        let mut known: HashMap<Named, Option<usize>> = HashMap::new();
        for method in &self.methods {
            let version = versions.get(method.version);
            let body = version.and_then(|version| version.methods.get(method.position));
            let mut names = BTreeSet::new();
            for named in names_in(version, body) {
                let place = *known.entry(named).or_insert_with(|| {
                    let targets = finder.targets(named);
                    let leads = !targets.methods.is_empty() || !targets.fields.is_empty();
                    leads.then(|| {
                        self.targets.push(targets);
                        self.targets.len() - 1
                    })
                });
                names.extend(place);
            }
            self.names_of.push(names.into_iter().collect());
        }
    }

    /// Many runs are of the same units: whether they are among those that are wanted is asked once.
    fn sort_units(&mut self) {
        let mut places: HashMap<UnitSet, usize> = HashMap::new();
        for run in &mut self.runs {
            let units = std::mem::take(&mut run.units);
            let next = places.len();
            self.units_of.push(*places.entry(units).or_insert(next));
        }
        self.unit_sets.resize_with(places.len(), UnitSet::default);
        for (units, place) in places {
            self.unit_sets.get_mut(place).into_iter().for_each(|set| *set = units.clone());
        }
    }

    /// A run.
    pub(crate) fn run(&self, run: usize) -> Option<&Run> {
        self.runs.get(run)
    }

    /// The version of the method of a run.
    pub(crate) fn version_of(&self, run: &Run) -> Option<usize> {
        self.methods.get(run.method).map(|method| method.version)
    }

    /// The class that declares a static field.
    pub(crate) fn class_of(&self, field: usize) -> Option<NameId> {
        self.fields.get(field).map(|field| field.class)
    }
}

fn names_in(version: Option<&Version>, body: Option<&Method>) -> BTreeSet<Named> {
    let own = version.and_then(|version| version.name);
    let references = body.into_iter().flat_map(|body| &body.references);
    references.flat_map(|reference| Named::of(reference, own)).collect()
}

/// What was found for a unit in one step.
#[derive(Debug, Default)]
pub(crate) struct Gained {
    /// Runs of earlier units, each with one of them.
    pub(crate) runs: Vec<(usize, usize)>,
    /// Static fields that earlier units used, each with one of them.
    pub(crate) fields: Vec<(usize, usize)>,
}

impl Gained {
    /// Whether there is nothing more.
    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty() && self.fields.is_empty()
    }
}

/// Looks for what one unit after the other was spared.
#[derive(Debug)]
pub(crate) struct Search<'s> {
    spared: &'s Spared,
    /// The methods that count.
    counts: Marks,
    /// The same, in the order in which they were found.
    methods: Vec<usize>,
    /// How many of them were looked at with the partners of now.
    done: usize,
    /// The names that were followed with the partners of now.
    followed: Marks,
    given: Marks,
    given_fields: Marks,
    shared: Marks,
    /// All units that use fields through which this one shares state.
    users: UnitSet,
    /// Those of them that came before.
    partners: UnitSet,
    /// For each set of units one that is among the partners, if that was asked.
    partner_in: Vec<Option<Option<usize>>>,
}

impl<'s> Search<'s> {
    pub(crate) fn new(spared: &'s Spared) -> Self {
        Self {
            spared,
            counts: Marks::new(spared.methods.len()),
            methods: Vec::new(),
            done: 0,
            followed: Marks::new(spared.targets.len()),
            given: Marks::new(spared.runs.len()),
            given_fields: Marks::new(spared.fields.len()),
            shared: Marks::new(spared.fields.len()),
            users: UnitSet::default(),
            partners: UnitSet::default(),
            partner_in: Vec::new(),
        }
    }

    /// Begins anew.
    pub(crate) fn clear(&mut self) {
        let marks = [&mut self.counts, &mut self.followed, &mut self.given, &mut self.given_fields];
        marks.into_iter().chain([&mut self.shared]).for_each(Marks::clear);
        self.methods.clear();
        self.done = 0;
        self.users = UnitSet::default();
        self.partners = UnitSet::default();
    }

    /// A run counts for the unit, whoever had it.
    pub(crate) fn add(&mut self, run: usize) {
        let spared = self.spared;
        for &place in spared.fields_of.get(run).into_iter().flatten() {
            if let Some(field) = spared.fields.get(place).filter(|field| field.is_shared)
                && self.shared.insert(place)
            {
                self.users.add(&field.users);
            }
        }
        if let Some(run) = spared.runs.get(run) {
            self.add_method(run.method);
        }
    }

    fn add_method(&mut self, method: usize) {
        if self.counts.insert(method) {
            self.methods.push(method);
        }
    }

    /// The earlier units with which it shares state.
    pub(crate) fn partners(&self) -> &UnitSet {
        &self.partners
    }

    /// What follows from all that was added, beside what was told before. So many units began before this one ended.
    pub(crate) fn gain(&mut self, unit: usize, began_before: usize) -> Gained {
        let partners = self.users.first_without(began_before, unit);
        if partners != self.partners {
            self.partners = partners;
            self.done = 0;
            self.followed.clear();
            self.partner_in.clear();
            self.partner_in.resize(self.spared.unit_sets.len(), None);
        }
        let mut gained = Gained::default();
        if self.partners.is_empty() {
            return gained;
        }
        while let Some(&method) = self.methods.get(self.done) {
            self.done += 1;
            self.take_runs(method, &mut gained);
            self.follow_names(method, &mut gained);
        }
        gained
    }

    fn take_runs(&mut self, method: usize, gained: &mut Gained) {
        let spared = self.spared;
        for &run in spared.methods.get(method).map(|method| &method.runs).into_iter().flatten() {
            if let Some(partner) = self.partner_with(run)
                && self.given.insert(run)
            {
                gained.runs.push((run, partner));
            }
        }
    }

    fn follow_names(&mut self, method: usize, gained: &mut Gained) {
        let spared = self.spared;
        for &name in spared.names_of.get(method).into_iter().flatten() {
            if !self.followed.insert(name) {
                continue;
            }
            let Some(targets) = spared.targets.get(name) else { continue };
            for &target in &targets.methods {
                let runs = spared.methods.get(target).map(|method| &method.runs);
                if !self.counts.has(target)
                    && runs.into_iter().flatten().any(|&run| self.partner_with(run).is_some())
                {
                    self.add_method(target);
                }
            }
            for &place in &targets.fields {
                let users = spared.fields.get(place).map(|field| &field.users);
                if let Some(partner) = users.and_then(|users| users.first_common(&self.partners))
                    && self.given_fields.insert(place)
                {
                    gained.fields.push((place, partner));
                }
            }
        }
    }

    /// A partner that has a run.
    fn partner_with(&mut self, run: usize) -> Option<usize> {
        let spared = self.spared;
        let set = *spared.units_of.get(run)?;
        let known = self.partner_in.get_mut(set)?;
        let units = spared.unit_sets.get(set)?;
        *known.get_or_insert_with(|| units.first_common(&self.partners))
    }
}

/// Marks that are all taken away at once.
#[derive(Debug, Default)]
struct Marks {
    /// When each was set last.
    set: Vec<u32>,
    now: u32,
}

impl Marks {
    fn new(count: usize) -> Self {
        Self { set: vec![0; count], now: 1 }
    }

    fn clear(&mut self) {
        self.now = self.now.wrapping_add(1);
        if self.now == 0 {
            self.set.fill(0);
            self.now = 1;
        }
    }

    fn has(&self, place: usize) -> bool {
        self.set.get(place) == Some(&self.now)
    }

    /// Sets one, and tells whether it was not set.
    fn insert(&mut self, place: usize) -> bool {
        let now = self.now;
        self.set.get_mut(place).is_some_and(|mark| std::mem::replace(mark, now) != now)
    }
}
