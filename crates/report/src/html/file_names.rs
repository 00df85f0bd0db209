//! Names of files and anchors, made of the names of packages, classes and methods.
//!
//! Reports are copied to every sort of file system and web server: names keep to letters, digits and `$._-`, do not differ
//! in case alone, and are not too long.

use std::collections::HashSet;

/// File systems take 255 bytes; what reports add to a name must fit too.
const LONGEST: usize = 200;

/// The names in a folder, each given once.
#[derive(Debug, Default)]
pub(super) struct FileNames {
    taken: HashSet<String>,
}

impl FileNames {
    /// A folder in which some names are taken already.
    pub(super) fn with_taken(names: &[&str]) -> Self {
        Self { taken: names.iter().map(|name| name.to_lowercase()).collect() }
    }

    /// A name of its own, as near to the wanted one as can be, with a suffix.
    pub(super) fn unique(&mut self, wanted: &str, suffix: &str) -> String {
        let mut safe: String = wanted.chars().map(safe_character).take(LONGEST).collect();
        // A name of dots alone is the folder itself or the one above.
        if safe.chars().all(|character| character == '.') {
            safe.insert(0, '_');
        }
        let mut name = format!("{safe}{suffix}");
        let mut number = 0;
        while !self.taken.insert(name.to_ascii_lowercase()) {
            number += 1;
            name = format!("{number}~{safe}{suffix}");
        }
        name
    }
}

fn safe_character(character: char) -> char {
    if character.is_ascii_alphanumeric() || matches!(character, '$' | '.' | '_' | '-') {
        character
    } else {
        '_'
    }
}

/// What follows the `#` of a link to an anchor of any name.
pub(super) fn fragment(anchor: &str) -> String {
    let mut out = String::with_capacity(anchor.len());
    for byte in anchor.bytes() {
        if byte.is_ascii_alphanumeric() || b"$._-(),".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_differ() {
        let mut names = FileNames::with_taken(&["index.html"]);
        assert_eq!(names.unique("index", ".html"), "1~index.html");
        assert_eq!(names.unique("a/b <c>", ""), "a_b__c_");
        assert_eq!(names.unique("Foo", ".html"), "Foo.html");
        assert_eq!(names.unique("foo", ".html"), "1~foo.html");
        assert_eq!(names.unique("FOO", ".html"), "2~FOO.html");
        assert_eq!(names.unique("..", ""), "_..");
        assert_eq!(names.unique("", ""), "_");
        assert_eq!(names.unique(&"x".repeat(1000), ".html").len(), LONGEST + 5);
    }

    #[test]
    fn anchors_can_be_linked_to() {
        assert_eq!(fragment("Foo$Bar.m(int, T[])"), "Foo$Bar.m(int,%20T%5B%5D)");
        assert_eq!(fragment("é\"<"), "%C3%A9%22%3C");
    }
}
