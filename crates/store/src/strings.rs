//! The table of texts of a file: each once, in order, behind what it has in common with the one before.
//!
//! Everything else names texts by their numbers. Since the table is in order, so are numbers.

use crate::bytes::{Malformed, Reader, put_bytes, put_count};

/// The number of a text.
pub(crate) type StringId = u32;

/// Texts share at most so many bytes with the one before, so that a small file cannot stand for a huge table.
const MAX_SHARED: usize = 255;

/// Texts, found by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Strings {
    text: String,
    ends: Vec<u32>,
}

impl Strings {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// How many bytes all texts have.
    pub(crate) fn size(&self) -> usize {
        self.text.len()
    }

    /// A text. Numbers are checked when they are read, so there is always one.
    pub(crate) fn get(&self, number: StringId) -> &str {
        let number = number as usize;
        let start = number.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(number).copied().unwrap_or(start);
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len() as u32).map(|number| self.get(number))
    }

    /// Appends a text and gives its number.
    pub(crate) fn push(&mut self, text: &str) -> StringId {
        let number = self.ends.len() as u32;
        self.text.push_str(text);
        self.ends.push(self.text.len() as u32);
        number
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, Malformed> {
        let count = reader.count()?;
        let mut text: Vec<u8> = Vec::with_capacity(reader.left());
        let mut ends = Vec::with_capacity(count);
        let mut before = 0..0;
        for _ in 0..count {
            let shared = reader.number()? as usize;
            if shared > MAX_SHARED || shared > before.len() {
                return Err(Malformed::TooLarge);
            }
            let start = text.len();
            text.extend_from_within(before.start..before.start + shared);
            text.extend_from_slice(reader.bytes()?);
            ends.push(u32::try_from(text.len()).map_err(|_| Malformed::TooLarge)?);
            before = start..text.len();
        }
        let text = String::from_utf8(text).map_err(|_| Malformed::NotText)?;
        if ends.iter().any(|&end| !text.is_char_boundary(end as usize)) {
            return Err(Malformed::NotText);
        }
        Ok(Self { text, ends })
    }
}

/// Writes texts that are in order.
pub(crate) fn write_strings<T: AsRef<str>>(sorted: &[T], out: &mut Vec<u8>) {
    put_count(out, sorted.len());
    let mut before: &[u8] = b"";
    for text in sorted {
        let text = text.as_ref().as_bytes();
        let shared = text.iter().zip(before).take(MAX_SHARED).take_while(|(one, other)| one == other).count();
        put_count(out, shared);
        put_bytes(out, text.get(shared..).unwrap_or_default());
        before = text;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read_back(texts: &[String]) -> Strings {
        let mut out = Vec::new();
        write_strings(texts, &mut out);
        let mut reader = Reader::new(&out);
        let strings = Strings::read(&mut reader).expect("is well-formed");
        assert_eq!(reader.left(), 0);
        strings
    }

    proptest! {
        #[test]
        fn texts_come_back(texts in proptest::collection::btree_set("[abü/]{0,12}", 0..40)) {
            let texts: Vec<String> = texts.into_iter().collect();
            let strings = read_back(&texts);
            prop_assert_eq!(strings.iter().collect::<Vec<_>>(), texts);
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes: Vec<u8>) {
            let _ = Strings::read(&mut Reader::new(&bytes));
        }
    }

    #[test]
    fn long_texts_come_back_and_characters_are_never_cut() {
        let long = "x".repeat(700);
        let texts = [long.clone(), format!("{long}é"), format!("{long}è")];
        assert_eq!(read_back(&texts).iter().collect::<Vec<_>>(), texts);
        let cut = [2, 0, 1, 0xC3, 0, 1, 0xA9];
        assert_eq!(Strings::read(&mut Reader::new(&cut)).map(|_| ()), Err(Malformed::NotText));
        let endless = [2, 0, 1, b'x', 2, 0];
        assert_eq!(Strings::read(&mut Reader::new(&endless)).map(|_| ()), Err(Malformed::TooLarge));
    }
}
