//! Laws about the naive collector, which is safe step by step and needs nothing to be well-formed.

use super::{Checked, Effort, Exam, Law, ensure, law};
use crate::collectors::Collector;
use crate::names::ClassSet;
use crate::step::{Dialect, step};

pub(super) const LAWS: &[Law] = &[
    law("N1", Effort::Steps, "a step none of whose classes changed is the same, and collects the same", n1),
    law("N2", Effort::Runs, "a run none of whose classes changed is the same, and collects the same", n2),
    law("N3", Effort::Runs, "the naive selection is safe", n3),
];

fn n1(exam: &Exam<'_>) -> Checked {
    let mut checks = 0;
    for revised in &exam.revisions {
        for (before, behind) in exam.steps() {
            let classes = Collector::Naive.collect(&exam.linked, before);
            if !classes.intersection(revised.changed).is_empty() {
                continue;
            }
            checks += 1;
            let mut next = before.clone();
            let result = step(&revised.linked, &mut next, Dialect::Theory);
            ensure(result.is_ok() && next == *behind, || {
                format!("another step from {before:#?}: {result:?}")
            })?;
            let other = Collector::Naive.collect(&revised.linked, before);
            ensure(other == classes, || format!("{classes} became {other} at {before:#?}"))?;
        }
    }
    Ok(checks)
}

fn n2(exam: &Exam<'_>) -> Checked {
    let mut checks = 0;
    let classes = exam.set(Collector::Naive);
    for revised in exam.revisions.iter().filter(|revised| classes.intersection(revised.changed).is_empty()) {
        let mut other = ClassSet::EMPTY;
        let start = crate::state::State::start(&revised.linked);
        let end = crate::run::run(&revised.linked, start, Dialect::Theory, |state| {
            other = other.union(Collector::Naive.collect(&revised.linked, state));
        });
        ensure(end.as_ref() == Ok(&exam.end) && other == classes, || {
            format!("{classes} became {other}, {end:?}")
        })?;
        checks += 1;
    }
    Ok(checks)
}

fn n3(exam: &Exam<'_>) -> Checked {
    super::selection::is_safe(exam, super::Selector::Collector(Collector::Naive), false)
}
