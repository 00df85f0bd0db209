//! The rules of the procedure that initialises classes.

use crate::names::{ClassName, MethodName};
use crate::program::Value;
use crate::state::{Frame, Initialisation as I, State, StaticPart, Status, system_exception};

use super::{Now, Rule, default_of, lookup, rule, with_status};

pub(super) const RULES: &[Rule] = &[
    rule("calling: not in use", |now| {
        let (class, _) = calling(now, None)?;
        let fields = now.program.class(class)?.fields.iter().filter(|field| field.is_static);
        let mut fields: Vec<_> = fields.map(|field| (field.name, default_of(field.kind))).collect();
        fields.sort();
        let mut statics = now.state.statics.clone();
        statics.push(StaticPart { class, status: Status::Prepared, fields });
        statics.sort_by_key(|part| part.class);
        Some(State { statics, ..now.state.clone() })
    }),
    rule("calling: done", |now| {
        let (_, waiting) = calling(now, Some(Status::Done))?;
        Some(now.with_initialisation(I::Called(waiting.to_vec())))
    }),
    rule("calling: processing", |now| {
        let (_, waiting) = calling(now, Some(Status::Processing))?;
        Some(now.with_initialisation(I::Called(waiting.to_vec())))
    }),
    rule("calling: failed", |now| {
        let (_, waiting) = calling(now, Some(Status::Error))?;
        let exception = system_exception(ClassName::NO_CLASS_DEF)?;
        Some(now.with_initialisation(I::Throwing(waiting.to_vec(), exception)))
    }),
    rule("calling: prepared, the root", |now| {
        let (class, waiting) = calling(now, Some(Status::Prepared))?;
        now.program.class(class)?;
        let waiting = [waiting, &[class]].concat();
        let next = (class == ClassName::OBJECT).then(|| now.with_initialisation(I::Called(waiting)))?;
        Some(State { statics: with_status(&next.statics, class, Status::Processing)?, ..next })
    }),
    rule("calling: prepared, another", |now| {
        let (class, waiting) = calling(now, Some(Status::Prepared))?;
        let superclass = now.program.class(class).filter(|_| class != ClassName::OBJECT)?.superclass;
        let next = now.with_initialisation(I::Calling(superclass, [waiting, &[class]].concat()));
        Some(State { statics: with_status(&next.statics, class, Status::Processing)?, ..next })
    }),
    rule("called: the next initialiser", |now| {
        let I::Called(waiting) = &now.frame.initialisation else { return None };
        let (class, rest) = waiting.split_last()?;
        let (owner, method) = lookup::method(now.program, *class, MethodName::CLINIT)?;
        let caller = Frame { initialisation: I::Called(rest.to_vec()), ..now.frame.clone() };
        let initialiser = Frame {
            stack: Vec::new(),
            locals: vec![Value::Undefined; usize::from(method.body.locals)],
            class: owner,
            method: MethodName::CLINIT,
            at: 0,
            initialisation: I::None,
        };
        Some(now.with_frames(now.rest, [caller, initialiser]))
    }),
    rule("throwing: a class has failed", |now| {
        let I::Throwing(failed, exception) = &now.frame.initialisation else { return None };
        let (class, rest) = failed.split_last()?;
        let next = now.with_initialisation(I::Throwing(rest.to_vec(), *exception));
        Some(State { statics: with_status(&next.statics, *class, Status::Error)?, ..next })
    }),
    rule("throwing: all have failed", |now| {
        let I::Throwing(failed, exception) = &now.frame.initialisation else { return None };
        if failed.is_empty() { now.raises(*exception) } else { None }
    }),
];

/// The class that is looked at and those that wait, if its status is this.
fn calling<'a>(now: &'a Now<'_>, status: Option<Status>) -> Option<(ClassName, &'a [ClassName])> {
    match &now.frame.initialisation {
        I::Calling(class, waiting) if now.status(*class) == status => Some((*class, waiting)),
        _ => None,
    }
}
