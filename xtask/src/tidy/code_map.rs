//! The rule that the code map in ARCHITECTURE.md lists the crates that there are, and no others.

use std::collections::BTreeSet;

use super::finding::Finding;
use super::tree::Tree;

const DOCUMENT: &str = "ARCHITECTURE.md";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let Some(document) = tree.file(DOCUMENT) else {
        return vec![Finding::error(DOCUMENT, "the document is missing")];
    };
    let listed: BTreeSet<&str> = document.text.lines().filter_map(listed_crate).collect();
    let existing: BTreeSet<&str> = tree.crate_folders().into_iter().collect();
    let missing = existing.difference(&listed).map(|name| {
        Finding::error(
            DOCUMENT,
            format!("crates/{name} is not in the code map: add a heading or list item for it"),
        )
    });
    let gone = listed.difference(&existing).map(|name| {
        Finding::error(DOCUMENT, format!("the code map lists crates/{name}, which does not exist"))
    });
    missing.chain(gone).collect()
}

/// The crate that a heading or list item is about: one that starts with `crates/NAME`.
fn listed_crate(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let marked =
        line.strip_prefix('#').or_else(|| line.strip_prefix("- ")).or_else(|| line.strip_prefix("* "))?;
    let text = marked.trim_start_matches(['#', ' ', '`', '*']);
    let name = text.strip_prefix("crates/")?;
    let end = name.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-' || c == '_')).unwrap_or(name.len());
    Some(&name[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(document: &str) -> Vec<String> {
        let tree = Tree::of(&[
            (DOCUMENT, document),
            ("crates/classfile/Cargo.toml", ""),
            ("crates/test-support/Cargo.toml", ""),
        ]);
        check(&tree).into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn headings_and_list_items_count_and_prose_does_not() {
        assert_eq!(findings("### `crates/classfile`\n\n- **`crates/test-support`**: text\n"), [""; 0]);
        let found = findings("## crates/classfile: reads\n\nSee crates/test-support for more.\n");
        assert_eq!(found, ["crates/test-support is not in the code map: add a heading or list item for it"]);
    }

    #[test]
    fn a_crate_that_does_not_exist_is_found() {
        let found = findings("# crates/classfile\n# crates/test-support\n* `crates/flycheck`\n");
        assert_eq!(found, ["the code map lists crates/flycheck, which does not exist"]);
    }

    #[test]
    fn a_missing_document_is_found() {
        assert_eq!(check(&Tree::default()).len(), 1);
    }
}
