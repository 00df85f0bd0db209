//! Numbers and texts as bytes: seven bits of a number in each byte, the lowest first; a text behind its length.

use std::fmt;

/// Why bytes are not what they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Malformed {
    /// They end in the middle of something.
    TooShort,
    /// A number is larger than its place allows.
    TooLarge,
    /// A tag that this version does not know.
    UnknownTag(u64),
    /// Something is left over.
    TooLong,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort => f.write_str("it ends in the middle of a value"),
            Self::TooLarge => f.write_str("a number is too large"),
            Self::UnknownTag(tag) => write!(f, "there is no kind {tag}"),
            Self::TooLong => f.write_str("there is something behind its end"),
        }
    }
}

impl std::error::Error for Malformed {}

/// Appends a number.
pub fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends bytes behind their length.
pub fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Appends how many items there are and then each of them.
pub fn put_list<T>(
    out: &mut Vec<u8>,
    items: impl ExactSizeIterator<Item = T>,
    mut put: impl FnMut(&mut Vec<u8>, T),
) {
    put_number(out, items.len() as u64);
    for item in items {
        put(out, item);
    }
}

/// Appends something that may be missing.
pub fn put_optional(out: &mut Vec<u8>, bytes: Option<&[u8]>) {
    match bytes {
        None => out.push(0),
        Some(bytes) => {
            out.push(1);
            put_bytes(out, bytes);
        }
    }
}

/// Reads what was put, in the same order.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    /// Reads from the start of some bytes.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// How many bytes are left.
    #[must_use]
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// One byte.
    pub fn byte(&mut self) -> Result<u8, Malformed> {
        let (&first, rest) = self.rest.split_first().ok_or(Malformed::TooShort)?;
        self.rest = rest;
        Ok(first)
    }

    /// A number.
    pub fn number(&mut self) -> Result<u64, Malformed> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7F);
            if shift == 63 && bits > 1 {
                return Err(Malformed::TooLarge);
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Malformed::TooLarge)
    }

    /// A number of at most 32 bits.
    pub fn small(&mut self) -> Result<u32, Malformed> {
        u32::try_from(self.number()?).map_err(|_| Malformed::TooLarge)
    }

    /// A number that is 0 or 1.
    pub fn flag(&mut self) -> Result<bool, Malformed> {
        match self.byte()? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(Malformed::UnknownTag(u64::from(other))),
        }
    }

    /// As many bytes as asked for.
    pub fn take(&mut self, length: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(Malformed::TooShort)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Bytes behind their length.
    pub fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let length = usize::try_from(self.number()?).map_err(|_| Malformed::TooLarge)?;
        self.take(length)
    }

    /// Something that may be missing.
    pub fn optional(&mut self) -> Result<Option<&'a [u8]>, Malformed> {
        if self.flag()? { self.bytes().map(Some) } else { Ok(None) }
    }

    /// Items behind their count. Each takes a byte at least, so a count cannot ask for more memory than there are bytes.
    pub fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, Malformed>,
    ) -> Result<Vec<T>, Malformed> {
        let count = usize::try_from(self.number()?).map_err(|_| Malformed::TooLarge)?;
        if count > self.left() {
            return Err(Malformed::TooShort);
        }
        (0..count).map(|_| item(self)).collect()
    }

    /// Nothing may be left.
    pub fn end(&self) -> Result<(), Malformed> {
        if self.rest.is_empty() { Ok(()) } else { Err(Malformed::TooLong) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_and_texts_come_back(number: u64, text: Vec<u8>) {
            let mut out = Vec::new();
            put_number(&mut out, number);
            put_bytes(&mut out, &text);
            put_optional(&mut out, Some(&text));
            put_optional(&mut out, None);
            let mut bytes = Bytes::new(&out);
            prop_assert_eq!(bytes.number(), Ok(number));
            prop_assert_eq!(bytes.bytes(), Ok(&text[..]));
            prop_assert_eq!(bytes.optional(), Ok(Some(&text[..])));
            prop_assert_eq!(bytes.optional(), Ok(None));
            prop_assert_eq!(bytes.end(), Ok(()));
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert_eq!(Bytes::new(&[0x80]).number(), Err(Malformed::TooShort));
        assert_eq!(Bytes::new(&[0xFF; 11]).number(), Err(Malformed::TooLarge));
        assert_eq!(Bytes::new(&[0x80; 9]).number(), Err(Malformed::TooShort));
        assert_eq!(Bytes::new(&[2]).flag(), Err(Malformed::UnknownTag(2)));
        assert_eq!(Bytes::new(&[200, 1, 0]).list(Bytes::byte), Err(Malformed::TooShort));
    }
}
