//! The classes that hold the shared arrays of probes.
//!
//! Each is a class of the bootstrap loader with one public constant field of type `byte[]`, so that code of every class
//! loader and module can see it and the JIT compiler treats the array as a constant. They are written here byte by byte;
//! they have no other members.

/// How many probes an array has, unless one class needs more. An index up to here fits a two-byte push.
pub(crate) const STANDARD_CAPACITY: u32 = 32_768;

/// The field that holds the array.
pub(crate) const FIELD: &str = "p";

const PREFIX: &str = "java/lang/ProbityProbes";

/// The internal name of the holder of a number.
pub(crate) fn holder_name(number: usize) -> String {
    format!("{PREFIX}{number}")
}

/// Whether a class is a holder; such classes are never instrumented.
pub(crate) fn is_holder(name: &[u8]) -> bool {
    name.starts_with(PREFIX.as_bytes())
}

/// The class file of a holder.
pub(crate) fn holder_class(name: &str, capacity: u32) -> Vec<u8> {
    let mut class = Vec::with_capacity(256);
    class.extend(0xCAFE_BABE_u32.to_be_bytes());
    // Version 52, and a constant pool of 12.
    class.extend([0, 0, 0, 52, 0, 13]);
    text(&mut class, name);
    class.extend([7, 0, 1]);
    text(&mut class, "java/lang/Object");
    class.extend([7, 0, 3]);
    text(&mut class, FIELD);
    text(&mut class, "[B");
    class.extend([12, 0, 5, 0, 6]);
    class.extend([9, 0, 2, 0, 7]);
    text(&mut class, "<clinit>");
    text(&mut class, "()V");
    text(&mut class, "Code");
    class.push(3);
    class.extend(capacity.to_be_bytes());
    // public final super synthetic class #2 extends #4, no interfaces.
    class.extend([0x10, 0x31, 0, 2, 0, 4, 0, 0]);
    // One field: public static final synthetic #5 of type #6, no attributes.
    class.extend([0, 1, 0x10, 0x19, 0, 5, 0, 6, 0, 0]);
    // One method: static #9 with descriptor #10 and one attribute, its code.
    class.extend([0, 1, 0, 8, 0, 9, 0, 10, 0, 1, 0, 11]);
    // ldc #12; newarray byte; putstatic #8; return
    let code = [0x12, 12, 0xBC, 8, 0xB3, 0, 8, 0xB1];
    class.extend((12 + code.len() as u32).to_be_bytes());
    class.extend([0, 1, 0, 0]);
    class.extend((code.len() as u32).to_be_bytes());
    class.extend(code);
    // No exceptions, no attributes of the code, no attributes of the class.
    class.extend([0; 6]);
    class
}

/// Appends a text to the constant pool of a class that is written by hand.
pub(crate) fn text(class: &mut Vec<u8>, text: &str) {
    class.push(1);
    class.extend((text.len() as u16).to_be_bytes());
    class.extend(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_classfile::{ClassFile, print::listing, reencode};

    #[test]
    fn a_holder_is_a_class_with_one_array() {
        let bytes = holder_class(&holder_name(7), 40_000);
        let class = ClassFile::read(&bytes).unwrap();
        assert_eq!(reencode(&class).unwrap(), bytes);
        assert_eq!(class.name().unwrap(), "java/lang/ProbityProbes7");
        let text = listing(&class);
        for part in ["public static final byte[] p", "int 40000", "newarray       byte", "putstatic"] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert!(is_holder(b"java/lang/ProbityProbes7"));
        assert!(!is_holder(b"java/lang/Object"));
    }
}
