//! Counters line by line.

use crate::counter::{Counter, Status};

/// The counters of one line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Line {
    /// Instructions on the line.
    pub instructions: Counter,
    /// Branches on the line.
    pub branches: Counter,
}

impl Line {
    /// What the line's counters say together.
    #[must_use]
    pub fn status(&self) -> Status {
        self.instructions.status().and(self.branches.status())
    }

    /// The line as one thing: covered if something on it is.
    fn counter(&self) -> Counter {
        if self.instructions.total() == 0 {
            Counter::default()
        } else {
            Counter::one(self.instructions.covered > 0)
        }
    }
}

/// The lines of an element, from the first that has code to the last.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lines {
    first: u32,
    lines: Vec<Line>,
}

impl Lines {
    /// The first line with code.
    #[must_use]
    pub fn first(&self) -> Option<u32> {
        (!self.lines.is_empty()).then_some(self.first)
    }

    /// The last line with code.
    #[must_use]
    pub fn last(&self) -> Option<u32> {
        self.first().map(|first| first + self.lines.len() as u32 - 1)
    }

    /// The counters of a line; empty for a line without code.
    #[must_use]
    pub fn get(&self, line: u32) -> Line {
        let at = line.checked_sub(self.first).and_then(|at| self.lines.get(at as usize));
        at.copied().unwrap_or_default()
    }

    /// All lines from the first to the last, with their numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Line)> {
        (self.first..).zip(&self.lines)
    }

    /// How many lines with code are missed and covered.
    #[must_use]
    pub fn counter(&self) -> Counter {
        self.lines.iter().map(Line::counter).sum()
    }

    /// Adds to the counters of a line.
    pub(crate) fn add(&mut self, line: u32, instructions: Counter, branches: Counter) {
        let place = self.place(line);
        place.instructions += instructions;
        place.branches += branches;
    }

    /// Adds all lines of another element.
    pub(crate) fn add_all(&mut self, other: &Self) {
        let (Some(first), Some(last)) = (other.first(), other.last()) else { return };
        if self.lines.is_empty() {
            self.clone_from(other);
            return;
        }
        self.place(first);
        self.place(last);
        let start = first.saturating_sub(self.first) as usize;
        for (own, added) in self.lines.iter_mut().skip(start).zip(&other.lines) {
            own.instructions += added.instructions;
            own.branches += added.branches;
        }
    }

    pub(crate) fn set(&mut self, line: u32, counters: Line) {
        *self.place(line) = counters;
    }

    fn place(&mut self, line: u32) -> &mut Line {
        if self.lines.is_empty() {
            self.first = line;
        }
        if line < self.first {
            let missing = (self.first - line) as usize;
            self.lines.splice(0..0, std::iter::repeat_n(Line::default(), missing));
            self.first = line;
        }
        let at = (line - self.first) as usize;
        if at >= self.lines.len() {
            self.lines.resize(at + 1, Line::default());
        }
        #[allow(clippy::indexing_slicing, reason = "the place was made just now")]
        &mut self.lines[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_grow_in_both_directions() {
        let mut lines = Lines::default();
        assert_eq!((lines.first(), lines.last()), (None, None));
        lines.add(10, Counter::one(true), Counter::default());
        lines.add(7, Counter::one(false), Counter::default());
        lines.add(12, Counter::one(true), Counter::one(false));
        lines.add(10, Counter::one(false), Counter::default());
        assert_eq!((lines.first(), lines.last()), (Some(7), Some(12)));
        assert_eq!(lines.get(10).status(), Status::PartlyCovered);
        assert_eq!(lines.get(12).status(), Status::PartlyCovered);
        assert_eq!(lines.get(8).status(), Status::Empty);
        assert_eq!(lines.counter(), Counter { missed: 1, covered: 2 });
    }
}
