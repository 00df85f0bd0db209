//! How the assertions of a module went.

use std::fmt;

/// What came of the assertions of a module's targets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Results {
    pub(super) targets: usize,
    /// How many targets have the same report from JaCoCo's command.
    pub(super) same_report: usize,
    pub(super) held: usize,
    /// What was asserted, and what was found instead.
    pub(super) failed: Vec<(String, String)>,
    /// What could not be checked, and why.
    pub(super) skipped: Vec<(String, String)>,
}

impl Results {
    /// Reads what the checks print: how it went, what, why, between tabs.
    pub(super) fn read(&mut self, printed: &str) {
        for line in printed.lines() {
            let mut parts = line.splitn(3, '\t').map(str::to_owned);
            let (Some(how), Some(what), Some(why)) = (parts.next(), parts.next(), parts.next()) else {
                continue;
            };
            match how.as_str() {
                "held" => self.held += 1,
                "failed" => self.failed.push((what, why)),
                "skipped" => self.skipped.push((what, why)),
                _ => {}
            }
        }
    }

    /// A target that could not be run or reported.
    pub(super) fn problem(&mut self, test: &str, why: &str) {
        self.failed.push((format!("{test} could not be run"), why.lines().next().unwrap_or("").to_owned()));
    }

    pub(super) fn checked(&self) -> usize {
        self.held + self.failed.len()
    }
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Results { targets, same_report, held, failed, skipped } = self;
        writeln!(
            f,
            "{targets} targets ({same_report} with JaCoCo's report), {held} assertions held, {} failed, {} skipped",
            failed.len(),
            skipped.len()
        )?;
        for (what, why) in failed {
            writeln!(f, "  failed: {what}: {why}")?;
        }
        skipped.iter().try_for_each(|(what, why)| writeln!(f, "  skipped: {what}: {why}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_by_how_they_start() {
        let mut results = Results::default();
        results.read("held\tA.java:1 assertEmpty()\t\nnoise\nfailed\tb\twhy\nskipped\tc\tno such method\n");
        assert_eq!((results.held, results.checked()), (1, 2));
        assert_eq!(results.failed, [("b".to_owned(), "why".to_owned())]);
        assert_eq!(results.skipped, [("c".to_owned(), "no such method".to_owned())]);
    }
}
