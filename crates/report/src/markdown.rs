//! A summary in Markdown, for a pull request.

use crate::Report;
use crate::summary::{packages_by_missed, percent};
use probity_coverage::{Counter, Counters};
use std::fmt::Write;

/// How many packages are listed; a comment has to be read.
const MOST_PACKAGES: usize = 50;

/// The report as Markdown.
#[must_use]
pub fn write_markdown(report: &Report) -> String {
    let mut out = String::new();
    // A string takes everything.
    let _ = writeln!(out, "## {}\n", report.root.name().replace('\n', " "));
    out.push_str("| | lines | branches | methods |\n|---|--:|--:|--:|\n");
    row("**all**", &report.root.counters(), &mut out);
    let packages = packages_by_missed(report);
    for (name, counters) in packages.iter().take(MOST_PACKAGES) {
        row(&format!("`{name}`"), counters, &mut out);
    }
    if packages.len() > MOST_PACKAGES {
        let _ = writeln!(out, "\nand {} more packages", packages.len() - MOST_PACKAGES);
    }
    out
}

fn row(name: &str, counters: &Counters, out: &mut String) {
    let cell = |counter: Counter| match percent(counter) {
        None => "n/a".to_owned(),
        Some(percent) => format!("{percent} % ({}/{})", counter.covered, counter.total()),
    };
    let (lines, branches, methods) = (cell(counters.lines), cell(counters.branches), cell(counters.methods));
    let _ = writeln!(out, "| {name} | {lines} | {branches} | {methods} |");
}
