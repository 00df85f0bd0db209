//! Differences in everything that is no class: files, settings, what was not there, and what is to be known of a trace.
//!
//! Who asked for a file is not kept in traces. Where all code that ran is the same, it was the JDK, an initialiser or code outside all
//! units; where it is not, the difference follows from that.

use super::causes::Cause;
use super::{Difference, Kind, split};
use crate::traces::with_dots;
use probity_trace::{FileState, SettingUse, Trace, Why};
use std::collections::{BTreeMap, BTreeSet};

/// All differences of this sort.
pub(super) fn differences(traces: &[Trace], has_run_differently: bool) -> Vec<Difference> {
    let all: Vec<BTreeMap<(Kind, String), BTreeSet<State>>> = traces.iter().map(facts).collect();
    let keys: BTreeSet<&(Kind, String)> = all.iter().flat_map(BTreeMap::keys).collect();
    let mut differences = Vec::new();
    for key in keys {
        let states: Vec<Option<&BTreeSet<State>>> = all.iter().map(|facts| facts.get(key)).collect();
        let (kind, name) = key;
        let found = match contradiction(&states) {
            Some(has) => Some((Cause::Value, split(has))),
            None if states.contains(&None) => {
                let (with, without) = split(states.iter().map(Option::is_some));
                Some((cause(*kind, name, traces, &with, has_run_differently), (with, without)))
            }
            None => None,
        };
        if let Some((cause, (with, without))) = found {
            let reasons = told(&states);
            differences.push(Difference {
                cause,
                kind: *kind,
                name: name.clone(),
                is_library: false,
                with,
                without,
                reasons,
            });
        }
    }
    differences
}

/// What something was. Two of them contradict each other unless one only says less.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Absent,
    There,
    Value(String),
    Listed(String),
}

impl State {
    fn contradicts(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Absent, other) | (other, Self::Absent) => *other != Self::Absent,
            (Self::Value(one), Self::Value(other)) | (Self::Listed(one), Self::Listed(other)) => one != other,
            _ => false,
        }
    }

    fn in_words(&self) -> String {
        match self {
            Self::Absent => "not there".to_owned(),
            Self::There => "there".to_owned(),
            Self::Value(hash) => format!("there, with the hash {hash}"),
            Self::Listed(hash) => format!("listed, with the hash {hash}"),
        }
    }
}

/// Which traces say the same as the newest that says something, if some say otherwise.
fn contradiction(states: &[Option<&BTreeSet<State>>]) -> Option<Vec<bool>> {
    let first = *states.iter().flatten().next()?;
    let agrees = |states: &BTreeSet<State>| {
        !states.iter().any(|state| first.iter().all(|known| known.contradicts(state)))
    };
    let mut said = states.iter().flatten();
    said.any(|states| !agrees(states)).then(|| states.iter().map(|one| one.is_some_and(agrees)).collect())
}

fn told(states: &[Option<&BTreeSet<State>>]) -> Vec<String> {
    let all: BTreeSet<&State> = states.iter().flatten().flat_map(|states| states.iter()).collect();
    all.into_iter().map(State::in_words).collect()
}

fn cause(kind: Kind, name: &str, traces: &[Trace], with: &[usize], has_run_differently: bool) -> Cause {
    let sees_others = |trace: &Trace| trace.classes.iter().any(|used| used.is_there_because(Why::OtherUnit));
    match kind {
        Kind::Threads => Cause::Time,
        Kind::Overlap => Cause::OtherUnit,
        Kind::Distrust => Cause::Distrusted,
        Kind::File if is_for_loading(name, traces) => Cause::Loaded,
        _ if with.iter().filter_map(|&one| traces.get(one)).all(sees_others) => Cause::OtherUnit,
        _ if has_run_differently => Cause::Follows,
        _ => Cause::Asked,
    }
}

/// Whether a file is one that a class loader looks for: a class file below an entry of the class path.
fn is_for_loading(path: &str, traces: &[Trace]) -> bool {
    let entries = traces.iter().flat_map(|trace| &trace.environment.class_path);
    let is_below =
        |entry: &String| path.strip_prefix(entry.as_str()).is_some_and(|rest| rest.starts_with('/'));
    path.ends_with(".class") && entries.into_iter().any(is_below)
}

fn facts(trace: &Trace) -> BTreeMap<(Kind, String), BTreeSet<State>> {
    let mut facts: BTreeMap<(Kind, String), BTreeSet<State>> = BTreeMap::new();
    let mut add = |kind: Kind, name: String, state: State| {
        facts.entry((kind, name)).or_default().insert(state);
    };
    for name in &trace.absent_classes {
        add(Kind::Absent, with_dots(name), State::Absent);
    }
    for file in &trace.files {
        add(Kind::File, file.path.clone(), of_file(file.state));
    }
    for resource in &trace.resources {
        let state = resource.found.map_or(State::Absent, |hash| State::Value(hash.to_string()));
        add(Kind::Resource, resource.name.clone(), state);
    }
    for (kind, settings) in [(Kind::Property, &trace.properties), (Kind::Variable, &trace.variables)] {
        settings.iter().for_each(|setting| add(kind, name_of(setting), of_setting(setting)));
    }
    let flags = [
        (Kind::StackTraces, trace.reads_stack_traces),
        (Kind::Processes, trace.starts_processes),
        (Kind::Threads, trace.threads_left > 0),
    ];
    for (kind, _) in flags.into_iter().filter(|(_, is_so)| *is_so) {
        add(kind, String::new(), State::There);
    }
    for (kind, names) in [(Kind::Overlap, &trace.overlaps), (Kind::Distrust, &trace.distrust)] {
        names.iter().for_each(|name| add(kind, name.clone(), State::There));
    }
    facts
}

fn of_file(state: FileState) -> State {
    match state {
        FileState::Absent => State::Absent,
        FileState::Exists { .. } => State::There,
        FileState::File(hash) => State::Value(hash.to_string()),
        FileState::Listing(hash) => State::Listed(hash.to_string()),
    }
}

fn name_of(setting: &SettingUse) -> String {
    setting.name.clone().unwrap_or_else(|| "all of them".to_owned())
}

fn of_setting(setting: &SettingUse) -> State {
    setting.value.map_or(State::Absent, |hash| State::Value(hash.to_string()))
}
