//! Which units cover which lines of the classes as they are now, from stored traces.
//!
//! A unit counts for a class only if it ran exactly these bytes: nothing is guessed about others. Each row of hits of a class is
//! analysed once, however many units have it.

use crate::traces::newest;
use crate::who::FirstProbes;
use probity_classfile::ClassFile;
use probity_classpath::{EntryError, Source};
use probity_coverage::Analyzer;
use probity_instrument::Instrumenter;
use probity_report::LineUnits;
use probity_shape::ContentId;
use probity_store::Traces;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The units of each line of a source file, by package and name.
type Files = BTreeMap<(String, String), BTreeMap<u32, BTreeSet<usize>>>;

/// The rows of hits of a class, each with the units that have it.
type Rows<'t> = HashMap<&'t [u8], BTreeSet<usize>>;

/// Finds the units of all lines, and tells of classes that cannot be read.
pub fn units_of_lines(traces: &Traces, classes: &[Source]) -> (LineUnits, Vec<EntryError>) {
    let mut names = Vec::new();
    let mut by_class: HashMap<ContentId, Rows<'_>> = HashMap::new();
    for trace in newest(traces) {
        let unit = names.len();
        names.push(trace.unit().to_owned());
        for class in trace.classes().filter(|class| !class.hit_bytes().is_empty()) {
            let rows = by_class.entry(class.content()).or_default();
            rows.entry(class.hit_bytes()).or_default().insert(unit);
        }
    }
    let (mut files, mut errors) = (Files::new(), Vec::new());
    let mut counting = Counting { analyzer: Analyzer::new(), instrumenter: Instrumenter::new() };
    for source in classes {
        source.visit_classes(|class| match class {
            Ok(class) => {
                if let Some(rows) = by_class.get(&ContentId::of(class.bytes)) {
                    counting.add(class.bytes, rows, &mut files);
                }
            }
            Err(error) => errors.push(error),
        });
    }
    let mut units = LineUnits::new(names);
    for ((package, file), lines) in &files {
        units.add_file(package, file, lines);
    }
    (units, errors)
}

struct Counting {
    analyzer: Analyzer,
    instrumenter: Instrumenter,
}

impl Counting {
    /// Adds the lines of a class. One that cannot be analysed has none, which the report itself tells of.
    fn add(&mut self, bytes: &[u8], rows: &Rows<'_>, files: &mut Files) -> Option<()> {
        let plan = self.instrumenter.plan(&ClassFile::read(bytes).ok()?).ok()?;
        let probes = plan.counts().jacoco as usize;
        for (hits, units) in rows {
            let hits = FirstProbes::new(probes, hits);
            let class = self.analyzer.analyze(bytes, |_| Some(&hits)).ok().flatten()?;
            let package = class.name.rsplit_once('/').map_or("", |(package, _)| package).to_owned();
            let lines = files.entry((package, class.source_file?)).or_default();
            for (number, line) in class.lines.iter() {
                if line.instructions.covered > 0 {
                    lines.entry(number).or_default().extend(units);
                }
            }
        }
        Some(())
    }
}
