//! A case with everything that laws ask for, worked out once.

use std::cell::OnceCell;
use std::sync::Arc;

use crate::collectors::Collector;
use crate::invariant::Typing;
use crate::jvm::is_valid_program;
use crate::levels::{Recorder, Trace};
use crate::linked::Linked;
use crate::names::ClassSet;
use crate::program::{Class, Program};
use crate::run::{NoEnd, run, test_program};
use crate::state::State;
use crate::step::Dialect;
use crate::text::Case;

/// A case that was run.
pub struct Exam<'e> {
    /// The case.
    pub case: &'e Case,
    /// The test.
    pub test: &'e Arc<Class>,
    /// Whose rules were followed.
    pub dialect: Dialect,
    /// The program with the test and the class that starts it.
    pub whole: &'e Program,
    /// Its look-ups.
    pub linked: Linked<'e>,
    /// Whether program and test are well-formed.
    pub is_valid: bool,
    /// The state in which the test ended.
    pub end: State,
    /// What each collector collected, with what it starts with, in the order of [`Collector::ALL`].
    pub collected: [ClassSet; Collector::ALL.len()],
    /// The trace.
    pub trace: Trace,
    /// The revisions.
    pub revisions: Vec<Revised<'e>>,
    history: OnceCell<Vec<State>>,
    typing: OnceCell<Option<Typing>>,
}

/// A revision of a program.
pub struct Revised<'e> {
    /// The program without test.
    pub program: &'e Program,
    /// The program with the test.
    pub whole: &'e Program,
    /// Its look-ups.
    pub linked: Linked<'e>,
    /// What was changed since the program that was run.
    pub changed: ClassSet,
    /// Whether program and test are well-formed.
    pub is_valid: bool,
    dialect: Dialect,
    run: OnceCell<(Result<State, NoEnd>, ClassSet)>,
}

impl Revised<'_> {
    fn run(&self) -> &(Result<State, NoEnd>, ClassSet) {
        self.run.get_or_init(|| {
            let mut smart = Collector::Smart.start(&self.linked);
            let end = run(&self.linked, State::start(&self.linked), self.dialect, |state| {
                smart = smart.union(Collector::Smart.collect(&self.linked, state));
            });
            (end, smart)
        })
    }

    /// How the test ends.
    pub fn end(&self) -> &Result<State, NoEnd> {
        &self.run().0
    }

    /// What the smart collector collects.
    pub fn smart(&self) -> ClassSet {
        self.run().1
    }
}

impl Exam<'_> {
    /// What a collector collected.
    #[must_use]
    pub fn set(&self, collector: Collector) -> ClassSet {
        let place = Collector::ALL.iter().position(|other| *other == collector);
        place.and_then(|place| self.collected.get(place)).copied().unwrap_or_default()
    }

    /// All states before the last.
    pub fn history(&self) -> &[State] {
        self.history.get_or_init(|| {
            let mut states = Vec::new();
            // The run has an end, as is known by now.
            let _ = run(&self.linked, State::start(&self.linked), self.dialect, |state| {
                states.push(state.clone());
            });
            states
        })
    }

    /// Every state with the one that follows.
    pub fn steps(&self) -> impl Iterator<Item = (&State, &State)> {
        let next = self.history().iter().skip(1).chain([&self.end]);
        self.history().iter().zip(next)
    }

    /// The types of the whole program, if it is well-formed.
    pub fn typing(&self) -> Option<&Typing> {
        self.typing.get_or_init(|| Typing::of(self.whole, &self.linked).ok()).as_ref()
    }
}

/// Runs the first test of a case on its program and gives the result to a function; none if the run has no end or there is no test.
pub fn examine<R>(case: &Case, then: impl FnOnce(&Exam<'_>) -> R) -> Option<R> {
    examine_in(case, Dialect::Theory, then)
}

/// As [`examine`], by the rules of a dialect.
pub fn examine_in<R>(case: &Case, dialect: Dialect, then: impl FnOnce(&Exam<'_>) -> R) -> Option<R> {
    let test = case.tests.first()?;
    let whole = test_program(&case.program, test);
    let linked = Linked::new(&whole);
    let mut collected = Collector::ALL.map(|collector| collector.start(&linked));
    let mut recorder = Recorder::new(&linked);
    let end = run(&linked, State::start(&linked), dialect, |state| {
        for (set, collector) in collected.iter_mut().zip(Collector::ALL) {
            *set = set.union(collector.collect(&linked, state));
        }
        recorder.see(state);
    });
    let end = end.ok()?;
    let trace = recorder.finish(&end);
    let with_test: Vec<Program> = case.revisions.iter().map(|program| test_program(program, test)).collect();
    let revised = |(program, whole)| revised(case, test, dialect, program, whole);
    let revisions = case.revisions.iter().zip(&with_test).map(revised).collect();
    let is_valid = is_valid_program(&case.program, test);
    let (history, typing) = (OnceCell::new(), OnceCell::new());
    let linked = linked.clone();
    let exam = Exam {
        case,
        test,
        dialect,
        whole: &whole,
        linked,
        is_valid,
        end,
        collected,
        trace,
        revisions,
        history,
        typing,
    };
    Some(then(&exam))
}

fn revised<'e>(
    case: &'e Case,
    test: &'e Arc<Class>,
    dialect: Dialect,
    program: &'e Program,
    whole: &'e Program,
) -> Revised<'e> {
    Revised {
        program,
        whole,
        linked: Linked::new(whole),
        changed: case.program.changed(program),
        is_valid: is_valid_program(program, test),
        dialect,
        run: OnceCell::new(),
    }
}
