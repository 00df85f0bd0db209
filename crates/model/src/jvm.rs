//! The machine as an instance of the general definitions.
//!
//! Its steps are slow, because each builds a state anew and links the program; what a test comes to is found by the fast way of
//! [`crate::run`]. A law compares the two.

use std::sync::Arc;

use crate::collectors::Collector;
use crate::linked::Linked;
use crate::names::{ClassName, ClassSet};
use crate::program::{Class, Program};
use crate::run::{self, NoEnd};
use crate::semantics::{CollectionSelection, CollectionSemantics, OutOfFuel, Outcome, Selection, Semantics};
use crate::state::State;
use crate::step::{Dialect, step};
use crate::typing;

/// The machine with a collector.
#[derive(Clone, Copy, Debug)]
pub struct Machine {
    /// What is collected.
    pub collector: Collector,
}

impl Semantics for Machine {
    type Program = Program;
    type State = State;

    fn small(&self, program: &Program, state: &State) -> Vec<State> {
        let mut next = state.clone();
        let linked = Linked::new(program);
        step(&linked, &mut next, Dialect::Theory).map(|()| next).into_iter().collect()
    }

    fn is_end(&self, state: &State) -> bool {
        state.is_end()
    }
}

impl CollectionSemantics for Machine {
    type Collection = ClassSet;

    fn nothing(&self) -> ClassSet {
        ClassSet::EMPTY
    }

    fn combine(&self, first: &ClassSet, second: &ClassSet) -> ClassSet {
        first.union(*second)
    }

    fn collect(&self, program: &Program, before: &State, _: &State) -> ClassSet {
        self.collector.collect(&Linked::new(program), before)
    }
}

impl Selection for Machine {
    type Revision = Program;
    type Test = Arc<Class>;
    type Output = Outcome<Self>;

    /// Found by the fast way, which is to be compared with the general one.
    fn outputs(&self, program: &Program, test: &Arc<Class>, _: u32) -> Result<Vec<Outcome<Self>>, OutOfFuel> {
        let whole = run::test_program(program, test);
        let linked = Linked::new(&whole);
        let mut set = self.collector.start(&linked);
        let end = run::run(&linked, State::start(&linked), Dialect::Theory, |state| {
            set = set.union(self.collector.collect(&linked, state));
        });
        match end {
            Ok(end) => Ok(vec![(end, set)]),
            Err(NoEnd::Stuck(_)) => Ok(Vec::new()),
            Err(NoEnd::OutOfFuel) => Err(OutOfFuel),
        }
    }

    fn deselects(&self, old: &Program, outcome: &Outcome<Self>, new: &Program) -> bool {
        outcome.1.intersection(old.changed(new)).is_empty()
    }

    fn equivalent(&self, one: &Outcome<Self>, two: &Outcome<Self>) -> bool {
        one == two
    }

    fn is_valid(&self, program: &Program, test: &Arc<Class>) -> bool {
        is_valid_program(program, test)
    }
}

impl CollectionSelection for Machine {
    fn test_program(&self, program: &Program, test: &Arc<Class>) -> Program {
        run::test_program(program, test)
    }

    fn start(&self, test_program: &Program) -> State {
        State::start(&Linked::new(test_program))
    }

    fn collected_at_start(&self, test_program: &Program) -> ClassSet {
        self.collector.start(&Linked::new(test_program))
    }
}

/// Whether a program is well-formed, alone and with a test, and does not itself have classes of the names of test and start.
#[must_use]
pub fn is_valid_program(program: &Program, test: &Arc<Class>) -> bool {
    let reserved = ClassSet::of(ClassName::TEST).with(ClassName::START);
    if !program.names().intersection(reserved).is_empty()
        || typing::check(program, &Linked::new(program)).is_err()
    {
        return false;
    }
    let with_test = run::with_test(program, test);
    typing::check_test(&with_test, &Linked::new(&with_test)).is_ok()
}
