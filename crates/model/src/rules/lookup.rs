//! Look-ups written as they are defined, by recursion over the lists of the program.

use crate::names::{ClassName, FieldName, MethodName};
use crate::program::{Body, Class, Field, Instruction, Method, Program, Value};
use crate::state::{Frame, Initialisation};

use super::default_of;

/// More superclasses than a program can have: whoever meets more walks in a circle.
const CIRCLE: usize = 64;

/// The class and its superclasses, nearest first; none unless all are declared up to `Object`.
fn lineage(program: &Program, name: ClassName) -> Option<Vec<(ClassName, &Class)>> {
    let mut lineage = vec![(name, program.class(name)?.as_ref())];
    while let Some((last, class)) = lineage.last().copied()
        && last != ClassName::OBJECT
    {
        lineage.push((class.superclass, program.class(class.superclass)?.as_ref()));
        if lineage.len() > CIRCLE {
            return None;
        }
    }
    Some(lineage)
}

/// The class and its superclasses, declared or not.
pub(super) fn superclasses(program: &Program, name: ClassName) -> Vec<ClassName> {
    let mut found = vec![name];
    let mut at = name;
    while at != ClassName::OBJECT
        && let Some(class) = program.class(at)
        && !found.contains(&class.superclass)
    {
        at = class.superclass;
        found.push(at);
    }
    found
}

/// The method that a class sees.
pub(super) fn method(program: &Program, class: ClassName, name: MethodName) -> Option<(ClassName, &Method)> {
    let own = |(owner, class): (ClassName, &'_ Class)| {
        class.methods.iter().any(|m| m.name == name).then_some(owner)
    };
    let owner = lineage(program, class)?.into_iter().find_map(own)?;
    let method = program.class(owner)?.methods.iter().find(|method| method.name == name)?;
    Some((owner, method))
}

/// The field that a class has in a superclass or itself.
pub(super) fn field(
    program: &Program,
    class: ClassName,
    name: FieldName,
    owner: ClassName,
) -> Option<&Field> {
    lineage(program, class)?.into_iter().find(|(above, _)| *above == owner)?;
    program.class(owner)?.fields.iter().find(|field| field.name == name)
}

/// The fields of a new object.
pub(super) fn blank(program: &Program, class: ClassName) -> Option<Vec<(ClassName, FieldName, Value)>> {
    let mut fields: Vec<_> = lineage(program, class)?
        .into_iter()
        .flat_map(|(owner, class)| class.fields.iter().map(move |field| (owner, field)))
        .filter(|(_, field)| !field.is_static)
        .map(|(owner, field)| (owner, field.name, default_of(field.kind)))
        .collect();
    fields.sort_by_key(|(owner, name, _)| (*owner, *name));
    Some(fields)
}

/// The body of a frame's method.
pub(super) fn body<'p>(program: &'p Program, frame: &Frame) -> Option<&'p Body> {
    Some(&method(program, frame.class, frame.method)?.1.body)
}

/// The next instruction of a frame that is not busy with initialising classes.
pub(super) fn instruction(program: &Program, frame: &Frame) -> Option<Instruction> {
    let is_free = match &frame.initialisation {
        Initialisation::None => true,
        Initialisation::Called(waiting) => waiting.is_empty(),
        Initialisation::Calling(..) | Initialisation::Throwing(..) => false,
    };
    let body = body(program, frame).filter(|_| is_free)?;
    body.instructions.get(usize::from(frame.at)).copied()
}
