//! Makes a file of traces.
//!
//! While traces are added, tables grow in the order in which things are met. At the end all tables are sorted and everything gets its last
//! number, so that the same traces make the same bytes, in whatever order they came.

use super::tables::{ReasonRow, Tables, UseView, Version};
use super::{Ending, KIND, TestRow};
use crate::bytes::{put_ascending, put_bytes, put_count, put_number, put_optional};
use crate::container::FileWriter;
use crate::fact::{Fact, facts_of};
use crate::hit_pack::packed;
use crate::identity::{PartHash, Parts, TraceId, hash_environment, hash_fact, hash_use};
use crate::quick_hash::QuickMap;
use crate::run::Run;
use crate::strings::write_strings;
use crate::traces::TraceView;
use probity_trace::{ClassUse, Environment, Outcome, Trace};
use std::collections::BTreeSet;
use std::collections::hash_map::Entry;
use std::hash::Hash;

/// Traces that will be a file.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    strings: Interner<Box<str>>,
    versions: Interner<Version>,
    uses: UseInterner,
    use_hashes: Vec<PartHash>,
    facts: Interner<Fact<u32>>,
    fact_hashes: Vec<PartHash>,
    environments: Interner<Environment>,
    environment_hashes: Vec<PartHash>,
    traces: Vec<BuiltTrace>,
    seen: Vec<(TraceId, Ending)>,
    runs: BTreeSet<Run>,
    /// Room for the reasons of one use.
    reasons: Vec<ReasonRow>,
}

#[derive(Debug)]
struct BuiltTrace {
    id: TraceId,
    unit: u32,
    framework: u32,
    environment: u32,
    uses: Vec<u32>,
    facts: Vec<u32>,
    ending: Ending,
}

/// A use, with numbers of the builder.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct UseKey {
    version: u32,
    hits: Box<[u8]>,
    reasons: Box<[ReasonRow]>,
}

/// Numbers for uses. Most are met many times, so that they are looked up as bytes, without making a key.
#[derive(Debug, Default)]
struct UseInterner {
    numbers: QuickMap<Box<[u8]>, u32>,
    keys: Vec<UseKey>,
    form: Vec<u8>,
}

impl UseInterner {
    /// The number of a use, and whether it is new.
    fn number(&mut self, version: u32, hits: &[u8], reasons: &[ReasonRow]) -> (u32, bool) {
        self.form.clear();
        put_number(&mut self.form, version);
        put_bytes(&mut self.form, hits);
        for (why, of) in reasons {
            self.form.push(why.code());
            put_optional(&mut self.form, *of);
        }
        if let Some(number) = self.numbers.get(self.form.as_slice()) {
            return (*number, false);
        }
        let number = self.keys.len() as u32;
        self.numbers.insert(self.form.as_slice().into(), number);
        self.keys.push(UseKey { version, hits: hits.into(), reasons: reasons.into() });
        (number, true)
    }
}

/// Numbers for things in the order in which they are met.
#[derive(Debug)]
struct Interner<K> {
    numbers: QuickMap<K, u32>,
}

impl<K> Default for Interner<K> {
    fn default() -> Self {
        Self { numbers: QuickMap::default() }
    }
}

impl<K: Hash + Eq> Interner<K> {
    /// The number of a thing, and whether it is new.
    fn number(&mut self, key: K) -> (u32, bool) {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        (number, number == next)
    }

    /// All things sorted after a change of the numbers in them, and for each old number the new one.
    fn sorted<T: Ord>(self, mut change: impl FnMut(K) -> T) -> (Vec<T>, Vec<u32>) {
        sorted(self.numbers.into_iter().map(|(key, number)| (change(key), number)).collect())
    }
}

/// Rows in order, and for each old number the new one.
fn sorted<T: Ord>(mut rows: Vec<(T, u32)>) -> (Vec<T>, Vec<u32>) {
    rows.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    let mut new_numbers = vec![0; rows.len()];
    for (position, (_, old)) in rows.iter().enumerate() {
        if let Some(number) = new_numbers.get_mut(*old as usize) {
            *number = position as u32;
        }
    }
    (rows.into_iter().map(|(row, _)| row).collect(), new_numbers)
}

impl Builder {
    /// Adds a trace and gives its identity.
    pub(crate) fn add(&mut self, trace: &Trace) -> TraceId {
        let (unit, framework) = (self.string(&trace.unit), self.string(&trace.framework));
        let environment = self.environment(&trace.environment);
        let uses: Vec<u32> = trace.classes.iter().map(|class| self.class_use(class)).collect();
        let facts: Vec<u32> = facts_of(trace).into_iter().map(|fact| self.fact(fact)).collect();
        let hash =
            |hashes: &[PartHash], number: u32| hashes.get(number as usize).copied().unwrap_or_default();
        let parts = Parts {
            unit: &trace.unit,
            framework: &trace.framework,
            environment: hash(&self.environment_hashes, environment),
            uses: uses.iter().map(|&number| hash(&self.use_hashes, number)).collect(),
            facts: facts.iter().map(|&number| hash(&self.fact_hashes, number)).collect(),
        };
        let id = parts.id();
        let ending = self.ending(trace);
        self.traces.push(BuiltTrace { id, unit, framework, environment, uses, facts, ending });
        id
    }

    /// Says that a trace which another file has was recorded again.
    pub(crate) fn see(&mut self, id: TraceId, trace: &Trace) {
        let ending = self.ending(trace);
        self.seen.push((id, ending));
    }

    /// Adds a trace that was loaded.
    pub(crate) fn add_loaded(&mut self, trace: TraceView<'_>, renumbered: &mut Renumbered) {
        let tables = trace.tables();
        let mut number_here = |number: &u32| match renumbered.uses.entry(*number) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => *new.insert(self.loaded_use(tables, *number)),
        };
        let uses = trace.use_numbers().iter().map(&mut number_here).collect();
        let facts = trace.facts().map(|fact| self.fact(fact)).collect();
        let (unit, framework) = (self.string(trace.unit()), self.string(trace.framework()));
        let environment = self.environment(trace.environment());
        let tests = trace.tests().map(|test| self.test(test.id, test.outcome, test.micros)).collect();
        let ending = Ending { began: trace.began(), micros: trace.micros(), tests };
        self.traces.push(BuiltTrace { id: trace.id(), unit, framework, environment, uses, facts, ending });
    }

    pub(crate) fn add_run(&mut self, run: Run) {
        self.runs.insert(run);
    }

    fn string(&mut self, text: &str) -> u32 {
        if let Some(number) = self.strings.numbers.get(text) {
            return *number;
        }
        self.strings.number(text.into()).0
    }

    fn environment(&mut self, environment: &Environment) -> u32 {
        if let Some(number) = self.environments.numbers.get(environment) {
            return *number;
        }
        self.environment_hashes.push(hash_environment(environment));
        let Environment { agent, jdk, flags, class_path } = environment;
        for text in [agent, jdk].into_iter().chain(flags).chain(class_path) {
            self.string(text);
        }
        self.environments.number(environment.clone()).0
    }

    fn class_use(&mut self, class: &ClassUse) -> u32 {
        let ClassUse { name, content, place, hits, inherited, reasons } = class;
        let version = Version { name: self.string(name), content: *content, place: self.string(place) };
        let version = self.versions.number(version).0;
        let mut rows = std::mem::take(&mut self.reasons);
        rows.clear();
        rows.extend(reasons.iter().map(|one| (one.why, one.of.as_deref().map(|of| self.string(of)))));
        let hits = packed(hits, inherited);
        let (number, is_new) = self.uses.number(version, &hits, &rows);
        self.reasons = rows;
        if is_new {
            let whys = reasons.iter().map(|one| one.why);
            self.use_hashes.push(hash_use([name, place], *content, &hits, whys));
        }
        number
    }

    fn loaded_use(&mut self, tables: &Tables, number: u32) -> u32 {
        let UseView { version, hits, reasons } = tables.uses.get(number);
        let Version { name, content, place } = tables.version(version);
        let mut text = |number| self.string(tables.strings.get(number));
        let version = Version { name: text(name), content, place: text(place) };
        let reasons: Vec<ReasonRow> = reasons.iter().map(|&(why, of)| (why, of.map(&mut text))).collect();
        let version = self.versions.number(version).0;
        let (here, is_new) = self.uses.number(version, hits, &reasons);
        if is_new {
            self.use_hashes.push(tables.use_hash(number));
        }
        here
    }

    fn fact(&mut self, fact: Fact<&str>) -> u32 {
        let row = fact.map(|text| self.string(text));
        let (number, is_new) = self.facts.number(row);
        if is_new {
            self.fact_hashes.push(hash_fact(fact));
        }
        number
    }

    fn ending(&mut self, trace: &Trace) -> Ending {
        let tests = trace.tests.iter().map(|test| self.test(&test.id, test.outcome, test.micros)).collect();
        Ending { began: trace.began, micros: trace.micros, tests }
    }

    fn test(&mut self, id: &str, outcome: Outcome, micros: u64) -> TestRow {
        TestRow { id: self.string(id), outcome, micros }
    }

    /// The file.
    pub(crate) fn finish(self) -> Vec<u8> {
        let (strings, string_numbers) = self.strings.sorted(|text| text);
        let text = |old: u32| renumber(&string_numbers, old);
        let (versions, version_numbers) = self.versions.sorted(|version| Version {
            name: text(version.name),
            place: text(version.place),
            ..version
        });
        let last = |key: UseKey| UseKey {
            version: renumber(&version_numbers, key.version),
            reasons: key.reasons.into_iter().map(|(why, of)| (why, of.map(text))).collect(),
            ..key
        };
        let (uses, use_numbers) = sorted(self.uses.keys.into_iter().map(last).zip(0..).collect());
        let (facts, fact_numbers) = self.facts.sorted(|fact| fact.map(text));
        let (environments, environment_numbers) = self.environments.sorted(|environment| environment);
        let numbers = Numbers { string_numbers, use_numbers, fact_numbers, environment_numbers };

        let mut file = FileWriter::new(KIND);
        let mut section = Vec::new();
        let mut next = |file: &mut FileWriter, write: &mut dyn FnMut(&mut Vec<u8>)| {
            section.clear();
            write(&mut section);
            file.section(&section);
        };
        next(&mut file, &mut |out| write_strings(&strings, out));
        next(&mut file, &mut |out| write_versions(&versions, out));
        next(&mut file, &mut |out| write_environments(&environments, &strings, out));
        next(&mut file, &mut |out| write_uses(&uses, out));
        next(&mut file, &mut |out| put_list(out, &facts, Fact::write));
        let traces = numbers.traces(self.traces);
        next(&mut file, &mut |out| put_list(out, &traces, write_trace));
        let seen = numbers.seen(self.seen);
        next(&mut file, &mut |out| put_list(out, &seen, write_seen));
        let runs: Vec<Run> = self.runs.iter().cloned().collect();
        next(&mut file, &mut |out| put_list(out, &runs, Run::write));
        file.finish()
    }
}

/// For numbers of what was loaded those of a builder.
#[derive(Debug, Default)]
pub(crate) struct Renumbered {
    uses: QuickMap<u32, u32>,
}

fn renumber(numbers: &[u32], old: u32) -> u32 {
    numbers.get(old as usize).copied().unwrap_or_default()
}

/// For each number of a builder the last one.
struct Numbers {
    string_numbers: Vec<u32>,
    use_numbers: Vec<u32>,
    fact_numbers: Vec<u32>,
    environment_numbers: Vec<u32>,
}

impl Numbers {
    fn traces(&self, mut traces: Vec<BuiltTrace>) -> Vec<BuiltTrace> {
        let all = |numbers: &[u32], list: &mut Vec<u32>| {
            list.iter_mut().for_each(|number| *number = renumber(numbers, *number));
            list.sort_unstable();
            list.dedup();
        };
        for trace in &mut traces {
            trace.unit = renumber(&self.string_numbers, trace.unit);
            trace.framework = renumber(&self.string_numbers, trace.framework);
            trace.environment = renumber(&self.environment_numbers, trace.environment);
            all(&self.use_numbers, &mut trace.uses);
            all(&self.fact_numbers, &mut trace.facts);
            self.ending(&mut trace.ending);
        }
        // Of two with the same identity the newer one stays.
        traces.sort_by(|one, other| {
            let key = |trace: &BuiltTrace| (trace.unit, trace.id);
            key(one).cmp(&key(other)).then_with(|| other.ending.cmp(&one.ending))
        });
        traces.dedup_by_key(|trace| trace.id);
        traces
    }

    fn seen(&self, mut seen: Vec<(TraceId, Ending)>) -> Vec<(TraceId, Ending)> {
        seen.iter_mut().for_each(|(_, ending)| self.ending(ending));
        seen.sort_by(|one, other| one.0.cmp(&other.0).then_with(|| other.1.cmp(&one.1)));
        seen.dedup_by_key(|(id, _)| *id);
        seen
    }

    fn ending(&self, ending: &mut Ending) {
        for test in &mut ending.tests {
            test.id = renumber(&self.string_numbers, test.id);
        }
    }
}

fn put_list<T>(out: &mut Vec<u8>, items: &[T], mut write: impl FnMut(&T, &mut Vec<u8>)) {
    put_count(out, items.len());
    items.iter().for_each(|item| write(item, out));
}

fn write_versions(versions: &[Version], out: &mut Vec<u8>) {
    put_list(out, versions, |version, out| {
        put_number(out, version.name);
        put_number(out, version.place);
        out.extend(version.content.0);
    });
}

fn write_environments(environments: &[Environment], strings: &[Box<str>], out: &mut Vec<u8>) {
    let text = |text: &String, out: &mut Vec<u8>| {
        put_count(out, strings.binary_search_by(|other| (**other).cmp(text)).unwrap_or_default());
    };
    put_list(out, environments, |Environment { agent, jdk, flags, class_path }, out| {
        text(agent, out);
        text(jdk, out);
        put_list(out, flags, text);
        put_list(out, class_path, text);
    });
}

fn write_uses(uses: &[UseKey], out: &mut Vec<u8>) {
    let mut before = 0;
    put_list(out, uses, |UseKey { version, hits, reasons }, out| {
        put_number(out, version - before);
        before = *version;
        put_bytes(out, hits);
        put_list(out, reasons, |(why, of), out| {
            out.push(why.code());
            put_optional(out, *of);
        });
    });
}

fn write_trace(trace: &BuiltTrace, out: &mut Vec<u8>) {
    let BuiltTrace { id, unit, framework, environment, uses, facts, ending } = trace;
    out.extend(id.0);
    for number in [unit, framework, environment] {
        put_number(out, *number);
    }
    put_ascending(out, uses);
    put_ascending(out, facts);
    write_ending(ending, out);
}

fn write_seen((id, ending): &(TraceId, Ending), out: &mut Vec<u8>) {
    out.extend(id.0);
    write_ending(ending, out);
}

fn write_ending(ending: &Ending, out: &mut Vec<u8>) {
    put_number(out, ending.began);
    put_number(out, ending.micros);
    put_list(out, &ending.tests, |test, out| {
        put_number(out, test.id);
        out.push(match test.outcome {
            Outcome::Passed => 0,
            Outcome::Failed => 1,
            Outcome::Skipped => 2,
        });
        put_number(out, test.micros);
    });
}
