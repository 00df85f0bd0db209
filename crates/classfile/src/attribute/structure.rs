//! The small attributes that describe how a class is built: nesting, bootstrap methods, parameters, record components.

use super::{Attributes, Location, write_attributes};
use crate::class::Version;
use crate::cursor::Cursor;
use crate::error::Result;
use crate::pool::ConstantPool;
use crate::table::{Decode, Record, Table, u2_record};

u2_record! {
    /// An entry of `InnerClasses` (JVMS 4.7.6).
    InnerClass {
        /// The index of the inner class.
        inner_class,
        /// The index of the class of which it is a member, or 0.
        outer_class,
        /// The index of its simple name, or 0.
        inner_name,
        /// Its access flags as in the source.
        access,
    }
}

u2_record! {
    /// The contents of `EnclosingMethod` (JVMS 4.7.7).
    EnclosingMethod {
        /// The index of the innermost enclosing class.
        class,
        /// The index of the enclosing method's name and type, or 0.
        method,
    }
}

u2_record! {
    /// An entry of `MethodParameters` (JVMS 4.7.24).
    MethodParameter {
        /// The index of the name, or 0.
        name,
        /// The access flags.
        access,
    }
}

/// An entry of `BootstrapMethods` (JVMS 4.7.23).
#[derive(Clone, Copy, Debug)]
pub struct BootstrapMethod<'a> {
    /// The index of the method handle.
    pub method: u16,
    /// The indexes of the static arguments.
    pub arguments: Table<'a, u16>,
}

impl<'a> Decode<'a> for BootstrapMethod<'a> {
    fn decode(cursor: &mut Cursor<'a>) -> Result<Self> {
        Ok(Self { method: cursor.u2()?, arguments: Table::read_u2(cursor)? })
    }
}

impl BootstrapMethod<'_> {
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        self.method.write(out);
        super::write_table(&self.arguments, out);
    }
}

/// A component of a record (JVMS 4.7.30).
#[derive(Clone, Copy, Debug)]
pub struct RecordComponent<'a> {
    /// The index of its name.
    pub name: u16,
    /// The index of its descriptor.
    pub descriptor: u16,
    /// Its attributes.
    pub attributes: Attributes<'a>,
}

impl<'a> RecordComponent<'a> {
    fn read(cursor: &mut Cursor<'a>, version: Version) -> Result<Self> {
        Ok(Self {
            name: cursor.u2()?,
            descriptor: cursor.u2()?,
            attributes: Attributes::read(cursor, Location::RecordComponent, version)?,
        })
    }
}

/// The components of a record in order.
#[derive(Clone, Copy, Debug)]
pub struct RecordComponents<'a> {
    cursor: Cursor<'a>,
    count: u16,
    version: Version,
}

impl<'a> RecordComponents<'a> {
    pub(super) fn read(cursor: &mut Cursor<'a>, count: u16, version: Version) -> Result<Self> {
        let start = *cursor;
        for _ in 0..count {
            RecordComponent::read(cursor, version)?;
        }
        Ok(Self { cursor: start, count, version })
    }

    /// All components in order. They were read once already, so none is left out.
    pub fn iter(&self) -> impl Iterator<Item = RecordComponent<'a>> + use<'a> {
        let (mut cursor, version) = (self.cursor, self.version);
        (0..self.count).map_while(move |_| RecordComponent::read(&mut cursor, version).ok())
    }

    pub(super) fn write(&self, pool: &ConstantPool<'a>, out: &mut Vec<u8>) -> Result<()> {
        for component in self.iter() {
            component.name.write(out);
            component.descriptor.write(out);
            write_attributes(&component.attributes, pool, out)?;
        }
        Ok(())
    }
}
