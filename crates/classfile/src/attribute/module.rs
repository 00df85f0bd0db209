//! The `Module` attribute (JVMS 4.7.25).

use super::write_table;
use crate::cursor::Cursor;
use crate::error::Result;
use crate::table::{Decode, Record, Sequence, Table, u2_record};

/// The contents of `Module`.
#[derive(Clone, Copy, Debug)]
pub struct Module<'a> {
    /// The index of the module's name.
    pub name: u16,
    /// The flags.
    pub flags: u16,
    /// The index of the version, or 0.
    pub version: u16,
    /// The modules that it requires.
    pub requires: Table<'a, Requires>,
    /// The packages that it exports.
    pub exports: Sequence<'a, Exports<'a>>,
    /// The packages that it opens.
    pub opens: Sequence<'a, Opens<'a>>,
    /// The indexes of the services that it uses.
    pub uses: Table<'a, u16>,
    /// The services that it provides.
    pub provides: Sequence<'a, Provides<'a>>,
}

u2_record! {
    /// A required module.
    Requires {
        /// The index of the module.
        module,
        /// The flags.
        flags,
        /// The index of the version, or 0.
        version,
    }
}

/// An exported package.
#[derive(Clone, Copy, Debug)]
pub struct Exports<'a> {
    /// The index of the package.
    pub package: u16,
    /// The flags.
    pub flags: u16,
    /// The indexes of the modules to which it is exported; none means all.
    pub to: Table<'a, u16>,
}

/// An opened package, written like an exported one.
pub type Opens<'a> = Exports<'a>;

/// A provided service.
#[derive(Clone, Copy, Debug)]
pub struct Provides<'a> {
    /// The index of the service.
    pub service: u16,
    /// The indexes of the implementations.
    pub with: Table<'a, u16>,
}

impl<'a> Decode<'a> for Exports<'a> {
    fn decode(cursor: &mut Cursor<'a>) -> Result<Self> {
        Ok(Self { package: cursor.u2()?, flags: cursor.u2()?, to: Table::read_u2(cursor)? })
    }
}

impl<'a> Decode<'a> for Provides<'a> {
    fn decode(cursor: &mut Cursor<'a>) -> Result<Self> {
        Ok(Self { service: cursor.u2()?, with: Table::read_u2(cursor)? })
    }
}

impl<'a> Module<'a> {
    pub(super) fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
        Ok(Self {
            name: cursor.u2()?,
            flags: cursor.u2()?,
            version: cursor.u2()?,
            requires: Table::read_u2(cursor)?,
            exports: Sequence::read_u2(cursor)?,
            opens: Sequence::read_u2(cursor)?,
            uses: Table::read_u2(cursor)?,
            provides: Sequence::read_u2(cursor)?,
        })
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        [self.name, self.flags, self.version].iter().for_each(|value| value.write(out));
        write_table(&self.requires, out);
        for packages in [&self.exports, &self.opens] {
            packages.len().write(out);
            for package in packages.iter() {
                package.package.write(out);
                package.flags.write(out);
                write_table(&package.to, out);
            }
        }
        write_table(&self.uses, out);
        self.provides.len().write(out);
        for provided in self.provides.iter() {
            provided.service.write(out);
            write_table(&provided.with, out);
        }
    }
}
