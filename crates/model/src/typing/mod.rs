//! Which programs are well-formed, and the types that show it.
//!
//! A program is well-formed if its classes fit together and every body can be typed. Types are inferred by following the body until
//! nothing changes, which finds a typing if there is one. The typing is kept for those who write class files. Nothing here runs
//! a program.

mod classes;
mod flow;

use std::fmt;

use crate::linked::Linked;
use crate::names::{ClassName, ClassSet, MethodName};
use crate::program::{Method, Program, Type};

pub use flow::HandlerFlow;

/// What is known at an instruction: the types of the operand stack, and those of the local variables that can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Types {
    /// The operand stack; the last is on top.
    pub stack: Vec<Type>,
    /// The local variables; none for those that cannot be used.
    pub locals: Vec<Option<Type>>,
}

/// The types at each instruction of a body; none where control never comes.
pub type BodyTypes = Vec<Option<Types>>;

/// Why a program is not well-formed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IllFormed {
    /// Two classes have one name.
    TwoClasses(ClassName),
    /// A class is named that is not there.
    NoClass(ClassName),
    /// A class is above itself.
    Circle(ClassName),
    /// A class has two members of one name, or a bad initialiser.
    Members(ClassName),
    /// A method does not fit the one that it overrides.
    Override(ClassName, MethodName),
    /// An instruction of a body cannot be typed.
    Body {
        /// The class.
        class: ClassName,
        /// The method.
        method: MethodName,
        /// The number of the instruction.
        at: u16,
        /// What is wrong.
        reason: &'static str,
    },
}

impl fmt::Display for IllFormed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TwoClasses(class) => write!(f, "there are two classes {class}"),
            Self::NoClass(class) => write!(f, "there is no class {class}"),
            Self::Circle(class) => write!(f, "{class} is above itself"),
            Self::Members(class) => write!(f, "the members of {class} do not fit together"),
            Self::Override(class, method) => write!(f, "{class}.{method} does not fit what it overrides"),
            Self::Body { class, method, at, reason } => {
                write!(f, "{class}.{method}, instruction {at}: {reason}")
            }
        }
    }
}

impl std::error::Error for IllFormed {}

/// Whether a program is well-formed.
///
/// # Errors
///
/// The first reason for which it is not.
pub fn check(program: &Program, linked: &Linked<'_>) -> Result<(), IllFormed> {
    classes::check(program, linked)?;
    for (name, class) in &program.classes {
        for method in &class.methods {
            check_method(linked, *name, method)?;
        }
    }
    Ok(())
}

/// Whether a program stays well-formed with a test in front of it. The program itself is known to be.
///
/// # Errors
///
/// The first reason for which it does not.
pub fn check_test(with_test: &Program, linked: &Linked<'_>) -> Result<(), IllFormed> {
    let Some((name, class)) = with_test.classes.first() else { return Ok(()) };
    classes::check_class(linked, *name, class)?;
    class.methods.iter().try_for_each(|method| check_method(linked, *name, method))
}

fn check_method(linked: &Linked<'_>, class: ClassName, method: &Method) -> Result<(), IllFormed> {
    if method.body.is_trivial() && method.signature.result == Type::Void && method.body.max_stack > 0 {
        return Ok(());
    }
    types(linked, class, method, HandlerFlow::WhatThrows).map(drop)
}

/// The types of a body.
///
/// # Errors
///
/// The first reason for which there are none.
pub fn types(
    linked: &Linked<'_>,
    class: ClassName,
    method: &Method,
    handlers: HandlerFlow,
) -> Result<BodyTypes, IllFormed> {
    let types = flow::infer(linked, class, method, handlers).map(|(types, _)| types);
    types.map_err(|(at, reason)| IllFormed::Body { class, method: method.name, at, reason })
}

/// The classes of which it must be known what is above them to see that a body is well-typed. A JVM may load them to verify
/// the class, whether the body runs or not.
#[must_use]
pub fn compared(linked: &Linked<'_>, class: ClassName, method: &Method) -> ClassSet {
    let known = flow::infer(linked, class, method, HandlerFlow::Everything);
    let caught = method.body.handlers.iter().map(|handler| handler.class).collect::<ClassSet>();
    known.map_or(caught, |(_, compared)| compared.union(caught))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Case;

    /// Why a program with this body of a method `(Object) int` in `C0` is refused.
    fn refused(body: &str) -> Option<&'static str> {
        let text = format!(
            "program\nclass C0 extends Object\nfield f2 int\nstatic field f0 int\nstatic method clinit () void stack 1 locals 0\n\
             push unit\nreturn\nend\nmethod m3 (Object) int stack 2 locals 1\n{body}\nend\nend\n"
        );
        let program = Case::parse(&text).expect("is a case").program;
        match check(&program, &Linked::new(&program)) {
            Ok(()) => None,
            Err(IllFormed::Body { reason, .. }) => Some(reason),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn bodies_that_fit_are_taken() {
        for body in [
            "push 1\nreturn",
            "load 0\ngetfield f2 C0\nreturn",
            "load 1\ncheckcast C0\nload 1\ninvoke m3 1\nreturn",
            "push null\nload 1\nequal\niffalse 3\npush 1\nreturn\npush 2\nreturn",
            "push null\nload 1\ninvoke m3 1",
            "load 0\nstore 2\nload 2\ngetfield f2 C0\nreturn",
            "getstatic C0 f0 C0\nreturn\npop\npush 4\nreturn\ncatch 0 1 Error at 2 keep 0",
        ] {
            assert_eq!(refused(body), None, "{body}");
        }
    }

    #[test]
    fn bodies_that_do_not_fit_are_refused_with_a_reason() {
        for (body, reason) in [
            ("push unit\nreturn", "a value is of the wrong type"),
            ("return", "the stack is too low"),
            ("push 1\npush 1\npush 1\nreturn", "the stack is too high"),
            ("push 1", "control leaves the body"),
            ("load 2\nreturn", "a local variable has no value"),
            ("load 1\ngetfield f2 C0\nreturn", "a value is of the wrong type"),
            ("load 0\ngetfield f0 C0\nreturn", "the field is static"),
            ("getstatic C0 f2 C0\nreturn", "the field is another one"),
            ("new C7\npop\npush 1\nreturn", "the class is not there"),
            ("load 1\nload 1\ninvoke m3 1\nreturn", "no such method"),
            ("push 1\npush null\nequal\npop\npush 1\nreturn", "values of different kinds are compared"),
            ("push true\niffalse 2\npush 1\npush 1\nreturn", "stacks of different height meet"),
            ("push 1\nthrow", "not a reference"),
            ("invokestatic C0 clinit 0\nreturn", "the method is not static or an initialiser"),
            ("push 1\nreturn\npush 1\nreturn\ncatch 0 1 C8 at 2 keep 0\n", ""),
        ] {
            let found = refused(body).unwrap_or_default();
            assert_eq!(found, reason, "{body}");
        }
    }
}
