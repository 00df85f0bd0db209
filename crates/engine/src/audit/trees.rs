//! Which traces of a unit can be compared: those that were made from the same versions of classes, in JVMs that are alike.
//!
//! A trace names only the classes that it used, so two of them are of one tree unless they show that they are not: by a class that
//! both used, with other bytes. A trace can therefore stand in several trees.

use probity_shape::ContentId;
use probity_store::TraceView;
use probity_trace::{Environment, Trace};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The traces of a unit for one tree, the newest first.
#[derive(Debug)]
pub struct Tree {
    /// The identity of each trace, in the order of the traces.
    pub ids: Vec<String>,
    /// The traces.
    pub traces: Vec<Trace>,
}

/// Settings by which JVMs for the same tests differ: which fork it is, and in what order tests run.
const OF_NO_ACCOUNT: [&str; 8] = [
    "-Dsurefire.forkNumber=",
    "-Dorg.gradle.test.worker=",
    "-Djunit.jupiter.testclass.order.",
    "-Djunit.jupiter.testmethod.order.",
    "-Djunit.jupiter.execution.order.",
    "-Djunit.platform.execution.",
    "-Dtestng.order=",
    "-Drandom.seed=",
];

/// Puts traces of a unit, the newest first, into trees. Each is in one at least.
#[must_use]
pub fn trees<'t>(traces: impl IntoIterator<Item = TraceView<'t>>) -> Vec<Tree> {
    let (ids, traces): (Vec<String>, Vec<Trace>) =
        traces.into_iter().map(|trace| (trace.id().to_string(), trace.to_trace())).unzip();
    let mut growing: Vec<Growing> = Vec::new();
    for (position, trace) in traces.iter().enumerate() {
        let mut is_in_one = false;
        for tree in &mut growing {
            is_in_one |= tree.take(position, trace);
        }
        if !is_in_one {
            growing.push(Growing::from(position, trace));
        }
    }
    // A tree may have room for traces that were looked at before there was such a tree.
    for tree in &mut growing {
        for (position, trace) in traces.iter().enumerate() {
            tree.take(position, trace);
        }
    }
    let tree = |growing: Growing| Tree {
        ids: growing.members.iter().filter_map(|&member| ids.get(member)).cloned().collect(),
        traces: growing.members.iter().filter_map(|&member| traces.get(member)).cloned().collect(),
    };
    growing.into_iter().map(tree).collect()
}

/// A tree that is being put together.
struct Growing {
    environment: Environment,
    framework: String,
    /// The bytes of each class that is named by a member.
    contents: BTreeMap<Arc<str>, BTreeSet<ContentId>>,
    members: BTreeSet<usize>,
}

impl Growing {
    fn from(position: usize, trace: &Trace) -> Self {
        let mut tree = Self {
            environment: comparable(&trace.environment),
            framework: trace.framework.clone(),
            contents: BTreeMap::new(),
            members: BTreeSet::new(),
        };
        tree.add(position, trace);
        tree
    }

    /// Takes a trace in that fits. Says whether it is in.
    fn take(&mut self, position: usize, trace: &Trace) -> bool {
        if self.members.contains(&position) {
            return true;
        }
        let fits = self.framework == trace.framework
            && self.environment == comparable(&trace.environment)
            && contents(trace).iter().all(|(name, contents)| {
                self.contents.get(name).is_none_or(|known| !known.is_disjoint(contents))
            });
        if fits {
            self.add(position, trace);
        }
        fits
    }

    fn add(&mut self, position: usize, trace: &Trace) {
        self.members.insert(position);
        for (name, contents) in contents(trace) {
            self.contents.entry(name).or_default().extend(contents);
        }
    }
}

/// The versions of the classes that were somewhere; those that are made at run time are as they come.
fn contents(trace: &Trace) -> BTreeMap<Arc<str>, BTreeSet<ContentId>> {
    let mut contents: BTreeMap<Arc<str>, BTreeSet<ContentId>> = BTreeMap::new();
    for used in trace.classes.iter().filter(|used| !used.place.is_empty()) {
        contents.entry(used.name.clone()).or_default().insert(used.content);
    }
    contents
}

/// An environment without what makes no difference.
fn comparable(environment: &Environment) -> Environment {
    let mut comparable = environment.clone();
    comparable.flags.retain(|flag| !OF_NO_ACCOUNT.iter().any(|start| flag.starts_with(start)));
    comparable
}
