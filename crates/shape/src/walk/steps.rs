//! A body as the walk sees it: what each instruction does, where it leads, and which probes stand on the way.
//!
//! What an instruction does is written without where it leads and without where anything stands; which types of exceptions are
//! caught around it belongs to it, if it can throw. Where it leads is told by role, so that the ways of two versions can be
//! put side by side.

use probity_classfile::attribute::Code;
use probity_classfile::instruction::{Instruction, Operand};
use probity_classfile::opcode::{Flow, Opcode};
use probity_classfile::{ClassFile, Member};
use probity_instrument::Harmless;
use probity_instrument::list::{CodeList, InstructionNode};
use probity_instrument::plan::MethodPlan;
use std::ops::Range;

use crate::body::write_instruction;
use crate::canonical::Canonical;
use crate::flow::{Numbered, ProbesOfBody};
use crate::shape::ShapeError;
use crate::ways::Way;

/// The instructions of one body, to be compared with those of another version of it.
#[derive(Clone, Debug, Default)]
pub struct BodySteps {
    pub(super) steps: Vec<Step>,
    /// What the steps do, one after the other.
    forms: Vec<u8>,
    /// How many probes there are, without the one at the entry.
    pub(super) probes: u32,
}

/// One instruction.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Where it is written what it does.
    form: Range<usize>,
    /// Whether it does nothing but lead on, by its only way.
    pub(super) is_empty: bool,
    /// Whether it is linked on its own, the first time that it runs, and keeps what came of that.
    pub(super) is_linked: bool,
    /// Where it leads, in the order of roles.
    pub(super) ways: Vec<(Role, Way)>,
}

/// When a way is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// Always, or if a condition does not hold.
    Next,
    /// If a condition holds.
    Jump,
    /// If a switch has this key.
    Key(i32),
    /// If a switch does not have the key.
    Default,
    /// When the method returns.
    Exit,
    /// If something is thrown that the handler at this place catches.
    Thrown(u32),
    /// If something is thrown that nobody catches here; or if the recording ended meanwhile.
    Uncaught,
}

impl BodySteps {
    /// What a step does. Two steps that do the same have the same roles, but for the keys of switches.
    pub(super) fn form(&self, step: &Step) -> &[u8] {
        self.forms.get(step.form.clone()).unwrap_or_default()
    }

    pub(super) fn step(&self, number: u32) -> Option<&Step> {
        self.steps.get(number as usize)
    }

    /// Reads a body as it stands in its class; nothing if it has subroutines.
    pub(crate) fn read(
        class: &ClassFile<'_>,
        method: &Member<'_>,
        code: &Code<'_>,
        list: &CodeList,
        plan: &MethodPlan,
    ) -> Result<Option<Self>, ShapeError> {
        let numbered = Numbered::of(list);
        let reader = Reader {
            list,
            probes: ProbesOfBody::of(plan, &numbered),
            harmless: Harmless::new(class, method, code),
            catches: Catch::all(class, list, &numbered)?,
            has_monitors: numbered.instructions.iter().any(|(_, node)| locks(node.opcode)),
            numbered: &numbered,
        };
        let mut canonical = Canonical::new(class);
        let mut steps = Vec::with_capacity(numbered.instructions.len());
        for (number, instruction) in (0..).zip(code.instructions()) {
            let Some(step) = reader.step(number, &instruction?, &mut canonical)? else { return Ok(None) };
            steps.push(step);
        }
        let mut body = Self { steps, forms: canonical.out, probes: plan.probes.len() as u32 };
        body.keep_endless_circles();
        Ok(Some(body))
    }

    /// A body of parts that somebody made up.
    #[cfg(test)]
    pub(super) fn made_up(parts: impl IntoIterator<Item = (Vec<u8>, Vec<(Role, Way)>)>, probes: u32) -> Self {
        let mut body = Self { probes, ..Self::default() };
        for (form, mut ways) in parts {
            let start = body.forms.len();
            body.forms.extend(&form);
            ways.sort_unstable();
            let is_empty = form.is_empty();
            let is_linked = form.starts_with(&[Opcode::INVOKEDYNAMIC.0]);
            body.steps.push(Step { form: start..body.forms.len(), is_empty, is_linked, ways });
        }
        body.keep_endless_circles();
        body
    }

    /// Going round for ever is something that a body does: steps that lead to nothing but each other are not empty.
    fn keep_endless_circles(&mut self) {
        // 0 for those that were not looked at, otherwise in which round they were.
        let mut rounds = vec![0_usize; self.steps.len()];
        for start in 0..self.steps.len() {
            let mut at = start;
            while let Some(step) = self.steps.get(at)
                && step.is_empty
                && let Some(seen) = rounds.get_mut(at).filter(|seen| **seen == 0)
            {
                *seen = start + 1;
                at = step.ways.first().and_then(|(_, way)| way.to).map_or(usize::MAX, |to| to as usize);
            }
            let is_circle =
                rounds.get(at) == Some(&(start + 1)) && self.steps.get(at).is_some_and(|step| step.is_empty);
            let mut circle = is_circle.then_some(at);
            while let Some(step) = circle.and_then(|at| self.steps.get_mut(at)).filter(|step| step.is_empty) {
                step.is_empty = false;
                circle = step.ways.first().and_then(|(_, way)| way.to).map(|to| to as usize);
            }
        }
    }
}

/// A protected range.
struct Catch {
    instructions: Range<u32>,
    handler: u32,
    /// The type that is caught; empty for all.
    caught: Vec<u8>,
}

impl Catch {
    fn all(class: &ClassFile<'_>, list: &CodeList, numbered: &Numbered<'_>) -> Result<Vec<Self>, ShapeError> {
        let mut catches = Vec::with_capacity(list.exceptions().len());
        for entry in list.exceptions() {
            let mut canonical = Canonical::new(class);
            if entry.catch_type != 0 {
                canonical.constant(entry.catch_type)?;
            }
            catches.push(Self {
                instructions: numbered.number(entry.start)..numbered.number(entry.end),
                handler: numbered.number(entry.handler),
                caught: canonical.out,
            });
        }
        Ok(catches)
    }
}

/// Whether an instruction takes or gives back a lock: returns throw if that does not add up.
fn locks(opcode: Opcode) -> bool {
    matches!(opcode, Opcode::MONITORENTER | Opcode::MONITOREXIT)
}

/// Reads the steps of one body.
struct Reader<'r, 'a> {
    list: &'r CodeList,
    numbered: &'r Numbered<'r>,
    probes: ProbesOfBody,
    harmless: Harmless<'r, 'a>,
    catches: Vec<Catch>,
    has_monitors: bool,
}

impl Reader<'_, '_> {
    /// Writes what an instruction does and says where it leads; nothing for subroutines.
    fn step(
        &self,
        number: u32,
        instruction: &Instruction<'_>,
        canonical: &mut Canonical<'_, '_>,
    ) -> Result<Option<Step>, ShapeError> {
        let Some((at, node)) = self.numbered.instructions.get(number as usize) else { return Ok(None) };
        let start = canonical.out.len();
        match instruction.operand {
            // Both kinds of switches do the same, and their keys are roles.
            Operand::Switch(_) => canonical.byte(Opcode::TABLESWITCH.0),
            // Where a jump leads is told by its way.
            _ => write_instruction(canonical, instruction, &|_| 0)?,
        }
        let Some(mut ways) = self.ways_on(number, node, instruction) else { return Ok(None) };
        let exit_probe = self.probes.exits.get(&number).copied();
        let throws = match node.opcode.flow() {
            Flow::Throw => true,
            Flow::Return => self.has_monitors,
            _ => self.harmless.can_throw(self.list, *at, node),
        };
        if throws {
            self.add_handlers(number, exit_probe, &mut ways, canonical);
        }
        // What others can see before a probe is met must not be taken for something that never was.
        if throws || node.opcode == Opcode::PUTFIELD {
            ways.push((Role::Uncaught, Way::out(exit_probe)));
        }
        ways.sort_unstable();
        let leads_on = ways.iter().all(|(_, way)| way.to.is_some());
        let is_empty = matches!(node.opcode, Opcode::NOP | Opcode::GOTO) && leads_on;
        let is_linked = node.opcode == Opcode::INVOKEDYNAMIC;
        Ok(Some(Step { form: start..canonical.out.len(), is_empty, is_linked, ways }))
    }

    /// Where an instruction leads that does not throw.
    fn ways_on(
        &self,
        number: u32,
        node: &InstructionNode,
        instruction: &Instruction<'_>,
    ) -> Option<Vec<(Role, Way)>> {
        let targets = self.list.targets(node).iter().map(|&label| {
            let target = self.numbered.number(label);
            Way::to(target, self.probes.jumps.get(&(number, target)).copied())
        });
        let next = number + 1;
        let next = if (next as usize) < self.numbered.instructions.len() {
            Way::to(next, self.probes.falls.get(&next).copied())
        } else {
            // In no body that the JVM accepts.
            Way::out(None)
        };
        Some(match node.opcode.flow() {
            Flow::Next => vec![(Role::Next, next)],
            Flow::Branch => targets.map(|way| (Role::Jump, way)).chain([(Role::Next, next)]).collect(),
            Flow::Goto => targets.map(|way| (Role::Next, way)).collect(),
            Flow::Switch => {
                let Operand::Switch(switch) = instruction.operand else { return None };
                let keys = switch.cases().map(|(key, _)| Role::Key(key));
                [Role::Default].into_iter().chain(keys).zip(targets).collect()
            }
            Flow::Return => vec![(Role::Exit, Way::out(self.probes.exits.get(&number).copied()))],
            Flow::Throw => Vec::new(),
            Flow::Call | Flow::Ret => return None,
        })
    }

    /// Adds the ways to the handlers around an instruction, and what they catch to what it does. Handlers that never get
    /// anything, since one before them catches the same or all, are left out.
    fn add_handlers(
        &self,
        number: u32,
        probe: Option<u32>,
        ways: &mut Vec<(Role, Way)>,
        canonical: &mut Canonical<'_, '_>,
    ) {
        let mut caught: Vec<&[u8]> = Vec::new();
        for catch in self.catches.iter().filter(|catch| catch.instructions.contains(&number)) {
            if caught.contains(&catch.caught.as_slice()) {
                continue;
            }
            ways.push((Role::Thrown(caught.len() as u32), Way::to(catch.handler, probe)));
            caught.push(&catch.caught);
            if catch.caught.is_empty() {
                break;
            }
        }
        canonical.byte(u8::MAX);
        caught.iter().for_each(|caught| canonical.bytes(caught));
    }
}
