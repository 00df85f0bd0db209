//! The traces of a store, in memory: tables and numbers, so that hundreds of thousands of uses are loaded in milliseconds.
//!
//! What is the same in many traces has one number ([`ClassView::number`]), so whoever compares traces with a tree need look at
//! it only once. [`TraceView::to_trace`] makes a trace of its own.

use crate::error::Problem;
use crate::fact::Fact;
use crate::hit_pack::unpacked;
use crate::identity::{Parts, TraceId};
use crate::quick_hash::QuickMap;
use crate::run::Run;
use crate::segment::tables::{Tables, UseView, Version};
use crate::segment::{Ending, Segment, TraceRow};
use probity_shape::ContentId;
use probity_trace::{ClassUse, Environment, Hits, Outcome, Reason, Test, Trace, Why};
use std::cmp::Ordering;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// All traces of a store.
#[derive(Debug, Default)]
pub struct Traces {
    tables: Tables,
    /// By unit, and of each unit the newest first.
    traces: Vec<TraceRow>,
    runs: Vec<Run>,
    problems: Vec<Problem>,
}

impl Traces {
    /// Puts together what is in files. The order of the files makes no difference.
    pub(crate) fn of(segments: &[Segment], problems: Vec<Problem>) -> Self {
        let mut merger = Merger::default();
        let numbers: Vec<_> = segments.iter().map(|segment| merger.add(segment)).collect();
        for (segment, numbers) in segments.iter().zip(&numbers) {
            for (id, ending) in &segment.seen {
                merger.see(*id, numbers.ending(ending));
            }
        }
        let Merger { tables, mut traces, runs, .. } = merger;
        traces.sort_by(|one, other| {
            let unit = |trace: &TraceRow| tables.strings.get(trace.unit);
            let newest_first = || other.ending.began.cmp(&one.ending.began);
            unit(one).cmp(unit(other)).then_with(newest_first).then_with(|| one.id.cmp(&other.id))
        });
        Self { tables, traces, runs: runs.into_iter().collect(), problems }
    }

    /// How many traces there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.traces.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.traces.is_empty()
    }

    /// All traces, by unit, and of each unit the newest first.
    pub fn iter(&self) -> impl Iterator<Item = TraceView<'_>> {
        self.traces.iter().map(|row| TraceView { all: self, row })
    }

    /// The units, in order.
    pub fn units(&self) -> impl Iterator<Item = &str> {
        let of_unit = self.traces.chunk_by(|one, other| one.unit == other.unit);
        of_unit.filter_map(|traces| traces.first()).map(|row| self.tables.strings.get(row.unit))
    }

    /// The traces of a unit, the newest first.
    pub fn of_unit(&self, unit: &str) -> impl Iterator<Item = TraceView<'_>> {
        let name = |row: &TraceRow| self.tables.strings.get(row.unit);
        let start = self.traces.partition_point(|row| name(row) < unit);
        let rest = self.traces.get(start..).unwrap_or_default();
        let count = rest.partition_point(|row| name(row) == unit);
        rest.iter().take(count).map(|row| TraceView { all: self, row })
    }

    /// How many different uses there are: the numbers of [`ClassView::number`] are below it.
    #[must_use]
    pub fn use_count(&self) -> usize {
        self.tables.uses.len()
    }

    /// How many versions of classes there are: the numbers of [`ClassView::version`] are below it.
    #[must_use]
    pub fn version_count(&self) -> usize {
        self.tables.versions.len()
    }

    /// The runs that were recorded, the oldest first.
    #[must_use]
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// The files that could not be used: what they hold is not here.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

/// A trace of a store.
#[derive(Clone, Copy, Debug)]
pub struct TraceView<'a> {
    all: &'a Traces,
    row: &'a TraceRow,
}

impl<'a> TraceView<'a> {
    /// Its identity.
    #[must_use]
    pub fn id(&self) -> TraceId {
        self.row.id
    }

    /// The unit.
    #[must_use]
    pub fn unit(&self) -> &'a str {
        self.all.tables.strings.get(self.row.unit)
    }

    /// The framework that ran it.
    #[must_use]
    pub fn framework(&self) -> &'a str {
        self.all.tables.strings.get(self.row.framework)
    }

    /// When it began the last time that it was recorded, in milliseconds since 1970.
    #[must_use]
    pub fn began(&self) -> u64 {
        self.row.ending.began
    }

    /// How long that took, in microseconds.
    #[must_use]
    pub fn micros(&self) -> u64 {
        self.row.ending.micros
    }

    /// In what JVM it ran.
    #[must_use]
    pub fn environment(&self) -> &'a Environment {
        static NONE: Environment = Environment {
            agent: String::new(),
            jdk: String::new(),
            flags: Vec::new(),
            class_path: Vec::new(),
        };
        self.all.tables.environments.get(self.row.environment as usize).unwrap_or(&NONE)
    }

    /// Its tests, as they ended the last time that it was recorded.
    pub fn tests(&self) -> impl ExactSizeIterator<Item = TestView<'a>> + use<'a> {
        let strings = &self.all.tables.strings;
        let tests = self.row.ending.tests.iter();
        tests.map(|test| TestView { id: strings.get(test.id), outcome: test.outcome, micros: test.micros })
    }

    /// How it ended the last time that it was recorded.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let tests = self.tests().map(|test| Test { id: String::new(), outcome: test.outcome, micros: 0 });
        Trace { tests: tests.collect(), ..Trace::default() }.outcome()
    }

    /// The classes that it used, by name.
    pub fn classes(&self) -> impl ExactSizeIterator<Item = ClassView<'a>> + use<'a> {
        let tables = &self.all.tables;
        self.use_numbers().iter().map(|&number| ClassView::new(tables, number))
    }

    /// What else it depends on, and what is to be known of the trace.
    pub fn facts(&self) -> impl ExactSizeIterator<Item = Fact<&'a str>> + use<'a> {
        let tables = &self.all.tables;
        self.list(&self.row.facts).iter().map(|&number| tables.fact(number))
    }

    /// A trace of its own.
    #[must_use]
    pub fn to_trace(&self) -> Trace {
        let mut trace = Trace {
            unit: self.unit().to_owned(),
            framework: self.framework().to_owned(),
            began: self.began(),
            micros: self.micros(),
            environment: self.environment().clone(),
            classes: self.classes().map(ClassView::to_class_use).collect(),
            ..Trace::default()
        };
        trace.tests.extend(self.tests().map(|test| Test {
            id: test.id.to_owned(),
            outcome: test.outcome,
            micros: test.micros,
        }));
        self.facts().for_each(|fact| fact.add_to(&mut trace));
        trace
    }

    /// The identity that its contents have.
    pub(crate) fn computed_id(&self) -> TraceId {
        let tables = self.tables();
        let parts = Parts {
            unit: self.unit(),
            framework: self.framework(),
            environment: tables.environment_hash(self.row.environment),
            uses: self.use_numbers().iter().map(|&number| tables.use_hash(number)).collect(),
            facts: self.list(&self.row.facts).iter().map(|&number| tables.fact_hash(number)).collect(),
        };
        parts.id()
    }

    pub(crate) fn tables(&self) -> &'a Tables {
        &self.all.tables
    }

    pub(crate) fn use_numbers(&self) -> &'a [u32] {
        self.list(&self.row.uses)
    }

    fn list(&self, range: &Range<u32>) -> &'a [u32] {
        self.all.tables.lists.get(range.start as usize..range.end as usize).unwrap_or_default()
    }
}

/// A test of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestView<'a> {
    /// The framework's name of it.
    pub id: &'a str,
    /// How it ended.
    pub outcome: Outcome,
    /// How long it took, in microseconds.
    pub micros: u64,
}

/// A class of a trace.
#[derive(Clone, Copy, Debug)]
pub struct ClassView<'a> {
    tables: &'a Tables,
    number: u32,
    used: UseView<'a>,
    version: Version,
}

impl<'a> ClassView<'a> {
    fn new(tables: &'a Tables, number: u32) -> Self {
        let used = tables.uses.get(number);
        Self { tables, number, used, version: tables.version(used.version) }
    }

    /// A number of this use: where it is the same, everything here is.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// A number of the class with its bytes and its place: where it is the same, they are; where it is not, they are not.
    #[must_use]
    pub fn version(&self) -> u32 {
        self.used.version
    }

    /// The internal name.
    #[must_use]
    pub fn name(&self) -> &'a str {
        self.tables.strings.get(self.version.name)
    }

    /// The bytes that were loaded.
    #[must_use]
    pub fn content(&self) -> ContentId {
        self.version.content
    }

    /// Where it came from.
    #[must_use]
    pub fn place(&self) -> &'a str {
        self.tables.strings.get(self.version.place)
    }

    /// The probes that were hit while the unit ran, as bytes of which the first probe is the lowest bit of the first.
    #[must_use]
    pub fn hit_bytes(&self) -> &'a [u8] {
        unpacked(self.used.hits).0
    }

    /// The probes that were hit while the unit ran.
    #[must_use]
    pub fn hits(&self) -> Hits {
        Hits::from_bytes(self.hit_bytes().to_vec())
    }

    /// The probes that were hit on behalf of the unit at another time.
    #[must_use]
    pub fn inherited(&self) -> Hits {
        Hits::from_bytes(unpacked(self.used.hits).1.to_vec())
    }

    /// Why the class counts, and through which class.
    pub fn reasons(&self) -> impl ExactSizeIterator<Item = (Why, Option<&'a str>)> + use<'a> {
        let strings = &self.tables.strings;
        self.used.reasons.iter().map(|&(why, of)| (why, of.map(|number| strings.get(number))))
    }

    fn to_class_use(self) -> ClassUse {
        let reasons = self.reasons().map(|(why, of)| Reason { why, of: of.map(Into::into) });
        ClassUse {
            name: self.name().into(),
            content: self.content(),
            place: self.place().into(),
            hits: self.hits(),
            inherited: self.inherited(),
            reasons: reasons.collect(),
        }
    }
}

/// Puts the tables of files together. Texts, versions and environments get one number each; uses and facts keep those of
/// their file, behind those of the files before, since to compare hundreds of thousands of them would take longer than reading them.
#[derive(Default)]
struct Merger<'s> {
    tables: Tables,
    strings: QuickMap<&'s str, u32>,
    versions: QuickMap<Version, u32>,
    environments: HashMap<&'s Environment, u32>,
    traces: Vec<TraceRow>,
    places: QuickMap<TraceId, usize>,
    runs: BTreeSet<Run>,
}

/// For the numbers of a file those of all.
struct FileNumbers {
    strings: Vec<u32>,
}

impl FileNumbers {
    fn string(&self, number: u32) -> u32 {
        self.strings.get(number as usize).copied().unwrap_or_default()
    }

    fn ending(&self, ending: &Ending) -> Ending {
        let mut ending = ending.clone();
        ending.tests.iter_mut().for_each(|test| test.id = self.string(test.id));
        ending
    }
}

impl<'s> Merger<'s> {
    fn add(&mut self, segment: &'s Segment) -> FileNumbers {
        let from = &segment.tables;
        let strings = from.strings.iter().map(|text| self.string(text)).collect();
        let numbers = FileNumbers { strings };
        let versions: Vec<u32> = from
            .versions
            .iter()
            .map(|&Version { name, content, place }| {
                let (name, place) = (numbers.string(name), numbers.string(place));
                self.version(Version { name, content, place })
            })
            .collect();
        let environments: Vec<u32> = from.environments.iter().map(|one| self.environment(one)).collect();
        let (first_use, first_fact) = (self.tables.uses.len() as u32, self.tables.facts.len() as u32);
        self.tables.uses.append(&from.uses, &versions, &numbers.strings);
        let facts = from.facts.iter().map(|fact| fact.map(|number| numbers.string(number)));
        self.tables.facts.extend(facts);
        for trace in &segment.traces {
            let row = TraceRow {
                id: trace.id,
                unit: numbers.string(trace.unit),
                framework: numbers.string(trace.framework),
                environment: environments.get(trace.environment as usize).copied().unwrap_or_default(),
                uses: self.list(from, &trace.uses, first_use),
                facts: self.list(from, &trace.facts, first_fact),
                ending: numbers.ending(&trace.ending),
            };
            self.add_trace(row);
        }
        self.runs.extend(segment.runs.iter().cloned());
        numbers
    }

    fn string(&mut self, text: &'s str) -> u32 {
        match self.strings.entry(text) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(self.tables.strings.push(text)),
        }
    }

    fn version(&mut self, version: Version) -> u32 {
        let versions = &mut self.tables.versions;
        *self.versions.entry(version).or_insert_with(|| {
            versions.push(version);
            versions.len() as u32 - 1
        })
    }

    fn environment(&mut self, environment: &'s Environment) -> u32 {
        let environments = &mut self.tables.environments;
        *self.environments.entry(environment).or_insert_with(|| {
            environments.push(environment.clone());
            environments.len() as u32 - 1
        })
    }

    /// Appends a list of a file; its numbers are those behind the first.
    fn list(&mut self, from: &Tables, range: &Range<u32>, first: u32) -> Range<u32> {
        let start = self.tables.lists.len() as u32;
        let numbers = from.lists.get(range.start as usize..range.end as usize).unwrap_or_default();
        self.tables.lists.extend(numbers.iter().map(|number| first + number));
        start..self.tables.lists.len() as u32
    }

    /// Of two traces that are one the newer is kept; which that is does not depend on the order.
    fn add_trace(&mut self, row: TraceRow) {
        match self.places.entry(row.id) {
            Entry::Vacant(new) => {
                new.insert(self.traces.len());
                self.traces.push(row);
            }
            Entry::Occupied(place) => {
                if let Some(known) = self.traces.get_mut(*place.get())
                    && is_newer(&self.tables, &row.ending, &known.ending)
                {
                    *known = row;
                }
            }
        }
    }

    fn see(&mut self, id: TraceId, ending: Ending) {
        if let Some(place) = self.places.get(&id)
            && let Some(known) = self.traces.get_mut(*place)
            && is_newer(&self.tables, &ending, &known.ending)
        {
            known.ending = ending;
        }
    }
}

fn is_newer(tables: &Tables, one: &Ending, other: &Ending) -> bool {
    let times = |ending: &Ending| (ending.began, ending.micros);
    let by_tests = || {
        let tests = |ending: &Ending| -> Vec<_> {
            let key = |test: &crate::segment::TestRow| {
                (tables.strings.get(test.id).to_owned(), test.outcome, test.micros)
            };
            ending.tests.iter().map(key).collect()
        };
        tests(one).cmp(&tests(other))
    };
    times(one).cmp(&times(other)).then_with(by_tests) == Ordering::Greater
}
