//! Laws about look-ups: what is above a class decides everything that is looked up from it.

use super::{Checked, Effort, Exam, Law, Revised, ensure, law};
use crate::linked::Linked;
use crate::names::{ClassName, ClassSet, FieldName, MethodName};
use crate::run::with_test;
use crate::state::State;

pub(super) const LAWS: &[Law] = &[
    law("L1", Effort::Runs, "look-ups from a class are the same if nothing above it changed", l1),
    law("L2", Effort::Runs, "nothing above a class changed in one program iff in the other", l2),
    law("L3", Effort::Runs, "all above a class is what is up to a superclass and all above that", l3),
    law(
        "L4",
        Effort::Runs,
        "tests start in the same state if nothing above the system exceptions changed",
        l4,
    ),
    law("L5", Effort::Runs, "a test that is added to both programs adds no change", l5),
];

fn names(exam: &Exam<'_>, revised: &Revised<'_>) -> Vec<ClassName> {
    exam.whole.names().union(revised.whole.names()).iter().collect()
}

fn l1(exam: &Exam<'_>) -> Checked {
    let mut checks = 0;
    for revised in &exam.revisions {
        for name in names(exam, revised) {
            if exam.linked.above(name).intersection(revised.changed).is_empty() {
                ensure(same_look_ups(&exam.linked, &revised.linked, name), || {
                    format!("look-ups from {name} differ")
                })?;
                checks += 1;
            }
        }
    }
    Ok(checks)
}

fn same_look_ups(one: &Linked<'_>, two: &Linked<'_>, name: ClassName) -> bool {
    let methods = (0..8).map(MethodName::numbered).chain([MethodName::CLINIT, MethodName::MAIN]);
    let mut fields = (0..8).map(FieldName::numbered);
    one.above(name) == two.above(name)
        && one.is_complete(name) == two.is_complete(name)
        && methods.into_iter().all(|method| one.method(name, method) == two.method(name, method))
        && fields.all(|field| one.field(name, field) == two.field(name, field))
        && one.blank(name) == two.blank(name)
        && one.static_blank(name) == two.static_blank(name)
}

fn l2(exam: &Exam<'_>) -> Checked {
    let mut checks = 0;
    for revised in &exam.revisions {
        for name in names(exam, revised) {
            let one = exam.linked.above(name).intersection(revised.changed).is_empty();
            let two = revised.linked.above(name).intersection(revised.changed).is_empty();
            ensure(one == two, || format!("{name}: {one} in the old program, {two} in the new"))?;
            checks += 1;
        }
    }
    Ok(checks)
}

fn l3(exam: &Exam<'_>) -> Checked {
    let mut checks = 0;
    for name in exam.whole.names().iter().filter(|name| exam.linked.is_complete(*name)) {
        for above in exam.linked.above(name).iter() {
            let between = exam.linked.between(name, above).without(ClassSet::of(above));
            let all = between.union(exam.linked.above(above));
            ensure(all == exam.linked.above(name), || format!("{name} up to {above}: {all}"))?;
            checks += 1;
        }
    }
    Ok(checks)
}

fn l4(exam: &Exam<'_>) -> Checked {
    let mut checks = 0;
    for revised in &exam.revisions {
        if exam.linked.exceptions().intersection(revised.changed).is_empty() {
            let same = State::start(&exam.linked) == State::start(&revised.linked);
            ensure(same, || "tests start in different states".to_owned())?;
            checks += 1;
        }
    }
    Ok(checks)
}

fn l5(exam: &Exam<'_>) -> Checked {
    for revised in &exam.revisions {
        let old = with_test(&exam.case.program, exam.test);
        let new = with_test(revised.program, exam.test);
        let (with, without) = (old.changed(&new), revised.changed.without(ClassSet::of(ClassName::TEST)));
        ensure(with == without, || format!("{with} with the test, {without} without"))?;
    }
    Ok(exam.revisions.len() as u64)
}
