//! Text inside XML.

use std::borrow::Cow;

/// A text with what means something in XML written so that it does not.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    // To look at all bytes, without a decision at each, is faster than to stop at the first.
    const SPECIAL: u64 = 1 << b'<' | 1 << b'>' | 1 << b'"' | 1 << b'&';
    let is_special = |byte: u8| (byte < 64) & (SPECIAL >> (byte & 63) & 1 == 1);
    if !text.bytes().fold(false, |found, byte| found | is_special(byte)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '&' => out.push_str("&amp;"),
            other => out.push(other),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_means_something_is_changed() {
        assert!(matches!(escaped("a'b"), Cow::Borrowed("a'b")));
        assert_eq!(escaped("<a b=\"c&d\">"), "&lt;a b=&quot;c&amp;d&quot;&gt;");
    }
}
