//! Descriptors of fields and methods (JVMS 4.3).

use crate::error::{Error, ErrorKind, Result, Section};
use crate::mutf8::Mutf8;

/// The type of a field, parameter or value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldType<'a> {
    /// `boolean`, `byte`, `char`, `short` or `int`: the JVM computes with all of them as `int`.
    Int,
    /// `float`.
    Float,
    /// `long`.
    Long,
    /// `double`.
    Double,
    /// A class or interface, by internal name.
    Object(Mutf8<'a>),
    /// An array, by its whole descriptor.
    Array(Mutf8<'a>),
}

impl<'a> FieldType<'a> {
    /// Reads a field descriptor.
    pub fn read(descriptor: Mutf8<'a>) -> Result<Self> {
        let mut rest = descriptor.as_bytes();
        match take(&mut rest) {
            Some(found) if rest.is_empty() => Ok(found),
            _ => Err(bad()),
        }
    }

    /// How many slots a value takes on the operand stack and among the locals.
    pub fn slots(self) -> usize {
        if matches!(self, Self::Long | Self::Double) { 2 } else { 1 }
    }
}

/// A method descriptor.
#[derive(Clone, Copy, Debug)]
pub struct MethodType<'a> {
    parameters: &'a [u8],
    /// What the method returns, nothing for `void`.
    pub returns: Option<FieldType<'a>>,
}

impl<'a> MethodType<'a> {
    /// Reads a method descriptor.
    pub fn read(descriptor: Mutf8<'a>) -> Result<Self> {
        let [b'(', start @ ..] = descriptor.as_bytes() else { return Err(bad()) };
        let mut rest = start;
        let parameters = loop {
            if let [b')', tail @ ..] = rest {
                let parameters = start.get(..start.len() - rest.len()).ok_or_else(bad)?;
                rest = tail;
                break parameters;
            }
            take(&mut rest).ok_or_else(bad)?;
        };
        let returns = if rest == b"V" { None } else { Some(FieldType::read(Mutf8::new(rest))?) };
        Ok(Self { parameters, returns })
    }

    /// The parameters in order.
    pub fn parameters(&self) -> impl Iterator<Item = FieldType<'a>> + use<'a> {
        let mut rest = self.parameters;
        std::iter::from_fn(move || take(&mut rest))
    }

    /// How many slots the arguments take, without a receiver.
    pub fn argument_slots(&self) -> usize {
        self.parameters().map(FieldType::slots).sum()
    }
}

/// Takes one field descriptor from the front.
fn take<'a>(rest: &mut &'a [u8]) -> Option<FieldType<'a>> {
    let whole = *rest;
    let dimensions = whole.iter().take_while(|&&byte| byte == b'[').count();
    let (&first, mut tail) = whole.get(dimensions..)?.split_first()?;
    let found = match first {
        b'Z' | b'B' | b'C' | b'S' | b'I' => FieldType::Int,
        b'F' => FieldType::Float,
        b'J' => FieldType::Long,
        b'D' => FieldType::Double,
        b'L' => {
            let end = tail.iter().position(|&byte| byte == b';').filter(|&end| end > 0)?;
            let name = tail.get(..end)?;
            tail = tail.get(end + 1..)?;
            FieldType::Object(Mutf8::new(name))
        }
        _ => return None,
    };
    *rest = tail;
    if dimensions == 0 {
        Some(found)
    } else {
        whole.get(..whole.len() - tail.len()).map(|array| FieldType::Array(Mutf8::new(array)))
    }
}

#[cold]
fn bad() -> Error {
    Error::new(0, Section::Descriptors, ErrorKind::BadDescriptor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(text: &str) -> Result<MethodType<'_>> {
        MethodType::read(Mutf8::new(text.as_bytes()))
    }

    #[test]
    fn parameters_and_return_type_are_told_apart() {
        let found = method("(IJ[[Ljava/lang/String;Lx/Y;D)[I").unwrap();
        let name = |text: &'static str| Mutf8::new(text.as_bytes());
        let expected = [
            FieldType::Int,
            FieldType::Long,
            FieldType::Array(name("[[Ljava/lang/String;")),
            FieldType::Object(name("x/Y")),
            FieldType::Double,
        ];
        assert_eq!(found.parameters().collect::<Vec<_>>(), expected);
        assert_eq!(found.argument_slots(), 7);
        assert_eq!(found.returns, Some(FieldType::Array(name("[I"))));
        assert_eq!(method("()V").unwrap().returns, None);
    }

    #[test]
    fn what_is_no_descriptor_is_an_error() {
        for text in ["", "I", "(", "()", "(V)V", "(L;)V", "(Lx)V", "()VV", "()[", "()II", "(Q)V"] {
            assert!(method(text).is_err(), "{text}");
        }
    }
}
