//! Laws that do not hold, and must be seen not to.
//!
//! Each is a mistake that somebody made or could make. If the tests cannot find a case against one of them, they would not find the
//! mistake in Probity either.

use super::selection::is_safe;
use super::{Checked, Effort, Exam, Law, Selector, ensure, law};
use crate::collectors::Collector;
use crate::levels::Level;
use crate::names::ClassSet;
use crate::shared::sequence;

/// The claims that are wrong.
pub const CONTROLS: &[Law] = &[
    law("X1", Effort::Runs, "Ekstazi as published is safe", |exam| collector(exam, Collector::Published)),
    law("X1c", Effort::Runs, "Ekstazi as coded is safe", |exam| collector(exam, Collector::Coded)),
    law("X2", Effort::Runs, "smart without the classes between is safe", |exam| {
        collector(exam, Collector::WithoutBetween)
    }),
    law("X3", Effort::Runs, "collecting at the entry of initialisers is safe", |exam| {
        collector(exam, Collector::AtInitialiserEntry)
    }),
    law("X4", Effort::Runs, "superclasses whose initialiser does nothing can be left out", |exam| {
        collector(exam, Collector::WithoutEmptyInitialisers)
    }),
    law("X5", Effort::Steps, "what was collected when a run was interrupted is enough", x5),
    law("X6", Effort::Steps, "in a shared machine the smart set of a test is enough", |exam| {
        shared(exam, Collector::Smart)
    }),
    law("X6n", Effort::Steps, "in a shared machine the naive set of a test is enough", |exam| {
        shared(exam, Collector::Naive)
    }),
    law("X7", Effort::Runs, "bodies are enough, without the structure of classes", |exam| {
        level(exam, Level::BodiesOnly)
    }),
    law("X8", Effort::Runs, "ways of exceptions need not be recorded", |exam| {
        level(exam, Level::EdgeWithoutExceptions)
    }),
    law("X9", Effort::Runs, "a method that is new in a class does not matter", |exam| {
        level(exam, Level::WithoutAbsence)
    }),
];

fn collector(exam: &Exam<'_>, collector: Collector) -> Checked {
    is_safe(exam, Selector::Collector(collector), true)
}

fn level(exam: &Exam<'_>, level: Level) -> Checked {
    is_safe(exam, Selector::Level(level), true)
}

/// The claim is put to the test for a run that is interrupted at any step behind the first that collects something.
fn x5(exam: &Exam<'_>) -> Checked {
    let start = Collector::Smart.start(&exam.linked);
    let mut set = start;
    let mut checks = 0;
    for state in exam.history() {
        for revised in exam.revisions.iter().filter(|revised| exam.is_valid && revised.is_valid) {
            if set == start || !set.intersection(revised.changed).is_empty() {
                continue;
            }
            // Up to here the runs must be the same, or what was seen of the test before it was stopped is wrong.
            let naive = naive_until(exam, state);
            checks += 1;
            ensure(naive.intersection(revised.changed).is_empty(), || {
                format!("{set} was collected by the time that {naive} had an effect")
            })?;
        }
        set = set.union(Collector::Smart.collect(&exam.linked, state));
    }
    Ok(checks)
}

/// What had an effect on the run before a state.
fn naive_until(exam: &Exam<'_>, until: &crate::state::State) -> ClassSet {
    let before = exam.history().iter().take_while(|state| *state != until);
    before.fold(ClassSet::EMPTY, |set, state| set.union(Collector::Naive.collect(&exam.linked, state)))
}

fn shared(exam: &Exam<'_>, collector: Collector) -> Checked {
    let mut deselected = 0;
    let [_, second, ..] = exam.case.tests.as_slice() else { return Ok(0) };
    let Ok(together) = sequence(&exam.case.program, &exam.case.tests) else { return Ok(0) };
    let alone =
        |program| sequence(program, std::slice::from_ref(second)).ok().and_then(|mut records| records.pop());
    let (Some(record), Some(before)) = (together.get(1), alone(&exam.case.program)) else { return Ok(0) };
    let set = record.collected.get(&collector).copied().unwrap_or_default();
    for revised in exam.revisions.iter().filter(|revised| exam.is_valid && revised.is_valid) {
        if set.intersection(revised.changed).is_empty() {
            deselected += 1;
            let same = alone(revised.program).is_some_and(|now| now.end == before.end);
            ensure(same, || format!("{set} was collected, and the test ends differently"))?;
        }
    }
    Ok(deselected)
}
