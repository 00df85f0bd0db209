//! A place in a class file from which structures are read one after the other.
//!
//! The cursor holds what is left and where that starts. It compares lengths and never adds to a position before it
//! has checked, so no input can make it read outside its slice or overflow.

use crate::error::{Error, ErrorKind, Result, Section};

/// Reads big-endian numbers and slices from the front of what is left.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    rest: &'a [u8],
    offset: u32,
    section: Section,
}

impl<'a> Cursor<'a> {
    /// A cursor over `bytes`, which start at `offset` in the class file.
    pub fn new(bytes: &'a [u8], offset: u32, section: Section) -> Self {
        Self { rest: bytes, offset, section }
    }

    /// The same place, with errors that name another section.
    #[must_use]
    pub fn within(self, section: Section) -> Self {
        Self { section, ..self }
    }

    /// Where the next byte is, counted from the start of the class file.
    pub fn offset(&self) -> u32 {
        self.offset
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether everything has been read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// An error at the next byte.
    pub fn error(&self, kind: ErrorKind) -> Error {
        Error::new(self.offset, self.section, kind)
    }

    #[cold]
    fn truncated(&self, wanted: usize) -> Error {
        self.error(ErrorKind::Truncated { wanted: saturate(wanted), left: saturate(self.rest.len()) })
    }

    /// The next `N` bytes.
    #[inline]
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.rest.split_first_chunk::<N>() {
            Some((head, tail)) => {
                self.rest = tail;
                self.offset = self.offset.wrapping_add(N as u32);
                Ok(*head)
            }
            None => Err(self.truncated(N)),
        }
    }

    /// The next `count` bytes.
    #[inline]
    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8]> {
        match self.rest.split_at_checked(count) {
            Some((head, tail)) => {
                self.rest = tail;
                self.offset = self.offset.wrapping_add(count as u32);
                Ok(head)
            }
            None => Err(self.truncated(count)),
        }
    }

    /// The next unsigned byte.
    #[inline]
    pub fn u1(&mut self) -> Result<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// The next two bytes as an unsigned number.
    #[inline]
    pub fn u2(&mut self) -> Result<u16> {
        self.array().map(u16::from_be_bytes)
    }

    /// The next four bytes as an unsigned number.
    #[inline]
    pub fn u4(&mut self) -> Result<u32> {
        self.array().map(u32::from_be_bytes)
    }

    /// A cursor over the next `count` bytes, which are left behind.
    pub fn split(&mut self, count: usize) -> Result<Self> {
        let offset = self.offset;
        self.bytes(count).map(|bytes| Self { rest: bytes, offset, section: self.section })
    }

    /// Fails unless everything has been read.
    pub fn finish(&self) -> Result<()> {
        if self.rest.is_empty() {
            Ok(())
        } else {
            Err(self.error(ErrorKind::TrailingBytes { count: saturate(self.rest.len()) }))
        }
    }
}

fn saturate(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_big_endian_numbers_and_counts_the_offset() {
        let mut cursor = Cursor::new(&[1, 2, 3, 4, 5, 6, 7], 10, Section::ClassFile);
        assert_eq!(cursor.u1().unwrap(), 1);
        assert_eq!(cursor.u2().unwrap(), 0x0203);
        assert_eq!(cursor.u4().unwrap(), 0x0405_0607);
        assert_eq!(cursor.offset(), 17);
        assert!(cursor.finish().is_ok());
    }

    #[test]
    fn a_truncated_read_says_where_and_how_much() {
        let mut cursor = Cursor::new(&[1], 10, Section::ConstantPool);
        let error = cursor.u4().unwrap_err();
        assert_eq!(
            error.to_string(),
            "the data ends too early: 4 bytes are needed and 1 are left at byte 10 (JVMS 4.4)"
        );
        assert_eq!(cursor.u1().unwrap(), 1, "a failed read takes nothing");
        assert!(cursor.bytes(usize::MAX).is_err());
    }
}
