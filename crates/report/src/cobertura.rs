//! Cobertura's XML, after its `coverage-04.dtd`.

use crate::Report;
use crate::paths::SourcePaths;
use crate::xml_text::escaped;
use probity_coverage::names::package_name;
use probity_coverage::{BundleCoverage, ClassCoverage, Counter, Counters, Lines};
use std::fmt::Write;

/// The report as Cobertura's XML. `source_folders` are the folders to which the paths of files are relative.
#[must_use]
pub fn write_cobertura(report: &Report, paths: &dyn SourcePaths, source_folders: &[String]) -> String {
    let counters = report.root.counters();
    let written = report.sessions.iter().map(|session| session.dump_millis).max().unwrap_or(0);
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.push_str("<!DOCTYPE coverage SYSTEM \"http://cobertura.sourceforge.net/xml/coverage-04.dtd\">\n");
    // A string takes everything.
    let _ = writeln!(
        out,
        "<coverage {} lines-covered=\"{}\" lines-valid=\"{}\" branches-covered=\"{}\" branches-valid=\"{}\" \
         version=\"probity\" timestamp=\"{written}\">",
        rates(&counters),
        counters.lines.covered,
        counters.lines.total(),
        counters.branches.covered,
        counters.branches.total(),
    );
    out.push_str("  <sources>\n");
    for folder in source_folders {
        let _ = writeln!(out, "    <source>{}</source>", escaped(folder));
    }
    out.push_str("  </sources>\n  <packages>\n");
    for (group, bundle) in report.root.bundles() {
        packages(bundle, &group, paths, &mut out);
    }
    out.push_str("  </packages>\n</coverage>\n");
    out
}

fn packages(bundle: &BundleCoverage, group: &str, paths: &dyn SourcePaths, out: &mut String) {
    for package in bundle.packages.iter().filter(|package| package.counters.contains_code()) {
        let name = package_name(&package.name);
        let _ = writeln!(out, "    <package name=\"{}\" {}>", escaped(&name), rates(&package.counters));
        out.push_str("      <classes>\n");
        for class in package.classes.iter().filter(|class| class.counters.contains_code()) {
            let file = class.source_file.as_deref().map(|file| paths.path(group, &package.name, file));
            class_element(class, &file.unwrap_or_default(), out);
        }
        out.push_str("      </classes>\n    </package>\n");
    }
}

fn class_element(class: &ClassCoverage, file: &str, out: &mut String) {
    let name = class.name.replace('/', ".");
    let _ = writeln!(
        out,
        "        <class name=\"{}\" filename=\"{}\" {}>",
        escaped(&name),
        escaped(file),
        rates(&class.counters)
    );
    out.push_str("          <methods>\n");
    for method in &class.methods {
        let _ = writeln!(
            out,
            "            <method name=\"{}\" signature=\"{}\" {}>",
            escaped(&method.name),
            escaped(&method.descriptor),
            rates(&method.counters)
        );
        lines(&method.lines, "              ", out);
        out.push_str("            </method>\n");
    }
    out.push_str("          </methods>\n");
    lines(&class.lines, "          ", out);
    out.push_str("        </class>\n");
}

fn lines(lines: &Lines, margin: &str, out: &mut String) {
    let _ = writeln!(out, "{margin}<lines>");
    for (number, line) in lines.iter().filter(|(_, line)| line.instructions.total() > 0) {
        let hits = u32::from(line.instructions.covered > 0);
        let _ = write!(out, "{margin}  <line number=\"{number}\" hits=\"{hits}\"");
        let branches = line.branches;
        if branches.total() > 0 {
            let percent = branches.covered * 100 / branches.total();
            let (covered, all) = (branches.covered, branches.total());
            let _ = write!(out, " branch=\"true\" condition-coverage=\"{percent}% ({covered}/{all})\"/>");
        } else {
            let _ = write!(out, " branch=\"false\"/>");
        }
        out.push('\n');
    }
    let _ = writeln!(out, "{margin}</lines>");
}

/// The attributes that every element has.
fn rates(counters: &Counters) -> String {
    format!(
        "line-rate=\"{}\" branch-rate=\"{}\" complexity=\"{}\"",
        rate(counters.lines),
        rate(counters.branches),
        counters.complexity.total()
    )
}

/// The covered part; of nothing, everything is covered.
fn rate(counter: Counter) -> String {
    match counter.total() {
        0 => "1.0".to_owned(),
        total => format!("{:.4}", f64::from(counter.covered) / f64::from(total)),
    }
}
