//! Reads source files, whatever their encoding.

use encoding_rs::{UTF_8, WINDOWS_1252};
use std::path::Path;
use std::{fs, io};

/// How source files are encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoding(Option<&'static encoding_rs::Encoding>);

impl Encoding {
    /// The encoding of a name such as `UTF-8` or `ISO-8859-1`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        encoding_rs::Encoding::for_label(name.as_bytes()).map(|encoding| Self(Some(encoding)))
    }
}

/// The text of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceText {
    /// The text; lines end with a line feed.
    pub text: String,
    /// What is odd about it.
    pub problem: Option<String>,
}

/// Reads a source file. Bytes that are no text in the encoding never stop it.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub fn read_text(path: &Path, encoding: Encoding) -> io::Result<SourceText> {
    Ok(decode(&fs::read(path)?, encoding))
}

fn decode(bytes: &[u8], Encoding(wanted): Encoding) -> SourceText {
    // A mark at the start of the file says more than anybody.
    let (text, used, is_malformed) = wanted.unwrap_or(UTF_8).decode(bytes);
    if !is_malformed {
        return SourceText { text: with_line_feeds(&text), problem: None };
    }
    if wanted.is_some() || used != UTF_8 {
        let problem = format!("is not {} throughout; what is not is shown as \u{fffd}", used.name());
        return SourceText { text: with_line_feeds(&text), problem: Some(problem) };
    }
    let (text, ..) = WINDOWS_1252.decode(bytes);
    let problem = "is not UTF-8; it is shown as if it were windows-1252".to_owned();
    SourceText { text: with_line_feeds(&text), problem: Some(problem) }
}

/// Compilers count a line at each line feed, carriage return, or both together.
fn with_line_feeds(text: &str) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_in_its_encoding() {
        let plain = |bytes: &[u8], encoding| decode(bytes, encoding).text;
        assert_eq!(plain("é\r\na\rb\n".as_bytes(), Encoding::default()), "é\na\nb\n");
        assert_eq!(plain(b"\xEF\xBB\xBFa", Encoding::default()), "a");
        assert_eq!(plain(b"\xFE\xFF\0a\0b", Encoding::default()), "ab");
        assert_eq!(plain(b"\xE9", Encoding::named("iso-8859-1").expect("is known")), "é");
        assert_eq!(Encoding::named("no such encoding"), None);
    }

    #[test]
    fn text_in_another_encoding_is_shown_and_told() {
        let latin = decode(b"caf\xE9", Encoding::default());
        assert_eq!(latin.text, "café");
        assert!(latin.problem.expect("is told").starts_with("is not UTF-8"));
        let broken = decode(b"a\xFFb", Encoding::named("utf-8").expect("is known"));
        assert_eq!(broken.text, "a\u{fffd}b");
        assert!(broken.problem.is_some());
    }
}
