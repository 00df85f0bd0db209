//! Descriptors (JVMS 4.3) as types of the Java language.
//!
//! For declarations and counts in the listing only. What is no descriptor gives nothing, and the caller shows the text
//! as it stands.

use super::text;
use crate::mutf8::Mutf8;

/// A method's parameters and what it returns.
pub(super) struct MethodTypes {
    pub(super) parameters: Vec<String>,
    pub(super) returned: String,
}

/// The type that a field descriptor describes.
pub(super) fn field(descriptor: Mutf8<'_>) -> Option<String> {
    let mut rest = descriptor.as_bytes();
    let java = next(&mut rest)?;
    rest.is_empty().then_some(java)
}

/// The types that a method descriptor describes.
pub(super) fn method(descriptor: Mutf8<'_>) -> Option<MethodTypes> {
    let mut rest = descriptor.as_bytes().strip_prefix(b"(")?;
    let mut parameters = Vec::new();
    while !rest.starts_with(b")") {
        parameters.push(next(&mut rest)?);
    }
    rest = rest.strip_prefix(b")")?;
    let returned = if rest == b"V" { "void".to_owned() } else { field(Mutf8::new(rest))? };
    Some(MethodTypes { parameters, returned })
}

fn next(rest: &mut &[u8]) -> Option<String> {
    let dimensions = rest.iter().take_while(|&&byte| byte == b'[').count();
    let (tag, tail) = rest.get(dimensions..)?.split_first()?;
    let mut java = match tag {
        b'L' => {
            let length = tail.iter().position(|&byte| byte == b';')?;
            *rest = tail.get(length + 1..)?;
            text::with_dots(Mutf8::new(tail.get(..length)?))
        }
        primitive => {
            *rest = tail;
            primitive_name(*primitive)?.to_owned()
        }
    };
    java.push_str(&"[]".repeat(dimensions));
    Some(java)
}

fn primitive_name(tag: u8) -> Option<&'static str> {
    Some(match tag {
        b'B' => "byte",
        b'C' => "char",
        b'D' => "double",
        b'F' => "float",
        b'I' => "int",
        b'J' => "long",
        b'S' => "short",
        b'Z' => "boolean",
        _ => return None,
    })
}

/// The element type of a `newarray` instruction (JVMS table 6.5.newarray-A).
pub(super) fn array_code_name(code: u8) -> Option<&'static str> {
    primitive_name(*b"ZCFDBSIJ".get(usize::from(code.checked_sub(4)?))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(descriptor: &str) -> Option<(Vec<String>, String)> {
        method(Mutf8::new(descriptor.as_bytes())).map(|types| (types.parameters, types.returned))
    }

    #[test]
    fn descriptors_become_java_types() {
        assert_eq!(field(Mutf8::new(b"[[Ljava/lang/String;")).unwrap(), "java.lang.String[][]");
        let (parameters, returned) = types("(IJ[DLa/B;)[Z").unwrap();
        assert_eq!(parameters, ["int", "long", "double[]", "a.B"]);
        assert_eq!(returned, "boolean[]");
        assert_eq!(types("()V").unwrap(), (vec![], "void".to_owned()));
    }

    #[test]
    fn what_is_no_descriptor_gives_nothing() {
        for bad in ["", "(", "()", "(V)V", "()VV", "(La)V", "([)V", "I", "()[V"] {
            assert!(types(bad).is_none(), "{bad}");
        }
        for bad in ["", "V", "II", "[", "L", "Q"] {
            assert!(field(Mutf8::new(bad.as_bytes())).is_none(), "{bad}");
        }
    }

    #[test]
    fn array_codes_are_those_of_newarray() {
        assert_eq!(array_code_name(4), Some("boolean"));
        assert_eq!(array_code_name(10), Some("int"));
        assert_eq!(array_code_name(11), Some("long"));
        assert_eq!(array_code_name(3), None);
        assert_eq!(array_code_name(12), None);
    }
}
