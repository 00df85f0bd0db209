//! The constant pool (JVMS 4.4): found in one pass, decoded where somebody looks.
//!
//! The pool of a class is an index of offsets into the file. It never copies a constant and never changes one; what
//! is added while a class is edited lives in [`crate::edit::PoolAppender`], behind the old indexes.

use crate::cursor::Cursor;
use crate::error::{Error, ErrorKind, Result, Section};
use crate::mutf8::Mutf8;

/// The tags of constants.
pub mod tag {
    #![allow(missing_docs, reason = "the names are those of JVMS table 4.4-A")]
    pub const UTF8: u8 = 1;
    pub const INTEGER: u8 = 3;
    pub const FLOAT: u8 = 4;
    pub const LONG: u8 = 5;
    pub const DOUBLE: u8 = 6;
    pub const CLASS: u8 = 7;
    pub const STRING: u8 = 8;
    pub const FIELD: u8 = 9;
    pub const METHOD: u8 = 10;
    pub const INTERFACE_METHOD: u8 = 11;
    pub const NAME_AND_TYPE: u8 = 12;
    pub const METHOD_HANDLE: u8 = 15;
    pub const METHOD_TYPE: u8 = 16;
    pub const DYNAMIC: u8 = 17;
    pub const INVOKE_DYNAMIC: u8 = 18;
    pub const MODULE: u8 = 19;
    pub const PACKAGE: u8 = 20;
}

/// One constant, with the indexes that it holds as they are.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the fields are those of JVMS 4.4")]
pub enum Constant<'a> {
    Utf8(Mutf8<'a>),
    Integer(i32),
    /// The bits of a `float`.
    Float(u32),
    Long(i64),
    /// The bits of a `double`.
    Double(u64),
    Class {
        name: u16,
    },
    String {
        value: u16,
    },
    Field {
        class: u16,
        name_and_type: u16,
    },
    Method {
        class: u16,
        name_and_type: u16,
    },
    InterfaceMethod {
        class: u16,
        name_and_type: u16,
    },
    NameAndType {
        name: u16,
        descriptor: u16,
    },
    MethodHandle {
        kind: u8,
        reference: u16,
    },
    MethodType {
        descriptor: u16,
    },
    Dynamic {
        bootstrap: u16,
        name_and_type: u16,
    },
    InvokeDynamic {
        bootstrap: u16,
        name_and_type: u16,
    },
    Module {
        name: u16,
    },
    Package {
        name: u16,
    },
}

impl<'a> Constant<'a> {
    /// The constant's tag.
    pub fn tag(&self) -> u8 {
        match self {
            Self::Utf8(_) => tag::UTF8,
            Self::Integer(_) => tag::INTEGER,
            Self::Float(_) => tag::FLOAT,
            Self::Long(_) => tag::LONG,
            Self::Double(_) => tag::DOUBLE,
            Self::Class { .. } => tag::CLASS,
            Self::String { .. } => tag::STRING,
            Self::Field { .. } => tag::FIELD,
            Self::Method { .. } => tag::METHOD,
            Self::InterfaceMethod { .. } => tag::INTERFACE_METHOD,
            Self::NameAndType { .. } => tag::NAME_AND_TYPE,
            Self::MethodHandle { .. } => tag::METHOD_HANDLE,
            Self::MethodType { .. } => tag::METHOD_TYPE,
            Self::Dynamic { .. } => tag::DYNAMIC,
            Self::InvokeDynamic { .. } => tag::INVOKE_DYNAMIC,
            Self::Module { .. } => tag::MODULE,
            Self::Package { .. } => tag::PACKAGE,
        }
    }

    /// How many indexes the constant takes: two for `long` and `double`.
    pub fn slots(&self) -> u16 {
        if matches!(self, Self::Long(_) | Self::Double(_)) { 2 } else { 1 }
    }

    /// Inlined, as is `write`: where one follows the other the compiler then makes one jump by tag of the two.
    #[inline(always)]
    fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
        let at_tag = *cursor;
        Ok(match cursor.u1()? {
            tag::UTF8 => {
                let length = cursor.u2()?;
                Self::Utf8(Mutf8::new(cursor.bytes(usize::from(length))?))
            }
            tag::INTEGER => Self::Integer(cursor.array().map(i32::from_be_bytes)?),
            tag::FLOAT => Self::Float(cursor.u4()?),
            tag::LONG => Self::Long(cursor.array().map(i64::from_be_bytes)?),
            tag::DOUBLE => Self::Double(cursor.array().map(u64::from_be_bytes)?),
            tag::CLASS => Self::Class { name: cursor.u2()? },
            tag::STRING => Self::String { value: cursor.u2()? },
            tag::FIELD => Self::Field { class: cursor.u2()?, name_and_type: cursor.u2()? },
            tag::METHOD => Self::Method { class: cursor.u2()?, name_and_type: cursor.u2()? },
            tag::INTERFACE_METHOD => {
                Self::InterfaceMethod { class: cursor.u2()?, name_and_type: cursor.u2()? }
            }
            tag::NAME_AND_TYPE => Self::NameAndType { name: cursor.u2()?, descriptor: cursor.u2()? },
            tag::METHOD_HANDLE => Self::MethodHandle { kind: cursor.u1()?, reference: cursor.u2()? },
            tag::METHOD_TYPE => Self::MethodType { descriptor: cursor.u2()? },
            tag::DYNAMIC => Self::Dynamic { bootstrap: cursor.u2()?, name_and_type: cursor.u2()? },
            tag::INVOKE_DYNAMIC => {
                Self::InvokeDynamic { bootstrap: cursor.u2()?, name_and_type: cursor.u2()? }
            }
            tag::MODULE => Self::Module { name: cursor.u2()? },
            tag::PACKAGE => Self::Package { name: cursor.u2()? },
            other => return Err(at_tag.error(ErrorKind::BadConstantTag(other))),
        })
    }

    /// Writes the constant as it stands in a class file.
    ///
    /// A `Utf8` must have been checked to have fewer than 65,536 bytes; what is read from a class file has.
    #[inline(always)]
    pub fn write(&self, out: &mut Vec<u8>) {
        out.push(self.tag());
        match *self {
            Self::Utf8(text) => {
                out.extend((text.as_bytes().len() as u16).to_be_bytes());
                out.extend(text.as_bytes());
            }
            Self::Integer(value) => out.extend(value.to_be_bytes()),
            Self::Float(bits) => out.extend(bits.to_be_bytes()),
            Self::Long(value) => out.extend(value.to_be_bytes()),
            Self::Double(bits) => out.extend(bits.to_be_bytes()),
            Self::Class { name: index }
            | Self::String { value: index }
            | Self::MethodType { descriptor: index }
            | Self::Module { name: index }
            | Self::Package { name: index } => out.extend(index.to_be_bytes()),
            Self::Field { class: first, name_and_type: second }
            | Self::Method { class: first, name_and_type: second }
            | Self::InterfaceMethod { class: first, name_and_type: second }
            | Self::NameAndType { name: first, descriptor: second }
            | Self::Dynamic { bootstrap: first, name_and_type: second }
            | Self::InvokeDynamic { bootstrap: first, name_and_type: second } => {
                out.extend(first.to_be_bytes());
                out.extend(second.to_be_bytes());
            }
            Self::MethodHandle { kind, reference } => {
                out.push(kind);
                out.extend(reference.to_be_bytes());
            }
        }
    }
}

/// A field or method that the pool names, with its texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberName<'a> {
    /// The internal name of the class that is asked for the member.
    pub class: Mutf8<'a>,
    /// The member's name.
    pub name: Mutf8<'a>,
    /// The member's descriptor.
    pub descriptor: Mutf8<'a>,
}

/// The constant pool of a class that was read.
#[derive(Clone, Debug)]
pub struct ConstantPool<'a> {
    file: &'a [u8],
    /// The offset of each constant's tag; 0 where no constant is (index 0, the second half of a `long`).
    offsets: Vec<u32>,
    /// Where the first constant starts.
    start: u32,
    end: u32,
}

impl<'a> ConstantPool<'a> {
    /// Reads the pool that starts with its count at the cursor, which belongs to `file` from its first byte.
    pub(crate) fn read(file: &'a [u8], cursor: &mut Cursor<'a>) -> Result<Self> {
        let count = cursor.u2()?;
        if count == 0 {
            return Err(cursor.error(ErrorKind::EmptyConstantPool));
        }
        let start = cursor.offset();
        // The shortest constant has three bytes: a hostile count cannot make this large.
        let mut offsets = Vec::with_capacity(usize::from(count).min(cursor.rest().len() / 3 + 2));
        offsets.push(0);
        while offsets.len() < usize::from(count) {
            offsets.push(cursor.offset());
            let at_tag = *cursor;
            match cursor.u1()? {
                tag::UTF8 => {
                    let length = cursor.u2()?;
                    cursor.bytes(usize::from(length))?;
                }
                tag::CLASS | tag::STRING | tag::METHOD_TYPE | tag::MODULE | tag::PACKAGE => {
                    cursor.array::<2>()?;
                }
                tag::METHOD_HANDLE => {
                    cursor.array::<3>()?;
                }
                tag::FIELD..=tag::NAME_AND_TYPE
                | tag::INTEGER
                | tag::FLOAT
                | tag::DYNAMIC
                | tag::INVOKE_DYNAMIC => {
                    cursor.array::<4>()?;
                }
                tag::LONG | tag::DOUBLE => {
                    cursor.array::<8>()?;
                    offsets.push(0);
                }
                other => return Err(at_tag.error(ErrorKind::BadConstantTag(other))),
            }
        }
        if offsets.len() > usize::from(count) {
            return Err(
                cursor.error(ErrorKind::Inconsistent("a long or double takes the last index of the pool"))
            );
        }
        Ok(Self { file, offsets, start, end: cursor.offset() })
    }

    /// The pool's count as it stands in the file: one more than the highest index.
    pub fn count(&self) -> u16 {
        self.offsets.len() as u16
    }

    /// The offset of the byte behind the pool.
    pub fn end(&self) -> u32 {
        self.end
    }

    /// Where a constant stands in the file.
    pub fn offset(&self, index: u16) -> Option<u32> {
        self.offsets.get(usize::from(index)).copied().filter(|&offset| offset != 0)
    }

    /// Every constant with its index.
    pub fn iter(&self) -> impl Iterator<Item = (u16, Constant<'a>)> + '_ {
        (1..self.count()).filter_map(|index| Some((index, self.get(index).ok()?)))
    }

    /// Decodes every constant and writes it again, without the count in front.
    pub(crate) fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        let bytes = self.file.get(self.start as usize..self.end as usize).unwrap_or_default();
        let mut cursor = Cursor::new(bytes, self.start, Section::ConstantPool);
        while !cursor.is_empty() {
            match &Constant::read(&mut cursor) {
                Ok(constant) => constant.write(out),
                Err(error) => return Err(*error),
            }
        }
        Ok(())
    }

    /// The constant at an index.
    pub fn get(&self, index: u16) -> Result<Constant<'a>> {
        let missing = || self.error(0, ErrorKind::NoSuchConstant { index });
        let offset = self.offset(index).ok_or_else(missing)?;
        let bytes = self.file.get(offset as usize..).ok_or_else(missing)?;
        Constant::read(&mut Cursor::new(bytes, offset, Section::ConstantPool))
    }

    /// The text at an index.
    #[inline]
    pub fn utf8(&self, index: u16) -> Result<Mutf8<'a>> {
        // Names are looked up for every attribute: this spares them the decoding of the other kinds.
        let constant = self.offset(index).and_then(|offset| self.file.get(offset as usize..));
        if let Some([tag::UTF8, high, low, rest @ ..]) = constant
            && let Some(text) = rest.get(..usize::from(u16::from_be_bytes([*high, *low])))
        {
            return Ok(Mutf8::new(text));
        }
        self.get(index).and_then(|other| Err(self.wrong(index, "Utf8", &other)))
    }

    /// The internal name of the class at an index.
    pub fn class_name(&self, index: u16) -> Result<Mutf8<'a>> {
        match self.get(index)? {
            Constant::Class { name } => self.utf8(name),
            other => Err(self.wrong(index, "Class", &other)),
        }
    }

    /// The internal name of the class at an index, or nothing at index 0.
    pub fn optional_class_name(&self, index: u16) -> Result<Option<Mutf8<'a>>> {
        if index == 0 { Ok(None) } else { self.class_name(index).map(Some) }
    }

    /// The name and the descriptor at an index.
    pub fn name_and_type(&self, index: u16) -> Result<(Mutf8<'a>, Mutf8<'a>)> {
        match self.get(index)? {
            Constant::NameAndType { name, descriptor } => Ok((self.utf8(name)?, self.utf8(descriptor)?)),
            other => Err(self.wrong(index, "NameAndType", &other)),
        }
    }

    /// The field, method or interface method at an index.
    pub fn member(&self, index: u16) -> Result<MemberName<'a>> {
        match self.get(index)? {
            Constant::Field { class, name_and_type }
            | Constant::Method { class, name_and_type }
            | Constant::InterfaceMethod { class, name_and_type } => {
                let (name, descriptor) = self.name_and_type(name_and_type)?;
                Ok(MemberName { class: self.class_name(class)?, name, descriptor })
            }
            other => Err(self.wrong(index, "field or method", &other)),
        }
    }

    /// The descriptor of the member, dynamic constant or dynamic call site at an index.
    pub fn descriptor(&self, index: u16) -> Result<Mutf8<'a>> {
        match self.get(index)? {
            Constant::Field { name_and_type, .. }
            | Constant::Method { name_and_type, .. }
            | Constant::InterfaceMethod { name_and_type, .. }
            | Constant::Dynamic { name_and_type, .. }
            | Constant::InvokeDynamic { name_and_type, .. } => Ok(self.name_and_type(name_and_type)?.1),
            other => Err(self.wrong(index, "constant with a descriptor", &other)),
        }
    }

    #[cold]
    fn wrong(&self, index: u16, expected: &'static str, found: &Constant<'_>) -> Error {
        self.error(
            self.offset(index).unwrap_or(0),
            ErrorKind::WrongConstant { index, expected, found: found.tag() },
        )
    }

    #[cold]
    fn error(&self, offset: u32, kind: ErrorKind) -> Error {
        Error::new(offset, Section::ConstantPool, kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(bytes: &[u8]) -> Result<ConstantPool<'_>> {
        ConstantPool::read(bytes, &mut Cursor::new(bytes, 0, Section::ConstantPool))
    }

    #[test]
    fn a_long_takes_two_indexes() {
        let bytes = [0, 4, tag::LONG, 0, 0, 0, 0, 0, 0, 0, 9, tag::INTEGER, 0, 0, 0, 7];
        let pool = pool(&bytes).unwrap();
        assert_eq!(pool.get(1).unwrap(), Constant::Long(9));
        assert_eq!(pool.get(2).unwrap_err().kind, ErrorKind::NoSuchConstant { index: 2 });
        assert_eq!(pool.get(3).unwrap(), Constant::Integer(7));
        assert_eq!(pool.iter().count(), 2);
        assert_eq!(pool.end() as usize, bytes.len());
    }

    #[test]
    fn the_second_half_of_a_long_must_have_an_index() {
        let bytes = [0, 2, tag::LONG, 0, 0, 0, 0, 0, 0, 0, 9];
        assert!(matches!(pool(&bytes).unwrap_err().kind, ErrorKind::Inconsistent(_)));
    }

    #[test]
    fn wrong_kinds_and_unknown_tags_are_errors_with_a_place() {
        let bytes = [0, 3, tag::INTEGER, 0, 0, 0, 7, tag::CLASS, 0, 1];
        let pool_ = pool(&bytes).unwrap();
        let error = pool_.class_name(2).unwrap_err();
        assert_eq!(error.offset, 2);
        assert_eq!(error.kind, ErrorKind::WrongConstant { index: 1, expected: "Utf8", found: tag::INTEGER });
        assert_eq!(pool(&[0, 2, 2, 0, 0]).unwrap_err().kind, ErrorKind::BadConstantTag(2));
    }
}
