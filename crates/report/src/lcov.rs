//! LCOV's tracefile: one record for each source file.
//!
//! Hits are 1 or 0, since it is known whether something was executed and not how often. LCOV wants to know each branch of
//! a line; JaCoCo's counters say how many there are and how many were taken, so the taken ones come first.

use crate::Report;
use crate::paths::SourcePaths;
use probity_coverage::{ClassCoverage, Line, PackageCoverage, SourceFileCoverage};
use std::fmt::Write;

/// The report as LCOV.
#[must_use]
pub fn write_lcov(report: &Report, paths: &dyn SourcePaths) -> String {
    let mut out = String::new();
    for (group, bundle) in report.root.bundles() {
        for package in &bundle.packages {
            for file in package.source_files.iter().filter(|file| file.counters.contains_code()) {
                record(package, file, &paths.path(&group, &file.package, &file.name), &mut out);
            }
        }
    }
    out
}

fn record(package: &PackageCoverage, file: &SourceFileCoverage, path: &str, out: &mut String) {
    // A string takes everything.
    let _ = write!(out, "TN:\nSF:{path}\n");
    functions(package, file, out);
    let (mut found, mut hit) = (0, 0);
    for (number, line) in file.lines.iter().filter(|(_, line)| line.branches.total() > 0) {
        branches(number, line, out);
        found += line.branches.total();
        hit += line.branches.covered;
    }
    let _ = write!(out, "BRF:{found}\nBRH:{hit}\n");
    for (number, line) in file.lines.iter().filter(|(_, line)| line.instructions.total() > 0) {
        let _ = writeln!(out, "DA:{number},{}", u32::from(line.instructions.covered > 0));
    }
    let lines = file.counters.lines;
    let _ = write!(out, "LF:{}\nLH:{}\nend_of_record\n", lines.total(), lines.covered);
}

fn functions(package: &PackageCoverage, file: &SourceFileCoverage, out: &mut String) {
    let of_file = |class: &&ClassCoverage| class.source_file.as_deref() == Some(&file.name);
    let (mut found, mut hit) = (0, 0);
    let mut executions = String::new();
    for class in package.classes.iter().filter(of_file) {
        for method in &class.methods {
            let Some(line) = method.lines.first() else { continue };
            let executed = method.counters.methods.covered;
            let name = format!("{}.{}{}", class.name, method.name, method.descriptor);
            let _ = writeln!(out, "FN:{line},{name}");
            let _ = writeln!(executions, "FNDA:{executed},{name}");
            found += 1;
            hit += executed;
        }
    }
    out.push_str(&executions);
    let _ = write!(out, "FNF:{found}\nFNH:{hit}\n");
}

/// A branch of a line that was never reached was not even asked about.
fn branches(number: u32, line: &Line, out: &mut String) {
    for branch in 0..line.branches.total() {
        let taken = match (line.instructions.covered, branch < line.branches.covered) {
            (_, true) => "1",
            (0, false) => "-",
            (_, false) => "0",
        };
        let _ = writeln!(out, "BRDA:{number},0,{branch},{taken}");
    }
}
