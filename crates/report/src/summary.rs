//! What short reports for people have in common: packages by what they miss, and percentages.

use crate::Report;
use probity_coverage::names::package_name;
use probity_coverage::{Counter, Counters};
use std::cmp::Reverse;

/// The packages with code, each with its group in front; those with the most missed lines come first.
pub(crate) fn packages_by_missed(report: &Report) -> Vec<(String, Counters)> {
    let mut packages = Vec::new();
    for (group, bundle) in report.root.bundles() {
        let prefix = if group.is_empty() { group } else { format!("{group}: ") };
        let with_code = bundle.packages.iter().filter(|package| package.counters.contains_code());
        packages.extend(
            with_code.map(|package| (format!("{prefix}{}", package_name(&package.name)), package.counters)),
        );
    }
    packages.sort_by_key(|(_, counters)| Reverse((counters.lines.missed, counters.instructions.missed)));
    packages
}

/// The covered part in whole percent, rounded down: only what is wholly covered is 100 %. Nothing if there is nothing
/// to cover.
pub(crate) fn percent(counter: Counter) -> Option<u64> {
    (u64::from(counter.covered) * 100).checked_div(u64::from(counter.total()))
}
