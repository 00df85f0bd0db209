//! The document that records the round trip, as a function of the counts.
//!
//! It must say nothing of the machine that would be different elsewhere for no reason, such as paths.

use std::fmt;

use crate::surroundings::Surroundings;

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
        writeln!(f, "{HEAD}")?;
        writeln!(f, "{}", self.surroundings)?;
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
}
