//! The `ClassFile` structure (JVMS 4.1): header, pool, members and attributes, found in one pass over the file.
//!
//! Reading checks what is needed to know where everything is and leaves the contents of attributes alone: a class that
//! the JVM accepts is never refused because of an attribute that the JVM does not look at.

use crate::attribute::{Attributes, Code, Location};
use crate::cursor::Cursor;
use crate::error::{ErrorKind, Result, Section};
use crate::mutf8::Mutf8;
use crate::pool::ConstantPool;
use crate::table::Table;

/// The first four bytes of a class file.
pub const MAGIC: u32 = 0xCAFE_BABE;
/// The oldest major version that exists.
pub const OLDEST_MAJOR: u16 = 45;
/// The newest major version that is understood: Java 26.
pub const NEWEST_MAJOR: u16 = 70;
/// The minor version of class files that use preview features, from major version 56 on.
pub const PREVIEW_MINOR: u16 = 0xFFFF;

/// The version of a class file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// The major version: 52 is Java 8.
    pub major: u16,
    /// The minor version.
    pub minor: u16,
}

/// A class file that was read; it borrows the file and copies nothing from it.
#[derive(Clone, Debug)]
pub struct ClassFile<'a> {
    bytes: &'a [u8],
    version: Version,
    pool: ConstantPool<'a>,
    access: u16,
    this_class: u16,
    super_class: u16,
    interfaces: Table<'a, u16>,
    fields: Vec<Member<'a>>,
    methods: Vec<Member<'a>>,
    attributes: Attributes<'a>,
}

/// A field or a method.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// Where the member starts in the file.
    pub offset: u32,
    /// Its access flags as they stand in the file.
    pub access: u16,
    /// The index of its name.
    pub name: u16,
    /// The index of its descriptor.
    pub descriptor: u16,
    /// Its attributes.
    pub attributes: Attributes<'a>,
}

impl<'a> ClassFile<'a> {
    /// Reads a class file that fills `bytes`.
    pub fn read(bytes: &'a [u8]) -> Result<Self> {
        let mut cursor = Cursor::new(bytes, 0, Section::ClassFile);
        if bytes.len() >= u32::MAX as usize / 2 {
            return Err(cursor.error(ErrorKind::TooLarge { size: bytes.len() as u64 }));
        }
        let version = read_header(&mut cursor)?;
        let mut pool_cursor = cursor.within(Section::ConstantPool);
        let pool = ConstantPool::read(bytes, &mut pool_cursor)?;
        let mut cursor = pool_cursor.within(Section::ClassFile);
        let class = Self {
            bytes,
            version,
            access: cursor.u2()?,
            this_class: cursor.u2()?,
            super_class: cursor.u2()?,
            interfaces: Table::read_u2(&mut cursor)?,
            fields: read_members(&mut cursor, Section::Fields, Location::Field, version)?,
            methods: read_members(&mut cursor, Section::Methods, Location::Method, version)?,
            attributes: Attributes::read(&mut cursor, Location::Class, version)?,
            pool,
        };
        cursor.finish()?;
        Ok(class)
    }

    /// The whole file.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The version of the file.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The constant pool.
    pub fn pool(&self) -> &ConstantPool<'a> {
        &self.pool
    }

    /// The access flags as they stand in the file.
    pub fn access(&self) -> u16 {
        self.access
    }

    /// The index of the class itself.
    pub fn this_class(&self) -> u16 {
        self.this_class
    }

    /// The index of the superclass, 0 for `Object` and modules.
    pub fn super_class(&self) -> u16 {
        self.super_class
    }

    /// The internal name of the class.
    pub fn name(&self) -> Result<Mutf8<'a>> {
        self.pool.class_name(self.this_class)
    }

    /// The internal name of the superclass, nothing for `Object` and modules.
    pub fn super_name(&self) -> Result<Option<Mutf8<'a>>> {
        self.pool.optional_class_name(self.super_class)
    }

    /// The indexes of the direct superinterfaces.
    pub fn interfaces(&self) -> Table<'a, u16> {
        self.interfaces
    }

    /// The fields in the order of the file.
    pub fn fields(&self) -> &[Member<'a>] {
        &self.fields
    }

    /// The methods in the order of the file.
    pub fn methods(&self) -> &[Member<'a>] {
        &self.methods
    }

    /// The attributes of the class itself.
    pub fn attributes(&self) -> Attributes<'a> {
        self.attributes
    }

    /// The body of a method, nothing for abstract and native ones.
    pub fn code(&self, method: &Member<'a>) -> Result<Option<Code<'a>>> {
        match method.attributes.find_once(&self.pool, "Code")? {
            Some(attribute) => Code::read(&mut attribute.cursor(), self.version).map(Some),
            None => Ok(None),
        }
    }
}

fn read_header(cursor: &mut Cursor<'_>) -> Result<Version> {
    let start = *cursor;
    let magic = cursor.u4()?;
    if magic != MAGIC {
        return Err(start.error(ErrorKind::BadMagic(magic)));
    }
    let at_version = *cursor;
    let (minor, major) = (cursor.u2()?, cursor.u2()?);
    let known = (OLDEST_MAJOR..=NEWEST_MAJOR).contains(&major)
        && (major < 56 || minor == 0 || minor == PREVIEW_MINOR);
    if !known {
        return Err(at_version.error(ErrorKind::UnsupportedVersion { major, minor }));
    }
    Ok(Version { major, minor })
}

fn read_members<'a>(
    cursor: &mut Cursor<'a>,
    section: Section,
    location: Location,
    version: Version,
) -> Result<Vec<Member<'a>>> {
    let mut inner = cursor.within(section);
    let count = usize::from(inner.u2()?);
    // A member has at least eight bytes: a hostile count cannot make this large.
    let mut members = Vec::with_capacity(count.min(inner.rest().len() / 8));
    for _ in 0..count {
        members.push(Member {
            offset: inner.offset(),
            access: inner.u2()?,
            name: inner.u2()?,
            descriptor: inner.u2()?,
            attributes: Attributes::read(&mut inner, location, version)?,
        });
    }
    *cursor = inner.within(Section::ClassFile);
    Ok(members)
}
