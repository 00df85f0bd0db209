//! Programs from text.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::Case;
use crate::names::ClassName;
use crate::program::{Body, Class, Field, Handler, Instruction, Method, Program, Signature, Type, Value};

/// The text is not a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotACase {
    /// The number of the line.
    pub line: usize,
    /// What the line is.
    pub text: String,
}

impl fmt::Display for NotACase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} cannot be read: {}", self.line, self.text)
    }
}

impl std::error::Error for NotACase {}

pub(super) fn case(text: &str) -> Result<Case, NotACase> {
    let mut lines = Lines { text: text.lines(), number: 0, line: "" };
    let mut case = Case::default();
    let mut section = Section::None;
    while let Some(words) = lines.next() {
        match (words.as_slice(), section) {
            (["program"], Section::None) => section = Section::Program,
            (["test"], _) => section = Section::Test,
            (["revision"], _) => {
                case.revisions.push(Program::default());
                section = Section::Revision;
            }
            (["class", name, "extends", superclass], _) if section != Section::None => {
                let (name, superclass) = (lines.word(name)?, lines.word(superclass)?);
                let class = Arc::new(class(&mut lines, superclass)?);
                match (section, case.revisions.last_mut()) {
                    (Section::Program, _) => case.program.classes.push((name, class)),
                    (Section::Revision, Some(revision)) => revision.classes.push((name, class)),
                    _ => case.tests.push(class),
                }
            }
            _ => return Err(lines.wrong()),
        }
    }
    Ok(case)
}

#[derive(Clone, Copy, PartialEq)]
enum Section {
    None,
    Program,
    Test,
    Revision,
}

struct Lines<'t> {
    text: std::str::Lines<'t>,
    number: usize,
    line: &'t str,
}

impl<'t> Lines<'t> {
    /// The words of the next line that has any; lines that start with `#` are remarks.
    fn next(&mut self) -> Option<Vec<&'t str>> {
        loop {
            self.number += 1;
            self.line = "";
            self.line = self.text.next()?;
            let words: Vec<&str> = self.line.split_whitespace().collect();
            if words.first().is_some_and(|word| !word.starts_with('#')) {
                return Some(words);
            }
        }
    }

    fn wrong(&self) -> NotACase {
        NotACase { line: self.number, text: self.line.to_owned() }
    }

    fn word<T: FromStr>(&self, word: &str) -> Result<T, NotACase> {
        word.parse().map_err(|_| self.wrong())
    }
}

fn class(lines: &mut Lines<'_>, superclass: ClassName) -> Result<Class, NotACase> {
    let mut class = Class { superclass, fields: Vec::new(), methods: Vec::new() };
    loop {
        let words = lines.next().ok_or_else(|| lines.wrong())?;
        let (is_static, rest) = match words.split_first() {
            Some((&"static", rest)) => (true, rest),
            _ => (false, words.as_slice()),
        };
        match rest {
            ["end"] if !is_static => return Ok(class),
            ["field", name, kind] => {
                class.fields.push(Field { name: lines.word(name)?, is_static, kind: lines.word(kind)? });
            }
            ["method", name, types @ .., "stack", stack, "locals", locals] => {
                let signature = signature(lines, is_static, types)?;
                let name = lines.word(name)?;
                let (max_stack, locals) = (lines.word(stack)?, lines.word(locals)?);
                let (instructions, handlers) = body(lines)?;
                let body = Body { max_stack, locals, instructions, handlers };
                class.methods.push(Method { name, signature, body });
            }
            _ => return Err(lines.wrong()),
        }
    }
}

fn signature(lines: &Lines<'_>, is_static: bool, words: &[&str]) -> Result<Signature, NotACase> {
    let (result, parameters) = words.split_last().ok_or_else(|| lines.wrong())?;
    let text = parameters.join(" ");
    let inner =
        text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).ok_or_else(|| lines.wrong())?;
    let parameters = inner.split_whitespace().map(|word| lines.word(word)).collect::<Result<_, _>>()?;
    Ok(Signature { is_static, parameters, result: lines.word(result)? })
}

fn body(lines: &mut Lines<'_>) -> Result<(Vec<Instruction>, Vec<Handler>), NotACase> {
    let (mut instructions, mut handlers) = (Vec::new(), Vec::new());
    loop {
        let words = lines.next().ok_or_else(|| lines.wrong())?;
        match words.as_slice() {
            ["end"] => return Ok((instructions, handlers)),
            ["catch", start, end, class, "at", target, "keep", depth] => handlers.push(Handler {
                start: lines.word(start)?,
                end: lines.word(end)?,
                class: lines.word(class)?,
                target: lines.word(target)?,
                depth: lines.word(depth)?,
            }),
            words => instructions.push(instruction(lines, words)?),
        }
    }
}

fn instruction(lines: &Lines<'_>, words: &[&str]) -> Result<Instruction, NotACase> {
    use Instruction as I;
    Ok(match words {
        ["load", local] => I::Load(lines.word(local)?),
        ["store", local] => I::Store(lines.word(local)?),
        ["push", value] => I::Push(lines.word(value)?),
        ["new", class] => I::New(lines.word(class)?),
        ["getfield", field, class] => I::Getfield { field: lines.word(field)?, class: lines.word(class)? },
        ["putfield", field, class] => I::Putfield { field: lines.word(field)?, class: lines.word(class)? },
        ["getstatic", class, field, owner] => I::Getstatic {
            class: lines.word(class)?,
            field: lines.word(field)?,
            declared_in: lines.word(owner)?,
        },
        ["putstatic", class, field, owner] => I::Putstatic {
            class: lines.word(class)?,
            field: lines.word(field)?,
            declared_in: lines.word(owner)?,
        },
        ["checkcast", class] => I::Checkcast(lines.word(class)?),
        ["invoke", method, count] => I::Invoke { method: lines.word(method)?, arguments: lines.word(count)? },
        ["invokestatic", class, method, count] => I::Invokestatic {
            class: lines.word(class)?,
            method: lines.word(method)?,
            arguments: lines.word(count)?,
        },
        ["return"] => I::Return,
        ["pop"] => I::Pop,
        ["add"] => I::Add,
        ["goto", offset] => I::Goto(lines.word(offset)?),
        ["equal"] => I::Equal,
        ["iffalse", offset] => I::IfFalse(lines.word(offset)?),
        ["throw"] => I::Throw,
        _ => return Err(lines.wrong()),
    })
}

impl FromStr for Type {
    type Err = crate::names::NotAName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "void" => Self::Void,
            "boolean" => Self::Boolean,
            "int" => Self::Integer,
            "null" => Self::Null,
            _ => Self::Class(text.parse()?),
        })
    }
}

impl FromStr for Value {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match (text, text.strip_prefix('@')) {
            ("unit", _) => Self::Unit,
            ("null", _) => Self::Null,
            ("true", _) => Self::Boolean(true),
            ("false", _) => Self::Boolean(false),
            ("undefined", _) => Self::Undefined,
            (_, Some(address)) => Self::Address(address.parse()?),
            _ => Self::Integer(text.parse()?),
        })
    }
}
