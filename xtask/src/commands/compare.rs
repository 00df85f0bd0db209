//! `cargo xtask compare WHAT`: a comparison with JaCoCo on everything there is, written down.
//!
//! The comparisons are tests, which take a sample unless they are told to take all. This only runs one of them and writes
//! down what it printed; the document is written when everything agreed and at no other time.

use std::fmt::Write as _;
use std::fs;

use clap::ValueEnum;
use probity_test_support::corpus::Part;

use crate::commands::fetch;
use crate::failure::Failure;
use crate::processes;
use crate::root::repository_root;
use crate::setup::{self, Tool};
use crate::surroundings::Surroundings;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What is compared.
    what: What,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Class ids, numbers and places of probes.
    Probes,
    /// XML and CSV reports with made-up probe data.
    Reports,
}

/// A comparison and its document.
struct Comparison {
    name: &'static str,
    package: &'static str,
    test: &'static str,
    document: &'static str,
    title: &'static str,
    text: &'static str,
}

const PROBES: Comparison = Comparison {
    name: "probes",
    package: "probity-instrument",
    test: "jacoco_probes",
    document: "docs/results/jacoco-probes.md",
    title: "Class ids and probes beside JaCoCo's",
    text: "\
Question: is any class id, number of probes or place of a probe different from JaCoCo 0.8.15's?

For every class JaCoCo's own library says the id, how many probes there are, and for each probe the instruction at which it
stands and how; for a switch, the probe of each case. All of it must be equal.
",
};

const REPORTS: Comparison = Comparison {
    name: "reports",
    package: "probity-report",
    test: "jacoco_reports",
    document: "docs/results/jacoco-reports.md",
    title: "XML and CSV beside JaCoCo's",
    text: "\
Question: is any byte of the XML or CSV report different from JaCoCo 0.8.15's?

For every class it is made up which probes were hit, the same on both sides: none, all, or some. JaCoCo's own library writes
one XML and one CSV report for each source; ours must be equal byte for byte. Copies of classes for newer Java versions and
module descriptions are left out: a report cannot have two classes of one name.
",
};

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let comparison = match arguments.what {
        What::Probes => PROBES,
        What::Reports => REPORTS,
    };
    setup::ensure(&[Tool::Jdk, Tool::Maven])?;
    fetch::fetch(Part::All)?;
    let mut command = processes::cargo(["test", "--release", "--locked", "--package", comparison.package]);
    command.args(["--test", comparison.test, "--", "--nocapture"]).env("PROBITY_CORPUS", "all");
    let mut rows = Vec::new();
    processes::run_reading(command, |line| rows.extend(row_of(line)))?;
    let document = document(&comparison, &Surroundings::here()?, &rows);
    let path = repository_root().join(comparison.document);
    fs::write(&path, document).map_err(|source| Failure::Unwritable { path, source })?;
    println!("wrote {}", comparison.document);
    Ok(())
}

/// A source, and how many of its classes agree.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    source: String,
    classes: usize,
}

/// What a line of the test says, if it is about a source.
fn row_of(line: &str) -> Option<Row> {
    let (source, rest) = line.trim_end().split_once(": ")?;
    let (classes, rest) = rest.split_once(" classes")?;
    let classes = classes.parse().ok().filter(|_| rest.ends_with("agree"))?;
    Some(Row { source: source.to_owned(), classes })
}

fn document(comparison: &Comparison, surroundings: &Surroundings, rows: &[Row]) -> String {
    let Comparison { name, title, text, .. } = comparison;
    let mut out = format!("# {title}\n\n{text}\nCommand, which also writes this file:\n\n");
    // A string takes everything.
    let _ = writeln!(out, "    cargo xtask compare {name}\n\n{surroundings}");
    out.push_str("## Result\n\n| source | classes that agree |\n| --- | --: |\n");
    for Row { source, classes } in rows {
        let _ = writeln!(out, "| {source} | {classes} |");
    }
    let total: usize = rows.iter().map(|row| row.classes).sum();
    let _ = writeln!(out, "| **total** | {total} |\n\nNone differs: the test ends at the first difference.");
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_about_sources_become_rows() {
        let row = |source: &str, classes| Some(Row { source: source.to_owned(), classes });
        assert_eq!(row_of("a-1.jar: 12 classes agree"), row("a-1.jar", 12));
        assert_eq!(row_of("JDK 17: 3 classes, 99 bytes of XML agree\n"), row("JDK 17", 3));
        assert_eq!(row_of("161752 classes agree with JaCoCo"), None);
        assert_eq!(row_of("test x ... ok"), None);
    }

    #[test]
    fn a_document_tells_the_command_and_the_total() {
        let rows = [Row { source: "a".to_owned(), classes: 2 }, Row { source: "b".to_owned(), classes: 3 }];
        let text = document(&PROBES, &Surroundings::default(), &rows);
        assert!(text.contains("cargo xtask compare probes") && text.contains("| **total** | 5 |"), "{text}");
    }
}
