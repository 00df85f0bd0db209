//! Runs everything and compares with what a selection would have said: results of units that it would have skipped, and coverage probe
//! by probe.

use crate::recorded_run::{RunError, RunRequest, RunResult, run};
use crate::recording::add_row;
use crate::selection::{Selection, SelectionRequest, State, select};
use probity_execdata::store::Store as ExecData;
use probity_shape::{ContentId, Shape};
use probity_trace::{ClassHits, Outcome, Trace};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What came of it.
#[derive(Debug)]
pub struct Verification {
    /// What would have run.
    pub selection: Selection,
    /// The run of everything.
    pub run: RunResult,
    /// The units that would have been skipped and gave another result.
    pub missed: Vec<Missed>,
    /// The probes that would have been told otherwise.
    pub differing_probes: Vec<DifferingProbe>,
}

/// A unit that would have been skipped and gave another result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missed {
    /// Its name.
    pub unit: String,
    /// The first test with another result, if it is one.
    pub test: Option<String>,
    /// The outcome that would have been told, if the test was there.
    pub told: Option<Outcome>,
    /// The outcome that it has, if the test is there.
    pub found: Option<Outcome>,
}

/// A probe that would have been told otherwise.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DifferingProbe {
    /// The internal name of the class.
    pub class: String,
    /// JaCoCo's id of it.
    pub class_id: u64,
    /// The number of the probe.
    pub probe: u32,
    /// Whether it was hit in the run of everything; otherwise it would have been told as hit.
    pub is_hit: bool,
}

impl Verification {
    /// Whether nothing would have been told otherwise.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.missed.is_empty() && self.differing_probes.is_empty()
    }
}

/// Selects, runs everything, and compares.
///
/// # Errors
///
/// Fails if the program does not start at all.
pub fn verify(selection: &SelectionRequest<'_>, request: &RunRequest<'_>) -> Result<Verification, RunError> {
    let selection = select(selection);
    let run = run(request)?;
    let (missed, differing_probes) = (missed(&selection, &run), differing_probes(&selection, &run));
    Ok(Verification { selection, run, missed, differing_probes })
}

/// The units that a selection skips and that gave another result when everything ran.
#[must_use]
pub fn missed(selection: &Selection, run: &RunResult) -> Vec<Missed> {
    let mut ran: HashMap<&str, Vec<&Trace>> = HashMap::new();
    for trace in &run.traces {
        ran.entry(trace.unit.as_str()).or_default().push(trace);
    }
    let fresh = selection.units.iter().filter(|unit| unit.state == State::Fresh);
    let mut missed = Vec::new();
    for unit in fresh {
        let Some(trace) = &unit.trace else { continue };
        let told = outcomes([trace]);
        let found = outcomes(ran.get(unit.unit.as_str()).into_iter().flatten().copied());
        let tests: BTreeSet<&str> = told.keys().chain(found.keys()).copied().collect();
        if let Some(test) = tests.into_iter().find(|test| told.get(test) != found.get(test)) {
            missed.push(Missed {
                unit: unit.unit.clone(),
                test: Some(test.to_owned()),
                told: told.get(test).copied(),
                found: found.get(test).copied(),
            });
        }
    }
    missed
}

fn outcomes<'t>(traces: impl IntoIterator<Item = &'t Trace>) -> BTreeMap<&'t str, Outcome> {
    let tests = traces.into_iter().flat_map(|trace| &trace.tests);
    tests.map(|test| (test.id.as_str(), test.outcome)).collect()
}

/// The coverage that would have been told: that of units that need not run, and that of the others as they ran.
#[must_use]
pub fn recomposed(selection: &Selection, run: &RunResult) -> ExecData {
    let fresh: BTreeSet<&str> = selection
        .units
        .iter()
        .filter(|unit| unit.state == State::Fresh)
        .map(|unit| unit.unit.as_str())
        .collect();
    let shapes: HashMap<ContentId, &Shape> = run.shapes.iter().map(|shape| (shape.content, shape)).collect();
    let mut told = ExecData::default();
    // Two classes with one id cannot both be told, and both sides have the same gap.
    let _ = told.merge(&selection.covered);
    let ran = run.traces.iter().filter(|trace| !fresh.contains(trace.unit.as_str()));
    for used in ran.chain(&run.outside).flat_map(|trace| &trace.classes) {
        let Some(shape) = shapes.get(&used.content).filter(|_| !used.hits.is_empty()) else { continue };
        let row = ClassHits {
            name: used.name.to_string(),
            class_id: shape.class_id,
            probes: shape.probe_count(),
            content: Some(used.content),
            hits: used.hits.clone(),
        };
        let _ = add_row(&mut told, &row);
    }
    told
}

/// The probes that would have been told otherwise after a selection than they are when everything ran. Only classes that are not of the
/// JDK are compared: of those nothing is kept.
#[must_use]
pub fn differing_probes(selection: &Selection, run: &RunResult) -> Vec<DifferingProbe> {
    let (told, found) = (recomposed(selection, run), &run.hits);
    let known = run.shapes.iter().map(|shape| shape.class_id);
    let ids: BTreeSet<u64> = told.classes().map(|class| class.id).chain(known).collect();
    let mut differing = Vec::new();
    for class_id in ids {
        let sides = [told.class(class_id), found.class(class_id)];
        let Some(class) = sides.iter().flatten().next() else { continue };
        let name = probity_execdata::utf::to_text(&class.name);
        let is_hit = |side: usize, probe: usize| {
            sides.get(side).copied().flatten().is_some_and(|class| class.probes.is_hit(probe))
        };
        let count = sides.iter().flatten().map(|class| class.probes.len()).max().unwrap_or_default();
        for probe in (0..count).filter(|&probe| is_hit(0, probe) != is_hit(1, probe)) {
            differing.push(DifferingProbe {
                class: name.clone(),
                class_id,
                probe: probe as u32,
                is_hit: is_hit(1, probe),
            });
        }
    }
    differing
}
