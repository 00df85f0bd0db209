//! Where the probes of a class stand and which number each has.
//!
//! The rules are JaCoCo's, and so are the numbers: one counter runs through all bodies of a class in the order of the
//! file. The plan is a value: the agent inserts by it and coverage is computed by it, so the two cannot disagree.

use crate::entry::{EntryAnalysis, Harmless};
use crate::list::{CodeList, InstructionNode, Label, Node};
use probity_classfile::opcode::{Flow, Opcode};

/// Where a probe stands in a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probe {
    /// The position of its node in the list.
    pub node: u32,
    /// How it stands there.
    pub place: Place,
}

/// How a probe stands at its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In front of a label: it runs when execution falls through to the label, not when it jumps.
    FallThrough(Label),
    /// In front of an instruction that leaves the method.
    Exit,
    /// On the way from a jump to its target.
    Jump(Label),
    /// On the way from a switch to one of its targets.
    SwitchEdge(Label),
}

/// The probes of one body.
#[derive(Clone, Debug, Default)]
pub struct MethodPlan {
    /// The probes in the order of their numbers.
    pub probes: Vec<Probe>,
    /// Whether the method needs a probe at its entry, because it can be left by an exception before any other probe.
    pub needs_entry_probe: bool,
}

/// What flows into a label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LabelFlow(u8);

/// Something jumps here: an instruction, the start of the method, a protected range or a handler that starts here.
const TARGET: u8 = 1;
/// More than one thing leads here.
const MULTI_TARGET: u8 = 2;
/// The instruction before can fall through to here.
const SUCCESSOR: u8 = 4;
/// A line starts here in which something is called.
const CALLING_LINE: u8 = 8;

impl LabelFlow {
    fn target(&mut self) {
        self.0 |= if self.0 & (TARGET | SUCCESSOR) != 0 { MULTI_TARGET } else { TARGET };
    }

    fn successor(&mut self) {
        self.0 |= if self.0 & TARGET != 0 { SUCCESSOR | MULTI_TARGET } else { SUCCESSOR };
    }

    fn is(self, flag: u8) -> bool {
        self.0 & flag != 0
    }
}

/// Makes plans; keeps its memory from one body to the next.
#[derive(Debug, Default)]
pub struct Planner {
    flows: Vec<LabelFlow>,
    /// In which round each label was asked for last; a round is one look at the targets of one instruction.
    last_round: Vec<u32>,
    round: u32,
    entry: EntryAnalysis,
}

impl Planner {
    /// Plans the probes of one body, all but the one at its entry.
    pub(crate) fn plan(&mut self, list: &CodeList, plan: &mut MethodPlan) {
        plan.probes.clear();
        plan.needs_entry_probe = false;
        self.find_flows(list);
        self.place_probes(list, plan);
    }

    /// Finds out whether a body needs a probe at its entry besides those that were planned.
    pub(crate) fn plan_entry(&mut self, harmless: &Harmless<'_, '_>, list: &CodeList, plan: &mut MethodPlan) {
        plan.needs_entry_probe = self.entry.can_throw_before_probe(harmless, list, &plan.probes);
    }

    /// Whether a label is one at which several ways meet. Valid for the body that was planned last.
    #[must_use]
    pub fn is_multi_target(&self, label: Label) -> bool {
        self.flow(label).is(MULTI_TARGET)
    }

    /// Whether a label follows an instruction that can fall through. Valid for the body that was planned last.
    #[must_use]
    pub fn is_successor(&self, label: Label) -> bool {
        self.flow(label).is(SUCCESSOR)
    }

    fn flow(&self, label: Label) -> LabelFlow {
        self.flows.get(label.0 as usize).copied().unwrap_or_default()
    }

    fn flow_mut(&mut self, label: Label, change: impl FnOnce(&mut LabelFlow)) {
        if let Some(flow) = self.flows.get_mut(label.0 as usize) {
            change(flow);
        }
    }

    /// Finds out what flows into each label.
    fn find_flows(&mut self, list: &CodeList) {
        self.flows.clear();
        self.flows.resize(list.label_limit(), LabelFlow::default());
        // The rounds are needed for switches only, which most bodies do not have.
        self.last_round.clear();
        self.round = 0;
        for entry in list.exceptions() {
            self.flow_mut(entry.start, LabelFlow::target);
            self.flow_mut(entry.handler, LabelFlow::target);
        }
        let mut first = true;
        let mut falls_through = false;
        let mut line_start = None;
        for node in list.nodes() {
            match node {
                Node::Label(label) => {
                    if first {
                        self.flow_mut(*label, LabelFlow::target);
                    }
                    if falls_through {
                        self.flow_mut(*label, LabelFlow::successor);
                    }
                }
                Node::Line { label, line } if *line != 0 => line_start = Some(*label),
                Node::Line { .. } | Node::Frame => {}
                Node::Instruction(instruction) => {
                    first = false;
                    falls_through = instruction.opcode.flow().falls_through();
                    if is_call(instruction.opcode)
                        && let Some(label) = line_start
                    {
                        self.flow_mut(label, |flow| flow.0 |= CALLING_LINE);
                    }
                    self.mark_targets(list, instruction);
                }
            }
        }
    }

    /// A jump marks its target, a switch each of its targets once.
    fn mark_targets(&mut self, list: &CodeList, instruction: &InstructionNode) {
        match list.targets(instruction) {
            [] => {}
            [target] => self.flow_mut(*target, LabelFlow::target),
            targets => {
                self.start_round(list);
                for &target in targets {
                    if self.is_new_in_round(target) {
                        self.flow_mut(target, LabelFlow::target);
                    }
                }
            }
        }
    }

    fn start_round(&mut self, list: &CodeList) {
        self.last_round.resize(list.label_limit(), 0);
        self.round += 1;
    }

    /// Whether a label is asked for the first time in this round.
    fn is_new_in_round(&mut self, label: Label) -> bool {
        match self.last_round.get_mut(label.0 as usize) {
            Some(last) => std::mem::replace(last, self.round) != self.round,
            None => false,
        }
    }

    fn place_probes(&mut self, list: &CodeList, plan: &mut MethodPlan) {
        for (node, at) in list.nodes().iter().zip(0..) {
            match node {
                Node::Label(label) => {
                    let flow = self.flow(*label);
                    if flow.is(SUCCESSOR) && flow.is(MULTI_TARGET | CALLING_LINE) {
                        plan.probes.push(Probe { node: at, place: Place::FallThrough(*label) });
                    }
                }
                Node::Line { .. } | Node::Frame => {}
                Node::Instruction(instruction) => match instruction.opcode.flow() {
                    Flow::Return | Flow::Throw => plan.probes.push(Probe { node: at, place: Place::Exit }),
                    Flow::Branch | Flow::Goto => {
                        if let [target] = *list.targets(instruction)
                            && self.is_multi_target(target)
                        {
                            plan.probes.push(Probe { node: at, place: Place::Jump(target) });
                        }
                    }
                    Flow::Switch => self.place_switch_probes(list, instruction, at, plan),
                    Flow::Next | Flow::Call | Flow::Ret => {}
                },
            }
        }
    }

    /// Default first, then the cases in order, each target once.
    fn place_switch_probes(
        &mut self,
        list: &CodeList,
        instruction: &InstructionNode,
        at: u32,
        plan: &mut MethodPlan,
    ) {
        self.start_round(list);
        for &target in list.targets(instruction) {
            if self.is_multi_target(target) && self.is_new_in_round(target) {
                plan.probes.push(Probe { node: at, place: Place::SwitchEdge(target) });
            }
        }
    }
}

fn is_call(opcode: Opcode) -> bool {
    (Opcode::INVOKEVIRTUAL..=Opcode::INVOKEDYNAMIC).contains(&opcode)
}
