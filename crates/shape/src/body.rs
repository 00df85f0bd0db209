//! The canonical forms of a body: what it does, and what debuggers know of it.
//!
//! Instructions are numbered, and everything that names a place names such a number. The forms of instructions that differ only
//! in how large an index they can hold are one: which is used depends on the order of the constant pool.

use probity_classfile::ClassFile;
use probity_classfile::attribute::{Attribute, Code, LocalVariable, VerificationType, VerificationTypes};
use probity_classfile::instruction::{Instruction, Instructions, Operand};
use probity_classfile::opcode::Opcode;

use crate::attributes::write_attribute;
use crate::canonical::Canonical;
use crate::shape::ShapeError;

/// The number of each instruction by its code offset.
pub(crate) struct Places {
    numbers: Vec<u32>,
}

/// No instruction starts here.
const NOWHERE: u32 = u32::MAX;

impl Places {
    /// Numbers the instructions of a body.
    pub(crate) fn of(code: &Code<'_>) -> Result<Self, ShapeError> {
        let mut numbers = vec![NOWHERE; code.bytes.len() + 1];
        let mut count = 0;
        for instruction in Instructions::new(code.bytes, code.offset) {
            if let Some(place) = numbers.get_mut(instruction?.pc as usize) {
                *place = count;
            }
            count += 1;
        }
        if let Some(end) = numbers.last_mut() {
            *end = count;
        }
        Ok(Self { numbers })
    }

    /// The number of the instruction at a code offset; the end of the body has the number after the last.
    pub(crate) fn number(&self, pc: u32) -> u32 {
        self.numbers.get(pc as usize).copied().unwrap_or(NOWHERE)
    }
}

/// Writes what a body does: its instructions, its handlers, its frames and its limits.
pub(crate) fn write_body<'a>(
    canonical: &mut Canonical<'_, 'a>,
    code: &Code<'a>,
    places: &Places,
) -> Result<(), ShapeError> {
    canonical.number(u32::from(code.max_stack));
    canonical.number(u32::from(code.max_locals));
    for instruction in Instructions::new(code.bytes, code.offset) {
        write_instruction(canonical, &instruction?, &|pc| places.number(pc))?;
    }
    // No opcode is 255: the instructions end here.
    canonical.byte(u8::MAX);
    for entry in code.exceptions.iter() {
        for pc in [entry.start_pc, entry.end_pc, entry.handler_pc] {
            canonical.number(places.number(u32::from(pc)));
        }
        canonical.optional_constant(entry.catch_type)?;
    }
    canonical.byte(u8::MAX);
    write_frames(canonical, code, places)
}

/// Writes what an instruction does; `place` says how the code offsets that it leads to are written.
pub(crate) fn write_instruction(
    canonical: &mut Canonical<'_, '_>,
    instruction: &Instruction<'_>,
    place: &dyn Fn(u32) -> u32,
) -> Result<(), ShapeError> {
    let opcode = match instruction.opcode {
        Opcode::LDC_W => Opcode::LDC,
        other => other,
    };
    canonical.byte(opcode.0);
    match instruction.operand {
        Operand::None => {}
        Operand::Number(number) => canonical.out.extend(number.to_be_bytes()),
        Operand::Local(local) => canonical.number(u32::from(local)),
        Operand::Increment { local, by } => {
            canonical.number(u32::from(local));
            canonical.out.extend(by.to_be_bytes());
        }
        Operand::Constant(index) => canonical.constant(index)?,
        Operand::InterfaceCall { method, .. } => canonical.constant(method)?,
        Operand::ArrayType(code) => canonical.byte(code),
        Operand::MultiArray { class, dimensions } => {
            canonical.constant(class)?;
            canonical.byte(dimensions);
        }
        Operand::Jump(target) => canonical.number(place(target)),
        Operand::Switch(switch) => {
            canonical.number(place(switch.default()));
            canonical.number(switch.len() as u32);
            for (key, target) in switch.cases() {
                canonical.out.extend(key.to_be_bytes());
                canonical.number(place(target));
            }
        }
    }
    Ok(())
}

/// The verifier accepts or refuses a body by its frames, so they are a part of what it does.
fn write_frames<'a>(
    canonical: &mut Canonical<'_, 'a>,
    code: &Code<'a>,
    places: &Places,
) -> Result<(), ShapeError> {
    for attribute in code.attributes.iter() {
        if let Attribute::StackMapTable(frames) = attribute.decode(canonical.class.pool())? {
            for frame in frames.iter() {
                canonical.number(places.number(frame.pc));
                // Whether the frame is written long or short depends on distances, not on what it says.
                canonical.byte(u8::from(frame.is_full()));
                canonical.number(frame.chopped() as u32);
                write_types(canonical, &frame.locals, places)?;
                write_types(canonical, &frame.stack, places)?;
            }
        }
    }
    Ok(())
}

fn write_types(
    canonical: &mut Canonical<'_, '_>,
    types: &VerificationTypes<'_>,
    places: &Places,
) -> Result<(), ShapeError> {
    canonical.number(u32::from(types.len()));
    for one in types.iter() {
        match one {
            VerificationType::Top => canonical.byte(0),
            VerificationType::Integer => canonical.byte(1),
            VerificationType::Float => canonical.byte(2),
            VerificationType::Double => canonical.byte(3),
            VerificationType::Long => canonical.byte(4),
            VerificationType::Null => canonical.byte(5),
            VerificationType::UninitializedThis => canonical.byte(6),
            VerificationType::Object(class) => {
                canonical.byte(7);
                canonical.constant(class)?;
            }
            VerificationType::Uninitialized(pc) => {
                canonical.byte(8);
                canonical.number(places.number(u32::from(pc)));
            }
        }
    }
    Ok(())
}

/// Writes what debuggers and stack traces know of a body: lines, names of variables, and attributes of no known use.
/// Neither the order of places and variables nor how they are spread over attributes says anything.
pub(crate) fn write_debug<'a>(
    canonical: &mut Canonical<'_, 'a>,
    code: &Code<'a>,
    places: &Places,
) -> Result<(), ShapeError> {
    let class = canonical.class;
    let (mut line_starts, mut written) = (Vec::new(), Vec::new());
    for attribute in code.attributes.iter() {
        match attribute.decode(class.pool())? {
            Attribute::StackMapTable(_) => {}
            Attribute::LineNumberTable(lines) => {
                let lines = lines.iter();
                line_starts.extend(lines.map(|line| (places.number(u32::from(line.start_pc)), line.line)));
            }
            Attribute::LocalVariableTable(variables) => {
                for variable in variables.iter() {
                    written.push(variable_form(class, &variable, b'd', places)?);
                }
            }
            Attribute::LocalVariableTypeTable(variables) => {
                for variable in variables.iter() {
                    written.push(variable_form(class, &variable, b's', places)?);
                }
            }
            // Annotations of types in bodies, and what the JVM does not know: no running program sees them.
            _ => {
                let mut one = Canonical::new(class);
                one.text(class.pool().utf8(attribute.name)?);
                write_attribute(&mut one, &attribute, &|pc| places.number(pc))?;
                written.push(one.out);
            }
        }
    }
    // Of several lines at one place the order counts.
    line_starts.sort_by_key(|(place, _)| *place);
    for (place, line) in line_starts {
        canonical.number(place);
        canonical.number(u32::from(line));
    }
    written.sort_unstable();
    written.iter().for_each(|one| canonical.bytes(one));
    Ok(())
}

fn variable_form(
    class: &ClassFile<'_>,
    variable: &LocalVariable,
    kind: u8,
    places: &Places,
) -> Result<Vec<u8>, ShapeError> {
    let mut one = Canonical::new(class);
    let end = u32::from(variable.start_pc) + u32::from(variable.length);
    one.byte(kind);
    one.number(places.number(u32::from(variable.start_pc)));
    one.number(places.number(end));
    one.utf8(variable.name)?;
    one.utf8(variable.descriptor)?;
    one.number(u32::from(variable.index));
    Ok(one.out)
}
