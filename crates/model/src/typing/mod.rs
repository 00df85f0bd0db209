//! Which programs are well-formed, and the types that show it.
//!
//! A program is well-formed if its classes fit together and every body can be typed. Types are inferred by following the body until
//! nothing changes, which finds a typing if there is one. The typing is kept for those who write class files. Nothing here runs
//! a program.

mod classes;
mod flow;

use std::fmt;

use crate::linked::Linked;
use crate::names::{ClassName, MethodName};
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
            Self::Body { class, method, at, reason } => write!(f, "{class}.{method}, instruction {at}: {reason}"),
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
    flow::infer(linked, class, method, handlers)
        .map_err(|(at, reason)| IllFormed::Body { class, method: method.name, at, reason })
}
