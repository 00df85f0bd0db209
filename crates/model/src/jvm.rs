//! The machine as an instance of the general definitions.
//!
//! It is slow, because it builds every state anew and links the program at each step; the tests compare it with the fast way of
//! [`crate::run`] so that what is measured there holds here.

use std::sync::Arc;

use crate::collectors::Collector;
use crate::linked::Linked;
use crate::names::{ClassName, ClassSet};
use crate::program::{Class, Program};
use crate::run;
use crate::semantics::{CollectionSelection, CollectionSemantics, Outcome, Semantics};
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

impl CollectionSelection for Machine {
    type Test = Arc<Class>;

    fn test_program(&self, program: &Program, test: &Arc<Class>) -> Program {
        run::test_program(program, test)
    }

    fn start(&self, test_program: &Program) -> State {
        State::start(&Linked::new(test_program))
    }

    fn collected_at_start(&self, test_program: &Program) -> ClassSet {
        self.collector.start(&Linked::new(test_program))
    }

    fn deselects(&self, old: &Program, outcome: &Outcome<Self>, new: &Program) -> bool {
        outcome.1.intersection(old.changed(new)).is_empty()
    }

    fn equivalent(&self, one: &Outcome<Self>, two: &Outcome<Self>) -> bool {
        one == two
    }

    /// The statement for one pair of programs: both well-formed, with and without the test.
    fn is_valid(&self, old: &Program, new: &Program, test: &Arc<Class>) -> bool {
        [old, new].into_iter().all(|program| is_valid_program(program, test))
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
