//! Lists files that have grown long. This only warns: length is a hint, not a fault.

use super::finding::Finding;
use super::tree::Tree;

const LONG: usize = 800;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.with_extension(".rs")
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > LONG)
        .map(|(path, lines)| Finding::warning(path, format!("{lines} lines; consider a cut")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::finding::Severity;

    #[test]
    fn only_long_files_are_listed_and_only_as_warnings() {
        let tree = Tree::of(&[("a.rs", &"x\n".repeat(LONG)), ("b.rs", &"x\n".repeat(LONG + 1))]);
        let found = check(&tree);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].severity, found[0].place.as_str()), (Severity::Warning, "b.rs"));
    }
}
