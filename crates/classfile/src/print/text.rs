//! Names and strings on one line.
//!
//! No text of a class may break a line of the listing or reach a terminal as a control character; what would is written
//! as an escape. Names that Java could not spell are quoted, so that it is clear where they end.

use std::fmt::Write;

use crate::mutf8::Mutf8;

/// The contents of a string as between quotes in Java, without the quotes. A surrogate without its other half has no
/// character; it is written as an escape, too.
pub(super) fn string(text: Mutf8<'_>) -> String {
    escaped(text, |c| matches!(c, '"' | '\'' | '\\'))
}

/// Text as it is, except for what would not stay on its line.
pub(super) fn plain(text: Mutf8<'_>) -> String {
    escaped(text, |_| false)
}

/// A name, quoted unless it is made of Java identifiers and slashes.
pub(super) fn name(text: Mutf8<'_>) -> String {
    if is_java_name(text) {
        return text.to_text().into_owned();
    }
    format!("\"{}\"", escaped(text, |c| matches!(c, '"' | '\\')))
}

/// A class name with dots, as in Java sources.
pub(super) fn with_dots(text: Mutf8<'_>) -> String {
    plain(text).replace('/', ".")
}

fn escaped(text: Mutf8<'_>, has_backslash: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.as_bytes().len());
    for unit in char::decode_utf16(text.utf16()) {
        match unit {
            Ok('\t') => out.push_str("\\t"),
            Ok('\n') => out.push_str("\\n"),
            Ok('\r') => out.push_str("\\r"),
            Ok('\u{8}') => out.push_str("\\b"),
            Ok('\u{c}') => out.push_str("\\f"),
            Ok(c) if c.is_control() => push_unit(&mut out, u32::from(c)),
            Ok(c) => {
                if has_backslash(c) {
                    out.push('\\');
                }
                out.push(c);
            }
            Err(half) => push_unit(&mut out, u32::from(half.unpaired_surrogate())),
        }
    }
    out
}

fn push_unit(out: &mut String, unit: u32) {
    // A string takes everything.
    let _ = write!(out, "\\u{unit:04x}");
}

fn is_java_name(text: Mutf8<'_>) -> bool {
    let mut at_start = true;
    let mut is_empty = true;
    for unit in char::decode_utf16(text.utf16()) {
        let Ok(c) = unit else { return false };
        is_empty = false;
        let fits = if at_start { is_identifier_start(c) } else { c == '/' || is_identifier_part(c) };
        if !fits {
            return false;
        }
        at_start = c == '/';
    }
    !is_empty
}

/// Whether Java lets an identifier start with the character. For scripts other than Latin the tables of Rust are asked,
/// which know letters but not all signs that Java lets pass.
fn is_identifier_start(c: char) -> bool {
    let is_currency = matches!(c, '$' | '\u{a2}'..='\u{a5}' | '\u{20a0}'..='\u{20c0}');
    let is_connector = matches!(c, '_' | '\u{203f}' | '\u{2040}');
    is_currency || is_connector || c.is_alphabetic()
}

/// Whether Java lets an identifier go on with the character. It lets control characters pass as well; those are better
/// seen in a listing.
fn is_identifier_part(c: char) -> bool {
    let is_fraction_or_power = matches!(c, '\u{b2}' | '\u{b3}' | '\u{b9}' | '\u{bc}'..='\u{be}');
    let is_combining = matches!(c, '\u{300}'..='\u{36f}');
    is_identifier_start(c) || is_combining || (c.is_numeric() && !is_fraction_or_power)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(render: fn(Mutf8<'_>) -> String, text: &str) -> String {
        let mut bytes = Vec::new();
        crate::mutf8::encode(text, &mut bytes);
        render(Mutf8::new(&bytes))
    }

    #[test]
    fn strings_are_escaped() {
        assert_eq!(with(string, "a\tb\n\r\u{8}\u{c}\"'\\"), r#"a\tb\n\r\b\f\"\'\\"#);
        assert_eq!(with(string, "\0\u{1}\u{7f}\u{9f}"), r"\u0000\u0001\u007f\u009f");
        assert_eq!(with(string, "gr\u{fc}n \u{1F600}"), "gr\u{fc}n \u{1F600}");
        assert_eq!(string(Mutf8::new(&[b'a', 0xED, 0xA0, 0x80])), r"a\ud800");
    }

    #[test]
    fn names_are_quoted_when_java_could_not_spell_them() {
        for fine in ["a", "java/lang/Object", "$x_1", "\u{e9}t\u{e9}", "a/b$1"] {
            assert_eq!(with(name, fine), fine);
        }
        let quoted = ["", "<init>", "[I", "a-b", "module-info", "1a", "a/1", "/a", "a.b", "a;", "a b"];
        for odd in quoted {
            assert_eq!(with(name, odd), format!("\"{odd}\""));
        }
        assert_eq!(with(name, "a\n\"\\"), r#""a\n\"\\""#);
    }

    #[test]
    fn plain_text_keeps_quotes_and_loses_line_ends() {
        assert_eq!(with(plain, "'a'\"b\"\nc"), r#"'a'"b"\nc"#);
        assert_eq!(with(with_dots, "a/b/C"), "a.b.C");
    }
}
