//! Counters line by line.

use crate::counter::{Counter, Status};
use std::ops::AddAssign;

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

impl AddAssign for Line {
    fn add_assign(&mut self, other: Self) {
        self.instructions += other.instructions;
        self.branches += other.branches;
    }
}

/// The lines of an element that have code.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lines {
    /// By number.
    lines: Vec<(u32, Line)>,
}

impl Lines {
    /// The first line with code.
    #[must_use]
    pub fn first(&self) -> Option<u32> {
        self.lines.first().map(|(number, _)| *number)
    }

    /// The last line with code.
    #[must_use]
    pub fn last(&self) -> Option<u32> {
        self.lines.last().map(|(number, _)| *number)
    }

    /// The counters of a line; empty for a line without code.
    #[must_use]
    pub fn get(&self, line: u32) -> Line {
        let found = self.position(line).ok().and_then(|at| self.lines.get(at));
        found.map(|(_, counters)| *counters).unwrap_or_default()
    }

    /// The lines that have code, with their numbers, in order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Line)> {
        self.lines.iter().map(|(number, line)| (*number, line))
    }

    /// How many lines with code are missed and covered.
    #[must_use]
    pub fn counter(&self) -> Counter {
        self.lines.iter().map(|(_, line)| line.counter()).sum()
    }

    /// Gives a line other counters, which must count something.
    pub(crate) fn set(&mut self, line: u32, counters: Line) {
        match self.position(line) {
            Ok(at) => {
                if let Some((_, own)) = self.lines.get_mut(at) {
                    *own = counters;
                }
            }
            Err(at) => self.lines.insert(at, (line, counters)),
        }
    }

    /// Where a line is, or where it would be.
    fn position(&self, line: u32) -> Result<usize, usize> {
        self.lines.binary_search_by_key(&line, |(number, _)| *number)
    }
}

/// Adds up lines that come in any order; keeps its memory from one element to the next.
#[derive(Debug, Default)]
pub(crate) struct LineSums {
    lines: Vec<(u32, Line)>,
    /// Whether some line came behind one with a higher number, and so may be there twice.
    is_mixed: bool,
}

impl LineSums {
    /// Adds to the counters of a line.
    pub(crate) fn add(&mut self, line: u32, instructions: Counter, branches: Counter) {
        let counters = Line { instructions, branches };
        match self.lines.last_mut() {
            Some((last, own)) if *last == line => *own += counters,
            last => {
                self.is_mixed |= last.is_some_and(|(last, _)| *last > line);
                self.lines.push((line, counters));
            }
        }
    }

    /// Adds all lines of an element.
    pub(crate) fn add_all(&mut self, other: &Lines) {
        let Some(first) = other.first() else { return };
        self.is_mixed |= self.lines.last().is_some_and(|(last, _)| *last >= first);
        self.lines.extend_from_slice(&other.lines);
    }

    /// The sums, with no more memory than they need. Nothing is left here.
    pub(crate) fn take(&mut self) -> Lines {
        if std::mem::take(&mut self.is_mixed) {
            // Stable, because such a sort makes use of what is in order already: nearly everything.
            self.lines.sort_by_key(|(number, _)| *number);
            self.lines.dedup_by(|(number, counters), (own_number, own)| {
                let is_same = number == own_number;
                if is_same {
                    *own += *counters;
                }
                is_same
            });
        }
        let lines = self.lines.clone();
        self.lines.clear();
        Lines { lines }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_added_up_in_any_order() {
        let mut sums = LineSums::default();
        assert_eq!((sums.take().first(), sums.take().last()), (None, None));
        sums.add(10, Counter::one(true), Counter::default());
        sums.add(7, Counter::one(false), Counter::default());
        sums.add(12, Counter::one(true), Counter::one(false));
        sums.add(10, Counter::one(false), Counter::default());
        let lines = sums.take();
        assert_eq!(lines.iter().map(|(number, _)| number).collect::<Vec<_>>(), [7, 10, 12]);
        assert_eq!((lines.first(), lines.last()), (Some(7), Some(12)));
        assert_eq!(lines.get(10).status(), Status::PartlyCovered);
        assert_eq!(lines.get(12).status(), Status::PartlyCovered);
        assert_eq!(lines.get(8).status(), Status::Empty);
        assert_eq!(lines.counter(), Counter { missed: 1, covered: 2 });
        assert_eq!(sums.take(), Lines::default());
    }

    #[test]
    fn elements_are_added_up() {
        let element = |numbers: &[u32]| {
            let mut sums = LineSums::default();
            numbers.iter().for_each(|&line| sums.add(line, Counter::one(true), Counter::default()));
            sums.take()
        };
        let mut sums = LineSums::default();
        for (numbers, expected) in [
            (&[1, 2][..], &[(1, 1), (2, 1)][..]),
            (&[2, 4], &[(1, 1), (2, 2), (4, 1)]),
            (&[1, 3], &[(1, 2), (2, 2), (3, 1), (4, 1)]),
        ] {
            sums.add_all(&element(numbers));
            let lines = sums.take();
            let found: Vec<_> =
                lines.iter().map(|(number, line)| (number, line.instructions.covered)).collect();
            assert_eq!(found, expected);
            sums.add_all(&lines);
        }
    }

    #[test]
    fn a_line_can_be_set_where_none_was() {
        let mut lines = Lines::default();
        for number in [5, 9, 7, 5] {
            lines.set(number, Line { instructions: Counter::one(true), branches: Counter::default() });
        }
        assert_eq!(lines.iter().map(|(number, _)| number).collect::<Vec<_>>(), [5, 7, 9]);
    }
}
