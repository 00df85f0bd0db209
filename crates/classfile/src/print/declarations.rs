//! The lines that name a class, a field or a method in the words of Java.
//!
//! They come from descriptors and flags alone; generic signatures are attributes and are listed as such.

use std::fmt::{self, Write};

use super::flags::Flags;
use super::{Printer, constants, text, types};
use crate::class::Member;

impl<'a> Printer<'_, 'a> {
    pub(super) fn class_declaration(&mut self) -> fmt::Result {
        let class = self.class;
        let flags = Flags::class(class.access());
        let name = self.java_class(class.this_class());
        if flags.is_module() {
            return writeln!(self, "module {name}");
        }
        let kind = if flags.is_interface() { "interface" } else { "class" };
        write!(self, "{}{kind} {name}", flags.keywords())?;
        if class.super_class() != 0 && !flags.is_interface() {
            write!(self, " extends {}", self.java_class(class.super_class()))?;
        }
        let mut before = if flags.is_interface() { " extends " } else { " implements " };
        for interface in class.interfaces().iter() {
            write!(self, "{before}{}", self.java_class(interface))?;
            before = ", ";
        }
        writeln!(self)
    }

    pub(super) fn field_declaration(&self, field: &Member<'a>) -> String {
        let keywords = Flags::field(field.access).keywords();
        let java_type = self.java_type(field.descriptor);
        format!("{keywords}{java_type} {}", self.plain_text(field.name))
    }

    pub(super) fn method_declaration(&self, method: &Member<'a>) -> String {
        let flags = Flags::method(method.access);
        let name = self.plain_text(method.name);
        if name == "<clinit>" {
            return format!("{}{{}}", flags.keywords());
        }
        let Some(types) = self.utf8(method.descriptor).ok().and_then(types::method) else {
            return format!("{}{name} {}", flags.keywords(), self.plain_text(method.descriptor));
        };
        let mut parameters = types.parameters;
        if flags.is_varargs()
            && let Some(last) = parameters.last_mut()
            && let Some(element) = last.strip_suffix("[]")
        {
            *last = format!("{element}...");
        }
        let returned_and_name = if name == "<init>" {
            self.java_class(self.class.this_class())
        } else {
            format!("{} {name}", types.returned)
        };
        format!("{}{returned_and_name}({})", flags.keywords(), parameters.join(", "))
    }

    /// The number of arguments of a method, the object itself included; nothing if its descriptor is none.
    pub(super) fn argument_count(&self, method: &Member<'a>) -> Option<usize> {
        let types = types::method(self.utf8(method.descriptor).ok()?)?;
        Some(types.parameters.len() + usize::from(!Flags::method(method.access).is_static()))
    }

    /// The type of a field descriptor in Java, or the descriptor as it stands.
    pub(super) fn java_type(&self, descriptor: u16) -> String {
        let java_type = self.utf8(descriptor).ok().and_then(types::field);
        java_type.unwrap_or_else(|| self.plain_text(descriptor))
    }

    /// The name of a class with dots.
    pub(super) fn java_class(&self, class: u16) -> String {
        self.class_name(class).map_or_else(constants::shown, text::with_dots)
    }
}
