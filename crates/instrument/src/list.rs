//! A method's body as the list of labels, lines, frames and instructions on which probes and counters are defined.
//!
//! Probe numbers, branch counts and filters all depend on this list, so it is built here, once, and nowhere else. It is
//! the list that JaCoCo gets from its class-file library: which offsets have a label, and what stands in which order at
//! one offset, is part of the compatibility.

use probity_classfile::attribute::{Attribute, Code, TypeTarget};
use probity_classfile::edit::EditError;
use probity_classfile::instruction::Leads;
use probity_classfile::opcode::{Flow, Form, Opcode};
use probity_classfile::subroutine::{InlinedBody, Item};
use probity_classfile::{ClassFile, Error, ErrorKind, Section};

/// A place that something names. In a body as it stands, it is the code offset; in a body with inlined subroutines
/// several labels may stand at one offset, and they are not the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u32);

/// A node of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// A place that something names.
    Label(Label),
    /// A line starts; the label is the one that its entry names.
    Line {
        /// The label.
        label: Label,
        /// The line, which may be 0.
        line: u16,
    },
    /// The verifier is given a frame here.
    Frame,
    /// An instruction.
    Instruction(InstructionNode),
}

/// An instruction of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionNode {
    /// Its code offset.
    pub pc: u32,
    /// Its opcode, with short, long and wide forms made one: `iload_0` is `iload`, `ldc_w` is `ldc`, `goto_w` is `goto`.
    pub opcode: Opcode,
    /// Where its targets start in the list's targets.
    first_target: u32,
    /// How many there are: one for a jump, default and cases for a switch.
    target_count: u16,
}

/// An entry of the exception table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExceptionNode {
    /// Where the protected range starts.
    pub start: Label,
    /// Where it ends.
    pub end: Label,
    /// Where the handler starts.
    pub handler: Label,
    /// The index of the class that is caught, or 0 for all.
    pub catch_type: u16,
}

/// The list of one body. It can be filled again and again, to keep its memory.
#[derive(Clone, Debug, Default)]
pub struct CodeList {
    nodes: Vec<Node>,
    targets: Vec<Label>,
    exceptions: Vec<ExceptionNode>,
    /// One more than the highest label.
    label_limit: u32,
    /// The code offset of each label, if labels are not code offsets themselves.
    label_pcs: Option<Vec<u32>>,
    has_switch: bool,
    scratch: Scratch,
}

/// What is known of each code offset while a list is filled.
#[derive(Clone, Debug, Default)]
struct Scratch {
    marks: Vec<u8>,
    instructions: Vec<Node>,
    lines: Vec<(u16, u16)>,
}

/// The code offset has a label.
const LABEL: u8 = 1;
/// The code offset has a frame.
const FRAME: u8 = 2;

impl CodeList {
    /// The nodes in order.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The exception table in order.
    #[must_use]
    pub fn exceptions(&self) -> &[ExceptionNode] {
        &self.exceptions
    }

    /// The targets of an instruction: one for a jump, default and cases for a switch, none for others.
    #[must_use]
    pub fn targets(&self, instruction: &InstructionNode) -> &[Label] {
        let start = instruction.first_target as usize;
        self.targets.get(start..start + instruction.target_count as usize).unwrap_or_default()
    }

    /// One more than the highest label.
    #[must_use]
    pub fn label_limit(&self) -> usize {
        self.label_limit as usize
    }

    /// The code offset at which a label stands.
    #[must_use]
    pub fn label_pc(&self, label: Label) -> u32 {
        match &self.label_pcs {
            None => label.0,
            Some(pcs) => pcs.get(label.0 as usize).copied().unwrap_or(0),
        }
    }

    /// Whether one of the instructions is a switch.
    #[must_use]
    pub fn has_switch(&self) -> bool {
        self.has_switch
    }

    /// Whether several labels may stand at one code offset.
    #[must_use]
    pub fn is_inlined(&self) -> bool {
        self.label_pcs.is_some()
    }

    fn clear(&mut self) {
        self.nodes.clear();
        self.targets.clear();
        self.exceptions.clear();
        self.label_pcs = None;
        self.has_switch = false;
    }

    /// Fills the list from a body as it stands.
    ///
    /// # Errors
    ///
    /// Fails if the body is not well-formed.
    pub fn fill(&mut self, class: &ClassFile<'_>, code: &Code<'_>) -> Result<(), Error> {
        self.clear();
        self.label_limit = code.bytes.len() as u32 + 1;
        self.scratch.marks.clear();
        self.scratch.marks.resize(code.bytes.len() + 1, 0);
        self.read_instructions(code)?;
        self.read_exceptions(code);
        self.scratch.lines.clear();
        self.read_attributes(class, code)?;
        self.merge(code)
    }

    fn read_instructions(&mut self, code: &Code<'_>) -> Result<(), Error> {
        self.scratch.instructions.clear();
        let Self { scratch: Scratch { marks, instructions, .. }, targets, has_switch, .. } = self;
        code.instructions().walk(|step, leads| {
            let first_target = targets.len() as u32;
            match leads {
                Leads::Nowhere => {}
                Leads::To(target) => targets.push(Label(*target)),
                Leads::Choice(switch) => {
                    *has_switch = true;
                    let cases = switch.cases().map(|(_, target)| Label(target));
                    targets.extend(std::iter::once(Label(switch.default())).chain(cases));
                }
            }
            let named = targets.get(first_target as usize..).unwrap_or_default();
            for target in named {
                if let Some(mark) = marks.get_mut(target.0 as usize) {
                    *mark |= LABEL;
                }
            }
            instructions.push(Node::Instruction(InstructionNode {
                pc: step.pc,
                opcode: normalised(step.opcode),
                // A target has two bytes at least, and a body has fewer than 65536.
                target_count: named.len() as u16,
                first_target,
            }));
            Ok(())
        })
    }

    fn read_exceptions(&mut self, code: &Code<'_>) {
        for entry in code.exceptions.iter() {
            let [start, end, handler] =
                [entry.start_pc, entry.end_pc, entry.handler_pc].map(|pc| Label(u32::from(pc)));
            for label in [start, end, handler] {
                self.scratch.mark(label.0, LABEL);
            }
            self.exceptions.push(ExceptionNode { start, end, handler, catch_type: entry.catch_type });
        }
    }

    fn read_attributes(&mut self, class: &ClassFile<'_>, code: &Code<'_>) -> Result<(), Error> {
        for attribute in code.attributes.iter() {
            // What does not bear labels is not decoded: a broken one must not stand in the way of probes.
            match class.pool().utf8(attribute.name)?.as_bytes() {
                b"LineNumberTable"
                | b"LocalVariableTable"
                | b"StackMapTable"
                | b"RuntimeVisibleTypeAnnotations"
                | b"RuntimeInvisibleTypeAnnotations" => {}
                _ => continue,
            }
            match attribute.decode(class.pool())? {
                Attribute::LineNumberTable(table) => {
                    for line in table.iter() {
                        self.scratch.mark(u32::from(line.start_pc), LABEL);
                        self.scratch.lines.push((line.start_pc, line.line));
                    }
                }
                Attribute::LocalVariableTable(table) => {
                    for variable in table.iter() {
                        self.scratch.mark_range(variable.start_pc, variable.length);
                    }
                }
                Attribute::StackMapTable(table) => {
                    for frame in table.iter() {
                        self.scratch.mark(frame.pc, LABEL | FRAME);
                    }
                    self.mark_uninitialised(code, attribute.info);
                }
                Attribute::TypeAnnotations(annotations) => {
                    for annotation in annotations.iter() {
                        if let TypeTarget::LocalVariable(ranges) = annotation.target {
                            for range in ranges.iter() {
                                self.scratch.mark_range(range.start_pc, range.length);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Marks what looks like the offset of a `new` in the bytes of a `StackMapTable`: wherever a byte 8 is followed by the
    /// offset of a `new`, whether the byte is a tag or not.
    fn mark_uninitialised(&mut self, code: &Code<'_>, table: &[u8]) {
        let frames = table.get(2..).unwrap_or_default();
        for bytes in frames.windows(3) {
            if let [8, high, low] = *bytes {
                let pc = u16::from_be_bytes([high, low]);
                if code.bytes.get(usize::from(pc)) == Some(&Opcode::NEW.0) {
                    self.scratch.mark(u32::from(pc), LABEL);
                }
            }
        }
    }

    /// Puts labels, lines, frames and instructions in order.
    fn merge(&mut self, code: &Code<'_>) -> Result<(), Error> {
        let Scratch { marks, instructions, lines } = &mut self.scratch;
        if !lines.is_sorted_by_key(|line| line.0) {
            // Stable: lines of one offset stay in the order of the tables.
            lines.sort_by_key(|line| line.0);
        }
        let mut lines = lines.iter().peekable();
        self.nodes.reserve(instructions.len() * 2);
        for node in instructions.iter() {
            let Node::Instruction(InstructionNode { pc, .. }) = *node else { continue };
            let marks = marks.get_mut(pc as usize);
            let mark = marks.map_or(0, std::mem::take);
            if mark & LABEL != 0 {
                self.nodes.push(Node::Label(Label(pc)));
                while let Some(&(start, line)) = lines.next_if(|line| u32::from(line.0) <= pc) {
                    if u32::from(start) == pc {
                        self.nodes.push(Node::Line { label: Label(pc), line });
                    }
                }
                if mark & FRAME != 0 {
                    self.nodes.push(Node::Frame);
                }
            }
            self.nodes.push(*node);
        }
        if marks.pop().is_some_and(|mark| mark & LABEL != 0) {
            self.nodes.push(Node::Label(Label(code.bytes.len() as u32)));
        }
        self.check_targets(code)
    }

    /// A jump to where no instruction starts is in no body that the JVM accepts; following it would be a guess.
    fn check_targets(&self, code: &Code<'_>) -> Result<(), Error> {
        // Every label that was emitted has had its mark taken.
        let stray = self
            .targets
            .iter()
            .find(|label| self.scratch.marks.get(label.0 as usize).is_none_or(|mark| mark & LABEL != 0));
        match stray {
            None => Ok(()),
            Some(label) => Err(Error {
                offset: code.offset.saturating_add(label.0),
                section: Section::CodeConstraints,
                kind: ErrorKind::BadTarget { pc: i64::from(label.0) },
            }),
        }
    }

    /// Fills the list from a body whose subroutines were inlined.
    ///
    /// # Errors
    ///
    /// Fails if the inlined body cannot be read back.
    pub fn fill_inlined(&mut self, body: &InlinedBody) -> Result<(), EditError> {
        self.clear();
        let code = body.code()?;
        let mut instructions = code.instructions();
        for item in body.items() {
            let node = match item {
                Item::Label(label) => Node::Label(Label(label.0)),
                Item::Line { label, line } => Node::Line { label: Label(label.0), line: *line },
                Item::Instruction { targets, .. } => {
                    let Some(instruction) = instructions.next().transpose()? else { break };
                    let first_target = self.targets.len() as u32;
                    self.has_switch |= instruction.opcode.flow() == Flow::Switch;
                    self.targets.extend(body.targets(targets.clone()).iter().map(|label| Label(label.0)));
                    Node::Instruction(InstructionNode {
                        pc: instruction.pc,
                        opcode: normalised(instruction.opcode),
                        first_target,
                        target_count: (self.targets.len() as u32 - first_target) as u16,
                    })
                }
            };
            self.nodes.push(node);
        }
        self.exceptions.extend(body.exceptions().iter().map(|entry| ExceptionNode {
            start: Label(entry.start.0),
            end: Label(entry.end.0),
            handler: Label(entry.handler.0),
            catch_type: entry.catch_type,
        }));
        self.label_limit = body.label_count();
        self.label_pcs =
            Some((0..self.label_limit).map(|label| body.label_pc(inlined_label(label))).collect());
        Ok(())
    }
}

fn inlined_label(label: u32) -> probity_classfile::subroutine::Label {
    probity_classfile::subroutine::Label(label)
}

impl Scratch {
    fn mark(&mut self, pc: u32, mark: u8) {
        if let Some(place) = self.marks.get_mut(pc as usize) {
            *place |= mark;
        }
    }

    fn mark_range(&mut self, start: u16, length: u16) {
        self.mark(u32::from(start), LABEL);
        self.mark(u32::from(start) + u32::from(length), LABEL);
    }
}

/// The opcode that stands for all forms of an instruction.
fn normalised(opcode: Opcode) -> Opcode {
    match (opcode, opcode.form()) {
        (Opcode::LDC_W | Opcode::LDC2_W, _) => Opcode::LDC,
        (Opcode::GOTO_W, _) => Opcode::GOTO,
        (Opcode::JSR_W, _) => Opcode::JSR,
        // The implicit forms stand in groups of four, in the order of the general ones.
        (Opcode(value @ 0x1a..=0x2d), Form::ImplicitLocal(_)) => Opcode(Opcode::ILOAD.0 + (value - 0x1a) / 4),
        (Opcode(value @ 0x3b..=0x4e), Form::ImplicitLocal(_)) => {
            Opcode(Opcode::ISTORE.0 + (value - 0x3b) / 4)
        }
        _ => opcode,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_instruction_become_one() {
        let cases = [
            (Opcode::ILOAD_0, Opcode::ILOAD),
            (Opcode::ALOAD_3, Opcode::ALOAD),
            (Opcode::DLOAD_2, Opcode::DLOAD),
            (Opcode::ISTORE_1, Opcode::ISTORE),
            (Opcode::ASTORE_0, Opcode::ASTORE),
            (Opcode::LDC2_W, Opcode::LDC),
            (Opcode::GOTO_W, Opcode::GOTO),
            (Opcode::NOP, Opcode::NOP),
        ];
        for (form, expected) in cases {
            assert_eq!(normalised(form), expected);
        }
    }
}
