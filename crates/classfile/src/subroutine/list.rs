//! A body as a list of labels, lines and instructions, the form on which inlining is defined.

use crate::attribute::{Attribute, Code, LocalVariable};
use crate::class::ClassFile;
use crate::edit::EditError;
use crate::error::{Error, ErrorKind, Section};
use crate::instruction::Instruction;

/// A node of the list.
pub(super) enum Node<'a> {
    /// A code offset that something names; `label` counts labels in the order of the list.
    Label { label: usize },
    /// The label is the one that the line's entry names.
    Line { label: usize, line: u16 },
    /// An instruction.
    Instruction(Instruction<'a>),
}

/// An entry of the exception table by labels.
pub(super) struct ListException {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) handler: usize,
    pub(super) catch_type: u16,
}

/// An entry of a variable table by labels.
pub(super) struct ListVariable {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) variable: LocalVariable,
    /// The position of its table among the body's attributes.
    pub(super) attribute: usize,
}

pub(super) struct NodeList<'a> {
    pub(super) nodes: Vec<Node<'a>>,
    /// The node of each label.
    pub(super) label_nodes: Vec<usize>,
    /// For each code offset, and for the end, its label plus one; 0 if it has none.
    labels: Vec<u32>,
    pub(super) exceptions: Vec<ListException>,
    pub(super) variables: Vec<ListVariable>,
}

impl<'a> NodeList<'a> {
    pub(super) fn read(class: &ClassFile<'a>, code: &Code<'a>) -> Result<Self, EditError> {
        let mut named = vec![false; code.bytes.len() + 1];
        let mut name = |pc: usize| {
            if let Some(place) = named.get_mut(pc) {
                *place = true;
            }
        };
        for instruction in code.instructions() {
            instruction?.targets().for_each(|pc| name(pc as usize));
        }
        for entry in code.exceptions.iter() {
            [entry.start_pc, entry.end_pc, entry.handler_pc].iter().for_each(|&pc| name(usize::from(pc)));
        }
        let mut lines = Vec::new();
        let mut variables = Vec::new();
        for (position, attribute) in code.attributes.iter().enumerate() {
            match attribute.decode(class.pool())? {
                Attribute::LineNumberTable(table) => lines.extend(table.iter()),
                Attribute::LocalVariableTable(table) => {
                    variables.extend(table.iter().map(|one| (position, one, true)));
                }
                Attribute::LocalVariableTypeTable(table) => {
                    variables.extend(table.iter().map(|one| (position, one, false)));
                }
                _ => {}
            }
        }
        lines.iter().for_each(|line| name(usize::from(line.start_pc)));
        for (_, variable, _) in variables.iter().filter(|(_, _, makes_labels)| *makes_labels) {
            name(usize::from(variable.start_pc));
            name(usize::from(variable.start_pc) + usize::from(variable.length));
        }
        // Stable: lines of one offset stay in the order of the tables.
        lines.sort_by_key(|line| line.start_pc);

        let mut list = Self {
            nodes: Vec::new(),
            label_nodes: Vec::new(),
            labels: vec![0; code.bytes.len() + 1],
            exceptions: Vec::new(),
            variables: Vec::new(),
        };
        let mut lines = lines.into_iter().peekable();
        for instruction in code.instructions() {
            let instruction = instruction?;
            list.add_label(&named, instruction.pc as usize);
            while let Some(line) = lines.next_if(|line| u32::from(line.start_pc) <= instruction.pc) {
                if u32::from(line.start_pc) == instruction.pc
                    && let Some(label) = list.label_at(instruction.pc)
                {
                    list.nodes.push(Node::Line { label, line: line.line });
                }
            }
            list.nodes.push(Node::Instruction(instruction));
        }
        list.add_label(&named, code.bytes.len());
        list.add_exceptions(code)?;
        list.add_variables(variables.iter().map(|&(position, variable, _)| (position, variable)));
        Ok(list)
    }

    fn add_label(&mut self, named: &[bool], pc: usize) {
        if named.get(pc) == Some(&true) {
            let label = self.label_nodes.len();
            self.label_nodes.push(self.nodes.len());
            self.nodes.push(Node::Label { label });
            if let Some(place) = self.labels.get_mut(pc) {
                *place = label as u32 + 1;
            }
        }
    }

    /// The label at a code offset. There is none where no instruction starts, whatever names the offset.
    pub(super) fn label_at(&self, pc: u32) -> Option<usize> {
        self.labels.get(pc as usize).and_then(|&label| (label as usize).checked_sub(1))
    }

    fn add_exceptions(&mut self, code: &Code<'_>) -> Result<(), EditError> {
        for entry in code.exceptions.iter() {
            let label = |pc: u16| {
                self.label_at(u32::from(pc)).ok_or_else(|| {
                    let kind = ErrorKind::BadTarget { pc: i64::from(pc) };
                    Error::new(code.offset, Section::CodeConstraints, kind)
                })
            };
            self.exceptions.push(ListException {
                start: label(entry.start_pc)?,
                end: label(entry.end_pc)?,
                handler: label(entry.handler_pc)?,
                catch_type: entry.catch_type,
            });
        }
        Ok(())
    }

    /// Variables whose range does not lie between instructions are left out.
    fn add_variables(&mut self, variables: impl Iterator<Item = (usize, LocalVariable)>) {
        for (attribute, variable) in variables {
            let start = self.label_at(u32::from(variable.start_pc));
            let end = self.label_at(u32::from(variable.start_pc) + u32::from(variable.length));
            if let (Some(start), Some(end)) = (start, end) {
                self.variables.push(ListVariable { start, end, variable, attribute });
            }
        }
    }
}
