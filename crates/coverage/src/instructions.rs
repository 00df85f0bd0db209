//! The instructions of a body with their branches, and which of them were executed.
//!
//! Probes tell of few places; what lies between them follows. An instruction is executed when the one that it leads to
//! is, so each hit is carried back along the one way that led to it, until something is met that is known already.

use probity_classfile::opcode::Flow;
use probity_instrument::list::{CodeList, Label, Node};
use probity_instrument::plan::{Place, Probe};

/// Which branches of an instruction were taken, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BranchSet {
    low: u64,
    /// Those from 64 on, which only large switches have: a pointer for all others.
    #[allow(
        clippy::box_collection,
        reason = "three words in every instruction would be more than all else in it"
    )]
    high: Option<Box<Vec<u64>>>,
}

impl BranchSet {
    pub(crate) fn insert(&mut self, branch: u32) {
        if branch < 64 {
            self.low |= 1 << branch;
            return;
        }
        let high = self.high.get_or_insert_default();
        let word = branch as usize / 64 - 1;
        if high.len() <= word {
            high.resize(word + 1, 0);
        }
        if let Some(place) = high.get_mut(word) {
            *place |= 1 << (branch % 64);
        }
    }

    fn high(&self) -> &[u64] {
        self.high.as_deref().map(Vec::as_slice).unwrap_or_default()
    }

    pub(crate) fn contains(&self, branch: u32) -> bool {
        let word =
            if branch < 64 { Some(self.low) } else { self.high().get(branch as usize / 64 - 1).copied() };
        word.is_some_and(|word| word >> (branch % 64) & 1 == 1)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.low == 0 && self.high().iter().all(|&word| word == 0)
    }

    pub(crate) fn len(&self) -> u32 {
        self.low.count_ones() + self.high().iter().map(|word| word.count_ones()).sum::<u32>()
    }

    pub(crate) fn union(&mut self, other: &Self) {
        self.low |= other.low;
        if other.high().is_empty() {
            return;
        }
        let high = self.high.get_or_insert_default();
        if high.len() < other.high().len() {
            high.resize(other.high().len(), 0);
        }
        for (mine, theirs) in high.iter_mut().zip(other.high()) {
            *mine |= theirs;
        }
    }
}

/// The line of an instruction before which no line was named.
pub(crate) const NO_LINE: i32 = -1;

/// One instruction.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    /// The position of its node in the list.
    pub(crate) node: u32,
    pub(crate) line: i32,
    /// How many branches there are.
    pub(crate) branches: u32,
    /// Which of them were taken.
    pub(crate) taken: BranchSet,
    /// The instruction that led here last, and by which branch.
    pub(crate) from: Option<(u32, u32)>,
}

/// The instructions of a body, in its order. They can be filled again and again, to keep their memory.
#[derive(Debug, Default)]
pub(crate) struct Instructions {
    instructions: Vec<Instruction>,
    /// For each node of the list, the position of its instruction.
    of_node: Vec<u32>,
    /// The instruction at each label.
    at_label: Vec<u32>,
    /// Labels that wait for their instruction.
    open_labels: Vec<Label>,
    /// Jumps whose targets are wired at the end: source, target, branch.
    edges: Vec<(u32, Label, u32)>,
}

const NONE: u32 = u32::MAX;

impl Instructions {
    /// The instructions in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Instruction> {
        self.instructions.iter()
    }

    /// The instruction of a node, if the node is one.
    pub(crate) fn at(&self, node: usize) -> Option<&Instruction> {
        self.instructions.get(*self.of_node.get(node)? as usize)
    }

    pub(crate) fn at_mut(&mut self, node: usize) -> Option<&mut Instruction> {
        self.instructions.get_mut(*self.of_node.get(node)? as usize)
    }

    /// Works out the instructions of a body. `hit` says which of the body's probes were executed.
    pub(crate) fn fill(&mut self, list: &CodeList, probes: &[Probe], hit: &dyn Fn(usize) -> bool) {
        self.instructions.clear();
        self.of_node.clear();
        self.of_node.resize(list.nodes().len(), NONE);
        self.at_label.clear();
        self.at_label.resize(list.label_limit(), NONE);
        self.open_labels.clear();
        self.edges.clear();
        let mut building = Building { list, hit, filled: self, current: None, line: NO_LINE };
        building.walk(probes);
        building.wire();
    }
}

struct Building<'b> {
    list: &'b CodeList,
    hit: &'b dyn Fn(usize) -> bool,
    filled: &'b mut Instructions,
    /// The instruction that flows into the next one.
    current: Option<u32>,
    line: i32,
}

impl Building<'_> {
    fn walk(&mut self, probes: &[Probe]) {
        let list = self.list;
        let mut next_probe = 0;
        let mut falls_through = false;
        for (at, node) in list.nodes().iter().enumerate() {
            let first = next_probe;
            let behind = probes.get(first..).unwrap_or_default();
            let here = behind.iter().take_while(|probe| probe.node as usize == at).count();
            next_probe += here;
            match node {
                Node::Label(label) => {
                    if here > 0 {
                        self.probe(first, 0);
                        self.current = None;
                    }
                    if !falls_through {
                        self.current = None;
                    }
                    self.filled.open_labels.push(*label);
                }
                Node::Line { line, .. } => self.line = i32::from(*line),
                Node::Frame => {}
                Node::Instruction(instruction) => {
                    self.add(at);
                    let flow = instruction.opcode.flow();
                    falls_through = flow.falls_through();
                    let targets = list.targets(instruction);
                    match flow {
                        Flow::Return | Flow::Throw if here > 0 => self.probe(first, 0),
                        Flow::Branch | Flow::Goto if here > 0 => self.probe(first, 1),
                        Flow::Branch | Flow::Goto => {
                            if let [target, ..] = targets {
                                self.jump(*target, 1);
                            }
                        }
                        Flow::Switch if here == 0 => self.switch_without_probes(targets),
                        Flow::Switch => {
                            let here = behind.iter().take(here);
                            self.switch_with_probes(targets, here.zip(first..));
                        }
                        Flow::Return | Flow::Throw | Flow::Next | Flow::Call | Flow::Ret => {}
                    }
                }
            }
        }
    }

    fn add(&mut self, node: usize) {
        let position = self.filled.instructions.len() as u32;
        if let Some(place) = self.filled.of_node.get_mut(node) {
            *place = position;
        }
        let Instructions { open_labels, at_label, .. } = self.filled;
        for label in open_labels.drain(..) {
            if let Some(place) = at_label.get_mut(label.0 as usize) {
                *place = position;
            }
        }
        let from = self.current.map(|current| (current, 0));
        self.filled.instructions.push(Instruction {
            node: node as u32,
            line: self.line,
            branches: 0,
            taken: BranchSet::default(),
            from,
        });
        if let Some(current) =
            self.current.and_then(|current| self.filled.instructions.get_mut(current as usize))
        {
            current.branches += 1;
        }
        self.current = Some(position);
    }

    /// Adds a branch of the current instruction that a probe watches.
    fn probe(&mut self, number: usize, branch: u32) {
        let Some(current) = self.current else { return };
        if let Some(instruction) = self.filled.instructions.get_mut(current as usize) {
            instruction.branches += 1;
        }
        if (self.hit)(number) {
            self.propagate(current, branch);
        }
    }

    /// Adds a branch of the current instruction that leads to a label.
    fn jump(&mut self, target: Label, branch: u32) {
        if let Some(current) = self.current {
            self.filled.edges.push((current, target, branch));
        }
    }

    /// Targets are numbered as they are met first.
    fn switch_without_probes(&mut self, targets: &[Label]) {
        let mut branch = 0;
        for (position, target) in first_of_each(targets) {
            if position > 0 {
                branch += 1;
            }
            self.jump(target, branch);
        }
    }

    /// Targets are numbered by their place in the table, so that numbers may be left out.
    fn switch_with_probes<'p>(
        &mut self,
        targets: &[Label],
        probes: impl Iterator<Item = (&'p Probe, usize)>,
    ) {
        let mut probe_of: Vec<(Label, usize)> = probes
            .filter_map(|(probe, number)| match probe.place {
                Place::SwitchEdge(label) => Some((label, number)),
                _ => None,
            })
            .collect();
        probe_of.sort_unstable();
        for (position, target) in first_of_each(targets) {
            match probe_of
                .binary_search_by_key(&target, |(label, _)| *label)
                .ok()
                .and_then(|at| probe_of.get(at))
            {
                Some((_, number)) => self.probe(*number, position as u32),
                None => self.jump(target, position as u32),
            }
        }
    }

    /// Wires the jumps, now that every label has its instruction.
    fn wire(&mut self) {
        for (source, target, branch) in std::mem::take(&mut self.filled.edges) {
            let target = self.filled.at_label.get(target.0 as usize).copied().unwrap_or(NONE);
            if let Some(instruction) = self.filled.instructions.get_mut(source as usize) {
                instruction.branches += 1;
            }
            let executed = self.filled.instructions.get_mut(target as usize).is_some_and(|target| {
                target.from = Some((source, branch));
                !target.taken.is_empty()
            });
            if executed {
                self.propagate(source, branch);
            }
        }
    }

    /// Marks a branch as taken, and with it the way that led to its instruction.
    fn propagate(&mut self, instruction: u32, branch: u32) {
        let mut next = Some((instruction, branch));
        while let Some((at, branch)) = next {
            let Some(instruction) = self.filled.instructions.get_mut(at as usize) else { return };
            let known = !instruction.taken.is_empty();
            instruction.taken.insert(branch);
            next = if known { None } else { instruction.from };
        }
    }
}

/// The first place of each target: default, then cases.
fn first_of_each(targets: &[Label]) -> impl Iterator<Item = (usize, Label)> {
    let mut order: Vec<(Label, usize)> =
        targets.iter().copied().enumerate().map(|(at, label)| (label, at)).collect();
    order.sort_unstable();
    order.dedup_by_key(|(label, _)| *label);
    order.sort_unstable_by_key(|(_, at)| *at);
    order.into_iter().map(|(label, at)| (at, label))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branch_sets_hold_large_numbers() {
        let mut set = BranchSet::default();
        assert!(set.is_empty());
        for branch in [0, 63, 64, 1000] {
            set.insert(branch);
            assert!(set.contains(branch));
        }
        assert!(!set.contains(1) && !set.contains(65) && !set.contains(100_000));
        assert_eq!(set.len(), 4);
        let mut other = BranchSet::default();
        other.insert(2000);
        set.union(&other);
        assert_eq!(set.len(), 5);
    }

    #[test]
    fn targets_come_once_at_their_first_place() {
        let label = |number| Label(number);
        let targets = [label(9), label(3), label(9), label(1), label(3)];
        let found: Vec<_> = first_of_each(&targets).collect();
        assert_eq!(found, [(0, label(9)), (1, label(3)), (3, label(1))]);
    }
}
