//! Method bodies: instructions, the exception table, and the tables that belong to a body.
//!
//! Mnemonics and the layout of operands come from the table of opcodes by way of the decoded instruction; this module
//! only says how each kind of operand is written.

use std::fmt::{self, Write};

use super::{Printer, types};
use crate::attribute::{Code, Frame, LineNumber, LocalVariable, StackMapTable};
use crate::attribute::{VerificationType, VerificationTypes};
use crate::class::Member;
use crate::instruction::{Instruction, Operand, Switch};
use crate::opcode::{Form, Opcode};
use crate::table::Table;

/// How far the cases of a switch are indented from its instruction.
const SWITCH_LEVELS: usize = 3;

impl<'a> Printer<'_, 'a> {
    pub(super) fn code(&mut self, code: &Code<'a>, method: Option<&Member<'a>>) -> fmt::Result {
        writeln!(self, "Code:")?;
        self.indented(|printer| {
            let arguments = method.and_then(|method| printer.argument_count(method));
            let arguments = arguments.map_or_else(|| "?".to_owned(), |count| count.to_string());
            writeln!(printer, "stack={}, locals={}, args_size={arguments}", code.max_stack, code.max_locals)?;
            for instruction in code.instructions() {
                match instruction {
                    Ok(instruction) => printer.instruction(&instruction)?,
                    Err(error) => writeln!(printer, "error: {error}")?,
                }
            }
            printer.exception_table(code)?;
            printer.attributes(&code.attributes, method)
        })
    }

    fn instruction(&mut self, instruction: &Instruction<'a>) -> fmt::Result {
        let wide = if instruction.wide { "_w" } else { "" };
        let mnemonic = format!("{}{wide}", instruction.opcode.mnemonic());
        write!(self, "{:4}: {mnemonic}", instruction.pc)?;
        if !matches!(instruction.operand, Operand::None) {
            // One column between the longest of the usual mnemonics and the operands.
            write!(self, "{:width$} ", "", width = 13_usize.saturating_sub(mnemonic.len()))?;
        }
        self.operand(instruction)?;
        if let Some(index) = instruction.constant() {
            let constant = self.constant_text(index);
            self.comment(&constant)?;
        }
        writeln!(self)
    }

    fn operand(&mut self, instruction: &Instruction<'a>) -> fmt::Result {
        match instruction.operand {
            Operand::None => Ok(()),
            Operand::Number(number) => write!(self, "{number}"),
            Operand::Local(local) => write!(self, "{local}"),
            Operand::Increment { local, by } => write!(self, "{local}, {by}"),
            Operand::Constant(index) if instruction.opcode.form() == Form::DynamicCall => {
                write!(self, "#{index},  0")
            }
            Operand::Constant(index) => write!(self, "#{index}"),
            Operand::InterfaceCall { method, slots } => write!(self, "#{method},  {slots}"),
            Operand::MultiArray { class, dimensions } => write!(self, "#{class},  {dimensions}"),
            Operand::ArrayType(code) => match types::array_code_name(code) {
                Some(name) => write!(self, " {name}"),
                None => write!(self, " {code}"),
            },
            Operand::Jump(target) => write!(self, "{target}"),
            Operand::Switch(switch) => self.switch(instruction.opcode, &switch),
        }
    }

    fn switch(&mut self, opcode: Opcode, switch: &Switch<'a>) -> fmt::Result {
        let keys = || switch.cases().map(|(key, _)| key);
        match (opcode.form(), keys().next(), keys().last()) {
            (Form::TableSwitch, Some(low), Some(high)) => writeln!(self, "{{ // {low} to {high}")?,
            _ => writeln!(self, "{{ // {}", switch.len())?,
        }
        self.lines.indent(SWITCH_LEVELS);
        for (key, target) in switch.cases() {
            writeln!(self, "{key:12}: {target}")?;
        }
        writeln!(self, "{:>12}: {}", "default", switch.default())?;
        write!(self, "}}")?;
        self.lines.outdent(SWITCH_LEVELS);
        Ok(())
    }

    fn exception_table(&mut self, code: &Code<'a>) -> fmt::Result {
        if code.exceptions.is_empty() {
            return Ok(());
        }
        writeln!(self, "Exception table:")?;
        self.indented(|printer| {
            writeln!(printer, " from    to  target type")?;
            for entry in code.exceptions.iter() {
                let caught = match entry.catch_type {
                    0 => "any".to_owned(),
                    class => format!("Class {}", printer.class_text(class)),
                };
                let (start, end, handler) = (entry.start_pc, entry.end_pc, entry.handler_pc);
                writeln!(printer, " {start:5} {end:5} {handler:5}   {caught}")?;
            }
            Ok(())
        })
    }

    pub(super) fn line_numbers(&mut self, table: &Table<'a, LineNumber>) -> fmt::Result {
        self.indented(|printer| {
            table.iter().try_for_each(|entry| writeln!(printer, "line {}: {}", entry.line, entry.start_pc))
        })
    }

    pub(super) fn local_variables(&mut self, table: &Table<'a, LocalVariable>) -> fmt::Result {
        self.indented(|printer| {
            writeln!(printer, "Start  Length  Slot  Name   Signature")?;
            for entry in table.iter() {
                let (name, descriptor) =
                    (printer.value_text(entry.name), printer.value_text(entry.descriptor));
                writeln!(
                    printer,
                    "{:5} {:7} {:5} {name:>5}   {descriptor}",
                    entry.start_pc, entry.length, entry.index
                )?;
            }
            Ok(())
        })
    }

    pub(super) fn stack_map(&mut self, table: &StackMapTable<'a>) -> fmt::Result {
        writeln!(self, "StackMapTable: number_of_entries = {}", table.len())?;
        self.indented(|printer| table.iter().try_for_each(|frame| printer.frame(&frame)))
    }

    fn frame(&mut self, frame: &Frame<'a>) -> fmt::Result {
        let (name, has_delta, has_locals, has_stack) = match frame.frame_type {
            0..=63 => ("same", false, false, false),
            64..=127 => ("same_locals_1_stack_item", false, false, true),
            128..=246 => ("reserved", false, false, false),
            247 => ("same_locals_1_stack_item_frame_extended", true, false, true),
            248..=250 => ("chop", true, false, false),
            251 => ("same_frame_extended", true, false, false),
            252..=254 => ("append", true, true, false),
            255 => ("full_frame", true, true, true),
        };
        writeln!(self, "frame_type = {} /* {name} */", frame.frame_type)?;
        self.indented(|printer| {
            if has_delta {
                writeln!(printer, "offset_delta = {}", frame.delta)?;
            }
            if has_locals {
                printer.verification_types("locals", &frame.locals)?;
            }
            if has_stack {
                printer.verification_types("stack", &frame.stack)?;
            }
            Ok(())
        })
    }

    fn verification_types(&mut self, what: &str, list: &VerificationTypes<'a>) -> fmt::Result {
        write!(self, "{what} = [")?;
        let mut before = " ";
        for one in list.iter() {
            let name = self.verification_type(one);
            write!(self, "{before}{name}")?;
            before = ", ";
        }
        writeln!(self, "{}]", if list.is_empty() { "" } else { " " })
    }

    fn verification_type(&self, one: VerificationType) -> String {
        let name = match one {
            VerificationType::Top => "top",
            VerificationType::Integer => "int",
            VerificationType::Float => "float",
            VerificationType::Double => "double",
            VerificationType::Long => "long",
            VerificationType::Null => "null",
            VerificationType::UninitializedThis => "this",
            VerificationType::Object(class) => return self.constant_text(class),
            VerificationType::Uninitialized(pc) => return format!("uninitialized {pc}"),
        };
        name.to_owned()
    }
}
