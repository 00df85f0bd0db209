//! The laws of the safety argument, each a function from a case to a verdict.
//!
//! A law says how many times it was put to the test in a case, so that one that never applies is noticed, or gives a
//! counterexample that prints as text and can be read back. Laws that must fail are in [`controls`].

pub mod controls;
mod exam;
mod generic;
mod locality;
mod naive;
mod selection;
mod sharing;
mod smart;
mod soundness;

use std::fmt;

use crate::text::Case;

pub use exam::{Exam, Revised, examine, examine_in};
pub use generic::{Generic, generic_laws};
pub use selection::{Selector, deselections};

/// How much work a law is: whether it looks at whole runs or at every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// One run of each revision.
    Runs,
    /// Every state on the way, or many runs.
    Steps,
}

/// A law.
#[derive(Clone, Copy)]
pub struct Law {
    /// The name by which the documents know it.
    pub id: &'static str,
    /// What it says.
    pub statement: &'static str,
    /// How much work it is.
    pub effort: Effort,
    check: fn(&Exam<'_>) -> Checked,
}

/// How often a law was put to the test, or what went wrong.
pub type Checked = Result<u64, String>;

impl Law {
    /// Puts the law to the test.
    ///
    /// # Errors
    ///
    /// What went wrong.
    pub fn check(&self, exam: &Exam<'_>) -> Checked {
        (self.check)(exam)
    }

    /// Puts the law to the test in a case; a program that has no end gives no tests.
    ///
    /// # Errors
    ///
    /// A counterexample.
    pub fn verdict(&self, case: &Case) -> Result<u64, Counterexample> {
        let checked = examine(case, |exam| self.check(exam)).unwrap_or(Ok(0));
        checked.map_err(|detail| Counterexample { law: self.id, detail, case: case.clone() })
    }
}

impl fmt::Debug for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.id, self.statement)
    }
}

/// A case in which a law does not hold. It is printed with remarks that are passed over when it is read.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// The law.
    pub law: &'static str,
    /// What is wrong.
    pub detail: String,
    /// The case.
    pub case: Case,
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# against {}", self.law)?;
        for line in self.detail.lines() {
            writeln!(f, "# {line}")?;
        }
        self.case.fmt(f)
    }
}

const fn law(
    id: &'static str,
    effort: Effort,
    statement: &'static str,
    check: fn(&Exam<'_>) -> Checked,
) -> Law {
    Law { id, statement, effort, check }
}

/// All laws about the machine.
pub fn laws() -> impl Iterator<Item = &'static Law> {
    [soundness::LAWS, locality::LAWS, naive::LAWS, smart::LAWS, selection::LAWS, sharing::LAWS]
        .into_iter()
        .flatten()
}

/// The law of a name.
#[must_use]
pub fn named(id: &str) -> Option<&'static Law> {
    laws().find(|law| law.id == id)
}

/// The counterexample that a case is which no law gets to see, because its run is stuck although everything is well-formed.
#[must_use]
pub fn stuck(case: &Case) -> Option<Counterexample> {
    soundness::is_stuck(case)
}

/// Fails with a text unless something is so.
fn ensure(is_so: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if is_so { Ok(()) } else { Err(otherwise()) }
}
