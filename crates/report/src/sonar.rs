//! Sonar's generic coverage: lines to cover, by file.

use crate::paths::SourcePaths;
use crate::xml_text::escaped;
use crate::{Report, ReportNode};
use std::fmt::Write;

/// The report as Sonar's generic test coverage data, version 1.
#[must_use]
pub fn write_sonar(report: &Report, paths: &dyn SourcePaths) -> String {
    let mut out = String::from("<coverage version=\"1\">\n");
    node(&report.root, paths, &mut out);
    out.push_str("</coverage>\n");
    out
}

fn node(node_: &ReportNode, paths: &dyn SourcePaths, out: &mut String) {
    let bundle = match node_ {
        ReportNode::Bundle(bundle) => bundle,
        ReportNode::Group { children, .. } => {
            return children.iter().for_each(|child| node(child, paths, out));
        }
    };
    let files = bundle.packages.iter().flat_map(|package| &package.source_files);
    for file in files.filter(|file| file.counters.contains_code()) {
        // A string takes everything.
        let _ = writeln!(out, "  <file path=\"{}\">", escaped(&paths.path(&file.package, &file.name)));
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
}
