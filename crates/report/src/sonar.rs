//! Sonar's generic coverage: lines to cover, by file.

use crate::Report;
use crate::paths::SourcePaths;
use crate::xml_text::escaped;
use probity_coverage::SourceFileCoverage;
use std::fmt::Write;

/// The report as Sonar's generic test coverage data, version 1.
#[must_use]
pub fn write_sonar(report: &Report, paths: &dyn SourcePaths) -> String {
    let mut out = String::from("<coverage version=\"1\">\n");
    for (group, bundle) in report.root.bundles() {
        for file in bundle.packages.iter().flat_map(|package| &package.source_files) {
            if file.counters.contains_code() {
                file_element(file, &paths.path(&group, &file.package, &file.name), &mut out);
            }
        }
    }
    out.push_str("</coverage>\n");
    out
}

fn file_element(file: &SourceFileCoverage, path: &str, out: &mut String) {
    // A string takes everything.
    let _ = writeln!(out, "  <file path=\"{}\">", escaped(path));
    for (number, line) in file.lines.iter().filter(|(_, line)| line.instructions.total() > 0) {
        let covered = line.instructions.covered > 0;
        let _ = write!(out, "    <lineToCover lineNumber=\"{number}\" covered=\"{covered}\"");
        if line.branches.total() > 0 {
            let (all, covered) = (line.branches.total(), line.branches.covered);
            let _ = write!(out, " branchesToCover=\"{all}\" coveredBranches=\"{covered}\"");
        }
        out.push_str("/>\n");
    }
    out.push_str("  </file>\n");
}
