//! Which units must run in the tree as it is now.
//!
//! It brings together what `probity-select` asks for: the traces and shapes of the store, the classes and files that are there now,
//! and the JDK. Units that were never recorded are found by looking at the classes.

mod jdk_classes;
mod now;
mod rows;
mod test_class_path;
mod test_classes;

use crate::recording::places::Places;
use jdk_classes::JdkClasses;
use now::{Now, Parts};
use probity_execdata::store::Store as ExecData;
pub use probity_select::{ClassReason, Level, MemberChange, MemberKind, Reason, SeenBy};
use probity_select::{Judge, Tree as _, Verdict};
pub use probity_shape::ClassPart;
use probity_store::{Problem, Store};
use probity_toolchain::all_jdks;
use probity_trace::{Environment, OUTSIDE, Trace};
use rows::Rows;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What is asked.
pub struct SelectionRequest<'a> {
    /// Where traces are kept.
    pub store: &'a Store,
    /// The project to which paths in traces are relative.
    pub project: &'a Path,
    /// The class path as it is now.
    pub class_path: ClassPathNow<'a>,
    /// The JVM in which the units would run; otherwise it is the one of before.
    pub environment: Option<&'a Environment>,
    /// The environment variables that tests would have.
    pub variables: &'a BTreeMap<OsString, OsString>,
    /// How closely changes are looked at.
    pub level: Level,
    /// The traces that count; otherwise all do. A unit of which none counts is new.
    pub counts: Option<&'a dyn Fn(&Trace) -> bool>,
}

/// The class path as it is now.
#[derive(Clone, Copy, Debug)]
pub enum ClassPathNow<'a> {
    /// Each unit has the one with which it ran.
    AsBefore,
    /// These are all entries.
    Exactly(&'a [PathBuf]),
    /// These have the classes of the project; the archives are those of before.
    Classes(&'a [PathBuf]),
    /// These are the entries of the tests; what runs tests had its own before and behind them.
    Tests(&'a [PathBuf]),
}

impl ClassPathNow<'_> {
    /// The entries for units that had some before.
    fn entries(self, project: &Path, before: &Environment) -> Vec<PathBuf> {
        let before = before.class_path.iter().map(|entry| project.join(entry));
        match self {
            Self::AsBefore => before.collect(),
            Self::Tests(entries) => test_class_path::entries(&before.collect::<Vec<_>>(), entries),
            Self::Exactly(entries) => entries.iter().map(|entry| project.join(entry)).collect(),
            Self::Classes(entries) => {
                let entries: Vec<PathBuf> = entries.iter().map(|entry| project.join(entry)).collect();
                let archives = before.filter(|entry| entry.is_file() && !entries.contains(entry));
                let archives: Vec<PathBuf> = archives.collect();
                entries.into_iter().chain(archives).collect()
            }
        }
    }
}

/// What must run.
#[derive(Debug)]
pub struct Selection {
    /// The units, sorted by name.
    pub units: Vec<UnitState>,
    /// What the units that need not run cover, and what is covered outside all units: JaCoCo's data for today's classes.
    pub covered: ExecData,
    /// The parts of the store that cannot be used.
    pub problems: Vec<Problem>,
}

/// A unit and whether it must run.
#[derive(Debug)]
pub struct UnitState {
    /// Its name.
    pub unit: String,
    /// Whether it must run.
    pub state: State,
    /// Why it must.
    pub reasons: Vec<Reason>,
    /// The trace that holds, or the newest one; none for a new unit.
    pub trace: Option<Trace>,
}

/// Whether a unit must run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// It need not.
    Fresh,
    /// Something is different.
    Stale,
    /// There is no trace of it.
    New,
    /// Nobody knows whether something is different.
    Unknown,
}

/// Says of each unit whether it must run.
#[must_use]
pub fn select(request: &SelectionRequest<'_>) -> Selection {
    let project = std::fs::canonicalize(request.project).unwrap_or_else(|_| request.project.to_owned());
    let (stored, shapes, classes) = (request.store.load(), request.store.shapes(), request.store.classes());
    let mut problems = stored.problems().to_vec();
    problems.extend_from_slice(shapes.problems());
    problems.extend_from_slice(classes.problems());
    let places = Places::default();
    let jdks: Vec<JdkClasses> =
        all_jdks(&probity_toolchain::Environment::of_this_process()).iter().map(JdkClasses::of).collect();
    let mut by_unit: BTreeMap<String, Vec<Trace>> = BTreeMap::new();
    let mut outside: BTreeMap<Environment, Trace> = BTreeMap::new();
    let counts = |trace: &Trace| request.counts.is_none_or(|counts| counts(trace));
    for trace in stored.iter() {
        let trace = trace.to_trace();
        if !counts(&trace) {
            continue;
        }
        if trace.unit == OUTSIDE {
            // Of each environment the newest.
            let known = outside.entry(trace.environment.clone()).or_insert_with(|| trace.clone());
            if known.began < trace.began {
                *known = trace;
            }
            continue;
        }
        by_unit.entry(trace.unit.clone()).or_default().push(trace);
    }
    let mut environments: BTreeSet<&Environment> = BTreeSet::new();
    environments.extend(by_unit.values().flatten().map(|trace| &trace.environment));
    environments.extend(outside.keys());
    let tree = |before| {
        let parts = Parts {
            project: &project,
            places: &places,
            stored: &shapes,
            stored_classes: &classes,
            jdks: &jdks,
            before,
            class_path: request.class_path.entries(&project, before),
            environment: request.environment.cloned(),
            variables: request.variables,
        };
        (before, Now::new(parts))
    };
    let trees: Trees<'_> = environments.into_iter().map(tree).collect();
    let judges: BTreeMap<&Environment, Judge<'_>> =
        trees.iter().map(|(before, tree)| (*before, Judge::new(tree, request.level))).collect();
    let mut units = Vec::new();
    for (unit, traces) in &by_unit {
        units.push(state_of(unit, traces, &judges));
    }
    let mut selection = Selection { units, covered: ExecData::default(), problems };
    selection.units.retain(|unit| !is_deleted(unit, &trees));
    let mut rows = selection.settle(&trees);
    for (environment, trace) in &outside {
        trees.get(environment).into_iter().for_each(|tree| rows.add_outside(trace, tree));
    }
    selection.covered = rows.into_data();
    selection.add_new(&folders(request, &project, &by_unit));
    selection.units.sort_unstable_by(|one, other| one.unit.cmp(&other.unit));
    selection
}

/// The folders of classes in which units that were never recorded can be.
fn folders(
    request: &SelectionRequest<'_>,
    project: &Path,
    units: &BTreeMap<String, Vec<Trace>>,
) -> Vec<PathBuf> {
    let newest = units.values().filter_map(|traces| traces.iter().max_by_key(|trace| trace.began));
    let environments: BTreeSet<&Environment> = newest.map(|trace| &trace.environment).collect();
    let mut folders: BTreeSet<PathBuf> = environments
        .into_iter()
        .chain([&Environment::default()])
        .flat_map(|before| request.class_path.entries(project, before))
        .collect();
    folders.retain(|folder| folder.is_dir());
    folders.into_iter().collect()
}

fn state_of(unit: &str, traces: &[Trace], judges: &BTreeMap<&Environment, Judge<'_>>) -> UnitState {
    // Traces of one environment are judged together; one that holds in any of them is enough.
    let mut newest: Option<(u64, UnitState)> = None;
    let mut held: Option<UnitState> = None;
    for (environment, judge) in judges {
        let own: Vec<&Trace> = traces.iter().filter(|trace| trace.environment == **environment).collect();
        let Some(latest) = own.iter().max_by_key(|trace| trace.began) else { continue };
        let verdict = judge.unit(&own);
        let began = latest.began;
        let answer = |state, reasons, trace: &Trace| UnitState {
            unit: unit.to_owned(),
            state,
            reasons,
            trace: Some(trace.clone()),
        };
        let (state, reasons) = match verdict {
            Verdict::Fresh(position) => {
                held = own.get(position).map(|trace| answer(State::Fresh, Vec::new(), trace)).or(held);
                continue;
            }
            Verdict::Stale(reasons) => (State::Stale, reasons),
            Verdict::Unknown(reasons) => (State::Unknown, reasons),
        };
        if newest.as_ref().is_none_or(|(other, _)| began > *other) {
            newest = Some((began, answer(state, reasons, latest)));
        }
    }
    held.or(newest.map(|(_, state)| state)).unwrap_or_else(|| UnitState {
        unit: unit.to_owned(),
        state: State::New,
        reasons: vec![Reason::New],
        trace: None,
    })
}

/// What is there now, for the units of each environment.
type Trees<'t> = BTreeMap<&'t Environment, Now<'t>>;

/// Whether the test class of a unit is gone. A unit that need not run is there, wherever its class comes from.
fn is_deleted(state: &UnitState, trees: &Trees<'_>) -> bool {
    let tree = state.trace.as_ref().and_then(|trace| trees.get(&trace.environment));
    let is_absent = |tree: &Now<'_>| tree.has_class(&state.unit.replace('.', "/")) == Ok(false);
    state.state != State::Fresh && tree.is_some_and(is_absent)
}

impl Selection {
    /// Finds what must run because something else must, until there is no more, and what the others cover. A unit whose row is not
    /// known must run, and so must those that ran at the same time.
    fn settle(&mut self, trees: &Trees<'_>) -> Rows {
        loop {
            self.spread();
            let mut rows = Rows::default();
            let mut is_settled = true;
            for unit in self.units.iter_mut().filter(|unit| unit.state == State::Fresh) {
                let Some(trace) = &unit.trace else { continue };
                let tree = trees.get(&trace.environment);
                let tree = tree.ok_or_else(|| "nobody knows in what JVM it ran".to_owned());
                if let Err(why) = tree.and_then(|tree| rows.add(trace, tree)) {
                    (unit.state, unit.reasons) = (State::Unknown, vec![Reason::Unknown(why)]);
                    is_settled = false;
                }
            }
            if is_settled {
                return rows;
            }
        }
    }

    /// Units that ran at the same time are fresh or stale together.
    fn spread(&mut self) {
        loop {
            let running: BTreeSet<String> = self
                .units
                .iter()
                .filter(|unit| unit.state != State::Fresh)
                .map(|unit| unit.unit.clone())
                .collect();
            let mut has_changed = false;
            for unit in self.units.iter_mut().filter(|unit| unit.state == State::Fresh) {
                let overlaps = unit.trace.iter().flat_map(|trace| &trace.overlaps);
                if let Some(other) = overlaps.into_iter().find(|other| running.contains(*other)) {
                    unit.reasons = vec![Reason::Together(other.clone())];
                    unit.state = State::Stale;
                    has_changed = true;
                }
            }
            if !has_changed {
                return;
            }
        }
    }

    fn add_new(&mut self, folders: &[PathBuf]) {
        let known: BTreeSet<&str> = self.units.iter().map(|unit| unit.unit.as_str()).collect();
        let mut new = test_classes::in_folders(folders);
        new.retain(|name| !known.contains(name.as_str()));
        self.units.extend(new.into_iter().map(|unit| UnitState {
            unit,
            state: State::New,
            reasons: vec![Reason::New],
            trace: None,
        }));
    }
}
