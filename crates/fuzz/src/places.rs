//! Where the interesting bytes of a class file are: counts, lengths, tags, indexes, instructions.

use probity_classfile::attribute::Attributes;
use probity_classfile::opcode::Form;
use probity_classfile::{ClassFile, Result};

/// Offsets into a class file, by what is there.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// Constants, each starting with its tag.
    pub(crate) constants: Vec<Constant>,
    /// Four-byte lengths of attributes.
    pub(crate) lengths: Vec<usize>,
    /// Two-byte numbers: counts, indexes, code offsets.
    pub(crate) numbers: Vec<usize>,
    /// Instructions.
    pub(crate) instructions: Vec<Instruction>,
    /// Whole attributes with their name, as start and end.
    pub(crate) attributes: Vec<(usize, usize)>,
}

/// A constant.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Constant {
    pub(crate) index: u16,
    pub(crate) offset: usize,
    pub(crate) tag: u8,
}

/// An instruction of some body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instruction {
    /// Where it is in the file.
    pub(crate) offset: usize,
    /// Where the code array starts in the file.
    pub(crate) code: usize,
    pub(crate) length: usize,
    pub(crate) form: Form,
}

impl Places {
    /// The places of a class that is still whole.
    pub(crate) fn of(bytes: &[u8]) -> Result<Self> {
        let class = ClassFile::read(bytes)?;
        let mut places = Self::default();
        for (index, constant) in class.pool().iter() {
            let offset = class.pool().offset(index).unwrap_or(0) as usize;
            places.constants.push(Constant { index, offset, tag: constant.tag() });
        }
        let pool_end = class.pool().end() as usize;
        places.numbers.push(8);
        places.numbers.extend((0..4 + class.interfaces().len()).map(|number| pool_end + 2 * number));
        for member in class.fields().iter().chain(class.methods()) {
            let offset = member.offset as usize;
            // The count in front of the first member is the last two bytes before it.
            places.numbers.extend([offset - 2, offset, offset + 2, offset + 4, offset + 6]);
            places.add_attributes(&member.attributes);
        }
        places.numbers.push(class.attributes().offset() as usize - 2);
        places.add_attributes(&class.attributes());
        for method in class.methods() {
            let Some(code) = class.code(method)? else { continue };
            places.add_attributes(&code.attributes);
            let start = code.offset as usize;
            let exceptions = code.exceptions.offset() as usize;
            places.numbers.extend([start - 8, start - 6, exceptions - 2]);
            places.numbers.extend((0..4 * code.exceptions.len()).map(|number| exceptions + 2 * number));
            for instruction in code.instructions() {
                let instruction = instruction?;
                places.instructions.push(Instruction {
                    offset: start + instruction.pc as usize,
                    code: start,
                    length: instruction.length as usize,
                    form: instruction.opcode.form(),
                });
            }
        }
        Ok(places)
    }

    fn add_attributes(&mut self, attributes: &Attributes<'_>) {
        for attribute in attributes.iter() {
            let offset = attribute.offset as usize;
            self.attributes.push((offset, offset + 6 + attribute.info.len()));
            self.lengths.push(offset + 2);
            self.numbers.push(offset);
            // Most tables consist of two-byte numbers.
            self.numbers.extend((0..attribute.info.len().min(64) / 2).map(|number| offset + 6 + 2 * number));
        }
    }
}
