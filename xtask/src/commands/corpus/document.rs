//! The document that records the round trip, as a function of the counts.
//!
//! It must say nothing of the machine that would be different elsewhere for no reason, such as paths.

use std::fmt;

/// What came of one source.
#[derive(Debug, Clone, Default)]
pub(super) struct Row {
    pub(super) name: String,
    pub(super) why: String,
    /// How many classes it is known to have.
    pub(super) classes: usize,
    pub(super) read: usize,
    pub(super) identical: usize,
    pub(super) rewritten: usize,
    pub(super) rewritten_ok: usize,
    pub(super) failures: usize,
}

impl Row {
    /// Whether every class that is known was read and came out right. A source without classes is not well: nothing was
    /// tried.
    pub(super) fn is_well(&self) -> bool {
        let counts = [self.read, self.identical, self.rewritten, self.rewritten_ok];
        self.classes > 0 && counts.iter().all(|count| *count == self.classes) && self.failures == 0
    }

    fn add(&mut self, other: &Row) {
        self.classes += other.classes;
        self.read += other.read;
        self.identical += other.identical;
        self.rewritten += other.rewritten;
        self.rewritten_ok += other.rewritten_ok;
        self.failures += other.failures;
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { name, why, classes, read, identical, rewritten, rewritten_ok, failures } = self;
        write!(
            f,
            "| {name} | {why} | {classes} | {read} | {identical} | {rewritten} | {rewritten_ok} | {failures} |"
        )
    }
}

/// What is needed to do it again.
#[derive(Debug, Clone, Default)]
pub(super) struct Surroundings {
    pub(super) date: String,
    pub(super) commit: String,
    pub(super) rust: String,
    pub(super) system: String,
    pub(super) cores: usize,
}

/// The whole document.
#[derive(Debug, Clone, Default)]
pub(super) struct Document {
    pub(super) surroundings: Surroundings,
    pub(super) rows: Vec<Row>,
}

const HEAD: &str = "\
# Every class of the corpus, read and written again

Question: does any class of many compilers, languages and ages come out different from how it went in?

Command, which also writes this file:

    cargo xtask corpus

For every class the command reads it, writes it again from what was decoded (constants, members, attributes, instructions)
and compares the bytes (*identical*). Then it lays out all bodies anew with nothing inserted (*rewritten*) and compares the
class with the one before: byte for byte, or else by its listing (*well*). Subroutines of old class files are inlined as well; a
body in which that fails would be a failure.
";

const NOT_SHOWN: &str = "
## What this does not show

That a JVM accepts rewritten classes, and that inserted code runs: JVMs are asked in the tests of `crates/classfile`. Nothing was
timed. For a jar the number of classes is the one that is written down in `crates/test-support`; for a JDK it is what was found.
";

impl fmt::Display for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Surroundings { date, commit, rust, system, cores } = &self.surroundings;
        writeln!(f, "{HEAD}")?;
        writeln!(f, "- Date: {date}")?;
        writeln!(f, "- Versions: Probity at {commit}, {rust}, {system}; the JDKs and jars are in the table")?;
        writeln!(f, "- Machine: {} with {cores} cores\n", std::env::consts::ARCH)?;
        writeln!(f, "## Result\n")?;
        writeln!(f, "| source | why it is in | classes | read | identical | rewritten | well | failures |")?;
        writeln!(f, "| --- | --- | --: | --: | --: | --: | --: | --: |")?;
        let mut total = Row { name: "**total**".to_owned(), ..Row::default() };
        for row in &self.rows {
            writeln!(f, "{row}")?;
            total.add(row);
        }
        writeln!(f, "{total}")?;
        f.write_str(NOT_SHOWN)
    }
}

/// The name of the operating system in the text of an `os-release` file.
pub(super) fn system_name(os_release: &str) -> Option<&str> {
    let value = os_release.lines().find_map(|line| line.strip_prefix("PRETTY_NAME="))?;
    Some(value.trim_matches('"'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(classes: usize) -> Row {
        Row {
            name: "a:b:1".to_owned(),
            why: "because".to_owned(),
            classes,
            read: 3,
            identical: 3,
            rewritten: 3,
            rewritten_ok: 3,
            failures: 0,
        }
    }

    #[test]
    fn a_source_is_well_only_if_every_known_class_came_out_right() {
        assert!(row(3).is_well());
        assert!(!row(4).is_well(), "one was not read");
        assert!(!Row { identical: 2, ..row(3) }.is_well());
        assert!(!Row { rewritten_ok: 2, ..row(3) }.is_well());
        assert!(!Row { failures: 1, ..row(3) }.is_well());
        assert!(!Row::default().is_well(), "nothing was tried");
    }

    #[test]
    fn the_document_has_all_rows_and_their_total() {
        let text = Document { rows: vec![row(3), row(3)], ..Document::default() }.to_string();
        assert!(text.contains("| a:b:1 | because | 3 | 3 | 3 | 3 | 3 | 0 |\n"), "{text}");
        assert!(text.contains("| **total** |  | 6 | 6 | 6 | 6 | 6 | 0 |\n"), "{text}");
    }

    #[test]
    fn the_system_is_named_without_quotes() {
        assert_eq!(
            system_name("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n"),
            Some("Debian GNU/Linux 12")
        );
        assert_eq!(system_name(""), None);
    }
}
