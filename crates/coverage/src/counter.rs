//! Pairs of missed and covered things, and what they say of an element.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// How many of something were missed and how many were covered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counter {
    /// Not executed.
    pub missed: u32,
    /// Executed.
    pub covered: u32,
}

/// What a counter says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There is nothing to count.
    Empty,
    /// Nothing was executed.
    NotCovered,
    /// Some, but not all.
    PartlyCovered,
    /// Everything was executed.
    FullyCovered,
}

impl Counter {
    /// One thing, covered or missed.
    #[must_use]
    pub fn one(covered: bool) -> Self {
        Self { missed: u32::from(!covered), covered: u32::from(covered) }
    }

    /// How many there are.
    #[must_use]
    pub fn total(self) -> u32 {
        self.missed + self.covered
    }

    /// What the counter says.
    #[must_use]
    pub fn status(self) -> Status {
        match (self.missed, self.covered) {
            (0, 0) => Status::Empty,
            (_, 0) => Status::NotCovered,
            (0, _) => Status::FullyCovered,
            _ => Status::PartlyCovered,
        }
    }
}

impl Status {
    /// What two statuses say together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Empty, one) | (one, Self::Empty) => one,
            (one, same) if one == same => one,
            _ => Self::PartlyCovered,
        }
    }
}

impl Add for Counter {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { missed: self.missed + other.missed, covered: self.covered + other.covered }
    }
}

impl AddAssign for Counter {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Counter {
    fn sum<I: Iterator<Item = Self>>(counters: I) -> Self {
        counters.fold(Self::default(), Add::add)
    }
}

/// The six counters of an element, in the order of reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counters {
    /// Instructions.
    pub instructions: Counter,
    /// Ways out of instructions that have more than one.
    pub branches: Counter,
    /// Lines with code.
    pub lines: Counter,
    /// Cyclomatic complexity.
    pub complexity: Counter,
    /// Methods with code.
    pub methods: Counter,
    /// Classes with code.
    pub classes: Counter,
}

impl Counters {
    /// Whether there is any code.
    #[must_use]
    pub fn contains_code(&self) -> bool {
        self.instructions.total() > 0
    }
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Self) {
        self.instructions += other.instructions;
        self.branches += other.branches;
        self.lines += other.lines;
        self.complexity += other.complexity;
        self.methods += other.methods;
        self.classes += other.classes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_follow_from_counts() {
        assert_eq!(Counter::default().status(), Status::Empty);
        assert_eq!(Counter::one(false).status(), Status::NotCovered);
        assert_eq!(Counter::one(true).status(), Status::FullyCovered);
        assert_eq!((Counter::one(true) + Counter::one(false)).status(), Status::PartlyCovered);
        assert_eq!(Status::FullyCovered.and(Status::NotCovered), Status::PartlyCovered);
        assert_eq!(Status::Empty.and(Status::NotCovered), Status::NotCovered);
        assert_eq!(Status::FullyCovered.and(Status::PartlyCovered), Status::PartlyCovered);
    }
}
