//! Makes a file of traces.
//!
//! While traces are added, tables grow in the order in which things are met. At the end all tables are sorted and everything gets its last
//! number, so that the same traces make the same bytes, in whatever order they came.

use super::interning::{Interner, TextInterner, VersionInterner};
use super::tables::{ReasonRow, Tables, UseView, Version};
use super::use_records::UseRecords;
use super::{Ending, KIND, TestRow};
use crate::bytes::{put_ascending, put_count, put_number};
use crate::container::FileWriter;
use crate::fact::{Fact, facts_of};
use crate::hit_pack::pack;
use crate::identity::{PartHash, Parts, TraceId, hash_environment, hash_fact, hash_use};
use crate::run::Run;
use crate::strings::write_strings;
use crate::traces::TraceView;
use probity_trace::{ClassUse, Environment, Outcome, Trace};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Traces that will be a file.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    strings: TextInterner,
    versions: VersionInterner,
    uses: UseRecords,
    /// The hashes of uses, as far as they were asked for.
    use_hashes: Vec<Option<PartHash>>,
    facts: Interner<Fact<u32>>,
    fact_hashes: Vec<PartHash>,
    environments: Interner<Environment>,
    environment_hashes: Vec<PartHash>,
    traces: Vec<BuiltTrace>,
    seen: Vec<(TraceId, Ending)>,
    runs: BTreeSet<Run>,
    /// Room for the hits and the reasons of one use.
    hits: Vec<u8>,
    reasons: Vec<ReasonRow>,
    /// Room for what is hashed.
    room: Vec<u8>,
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

impl Builder {
    /// Adds a trace and gives its identity.
    pub(crate) fn add(&mut self, trace: &Trace) -> TraceId {
        let (unit, framework) = (self.string(&trace.unit), self.string(&trace.framework));
        let environment = self.environment(&trace.environment);
        let uses = self.class_uses(&trace.classes);
        let facts: Vec<u32> = facts_of(trace).into_iter().map(|fact| self.fact(fact)).collect();
        let hash =
            |hashes: &[PartHash], number: u32| hashes.get(number as usize).copied().unwrap_or_default();
        let parts = Parts {
            unit: &trace.unit,
            framework: &trace.framework,
            environment: hash(&self.environment_hashes, environment),
            uses: uses.iter().filter_map(|&number| *self.use_hashes.get(number as usize)?).collect(),
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
        let is_new = |number: &u32| known(&renumbered.uses, *number).is_none();
        let new: Vec<u32> = trace.use_numbers().iter().copied().filter(is_new).collect();
        new.iter().for_each(|number| self.loaded_use(tables, *number, &mut renumbered.strings));
        for (old, here) in new.iter().zip(self.uses.numbers()) {
            set(&mut renumbered.uses, *old, here);
        }
        let uses = trace.use_numbers().iter().filter_map(|&old| known(&renumbered.uses, old)).collect();
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
        self.strings.number(text)
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

    fn class_uses(&mut self, classes: &[ClassUse]) -> Vec<u32> {
        for ClassUse { name, content, place, hits, inherited, reasons } in classes {
            let strings = &mut self.strings;
            let version =
                Version { name: strings.shared(name), content: *content, place: strings.shared(place) };
            let version = self.versions.number(version);
            self.reasons.clear();
            let texts = reasons.iter().map(|one| (one.why, one.of.as_ref().map(|of| strings.shared(of))));
            self.reasons.extend(texts);
            pack(&mut self.hits, hits, inherited);
            self.uses.wait(version, &self.hits, &self.reasons);
        }
        let numbers = self.uses.numbers();
        self.use_hashes.resize(self.uses.len(), None);
        for (number, ClassUse { name, content, place, hits, inherited, reasons }) in
            numbers.iter().zip(classes)
        {
            if let Some(hash @ None) = self.use_hashes.get_mut(*number as usize) {
                pack(&mut self.hits, hits, inherited);
                let whys = reasons.iter().map(|one| one.why);
                *hash = Some(hash_use([name, place], *content, &self.hits, whys, &mut self.room));
            }
        }
        numbers
    }

    /// Asks for the number of a use that was loaded. The identity of the trace is known, so that its hash is not needed.
    fn loaded_use(&mut self, tables: &Tables, number: u32, strings: &mut Vec<Option<u32>>) {
        let UseView { version, hits, reasons } = tables.uses.get(number);
        let Version { name, content, place } = tables.version(version);
        let mut text = |number| match known(strings, number) {
            Some(here) => here,
            None => {
                let here = self.strings.number(tables.strings.get(number));
                set(strings, number, here);
                here
            }
        };
        let version = Version { name: text(name), content, place: text(place) };
        self.reasons.clear();
        self.reasons.extend(reasons.iter().map(|&(why, of)| (why, of.map(&mut text))));
        let version = self.versions.number(version);
        self.uses.wait(version, hits, &self.reasons);
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
        let (strings, string_numbers) = self.strings.texts.sorted(|text| text);
        let text = |old: u32| renumber(&string_numbers, old);
        let (versions, version_numbers) = self.versions.versions.sorted(|version| Version {
            name: text(version.name),
            place: text(version.place),
            ..version
        });
        let uses = self.uses.sorted(|version| renumber(&version_numbers, version), text);
        let use_numbers = uses.numbers();
        let (facts, fact_numbers) = self.facts.sorted(|fact| fact.map(text));
        let (environments, environment_numbers) = self.environments.sorted(|environment| environment);
        let numbers =
            Numbers { string_numbers: &string_numbers, use_numbers, fact_numbers, environment_numbers };

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
        next(&mut file, &mut |out| uses.write(out));
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

/// For numbers of what was loaded those of a builder, as far as they were met.
#[derive(Debug, Default)]
pub(crate) struct Renumbered {
    uses: Vec<Option<u32>>,
    strings: Vec<Option<u32>>,
}

fn known(numbers: &[Option<u32>], old: u32) -> Option<u32> {
    numbers.get(old as usize).copied().flatten()
}

fn set(numbers: &mut Vec<Option<u32>>, old: u32, new: u32) {
    let old = old as usize;
    if numbers.len() <= old {
        numbers.resize(old + 1, None);
    }
    if let Some(number) = numbers.get_mut(old) {
        *number = Some(new);
    }
}

fn renumber(numbers: &[u32], old: u32) -> u32 {
    numbers.get(old as usize).copied().unwrap_or_default()
}

/// For each number of a builder the last one.
struct Numbers<'n> {
    string_numbers: &'n [u32],
    use_numbers: Vec<u32>,
    fact_numbers: Vec<u32>,
    environment_numbers: Vec<u32>,
}

impl Numbers<'_> {
    fn traces(&self, mut traces: Vec<BuiltTrace>) -> Vec<BuiltTrace> {
        let all = |numbers: &[u32], list: &mut Vec<u32>| {
            list.iter_mut().for_each(|number| *number = renumber(numbers, *number));
            list.sort_unstable();
            list.dedup();
        };
        for trace in &mut traces {
            trace.unit = renumber(self.string_numbers, trace.unit);
            trace.framework = renumber(self.string_numbers, trace.framework);
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
            test.id = renumber(self.string_numbers, test.id);
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

fn write_environments(environments: &[Environment], strings: &[Arc<str>], out: &mut Vec<u8>) {
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
