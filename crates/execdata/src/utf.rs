//! Text as Java's data streams write it: modified UTF-8 behind a length of two bytes.
//!
//! Names stay the bytes that they are, so that what was read is written again unchanged. What is legal is what
//! `java.io.DataInput` takes, which is a little more than a class file may hold; it must not be narrowed, or files that
//! JaCoCo reads would be refused.

/// The most bytes that a text can have in a stream.
pub const LONGEST: usize = u16::MAX as usize;

/// Turns text into modified UTF-8, without a length in front.
#[must_use]
pub fn encode(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for character in text.chars() {
        encode_character(character, &mut out);
    }
    out
}

/// As [`encode`], but ends before the first character that would make it longer than [`LONGEST`].
#[must_use]
pub fn encode_shortened(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len().min(LONGEST));
    for character in text.chars() {
        let complete = out.len();
        encode_character(character, &mut out);
        if out.len() > LONGEST {
            out.truncate(complete);
            break;
        }
    }
    out
}

fn encode_character(character: char, out: &mut Vec<u8>) {
    for &mut unit in character.encode_utf16(&mut [0; 2]) {
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

/// Whether Java takes these bytes as text.
#[must_use]
pub fn is_legal(bytes: &[u8]) -> bool {
    bytes.is_ascii() || units(bytes).all(|unit| unit.is_some())
}

/// Whether Java reads the same text from both, which it may even if the bytes differ.
#[must_use]
pub fn is_same_text(one: &[u8], other: &[u8]) -> bool {
    one == other || (is_legal(one) && is_legal(other) && units(one).eq(units(other)))
}

/// The UTF-16 code units; bytes that are not text become U+FFFD.
pub fn utf16(bytes: &[u8]) -> impl Iterator<Item = u16> {
    units(bytes).map(|unit| unit.unwrap_or(0xFFFD))
}

/// The text for people; what has no Unicode character becomes U+FFFD.
#[must_use]
pub fn to_text(bytes: &[u8]) -> String {
    char::decode_utf16(utf16(bytes))
        .map(|character| character.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect()
}

/// As [`to_text`], with control characters escaped, so that a hostile name cannot write on a terminal.
#[must_use]
pub fn to_visible(bytes: &[u8]) -> String {
    let mut visible = String::with_capacity(bytes.len());
    for character in to_text(bytes).chars() {
        if character.is_control() {
            visible.extend(character.escape_default());
        } else {
            visible.push(character);
        }
    }
    visible
}

/// The UTF-16 code units; none for a byte that starts no character.
fn units(mut rest: &[u8]) -> impl Iterator<Item = Option<u16>> {
    std::iter::from_fn(move || {
        let (unit, tail) = match *rest {
            [] => return None,
            [first @ 0..=0x7F, ref tail @ ..] => (Some(u16::from(first)), tail),
            [first @ 0xC0..=0xDF, second @ 0x80..=0xBF, ref tail @ ..] => {
                (Some(u16::from(first & 0x1F) << 6 | u16::from(second & 0x3F)), tail)
            }
            [first @ 0xE0..=0xEF, second @ 0x80..=0xBF, third @ 0x80..=0xBF, ref tail @ ..] => {
                let high = u16::from(first & 0x0F) << 12 | u16::from(second & 0x3F) << 6;
                (Some(high | u16::from(third & 0x3F)), tail)
            }
            [_, ref tail @ ..] => (None, tail),
        };
        rest = tail;
        Some(unit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_survives_the_way_there_and_back() {
        for text in ["", "a", "a\0b", "gr\u{fc}n", "\u{20ac}", "\u{1F600}x"] {
            let bytes = encode(text);
            assert!(is_legal(&bytes), "{text:?}");
            assert_eq!(to_text(&bytes), text);
        }
        assert_eq!(encode("\0\u{1F600}"), [0xC0, 0x80, 0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80]);
    }

    #[test]
    fn what_java_does_not_take_is_illegal_and_shown_as_replacements() {
        let cases: [&[u8]; 6] =
            [&[0x80], &[0xC3], &[0xE2, 0x82], &[0xF0, 0x9F, 0x98, 0x80], &[0xC3, 0x28], &[b'a', 0xBF]];
        for bytes in cases {
            assert!(!is_legal(bytes), "{bytes:?}");
            assert!(to_text(bytes).contains('\u{FFFD}'), "{bytes:?}");
        }
        assert!(is_legal(&[0]) && is_legal(&[0xC1, 0x81]), "Java's streams take these");
    }

    #[test]
    fn a_text_written_with_more_bytes_than_it_needs_is_the_same_text() {
        assert!(is_same_text(b"A", &[0xC1, 0x81]));
        assert!(!is_same_text(b"A", b"B"));
        assert!(!is_same_text(&[0x80], &[0xF0]), "neither is a text");
    }

    #[test]
    fn control_characters_are_made_visible() {
        assert_eq!(to_visible(b"a/B\x1b[2J\n"), "a/B\\u{1b}[2J\\n");
        assert_eq!(to_visible(&encode("gr\u{fc}n")), "gr\u{fc}n");
    }

    #[test]
    fn a_text_that_is_too_long_ends_at_a_whole_character() {
        let long = "\u{20ac}".repeat(30_000);
        assert_eq!(encode(&long).len(), 90_000);
        assert_eq!(encode_shortened(&long), encode(&"\u{20ac}".repeat(LONGEST / 3)));
        let with_pairs = "x".to_owned() + &"\u{1F600}".repeat(20_000);
        assert_eq!(encode_shortened(&with_pairs).len(), 1 + (LONGEST - 1) / 6 * 6);
    }
}
