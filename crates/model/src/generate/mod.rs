//! Random programs that are well-formed, and tests for them.
//!
//! Programs are small and dense: few classes, few names, so that members are hidden and overridden, initialisers fail and meet each
//! other in every order. A name has one signature in all programs and all their revisions, so that the theory's look-up by name
//! and the JVM's by name and descriptor agree. Programs end: a method calls only methods of lower rank, loops are counted, and
//! an initialiser runs once.

mod assembler;
mod bodies;

use std::sync::Arc;

use crate::names::{ClassName, FieldName, MethodName};
use crate::program::{Body, Class, Field, Method, Program, Signature, Type};
use crate::random::Chance;

pub(crate) use assembler::Assembler;
pub(crate) use bodies::{Role, Scope};

/// A program and a test of it.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The program.
    pub program: Program,
    /// The test class.
    pub test: Arc<Class>,
}

/// How many method names there are; the rank of a name is its number.
pub(crate) const METHODS: u8 = 6;
/// How many field names there are.
pub(crate) const FIELDS: u8 = 4;

/// The signature that a method name has in every program.
#[must_use]
pub(crate) fn signature(number: u8) -> Signature {
    let object = Type::Class(ClassName::OBJECT);
    let (is_static, parameters, result) = match number {
        0 => (true, vec![], Type::Integer),
        1 => (false, vec![], Type::Integer),
        2 => (true, vec![Type::Integer], Type::Integer),
        3 => (false, vec![object], Type::Integer),
        4 => (true, vec![], object),
        _ => (true, vec![], Type::Void),
    };
    Signature { is_static, parameters, result }
}

/// The declaration that a field name has in every program.
#[must_use]
pub(crate) fn field(number: u8) -> Field {
    let (is_static, kind) = match number {
        0 => (true, Type::Integer),
        1 => (true, Type::Class(ClassName::OBJECT)),
        2 => (false, Type::Integer),
        _ => (false, Type::Class(ClassName::OBJECT)),
    };
    Field { name: FieldName::numbered(number), is_static, kind }
}

/// A random program and a test of it.
#[must_use]
pub fn subject(chance: &mut Chance) -> Subject {
    let program = program(chance);
    let test = test(chance, &program);
    Subject { program, test }
}

/// A random program.
#[must_use]
pub fn program(chance: &mut Chance) -> Program {
    let mut program = skeleton(chance);
    let headers = program.clone();
    for (name, class) in &mut program.classes {
        let class = Arc::make_mut(class);
        for method in &mut class.methods {
            method.body = body(chance, &headers, *name, method);
        }
    }
    program
}

/// A random test of a program.
#[must_use]
pub fn test(chance: &mut Chance, program: &Program) -> Arc<Class> {
    let scope = Scope::new(program, ClassName::TEST, METHODS, Role::Test);
    Arc::new(Class::test(
        scope.body(chance, &Signature { is_static: true, parameters: vec![], result: Type::Void }),
    ))
}

/// Classes and members, without bodies.
fn skeleton(chance: &mut Chance) -> Program {
    let plain = 2 + chance.below(4) as u8;
    let throwable = 1 + chance.below(2) as u8;
    let mut classes: Vec<(ClassName, Arc<Class>)> = Vec::new();
    for number in 0..plain + throwable {
        let name = ClassName::wrapped(number);
        let earlier = if number < plain { 0..number } else { plain..number };
        let root = if number < plain { ClassName::OBJECT } else { throwable_root(chance) };
        let is_root = earlier.is_empty() || chance.percent(35);
        let above = ClassName::wrapped(earlier.start + chance.below(earlier.len()) as u8);
        let superclass = if is_root { root } else { above };
        classes.push((name, Arc::new(members(chance, superclass))));
    }
    Program { classes }
}

fn throwable_root(chance: &mut Chance) -> ClassName {
    let roots = [ClassName::ERROR, ClassName::ERROR, ClassName::RUNTIME_EXCEPTION, ClassName::THROWABLE];
    chance.pick(&roots).copied().unwrap_or(ClassName::ERROR)
}

fn members(chance: &mut Chance, superclass: ClassName) -> Class {
    let mut class = Class::empty(superclass);
    class.fields.extend((0..FIELDS).filter(|_| chance.percent(45)).map(field));
    for number in 0..METHODS {
        if chance.percent(40) {
            class.methods.push(method(number, Body::trivial()));
        }
    }
    class
}

/// A method of a name, with a body.
#[must_use]
pub(crate) fn method(number: u8, body: Body) -> Method {
    Method { name: MethodName::numbered(number), signature: signature(number), body }
}

/// The number of a method's name, if it is one of those that are generated.
#[must_use]
pub(crate) fn number_of(name: MethodName) -> Option<u8> {
    (0..METHODS).find(|number| MethodName::numbered(*number) == name)
}

/// A random body for a method of a class.
#[must_use]
pub(crate) fn body(chance: &mut Chance, program: &Program, class: ClassName, method: &Method) -> Body {
    match number_of(method.name) {
        Some(number) => Scope::new(program, class, number, Role::Method).body(chance, &method.signature),
        None if chance.percent(60) => Body::trivial(),
        None => Scope::new(program, class, METHODS, Role::Initialiser).body(chance, &method.signature),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linked::Linked;
    use crate::run::{run, test_program, with_test};
    use crate::state::State;
    use crate::step::Dialect;
    use crate::typing;

    #[test]
    fn programs_are_well_formed_and_end_in_both_ways() {
        let (mut steps, mut thrown, mut failed) = (0, 0, 0);
        const COUNT: u64 = 3_000;
        for task in 0..COUNT {
            let subject = subject(&mut Chance::of_task(7, task));
            let with_test = with_test(&subject.program, &subject.test);
            let whole = test_program(&subject.program, &subject.test);
            assert_eq!(
                typing::check(&with_test, &Linked::new(&with_test)),
                Ok(()),
                "{task} {:#?}",
                subject.program
            );
            let linked = Linked::new(&whole);
            let end = run(&linked, State::start(&linked), Dialect::Theory, |_| steps += 1).expect("ends");
            thrown += u64::from(end.thrown.is_some());
            failed += u64::from(end.statics.iter().any(|part| part.status == crate::state::Status::Error));
        }
        assert!((30..150).contains(&(steps / COUNT)), "{} steps", steps / COUNT);
        assert!((COUNT / 5..COUNT * 3 / 5).contains(&thrown), "{thrown} end with an exception");
        assert!((COUNT / 10..COUNT / 2).contains(&failed), "{failed} leave a class that failed");
    }
}
