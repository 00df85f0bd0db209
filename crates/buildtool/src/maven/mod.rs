//! Maven: an extension on its command line changes each execution of Surefire and Failsafe right before it starts.
//!
//! The extension is a few classes in `jvm/maven-extension`. It describes each execution in a file, asks what to leave out, and tells when it
//! has ended; the rest happens on this side.

pub mod command;
pub mod conversation;
pub mod description;
pub mod root;
pub mod run_folder;

/// The extension, as a jar; otherwise what was missing when this was built.
pub const EXTENSION: Result<&[u8], &str> = include!(concat!(env!("OUT_DIR"), "/extension.rs"));

/// A text in one line, as the extension writes and reads it.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n").replace('\r', "\\r")
}

/// The text of a line.
#[must_use]
pub fn unescaped(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some('n') => text.push('\n'),
                Some('r') => text.push('\r'),
                Some(other) => text.push(other),
                None => text.push('\\'),
            },
            other => text.push(other),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_survive_being_a_line() {
        for text in ["", "a=b", "C:\\new\\root", "two\nlines\r\n", "\\", "\\\\n", "ö€"] {
            let line = escaped(text);
            assert!(!line.contains(['\n', '\r']), "{line}");
            assert_eq!(unescaped(&line), text);
        }
    }
}
