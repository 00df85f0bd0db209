//! Programs as text.

use std::fmt::{self, Display, Formatter, Result};

use super::Case;
use crate::names::ClassName;
use crate::program::{Class, Instruction, Method, Program, Type, Value};

pub(super) fn case(f: &mut Formatter<'_>, case: &Case) -> Result {
    writeln!(f, "program")?;
    program(f, &case.program)?;
    for test in &case.tests {
        writeln!(f, "test")?;
        class(f, ClassName::TEST, test)?;
    }
    for revision in &case.revisions {
        writeln!(f, "revision")?;
        program(f, revision)?;
    }
    Ok(())
}

fn program(f: &mut Formatter<'_>, program: &Program) -> Result {
    program.classes.iter().try_for_each(|(name, definition)| class(f, *name, definition))
}

fn class(f: &mut Formatter<'_>, name: ClassName, class: &Class) -> Result {
    writeln!(f, "class {name} extends {}", class.superclass)?;
    for field in &class.fields {
        writeln!(f, "  {}field {} {}", if field.is_static { "static " } else { "" }, field.name, field.kind)?;
    }
    class.methods.iter().try_for_each(|of_class| method(f, of_class))?;
    writeln!(f, "end")
}

fn method(f: &mut Formatter<'_>, method: &Method) -> Result {
    let signature = &method.signature;
    write!(f, "  {}method {} (", if signature.is_static { "static " } else { "" }, method.name)?;
    for (position, kind) in signature.parameters.iter().enumerate() {
        write!(f, "{}{kind}", if position == 0 { "" } else { " " })?;
    }
    let body = &method.body;
    writeln!(f, ") {} stack {} locals {}", signature.result, body.max_stack, body.locals)?;
    for instruction in &body.instructions {
        writeln!(f, "    {instruction}")?;
    }
    for handler in &body.handlers {
        let (start, end, target) = (handler.start, handler.end, handler.target);
        writeln!(f, "    catch {start} {end} {} at {target} keep {}", handler.class, handler.depth)?;
    }
    writeln!(f, "  end")
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Void => f.write_str("void"),
            Self::Boolean => f.write_str("boolean"),
            Self::Integer => f.write_str("int"),
            Self::Null => f.write_str("null"),
            Self::Class(name) => name.fmt(f),
        }
    }
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unit => f.write_str("unit"),
            Self::Null => f.write_str("null"),
            Self::Boolean(value) => value.fmt(f),
            Self::Integer(number) => number.fmt(f),
            Self::Address(address) => write!(f, "@{address}"),
            Self::Undefined => f.write_str("undefined"),
        }
    }
}

impl Display for Instruction {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Load(local) => write!(f, "load {local}"),
            Self::Store(local) => write!(f, "store {local}"),
            Self::Push(value) => write!(f, "push {value}"),
            Self::New(class) => write!(f, "new {class}"),
            Self::Getfield { field, class } => write!(f, "getfield {field} {class}"),
            Self::Putfield { field, class } => write!(f, "putfield {field} {class}"),
            Self::Getstatic { class, field, declared_in } => {
                write!(f, "getstatic {class} {field} {declared_in}")
            }
            Self::Putstatic { class, field, declared_in } => {
                write!(f, "putstatic {class} {field} {declared_in}")
            }
            Self::Checkcast(class) => write!(f, "checkcast {class}"),
            Self::Invoke { method, arguments } => write!(f, "invoke {method} {arguments}"),
            Self::Invokestatic { class, method, arguments } => {
                write!(f, "invokestatic {class} {method} {arguments}")
            }
            Self::Return => f.write_str("return"),
            Self::Pop => f.write_str("pop"),
            Self::Add => f.write_str("add"),
            Self::Goto(offset) => write!(f, "goto {offset}"),
            Self::Equal => f.write_str("equal"),
            Self::IfFalse(offset) => write!(f, "iffalse {offset}"),
            Self::Throw => f.write_str("throw"),
        }
    }
}
