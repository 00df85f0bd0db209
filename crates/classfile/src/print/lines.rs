//! Lines with an indentation and a column for comments.
//!
//! Whoever writes a listing writes text and line ends; this module puts the indentation in front of every line that has
//! text. It never writes a space behind one that has none.

use std::fmt::{self, Write};

/// Columns for each level of indentation.
const INDENT_WIDTH: usize = 2;
/// The column of comments, counted from the indentation.
const TAB_COLUMN: usize = 40;

/// Where a listing is written to.
pub(super) struct Lines<'w> {
    out: &'w mut dyn Write,
    levels: usize,
    /// The characters of the line so far; 0 at its start.
    column: usize,
    /// All bytes so far.
    written: usize,
}

impl<'w> Lines<'w> {
    pub(super) fn new(out: &'w mut dyn Write) -> Self {
        Self { out, levels: 0, column: 0, written: 0 }
    }

    /// How many bytes were written.
    pub(super) fn written(&self) -> usize {
        self.written
    }

    pub(super) fn indent(&mut self, levels: usize) {
        self.levels += levels;
    }

    pub(super) fn outdent(&mut self, levels: usize) {
        self.levels = self.levels.saturating_sub(levels);
    }

    /// Goes on to the column of comments, or past a space if the line is longer already.
    pub(super) fn tab(&mut self) -> fmt::Result {
        let column = self.levels * INDENT_WIDTH + TAB_COLUMN;
        let spaces = column.saturating_sub(self.column).max(1);
        self.spaces(spaces)
    }

    fn spaces(&mut self, count: usize) -> fmt::Result {
        self.column += count;
        self.written += count;
        write!(self.out, "{:count$}", "")
    }

    fn part_of_line(&mut self, part: &str) -> fmt::Result {
        if part.is_empty() {
            return Ok(());
        }
        if self.column == 0 {
            self.spaces(self.levels * INDENT_WIDTH)?;
        }
        self.column += part.chars().count();
        self.written += part.len();
        self.out.write_str(part)
    }
}

impl Write for Lines<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut parts = text.split('\n');
        if let Some(first) = parts.next() {
            self.part_of_line(first)?;
        }
        for part in parts {
            self.out.write_str("\n")?;
            self.written += 1;
            self.column = 0;
            self.part_of_line(part)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_indented_and_blank_lines_stay_blank() {
        let mut text = String::new();
        let mut lines = Lines::new(&mut text);
        lines.indent(1);
        lines.write_str("a\n\nb").unwrap();
        lines.write_str("c").unwrap();
        lines.tab().unwrap();
        lines.write_str("// d\n").unwrap();
        lines.outdent(1);
        lines.write_str("e\n").unwrap();
        let written = lines.written();
        assert_eq!(text, format!("  a\n\n  bc{:38}// d\ne\n", ""));
        assert_eq!(written, text.len());
    }

    #[test]
    fn a_long_line_has_its_comment_one_space_further() {
        let mut text = String::new();
        let mut lines = Lines::new(&mut text);
        let long = "x".repeat(TAB_COLUMN);
        lines.write_str(&long).unwrap();
        lines.tab().unwrap();
        lines.write_str("// c").unwrap();
        assert_eq!(text, format!("{long} // c"));
    }
}
