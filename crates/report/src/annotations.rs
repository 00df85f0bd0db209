//! Notes on lines, as commands that GitHub reads from the output of a step.
//!
//! GitHub shows ten warnings of a step and drops the others without a word, so the largest come first and the last line says how
//! many are missing.

use crate::Report;
use crate::missed::{MissedRange, missed_files};
use crate::paths::SourcePaths;
use std::fmt::Write;

/// How many warnings of a step GitHub shows.
const MOST_ANNOTATIONS: usize = 10;

/// The missed lines of a report as workflow commands.
#[must_use]
pub fn write_annotations(report: &Report, paths: &dyn SourcePaths) -> String {
    let files = missed_files(report, paths);
    let mut all: Vec<(&str, MissedRange)> =
        files.iter().flat_map(|file| file.ranges.iter().map(|range| (file.path.as_str(), *range))).collect();
    // What was not executed at all before what was in part; files stay in their order.
    all.sort_by_key(|(_, range)| (range.is_partly_covered, std::cmp::Reverse(range.lines())));
    let mut out = String::new();
    for (path, range) in all.iter().take(MOST_ANNOTATIONS) {
        let (first, last, path) = (range.first, range.last, property(path));
        // A string takes everything.
        let _ = write!(out, "::warning file={path},line={first},endLine={last},title=Coverage::");
        let _ = writeln!(out, "{}", data(&message(*range)));
    }
    let left_out = all.len().saturating_sub(MOST_ANNOTATIONS);
    if left_out > 0 {
        let _ =
            writeln!(out, "::notice title=Coverage::{left_out} more places are not covered; see the report");
    }
    out
}

fn message(range: MissedRange) -> String {
    let lines = match (range.first, range.last) {
        (first, last) if first == last => format!("Line {first} is"),
        (first, last) => format!("Lines {first} to {last} are"),
    };
    let branches = match range.missed_branches {
        0 => String::new(),
        1 => ": 1 branch was not taken".to_owned(),
        count => format!(": {count} branches were not taken"),
    };
    if range.is_partly_covered {
        format!("{lines} partly covered{branches}")
    } else {
        format!("{lines} not covered")
    }
}

/// A text as the message of a command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A text as a property of a command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_to_github_is_written_otherwise() {
        assert_eq!(property("a,b:100%\n"), "a%2Cb%3A100%25%0A");
        let range = MissedRange { first: 3, last: 4, is_partly_covered: true, missed_branches: 2 };
        assert_eq!(message(range), "Lines 3 to 4 are partly covered: 2 branches were not taken");
        let range = MissedRange { last: 3, is_partly_covered: false, ..range };
        assert_eq!(message(range), "Line 3 is not covered");
    }
}
