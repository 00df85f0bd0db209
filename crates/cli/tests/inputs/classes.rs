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

/// A public class with code: `pay(int)`, which returns in line 4 or in line 5, and `close()` in line 8. It has three probes,
/// one at each return.
pub(super) fn class_with_lines(name: &str, source_file: &str) -> Vec<u8> {
    let texts = [name, "pay", "(I)V", "Code", "LineNumberTable", "SourceFile", source_file, "close", "()V"];
    let (pay, pay_descriptor, code, lines, source, file, close, close_descriptor) =
        (5, 6, 7, 8, 9, 10, 11, 12);
    let method = |name: u16, descriptor: u16, bytes: &[u8], line_numbers: &[(u16, u16)]| {
        let mut table = u16::try_from(line_numbers.len()).expect("few").to_be_bytes().to_vec();
        for (offset, line) in line_numbers {
            table.extend([offset.to_be_bytes(), line.to_be_bytes()].concat());
        }
        let mut body = vec![0, 1, 0, 1];
        body.extend(u32::try_from(bytes.len()).expect("short").to_be_bytes());
        body.extend(bytes);
        body.extend([0, 0, 0, 1]);
        body.extend(attribute(lines, &table));
        let (public_static, attribute_count) = (9, 1);
        let head = [public_static, name, descriptor, attribute_count].map(u16::to_be_bytes).concat();
        [head, attribute(code, &body)].concat()
    };
    let (iload_0, ifeq, return_) = (0x1A, 0x99, 0xB1);
    let mut bytes = head(49, &texts);
    bytes.extend([0, 0, 0, 0, 0, 2]);
    bytes.extend(method(
        pay,
        pay_descriptor,
        &[iload_0, ifeq, 0, 4, return_, return_],
        &[(0, 3), (4, 4), (5, 5)],
    ));
    bytes.extend(method(close, close_descriptor, &[return_], &[(0, 8)]));
    bytes.extend([0, 1]);
    let file: u16 = file;
    bytes.extend(attribute(source, &file.to_be_bytes()));
    bytes
}
