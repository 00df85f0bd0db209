//! The rule that every source file begins by saying why it exists.

use super::finding::Finding;
use super::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let lacks_docs = |text: &str| {
        let first = text.lines().next().unwrap_or_default();
        first.strip_prefix("//!").is_none_or(|words| words.trim().is_empty())
    };
    tree.crate_sources()
        .filter(|(_, text)| lacks_docs(text))
        .map(|(path, _)| Finding::error(path, "the first line is not module documentation (`//! ...`)"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_without_documentation_are_found() {
        let tree = Tree::of(&[
            ("crates/a/src/good.rs", "//! Why this exists.\n"),
            ("crates/a/src/bad.rs", "use std::fmt;\n"),
            ("crates/a/src/empty.rs", ""),
            ("crates/a/src/wordless.rs", "//!\nfn f() {}\n"),
            ("crates/a/tests/not_a_source.rs", "fn f() {}\n"),
        ]);
        let places: Vec<String> = check(&tree).into_iter().map(|finding| finding.place).collect();
        assert_eq!(places, ["crates/a/src/bad.rs", "crates/a/src/empty.rs", "crates/a/src/wordless.rs"]);
    }
}
