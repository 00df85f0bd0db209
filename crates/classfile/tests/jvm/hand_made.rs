//! Class files put together by hand, for bodies that no compiler makes.

/// A method body. All ranges are by code offset.
#[derive(Debug, Clone, Default)]
pub(crate) struct Body {
    pub(crate) code: Vec<u8>,
    /// Start, end and handler of entries that catch everything.
    pub(crate) exceptions: Vec<(u16, u16, u16)>,
    /// Start and number of lines.
    pub(crate) lines: Vec<(u16, u16)>,
    /// Start and end of variables.
    pub(crate) variables: Vec<(u16, u16)>,
    /// The contents of the `StackMapTable`.
    pub(crate) frames: Option<Vec<u8>>,
}

/// The version of the last compilers that made subroutines.
const VERSION: u16 = 48;

/// Indexes of the constants that are there in every class.
mod constant {
    pub(super) const THIS: u16 = 2;
    pub(super) const SUPER: u16 = 4;
    pub(super) const CODE: u16 = 5;
    pub(super) const DESCRIPTOR: u16 = 6;
    pub(super) const LINES: u16 = 7;
    pub(super) const VARIABLES: u16 = 8;
    pub(super) const INT: u16 = 9;
    pub(super) const FRAMES: u16 = 10;
    pub(super) const FIRST_NAME: u16 = 11;
}

/// The class `HandMade` with static methods `m0()`, `m1()` and so on, each with one of the bodies.
pub(crate) fn class_of(bodies: &[Body]) -> Vec<u8> {
    class_of_version(VERSION, bodies)
}

/// The same in a class file of another version.
pub(crate) fn class_of_version(version: u16, bodies: &[Body]) -> Vec<u8> {
    let mut class = 0xCAFE_BABE_u32.to_be_bytes().to_vec();
    push(&mut class, &[0, version, constant::FIRST_NAME + bodies.len() as u16]);
    push_text(&mut class, "HandMade");
    class.push(7);
    push(&mut class, &[1]);
    push_text(&mut class, "java/lang/Object");
    class.push(7);
    push(&mut class, &[3]);
    for text in ["Code", "()V", "LineNumberTable", "LocalVariableTable", "I", "StackMapTable"] {
        push_text(&mut class, text);
    }
    (0..bodies.len()).for_each(|number| push_text(&mut class, &format!("m{number}")));
    push(&mut class, &[0x21, constant::THIS, constant::SUPER, 0, 0, bodies.len() as u16]);
    for (number, body) in bodies.iter().enumerate() {
        push(&mut class, &[9, constant::FIRST_NAME + number as u16, constant::DESCRIPTOR, 1, constant::CODE]);
        push_with_length(&mut class, &code_attribute(body));
    }
    push(&mut class, &[0]);
    class
}

fn code_attribute(body: &Body) -> Vec<u8> {
    let mut code = Vec::new();
    push(&mut code, &[4, 4]);
    push_with_length(&mut code, &body.code);
    push(&mut code, &[body.exceptions.len() as u16]);
    for &(start, end, handler) in &body.exceptions {
        push(&mut code, &[start, end, handler, 0]);
    }
    push(&mut code, &[2 + u16::from(body.frames.is_some()), constant::LINES]);
    let mut lines = Vec::new();
    push(&mut lines, &[body.lines.len() as u16]);
    body.lines.iter().for_each(|&(start, line)| push(&mut lines, &[start, line]));
    push_with_length(&mut code, &lines);
    push(&mut code, &[constant::VARIABLES]);
    let mut variables = Vec::new();
    push(&mut variables, &[body.variables.len() as u16]);
    for &(start, end) in &body.variables {
        push(&mut variables, &[start, end - start, constant::FIRST_NAME, constant::INT, 2]);
    }
    push_with_length(&mut code, &variables);
    if let Some(frames) = &body.frames {
        push(&mut code, &[constant::FRAMES]);
        push_with_length(&mut code, frames);
    }
    code
}

fn push(to: &mut Vec<u8>, values: &[u16]) {
    values.iter().for_each(|value| to.extend(value.to_be_bytes()));
}

fn push_text(to: &mut Vec<u8>, text: &str) {
    to.push(1);
    push(to, &[text.len() as u16]);
    to.extend(text.as_bytes());
}

fn push_with_length(to: &mut Vec<u8>, bytes: &[u8]) {
    to.extend((bytes.len() as u32).to_be_bytes());
    to.extend(bytes);
}
