//! The class path of tests between the entries of what runs them.
//!
//! Surefire puts jars of its own in front of the class path of the tests and behind it. Which, is known from the last run.

use std::path::{Path, PathBuf};

/// Where the jars of what runs tests are in a repository.
const RUNNERS: &str = "/org/apache/maven/surefire/";

/// The entries now, from those of before and those of the tests now.
pub(super) fn entries(before: &[PathBuf], tests: &[PathBuf]) -> Vec<PathBuf> {
    let start = before.iter().take_while(|entry| is_runner(entry)).count();
    let (front, rest) = before.split_at_checked(start).unwrap_or_default();
    let end = rest.iter().position(|entry| is_runner(entry)).unwrap_or(rest.len());
    let (of_tests, behind) = rest.split_at_checked(end).unwrap_or_default();
    if of_tests == tests || is_split(of_tests, behind, tests) {
        return before.to_vec();
    }
    front.iter().chain(tests).chain(behind).cloned().collect()
}

/// Whether the entries of the tests stand in two places, as they do where there is a module path: those that are in no module first, and the
/// modules behind what runs the tests.
fn is_split(of_tests: &[PathBuf], behind: &[PathBuf], tests: &[PathBuf]) -> bool {
    of_tests.iter().all(|entry| tests.contains(entry))
        && tests.iter().all(|entry| of_tests.contains(entry) || behind.contains(entry))
}

fn is_runner(entry: &Path) -> bool {
    entry.to_string_lossy().contains(RUNNERS)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(text: &str) -> Vec<PathBuf> {
        let path = |word: &str| match word.strip_prefix('@') {
            Some(jar) => PathBuf::from(format!("/m{RUNNERS}{jar}.jar")),
            None => PathBuf::from(format!("/p/{word}")),
        };
        text.split_whitespace().map(path).collect()
    }

    #[test]
    fn the_runner_stays_around_the_tests() {
        let now = |before: &str, tests: &str| entries(&paths(before), &paths(tests));
        assert_eq!(now("@a @b t c j @p", "t c j"), paths("@a @b t c j @p"));
        assert_eq!(now("@a @b t c j @p l", "t c j"), paths("@a @b t c j @p l"), "what the runner needs");
        assert_eq!(now("@a @b t c j @p", "t c j k"), paths("@a @b t c j k @p"));
        assert_eq!(now("@a @b t c j k @p", "t c j"), paths("@a @b t c j @p"));
        assert_eq!(now("@a @b t c j @p", "t d j"), paths("@a @b t d j @p"));
        assert_eq!(now("@a t j @p c", "t c j"), paths("@a t j @p c"), "modules");
        assert_eq!(now("", "t c"), paths("t c"));
    }
}
