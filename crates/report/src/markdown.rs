//! A summary in Markdown, for a pull request.

use crate::Report;
use probity_coverage::names::package_name;
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
    let mut packages = Vec::new();
    for (group, bundle) in report.root.bundles() {
        let prefix = if group.is_empty() { group } else { format!("{group}: ") };
        let with_code = bundle.packages.iter().filter(|package| package.counters.contains_code());
        packages.extend(
            with_code.map(|package| (format!("{prefix}{}", package_name(&package.name)), package.counters)),
        );
    }
    packages.sort_by_key(|(_, counters)| std::cmp::Reverse(counters.lines.missed));
    for (name, counters) in packages.iter().take(MOST_PACKAGES) {
        row(&format!("`{name}`"), counters, &mut out);
    }
    if packages.len() > MOST_PACKAGES {
        let _ = writeln!(out, "\nand {} more packages", packages.len() - MOST_PACKAGES);
    }
    out
}

fn row(name: &str, counters: &Counters, out: &mut String) {
    let cell = |counter: Counter| match counter.total() {
        0 => "n/a".to_owned(),
        total => format!("{} % ({}/{total})", percent(counter), counter.covered),
    };
    let (lines, branches, methods) = (cell(counters.lines), cell(counters.branches), cell(counters.methods));
    let _ = writeln!(out, "| {name} | {lines} | {branches} | {methods} |");
}

/// The covered part in whole percent, rounded down: only what is wholly covered is 100 %.
fn percent(counter: Counter) -> u64 {
    u64::from(counter.covered) * 100 / u64::from(counter.total().max(1))
}
