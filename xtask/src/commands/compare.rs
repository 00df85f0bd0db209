//! `cargo xtask compare WHAT`: a comparison with JaCoCo on everything there is, written down.
//!
//! The comparisons are tests, which take a sample unless they are told to take all. This only runs one of them and writes
//! down what it printed; the document is written when everything agreed and at no other time.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use probity_test_support::corpus::Part;

use crate::commands::{fetch, targets};
use crate::failure::Failure;
use crate::processes;
use crate::root::repository_root;
use crate::setup::{self, Tool};
use crate::surroundings::Surroundings;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What is compared.
    what: What,

    /// A checkout of JaCoCo, for its validation targets.
    #[arg(long, value_name = "FOLDER", required_if_eq("what", "targets"))]
    from: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// Class ids, numbers and places of probes.
    Probes,
    /// XML and CSV reports with made-up probe data.
    Reports,
    /// XML and CSV reports of real projects, recorded by both agents.
    Projects,
    /// Traces of the test suites of real projects.
    Traces,
    /// The validation targets of a checkout of JaCoCo.
    Targets,
}

/// A comparison and its document.
struct Comparison {
    name: &'static str,
    package: &'static str,
    test: &'static str,
    document: &'static str,
    title: &'static str,
    text: &'static str,
    printed: Printed,
    /// The variable that tells the test to take everything.
    whole: &'static str,
    /// The part of the corpus that it needs.
    part: Part,
}

/// What a test prints about what agrees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Printed {
    /// A line for each source, with its number of classes.
    Counts,
    /// Rows of a table with this heading.
    Rows(&'static str),
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
    printed: Printed::Counts,
    whole: "PROBITY_CORPUS",
    part: Part::All,
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
    printed: Printed::Counts,
    whole: "PROBITY_CORPUS",
    part: Part::All,
};

const PROJECTS: Comparison = Comparison {
    name: "projects",
    package: "probity-cli",
    test: "projects",
    document: "docs/results/jacoco-projects.md",
    title: "Reports of real projects beside JaCoCo's",
    text: "\
Question: is any byte of the XML or CSV report of a real run different from JaCoCo 0.8.15's?

Each library is run by its own tests, by itself or by a program that uses it, once with JaCoCo's agent and once with ours.
JaCoCo's command and ours then report each of the two exec files, with the library's jar and its unpacked sources. XML and CSV
must be equal byte for byte. Two runs of one program need not be the same run, so the rows of the two agents may differ from
each other. The last column is how many pages with sources JaCoCo's HTML has, which shows that sources were found.

Not measured: tests of commons-codec that want an array of a gigabyte and tests that measure time are left out, and so are
tests that fail for want of something that is not on the class path. Commons-lang was tried and dropped before it gave a
result, because its tests take too long. H2 is not here because JaCoCo refuses its jar, which has one class twice. Kotlin's library is only used by its compiler's start, which covers little of it, and its sources are not in folders of
packages, so none are found.
",
    printed: Printed::Rows(
        "| project | JDK | recorded by | classes | lines covered | XML bytes | CSV bytes | source pages |\n\
         | --- | --- | --- | --: | --: | --: | --: | --: |\n",
    ),
    whole: "PROBITY_PROJECTS",
    part: Part::Sample,
};

const TRACES: Comparison = Comparison {
    name: "traces",
    package: "probity-cli",
    test: "traced_projects",
    document: "docs/results/traces-projects.md",
    title: "Traces of real test suites beside JaCoCo's data",
    text: "\
Question: are all rows of all traces together what JaCoCo 0.8.15's agent records, and do tests run as they do without the agent?

Each suite is run with traces, without an agent and with JaCoCo's agent: in one JVM, in three JVMs at the same time, and in a
JVM for each of at most eight test classes. All rows (those of units and those outside of units) must have the bits of the exec file of
JaCoCo's agent, and exactly the bits of the exec file that the same JVMs wrote. As many tests must be found, pass, fail and be skipped as
without an agent, with the same exit codes. A program that looks at all members, annotations, signatures and serial numbers of the
library's classes and at stack traces must print the same with traces and without.

Two kinds of bits are left out, each because of a run that shows it:

- *by chance*: both agents are asked again, in turn, up to four times. A bit that is not the same in all runs of one and the same agent
  depends on time or chance, such as what coroutines and caches of dates do.
- *sees JaCoCo*: JaCoCo's agent adds members to the classes that it changes, and programs that look at members take another way because of
  it. Such a bit must be as ours when JaCoCo's agent runs again and changes no class but the one that has the bit. These are named, with
  class, method and probe.

The column *bytes* is the size of a store with these traces and nothing else, with the shapes of all classes, for each pair of a unit and a
class. The last column is how many units are distrusted and why; a unit can have several reasons.

Not measured: test classes that fill the memory, wait or measure time, and of some libraries only some packages, so that it does not take
hours (`suites.rs` says which). Tests that fail do so for want of something that is not on the class path.
",
    printed: Printed::Rows(
        "| suite | tests | JDK | layout | JVMs | tests passed | units | bits hit | sees JaCoCo | by chance | different | pairs | bytes | units distrusted |\n\
         | --- | --- | --: | --- | --: | --: | --: | --: | --- | --: | --: | --: | --: | --- |\n",
    ),
    whole: "PROBITY_PROJECTS",
    part: Part::Sample,
};

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let comparison = match arguments.what {
        What::Probes => PROBES,
        What::Reports => REPORTS,
        What::Projects => PROJECTS,
        What::Traces => TRACES,
        What::Targets => return targets::run(arguments.from.as_deref().unwrap_or(Path::new("."))),
    };
    setup::ensure(&[Tool::Jdk, Tool::Maven])?;
    fetch::fetch(comparison.part)?;
    let mut command = processes::cargo(["test", "--release", "--locked", "--package", comparison.package]);
    command.args(["--test", comparison.test, "--", "--nocapture"]).env(comparison.whole, "all");
    let mut lines = Vec::new();
    processes::run_reading(command, |line| lines.push(line.to_owned()))?;
    let document = document(&comparison, &Surroundings::here()?, &lines);
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

fn document(comparison: &Comparison, surroundings: &Surroundings, lines: &[String]) -> String {
    let Comparison { name, title, text, .. } = comparison;
    let table = match comparison.printed {
        Printed::Counts => counts(lines),
        Printed::Rows(heading) => rows(heading, lines),
    };
    format!(
        "# {title}\n\n{text}\nCommand, which also writes this file:\n\n    cargo xtask compare {name}\n\n{surroundings}\n\
         ## Result\n\n{table}\nNone differs: the test ends at the first difference.\n"
    )
}

fn counts(lines: &[String]) -> String {
    let mut out = String::from("| source | classes that agree |\n| --- | --: |\n");
    let rows: Vec<Row> = lines.iter().filter_map(|line| row_of(line)).collect();
    for Row { source, classes } in &rows {
        // A string takes everything.
        let _ = writeln!(out, "| {source} | {classes} |");
    }
    let total: usize = rows.iter().map(|row| row.classes).sum();
    let _ = writeln!(out, "| **total** | {total} |");
    out
}

fn rows(heading: &str, lines: &[String]) -> String {
    let rows = lines.iter().filter(|line| line.starts_with("| "));
    rows.fold(heading.to_owned(), |table, row| table + row + "\n")
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
        let lines = ["a: 2 classes agree", "b: 3 classes agree"].map(str::to_owned);
        let text = document(&PROBES, &Surroundings::default(), &lines);
        assert!(text.contains("cargo xtask compare probes") && text.contains("| **total** | 5 |"), "{text}");
    }

    #[test]
    fn rows_that_a_test_prints_are_taken_over() {
        let lines = ["running 1 test", "| a | 1 |"].map(str::to_owned);
        let text = document(&PROJECTS, &Surroundings::default(), &lines);
        assert!(text.contains("--: |\n| a | 1 |\n\nNone differs"), "{text}");
    }
}
