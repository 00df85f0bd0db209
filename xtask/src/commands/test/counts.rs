//! How many tests were run, added up from what the test programs print.

use std::fmt;

/// The sums over all test programs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Counts {
    /// Takes a line of output into account; all lines but `test result: ...` count for nothing.
    pub(super) fn read(&mut self, line: &str) {
        let Some(result) = line.strip_prefix("test result: ") else {
            return;
        };
        let number_before = |word: &str| {
            let words: Vec<&str> = result.split([' ', ';', '.']).collect();
            let at = words.iter().position(|&other| other == word)?;
            words.get(at.checked_sub(1)?)?.parse::<usize>().ok()
        };
        self.passed += number_before("passed").unwrap_or(0);
        self.failed += number_before("failed").unwrap_or(0);
        self.skipped += number_before("ignored").unwrap_or(0);
    }

    /// Counts a failure that no test program told of: one that did not build, or did not live to its end.
    pub(super) fn at_least_one_failed(&mut self) {
        self.failed = self.failed.max(1);
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)?;
        if self.skipped > 0 { write!(f, ", {} skipped", self.skipped) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_added_up() {
        let mut counts = Counts::default();
        counts.read("running 5 tests");
        counts.read(
            "test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.00s",
        );
        assert_eq!(counts.to_string(), "5 passed, 0 failed");
        counts.read("test result: FAILED. 7 passed; 2 failed; 1 ignored; 0 measured; 0 filtered out");
        assert_eq!(counts.to_string(), "12 passed, 2 failed, 1 skipped");
    }

    #[test]
    fn a_program_that_crashed_counts_as_one_failure() {
        let mut counts = Counts::default();
        counts.at_least_one_failed();
        assert_eq!(counts.to_string(), "0 passed, 1 failed");
    }

    #[test]
    fn failures_that_were_told_are_not_counted_twice() {
        let mut counts = Counts::default();
        counts.read("test result: FAILED. 0 passed; 2 failed; 0 ignored");
        counts.at_least_one_failed();
        assert_eq!(counts.to_string(), "0 passed, 2 failed");
    }
}
