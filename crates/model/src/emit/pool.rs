//! A constant pool that grows while a class is written.

use std::collections::HashMap;

use probity_classfile::Mutf8;
use probity_classfile::pool::Constant;

use crate::names::ClassName;
use crate::program::{Signature, Type};

/// The constants, written one behind the other, and where each stands.
#[derive(Debug)]
pub(super) struct Pool {
    /// The package of the program, with a slash behind it; empty for the one without a name.
    package: String,
    bytes: Vec<u8>,
    known: HashMap<Vec<u8>, u16>,
}

impl Pool {
    /// A pool without constants, for classes of this package.
    pub(super) fn new(package: &str) -> Self {
        Self { package: package.to_owned(), bytes: Vec::new(), known: HashMap::new() }
    }

    /// The name of a class for the JVM. Standard classes are the JDK's.
    pub(super) fn internal_name(&self, class: ClassName) -> String {
        let package = if class.is_standard() { "java/lang/" } else { &self.package };
        format!("{package}{class}")
    }

    /// A type for the JVM.
    pub(super) fn descriptor(&self, kind: Type) -> String {
        match kind {
            Type::Void => "V".to_owned(),
            Type::Boolean => "Z".to_owned(),
            Type::Integer => "I".to_owned(),
            Type::Null => "Ljava/lang/Object;".to_owned(),
            Type::Class(class) => format!("L{};", self.internal_name(class)),
        }
    }

    /// A signature for the JVM.
    pub(super) fn signature(&self, signature: &Signature) -> String {
        let parameters: String = signature.parameters.iter().map(|kind| self.descriptor(*kind)).collect();
        format!("({parameters}){}", self.descriptor(signature.result))
    }

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

    /// A class.
    pub(super) fn class(&mut self, class: ClassName) -> u16 {
        let name = self.text(&self.internal_name(class));
        self.add(&Constant::Class { name })
    }

    fn name_and_type(&mut self, name: &str, descriptor: &str) -> u16 {
        let (name, descriptor) = (self.text(name), self.text(descriptor));
        self.add(&Constant::NameAndType { name, descriptor })
    }

    /// A field.
    pub(super) fn field(&mut self, class: ClassName, name: &str, descriptor: &str) -> u16 {
        let (class, name_and_type) = (self.class(class), self.name_and_type(name, descriptor));
        self.add(&Constant::Field { class, name_and_type })
    }

    /// A method.
    pub(super) fn method(&mut self, class: ClassName, name: &str, descriptor: &str) -> u16 {
        let (class, name_and_type) = (self.class(class), self.name_and_type(name, descriptor));
        self.add(&Constant::Method { class, name_and_type })
    }
}
