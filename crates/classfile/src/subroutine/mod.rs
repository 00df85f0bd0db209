//! Inlines the subroutines (`jsr`, `ret`) of old class files.
//!
//! Up to version 50, `finally` could be a subroutine. Probes are numbered on the body in which each call of a subroutine
//! has its own copy, and only such a body can be analysed without following return addresses. The copies, their order
//! and which labels become one are those of ASM's inliner, because the numbers depend on them.
//!
//! A call becomes `aconst_null` and a `goto` to its copy; `ret` becomes a `goto` behind the call. Old bodies need no
//! frames; a `StackMapTable` that stands in one is left out, since the verifier never used it for such a body.
//! Copies of copies can grow without bound: the work is limited, and beyond it the body is refused.

mod assemble;
mod list;
mod reach;

use crate::attribute::{Code, MAX_CODE_LENGTH};
use crate::class::{ClassFile, Version};
use crate::cursor::Cursor;
use crate::edit::EditError;
use crate::error::Section;
use crate::instruction::Instruction;
use crate::opcode::{Flow, Opcode};
use list::{Node, NodeList};
use reach::Reach;

/// How many nodes and table entries all copies together may look at, once for each of their callers. The largest real
/// method that is known looks at some hundred thousand.
const MAX_WORK: usize = 1 << 22;

/// How many exceptions, or variables of all tables together, an inlined body may have: more than one table can hold.
const MAX_TABLE: usize = 1 << 18;

/// A place in an inlined body that is jumped to or named by a table. Several may stand at one code offset, and which of
/// them a jump names matters to those who count jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u32);

/// A body without subroutines.
#[derive(Clone, Debug)]
pub struct InlinedBody {
    items: Vec<Item>,
    targets: Vec<Label>,
    label_pcs: Vec<u32>,
    exceptions: Vec<InlinedException>,
    contents: Vec<u8>,
    version: Version,
}

/// One step through an inlined body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// A label stands here.
    Label(Label),
    /// A line starts at a label.
    Line {
        /// The label that the line's entry names.
        label: Label,
        /// The line.
        line: u16,
    },
    /// An instruction stands here.
    Instruction {
        /// Its code offset in the inlined body.
        pc: u32,
        /// Its code offset in the old body.
        old_pc: u32,
        /// The range of its targets: the target of a jump, or default and cases of a switch.
        targets: std::ops::Range<usize>,
    },
}

/// An entry of the exception table of an inlined body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InlinedException {
    /// Where the protected range starts.
    pub start: Label,
    /// Where it ends.
    pub end: Label,
    /// Where the handler starts.
    pub handler: Label,
    /// The index of the class that is caught, or 0 for all.
    pub catch_type: u16,
}

impl InlinedBody {
    /// Labels, lines and instructions in order.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The labels that an instruction's range of targets names.
    pub fn targets(&self, range: std::ops::Range<usize>) -> &[Label] {
        self.targets.get(range).unwrap_or_default()
    }

    /// How many labels there are: one more than the highest.
    pub fn label_count(&self) -> u32 {
        self.label_pcs.len() as u32
    }

    /// The code offset at which a label stands.
    pub fn label_pc(&self, label: Label) -> u32 {
        self.label_pcs.get(label.0 as usize).copied().unwrap_or(0)
    }

    /// The exception table by labels.
    pub fn exceptions(&self) -> &[InlinedException] {
        &self.exceptions
    }

    /// The contents of the `Code` attribute.
    pub fn contents(&self) -> &[u8] {
        &self.contents
    }

    /// The body as one that was read. Offsets in its errors count from the start of [`Self::contents`].
    pub fn code(&self) -> crate::Result<Code<'_>> {
        Code::read(&mut Cursor::new(&self.contents, 0, Section::Attribute(3)), self.version)
    }
}

/// Inlines the subroutines of a body; nothing if it calls none.
pub fn inline_subroutines<'a>(
    class: &ClassFile<'a>,
    code: &Code<'a>,
) -> Result<Option<InlinedBody>, EditError> {
    if !calls_subroutines(code)? {
        return Ok(None);
    }
    let list = NodeList::read(class, code)?;
    let reach = Reach::find(&list)?;
    let mut inliner = Inliner::new(&list, &reach);
    inliner.emit_all()?;
    inliner.assemble(class, code).map(Some)
}

fn calls_subroutines(code: &Code<'_>) -> Result<bool, EditError> {
    if code.version.major > 50 {
        return Ok(false);
    }
    let mut calls = false;
    code.instructions().walk(|step, _| {
        calls |= step.opcode.flow() == Flow::Call;
        Ok::<(), EditError>(())
    })?;
    Ok(calls)
}

/// A copy of the main code or of a subroutine.
struct Copy {
    /// The copy that calls it.
    caller: Option<usize>,
    /// The position of its nodes in [`Reach::sets`].
    set: usize,
    /// The label behind the call.
    behind_call: Option<Label>,
    /// For each label of the list its label in this copy.
    labels: Vec<Label>,
}

/// An instruction that will stand in the inlined body.
struct Emitted<'a> {
    instruction: Instruction<'a>,
    /// What stands in the place of a call or a `ret`.
    replaced: Option<Opcode>,
    targets: std::ops::Range<usize>,
}

struct Inliner<'l, 'a> {
    list: &'l NodeList<'a>,
    reach: &'l Reach,
    copies: Vec<Copy>,
    items: Vec<Item>,
    /// The instructions in order; an [`Item::Instruction`] holds the position here until it is assembled.
    emitted: Vec<Emitted<'a>>,
    targets: Vec<Label>,
    exceptions: Vec<InlinedException>,
    /// Start, end and position in the list of the variables of each copy.
    variables: Vec<(Label, Label, usize)>,
    label_count: u32,
    work: usize,
    /// The length of the inlined body: the least that it can have until it is placed, then the true one.
    code_length: u32,
}

impl<'l, 'a> Inliner<'l, 'a> {
    fn new(list: &'l NodeList<'a>, reach: &'l Reach) -> Self {
        Self {
            list,
            reach,
            copies: Vec::new(),
            items: Vec::new(),
            emitted: Vec::new(),
            targets: Vec::new(),
            exceptions: Vec::new(),
            variables: Vec::new(),
            label_count: 0,
            work: 0,
            code_length: 0,
        }
    }

    fn new_label(&mut self) -> Label {
        self.label_count += 1;
        Label(self.label_count - 1)
    }

    /// Emits the main code and then, in the order of their calls, the copies of subroutines.
    fn emit_all(&mut self) -> Result<(), EditError> {
        self.add_copy(None, 0)?;
        let mut next = 0;
        while next < self.copies.len() {
            self.emit(next)?;
            self.emit_tables(next);
            if self.exceptions.len().max(self.variables.len()) > MAX_TABLE {
                return Err(EditError::TableTooLarge);
            }
            next += 1;
        }
        Ok(())
    }

    /// Makes a copy and its labels: labels with no node of the copy between them become one.
    fn add_copy(&mut self, caller: Option<usize>, set: usize) -> Result<usize, EditError> {
        let mut outer = caller;
        let mut depth = 1;
        while let Some(at) = outer {
            let Some(copy) = self.copies.get(at) else { break };
            if copy.set == set {
                return Err(EditError::Subroutines);
            }
            outer = copy.caller;
            depth += 1;
        }
        // The owner of a shared node is looked for among all callers.
        let each = self.list.nodes.len() + self.list.exceptions.len() + self.list.variables.len();
        self.work = self.work.saturating_add(each.saturating_mul(depth));
        if self.work > MAX_WORK {
            return Err(EditError::Subroutines);
        }
        let behind_call = caller.is_some().then(|| self.new_label());
        let position = self.copies.len();
        self.copies.push(Copy { caller, set, behind_call, labels: Vec::new() });
        let mut labels = Vec::with_capacity(self.list.label_nodes.len());
        let mut shared = None;
        for index in 0..self.list.nodes.len() {
            if matches!(self.list.nodes.get(index), Some(Node::Label { .. })) {
                let label = *shared.get_or_insert_with(|| {
                    self.label_count += 1;
                    Label(self.label_count - 1)
                });
                labels.push(label);
            } else if self.owner(position, index) == Some(position) {
                shared = None;
            }
        }
        if let Some(copy) = self.copies.get_mut(position) {
            copy.labels = labels;
        }
        Ok(position)
    }

    /// The copy that emits a node for this copy: itself, or the outermost caller that has it too.
    fn owner(&self, copy: usize, index: usize) -> Option<usize> {
        let own = self.copies.get(copy)?;
        if !self.reach.contains(own.set, index) {
            return None;
        }
        if !self.reach.is_shared(index) {
            return Some(copy);
        }
        Some(self.callers(copy).filter(|(_, outer)| self.reach.contains(outer.set, index)).last()?.0)
    }

    /// A copy and its callers, from the inside out.
    fn callers(&self, copy: usize) -> impl Iterator<Item = (usize, &Copy)> {
        std::iter::successors(self.copies.get(copy).map(|found| (copy, found)), |(_, inner)| {
            let caller = inner.caller?;
            self.copies.get(caller).map(|found| (caller, found))
        })
    }

    /// The label that ranges of a copy use for a label of the list.
    fn range_label(&self, copy: usize, label: usize) -> Option<Label> {
        self.copies.get(copy)?.labels.get(label).copied()
    }

    /// The label that jumps from a copy use for a label of the list.
    fn jump_label(&self, copy: usize, label: usize) -> Option<Label> {
        let node = *self.list.label_nodes.get(label)?;
        self.range_label(self.owner(copy, node)?, label)
    }

    fn emit(&mut self, copy: usize) -> Result<(), EditError> {
        let list = self.list;
        let mut last_label = None;
        for (index, node) in list.nodes.iter().enumerate() {
            if let Node::Label { label } = *node {
                let label = self.range_label(copy, label).ok_or(EditError::Subroutines)?;
                if last_label != Some(label) {
                    self.items.push(Item::Label(label));
                    last_label = Some(label);
                }
            } else if self.owner(copy, index) == Some(copy) {
                match node {
                    Node::Line { label, line } => {
                        let label = self.jump_label(copy, *label).ok_or(EditError::Subroutines)?;
                        self.items.push(Item::Line { label, line: *line });
                    }
                    Node::Instruction(instruction) => self.emit_instruction(copy, index, instruction)?,
                    Node::Label { .. } => {}
                }
            }
        }
        Ok(())
    }

    fn emit_instruction(
        &mut self,
        copy: usize,
        index: usize,
        instruction: &Instruction<'a>,
    ) -> Result<(), EditError> {
        match instruction.flow() {
            Flow::Call => {
                let target = instruction.targets().next().and_then(|pc| self.list.label_at(pc));
                let target = target.ok_or(EditError::Subroutines)?;
                let set = self.reach.subroutine(target).ok_or(EditError::Subroutines)?;
                let callee = self.add_copy(Some(copy), set)?;
                let start = self.jump_label(callee, target).ok_or(EditError::Subroutines)?;
                self.push(instruction, Some(Opcode::ACONST_NULL), &[])?;
                self.push(instruction, Some(Opcode::GOTO), &[start])?;
                if let Some(label) = self.copies.get(callee).and_then(|callee| callee.behind_call) {
                    self.items.push(Item::Label(label));
                }
            }
            Flow::Ret => {
                let called =
                    self.callers(copy).filter(|(_, outer)| self.reach.contains(outer.set, index)).last();
                let behind_call =
                    called.and_then(|(_, outer)| outer.behind_call).ok_or(EditError::Subroutines)?;
                self.push(instruction, Some(Opcode::GOTO), &[behind_call])?;
            }
            _ => {
                let targets: Option<Vec<Label>> =
                    instruction.targets().map(|pc| self.jump_label(copy, self.list.label_at(pc)?)).collect();
                self.push(instruction, None, &targets.ok_or(EditError::Subroutines)?)?;
            }
        }
        Ok(())
    }

    /// Adds an instruction, unless the body is too large already whatever its jumps and padding will take.
    fn push(
        &mut self,
        instruction: &Instruction<'a>,
        replaced: Option<Opcode>,
        targets: &[Label],
    ) -> Result<(), EditError> {
        let least_length = if replaced.is_some() { 1 } else { instruction.length.saturating_sub(3).max(1) };
        self.code_length = self.code_length.saturating_add(least_length);
        if self.code_length > MAX_CODE_LENGTH {
            return Err(EditError::BodyTooLarge { length: self.code_length });
        }
        let start = self.targets.len();
        self.targets.extend(targets);
        let targets = start..self.targets.len();
        let pc = self.emitted.len() as u32;
        self.items.push(Item::Instruction { pc, old_pc: instruction.pc, targets: targets.clone() });
        self.emitted.push(Emitted { instruction: *instruction, replaced, targets });
        Ok(())
    }

    /// Exception table and variables of a copy; ranges in which it has nothing are left out.
    fn emit_tables(&mut self, copy: usize) {
        for entry in &self.list.exceptions {
            let (start, end) = (self.range_label(copy, entry.start), self.range_label(copy, entry.end));
            if start != end
                && let (Some(start), Some(end), Some(handler)) =
                    (start, end, self.jump_label(copy, entry.handler))
            {
                self.exceptions.push(InlinedException { start, end, handler, catch_type: entry.catch_type });
            }
        }
        for (position, variable) in self.list.variables.iter().enumerate() {
            let (start, end) = (self.range_label(copy, variable.start), self.range_label(copy, variable.end));
            if start != end
                && let (Some(start), Some(end)) = (start, end)
            {
                self.variables.push((start, end, position));
            }
        }
    }
}
