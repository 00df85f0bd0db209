//! The control flow of a body, with the probes on its edges.
//!
//! It is made on demand, for the few bodies that changed. Blocks are runs of instructions that are entered at the first; an
//! instruction that can throw does not end its block, so a block that was entered may have run in part: who asks what a test may have
//! run must take that into account.

use crate::hash::ShapeHash;
use probity_instrument::list::{CodeList, InstructionNode, Label, Node};
use probity_instrument::plan::{MethodPlan, Place};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// The control flow of one body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowGraph {
    /// The blocks, in the order of the body; the first is entered when the method is.
    pub blocks: Vec<Block>,
}

/// A run of instructions that is entered at the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The numbers of its instructions.
    pub instructions: Range<u32>,
    /// Where it leads.
    pub edges: Vec<Edge>,
    /// The blocks that handle exceptions thrown in it.
    pub handlers: Vec<u32>,
    /// The probe in front of the instruction that leaves the method here, counted in the method.
    pub exit_probe: Option<u32>,
}

/// A way from a block to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The block that it leads to.
    pub to: u32,
    /// The probe on it, counted in the method. A switch whose cases share a target shares its probe.
    pub probe: Option<u32>,
}

/// Numbers the instructions of a list and knows at which number each label stands.
struct Numbered<'l> {
    instructions: Vec<(u32, &'l InstructionNode)>,
    labels: HashMap<Label, u32>,
}

impl<'l> Numbered<'l> {
    fn of(list: &'l CodeList) -> Self {
        let mut numbered = Self { instructions: Vec::new(), labels: HashMap::new() };
        for (node, at) in list.nodes().iter().zip(0..) {
            let number = numbered.instructions.len() as u32;
            match node {
                Node::Label(label) => {
                    numbered.labels.insert(*label, number);
                }
                Node::Instruction(instruction) => numbered.instructions.push((at, instruction)),
                Node::Line { .. } | Node::Frame => {}
            }
        }
        numbered
    }

    fn number(&self, label: Label) -> u32 {
        self.labels.get(&label).copied().unwrap_or(self.instructions.len() as u32)
    }
}

impl FlowGraph {
    /// The control flow of a body and the probes of its plan.
    #[must_use]
    pub fn new(list: &CodeList, plan: &MethodPlan) -> Self {
        let numbered = Numbered::of(list);
        let count = numbered.instructions.len() as u32;
        let probes = ProbesOfBody::of(plan, &numbered);
        let mut starts = starts_of_blocks(list, &numbered);
        starts.extend(probes.falls.keys());
        let starts: Vec<u32> = starts.into_iter().filter(|&start| start < count).collect();
        let block_at =
            |number: u32| starts.partition_point(|&start| start <= number).saturating_sub(1) as u32;
        let ends = starts.iter().skip(1).copied().chain([count]);
        let mut blocks: Vec<Block> = starts
            .iter()
            .zip(ends)
            .map(|(&start, end)| Block {
                instructions: start..end,
                edges: edges(list, &numbered, &probes, end, count, &block_at),
                handlers: Vec::new(),
                exit_probe: end.checked_sub(1).and_then(|last| probes.exits.get(&last).copied()),
            })
            .collect();
        for entry in list.exceptions() {
            let (first, last) = (numbered.number(entry.start), numbered.number(entry.end));
            let handler = block_at(numbered.number(entry.handler));
            for block in &mut blocks {
                let is_inside = block.instructions.start < last && block.instructions.end > first;
                if is_inside && !block.handlers.contains(&handler) {
                    block.handlers.push(handler);
                }
            }
        }
        Self { blocks }
    }
}

/// Where the probes of a body stand, by the numbers of instructions.
pub(crate) fn probe_places(list: &CodeList, plan: &MethodPlan) -> ShapeHash {
    let mut numbers = Vec::with_capacity(list.nodes().len());
    let mut labels = vec![0; list.label_limit()];
    let mut next = 0_u32;
    for node in list.nodes() {
        numbers.push(next);
        match node {
            Node::Label(label) => labels.get_mut(label.0 as usize).into_iter().for_each(|at| *at = next),
            Node::Instruction(_) => next += 1,
            Node::Line { .. } | Node::Frame => {}
        }
    }
    let number = |node: u32| numbers.get(node as usize).copied().unwrap_or_default();
    let label = |label: Label| labels.get(label.0 as usize).copied().unwrap_or_default();
    let mut places = vec![u8::from(plan.needs_entry_probe)];
    for probe in &plan.probes {
        let (kind, from, to) = match probe.place {
            Place::FallThrough(target) => (0, 0, label(target)),
            Place::Exit => (1, number(probe.node), 0),
            Place::Jump(target) => (2, number(probe.node), label(target)),
            Place::SwitchEdge(target) => (3, number(probe.node), label(target)),
        };
        places.push(kind);
        places.extend(from.to_be_bytes());
        places.extend(to.to_be_bytes());
    }
    ShapeHash::of(&places)
}

/// Blocks start at the first instruction, at targets, at handlers, after whatever may lead elsewhere, and where a protected
/// range starts or ends; and, which is not seen here, where a probe stands between two instructions.
fn starts_of_blocks(list: &CodeList, numbered: &Numbered<'_>) -> BTreeSet<u32> {
    let mut starts = BTreeSet::from([0]);
    for (number, (_, instruction)) in (0..).zip(&numbered.instructions) {
        let targets = list.targets(instruction);
        starts.extend(targets.iter().map(|&target| numbered.number(target)));
        if !targets.is_empty() || !instruction.opcode.flow().falls_through() {
            starts.insert(number + 1);
        }
    }
    for entry in list.exceptions() {
        starts.extend([entry.start, entry.end, entry.handler].map(|label| numbered.number(label)));
    }
    starts
}

/// The probes of a body by where they stand.
#[derive(Default)]
struct ProbesOfBody {
    /// In front of the instruction of this number, on the way of falling through to it.
    falls: HashMap<u32, u32>,
    exits: HashMap<u32, u32>,
    jumps: HashMap<(u32, u32), u32>,
}

impl ProbesOfBody {
    fn of(plan: &MethodPlan, numbered: &Numbered<'_>) -> Self {
        let number_of_node: HashMap<u32, u32> =
            numbered.instructions.iter().map(|(node, _)| *node).zip(0..).collect();
        let mut probes = Self::default();
        for (probe, number) in plan.probes.iter().zip(0..) {
            let instruction = number_of_node.get(&probe.node).copied().unwrap_or_default();
            match probe.place {
                Place::FallThrough(label) => {
                    probes.falls.insert(numbered.number(label), number);
                }
                Place::Exit => {
                    probes.exits.insert(instruction, number);
                }
                Place::Jump(label) | Place::SwitchEdge(label) => {
                    probes.jumps.insert((instruction, numbered.number(label)), number);
                }
            }
        }
        probes
    }
}

/// The ways out of the block that ends before an instruction.
fn edges(
    list: &CodeList,
    numbered: &Numbered<'_>,
    probes: &ProbesOfBody,
    end: u32,
    count: u32,
    block_at: &impl Fn(u32) -> u32,
) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    let Some(last) = end.checked_sub(1) else { return edges };
    let Some((_, instruction)) = numbered.instructions.get(last as usize) else { return edges };
    if instruction.opcode.flow().falls_through() && end < count {
        edges.push(Edge { to: block_at(end), probe: probes.falls.get(&end).copied() });
    }
    for &target in list.targets(instruction) {
        let number = numbered.number(target);
        let edge = Edge { to: block_at(number), probe: probes.jumps.get(&(last, number)).copied() };
        if !edges.contains(&edge) {
            edges.push(edge);
        }
    }
    edges
}
