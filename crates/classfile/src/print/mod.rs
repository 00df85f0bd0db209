//! A listing of a class for people, in the manner of `javap -c -v -p`.
//!
//! It exists so that a class can be looked at as this crate sees it, and so that what this crate decodes can be compared
//! with what the JDK's own tool says. Everything comes from the decoded forms and from the table of opcodes: the listing
//! never reads bytes of its own, never refuses a class and never ends early. What cannot be decoded is one line that says
//! why and at which byte, and the rest follows.
//!
//! Names are written out again wherever they are used, so a small hostile class could ask for a huge listing. Once a
//! listing has become unreasonably long, texts are cut, and its last line says so: size and time stay linear.

mod annotations;
mod attributes;
mod code;
mod constants;
mod declarations;
mod flags;
mod lines;
mod modules;
mod numbers;
mod text;
mod types;

use std::cell::Cell;
use std::fmt::{self, Write};

use crate::attribute::{Attributes, RawAttribute};
use crate::class::{ClassFile, Member};
use crate::error::Result;
use crate::mutf8::Mutf8;
use flags::Flags;
use lines::Lines;

/// How many bytes of listing a byte of class file may bring before texts are cut. Real classes stay below 50.
const FULL_TEXT_FACTOR: usize = 256;
/// The same for very small classes.
const FULL_TEXT_LEAST: usize = 1 << 20;
/// How many bytes of a text are left when texts are cut.
const CUT_TEXT: usize = 64;

/// The listing of a class.
#[must_use]
pub fn listing(class: &ClassFile<'_>) -> String {
    let mut text = String::new();
    // A string takes everything.
    let _ = write_listing(class, &mut text);
    text
}

/// Writes the listing of a class; the only errors are those of `out`.
pub fn write_listing(class: &ClassFile<'_>, out: &mut dyn Write) -> fmt::Result {
    Printer::new(class, out).class()
}

/// A listing that is being written.
struct Printer<'p, 'a> {
    class: &'p ClassFile<'a>,
    lines: Lines<'p>,
    full_text_bytes: usize,
    texts_are_cut: Cell<bool>,
}

/// So that `write!` and `writeln!` work on the printer itself.
impl Write for Printer<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.lines.write_str(text)
    }
}

impl<'p, 'a> Printer<'p, 'a> {
    fn new(class: &'p ClassFile<'a>, out: &'p mut dyn Write) -> Self {
        let full_text_bytes = class.bytes().len().saturating_mul(FULL_TEXT_FACTOR).max(FULL_TEXT_LEAST);
        Self { class, lines: Lines::new(out), full_text_bytes, texts_are_cut: Cell::new(false) }
    }

    /// The text at an index, as it is or cut. All texts of the listing come from here.
    fn utf8(&self, index: u16) -> Result<Mutf8<'a>> {
        let text = self.class.pool().utf8(index)?;
        match text.as_bytes().get(..CUT_TEXT) {
            Some(start) if self.lines.written() > self.full_text_bytes => {
                self.texts_are_cut.set(true);
                Ok(Mutf8::new(start))
            }
            _ => Ok(text),
        }
    }

    fn class(&mut self) -> fmt::Result {
        self.class_header()?;
        self.constant_pool()?;
        writeln!(self, "{{")?;
        self.indented(|printer| {
            let (fields, methods) = (printer.class.fields(), printer.class.methods());
            let mut is_first = true;
            for field in fields {
                printer.separate(&mut is_first)?;
                printer.field(field)?;
            }
            for method in methods {
                printer.separate(&mut is_first)?;
                printer.method(method)?;
            }
            Ok(())
        })?;
        writeln!(self, "}}")?;
        self.attributes(&self.class.attributes(), None)?;
        if self.texts_are_cut.get() {
            writeln!(self, "note: the listing is very long: later texts were cut to {CUT_TEXT} bytes")?;
        }
        Ok(())
    }

    /// A blank line in front of everything but the first.
    fn separate(&mut self, is_first: &mut bool) -> fmt::Result {
        if std::mem::take(is_first) { Ok(()) } else { writeln!(self) }
    }

    fn class_header(&mut self) -> fmt::Result {
        let class = self.class;
        writeln!(self, "Classfile {}", self.class_text(class.this_class()))?;
        self.indented(|printer| {
            writeln!(printer, "size {} bytes", class.bytes().len())?;
            printer.source_file()
        })?;
        self.class_declaration()?;
        self.indented(|printer| {
            let version = class.version();
            writeln!(printer, "minor version: {}", version.minor)?;
            writeln!(printer, "major version: {}", version.major)?;
            writeln!(printer, "flags: {}", Flags::class(class.access()))?;
            printer.class_reference("this_class", class.this_class())?;
            printer.class_reference("super_class", class.super_class())?;
            writeln!(
                printer,
                "interfaces: {}, fields: {}, methods: {}, attributes: {}",
                class.interfaces().len(),
                class.fields().len(),
                class.methods().len(),
                class.attributes().len()
            )
        })
    }

    fn source_file(&mut self) -> fmt::Result {
        let pool = self.class.pool();
        let source_file = self.class.attributes().find(pool, "SourceFile");
        match source_file.and_then(|attribute| attribute.decode(pool).ok()) {
            Some(crate::attribute::Attribute::SourceFile(name)) => {
                writeln!(self, "Compiled from \"{}\"", self.plain_text(name))
            }
            _ => Ok(()),
        }
    }

    fn class_reference(&mut self, what: &str, index: u16) -> fmt::Result {
        write!(self, "{what}: #{index}")?;
        if index != 0 {
            let name = self.class_text(index);
            self.comment(&name)?;
        }
        writeln!(self)
    }

    fn field(&mut self, field: &Member<'a>) -> fmt::Result {
        let declaration = self.field_declaration(field);
        writeln!(self, "{declaration};")?;
        self.member(field, Flags::field(field.access))
    }

    fn method(&mut self, method: &Member<'a>) -> fmt::Result {
        let declaration = self.method_declaration(method);
        writeln!(self, "{declaration};")?;
        self.member(method, Flags::method(method.access))
    }

    fn member(&mut self, member: &Member<'a>, flags: Flags) -> fmt::Result {
        self.indented(|printer| {
            writeln!(printer, "descriptor: {}", printer.plain_text(member.descriptor))?;
            writeln!(printer, "flags: {flags}")?;
            printer.attributes(&member.attributes, Some(member))
        })
    }

    /// All attributes of something; `member` is the field or method that it belongs to.
    fn attributes(&mut self, attributes: &Attributes<'a>, member: Option<&Member<'a>>) -> fmt::Result {
        attributes.iter().try_for_each(|attribute| self.attribute(&attribute, member))
    }

    fn attribute(&mut self, attribute: &RawAttribute<'a>, member: Option<&Member<'a>>) -> fmt::Result {
        let name = self.plain_text(attribute.name);
        match attribute.decode(self.class.pool()) {
            Ok(decoded) => self.decoded_attribute(&name, &decoded, member),
            Err(error) => writeln!(self, "{name}: error: {error}"),
        }
    }

    /// Does something one level further in.
    fn indented(&mut self, contents: impl FnOnce(&mut Self) -> fmt::Result) -> fmt::Result {
        self.lines.indent(1);
        let result = contents(self);
        self.lines.outdent(1);
        result
    }

    /// Writes a comment into the comments' column.
    fn comment(&mut self, text: &str) -> fmt::Result {
        self.lines.tab()?;
        write!(self, "// {text}")
    }
}
