//! A constant pool that grows while a class is written.

use std::collections::HashMap;

use probity_classfile::Mutf8;
use probity_classfile::pool::Constant;

/// The constants, written one behind the other, and where each stands.
#[derive(Debug, Default)]
pub(super) struct Pool {
    bytes: Vec<u8>,
    known: HashMap<Vec<u8>, u16>,
}

impl Pool {
    fn add(&mut self, constant: &Constant<'_>) -> u16 {
        let mut written = Vec::new();
        constant.write(&mut written);
        let next = self.count();
        let bytes = &mut self.bytes;
        *self.known.entry(written).or_insert_with_key(|written| {
            bytes.extend(written);
            next
        })
    }

    /// The number that stands in front of the pool.
    pub(super) fn count(&self) -> u16 {
        u16::try_from(self.known.len() + 1).unwrap_or(u16::MAX)
    }

    /// The constants.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// A text. The names of the model have ASCII letters only.
    pub(super) fn text(&mut self, text: &str) -> u16 {
        self.add(&Constant::Utf8(Mutf8::new(text.as_bytes())))
    }

    /// A number.
    pub(super) fn integer(&mut self, number: i32) -> u16 {
        self.add(&Constant::Integer(number))
    }

    /// A class by its internal name.
    pub(super) fn class(&mut self, name: &str) -> u16 {
        let name = self.text(name);
        self.add(&Constant::Class { name })
    }

    fn name_and_type(&mut self, name: &str, descriptor: &str) -> u16 {
        let (name, descriptor) = (self.text(name), self.text(descriptor));
        self.add(&Constant::NameAndType { name, descriptor })
    }

    /// A field.
    pub(super) fn field(&mut self, class: &str, name: &str, descriptor: &str) -> u16 {
        let (class, name_and_type) = (self.class(class), self.name_and_type(name, descriptor));
        self.add(&Constant::Field { class, name_and_type })
    }

    /// A method.
    pub(super) fn method(&mut self, class: &str, name: &str, descriptor: &str) -> u16 {
        let (class, name_and_type) = (self.class(class), self.name_and_type(name, descriptor));
        self.add(&Constant::Method { class, name_and_type })
    }
}
