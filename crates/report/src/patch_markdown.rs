//! A summary of changed lines in Markdown, for a pull request: the usual one, and which lines were missed.

use crate::Report;
use crate::markdown::write_markdown;
use crate::missed::{MissedRange, missed_files};
use crate::paths::SourcePaths;
use std::fmt::Write;

/// How many files are listed with their missed lines, and how many ranges of each.
const MOST_FILES: usize = 25;
const MOST_RANGES: usize = 20;

/// A report of the lines that were changed since a revision as Markdown: the same, with the lines that were missed.
#[must_use]
pub fn write_patch_markdown(report: &Report, revision: &str, paths: &dyn SourcePaths) -> String {
    let mut out = write_markdown(report);
    let files = missed_files(report, paths);
    // A string takes everything.
    let _ =
        write!(out, "\nOnly lines that were changed since `{}` count. ", revision.replace(['`', '\n'], " "));
    if !report.root.counters().contains_code() {
        out.push_str("None of them has code.\n");
    } else if files.is_empty() {
        out.push_str("All of them are covered.\n");
    } else {
        out.push_str("Not covered:\n\n| file | missed lines | partly covered |\n|---|---|---|\n");
    }
    for file in files.iter().take(MOST_FILES) {
        let [missed, partly] = [false, true].map(|partly| ranges(&file.ranges, partly));
        let _ = writeln!(out, "| `{}` | {missed} | {partly} |", file.path.replace(['|', '`', '\n'], " "));
    }
    if files.len() > MOST_FILES {
        let _ = writeln!(out, "\nand {} more files", files.len() - MOST_FILES);
    }
    out
}

/// Line numbers as people write them.
fn ranges(all: &[MissedRange], is_partly_covered: bool) -> String {
    let wanted: Vec<String> = all
        .iter()
        .filter(|range| range.is_partly_covered == is_partly_covered)
        .map(|range| match (range.first, range.last) {
            (first, last) if first == last => first.to_string(),
            (first, last) => format!("{first}-{last}"),
        })
        .collect();
    let shown = wanted.iter().take(MOST_RANGES).map(String::as_str).collect::<Vec<_>>().join(", ");
    match wanted.len().saturating_sub(MOST_RANGES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
