//! What is true of every state that a well-formed program comes to.
//!
//! It is the theory's conformance: values are of the types that were inferred, classes are in the states that the procedure of
//! initialisation leaves them in. A step that breaks it is a mistake in the machine or in the types.

use std::collections::HashMap;

use crate::linked::{Linked, SYSTEM_EXCEPTIONS};
use crate::names::{ClassName, ClassSet, MethodName};
use crate::program::{Instruction, Program, Type, Value};
use crate::state::{Frame, Initialisation, State, Status};
use crate::step::body_of;
use crate::typing::{self, BodyTypes, HandlerFlow, IllFormed};

/// The types of all bodies of a program.
#[derive(Debug)]
pub struct Typing {
    bodies: HashMap<(ClassName, MethodName), BodyTypes>,
}

impl Typing {
    /// Infers the types of a whole program.
    ///
    /// # Errors
    ///
    /// The first reason for which a body has none.
    pub fn of(program: &Program, linked: &Linked<'_>) -> Result<Self, IllFormed> {
        let mut bodies = HashMap::new();
        let standard = crate::program::standard_classes().map(|(name, _)| name);
        for name in program.classes.iter().map(|(name, _)| *name).chain(standard) {
            let Some(class) = linked.class(name) else { continue };
            for method in &class.methods {
                let types = typing::types(linked, name, method, HandlerFlow::WhatThrows)?;
                bodies.insert((name, method.name), types);
            }
        }
        Ok(Self { bodies })
    }
}

/// Whether a state conforms.
///
/// # Errors
///
/// What does not.
pub fn conforms(linked: &Linked<'_>, typing: &Typing, state: &State) -> Result<(), String> {
    let exceptions = SYSTEM_EXCEPTIONS.iter().zip(&state.heap);
    if state.heap.len() < 7 || exceptions.clone().any(|(class, object)| object.class != *class) {
        return Err("a system exception is not in its place".to_owned());
    }
    for (address, object) in state.heap.iter().enumerate() {
        let blank = linked.blank(object.class).ok_or_else(|| format!("@{address} has no class"))?;
        let places = |fields: &[(ClassName, crate::names::FieldName, Value)]| -> Vec<_> {
            fields.iter().map(|(owner, field, _)| (*owner, *field)).collect()
        };
        if places(&blank) != places(&object.fields) {
            return Err(format!("@{address} does not have the fields of {}", object.class));
        }
        for (owner, field, value) in &object.fields {
            let kind = linked.class(*owner).and_then(|class| class.field(*field)).map(|field| field.kind);
            if !kind.is_some_and(|kind| fits(linked, state, *value, kind)) {
                return Err(format!("@{address}.{owner}.{field} is {value}"));
            }
        }
    }
    statics_conform(linked, state)?;
    if state.is_end() {
        return Ok(());
    }
    for (place, frame) in state.frames.iter().enumerate() {
        let above = state.frames.get(place + 1);
        frame_conforms(linked, typing, state, frame, above)
            .map_err(|wrong| format!("frame {place}: {wrong}"))?;
    }
    processing_conforms(state)
}

fn fits(linked: &Linked<'_>, state: &State, value: Value, kind: Type) -> bool {
    match value {
        Value::Address(address) => match (state.object(address), kind) {
            (Some(object), Type::Class(class)) => linked.is_below(object.class, class),
            _ => false,
        },
        Value::Null => kind.is_reference(),
        _ => value_type(value) == Some(kind),
    }
}

fn value_type(value: Value) -> Option<Type> {
    match value {
        Value::Unit => Some(Type::Void),
        Value::Boolean(_) => Some(Type::Boolean),
        Value::Integer(_) => Some(Type::Integer),
        Value::Null => Some(Type::Null),
        Value::Address(_) | Value::Undefined => None,
    }
}

fn statics_conform(linked: &Linked<'_>, state: &State) -> Result<(), String> {
    for part in &state.statics {
        for (field, value) in &part.fields {
            let kind = linked.class(part.class).and_then(|class| class.field(*field)).map(|field| field.kind);
            if !kind.is_some_and(|kind| fits(linked, state, *value, kind)) {
                return Err(format!("{}.{field} is {value}", part.class));
            }
        }
    }
    Ok(())
}

fn frame_conforms(
    linked: &Linked<'_>,
    typing: &Typing,
    state: &State,
    frame: &Frame,
    above: Option<&Frame>,
) -> Result<(), String> {
    let types = typing.bodies.get(&(frame.class, frame.method));
    let types = types.and_then(|types| types.get(usize::from(frame.at))).and_then(Option::as_ref);
    let types = types.ok_or("control is where it never comes")?;
    let stack_fits = types.stack.len() == frame.stack.len()
        && types.stack.iter().zip(&frame.stack).all(|(kind, value)| fits(linked, state, *value, *kind));
    let locals_fit = types.locals.len() == frame.locals.len()
        && types
            .locals
            .iter()
            .zip(&frame.locals)
            .all(|(kind, value)| kind.is_none_or(|kind| fits(linked, state, *value, kind)));
    if !stack_fits || !locals_fit {
        return Err(format!("{:?} {:?} is not {types:?}", frame.stack, frame.locals));
    }
    let body = body_of(linked, frame).map_err(|stuck| format!("{stuck:?}"))?;
    let instruction = body.instructions.get(usize::from(frame.at)).copied();
    let may_initialise = instruction.and_then(crate::collectors::named_class).is_some();
    let is_call = matches!(instruction, Some(Instruction::Invoke { .. } | Instruction::Invokestatic { .. }));
    let is_right = match (&frame.initialisation, above) {
        (Initialisation::None, None) => true,
        (Initialisation::None, Some(above)) => is_call && above.method != MethodName::CLINIT,
        (Initialisation::Called(_), Some(above)) => may_initialise && above.method == MethodName::CLINIT,
        (_, None) => may_initialise,
        _ => false,
    };
    if is_right { Ok(()) } else { Err(format!("{:?} at {instruction:?}", frame.initialisation)) }
}

/// No class is being initialised twice, and those that are have the status for it.
fn processing_conforms(state: &State) -> Result<(), String> {
    let mut seen = ClassSet::EMPTY;
    for frame in &state.frames {
        let own = (frame.method == MethodName::CLINIT).then_some(frame.class);
        let listed = match &frame.initialisation {
            Initialisation::None => &[][..],
            Initialisation::Calling(_, list)
            | Initialisation::Called(list)
            | Initialisation::Throwing(list, _) => list,
        };
        for class in own.into_iter().chain(listed.iter().copied()) {
            if seen.contains(class) || state.status(class) != Some(Status::Processing) {
                return Err(format!("{class} is {:?} while it is initialised", state.status(class)));
            }
            seen = seen.with(class);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::subject;
    use crate::random::Chance;
    use crate::run::{run, test_program};
    use crate::step::Dialect;

    type Damage = fn(&mut State);

    /// Ways to damage a state, each of which must be noticed in some state of a program.
    const DAMAGES: [Damage; 8] = [
        |state| state.heap.swap(0, 1),
        |state| state.frames.iter_mut().for_each(|frame| frame.stack.push(Value::Unit)),
        |state| state.frames.iter_mut().for_each(|frame| frame.at += 1),
        |state| state.frames.iter_mut().for_each(|frame| frame.locals.clear()),
        |state| state.statics.iter_mut().for_each(|part| part.status = Status::Done),
        |state| {
            state
                .statics
                .iter_mut()
                .flat_map(|part| &mut part.fields)
                .for_each(|field| field.1 = Value::Unit);
        },
        |state| {
            state
                .heap
                .iter_mut()
                .flat_map(|object| &mut object.fields)
                .for_each(|field| field.2 = Value::Unit);
        },
        |state| {
            for frame in &mut state.frames {
                frame.initialisation = Initialisation::Calling(ClassName::OBJECT, vec![ClassName::OBJECT]);
            }
        },
    ];

    #[test]
    fn states_conform_and_damaged_ones_do_not() {
        let mut noticed = [0; DAMAGES.len()];
        for task in 0..40 {
            let subject = subject(&mut Chance::of_task(21, task));
            let whole = test_program(&subject.program, &subject.test);
            let linked = Linked::new(&whole);
            let typing = Typing::of(&whole, &linked).expect("is well-formed");
            run(&linked, State::start(&linked), Dialect::Theory, |state| {
                assert_eq!(conforms(&linked, &typing, state), Ok(()));
                for (count, damage) in noticed.iter_mut().zip(DAMAGES) {
                    let mut damaged = state.clone();
                    damage(&mut damaged);
                    *count += u32::from(conforms(&linked, &typing, &damaged).is_err());
                }
            })
            .expect("ends");
        }
        assert!(noticed.iter().all(|count| *count > 0), "{noticed:?}");
    }
}
