//! The `Code` attribute (JVMS 4.7.3): a method's body and its tables.

use super::{Attributes, Location, StackMapTable, write_attributes};
use crate::class::Version;
use crate::cursor::Cursor;
use crate::error::{ErrorKind, Result, Section};
use crate::instruction::Instructions;
use crate::pool::ConstantPool;
use crate::table::{Record, Table, u2_record};

/// The longest body that the JVM takes.
pub const MAX_CODE_LENGTH: u32 = 65_535;

/// A method's body.
#[derive(Clone, Copy, Debug)]
pub struct Code<'a> {
    /// The depth of the operand stack.
    pub max_stack: u16,
    /// The number of local variable slots.
    pub max_locals: u16,
    /// The code array.
    pub bytes: &'a [u8],
    /// Where the code array starts in the class file.
    pub offset: u32,
    /// The exception table.
    pub exceptions: Table<'a, ExceptionEntry>,
    /// The attributes of the body.
    pub attributes: Attributes<'a>,
    /// The version of the class file.
    pub version: Version,
}

u2_record! {
    /// An entry of the exception table.
    ExceptionEntry {
        /// Where the protected range starts.
        start_pc,
        /// The first offset behind the protected range.
        end_pc,
        /// Where the handler starts.
        handler_pc,
        /// The index of the class that is caught, or 0 for all.
        catch_type,
    }
}

u2_record! {
    /// An entry of `LineNumberTable` (JVMS 4.7.12).
    LineNumber {
        /// Where the line's code starts.
        start_pc,
        /// The line.
        line,
    }
}

u2_record! {
    /// An entry of `LocalVariableTable` (JVMS 4.7.13) or `LocalVariableTypeTable` (4.7.14).
    LocalVariable {
        /// Where the variable's range starts.
        start_pc,
        /// The length of the range.
        length,
        /// The index of the name.
        name,
        /// The index of the descriptor or signature.
        descriptor,
        /// The slot.
        index,
    }
}

impl<'a> Code<'a> {
    /// Reads a body; the cursor stands at the start of the attribute's contents.
    ///
    /// The first JVMs read shorter fields in front of the code, in class files before version 45.3. Today's do not, so
    /// neither does this.
    pub fn read(cursor: &mut Cursor<'a>, version: Version) -> Result<Self> {
        let mut inner = cursor.within(Section::Attribute(3));
        let (max_stack, max_locals, length) = (inner.u2()?, inner.u2()?, inner.u4()?);
        if length == 0 || length > MAX_CODE_LENGTH {
            return Err(inner.error(ErrorKind::BadCodeLength { length }));
        }
        let offset = inner.offset();
        let bytes = inner.bytes(length as usize)?;
        let exceptions = Table::read_u2(&mut inner)?;
        let attributes = Attributes::read(&mut inner, Location::Code, version)?;
        inner.finish()?;
        *cursor = inner;
        Ok(Self { max_stack, max_locals, bytes, offset, exceptions, attributes, version })
    }

    /// The instructions in order.
    pub fn instructions(&self) -> Instructions<'a> {
        Instructions::new(self.bytes, self.offset)
    }

    /// The frames for the verifier; nothing where the version has none or the body needs none.
    pub fn stack_map(&self, pool: &ConstantPool<'a>) -> Result<Option<StackMapTable<'a>>> {
        if self.version.major < 50 {
            return Ok(None);
        }
        let Some(attribute) = self.attributes.find_once(pool, "StackMapTable")? else { return Ok(None) };
        let mut cursor = attribute.cursor().within(Section::Attribute(4));
        let table = StackMapTable::read(&mut cursor)?;
        cursor.finish()?;
        Ok(Some(table))
    }

    /// Writes the three fields in front of the code array.
    pub(crate) fn write_head(max_stack: u16, max_locals: u16, length: u32, out: &mut Vec<u8>) {
        max_stack.write(out);
        max_locals.write(out);
        out.extend(length.to_be_bytes());
    }

    pub(super) fn write(&self, pool: &ConstantPool<'a>, out: &mut Vec<u8>) -> Result<()> {
        Self::write_head(self.max_stack, self.max_locals, self.bytes.len() as u32, out);
        let start = out.len();
        let mut instructions = self.instructions();
        // Taken by reference: moving an instruction costs more than writing it.
        while let Some(instruction) = &instructions.next() {
            match instruction {
                Ok(instruction) => instruction.write(out, start),
                Err(error) => return Err(*error),
            }
        }
        super::write_table(&self.exceptions, out);
        write_attributes(&self.attributes, pool, out)
    }
}
