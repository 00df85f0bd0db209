//! Numbers and texts as bytes: seven bits of a number in each byte, the lowest first; bytes behind their length.
//!
//! No input makes the reader panic or ask for more memory than it has bytes.

use std::fmt;

/// Why bytes are not what they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Malformed {
    /// They end in the middle of something.
    TooShort,
    /// A number is larger than its place allows.
    TooLarge,
    /// A kind that this version does not know.
    UnknownKind(u8),
    /// A text is not UTF-8.
    NotText,
    /// Entries of a table are not in their order.
    Unsorted,
    /// Something is left over.
    TooLong,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooShort => f.write_str("it ends in the middle of a value"),
            Self::TooLarge => f.write_str("a number is too large"),
            Self::UnknownKind(kind) => write!(f, "there is no kind {kind}"),
            Self::NotText => f.write_str("a text is not UTF-8"),
            Self::Unsorted => f.write_str("a table is not in order"),
            Self::TooLong => f.write_str("there is something behind its end"),
        }
    }
}

/// Appends a number.
pub(crate) fn put_number(out: &mut Vec<u8>, number: impl Into<u64>) {
    let mut number = number.into();
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Appends how many there are.
pub(crate) fn put_count(out: &mut Vec<u8>, count: usize) {
    put_number(out, count as u64);
}

/// Appends bytes behind their length.
pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_count(out, bytes.len());
    out.extend_from_slice(bytes);
}

/// Appends a number that may be missing: 0, or one more than it.
pub(crate) fn put_optional(out: &mut Vec<u8>, number: Option<u32>) {
    put_number(out, number.map_or(0, |number| u64::from(number) + 1));
}

/// Appends numbers that ascend, each as what it is more than the one before.
pub(crate) fn put_ascending(out: &mut Vec<u8>, numbers: &[u32]) {
    put_count(out, numbers.len());
    let mut next = 0;
    for &number in numbers {
        put_number(out, number.wrapping_sub(next));
        next = number.wrapping_add(1);
    }
}

/// Reads what was put, in the same order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Reads from the start of some bytes.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// How many bytes are left.
    pub(crate) fn left(&self) -> usize {
        self.rest.len()
    }

    /// One byte.
    #[inline]
    pub(crate) fn byte(&mut self) -> Result<u8, Malformed> {
        let (&first, rest) = self.rest.split_first().ok_or(Malformed::TooShort)?;
        self.rest = rest;
        Ok(first)
    }

    /// A number.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<u64, Malformed> {
        let first = self.byte()?;
        if first < 0x80 { Ok(u64::from(first)) } else { self.longer_number(first) }
    }

    fn longer_number(&mut self, first: u8) -> Result<u64, Malformed> {
        let mut number = u64::from(first & 0x7F);
        for shift in (7..64).step_by(7) {
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
    #[inline]
    pub(crate) fn small(&mut self) -> Result<u32, Malformed> {
        u32::try_from(self.number()?).map_err(|_| Malformed::TooLarge)
    }

    /// A number of a table with so many rows.
    #[inline]
    pub(crate) fn row(&mut self, rows: usize) -> Result<u32, Malformed> {
        let number = self.small()?;
        if (number as usize) < rows { Ok(number) } else { Err(Malformed::TooLarge) }
    }

    /// A number of a table with so many rows, which may be missing.
    #[inline]
    pub(crate) fn optional_row(&mut self, rows: usize) -> Result<Option<u32>, Malformed> {
        match self.small()?.checked_sub(1) {
            Some(number) if number as usize >= rows => Err(Malformed::TooLarge),
            number => Ok(number),
        }
    }

    /// How many items follow. Each takes a byte at least, so a count cannot ask for more memory than there are bytes.
    pub(crate) fn count(&mut self) -> Result<usize, Malformed> {
        let count = usize::try_from(self.number()?).map_err(|_| Malformed::TooLarge)?;
        if count > self.left() { Err(Malformed::TooShort) } else { Ok(count) }
    }

    /// As many bytes as asked for.
    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(Malformed::TooShort)?;
        self.rest = rest;
        Ok(taken)
    }

    /// As many bytes as the type has.
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(Malformed::TooShort)?;
        self.rest = rest;
        Ok(*taken)
    }

    /// Bytes behind their length.
    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let length = usize::try_from(self.number()?).map_err(|_| Malformed::TooLarge)?;
        self.take(length)
    }

    /// Items behind their count.
    pub(crate) fn list<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<T, Malformed>,
    ) -> Result<Vec<T>, Malformed> {
        let count = self.count()?;
        (0..count).map(|_| item(self)).collect()
    }

    /// Appends ascending numbers of a table with so many rows to a list.
    pub(crate) fn ascending(&mut self, rows: usize, into: &mut Vec<u32>) -> Result<(), Malformed> {
        let count = self.count()?;
        into.reserve(count);
        let mut next = 0u64;
        for _ in 0..count {
            let number = next.checked_add(self.number()?).ok_or(Malformed::TooLarge)?;
            if number >= rows as u64 {
                return Err(Malformed::TooLarge);
            }
            into.push(number as u32);
            next = number + 1;
        }
        Ok(())
    }

    /// Nothing may be left.
    pub(crate) fn end(&self) -> Result<(), Malformed> {
        if self.rest.is_empty() { Ok(()) } else { Err(Malformed::TooLong) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_was_put_comes_back(number: u64, small: u32, text: Vec<u8>, set in proptest::collection::btree_set(0u32..5000, 0..50)) {
            let set: Vec<u32> = set.into_iter().collect();
            let mut out = Vec::new();
            put_number(&mut out, number);
            put_bytes(&mut out, &text);
            put_optional(&mut out, None);
            put_optional(&mut out, Some(small / 2));
            put_ascending(&mut out, &set);
            let mut reader = Reader::new(&out);
            prop_assert_eq!(reader.number(), Ok(number));
            prop_assert_eq!(reader.bytes(), Ok(&text[..]));
            prop_assert_eq!(reader.optional_row(1), Ok(None));
            prop_assert_eq!(reader.optional_row(small as usize / 2 + 1), Ok(Some(small / 2)));
            let mut read = Vec::new();
            prop_assert_eq!(reader.ascending(5000, &mut read), Ok(()));
            prop_assert_eq!(read, set);
            prop_assert_eq!(reader.end(), Ok(()));
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert_eq!(Reader::new(&[0x80]).number(), Err(Malformed::TooShort));
        assert_eq!(Reader::new(&[0xFF; 11]).number(), Err(Malformed::TooLarge));
        assert_eq!(Reader::new(&[3]).row(3), Err(Malformed::TooLarge));
        assert_eq!(Reader::new(&[4]).optional_row(3), Err(Malformed::TooLarge));
        assert_eq!(Reader::new(&[200, 1, 0]).list(Reader::byte), Err(Malformed::TooShort));
        assert_eq!(Reader::new(&[2, 0, 0]).ascending(1, &mut Vec::new()), Err(Malformed::TooLarge));
        assert_eq!(Reader::new(&[0]).end(), Err(Malformed::TooLong));
    }
}
