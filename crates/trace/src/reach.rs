//! What the code of a class that ran may have used, given the probes that were hit.
//!
//! A method counts if it was entered. In it, a block counts unless every way into it is known not to have been taken: a block
//! may have run in part, since an exception leaves it before its probe. Hits that do not tell of a run from the entry on
//! are those of a method that was running already when the stretch of time began: all of it counts.

use crate::hits::Hits;
use crate::names::NameId;
use crate::runs::{MethodRun, Runs};
use crate::shared_state::FieldUses;
use crate::versions::{Version, Versions};
use probity_shape::Use;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// What code that ran may have used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Reached {
    /// The classes and how they were used, each once.
    pub(crate) uses: Vec<(Use, NameId)>,
    /// The static fields that it may have read and written.
    pub(crate) fields: FieldUses,
    /// What ran of each method.
    pub(crate) runs: Vec<usize>,
    /// Whether the static initialiser was entered.
    pub(crate) enters_initialiser: bool,
    /// Whether there are hits that no method of the class has.
    pub(crate) has_unknown_hits: bool,
}

/// Answers by version and hits, each found once.
#[derive(Debug, Default)]
pub(crate) struct Reaches {
    known: HashMap<(usize, Hits), Rc<Reached>>,
    pub(crate) runs: Runs,
}

impl Reaches {
    /// What the code of a version may have used that hit these probes.
    pub(crate) fn of(&mut self, versions: &Versions, version: usize, hits: &Hits) -> Rc<Reached> {
        if let Some(reached) = self.known.get(&(version, hits.clone())) {
            return Rc::clone(reached);
        }
        let (mut reached, runs) = versions.get(version).map(|one| reached(one, hits)).unwrap_or_default();
        reached.runs = runs.into_iter().map(|run| self.runs.id(version, run)).collect();
        let reached = Rc::new(reached);
        self.known.insert((version, hits.clone()), Rc::clone(&reached));
        reached
    }
}

fn reached(version: &Version, hits: &Hits) -> (Reached, Vec<MethodRun>) {
    let mut reached = Reached {
        has_unknown_hits: hits.iter().any(|probe| probe >= version.probes.1),
        ..Reached::default()
    };
    let mut uses = BTreeSet::new();
    let mut runs = Vec::new();
    for (position, method) in version.methods.iter().enumerate() {
        let entry_hit = method.entry_probe.map(|probe| hits.has(probe));
        if entry_hit != Some(true) && !hits.has_any(method.probes.clone()) {
            continue;
        }
        reached.enters_initialiser |= method.is_initialiser;
        let graph = version.graph(position).filter(|_| entry_hit != Some(false));
        let is_hit = |probe: u32| hits.has(method.probes.start + probe);
        let ran = graph.and_then(|graph| graph.blocks_that_may_have_run(method.probes.len() as u32, is_hit));
        let may_have_run = |instruction: u32| match (&ran, graph) {
            (Some(ran), Some(graph)) => {
                let block = graph.blocks.partition_point(|block| block.instructions.end <= instruction);
                ran.get(block).copied().unwrap_or(true)
            }
            _ => true,
        };
        reached.fields.add(version, position, may_have_run);
        let run = run(version, position, hits, may_have_run);
        uses.extend(run.uses.iter().copied());
        runs.push(run);
    }
    reached.uses = uses.into_iter().collect();
    (reached, runs)
}

/// What a method did that was entered.
fn run(version: &Version, position: usize, hits: &Hits, may_have_run: impl Fn(u32) -> bool) -> MethodRun {
    let Some(method) = version.methods.get(position) else { return MethodRun::default() };
    let (mut uses, mut statics) = (BTreeSet::new(), BTreeSet::new());
    for used in method.references.iter().filter(|used| may_have_run(used.instruction)) {
        let is_own = Some(used.class) == version.name;
        // That a class names itself says nothing.
        if !is_own {
            uses.insert((used.usage, used.class));
        }
        // What an initialiser does to its own class belongs to all that use the class.
        if let Some(key) = used.member
            && matches!(used.usage, Use::StaticField | Use::Literal | Use::Bootstrap)
            && !(is_own && method.is_initialiser)
        {
            statics.insert((used.class, key));
        }
    }
    let probes = method.probes.clone().chain(method.entry_probe).filter(|&probe| hits.has(probe));
    MethodRun {
        position,
        hits: probes.collect(),
        uses: uses.into_iter().collect(),
        statics: statics.into_iter().collect(),
    }
}
