//! A form of class-file contents that is the same whenever they mean the same.
//!
//! Constants are written by value and not by index, places in code by the number of their instruction and not by their
//! offset. Every item starts with a tag or a length, so that two different things never look alike.

use probity_classfile::attribute::{AnnotationEvent, AnnotationEvents, Attribute};
use probity_classfile::pool::Constant;
use probity_classfile::{ClassFile, Mutf8};

use crate::shape::ShapeError;

/// How deep dynamic constants may be arguments of each other. Compilers go two or three deep.
pub(crate) const MAX_CONSTANT_DEPTH: usize = 32;
/// How many constants may be written for one; a few that name each other could otherwise stand for very many.
pub(crate) const MAX_CONSTANTS: usize = 10_000;

/// Writes the canonical form of parts of a class.
pub(crate) struct Canonical<'c, 'a> {
    pub(crate) class: &'c ClassFile<'a>,
    pub(crate) out: Vec<u8>,
    constants: usize,
}

impl<'c, 'a> Canonical<'c, 'a> {
    pub(crate) fn new(class: &'c ClassFile<'a>) -> Self {
        Self { class, out: Vec::new(), constants: 0 }
    }

    pub(crate) fn byte(&mut self, byte: u8) {
        self.out.push(byte);
    }

    pub(crate) fn number(&mut self, number: u32) {
        self.out.extend(number.to_be_bytes());
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u32);
        self.out.extend(bytes);
    }

    pub(crate) fn text(&mut self, text: Mutf8<'_>) {
        self.bytes(text.as_bytes());
    }

    /// The text at an index.
    pub(crate) fn utf8(&mut self, index: u16) -> Result<(), ShapeError> {
        let text = self.class.pool().utf8(index)?;
        self.text(text);
        Ok(())
    }

    /// The text at an index that may be 0 for none.
    pub(crate) fn optional_utf8(&mut self, index: u16) -> Result<(), ShapeError> {
        self.byte(u8::from(index != 0));
        if index == 0 { Ok(()) } else { self.utf8(index) }
    }

    /// A constant that may be 0 for none.
    pub(crate) fn optional_constant(&mut self, index: u16) -> Result<(), ShapeError> {
        self.byte(u8::from(index != 0));
        if index == 0 { Ok(()) } else { self.constant(index) }
    }

    /// A constant, by value.
    pub(crate) fn constant(&mut self, index: u16) -> Result<(), ShapeError> {
        self.constants = 0;
        self.constant_at(index, 0)
    }

    fn constant_at(&mut self, index: u16, depth: usize) -> Result<(), ShapeError> {
        self.constants += 1;
        if depth > MAX_CONSTANT_DEPTH || self.constants > MAX_CONSTANTS {
            return Err(ShapeError::ConstantsTooDeep);
        }
        let constant = self.class.pool().get(index)?;
        self.byte(constant.tag());
        match constant {
            Constant::Utf8(text) => self.text(text),
            Constant::Integer(value) => self.out.extend(value.to_be_bytes()),
            Constant::Float(bits) => self.out.extend(bits.to_be_bytes()),
            Constant::Long(value) => self.out.extend(value.to_be_bytes()),
            Constant::Double(bits) => self.out.extend(bits.to_be_bytes()),
            Constant::Class { name } | Constant::Module { name } | Constant::Package { name } => {
                self.utf8(name)?;
            }
            Constant::String { value } => self.utf8(value)?,
            Constant::MethodType { descriptor } => self.utf8(descriptor)?,
            Constant::NameAndType { name, descriptor } => {
                self.utf8(name)?;
                self.utf8(descriptor)?;
            }
            Constant::Field { class, name_and_type }
            | Constant::Method { class, name_and_type }
            | Constant::InterfaceMethod { class, name_and_type } => {
                self.constant_at(class, depth + 1)?;
                self.constant_at(name_and_type, depth + 1)?;
            }
            Constant::MethodHandle { kind, reference } => {
                self.byte(kind);
                self.constant_at(reference, depth + 1)?;
            }
            Constant::Dynamic { bootstrap, name_and_type }
            | Constant::InvokeDynamic { bootstrap, name_and_type } => {
                self.constant_at(name_and_type, depth + 1)?;
                self.bootstrap(bootstrap, depth + 1)?;
            }
        }
        Ok(())
    }

    fn bootstrap(&mut self, index: u16, depth: usize) -> Result<(), ShapeError> {
        let (method, arguments) = bootstrap_method(self.class, index)?;
        self.constant_at(method, depth)?;
        self.number(arguments.len() as u32);
        arguments.into_iter().try_for_each(|argument| self.constant_at(argument, depth))
    }

    /// Annotations, or one value of them, with all that is in them.
    pub(crate) fn annotations(&mut self, events: &AnnotationEvents<'a>) -> Result<(), ShapeError> {
        for event in events.iter() {
            match event {
                AnnotationEvent::Annotation { nested, type_descriptor, pairs } => {
                    self.out.extend([b'@', u8::from(nested)]);
                    self.utf8(type_descriptor)?;
                    self.number(u32::from(pairs));
                }
                AnnotationEvent::Name(name) => {
                    self.byte(b'n');
                    self.utf8(name)?;
                }
                AnnotationEvent::Constant { tag, value } => {
                    self.byte(tag);
                    self.constant(value)?;
                }
                AnnotationEvent::Enum { type_descriptor, name } => {
                    self.byte(b'e');
                    self.utf8(type_descriptor)?;
                    self.utf8(name)?;
                }
                AnnotationEvent::Class(descriptor) => {
                    self.byte(b'c');
                    self.utf8(descriptor)?;
                }
                AnnotationEvent::Array(count) => {
                    self.byte(b'[');
                    self.number(u32::from(count));
                }
                AnnotationEvent::End => self.byte(b'.'),
            }
        }
        // A list that ends and one that goes on must differ.
        self.byte(b';');
        Ok(())
    }
}

/// The method and the arguments of a bootstrap method.
pub(crate) fn bootstrap_method(class: &ClassFile<'_>, index: u16) -> Result<(u16, Vec<u16>), ShapeError> {
    let found = class.attributes().find(class.pool(), "BootstrapMethods");
    if let Some(attribute) = found
        && let Attribute::BootstrapMethods(methods) = attribute.decode(class.pool())?
        && let Some(method) = methods.iter().nth(usize::from(index))
    {
        return Ok((method.method, method.arguments.iter().collect()));
    }
    Err(ShapeError::NoBootstrapMethod { index })
}
