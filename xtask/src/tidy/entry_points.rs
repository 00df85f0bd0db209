//! The rule that a newcomer finds the two commands, and that continuous integration has its one.

use super::finding::Finding;
use super::tree::Tree;

const README: &str = "README.md";
const COMMANDS: &[&str] = &["cargo xtask demo", "cargo xtask test"];
const CI_SCRIPT: &str = ".ci/run";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let readme = tree.file(README).map(|file| file.text.as_str()).unwrap_or_default();
    let mut findings: Vec<Finding> = COMMANDS
        .iter()
        .filter(|command| !readme.contains(**command))
        .map(|command| Finding::error(README, format!("does not show `{command}`")))
        .collect();
    match tree.file(CI_SCRIPT) {
        None => findings.push(Finding::error(CI_SCRIPT, "the script is missing")),
        Some(file) if !file.executable => {
            findings.push(Finding::error(CI_SCRIPT, "the script is not executable"));
        }
        Some(_) => {}
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_commands_and_scripts_are_found() {
        let messages =
            |tree: &Tree| check(tree).into_iter().map(|finding| finding.message).collect::<Vec<_>>();
        let good = [(README, "run `cargo xtask demo`, then `cargo xtask test`"), (CI_SCRIPT, "")];
        assert_eq!(messages(&Tree::of(&good).with_executable(CI_SCRIPT)), [""; 0]);
        assert_eq!(messages(&Tree::of(&good)), ["the script is not executable"]);
        let bad = Tree::of(&[(README, "run `cargo xtask test`")]);
        assert_eq!(messages(&bad), ["does not show `cargo xtask demo`", "the script is missing"]);
    }
}
