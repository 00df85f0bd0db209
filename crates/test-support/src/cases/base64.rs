//! Base64, for files of a case that are not text.
//!
//! It is here because nothing else in the workspace needs it. White space is skipped; anything else that does not belong
//! is refused, so that a damaged file is never taken for another.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes that a text stands for, or none if it is not Base64.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let symbols: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let groups = symbols.chunks(4);
    let last = groups.len().saturating_sub(1);
    let mut bytes = Vec::with_capacity(symbols.len() / 4 * 3);
    for (index, group) in groups.enumerate() {
        let padding = group.iter().rev().take_while(|&&symbol| symbol == b'=').count();
        if group.len() != 4 || padding > 2 || (padding > 0 && index != last) {
            return None;
        }
        let mut value = 0_u32;
        for &symbol in &group[..4 - padding] {
            let digit = ALPHABET.iter().position(|&known| known == symbol)?;
            value = value << 6 | digit as u32;
        }
        let value = value << (6 * padding);
        bytes.extend(&value.to_be_bytes()[1..4 - padding]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_standard_are_decoded() {
        let examples = [
            ("", ""),
            ("Zg==", "f"),
            ("Zm8=", "fo"),
            ("Zm9v", "foo"),
            ("Zm9v\nYmE=\n", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ];
        for (text, bytes) in examples {
            assert_eq!(decode(text).as_deref(), Some(bytes.as_bytes()), "{text}");
        }
        assert_eq!(decode("AP+/"), Some(vec![0, 0xff, 0xbf]));
    }

    #[test]
    fn what_is_not_base64_is_refused() {
        for text in ["Z", "Zg=", "Zg==Zg==", "Z===", "====", "Zm9?"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
