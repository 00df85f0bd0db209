//! Classes, written byte by byte.

/// A public class without members.
pub(super) fn class(name: &str, major: u16) -> Vec<u8> {
    let mut bytes = head(major, &[name]);
    bytes.extend([0; 8]);
    bytes
}

/// A public class `a/Bad` with one static method, whose body is this.
pub(super) fn class_with_code(code: &[u8]) -> Vec<u8> {
    class_with_body(code, &[])
}

/// As [`class_with_code`], with one attribute `StackMapTable` in the body.
pub(super) fn class_with_stack_map(code: &[u8], stack_map: &[u8]) -> Vec<u8> {
    class_with_body(code, &attribute(STACK_MAP_TABLE, stack_map))
}

/// A public class with one attribute `RuntimeVisibleAnnotations`.
pub(super) fn class_with_annotations(annotations: &[u8]) -> Vec<u8> {
    let mut bytes = head(61, &NAMES);
    bytes.extend([0; 6]);
    bytes.extend([0, 1]);
    bytes.extend(attribute(ANNOTATIONS, annotations));
    bytes
}

const NAMES: [&str; 6] = ["a/Bad", "run", "()V", "Code", "StackMapTable", "RuntimeVisibleAnnotations"];
const CODE: u16 = 7;
const STACK_MAP_TABLE: u16 = 8;
const ANNOTATIONS: u16 = 9;

fn class_with_body(code: &[u8], code_attributes: &[u8]) -> Vec<u8> {
    let mut body = vec![0, 4, 0, 4];
    body.extend(u32::try_from(code.len()).expect("short").to_be_bytes());
    body.extend(code);
    body.extend([0, 0, 0, u8::from(!code_attributes.is_empty())]);
    body.extend(code_attributes);
    let mut bytes = head(61, &NAMES);
    bytes.extend([0, 0, 0, 0, 0, 1]);
    bytes.extend([0, 9, 0, 5, 0, 6, 0, 1]);
    bytes.extend(attribute(CODE, &body));
    bytes.extend([0, 0]);
    bytes
}

fn attribute(name: u16, contents: &[u8]) -> Vec<u8> {
    let length = u32::try_from(contents.len()).expect("short");
    [&name.to_be_bytes()[..], &length.to_be_bytes(), contents].concat()
}

/// Everything up to the superclass. The first text is the name of the class; the others have the indexes from 5 on.
fn head(major: u16, texts: &[&str]) -> Vec<u8> {
    let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0];
    bytes.extend(major.to_be_bytes());
    bytes.extend(u16::try_from(texts.len() + 4).expect("few").to_be_bytes());
    bytes.extend([7, 0, 2]);
    push_text(&mut bytes, texts[0]);
    bytes.extend([7, 0, 4]);
    push_text(&mut bytes, "java/lang/Object");
    texts[1..].iter().for_each(|text| push_text(&mut bytes, text));
    bytes.extend([0, 0x21, 0, 1, 0, 3]);
    bytes
}

fn push_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.push(1);
    bytes.extend(u16::try_from(text.len()).expect("short").to_be_bytes());
    bytes.extend(text.as_bytes());
}
