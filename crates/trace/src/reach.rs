//! What the code of a class that ran may have used, given the probes that were hit.
//!
//! A method counts if it was entered. In it, a block counts unless every way into it is known not to have been taken: a block
//! may have run in part, since an exception leaves it before its probe. Hits that do not tell of a run from the entry on
//! are those of a method that was running already when the stretch of time began: all of it counts.

use crate::hits::Hits;
use crate::names::NameId;
use crate::runs::{MethodRun, Runs};
use crate::shared_state::FieldUses;
use crate::versions::{Method, Version, Versions};
use probity_shape::{FlowGraph, Use};
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
        let ran = graph.and_then(|graph| blocks_that_may_have_run(graph, method, hits));
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

/// For each block whether it may have run; nothing if the hits do not tell of a run from the entry on.
fn blocks_that_may_have_run(graph: &FlowGraph, method: &Method, hits: &Hits) -> Option<Vec<bool>> {
    let is_hit = |probe: u32| hits.has(method.probes.start + probe);
    let mut ran = vec![false; graph.blocks.len()];
    let mut pending = vec![0];
    let mut explained = 0;
    while let Some(block) = pending.pop() {
        let Some(seen) = ran.get_mut(block as usize) else { continue };
        if std::mem::replace(seen, true) {
            continue;
        }
        let Some(block) = graph.blocks.get(block as usize) else { continue };
        explained += usize::from(block.exit_probe.is_some_and(is_hit));
        for edge in &block.edges {
            match edge.probe {
                Some(probe) if !is_hit(probe) => {}
                probe => {
                    explained += usize::from(probe.is_some());
                    pending.push(edge.to);
                }
            }
        }
        pending.extend(&block.handlers);
    }
    // Each probe stands on one way, or in front of one exit.
    let hit = method.probes.clone().filter(|&probe| hits.has(probe)).count();
    (hit == explained).then_some(ran)
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_shape::{Block, Edge};
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn block(start: u32, edges: &[(u32, Option<u32>)], handlers: &[u32], exit_probe: Option<u32>) -> Block {
        Block {
            instructions: start..start + 2,
            edges: edges.iter().map(|&(to, probe)| Edge { to, probe }).collect(),
            handlers: handlers.to_vec(),
            exit_probe,
        }
    }

    /// `if (a) { b } c; return` with a handler for `b`, which returns as well.
    fn graph() -> FlowGraph {
        FlowGraph {
            blocks: vec![
                block(0, &[(1, None), (2, Some(0))], &[], None),
                block(2, &[(2, Some(1))], &[3], None),
                block(4, &[], &[], Some(2)),
                block(6, &[], &[], Some(3)),
            ],
        }
    }

    fn ran(probes: &[u32]) -> Option<Vec<bool>> {
        let method = Method { probes: 10..14, ..Method::default() };
        let hits = probes.iter().map(|probe| probe + 10).collect();
        blocks_that_may_have_run(&graph(), &method, &hits)
    }

    #[test]
    fn a_block_counts_unless_every_way_into_it_was_not_taken() {
        // Jumped over `b`; but `b` could have thrown in another call, with no probe to tell of it.
        assert_eq!(ran(&[0, 2]), Some(vec![true, true, true, true]));
        assert_eq!(ran(&[3]), Some(vec![true, true, false, true]));
        assert_eq!(ran(&[]), Some(vec![true, true, false, true]));
    }

    #[test]
    fn hits_without_a_way_from_the_entry_are_not_explained() {
        assert_eq!(ran(&[2]), None);
    }

    /// Edges with or without a probe, and handlers; a block without edges leaves the method.
    fn graphs() -> impl Strategy<Value = FlowGraph> {
        let block = (vec((0..6_u32, any::<bool>()), 0..3), vec(0..6_u32, 0..2));
        vec(block, 6).prop_map(|blocks| {
            let mut probes = 0..;
            let blocks = blocks.into_iter().zip((0..).step_by(2)).map(|((edges, handlers), start)| Block {
                instructions: start..start + 2,
                exit_probe: edges.is_empty().then(|| probes.next()).flatten(),
                edges: edges
                    .into_iter()
                    .map(|(to, has_probe)| Edge { to, probe: probes.next().filter(|_| has_probe) })
                    .collect(),
                handlers,
            });
            FlowGraph { blocks: blocks.collect() }
        })
    }

    /// Runs a method as a JVM would, with a choice for each step, and notes the blocks and the probes that it meets.
    fn run(graph: &FlowGraph, choices: &[u8], blocks: &mut [bool], hits: &mut Vec<u32>) {
        let mut at = 0;
        for &choice in choices {
            let block = &graph.blocks[at as usize];
            blocks[at as usize] = true;
            let choice = usize::from(choice);
            if choice % 3 == 0 {
                // Something throws in the middle of the block.
                match block.handlers.get(choice / 3 % 2) {
                    Some(&handler) => at = handler,
                    None => return,
                }
            } else if let Some(edge) = block.edges.get(choice % block.edges.len().max(1)) {
                hits.extend(edge.probe);
                at = edge.to;
            } else {
                hits.extend(block.exit_probe);
                return;
            }
        }
    }

    proptest! {
        #[test]
        fn whatever_ran_counts(graph in graphs(), runs in vec(vec(any::<u8>(), 1..10), 1..4)) {
            let (mut blocks, mut hits) = (vec![false; graph.blocks.len()], Vec::new());
            for choices in runs {
                run(&graph, &choices, &mut blocks, &mut hits);
            }
            let method = Method { probes: 0..64, ..Method::default() };
            let may = blocks_that_may_have_run(&graph, &method, &hits.into_iter().collect());
            let may = may.expect("all hits are on ways from the entry");
            prop_assert!(blocks.iter().zip(&may).all(|(ran, may)| *may || !ran), "{blocks:?} {may:?}");
        }
    }
}
