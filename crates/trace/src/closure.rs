//! Everything that counts for a unit, from what was recorded of it: the closure over supertypes, nests, initialisers, the
//! classes that code names, and what is inherited from outside and from other units.
//!
//! Each class counts once, with one reason of each kind. Nothing here asks what a class is good for: what may have been used
//! counts.

use crate::class_use::Why;
use crate::hits::Hits;
use crate::names::{NameId, is_of_made_by_jdk, top_level};
use crate::recording::{Owner, Recording};
use crate::spared::Search;
use crate::stretches::{Bundle, Bundles, Meaning, test_class};
use crate::versions::{Known, Version, Versions, shown};
use crate::world::{ClassSource, Presence};
use std::collections::{BTreeSet, HashMap};

/// Through whom a unit has something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Via {
    /// It did it itself.
    Own,
    /// The initialiser of a version, or something else that happens once.
    Once(usize),
    /// Code outside all units.
    Outside,
    /// Another unit, by position.
    Other(usize),
}

/// A version as a unit used it.
#[derive(Debug, Default)]
pub(crate) struct Slot {
    /// A bit for each kind of reason.
    kinds: u32,
    pub(crate) reasons: Vec<(Why, Option<NameId>)>,
    pub(crate) own: Hits,
    pub(crate) inherited: Hits,
}

impl Slot {
    /// Empties it and keeps its memory.
    pub(crate) fn clear(&mut self) {
        let mut reasons = std::mem::take(&mut self.reasons);
        reasons.clear();
        *self = Self { reasons, ..Self::default() };
    }
}

/// Finds what counts, one unit after the other.
pub(crate) struct Closure<'a> {
    recording: &'a Recording,
    bundles: &'a Bundles,
    versions: &'a Versions,
    source: &'a mut dyn ClassSource,
    /// What was done outside all units with the test class of each version, if it is of one.
    deferred: Vec<Option<&'a Bundle>>,
    slots: Vec<Slot>,
    pub(crate) found: Found<'a>,
    pending: Vec<usize>,
    to_inspect: Vec<usize>,
    /// The test classes whose bundles from outside were added.
    tests_added: Vec<&'a Bundle>,
    search: Search<'a>,
}

/// What was found for one unit, beside the slots.
#[derive(Debug, Default)]
pub(crate) struct Found<'a> {
    /// The versions that count.
    pub(crate) versions: Vec<usize>,
    pub(crate) absent: BTreeSet<NameId>,
    /// Facts that are not about classes, by position.
    pub(crate) facts: Vec<(usize, Via)>,
    pub(crate) distrust: BTreeSet<std::borrow::Cow<'a, str>>,
}

impl<'a> Closure<'a> {
    pub(crate) fn new(
        recording: &'a Recording,
        bundles: &'a Bundles,
        versions: &'a Versions,
        source: &'a mut dyn ClassSource,
    ) -> Self {
        let name = |version: &Version| version.name.map_or("", |name| versions.names.text(name));
        let of_test: HashMap<&str, &Bundle> =
            bundles.outside_of.iter().map(|(test, bundle)| (test.as_str(), bundle)).collect();
        let deferred = versions.all.iter().map(|one| of_test.get(top_level(name(one))).copied()).collect();
        let mut slots = Vec::new();
        slots.resize_with(versions.all.len(), Slot::default);
        Self {
            recording,
            bundles,
            versions,
            source,
            deferred,
            slots,
            found: Found::default(),
            pending: Vec::new(),
            to_inspect: Vec::new(),
            tests_added: Vec::new(),
            search: Search::new(&bundles.spared),
        }
    }

    /// Finds all that counts for a unit; what was found before is forgotten.
    pub(crate) fn walk(&mut self, unit: usize) {
        for version in std::mem::take(&mut self.found).versions {
            self.slots.get_mut(version).into_iter().for_each(Slot::clear);
        }
        self.tests_added.clear();
        self.search.clear();
        let (bundles, recording) = (self.bundles, self.recording);
        let Some(record) = recording.units.get(unit) else { return };
        if let Some(bundle) = bundles.units.get(unit) {
            self.add(bundle, Via::Own);
        }
        self.add_test_class(&record.name);
        for other in self.others(unit) {
            if let Some(bundle) = bundles.units.get(other) {
                self.add(bundle, Via::Other(other));
            }
        }
        self.add(&bundles.outside, Via::Outside);
        self.close();
        while self.add_spared(unit) {
            self.close();
        }
        self.distrust_partners();
        self.distrust_what_never_ended(unit);
        self.distrust_what_is_not_recorded(unit);
        self.found.distrust.extend(recording.faults.iter().map(|fault| fault.as_str().into()));
    }

    /// Adds what the unit may have been spared by earlier ones, one step; tells whether there was something.
    fn add_spared(&mut self, unit: usize) -> bool {
        let spared = &self.bundles.spared;
        let began_before = self.bundles.began_before.get(unit).copied().unwrap_or_default();
        let gained = self.search.gain(unit, began_before);
        for &(run, partner) in &gained.runs {
            self.search.add(run);
            let Some(run) = spared.run(run) else { continue };
            let Some(version) = spared.version_of(run) else { continue };
            self.count(version, Why::OtherUnit, self.test_class_of(partner));
            if let Some(slot) = self.slots.get_mut(version) {
                slot.inherited.add(&run.hits);
            }
            let of = self.versions.get(version).and_then(|version| version.name);
            for &(usage, name) in &run.uses {
                self.name(name, Why::Named(usage), of);
            }
        }
        for &(field, partner) in &gained.fields {
            if let Some(class) = spared.class_of(field) {
                self.name_loaded(class, Why::OtherUnit, self.test_class_of(partner));
            }
        }
        !gained.is_empty()
    }

    /// What was done by a unit that did not end is not known.
    fn distrust_partners(&mut self) {
        let partners = self.search.partners().iter().filter_map(|partner| self.recording.units.get(partner));
        for partner in partners.filter(|partner| !partner.is_done()) {
            let why = format!("it shares state with {}, which did not end", partner.name);
            self.found.distrust.insert(why.into());
        }
    }

    /// The slot of a version.
    pub(crate) fn slot(&self, version: usize) -> Option<&Slot> {
        self.slots.get(version)
    }

    /// The slot of a version, of which can be taken what is in it.
    pub(crate) fn slot_mut(&mut self, version: usize) -> Option<&mut Slot> {
        self.slots.get_mut(version)
    }

    /// The framework looks at the test class, whatever else it does.
    fn add_test_class(&mut self, unit: &str) {
        let internal = unit.replace('.', "/");
        for name in [internal.as_str(), &test_class(unit)] {
            if let Some(name) = self.versions.names.find(name) {
                self.name_loaded(name, Why::Inspected, None);
            }
        }
        if let Some(bundle) = self.bundles.outside_of.get(&test_class(unit)) {
            self.add_of_test(bundle);
        }
    }

    /// The units around a unit, those at the same time, those inside, since who does not run a suite does not run them, and those
    /// that left state behind that it may see.
    fn others(&mut self, unit: usize) -> BTreeSet<usize> {
        let recording = self.recording;
        let mut others = BTreeSet::from([unit]);
        let Some(record) = recording.units.get(unit) else { return others };
        let mut around: Vec<u32> = record.inside.iter().copied().collect();
        while let Some(number) = around.pop() {
            // Suites can be inside suites.
            let next = self.add_other(number, &mut others).and_then(|other| recording.units.get(other));
            around.extend(next.iter().flat_map(|other| &other.inside));
        }
        let mut inside = vec![unit];
        while let Some(outer) = inside.pop() {
            let is_outer =
                |number: &u32| recording.unit(*number).is_some_and(|(position, _)| position == outer);
            for unit in recording.units.iter().filter(|unit| unit.inside.iter().any(is_outer)) {
                inside.extend(self.add_other(unit.number, &mut others));
            }
        }
        for &number in &record.overlaps {
            self.add_other(number, &mut others);
        }
        let earlier = self.bundles.earlier.get(unit).into_iter().flatten();
        let numbers = earlier.filter_map(|&earlier| recording.units.get(earlier)).map(|unit| unit.number);
        for number in numbers.collect::<Vec<u32>>() {
            self.add_other(number, &mut others);
        }
        others.remove(&unit);
        others
    }

    /// Adds another unit that was not there yet. What was not brought to an end is not known.
    fn add_other(&mut self, number: u32, others: &mut BTreeSet<usize>) -> Option<usize> {
        let Some((position, other)) = self.recording.unit(number) else {
            let why = format!("it ran inside or beside unit {number}, of which nothing was recorded");
            self.found.distrust.insert(why.into());
            return None;
        };
        if !others.insert(position) {
            return None;
        }
        if !other.is_done() {
            let why = format!("it ran inside or beside {}, which did not end", other.name);
            self.found.distrust.insert(why.into());
        }
        Some(position)
    }

    fn add(&mut self, bundle: &'a Bundle, via: Via) {
        let inherited = match via {
            Via::Own => None,
            Via::Once(version) => Some((Why::Once, self.versions.get(version).and_then(|one| one.name))),
            Via::Outside => Some((Why::Outside, None)),
            Via::Other(unit) => Some((Why::OtherUnit, self.test_class_of(unit))),
        };
        for hit in &bundle.hits {
            let (why, of) = inherited.unwrap_or((Why::Ran, None));
            self.count(hit.version, why, of);
            if let Some(slot) = self.slots.get_mut(hit.version) {
                // Had the unit run alone, it would have initialised the class itself.
                let hits = match via {
                    Via::Own | Via::Once(_) => &mut slot.own,
                    Via::Outside | Via::Other(_) => &mut slot.inherited,
                };
                hits.add(&hit.hits);
            }
            let of = self.versions.get(hit.version).and_then(|version| version.name);
            for &(usage, name) in &hit.uses {
                self.name(name, Why::Named(usage), of);
            }
            hit.runs.iter().for_each(|&run| self.search.add(run));
        }
        for &(fact, is_absent) in &bundle.facts {
            self.add_fact(fact, is_absent, via, inherited);
        }
        self.found.distrust.extend(bundle.faults.iter().map(|fault| fault.as_str().into()));
    }

    /// The name of the test class of a unit, by position.
    fn test_class_of(&self, unit: usize) -> Option<NameId> {
        let unit = self.recording.units.get(unit)?;
        self.versions.names.find(&unit.name.replace('.', "/"))
    }

    fn add_fact(&mut self, fact: usize, is_absent: bool, via: Via, inherited: Option<(Why, Option<NameId>)>) {
        let of = inherited.and_then(|(_, of)| of);
        let bundles = self.bundles;
        let mut version_for = |version: usize, why: Why| {
            self.count(version, why, of);
            if let Some((why, of)) = inherited {
                self.count(version, why, of);
            }
        };
        match bundles.meanings.get(fact) {
            Some(Meaning::Linked(version)) => version_for(*version, Why::Linked),
            Some(Meaning::Inspected(version)) => version_for(*version, Why::Inspected),
            Some(Meaning::Named(name)) => {
                self.look_up(*name, is_absent, of);
                if let Some((why, of)) = inherited {
                    self.name_loaded(*name, why, of);
                }
            }
            Some(Meaning::UsedByHidden(name)) => self.name(*name, Why::Made, of),
            Some(Meaning::Nothing) | None => {}
            Some(_) => self.found.facts.push((fact, via)),
        }
    }

    /// A class was looked for by name.
    fn look_up(&mut self, name: NameId, is_absent: bool, of: Option<NameId>) {
        let known = self.versions.known(name, self.source);
        if is_absent && known != Known::NotLoaded(Presence::Jdk) {
            self.add_absent(name);
        }
        match known {
            Known::NotLoaded(Presence::Present) if !is_absent => {
                let name = shown(self.versions.names.text(name));
                let why = format!("it looked for {name}, which is on the class path and was not loaded");
                self.found.distrust.insert(why.into());
            }
            _ => self.name(name, Why::LookedUp, of),
        }
    }

    fn add_absent(&mut self, name: NameId) {
        if !is_of_made_by_jdk(self.versions.names.text(name)) {
            self.found.absent.insert(name);
        }
    }

    /// A class counts that was loaded under a name, or its absence does.
    fn name(&mut self, name: NameId, why: Why, of: Option<NameId>) {
        match self.versions.known(name, self.source) {
            Known::Loaded(version) => self.count(version, why, of),
            Known::LoadedTwice(place) => {
                for &version in self.versions.several(place) {
                    self.count(version, why, of);
                }
            }
            Known::NotLoaded(Presence::Absent) => self.add_absent(name),
            // What was not loaded did not matter, and the JDK is a part of the environment.
            Known::NotLoaded(Presence::Jdk | Presence::Present) | Known::Nothing => {}
        }
    }

    /// A class counts if it was loaded under a name.
    fn name_loaded(&mut self, name: NameId, why: Why, of: Option<NameId>) {
        if matches!(self.versions.known(name, self.source), Known::Loaded(_) | Known::LoadedTwice(_)) {
            self.name(name, why, of);
        }
    }

    /// A version counts for a reason; the first of its kind is kept.
    fn count(&mut self, version: usize, why: Why, of: Option<NameId>) {
        let Some(slot) = self.slots.get_mut(version) else { return };
        let kind = 1 << why.code();
        if slot.kinds & kind != 0 {
            return;
        }
        if slot.kinds == 0 {
            self.found.versions.push(version);
            self.pending.push(version);
        }
        slot.kinds |= kind;
        slot.reasons.push((why, of));
        if why == Why::Inspected {
            self.to_inspect.push(version);
        } else if why == Why::Signature && self.versions.get(version).is_some_and(|one| one.is_annotation) {
            // To read an annotation the JDK looks at the members of its type.
            self.count(version, Why::Inspected, of);
        }
    }

    /// Adds what counts because something else does, until there is no more.
    fn close(&mut self) {
        loop {
            if let Some(version) = self.pending.pop() {
                self.expand(version);
            } else if let Some(version) = self.to_inspect.pop() {
                self.inspect(version);
            } else {
                return;
            }
        }
    }

    fn expand(&mut self, position: usize) {
        let versions = self.versions;
        let Some(version) = versions.get(position) else { return };
        self.found.distrust.extend(version.distrust.iter().map(|why| why.as_str().into()));
        for &name in &version.supers {
            self.add_supertype(name, version);
        }
        if let Some(host) = version.nest_host {
            self.name(host, Why::NestHost, version.name);
        }
        if version.is_made {
            for &name in &version.declared {
                self.name(name, Why::Made, version.name);
            }
        }
        let bundles = self.bundles;
        if let Some(once) = bundles.once.get(&position) {
            self.add(once, Via::Once(position));
        }
        if let Some(bundle) = self.deferred.get(position).copied().flatten() {
            self.add_of_test(bundle);
        }
    }

    /// A class cannot be loaded without its supertypes: one that was not seen is one that was missed.
    fn add_supertype(&mut self, name: NameId, of: &Version) {
        if let Known::NotLoaded(Presence::Present | Presence::Absent) = self.versions.known(name, self.source)
        {
            let text = |name: NameId| shown(self.versions.names.text(name));
            let why = format!(
                "{} is a supertype of {} and was not recorded",
                text(name),
                of.name.map(text).unwrap_or_default()
            );
            self.found.distrust.insert(why.into());
        }
        self.name(name, Why::Supertype, of.name);
    }

    fn add_of_test(&mut self, bundle: &'a Bundle) {
        if !self.tests_added.iter().any(|added| std::ptr::eq(*added, bundle)) {
            self.tests_added.push(bundle);
            self.add(bundle, Via::Outside);
        }
    }

    /// Who looks at a class looks at what it inherits, and meets the classes of its signatures.
    fn inspect(&mut self, position: usize) {
        let versions = self.versions;
        let Some(version) = versions.get(position) else { return };
        for &name in &version.supers {
            self.name(name, Why::Inspected, version.name);
        }
        if !version.is_made {
            for &name in &version.declared {
                self.name(name, Why::Signature, version.name);
            }
        }
    }

    /// A class whose initialiser failed is different for whoever meets it later.
    fn distrust_what_never_ended(&mut self, unit: usize) {
        let Some(record) = self.recording.units.get(unit) else { return };
        for (version, (at, by)) in &self.bundles.unended {
            let counts = self.slots.get(*version).is_some_and(|slot| slot.kinds != 0);
            if counts && record.last_at > *at && !by.contains(&Owner::Unit(unit)) {
                let name = self.versions.get(*version).and_then(|version| version.name);
                let name = name.map_or_else(String::new, |name| shown(self.versions.names.text(name)));
                let why = format!("it uses {name}, whose initialiser did not end before");
                self.found.distrust.insert(why.into());
            }
        }
    }

    /// Nobody knows who ran code of a class without probes.
    fn distrust_what_is_not_recorded(&mut self, unit: usize) {
        let Some(record) = self.recording.units.get(unit) else { return };
        for class in &self.recording.classes {
            if let Some(reason) = &class.message.not_recorded
                && record.last_at > class.at
            {
                let why = String::from_utf8_lossy(reason);
                let why = format!("{} is not recorded: {why}", shown(&class.name));
                self.found.distrust.insert(why.into());
            }
        }
    }
}
