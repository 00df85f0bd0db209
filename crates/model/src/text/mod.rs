//! Programs as text that people read and that can be read back.
//!
//! Counterexamples are kept as text in the repository, so what is printed must be all there is: printing and reading give back the
//! same program. Classes that every program has are printed only where a program hides them.

mod read;
mod write;

use std::fmt;
use std::sync::Arc;

use crate::program::{Class, Program};

pub use read::NotACase;

/// A program, tests of it, and revisions of it, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// The program that was run.
    pub program: Program,
    /// The test classes, in the order in which they are run.
    pub tests: Vec<Arc<Class>>,
    /// The program as it became.
    pub revisions: Vec<Program>,
}

impl Case {
    /// Reads a case.
    ///
    /// # Errors
    ///
    /// Fails with the line that cannot be read.
    pub fn parse(text: &str) -> Result<Self, NotACase> {
        read::case(text)
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write::case(f, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use crate::names::ClassName;
    use crate::random::Chance;

    #[test]
    fn cases_are_read_as_they_were_printed() {
        for task in 0..500 {
            let mut chance = Chance::of_task(3, task);
            let program = generate::program(&mut chance);
            let tests = (0..task % 3).map(|_| generate::test(&mut chance, &program)).collect();
            let revisions = (0..task % 4).map(|_| generate::program(&mut chance)).collect();
            let case = Case { program, tests, revisions };
            assert_eq!(Case::parse(&case.to_string()).as_ref(), Ok(&case));
        }
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_line() {
        let line = |text: &str| Case::parse(text).map_err(|wrong| wrong.line);
        assert_eq!(line("program\nclass C0 extends Nothing\nend\n"), Err(2));
        assert_eq!(line("program\nclass C0 extends Object\n  field f0 int\n"), Err(4));
        assert_eq!(line("class C0 extends Object\nend\n"), Err(1));
        assert_eq!(
            line("program\nclass C0 extends Object\n  static method m0 () int stack 1 locals 0\n    jump\n"),
            Err(4)
        );
        assert_eq!(line("# a remark\n\nprogram\n").map(|case| case.program), Ok(Program::default()));
    }

    #[test]
    fn a_hidden_standard_class_is_printed() {
        let program = Program::default().with(ClassName::OBJECT, Arc::new(Class::empty(ClassName::OBJECT)));
        let case = Case { program, ..Case::default() };
        assert!(case.to_string().contains("class Object extends Object"));
        assert_eq!(Case::parse(&case.to_string()), Ok(case));
    }
}
