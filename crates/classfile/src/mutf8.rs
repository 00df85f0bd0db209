//! Modified UTF-8 as the JVM reads it (JVMS 4.4.7).
//!
//! Names and strings of a class file stay the bytes that they are: two names are equal when their bytes are, which is
//! what the JVM compares. Turning them into Rust text is for people and loses nothing but unpaired surrogates.

use std::borrow::Cow;
use std::fmt;

/// Bytes of a `CONSTANT_Utf8`, not checked and not copied.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Mutf8<'a>(&'a [u8]);

impl<'a> Mutf8<'a> {
    /// Wraps bytes as they stand in a class file.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The bytes as they stand in the class file.
    pub const fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// Whether the JVM takes these bytes in a class file of this major version.
    ///
    /// Up to version 47 it lets characters be written with more bytes than they need.
    pub fn is_legal(self, major: u16) -> bool {
        let allow_overlong = major <= 47;
        let mut rest = self.0;
        while let Some(unit) = next_unit(&mut rest) {
            match unit {
                Some(unit) if allow_overlong || !unit.overlong => {}
                _ => return false,
            }
        }
        true
    }

    /// The UTF-16 code units; bytes that are not modified UTF-8 become U+FFFD.
    pub fn utf16(self) -> impl Iterator<Item = u16> + 'a {
        let mut rest = self.0;
        std::iter::from_fn(move || next_unit(&mut rest).map(|unit| unit.map_or(0xFFFD, |unit| unit.value)))
    }

    /// The text, borrowed where it is plain ASCII; what has no Unicode character becomes U+FFFD.
    pub fn to_text(self) -> Cow<'a, str> {
        match std::str::from_utf8(self.0) {
            Ok(text) if text.is_ascii() => Cow::Borrowed(text),
            _ => Cow::Owned(
                char::decode_utf16(self.utf16()).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect(),
            ),
        }
    }
}

impl PartialEq<str> for Mutf8<'_> {
    /// Equal when the text is ASCII and the bytes are the same.
    fn eq(&self, other: &str) -> bool {
        self.0 == other.as_bytes()
    }
}

impl PartialEq<&str> for Mutf8<'_> {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl fmt::Display for Mutf8<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.to_text())
    }
}

impl fmt::Debug for Mutf8<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_text(), f)
    }
}

/// Writes text as modified UTF-8, without a length in front.
pub fn encode(text: &str, out: &mut Vec<u8>) {
    for unit in text.encode_utf16() {
        match unit {
            0x01..=0x7F => out.push(unit as u8),
            0 | 0x80..=0x7FF => out.extend([0xC0 | (unit >> 6) as u8, 0x80 | (unit & 0x3F) as u8]),
            _ => out.extend([
                0xE0 | (unit >> 12) as u8,
                0x80 | ((unit >> 6) & 0x3F) as u8,
                0x80 | (unit & 0x3F) as u8,
            ]),
        }
    }
}

struct Unit {
    value: u16,
    overlong: bool,
}

/// Takes one UTF-16 code unit from the front; `Some(None)` is a byte that starts none.
fn next_unit(rest: &mut &[u8]) -> Option<Option<Unit>> {
    let continuation = |byte: u8| (byte & 0xC0 == 0x80).then_some(u16::from(byte & 0x3F));
    let (unit, tail) = match **rest {
        [] => return None,
        [first @ 0x01..=0x7F, ref tail @ ..] => {
            (Some(Unit { value: u16::from(first), overlong: false }), tail)
        }
        [first @ 0xC0..=0xDF, second, ref tail @ ..] => {
            let value = continuation(second).map(|low| u16::from(first & 0x1F) << 6 | low);
            (value.map(|value| Unit { value, overlong: (1..0x80).contains(&value) }), tail)
        }
        [first @ 0xE0..=0xEF, second, third, ref tail @ ..] => {
            let value = continuation(second).zip(continuation(third));
            let value = value.map(|(middle, low)| u16::from(first & 0x0F) << 12 | middle << 6 | low);
            (value.map(|value| Unit { value, overlong: value < 0x800 }), tail)
        }
        [_, ref tail @ ..] => (None, tail),
    };
    match (unit, &**rest) {
        (Some(unit), _) => {
            *rest = tail;
            Some(Some(unit))
        }
        (None, [_, one_on @ ..]) => {
            *rest = one_on;
            Some(None)
        }
        (None, []) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_survives_the_way_there_and_back() {
        for text in ["", "a", "a\0b", "gr\u{fc}n", "\u{20ac}", "\u{1F600}x"] {
            let mut bytes = Vec::new();
            encode(text, &mut bytes);
            assert!(Mutf8::new(&bytes).is_legal(52), "{text:?}");
            assert_eq!(Mutf8::new(&bytes).to_text(), text);
            assert!(!bytes.contains(&0));
        }
    }

    #[test]
    fn illegal_bytes_are_found_and_shown_as_replacements() {
        let cases: [&[u8]; 5] = [&[0x80], &[0xC3], &[0xE2, 0x82], &[0xF0, 0x9F, 0x98, 0x80], &[0xC3, 0x28]];
        for bytes in cases {
            assert!(!Mutf8::new(bytes).is_legal(45), "{bytes:?}");
            assert!(Mutf8::new(bytes).to_text().contains('\u{FFFD}'), "{bytes:?}");
        }
    }

    #[test]
    fn a_zero_byte_is_never_legal() {
        assert!(!Mutf8::new(&[b'a', 0]).is_legal(45));
    }

    #[test]
    fn overlong_forms_are_legal_in_old_class_files_only() {
        let overlong_a = Mutf8::new(&[0xC1, 0x81]);
        assert!(overlong_a.is_legal(47));
        assert!(!overlong_a.is_legal(48));
        assert_eq!(overlong_a.to_text(), "A");
        assert!(Mutf8::new(&[0xC0, 0x80]).is_legal(48), "NUL is written with two bytes");
    }
}
