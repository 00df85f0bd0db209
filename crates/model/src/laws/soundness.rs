//! Laws about the machine itself.

use super::{Checked, Counterexample, Effort, Exam, Law, ensure, law};
use crate::invariant::conforms;
use crate::jvm::is_valid_program;
use crate::linked::{Linked, SYSTEM_EXCEPTIONS};
use crate::program::Instruction;
use crate::rules::successors;
use crate::run::{NoEnd, run, test_program};
use crate::state::{Frame, Initialisation, State};
use crate::step::{Dialect, body_of, step};
use crate::text::Case;

pub(super) const LAWS: &[Law] = &[
    law("S1", Effort::Steps, "the system exceptions stay in their places", s1),
    law("S2", Effort::Steps, "what is raised is a system exception or was thrown", s2),
    law("S3", Effort::Steps, "objects keep their class, and classes only move forward", s3),
    law("S4", Effort::Steps, "well-formed programs are never stuck, and their states conform", s4),
    law("S5", Effort::Steps, "both implementations of a step agree, for all revisions", s5),
];

fn s1(exam: &Exam<'_>) -> Checked {
    for (_, state) in exam.steps() {
        let kept = SYSTEM_EXCEPTIONS.iter().zip(&state.heap).all(|(class, object)| object.class == *class);
        ensure(kept && state.heap.len() >= SYSTEM_EXCEPTIONS.len(), || {
            "a system exception is gone".to_owned()
        })?;
    }
    Ok(exam.history().len() as u64)
}

fn s2(exam: &Exam<'_>) -> Checked {
    let mut raised = 0;
    for (before, behind) in exam.steps() {
        let Some(frame) = before.frames.last() else { continue };
        let is_throwing = matches!(frame.initialisation, Initialisation::Throwing(..));
        if is_throwing || instruction(exam, frame) == Some(Instruction::Throw) {
            continue;
        }
        let fresh = behind.frames.last().and_then(|frame| match frame.initialisation {
            Initialisation::Throwing(_, exception) => Some(exception),
            _ => None,
        });
        for exception in [behind.thrown, fresh].into_iter().flatten() {
            raised += 1;
            ensure((exception as usize) < SYSTEM_EXCEPTIONS.len(), || {
                format!("@{exception} came from nowhere")
            })?;
        }
    }
    Ok(raised)
}

fn instruction(exam: &Exam<'_>, frame: &Frame) -> Option<Instruction> {
    body_of(&exam.linked, frame).ok()?.instructions.get(usize::from(frame.at)).copied()
}

fn s3(exam: &Exam<'_>) -> Checked {
    for (before, behind) in exam.steps() {
        let same = before.heap.iter().zip(&behind.heap).all(|(one, two)| one.class == two.class);
        ensure(same && before.heap.len() <= behind.heap.len(), || "an object changed its class".to_owned())?;
        for part in &before.statics {
            let now = behind.status(part.class);
            ensure(now >= Some(part.status), || {
                format!("{} went from {:?} to {now:?}", part.class, part.status)
            })?;
        }
    }
    Ok(exam.history().len() as u64)
}

fn s4(exam: &Exam<'_>) -> Checked {
    if !exam.is_valid {
        return Ok(0);
    }
    let typing = exam.typing().ok_or("the program has no types")?;
    for state in exam.history().iter().chain([&exam.end]) {
        conforms(&exam.linked, typing, state)?;
    }
    for revised in exam.revisions.iter().filter(|revised| revised.is_valid) {
        if let Err(NoEnd::Stuck(reason)) = revised.end() {
            return Err(format!("a well-formed revision is stuck: {reason:?}"));
        }
    }
    Ok(exam.history().len() as u64)
}

/// Whether the program of a case is stuck although it is well-formed, in which case no law gets to see it.
pub(super) fn is_stuck(case: &Case) -> Option<Counterexample> {
    let test = case.tests.first()?;
    let whole = test_program(&case.program, test);
    let linked = Linked::new(&whole);
    match run(&linked, State::start(&linked), Dialect::Theory, |_| {}) {
        Err(NoEnd::Stuck(reason)) if is_valid_program(&case.program, test) => {
            let detail = format!("a well-formed program is stuck: {reason:?}");
            Some(Counterexample { law: "S4", detail, case: case.clone() })
        }
        _ => None,
    }
}

fn s5(exam: &Exam<'_>) -> Checked {
    let mut checks = 0;
    for (before, behind) in exam.steps() {
        agree(exam.whole, before, Some(behind))?;
        checks += 1;
    }
    for revised in &exam.revisions {
        for before in exam.history().iter().step_by(3) {
            let mut next = before.clone();
            let result = step(&revised.linked, &mut next, Dialect::Theory);
            agree(revised.whole, before, result.is_ok().then_some(&next))?;
            checks += 1;
        }
    }
    Ok(checks)
}

/// Whether the rules make the same of a state.
fn agree(program: &crate::program::Program, before: &State, behind: Option<&State>) -> Result<(), String> {
    let found = successors(program, before);
    match (found.as_slice(), behind) {
        ([], None) => Ok(()),
        ([(name, other)], Some(behind)) => {
            ensure(other == behind, || format!("{name}: {before:#?}\n{behind:#?}\nor\n{other:#?}"))
        }
        (found, _) => {
            let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
            Err(format!("rules {names:?} apply, stuck: {}\n{before:#?}", behind.is_none()))
        }
    }
}
