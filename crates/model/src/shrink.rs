//! Makes a case smaller as long as something stays true of it.
//!
//! Whatever is taken away is taken from all programs of the case at once, so that what did not differ still does not. What must stay
//! true is up to the caller; usually it is that a law fails.

use std::sync::Arc;

use crate::names::{ClassName, ClassSet, FieldName, MethodName};
use crate::program::{Body, Class, Instruction, Method, Program, Type, Value};
use crate::text::Case;

/// The smallest case that is found for which something is true. It is true of the case that is given.
#[must_use]
pub fn shrink(case: Case, is_kept: impl Fn(&Case) -> bool) -> Case {
    let mut best = case;
    let mut is_smaller = true;
    while is_smaller {
        is_smaller = false;
        let mut number = 0;
        while let Some(smaller) = nth_smaller(&best, number) {
            if size(&smaller) < size(&best) && is_kept(&smaller) {
                best = smaller;
                is_smaller = true;
            } else {
                number += 1;
            }
        }
    }
    best
}

/// How large a case is: by instructions first, then by what its text needs.
fn size(case: &Case) -> usize {
    let programs = std::iter::once(&case.program).chain(&case.revisions);
    let classes =
        programs.flat_map(|program| program.classes.iter().map(|(_, class)| class)).chain(&case.tests);
    classes.map(|class| class_size(class)).sum::<usize>() + case.tests.len() * 1_000
}

fn class_size(class: &Class) -> usize {
    let bodies: usize = class
        .methods
        .iter()
        .map(|method| {
            10 + 4 * method.body.instructions.len()
                + 4 * method.body.handlers.len()
                + usize::from(method.body.locals)
        })
        .sum();
    let extends = usize::from(class.superclass != ClassName::OBJECT);
    50 + bodies + 5 * class.fields.len() + extends
}

/// A way to make a case smaller.
enum Cut {
    Revision(usize),
    Test(usize),
    Class(ClassName),
    Superclass(ClassName),
    Method(ClassName, MethodName),
    Field(ClassName, FieldName),
    Body(ClassName, MethodName),
    Handlers(ClassName, MethodName),
    Locals(ClassName, MethodName),
    Instructions(ClassName, MethodName, u16, u16),
}

fn nth_smaller(case: &Case, number: usize) -> Option<Case> {
    Some(apply(case, &cuts(case).into_iter().nth(number)?))
}

/// All ways, the large ones first.
fn cuts(case: &Case) -> Vec<Cut> {
    let mut cuts: Vec<Cut> = Vec::new();
    if case.revisions.len() > 1 {
        cuts.extend((0..case.revisions.len()).map(Cut::Revision));
    }
    if case.tests.len() > 1 {
        cuts.extend((0..case.tests.len()).map(Cut::Test));
    }
    let programs = || std::iter::once(&case.program).chain(&case.revisions);
    let names = programs().fold(ClassSet::EMPTY, |names, program| names.union(program.names()));
    cuts.extend(names.iter().map(Cut::Class));
    cuts.extend(names.iter().map(Cut::Superclass));
    let mut bodies: Vec<(ClassName, &Method)> = Vec::new();
    for (name, class) in programs().flat_map(|program| &program.classes) {
        cuts.extend(class.fields.iter().map(|field| Cut::Field(*name, field.name)));
        cuts.extend(class.methods.iter().map(|method| Cut::Method(*name, method.name)));
        bodies.extend(class.methods.iter().map(|method| (*name, method)));
    }
    let of_tests = case.tests.iter().flat_map(|test| &test.methods);
    bodies.extend(of_tests.map(|method| (ClassName::TEST, method)));
    for (class, method) in &bodies {
        cuts.push(Cut::Body(*class, method.name));
        cuts.push(Cut::Handlers(*class, method.name));
        cuts.push(Cut::Locals(*class, method.name));
    }
    for length in [12, 8, 6, 5, 4, 3, 2, 1] {
        for (class, method) in &bodies {
            let count = method.body.instructions.len() as u16;
            let starts = 0..(count + 1).saturating_sub(length);
            cuts.extend(starts.map(|start| Cut::Instructions(*class, method.name, start, length)));
        }
    }
    cuts
}

fn apply(case: &Case, cut: &Cut) -> Case {
    let mut smaller = case.clone();
    match cut {
        Cut::Revision(at) if *at < smaller.revisions.len() => drop(smaller.revisions.remove(*at)),
        Cut::Test(at) if *at < smaller.tests.len() => drop(smaller.tests.remove(*at)),
        _ => {}
    }
    for program in std::iter::once(&mut smaller.program).chain(&mut smaller.revisions) {
        apply_to_program(program, cut);
    }
    for test in &mut smaller.tests {
        apply_to_class(ClassName::TEST, Arc::make_mut(test), cut);
    }
    smaller
}

fn apply_to_program(program: &mut Program, cut: &Cut) {
    if let Cut::Class(name) = cut {
        program.classes.retain(|(other, _)| other != name);
    }
    for (name, class) in &mut program.classes {
        apply_to_class(*name, Arc::make_mut(class), cut);
    }
}

fn apply_to_class(name: ClassName, class: &mut Class, cut: &Cut) {
    match cut {
        Cut::Superclass(of) if *of == name => class.superclass = ClassName::OBJECT,
        Cut::Method(of, method) if *of == name && *method != MethodName::CLINIT => {
            class.methods.retain(|other| other.name != *method);
        }
        Cut::Field(of, field) if *of == name => class.fields.retain(|other| other.name != *field),
        Cut::Body(of, _) | Cut::Handlers(of, _) | Cut::Locals(of, _) | Cut::Instructions(of, ..)
            if *of == name =>
        {
            class.methods.iter_mut().for_each(|method| apply_to_method(method, cut));
        }
        _ => {}
    }
}

fn apply_to_method(method: &mut Method, cut: &Cut) {
    match cut {
        Cut::Body(_, name) if *name == method.name => method.body = least_body(method.signature.result),
        Cut::Handlers(_, name) if *name == method.name => method.body.handlers.clear(),
        Cut::Locals(_, name) if *name == method.name => {
            method.body.locals = method.body.locals.saturating_sub(1);
        }
        Cut::Instructions(_, name, start, length) if *name == method.name => {
            remove(&mut method.body, *start, *length);
        }
        _ => {}
    }
}

/// The least body that gives a result of a type.
fn least_body(result: Type) -> Body {
    let value = match result {
        Type::Integer => Value::Integer(0),
        other => other.default_value(),
    };
    let instructions = vec![Instruction::Push(value), Instruction::Return];
    Body { max_stack: 1, locals: 0, instructions, handlers: Vec::new() }
}

/// Takes instructions out of a body; what led to them leads behind them.
fn remove(body: &mut Body, start: u16, length: u16) {
    let end = start.saturating_add(length);
    if usize::from(end) > body.instructions.len() {
        return;
    }
    let moved = |place: u16| match place {
        place if place >= end => place - length,
        place if place > start => start,
        place => place,
    };
    for (place, instruction) in (0..).zip(&mut body.instructions) {
        if let Instruction::Goto(offset) | Instruction::IfFalse(offset) = instruction {
            let target = u16::checked_add_signed(place, *offset).map_or(0, moved);
            *offset = i16::try_from(i32::from(target) - i32::from(moved(place))).unwrap_or_default();
        }
    }
    for handler in &mut body.handlers {
        (handler.start, handler.end, handler.target) =
            (moved(handler.start), moved(handler.end), moved(handler.target));
    }
    body.handlers.retain(|handler| handler.start < handler.end);
    body.instructions.drain(usize::from(start)..usize::from(end));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::{Plan, case};
    use crate::laws::controls::CONTROLS;

    #[test]
    fn a_smaller_case_still_fails_and_is_small() {
        let plan = Plan { seed: 2020, revisions: 5, steps_every: 1 };
        let control = CONTROLS.iter().find(|control| control.id == "X4").expect("is there");
        let fails = |case: &Case| control.verdict(case).is_err();
        let found = (0..2_000).map(|number| case(&plan, number).0).find(fails).expect("one fails");
        let before = size(&found);
        let small = shrink(found, fails);
        assert!(fails(&small));
        assert!(size(&small) * 5 < before, "{} of {before}", size(&small));
        assert_eq!(small.revisions.len(), 1);
    }
}
