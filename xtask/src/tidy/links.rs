//! The rule that relative links in the documents lead somewhere.
//!
//! Only what is inside the repository is checked; links to other sites are left to the reader.

use super::finding::Finding;
use super::tree::Tree;

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.with_extension(".md").flat_map(|(path, text)| check_document(tree, path, text)).collect()
}

fn check_document(tree: &Tree, path: &str, text: &str) -> Vec<Finding> {
    prose_lines(text)
        .into_iter()
        .flat_map(|(number, line)| targets(&line).into_iter().map(move |target| (number, target)))
        .filter(|(_, target)| leads_nowhere(tree, path, target))
        .map(|(number, target)| {
            Finding::error(format!("{path}:{number}"), format!("the link to {target} is broken"))
        })
        .collect()
}

/// The lines outside code blocks, without code spans, numbered from 1.
fn prose_lines(text: &str) -> Vec<(usize, String)> {
    let mut in_code = false;
    let mut lines = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        } else if !in_code {
            lines.push((index + 1, line.split('`').step_by(2).collect::<Vec<_>>().join("` `")));
        }
    }
    lines
}

/// The targets of `[text](target)` and `[label]: target`.
fn targets(line: &str) -> Vec<String> {
    let inline = line.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    let definition = line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")).map(|(_, target)| target);
    let without_title = |target: &str| target.split_whitespace().next().map(str::to_owned);
    inline.chain(definition).filter_map(without_title).collect()
}

fn leads_nowhere(tree: &Tree, document: &str, target: &str) -> bool {
    let file = target.split('#').next().unwrap_or_default().trim_matches(['<', '>']);
    let is_elsewhere = file.contains("://") || file.starts_with("mailto:");
    if file.is_empty() || is_elsewhere {
        return false;
    }
    resolve(document, file).is_none_or(|path| !tree.exists(&path))
}

/// The path that a link in a document means; none when it leaves the repository.
fn resolve(document: &str, target: &str) -> Option<String> {
    let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
    let start = if target.starts_with('/') { "" } else { folder };
    let mut parts: Vec<&str> = start.split('/').filter(|part| !part.is_empty()).collect();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<String> {
        let tree = Tree::of(&[("README.md", ""), ("docs/decisions/0001-x.md", ""), ("docs/here.md", text)]);
        check(&tree).into_iter().map(|finding| format!("{} {}", finding.place, finding.message)).collect()
    }

    #[test]
    fn links_that_lead_somewhere_are_fine() {
        let text = "[a](../README.md) [b](decisions/) [c](decisions/0001-x.md#why \"title\") [d](#here)\n\
                    [e](https://example.org/x) ![f](./here.md)\n[g]: /README.md\n";
        assert_eq!(places(text), [""; 0]);
    }

    #[test]
    fn broken_links_are_found_with_their_line() {
        let found = places("fine\n\nsee [a](gone.md) and [b](../../README.md)\n[c]: nowhere/x.md\n");
        assert_eq!(
            found,
            [
                "docs/here.md:3 the link to gone.md is broken",
                "docs/here.md:3 the link to ../../README.md is broken",
                "docs/here.md:4 the link to nowhere/x.md is broken",
            ]
        );
    }

    #[test]
    fn code_is_not_read_for_links() {
        assert_eq!(places("```\n[a](gone.md)\n```\nuse `[a](gone.md)` so\n"), [""; 0]);
        assert_eq!(places("```\n```\n`code` [a](gone.md) `code`\n").len(), 1);
    }
}
