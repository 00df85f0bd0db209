//! The lines that were not executed, as ranges, what misses most first.

use crate::Report;
use crate::paths::SourcePaths;
use probity_coverage::{Lines, Status};
use std::cmp::Reverse;

/// Lines of a source file that follow each other and are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MissedRange {
    pub(crate) first: u32,
    pub(crate) last: u32,
    /// Whether something on these lines was executed all the same.
    pub(crate) is_partly_covered: bool,
    /// How many branches were not taken.
    pub(crate) missed_branches: u32,
}

impl MissedRange {
    pub(crate) fn lines(&self) -> u32 {
        self.last - self.first + 1
    }
}

/// A source file that misses something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MissedFile {
    pub(crate) path: String,
    /// In the order of the file.
    pub(crate) ranges: Vec<MissedRange>,
}

impl MissedFile {
    /// How many lines were not executed at all, and how many only partly.
    fn missed(&self) -> (u32, u32) {
        let sum = |partly: bool| {
            let ranges = self.ranges.iter().filter(|range| range.is_partly_covered == partly);
            ranges.map(MissedRange::lines).sum()
        };
        (sum(false), sum(true))
    }
}

/// The source files of a report that miss something, those that miss most first.
pub(crate) fn missed_files(report: &Report, paths: &dyn SourcePaths) -> Vec<MissedFile> {
    let mut files = Vec::new();
    for (group, bundle) in report.root.bundles() {
        for file in bundle.packages.iter().flat_map(|package| &package.source_files) {
            let ranges = missed_ranges(&file.lines);
            if !ranges.is_empty() {
                files.push(MissedFile { path: paths.path(&group, &file.package, &file.name), ranges });
            }
        }
    }
    files.sort_by(|one, other| {
        Reverse(one.missed()).cmp(&Reverse(other.missed())).then_with(|| one.path.cmp(&other.path))
    });
    files
}

fn missed_ranges(lines: &Lines) -> Vec<MissedRange> {
    let mut ranges: Vec<MissedRange> = Vec::new();
    for (number, line) in lines.iter() {
        let is_partly_covered = match line.status() {
            Status::NotCovered => false,
            Status::PartlyCovered => true,
            Status::Empty | Status::FullyCovered => continue,
        };
        match ranges.last_mut() {
            Some(range) if range.last + 1 == number && range.is_partly_covered == is_partly_covered => {
                range.last = number;
                range.missed_branches += line.branches.missed;
            }
            _ => ranges.push(MissedRange {
                first: number,
                last: number,
                is_partly_covered,
                missed_branches: line.branches.missed,
            }),
        }
    }
    ranges
}
