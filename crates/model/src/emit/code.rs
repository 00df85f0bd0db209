//! Writes one body as bytecode, with its exception table and frames.
//!
//! The value of methods without result is the number 0 on the JVM's stack. An instruction that control never reaches becomes one
//! that throws, and is taken out of protected ranges, because the verifier looks at dead code too.

use std::collections::BTreeSet;

use probity_classfile::attribute::VerificationType;
use probity_classfile::opcode::Opcode;

use super::class::method_name;
use super::pool::Pool;
use crate::linked::Linked;
use crate::names::ClassName;
use crate::program::{Body, Instruction, Method, Type, Value};
use crate::typing::{BodyTypes, Types};

/// A body as bytecode.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) max_stack: u16,
    pub(super) max_locals: u16,
    pub(super) bytes: Vec<u8>,
    /// Start, end, target and class of each handler.
    pub(super) handlers: Vec<[u16; 4]>,
    /// The frames by their places.
    pub(super) frames: Vec<(u16, Types)>,
}

/// A part of an instruction.
enum Piece {
    Bytes(Vec<u8>),
    /// A jump to an instruction of the model.
    Jump(Opcode, u16),
    /// Replaces two values by whether they are equal.
    Equal(Opcode),
}

impl Piece {
    fn size(&self) -> usize {
        match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Jump(..) => 3,
            Self::Equal(_) => EQUAL_SIZE,
        }
    }
}

/// A comparison is a branch, a constant, a jump and another constant, and where the last stands.
const EQUAL_SIZE: usize = 8;
const EQUAL_FALSE: u16 = 7;

pub(super) fn code(
    linked: &Linked<'_>,
    pool: &mut Pool,
    method: &Method,
    types: &BodyTypes,
) -> Result<Code, &'static str> {
    let body = &method.body;
    let mut writer = Writer { linked, pool, method };
    let mut pieces = Vec::new();
    for ((instruction, known), at) in body.instructions.iter().zip(types).zip(0..) {
        pieces.push(match known {
            None => vec![Piece::Bytes(vec![Opcode::ACONST_NULL.0, Opcode::ATHROW.0])],
            Some(known) => writer.pieces(*instruction, known, at)?,
        });
    }
    let mut offsets = vec![0_u16];
    for pieces in &pieces {
        let size: usize = pieces.iter().map(Piece::size).sum();
        offsets.push(offsets.last().copied().unwrap_or_default() + size as u16);
    }
    let max_locals = types.first().and_then(Option::as_ref).map_or(0, |types| types.locals.len()) as u16;
    Ok(Code {
        max_stack: u16::from(body.max_stack) + 2,
        max_locals,
        bytes: bytes(&pieces, &offsets),
        handlers: handlers(linked, writer.pool, body, types, &offsets)?,
        frames: frames(body, types, &offsets),
    })
}

fn offset(offsets: &[u16], at: u16) -> u16 {
    offsets.get(usize::from(at)).copied().unwrap_or_default()
}

fn bytes(pieces: &[Vec<Piece>], offsets: &[u16]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    for piece in pieces.iter().flatten() {
        match piece {
            Piece::Bytes(bytes) => out.extend(bytes),
            Piece::Jump(opcode, target) => {
                let distance = offset(offsets, *target).wrapping_sub(out.len() as u16);
                out.push(opcode.0);
                out.extend(distance.to_be_bytes());
            }
            Piece::Equal(branch) => {
                out.push(branch.0);
                out.extend(EQUAL_FALSE.to_be_bytes());
                out.extend([Opcode::ICONST_1.0, Opcode::GOTO.0, 0, 4, Opcode::ICONST_0.0]);
            }
        }
    }
    out
}

struct Writer<'w, 'p> {
    linked: &'w Linked<'p>,
    pool: &'w mut Pool,
    method: &'w Method,
}

impl Writer<'_, '_> {
    fn pieces(
        &mut self,
        instruction: Instruction,
        types: &Types,
        at: u16,
    ) -> Result<Vec<Piece>, &'static str> {
        use Instruction as I;
        let top = |below: usize| types.stack.iter().rev().nth(below).copied().unwrap_or(Type::Void);
        let bytes = match instruction {
            I::Load(local) => {
                let kind = types.locals.get(usize::from(local)).copied().flatten().unwrap_or(Type::Void);
                vec![if kind.is_reference() { Opcode::ALOAD.0 } else { Opcode::ILOAD.0 }, local]
            }
            I::Store(local) => {
                vec![if top(0).is_reference() { Opcode::ASTORE.0 } else { Opcode::ISTORE.0 }, local]
            }
            I::Push(value) => self.constant(value)?,
            I::New(class) => self.new_object(class),
            I::Getfield { field, class } => {
                let kind =
                    self.linked.class(class).and_then(|class| class.field(field)).map(|field| field.kind);
                self.member(
                    Opcode::GETFIELD,
                    class,
                    &field.to_string(),
                    &self.pool.descriptor(kind.ok_or("has no such field")?),
                )
            }
            I::Putfield { field, class } => {
                let kind =
                    self.linked.class(class).and_then(|class| class.field(field)).map(|field| field.kind);
                self.member(
                    Opcode::PUTFIELD,
                    class,
                    &field.to_string(),
                    &self.pool.descriptor(kind.ok_or("has no such field")?),
                )
            }
            I::Getstatic { class, field, .. } | I::Putstatic { class, field, .. } => {
                let is_put = matches!(instruction, I::Putstatic { .. });
                let (_, found) = self.linked.field(class, field).ok_or("has no such static field")?;
                let opcode = if is_put { Opcode::PUTSTATIC } else { Opcode::GETSTATIC };
                self.member(opcode, class, &field.to_string(), &self.pool.descriptor(found.kind))
            }
            I::Checkcast(class) => self.with_index(Opcode::CHECKCAST, |pool| pool.class(class)),
            I::Invoke { method, arguments } => {
                let Type::Class(class) = top(usize::from(arguments)) else {
                    return Err("calls a method of null");
                };
                let (_, found) = self.linked.method(class, method).ok_or("has no such method")?;
                self.call(Opcode::INVOKEVIRTUAL, class, found)
            }
            I::Invokestatic { class, method, .. } => {
                let (_, found) = self.linked.method(class, method).ok_or("has no such static method")?;
                self.call(Opcode::INVOKESTATIC, class, found)
            }
            I::Return => vec![match self.method.signature.result {
                Type::Void => Opcode::RETURN.0,
                Type::Boolean | Type::Integer => Opcode::IRETURN.0,
                Type::Null | Type::Class(_) => Opcode::ARETURN.0,
            }],
            I::Pop => vec![Opcode::POP.0],
            I::Add => vec![Opcode::IADD.0],
            I::Goto(offset) => return jump(Opcode::GOTO, at, offset),
            I::IfFalse(offset) => return jump(Opcode::IFEQ, at, offset),
            I::Equal => {
                let branch = if top(0).is_reference() { Opcode::IF_ACMPNE } else { Opcode::IF_ICMPNE };
                return Ok(vec![Piece::Equal(branch)]);
            }
            I::Throw => match top(0) {
                Type::Class(class) if !self.linked.is_below(class, ClassName::THROWABLE) => {
                    return Err("throws what is not throwable");
                }
                _ => vec![Opcode::ATHROW.0],
            },
        };
        Ok(vec![Piece::Bytes(bytes)])
    }

    fn constant(&mut self, value: Value) -> Result<Vec<u8>, &'static str> {
        Ok(match value {
            Value::Unit | Value::Boolean(false) => vec![Opcode::ICONST_0.0],
            Value::Boolean(true) => vec![Opcode::ICONST_1.0],
            Value::Null => vec![Opcode::ACONST_NULL.0],
            Value::Integer(number) => match i8::try_from(number) {
                Ok(number @ -1..=5) => vec![Opcode::ICONST_0.0.wrapping_add_signed(number)],
                Ok(number) => vec![Opcode::BIPUSH.0, number.cast_unsigned()],
                Err(_) => self.with_index(Opcode::LDC_W, |pool| pool.integer(number)),
            },
            Value::Address(_) | Value::Undefined => return Err("has a constant that is none"),
        })
    }

    fn with_index(&mut self, opcode: Opcode, index: impl FnOnce(&mut Pool) -> u16) -> Vec<u8> {
        let [high, low] = index(self.pool).to_be_bytes();
        vec![opcode.0, high, low]
    }

    fn member(&mut self, opcode: Opcode, class: ClassName, name: &str, kind: &str) -> Vec<u8> {
        self.with_index(opcode, |pool| pool.field(class, name, kind))
    }

    fn call(&mut self, opcode: Opcode, class: ClassName, method: &Method) -> Vec<u8> {
        let mut bytes = self.with_index(opcode, |pool| {
            pool.method(class, &method_name(method.name), &pool.signature(&method.signature))
        });
        if method.signature.result == Type::Void {
            bytes.push(Opcode::ICONST_0.0);
        }
        bytes
    }

    fn new_object(&mut self, class: ClassName) -> Vec<u8> {
        let mut bytes = self.with_index(Opcode::NEW, |pool| pool.class(class));
        bytes.push(Opcode::DUP.0);
        bytes.extend(self.with_index(Opcode::INVOKESPECIAL, |pool| pool.method(class, "<init>", "()V")));
        bytes
    }
}

fn jump(opcode: Opcode, at: u16, offset: i16) -> Result<Vec<Piece>, &'static str> {
    Ok(vec![Piece::Jump(opcode, at.checked_add_signed(offset).ok_or("jumps out of a body")?)])
}

/// The exception table, without what control never reaches.
fn handlers(
    linked: &Linked<'_>,
    pool: &mut Pool,
    body: &Body,
    types: &BodyTypes,
    offsets: &[u16],
) -> Result<Vec<[u16; 4]>, &'static str> {
    let mut entries: Vec<[u16; 4]> = Vec::new();
    for handler in &body.handlers {
        if handler.depth != 0 {
            return Err("has a handler that keeps values");
        }
        if !linked.is_below(handler.class, ClassName::THROWABLE) {
            return Err("catches what is not throwable");
        }
        let class = pool.class(handler.class);
        let target = offset(offsets, handler.target);
        let mut open: Option<[u16; 4]> = None;
        for (at, known) in (0..).zip(types).filter(|(at, _)| handler.covers(*at)) {
            let (start, end) = (offset(offsets, at), offset(offsets, at + 1));
            match (&mut open, known) {
                (Some(entry), Some(_)) => entry[1] = end,
                (None, Some(_)) => open = Some([start, end, target, class]),
                (_, None) => entries.extend(open.take()),
            }
        }
        entries.extend(open);
    }
    Ok(entries)
}

/// The places at which the verifier needs to be told the types.
fn frames(body: &Body, types: &BodyTypes, offsets: &[u16]) -> Vec<(u16, Types)> {
    let mut places: BTreeSet<u16> = body.handlers.iter().map(|handler| handler.target).collect();
    for (instruction, at) in body.instructions.iter().zip(0_u16..) {
        let is_dead = types.get(usize::from(at)).is_none_or(Option::is_none);
        match instruction {
            _ if is_dead => places.extend([at, at + 1]),
            Instruction::Goto(offset) | Instruction::IfFalse(offset) => {
                places.extend(at.checked_add_signed(*offset).into_iter().chain([at + 1]));
            }
            Instruction::Return | Instruction::Throw | Instruction::Equal => {
                places.insert(at + 1);
            }
            _ => {}
        }
    }
    let mut frames = Vec::new();
    for (at, known) in (0_u16..).zip(types) {
        let start = offset(offsets, at);
        if places.contains(&at) && at > 0 {
            let dead = Types { stack: Vec::new(), locals: Vec::new() };
            frames.push((start, known.clone().unwrap_or(dead)));
        }
        if let (Some(Instruction::Equal), Some(known)) = (body.instructions.get(usize::from(at)), known) {
            let mut inside = known.clone();
            inside.stack.truncate(inside.stack.len().saturating_sub(2));
            frames.push((start + EQUAL_FALSE, inside));
        }
    }
    frames
}

/// The contents of a `StackMapTable`, with full frames only.
pub(super) fn stack_map(pool: &mut Pool, frames: &[(u16, Types)]) -> Vec<u8> {
    const FULL_FRAME: u8 = 255;
    let mut out = Vec::new();
    out.extend((frames.len() as u16).to_be_bytes());
    let mut before: Option<u16> = None;
    for (at, types) in frames {
        let delta = before.map_or(*at, |before| at.saturating_sub(before + 1));
        before = Some(*at);
        out.push(FULL_FRAME);
        out.extend(delta.to_be_bytes());
        out.extend((types.locals.len() as u16).to_be_bytes());
        for kind in &types.locals {
            kind.map_or(VerificationType::Top, |kind| verification_type(pool, kind)).write(&mut out);
        }
        out.extend((types.stack.len() as u16).to_be_bytes());
        for kind in &types.stack {
            verification_type(pool, *kind).write(&mut out);
        }
    }
    out
}

fn verification_type(pool: &mut Pool, kind: Type) -> VerificationType {
    match kind {
        Type::Void | Type::Boolean | Type::Integer => VerificationType::Integer,
        Type::Null => VerificationType::Null,
        Type::Class(class) => VerificationType::Object(pool.class(class)),
    }
}
