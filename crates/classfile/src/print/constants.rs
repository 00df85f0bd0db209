//! Constants: the listing of the pool, and the text behind an index.
//!
//! A text never fails: an index that names nothing, or the wrong thing, shows as the error that it is. Constants refer
//! to each other and hostile ones in circles; each reference is followed to a constant of the kind that must stand
//! there, so no circle is ever walked.

use std::fmt::{self, Write};

use super::{Printer, numbers, text};
use crate::error::{Error, Result};
use crate::mutf8::Mutf8;
use crate::pool::Constant;

/// What a constant is called in the pool and in comments.
fn names(constant: &Constant<'_>) -> (&'static str, &'static str) {
    match constant {
        Constant::Utf8(_) => ("Utf8", "Utf8"),
        Constant::Integer(_) => ("Integer", "int"),
        Constant::Float(_) => ("Float", "float"),
        Constant::Long(_) => ("Long", "long"),
        Constant::Double(_) => ("Double", "double"),
        Constant::Class { .. } => ("Class", "class"),
        Constant::String { .. } => ("String", "String"),
        Constant::Field { .. } => ("Fieldref", "Field"),
        Constant::Method { .. } => ("Methodref", "Method"),
        Constant::InterfaceMethod { .. } => ("InterfaceMethodref", "InterfaceMethod"),
        Constant::NameAndType { .. } => ("NameAndType", "NameAndType"),
        Constant::MethodHandle { .. } => ("MethodHandle", "MethodHandle"),
        Constant::MethodType { .. } => ("MethodType", "MethodType"),
        Constant::Dynamic { .. } => ("Dynamic", "Dynamic"),
        Constant::InvokeDynamic { .. } => ("InvokeDynamic", "InvokeDynamic"),
        Constant::Module { .. } => ("Module", "Module"),
        Constant::Package { .. } => ("Package", "Package"),
    }
}

/// The kinds of method handles (JVMS table 5.4.3.5-A).
fn handle_kind(kind: u8) -> Option<&'static str> {
    Some(match kind {
        1 => "REF_getField",
        2 => "REF_getStatic",
        3 => "REF_putField",
        4 => "REF_putStatic",
        5 => "REF_invokeVirtual",
        6 => "REF_invokeStatic",
        7 => "REF_invokeSpecial",
        8 => "REF_newInvokeSpecial",
        9 => "REF_invokeInterface",
        _ => return None,
    })
}

/// An error in the place of a text. An index that names nothing has no place in the pool.
pub(super) fn shown(error: Error) -> String {
    if error.offset == 0 { format!("error: {}", error.kind) } else { format!("error: {error}") }
}

impl<'a> Printer<'_, 'a> {
    pub(super) fn constant_pool(&mut self) -> fmt::Result {
        writeln!(self, "Constant pool:")?;
        let class = self.class;
        let width = class.pool().count().to_string().len() + 1;
        self.indented(|printer| {
            for (index, constant) in class.pool().iter() {
                let label = format!("#{index}");
                write!(printer, "{label:>width$} = {:<18} ", names(&constant).0)?;
                printer.pool_entry(index, &constant)?;
                writeln!(printer)?;
            }
            Ok(())
        })
    }

    /// What stands in an entry, and what it means where that is something else.
    fn pool_entry(&mut self, index: u16, constant: &Constant<'a>) -> fmt::Result {
        let parts = match *constant {
            Constant::Class { name } | Constant::Module { name } | Constant::Package { name } => {
                format!("#{name}")
            }
            Constant::String { value } => format!("#{value}"),
            Constant::MethodType { descriptor } => format!("#{descriptor}"),
            Constant::Field { class, name_and_type }
            | Constant::Method { class, name_and_type }
            | Constant::InterfaceMethod { class, name_and_type } => format!("#{class}.#{name_and_type}"),
            Constant::NameAndType { name, descriptor } => format!("#{name}:#{descriptor}"),
            Constant::MethodHandle { kind, reference } => format!("{kind}:#{reference}"),
            Constant::Dynamic { bootstrap, name_and_type }
            | Constant::InvokeDynamic { bootstrap, name_and_type } => {
                format!("#{bootstrap}:#{name_and_type}")
            }
            Constant::Utf8(_)
            | Constant::Integer(_)
            | Constant::Float(_)
            | Constant::Long(_)
            | Constant::Double(_) => return write!(self, "{}", self.value_text(index)),
        };
        write!(self, "{parts}")?;
        let gap = if matches!(constant, Constant::MethodType { .. }) { " " } else { "" };
        let value = self.value_text(index);
        self.comment(&format!("{gap}{value}"))
    }

    /// The kind and the value of a constant, as in comments. The class is left out of its own members.
    pub(super) fn constant_text(&self, index: u16) -> String {
        if index == 0 {
            return "#0".to_owned();
        }
        self.kind_and_value(index).unwrap_or_else(shown)
    }

    fn kind_and_value(&self, index: u16) -> Result<String> {
        let constant = self.class.pool().get(index)?;
        let value = match constant {
            Constant::Field { class, name_and_type }
            | Constant::Method { class, name_and_type }
            | Constant::InterfaceMethod { class, name_and_type }
                if class == self.class.this_class() =>
            {
                self.name_and_type(name_and_type)?
            }
            _ => self.value(index)?,
        };
        Ok(format!("{} {value}", names(&constant).1))
    }

    /// The value of a constant.
    pub(super) fn value_text(&self, index: u16) -> String {
        self.value(index).unwrap_or_else(shown)
    }

    /// A text, with escapes only where it would not stay on its line.
    pub(super) fn plain_text(&self, index: u16) -> String {
        self.utf8(index).map_or_else(shown, text::plain)
    }

    /// The name of a class, quoted where needed.
    pub(super) fn class_text(&self, index: u16) -> String {
        self.class_name(index).map_or_else(shown, text::name)
    }

    pub(super) fn class_name(&self, index: u16) -> Result<Mutf8<'a>> {
        match self.class.pool().get(index)? {
            Constant::Class { name } => self.utf8(name),
            // The pool's own accessor knows how to say what is wrong.
            _ => self.class.pool().class_name(index),
        }
    }

    fn value(&self, index: u16) -> Result<String> {
        Ok(match self.class.pool().get(index)? {
            Constant::Utf8(_) => text::string(self.utf8(index)?),
            Constant::String { value } => text::string(self.utf8(value)?),
            Constant::Integer(value) => value.to_string(),
            Constant::Float(bits) => numbers::float(bits) + "f",
            Constant::Long(value) => format!("{value}l"),
            Constant::Double(bits) => numbers::double(bits) + "d",
            Constant::Class { name } | Constant::Module { name } | Constant::Package { name } => {
                text::name(self.utf8(name)?)
            }
            Constant::Field { class, name_and_type }
            | Constant::Method { class, name_and_type }
            | Constant::InterfaceMethod { class, name_and_type } => {
                self.member_value(class, name_and_type)?
            }
            Constant::NameAndType { .. } => self.name_and_type(index)?,
            Constant::MethodHandle { kind, reference } => self.handle(kind, reference)?,
            Constant::MethodType { descriptor } => text::plain(self.utf8(descriptor)?),
            Constant::Dynamic { bootstrap, name_and_type }
            | Constant::InvokeDynamic { bootstrap, name_and_type } => {
                format!("#{bootstrap}:{}", self.name_and_type(name_and_type)?)
            }
        })
    }

    fn member_value(&self, class: u16, name_and_type: u16) -> Result<String> {
        Ok(format!("{}.{}", text::name(self.class_name(class)?), self.name_and_type(name_and_type)?))
    }

    fn name_and_type(&self, index: u16) -> Result<String> {
        match self.class.pool().get(index)? {
            Constant::NameAndType { name, descriptor } => {
                Ok(format!("{}:{}", text::name(self.utf8(name)?), text::plain(self.utf8(descriptor)?)))
            }
            // The pool's own accessor knows how to say what is wrong.
            _ => self.class.pool().name_and_type(index).map(|_| String::new()),
        }
    }

    fn handle(&self, kind: u8, reference: u16) -> Result<String> {
        let kind = handle_kind(kind).map_or_else(|| format!("REF_{kind}"), str::to_owned);
        match self.class.pool().get(reference)? {
            Constant::Field { class, name_and_type }
            | Constant::Method { class, name_and_type }
            | Constant::InterfaceMethod { class, name_and_type } => {
                Ok(format!("{kind} {}", self.member_value(class, name_and_type)?))
            }
            // The pool's own accessor knows how to say what is wrong.
            _ => self.class.pool().member(reference).map(|_| String::new()),
        }
    }
}
