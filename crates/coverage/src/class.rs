//! The analysis of one class: from its bytes and its probes to counters.
//!
//! What comes out depends on nothing else, so it can be kept and computed on any thread. Numbers are JaCoCo's.

use crate::counter::{Counter, Counters};
use crate::filter::Filters;
use crate::filter::body::{Body, ClassFacts, INVISIBLE, VISIBLE, annotations_of};
use crate::filter::output::FilterOutput;
use crate::instructions::{BranchSet, Instruction, Instructions};
use crate::lines::{Line, LineSums, Lines};
use crate::smap::{Smap, SmapError};
use probity_classfile::attribute::{Attribute, Code};
use probity_classfile::{ClassFile, Member, access};
use probity_instrument::list::CodeList;
use probity_instrument::plan::Probe;
use probity_instrument::{InstrumentError, Instrumenter, class_id};
use std::collections::HashMap;
use std::fmt;

/// A class and what was executed of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassCoverage {
    /// The class id.
    pub id: u64,
    /// The internal name.
    pub name: String,
    /// The internal name of the superclass.
    pub super_name: Option<String>,
    /// The internal names of the superinterfaces.
    pub interfaces: Vec<String>,
    /// The source file that the class names.
    pub source_file: Option<String>,
    /// The methods with code, in the order of the file.
    pub methods: Vec<MethodCoverage>,
    /// The lines of all methods.
    pub lines: Lines,
    /// The counters.
    pub counters: Counters,
    /// What was executed of code that was inlined from other classes.
    pub(crate) fragments: Vec<Fragment>,
}

/// A method and what was executed of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodCoverage {
    /// The name.
    pub name: String,
    /// The descriptor.
    pub descriptor: String,
    /// The lines.
    pub lines: Lines,
    /// The counters.
    pub counters: Counters,
}

/// Lines of another class that were executed here, because they were inlined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fragment {
    /// The internal name of the class.
    pub(crate) class: String,
    pub(crate) lines: Lines,
}

/// Why a class could not be analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnalysisError {
    /// The class file is not well-formed.
    Class(probity_classfile::Error),
    /// A body could not be analysed.
    Body(InstrumentError),
    /// The class was instrumented by JaCoCo: it is not what was compiled.
    AlreadyInstrumented,
    /// The source map is not one.
    SourceMap(SmapError),
    /// The probes that were recorded do not fit the class.
    WrongProbeCount {
        /// How many were recorded.
        recorded: usize,
        /// How many the class has.
        expected: usize,
    },
}

impl fmt::Display for AnalysisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Class(error) => error.fmt(f),
            Self::Body(error) => error.fmt(f),
            Self::AlreadyInstrumented => {
                f.write_str("the class was instrumented by JaCoCo; give the original class")
            }
            Self::SourceMap(error) => error.fmt(f),
            Self::WrongProbeCount { recorded, expected } => {
                write!(f, "{recorded} probes were recorded and the class has {expected}")
            }
        }
    }
}

impl std::error::Error for AnalysisError {}

impl From<probity_classfile::Error> for AnalysisError {
    fn from(error: probity_classfile::Error) -> Self {
        Self::Class(error)
    }
}

/// Which probes of a class were executed.
pub trait ProbeHits {
    /// How many probes were recorded.
    fn count(&self) -> usize;
    /// Whether the probe of a number was executed.
    fn is_hit(&self, number: usize) -> bool;
}

impl ProbeHits for [bool] {
    fn count(&self) -> usize {
        self.len()
    }
    fn is_hit(&self, number: usize) -> bool {
        self.get(number) == Some(&true)
    }
}

/// Analyses classes; keeps its memory from one to the next.
#[derive(Debug, Default)]
pub struct Analyzer {
    instrumenter: Instrumenter,
    scratch: Scratch,
}

/// Memory that each body needs for itself.
#[derive(Debug, Default)]
struct Scratch {
    instructions: Instructions,
    filtered: FilterOutput,
    lines: LineSums,
    methods: Vec<MethodCoverage>,
}

impl Analyzer {
    /// An analyzer with no memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Analyses a class. `hits` gives the probes that were recorded under the class's id.
    ///
    /// Nothing for what is no class of a program: modules and package descriptions.
    ///
    /// # Errors
    ///
    /// Fails if the class is not well-formed, was instrumented, or does not fit its probes.
    pub fn analyze<'h>(
        &mut self,
        bytes: &[u8],
        hits: impl FnOnce(u64) -> Option<&'h dyn ProbeHits>,
    ) -> Result<Option<ClassCoverage>, AnalysisError> {
        let class = ClassFile::read(bytes)?;
        let name = class.name()?;
        if class.access() & access::MODULE != 0 || name.as_bytes().ends_with(b"/package-info") {
            return Ok(None);
        }
        let facts = class_facts(&class)?;
        let id = class_id(bytes);
        let hits = hits(id);
        let mut coverage = empty_class(&facts, id)?;
        self.analyze_methods(&class, &facts, hits, &mut coverage)?;
        Ok(Some(coverage))
    }

    fn analyze_methods(
        &mut self,
        class: &ClassFile<'_>,
        facts: &ClassFacts<'_, '_>,
        hits: Option<&dyn ProbeHits>,
        coverage: &mut ClassCoverage,
    ) -> Result<(), AnalysisError> {
        let mut filters = Filters::new(facts);
        let mut fragments = FragmentBuilder::new(facts);
        let (mut first_probe, scratch) = (0, &mut self.scratch);
        // A class that failed may have left some.
        scratch.methods.clear();
        let visited = self.instrumenter.visit_probes(class, |position, code, list, probes| {
            let Some(method) = class.methods().get(position) else { return };
            let hit = |number: usize| hits.is_some_and(|hits| hits.is_hit(first_probe + number));
            let parts = MethodParts { method, code, list, probes };
            if let Some(method) = analyze_method(facts, &mut filters, &mut fragments, &parts, &hit, scratch) {
                scratch.methods.push(method);
            }
            first_probe += probes.len();
        });
        visited.map_err(|error| match error {
            InstrumentError::AlreadyInstrumented => AnalysisError::AlreadyInstrumented,
            other => AnalysisError::Body(other),
        })?;
        if let Some(recorded) = hits.map(ProbeHits::count).filter(|&recorded| recorded != first_probe) {
            return Err(AnalysisError::WrongProbeCount { recorded, expected: first_probe });
        }
        coverage.fragments = fragments.finish();
        coverage.methods = self.scratch.methods.drain(..).collect();
        finish_class(coverage, &mut self.scratch.lines);
        Ok(())
    }
}

pub(crate) fn class_facts<'c, 'a>(class: &'c ClassFile<'a>) -> Result<ClassFacts<'c, 'a>, AnalysisError> {
    let pool = class.pool();
    let mut facts = ClassFacts {
        class,
        name: class.name()?,
        super_name: class.super_name()?,
        access: class.access(),
        annotations: annotations_of(class, &class.attributes(), &[VISIBLE, INVISIBLE]),
        source_file: None,
        is_scala: false,
        smap: None,
    };
    let mut debug_extension = None;
    for attribute in class.attributes().iter() {
        match pool.utf8(attribute.name)?.as_bytes() {
            b"Synthetic" => facts.access |= access::SYNTHETIC,
            b"Scala" | b"ScalaSig" => facts.is_scala = true,
            b"SourceFile" => {
                if let Attribute::SourceFile(index) = attribute.decode(pool)? {
                    facts.source_file = Some(pool.utf8(index)?);
                }
            }
            b"SourceDebugExtension" => {
                if let Attribute::SourceDebugExtension(text) = attribute.decode(pool)? {
                    debug_extension = Some(text);
                }
            }
            _ => {}
        }
    }
    if facts.is_kotlin()
        && let Some(text) = debug_extension
    {
        let source_file = facts.source_file.map(|name| name.to_text().into_owned()).unwrap_or_default();
        facts.smap = Some(Smap::parse(&source_file, &text.to_text()).map_err(AnalysisError::SourceMap)?);
    }
    Ok(facts)
}

fn empty_class(facts: &ClassFacts<'_, '_>, id: u64) -> Result<ClassCoverage, AnalysisError> {
    let pool = facts.class.pool();
    let is_mark = |member: &Member<'_>| {
        pool.utf8(member.name).is_ok_and(|name| name == "$jacocoInit" || name == "$jacocoData")
    };
    if facts.class.methods().iter().chain(facts.class.fields()).any(is_mark) {
        return Err(AnalysisError::AlreadyInstrumented);
    }
    let mut interfaces = Vec::new();
    for interface in facts.class.interfaces().iter() {
        interfaces.push(pool.class_name(interface)?.to_text().into_owned());
    }
    Ok(ClassCoverage {
        id,
        name: facts.name.to_text().into_owned(),
        super_name: facts.super_name.map(|name| name.to_text().into_owned()),
        interfaces,
        source_file: facts.source_file.map(|name| name.to_text().into_owned()),
        methods: Vec::new(),
        lines: Lines::default(),
        counters: Counters::default(),
        fragments: Vec::new(),
    })
}

/// A body that is being analysed.
struct MethodParts<'p, 'a> {
    method: &'p Member<'a>,
    code: &'p Code<'p>,
    list: &'p CodeList,
    probes: &'p [Probe],
}

/// The coverage of a method; nothing if filters leave nothing of it.
fn analyze_method<'a>(
    facts: &ClassFacts<'_, 'a>,
    filters: &mut Filters,
    fragments: &mut FragmentBuilder,
    parts: &MethodParts<'_, 'a>,
    hit: &dyn Fn(usize) -> bool,
    Scratch { instructions, filtered, lines, .. }: &mut Scratch,
) -> Option<MethodCoverage> {
    let body = Body::new(facts, parts.method, parts.list, parts.code)?;
    instructions.fill(parts.list, parts.probes, hit);
    fragments.add(instructions);
    filters.apply(&body, filtered);
    let merged_away = merge(filtered, instructions, parts.list.nodes().len());
    let replaced = replace(filtered, instructions);
    let mut counters = Counters::default();
    for instruction in instructions.iter() {
        let node = instruction.node as usize;
        if filtered.is_ignored(node)
            || merged_away.as_ref().is_some_and(|merged| merged.get(node) == Some(&true))
        {
            continue;
        }
        count_instruction(replaced.get(&node).unwrap_or(instruction), &mut counters, lines);
    }
    if counters.instructions.total() == 0 {
        return None;
    }
    let itself = Counter::one(counters.instructions.covered > 0);
    counters.methods = itself;
    counters.complexity += itself;
    let lines = lines.take();
    counters.lines = lines.counter();
    Some(MethodCoverage {
        name: body.name.to_text().into_owned(),
        descriptor: body.descriptor.to_text().into_owned(),
        lines,
        counters,
    })
}

fn count_instruction(instruction: &Instruction, counters: &mut Counters, lines: &mut LineSums) {
    let instructions = Counter::one(!instruction.taken.is_empty());
    let covered = instruction.taken.len();
    let branches = if instruction.branches < 2 {
        Counter::default()
    } else {
        Counter { missed: instruction.branches.saturating_sub(covered), covered }
    };
    counters.instructions += instructions;
    counters.branches += branches;
    let total = branches.total();
    if total > 1 {
        let covered = branches.covered.saturating_sub(1);
        counters.complexity += Counter { missed: total.saturating_sub(covered + 1), covered };
    }
    if let Ok(line) = u32::try_from(instruction.line) {
        lines.add(line, instructions, branches);
    }
}

/// Adds up the methods; a class without code counts nothing.
pub(crate) fn finish_class(class: &mut ClassCoverage, lines: &mut LineSums) {
    for method in &class.methods {
        lines.add_all(&method.lines);
        class.counters += method.counters;
    }
    class.lines = lines.take();
    if !class.methods.is_empty() {
        class.counters.lines = class.lines.counter();
        class.counters.classes = Counter::one(class.counters.methods.covered > 0);
    }
}

/// Makes instructions that filters merge count as one. Gives the nodes that no longer count.
fn merge(output: &FilterOutput, instructions: &mut Instructions, nodes: usize) -> Option<Vec<bool>> {
    if output.merges().is_empty() {
        return None;
    }
    let mut parent: Vec<usize> = (0..nodes).collect();
    let find = |parent: &[usize], mut at: usize| {
        while let Some(&up) = parent.get(at).filter(|&&up| up != at) {
            at = up;
        }
        at
    };
    for &(first, second) in output.merges() {
        let (first, second) = (find(&parent, first), find(&parent, second));
        if first != second
            && let Some(place) = parent.get_mut(second)
        {
            *place = first;
        }
    }
    let mut merged_away = vec![false; nodes];
    for &(first, second) in output.merges() {
        for node in [first, second] {
            let root = find(&parent, node);
            if root == node || merged_away.get(node) == Some(&true) {
                continue;
            }
            let taken = instructions.at(node).map(|instruction| instruction.taken.clone());
            if let (Some(taken), Some(root)) = (taken, instructions.at_mut(root)) {
                root.taken.union(&taken);
            }
            if let Some(place) = merged_away.get_mut(node) {
                *place = true;
            }
        }
    }
    for (node, away) in merged_away.iter().enumerate() {
        if *away {
            let taken = instructions.at(find(&parent, node)).map(|root| (root.taken.clone(), root.branches));
            if let (Some((taken, branches)), Some(instruction)) = (taken, instructions.at_mut(node)) {
                instruction.taken = taken;
                instruction.branches = branches;
            }
        }
    }
    Some(merged_away)
}

/// The instructions whose branches filters replace.
fn replace(output: &FilterOutput, instructions: &Instructions) -> HashMap<usize, Instruction> {
    let mut replaced = HashMap::new();
    for (node, replacement) in output.replacements() {
        let Some(old) = instructions.at(*node) else { continue };
        let mut new = Instruction { branches: 0, taken: BranchSet::default(), ..old.clone() };
        for taken_by in replacement.branches() {
            let taken = taken_by.iter().any(|&(instruction, branch)| {
                instructions.at(instruction).is_some_and(|instruction| instruction.taken.contains(branch))
            });
            if taken {
                new.taken.insert(new.branches);
            }
            new.branches += 1;
        }
        replaced.insert(*node, new);
    }
    replaced
}

/// Collects what was executed of inlined code, by the class from which it comes.
struct FragmentBuilder {
    /// First line here, last line here, first line there, position of the fragment.
    ranges: Vec<(i32, i32, i32, usize)>,
    /// The classes with their lines.
    fragments: Vec<(String, LineSums)>,
}

impl FragmentBuilder {
    fn new(facts: &ClassFacts<'_, '_>) -> Self {
        let mut builder = Self { ranges: Vec::new(), fragments: Vec::new() };
        let Some(smap) = &facts.smap else { return builder };
        for mapping in smap.foreign(&facts.name.to_text()) {
            let position = builder.fragments.iter().position(|(class, _)| *class == mapping.class);
            let position = position.unwrap_or_else(|| {
                builder.fragments.push((mapping.class.clone(), LineSums::default()));
                builder.fragments.len() - 1
            });
            let last = mapping.output_start + mapping.repeat - 1;
            builder.ranges.push((mapping.output_start, last, mapping.input_start, position));
        }
        builder
    }

    fn add(&mut self, instructions: &Instructions) {
        if self.ranges.is_empty() {
            return;
        }
        for instruction in instructions.iter() {
            for &(first, last, there, position) in &self.ranges {
                if (first..=last).contains(&instruction.line)
                    && let Ok(line) = u32::try_from(there + instruction.line - first)
                    && let Some((_, lines)) = self.fragments.get_mut(position)
                {
                    let executed = Counter::one(!instruction.taken.is_empty());
                    lines.add(line, executed, Counter::default());
                }
            }
        }
    }

    fn finish(self) -> Vec<Fragment> {
        let fragments = self.fragments.into_iter();
        fragments.map(|(class, mut lines)| Fragment { class, lines: lines.take() }).collect()
    }
}

impl ClassCoverage {
    /// Adds what was executed of this class where its code was inlined elsewhere.
    pub(crate) fn apply_fragment(&mut self, fragment: &Lines) {
        apply_to_lines(&mut self.lines, &mut self.counters, fragment);
        for method in &mut self.methods {
            let before = method.counters;
            if !apply_to_lines(&mut method.lines, &mut method.counters, fragment) {
                continue;
            }
            let itself = Counter::one(method.counters.instructions.covered > 0);
            method.counters.methods = itself;
            method.counters.complexity = itself;
            self.counters.methods = shifted(self.counters.methods, before.methods, itself);
            self.counters.complexity = shifted(self.counters.complexity, before.complexity, itself);
        }
        // Also for a class without methods, which then counts as missed.
        self.counters.classes = Counter::one(self.counters.methods.covered > 0);
    }
}

/// A total in which a part has changed.
fn shifted(total: Counter, old: Counter, new: Counter) -> Counter {
    Counter {
        missed: total.missed - old.missed + new.missed,
        covered: total.covered - old.covered + new.covered,
    }
}

/// Lines that were executed elsewhere become one instruction each. Says whether there were any.
fn apply_to_lines(lines: &mut Lines, counters: &mut Counters, fragment: &Lines) -> bool {
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else { return false };
    let mut applied = false;
    for (number, elsewhere) in fragment.iter() {
        if !(first..=last).contains(&number) || elsewhere.instructions.total() == 0 {
            continue;
        }
        let own = lines.get(number);
        let covered = own.instructions.covered > 0 || elsewhere.instructions.covered > 0;
        let new = Line { instructions: Counter::one(covered), branches: Counter::default() };
        counters.instructions = shifted(counters.instructions, own.instructions, new.instructions);
        counters.branches = shifted(counters.branches, own.branches, new.branches);
        lines.set(number, new);
        applied = true;
    }
    if applied {
        counters.lines = lines.counter();
    }
    applied
}
