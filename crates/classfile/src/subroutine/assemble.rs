//! Gives the instructions of an inlined body their offsets and writes its `Code` attribute.

use super::{InlinedBody, Inliner, Item, Label};
use crate::attribute::{Code, ExceptionEntry, LineNumber, LocalVariable, MAX_CODE_LENGTH, with_length};
use crate::class::ClassFile;
use crate::edit::EditError;
use crate::instruction::Operand;
use crate::opcode::{Flow, Opcode};
use crate::table::Record;

impl<'a> Inliner<'_, 'a> {
    pub(super) fn assemble(
        mut self,
        class: &ClassFile<'a>,
        code: &Code<'a>,
    ) -> Result<InlinedBody, EditError> {
        // A `goto` has a form for any distance; a conditional jump has not, and is refused where it does not reach.
        let mut label_pcs = self.place(false);
        let mut wide = false;
        if self.code_length > 32_767 {
            wide = true;
            label_pcs = self.place(true);
        }
        let length = self.code_length;
        if length > MAX_CODE_LENGTH {
            return Err(EditError::BodyTooLarge { length });
        }
        let mut contents = Vec::new();
        Code::write_head(code.max_stack, code.max_locals, length, &mut contents);
        let start = contents.len();
        self.write_instructions(&label_pcs, wide, &mut contents)?;
        debug_assert_eq!(contents.len() - start, length as usize);
        self.write_tables(class, code, &label_pcs, &mut contents)?;
        Ok(InlinedBody {
            items: self.items,
            targets: self.targets,
            label_pcs,
            exceptions: self.exceptions,
            contents,
            version: code.version,
        })
    }

    /// Gives every instruction and label its code offset.
    fn place(&mut self, wide: bool) -> Vec<u32> {
        let mut label_pcs = vec![0; self.label_count as usize];
        let mut at = 0_u32;
        let mut emitted = self.emitted.iter();
        for item in &mut self.items {
            match item {
                Item::Label(label) => {
                    if let Some(place) = label_pcs.get_mut(label.0 as usize) {
                        *place = at;
                    }
                }
                Item::Line { .. } => {}
                Item::Instruction { pc, .. } => {
                    let Some(one) = emitted.next() else { continue };
                    *pc = at;
                    at = at.saturating_add(match (one.replaced, one.instruction.operand) {
                        (Some(Opcode::ACONST_NULL), _) => 1,
                        (Some(_), _) => goto_length(wide),
                        (None, Operand::Switch(_)) => {
                            let old = &one.instruction;
                            old.length - (3 - old.pc % 4) + (3 - at % 4)
                        }
                        (None, Operand::Jump(_)) if one.instruction.flow() == Flow::Goto => goto_length(wide),
                        (None, _) => one.instruction.length,
                    });
                }
            }
        }
        self.code_length = at;
        label_pcs
    }

    fn write_instructions(&self, label_pcs: &[u32], wide: bool, out: &mut Vec<u8>) -> Result<(), EditError> {
        let start = out.len();
        for one in &self.emitted {
            let at = (out.len() - start) as u32;
            let mut targets = self.targets.get(one.targets.clone()).unwrap_or_default().iter();
            let mut next_target = || pc_of(label_pcs, targets.next().copied());
            match (one.replaced, one.instruction.operand) {
                (Some(Opcode::ACONST_NULL), _) => out.push(Opcode::ACONST_NULL.0),
                (Some(_), _) => write_goto(at, next_target(), wide, out),
                (None, Operand::Jump(_)) if one.instruction.flow() == Flow::Goto => {
                    write_goto(at, next_target(), wide, out);
                }
                (None, Operand::Jump(_)) => {
                    let way = i64::from(next_target()) - i64::from(at);
                    out.push(one.instruction.opcode.0);
                    out.extend(i16::try_from(way).map_err(|_| EditError::Subroutines)?.to_be_bytes());
                }
                (None, Operand::Switch(switch)) => {
                    out.push(one.instruction.opcode.0);
                    switch.write(out, start, |_| next_target());
                }
                (None, _) => one.instruction.write(out, start),
            }
        }
        Ok(())
    }

    fn write_tables(
        &self,
        class: &ClassFile<'a>,
        code: &Code<'a>,
        label_pcs: &[u32],
        out: &mut Vec<u8>,
    ) -> Result<(), EditError> {
        let pc = |label: Label| pc_of(label_pcs, Some(label)) as u16;
        count(self.exceptions.len())?.write(out);
        for entry in &self.exceptions {
            ExceptionEntry {
                start_pc: pc(entry.start),
                end_pc: pc(entry.end),
                handler_pc: pc(entry.handler),
                catch_type: entry.catch_type,
            }
            .write(out);
        }
        let kept = || {
            code.attributes.iter().enumerate().filter(|(_, attribute)| {
                class.pool().utf8(attribute.name).is_ok_and(|name| name != "StackMapTable")
            })
        };
        count(kept().count())?.write(out);
        let mut lines_written = false;
        for (position, attribute) in kept() {
            attribute.name.write(out);
            let name = class.pool().utf8(attribute.name)?;
            with_length(out, |out| match name.as_bytes() {
                // All lines go into the first table.
                b"LineNumberTable" => {
                    self.write_lines(label_pcs, std::mem::replace(&mut lines_written, true), out)
                }
                b"LocalVariableTable" | b"LocalVariableTypeTable" => {
                    self.write_variables(position, label_pcs, out)
                }
                _ => {
                    out.extend(attribute.info);
                    Ok(())
                }
            })?;
        }
        Ok(())
    }

    fn write_lines(&self, label_pcs: &[u32], elsewhere: bool, out: &mut Vec<u8>) -> Result<(), EditError> {
        let lines = || {
            self.items.iter().filter(|_| !elsewhere).filter_map(|item| match item {
                Item::Line { label, line } => {
                    Some(LineNumber { start_pc: pc_of(label_pcs, Some(*label)) as u16, line: *line })
                }
                _ => None,
            })
        };
        count(lines().count())?.write(out);
        lines().for_each(|line| line.write(out));
        Ok(())
    }

    fn write_variables(
        &self,
        attribute: usize,
        label_pcs: &[u32],
        out: &mut Vec<u8>,
    ) -> Result<(), EditError> {
        let of_table = || {
            self.variables.iter().filter_map(|&(start, end, position)| {
                let old = self.list.variables.get(position).filter(|old| old.attribute == attribute)?;
                let (start, end) = (pc_of(label_pcs, Some(start)), pc_of(label_pcs, Some(end)));
                let (start_pc, length) = (start as u16, end.saturating_sub(start) as u16);
                Some(LocalVariable { start_pc, length, ..old.variable })
            })
        };
        count(of_table().count())?.write(out);
        of_table().for_each(|variable| variable.write(out));
        Ok(())
    }
}

fn goto_length(wide: bool) -> u32 {
    if wide { 5 } else { 3 }
}

fn write_goto(at: u32, target: u32, wide: bool, out: &mut Vec<u8>) {
    let way = target.wrapping_sub(at).cast_signed();
    if wide {
        out.push(Opcode::GOTO_W.0);
        out.extend(way.to_be_bytes());
    } else {
        out.push(Opcode::GOTO.0);
        out.extend((way as i16).to_be_bytes());
    }
}

fn pc_of(label_pcs: &[u32], label: Option<Label>) -> u32 {
    label.and_then(|label| label_pcs.get(label.0 as usize)).copied().unwrap_or(0)
}

fn count(entries: usize) -> Result<u16, EditError> {
    u16::try_from(entries).map_err(|_| EditError::TableTooLarge)
}
