//! Laws about the smart collector: what it promises at each step is kept by the end of the run.

use super::{Checked, Effort, Exam, Law, ensure, law};
use crate::collectors::{Collector, named_class};
use crate::names::{ClassName, ClassSet};
use crate::program::Instruction;
use crate::state::{Initialisation, State, Status};
use crate::step::body_of;

pub(super) const LAWS: &[Law] = &[
    law("M1", Effort::Steps, "at every step the smart set is in the naive one", m1),
    law("M2", Effort::Steps, "an instruction whose class is not done calls its initialisation first", m2),
    law(
        "M3",
        Effort::Steps,
        "forward promises: classes whose initialisation is called are collected by the end",
        m3,
    ),
    law(
        "M4",
        Effort::Steps,
        "backward promises: classes of objects, frames and static parts are collected",
        m4,
    ),
    law("M5", Effort::Runs, "naive, smart and repaired sets are the same", m5),
    law("M6", Effort::Runs, "the smart selection is safe", m6),
    law("M7", Effort::Runs, "the smart selection is safe even if the new program is not well-formed", m7),
];

fn m1(exam: &Exam<'_>) -> Checked {
    for state in exam.history() {
        let smart = Collector::Smart.collect(&exam.linked, state);
        let naive = Collector::Naive.collect(&exam.linked, state);
        ensure(smart.is_subset(naive), || format!("{smart} is not in {naive} at {state:#?}"))?;
    }
    Ok(exam.history().len() as u64)
}

/// The class whose initialisation the next instruction asks for, if it is there and static where it must be.
fn wanted(exam: &Exam<'_>, state: &State) -> Option<ClassName> {
    let frame = state.frames.last().filter(|frame| frame.initialisation == Initialisation::None)?;
    let body = body_of(&exam.linked, frame).ok()?;
    let instruction = *body.instructions.get(usize::from(frame.at))?;
    named_class(instruction)?;
    match instruction {
        Instruction::New(class) => Some(class),
        Instruction::Invokestatic { class, method, .. } => {
            let (owner, method) = exam.linked.method(class, method)?;
            method.signature.is_static.then_some(owner)
        }
        Instruction::Getstatic { class, field, declared_in }
        | Instruction::Putstatic { class, field, declared_in } => {
            exam.linked.field_in(class, field, declared_in)?.is_static.then_some(declared_in)
        }
        _ => None,
    }
}

fn m2(exam: &Exam<'_>) -> Checked {
    let mut checks = 0;
    for (before, behind) in exam.steps() {
        let Some(class) = wanted(exam, before).filter(|class| before.status(*class) != Some(Status::Done))
        else {
            continue;
        };
        checks += 1;
        let calling = behind.frames.last().map(|frame| &frame.initialisation);
        let is_calling = calling == Some(&Initialisation::Calling(class, Vec::new()));
        ensure(is_calling && !behind.is_end() && behind.statics == before.statics, || {
            format!("{class} is not called behind {before:#?}")
        })?;
    }
    Ok(checks)
}

fn m3(exam: &Exam<'_>) -> Checked {
    let smart = exam.set(Collector::Smart);
    let mut checks = 0;
    for state in exam.history() {
        let called = match state.frames.last().map(|frame| &frame.initialisation) {
            Some(Initialisation::Calling(class, _)) => Some(*class),
            _ => wanted(exam, state),
        };
        let Some(class) = called else { continue };
        let promised = exam.linked.above(class).iter().filter(|class| state.static_part(*class).is_none());
        let promised: ClassSet = promised.collect();
        checks += u64::from(!promised.is_empty());
        ensure(promised.is_subset(smart), || format!("{promised} was promised, {smart} collected"))?;
    }
    Ok(checks)
}

fn m4(exam: &Exam<'_>) -> Checked {
    if !exam.is_valid {
        return Ok(0);
    }
    let smart = exam.set(Collector::Smart);
    for state in exam.history().iter().chain([&exam.end]) {
        let objects = state.heap.iter().map(|object| object.class);
        let frames = state.frames.iter().map(|frame| frame.class);
        let parts = state.statics.iter().map(|part| part.class);
        let promised = objects.chain(frames).chain(parts).map(|class| exam.linked.above(class));
        let promised = promised.fold(exam.linked.exceptions(), ClassSet::union);
        ensure(promised.is_subset(smart), || format!("{promised} was promised, {smart} collected"))?;
    }
    Ok(exam.history().len() as u64)
}

fn m5(exam: &Exam<'_>) -> Checked {
    if !exam.is_valid {
        return Ok(0);
    }
    let [naive, smart, repaired] = Collector::SAFE.map(|collector| exam.set(collector));
    ensure(naive == smart && smart == repaired, || {
        format!("naive {naive}, smart {smart}, repaired {repaired}")
    })?;
    Ok(1)
}

fn m6(exam: &Exam<'_>) -> Checked {
    let mut deselected = 0;
    for revised in exam.revisions.iter().filter(|revised| exam.is_valid && revised.is_valid) {
        if !exam.set(Collector::Smart).intersection(revised.changed).is_empty() {
            continue;
        }
        deselected += 1;
        let same = revised.end().as_ref() == Ok(&exam.end) && revised.smart() == exam.set(Collector::Smart);
        ensure(same, || format!("{:?} became {:?}", exam.end, revised.end()))?;
    }
    Ok(deselected)
}

fn m7(exam: &Exam<'_>) -> Checked {
    let mut deselected = 0;
    for revised in exam.revisions.iter().filter(|revised| exam.is_valid && !revised.is_valid) {
        if !exam.set(Collector::Smart).intersection(revised.changed).is_empty() {
            continue;
        }
        deselected += 1;
        ensure(revised.end().as_ref() == Ok(&exam.end), || {
            format!("{:?} became {:?}", exam.end, revised.end())
        })?;
    }
    Ok(deselected)
}
