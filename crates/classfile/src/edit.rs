//! Changes a class and nothing but what it is told to change.
//!
//! Constants are added behind the old ones, so every index in bytes that are not touched stays true, and those bytes
//! are copied. An edit that fails leaves nothing behind: the class stays as it was.

use crate::attribute::with_length;
use crate::class::{ClassFile, Member};
use crate::error::Error;
use crate::mutf8;
use crate::pool::{Constant, ConstantPool};
use std::collections::HashMap;
use std::fmt;
use std::ops::Range;

/// Why a class could not be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// The class is not well-formed where the change needs it to be.
    Class(Error),
    /// The constant pool has no room for what must be added.
    PoolFull,
    /// A text is too long for a constant.
    TextTooLong {
        /// Its length in modified UTF-8.
        length: usize,
    },
    /// The method's body would be longer than 65,535 bytes.
    BodyTooLarge {
        /// How long it would be.
        length: u32,
    },
    /// The method's operand stack or its number of locals would be larger than the format can say.
    FrameTooLarge,
    /// A table of the method would have more entries than the format can say.
    TableTooLarge,
    /// The change asks for something that the body does not have, such as a jump where there is none.
    BadPatch {
        /// The code offset.
        pc: u32,
    },
    /// Inlining the subroutines would make the body grow without bound or cannot be done.
    Subroutines,
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Class(error) => error.fmt(f),
            Self::PoolFull => write!(f, "the constant pool is full (JVMS 4.11)"),
            Self::TextTooLong { length } => {
                write!(f, "a text of {length} bytes does not fit a constant (JVMS 4.11)")
            }
            Self::BodyTooLarge { length } => {
                write!(f, "the method's body would have {length} bytes, and 65535 are allowed (JVMS 4.11)")
            }
            Self::FrameTooLarge => {
                write!(f, "the method would need more stack or locals than are allowed (JVMS 4.11)")
            }
            Self::TableTooLarge => {
                write!(f, "a table of the method would have more than 65535 entries (JVMS 4.7)")
            }
            Self::BadPatch { pc } => write!(f, "the change does not fit the code at offset {pc}"),
            Self::Subroutines => write!(f, "the method's subroutines (jsr, ret) cannot be inlined"),
        }
    }
}

impl std::error::Error for EditError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Class(error) => Some(error),
            _ => None,
        }
    }
}

impl From<Error> for EditError {
    fn from(error: Error) -> Self {
        Self::Class(error)
    }
}

/// Adds constants behind those of a class.
#[derive(Clone, Debug)]
pub struct PoolAppender {
    old_count: u16,
    count: u32,
    bytes: Vec<u8>,
    known: Known,
}

/// Where the constants stand that were added. Most classes get a handful, which are compared one by one.
#[derive(Clone, Debug, Default)]
struct Known {
    /// The range of each of the first constants, and its index.
    first: Vec<(Range<usize>, u16)>,
    /// The constants behind those.
    more: HashMap<Vec<u8>, u16>,
}

impl Known {
    const FIRST: usize = 16;

    /// The index of the constant that was written from `start` on, if one like it was known.
    fn find(&self, bytes: &[u8], start: usize) -> Option<u16> {
        let key = bytes.get(start..).unwrap_or_default();
        let among_first = self.first.iter().find(|(range, _)| bytes.get(range.clone()) == Some(key));
        let among_more = || if self.more.is_empty() { None } else { self.more.get(key).copied() };
        among_first.map(|(_, index)| *index).or_else(among_more)
    }

    fn insert(&mut self, bytes: &[u8], start: usize, index: u16) {
        if self.first.len() < Self::FIRST {
            self.first.push((start..bytes.len(), index));
        } else {
            self.more.insert(bytes.get(start..).unwrap_or_default().to_vec(), index);
        }
    }
}

impl PoolAppender {
    /// Adds behind the constants of `pool`.
    pub fn new(pool: &ConstantPool<'_>) -> Self {
        let count = pool.count();
        Self { old_count: count, count: u32::from(count), bytes: Vec::new(), known: Known::default() }
    }

    /// The index of a constant, which is added unless an equal one was added before.
    pub fn add(&mut self, constant: &Constant<'_>) -> Result<u16, EditError> {
        if let Constant::Utf8(text) = constant
            && text.as_bytes().len() > usize::from(u16::MAX)
        {
            return Err(EditError::TextTooLong { length: text.as_bytes().len() });
        }
        let start = self.bytes.len();
        constant.write(&mut self.bytes);
        if let Some(index) = self.known.find(&self.bytes, start) {
            self.bytes.truncate(start);
            return Ok(index);
        }
        let next = self.count + u32::from(constant.slots());
        match u16::try_from(self.count) {
            Ok(index) if next <= u32::from(u16::MAX) => {
                self.known.insert(&self.bytes, start, index);
                self.count = next;
                Ok(index)
            }
            _ => {
                self.bytes.truncate(start);
                Err(EditError::PoolFull)
            }
        }
    }

    /// The index of a text.
    pub fn text(&mut self, text: &str) -> Result<u16, EditError> {
        let mut bytes = Vec::with_capacity(text.len());
        mutf8::encode(text, &mut bytes);
        self.utf8(mutf8::Mutf8::new(&bytes))
    }

    /// The index of a text that is modified UTF-8 already.
    pub fn utf8(&mut self, text: mutf8::Mutf8<'_>) -> Result<u16, EditError> {
        self.add(&Constant::Utf8(text))
    }

    /// The index of a class, by internal name or array descriptor.
    pub fn class(&mut self, name: mutf8::Mutf8<'_>) -> Result<u16, EditError> {
        let name = self.utf8(name)?;
        self.add(&Constant::Class { name })
    }

    /// The index of a static or instance field.
    pub fn field(&mut self, class: &str, name: &str, descriptor: &str) -> Result<u16, EditError> {
        let (class, name_and_type) = self.member(class, name, descriptor)?;
        self.add(&Constant::Field { class, name_and_type })
    }

    /// The index of a method of a class.
    pub fn method(&mut self, class: &str, name: &str, descriptor: &str) -> Result<u16, EditError> {
        let (class, name_and_type) = self.member(class, name, descriptor)?;
        self.add(&Constant::Method { class, name_and_type })
    }

    fn member(&mut self, class: &str, name: &str, descriptor: &str) -> Result<(u16, u16), EditError> {
        let class = self.text(class)?;
        let class = self.add(&Constant::Class { name: class })?;
        let (name, descriptor) = (self.text(name)?, self.text(descriptor)?);
        Ok((class, self.add(&Constant::NameAndType { name, descriptor })?))
    }

    fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The count of the whole pool. `add` keeps it within two bytes.
    fn count(&self) -> u16 {
        u16::try_from(self.count).unwrap_or(self.old_count)
    }
}

/// Collects changes of a class and writes the changed class.
#[derive(Debug)]
pub struct ClassEditor<'c, 'a> {
    class: &'c ClassFile<'a>,
    pool: PoolAppender,
    /// New bytes of all replacements, one behind the other.
    replacements: Vec<u8>,
    splices: Vec<Splice>,
}

/// Bytes of the file that are replaced by bytes of `replacements`.
#[derive(Clone, Copy, Debug)]
struct Splice {
    old_start: usize,
    old_end: usize,
    new_start: usize,
    new_end: usize,
}

impl<'c, 'a> ClassEditor<'c, 'a> {
    /// An editor of a class that has changed nothing yet.
    pub fn new(class: &'c ClassFile<'a>) -> Self {
        let pool = PoolAppender::new(class.pool());
        // What is replaced is mostly code, which is a part of the class and grows a little.
        let replacements = Vec::with_capacity(class.bytes().len());
        Self { class, pool, replacements, splices: Vec::with_capacity(class.methods().len()) }
    }

    /// The constants of the changed class.
    pub fn pool(&mut self) -> &mut PoolAppender {
        &mut self.pool
    }

    /// Replaces the contents of a method's `Code` attribute by what `write` appends to the buffer that it gets.
    ///
    /// Does nothing for a method without a body. If `write` fails the method stays as it was; constants that were
    /// added meanwhile stay, unused.
    pub fn replace_code(
        &mut self,
        method: &Member<'a>,
        write: impl FnOnce(&mut PoolAppender, &mut Vec<u8>) -> Result<(), EditError>,
    ) -> Result<(), EditError> {
        let Some(attribute) = method.attributes.find_once(self.class.pool(), "Code")? else { return Ok(()) };
        let new_start = self.replacements.len();
        let pool = &mut self.pool;
        if let Err(error) = with_length(&mut self.replacements, |out| write(pool, out)) {
            self.replacements.truncate(new_start);
            return Err(error);
        }
        // The length field and the contents are replaced, the name stays.
        let old_start = attribute.offset as usize + 2;
        let old_end = old_start + 4 + attribute.info.len();
        self.splices.push(Splice { old_start, old_end, new_start, new_end: self.replacements.len() });
        Ok(())
    }

    /// The changed class.
    pub fn finish(mut self) -> Vec<u8> {
        let old = self.class.bytes();
        let pool_end = self.class.pool().end() as usize;
        let mut out = Vec::with_capacity(old.len() + self.pool.bytes.len() + self.replacements.len());
        if self.pool.is_empty() {
            out.extend(old.get(..pool_end).unwrap_or_default());
        } else {
            out.extend(old.get(..8).unwrap_or_default());
            out.extend(self.pool.count().to_be_bytes());
            out.extend(old.get(10..pool_end).unwrap_or_default());
            out.extend(&self.pool.bytes);
        }
        self.splices.sort_by_key(|splice| splice.old_start);
        let mut copied = pool_end;
        for splice in &self.splices {
            out.extend(old.get(copied..splice.old_start).unwrap_or_default());
            out.extend(self.replacements.get(splice.new_start..splice.new_end).unwrap_or_default());
            copied = splice.old_end;
        }
        out.extend(old.get(copied..).unwrap_or_default());
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_is_added_once_however_many_there_are() {
        let mut known = PoolAppender { old_count: 1, count: 1, bytes: Vec::new(), known: Known::default() };
        let added = |pool: &mut PoolAppender| -> Vec<u16> {
            let add = |number| pool.add(&Constant::Integer(number)).expect("there is room");
            (0..3 * Known::FIRST as i32).map(add).collect()
        };
        let first = added(&mut known);
        assert_eq!(first, (1..=3 * Known::FIRST as u16).collect::<Vec<_>>());
        assert_eq!(added(&mut known), first);
        assert_eq!(known.bytes.len(), 5 * first.len());
    }
}
