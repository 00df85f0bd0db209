//! How a class is called in messages and listings.
//!
//! Names come from containers and may be hostile: none may reach a terminal as it is.

use probity_classpath::{Entry, Source, SourceKind};

/// The source and the entry in it; a class file is its own only entry.
pub(super) fn full_name(source: &Source, entry: &Entry) -> String {
    match source.kind() {
        SourceKind::ClassFile => source.name().to_owned(),
        _ => format!("{}: {}", source.name(), visible(entry.name())),
    }
}

/// A name with control characters escaped, so that a hostile one cannot write on the terminal.
fn visible(name: &str) -> String {
    let escaped = |character: char| -> String {
        if character.is_control() { character.escape_default().collect() } else { character.to_string() }
    };
    name.chars().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_made_visible() {
        assert_eq!(visible("a\u{1b}[2J\n.class"), "a\\u{1b}[2J\\n.class");
    }
}
