//! Which units must run in the tree as it is now.
//!
//! It brings together what `probity-select` asks for: the traces and shapes of the store, the classes and files that are there now,
//! and the JDK. Units that were never recorded are found by looking at the classes.

mod jdk_classes;
mod now;
mod test_classes;

use crate::recording::places::Places;
use jdk_classes::JdkClasses;
use now::{Now, Parts};
pub use probity_select::{ClassReason, Level, MemberChange, MemberKind, Reason, SeenBy};
use probity_select::{Judge, Verdict};
use probity_store::{Problem, Store};
use probity_toolchain::Jdk;
use probity_trace::{Environment, Trace};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What is asked.
pub struct SelectionRequest<'a> {
    /// Where traces are kept.
    pub store: &'a Store,
    /// The project to which paths in traces are relative.
    pub project: &'a Path,
    /// The class path as it is now; otherwise each unit has the one with which it ran last.
    pub class_path: Option<&'a [PathBuf]>,
    /// The JVM in which the units would run; otherwise it is the one of before.
    pub environment: Option<&'a Environment>,
    /// The environment variables that tests would have.
    pub variables: &'a dyn Fn(&str) -> Option<OsString>,
    /// The JDK whose classes are looked at.
    pub jdk: Option<&'a Jdk>,
    /// How closely changes are looked at.
    pub level: Level,
}

/// What must run.
#[derive(Debug)]
pub struct Selection {
    /// The units, sorted by name.
    pub units: Vec<UnitState>,
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
    let (stored, shapes) = (request.store.load(), request.store.shapes());
    let mut problems = stored.problems().to_vec();
    problems.extend_from_slice(shapes.problems());
    let places = Places::default();
    let jdk = request.jdk.map(|jdk| JdkClasses::of(jdk, &places));
    let mut by_unit: BTreeMap<&str, Vec<Trace>> = BTreeMap::new();
    for trace in stored.iter() {
        by_unit.entry(trace.unit()).or_default().push(trace.to_trace());
    }
    let mut environments: BTreeSet<&Environment> = BTreeSet::new();
    environments.extend(by_unit.values().flatten().map(|trace| &trace.environment));
    let trees: BTreeMap<&Environment, Now<'_>> = environments
        .into_iter()
        .map(|before| {
            let (class_path, jdk) = (request.class_path, jdk.as_ref());
            let environment = request.environment.cloned();
            let parts = Parts {
                project: &project,
                places: &places,
                stored: &shapes,
                jdk,
                before,
                class_path,
                environment,
                variables: request.variables,
            };
            (before, Now::new(parts))
        })
        .collect();
    let judges: BTreeMap<&Environment, Judge<'_>> =
        trees.iter().map(|(before, tree)| (*before, Judge::new(tree, request.level))).collect();
    let mut units = Vec::new();
    for (unit, traces) in &by_unit {
        units.push(state_of(unit, traces, &judges));
    }
    let mut selection = Selection { units, problems };
    selection.spread();
    selection.units.retain(|unit| !is_deleted(unit));
    selection.add_new(&folders(request, &project, &by_unit));
    selection.units.sort_unstable_by(|one, other| one.unit.cmp(&other.unit));
    selection
}

/// The folders of classes in which units that were never recorded can be.
fn folders(
    request: &SelectionRequest<'_>,
    project: &Path,
    units: &BTreeMap<&str, Vec<Trace>>,
) -> Vec<PathBuf> {
    let mut folders: BTreeSet<PathBuf> = match request.class_path {
        Some(entries) => entries.iter().map(|entry| project.join(entry)).collect(),
        None => {
            let newest = units.values().filter_map(|traces| traces.iter().max_by_key(|trace| trace.began));
            newest.flat_map(|trace| &trace.environment.class_path).map(|entry| project.join(entry)).collect()
        }
    };
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

/// Whether the test class of a unit is gone.
fn is_deleted(state: &UnitState) -> bool {
    let internal = state.unit.replace('.', "/");
    state
        .reasons
        .iter()
        .any(|reason| matches!(reason, Reason::Class { name, what: ClassReason::Gone } if *name == internal))
}

impl Selection {
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
