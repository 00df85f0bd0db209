//! Random bodies: statements and expressions, written down as instructions at once.
//!
//! Local variables get a value first, statements start with an empty stack, and a caught object is dropped or thrown again; so
//! the JVM's verifier accepts whatever comes out. What is thrown is thrown as a `Throwable` that the verifier can see.

use super::Assembler;
use crate::linked::Linked;
use crate::names::{ClassName, FieldName};
use crate::program::{Body, Instruction as I, Method, Program, Signature, Type, Value};
use crate::random::Chance;

/// What a body is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Method,
    Initialiser,
    Test,
}

/// What a body can use.
pub(crate) struct Scope<'p> {
    linked: Linked<'p>,
    class: ClassName,
    role: Role,
    classes: Vec<ClassName>,
    throwables: Vec<ClassName>,
    /// What can be called with a class: the class, and a method that it sees, of lower rank.
    calls: Vec<(ClassName, &'p Method)>,
    /// The static fields that a class sees: class, name, type, the class that declares it.
    statics: Vec<(ClassName, FieldName, Type, ClassName)>,
    /// The fields of objects that a class declares.
    fields: Vec<(ClassName, FieldName, Type)>,
}

const LOCALS: u8 = 2;

impl<'p> Scope<'p> {
    /// What a body in a class can use, calling only methods of lower rank.
    pub(crate) fn new(program: &'p Program, class: ClassName, rank: u8, role: Role) -> Self {
        let linked = Linked::new(program);
        let classes: Vec<ClassName> = program.classes.iter().map(|(name, _)| *name).collect();
        let is_throwable = |name: &ClassName| linked.is_below(*name, ClassName::THROWABLE);
        let throwables = classes.iter().copied().filter(is_throwable).collect();
        let (mut calls, mut statics, mut fields) = (Vec::new(), Vec::new(), Vec::new());
        for &name in &classes {
            let ranks = (0..rank).map(crate::names::MethodName::numbered);
            calls.extend(ranks.filter_map(|method| Some((name, linked.method(name, method)?.1))));
            let seen = (0..super::FIELDS).map(FieldName::numbered);
            let seen = seen.filter_map(|field| linked.field(name, field));
            for (owner, field) in seen {
                if field.is_static {
                    statics.push((name, field.name, field.kind, owner));
                } else if owner == name {
                    fields.push((name, field.name, field.kind));
                }
            }
        }
        Self { linked, class, role, classes, throwables, calls, statics, fields }
    }

    /// A random body.
    pub(crate) fn body(&self, chance: &mut Chance, signature: &Signature) -> Body {
        let first = (signature.parameters.len() + usize::from(!signature.is_static)) as u8;
        let mut writer =
            Writer { scope: self, chance, code: Assembler::default(), first, parameters: signature };
        writer.code.push(Value::Integer(0));
        writer.code.add(I::Store(first), -1);
        writer.code.push(Value::Null);
        writer.code.add(I::Store(first + 1), -1);
        let statements = match self.role {
            Role::Test => 1 + writer.chance.below(3),
            Role::Initialiser => 1 + usize::from(writer.chance.percent(30)),
            Role::Method => usize::from(writer.chance.percent(35)),
        };
        for _ in 0..statements {
            if self.role == Role::Test && writer.chance.percent(35) {
                writer.protect(1);
            } else {
                writer.statement(2);
            }
        }
        if self.role == Role::Initialiser && writer.chance.percent(10) {
            writer.throw();
        } else {
            writer.expression(signature.result, 1);
            writer.code.add(I::Return, -1);
        }
        writer.code.drop_unused_start(4, first);
        writer.code.finish(LOCALS + 2)
    }
}

struct Writer<'w, 'p> {
    scope: &'w Scope<'p>,
    chance: &'w mut Chance,
    code: Assembler,
    /// The first local variable behind the parameters: a number; the next is an object, the next two count loops.
    first: u8,
    parameters: &'w Signature,
}

impl Writer<'_, '_> {
    fn statement(&mut self, depth: u8) {
        let small = depth.min(1);
        match self.chance.below(if depth == 0 { 7 } else { 14 }) {
            0 => {
                self.expression(Type::Integer, small);
                self.code.add(I::Store(self.first), -1);
            }
            1 => {
                self.expression(Type::Class(ClassName::OBJECT), small);
                self.code.add(I::Store(self.first + 1), -1);
            }
            2 | 3 => self.put_static(small),
            4 => self.put_field(small),
            5 | 6 => self.call_and_drop(small),
            7 | 8 => self.branch(depth - 1),
            9..=11 => self.protect(depth - 1),
            12 => self.throw_sometimes(),
            _ if self.chance.percent(30) => self.repeat(depth - 1),
            _ => self.statement(depth - 1),
        }
    }

    fn put_static(&mut self, depth: u8) {
        let Some(&(class, field, kind, declared_in)) = self.chance.pick(&self.scope.statics) else { return };
        self.expression(kind, depth);
        self.code.add(I::Putstatic { class, field, declared_in }, -1);
    }

    fn put_field(&mut self, depth: u8) {
        let Some(&(class, field, kind)) = self.chance.pick(&self.scope.fields) else { return };
        self.object(class, depth);
        self.expression(kind, depth);
        self.code.add(I::Putfield { field, class }, -2);
    }

    fn call_and_drop(&mut self, depth: u8) {
        let Some(&(class, method)) = self.chance.pick(&self.scope.calls) else { return };
        self.call(class, method, depth);
        self.code.add(I::Pop, -1);
    }

    fn call(&mut self, class: ClassName, method: &Method, depth: u8) {
        let arguments = method.signature.parameters.len() as u8;
        if !method.signature.is_static {
            self.object(class, depth);
        }
        for kind in &method.signature.parameters {
            self.expression(*kind, depth);
        }
        let instruction = if method.signature.is_static {
            I::Invokestatic { class, method: method.name, arguments }
        } else {
            I::Invoke { method: method.name, arguments }
        };
        self.code.call(instruction, method);
    }

    /// Leaves a truth value and a jump that is taken if it is false.
    fn condition(&mut self) -> u16 {
        if self.chance.percent(80) {
            self.expression(Type::Integer, 1);
            self.expression(Type::Integer, 0);
        } else {
            self.expression(Type::Class(ClassName::OBJECT), 0);
            self.expression(Type::Class(ClassName::OBJECT), 0);
        }
        self.code.add(I::Equal, -1);
        let jump = self.code.here();
        self.code.add(I::IfFalse(1), -1);
        jump
    }

    fn branch(&mut self, depth: u8) {
        let to_else = self.condition();
        self.statement(depth);
        let to_end = self.code.here();
        self.code.add(I::Goto(1), 0);
        self.code.land(to_else);
        self.statement(depth);
        self.code.land(to_end);
        self.nop();
    }

    /// Something that does nothing, so that a jump always has a place to lead to.
    fn nop(&mut self) {
        self.code.push(Value::Unit);
        self.code.add(I::Pop, -1);
    }

    fn protect(&mut self, depth: u8) {
        let start = self.code.here();
        self.nop();
        self.statement(depth);
        self.statement(depth);
        let end = self.code.here();
        self.code.add(I::Goto(1), 0);
        let caught =
            [ClassName::THROWABLE, ClassName::ERROR, ClassName::NULL_POINTER, ClassName::LINKAGE_ERROR];
        let of_program = self.chance.percent(50);
        let class = self.chance.pick(if of_program { &self.scope.throwables } else { &caught });
        self.code.handle(start, end, class.copied().unwrap_or(ClassName::THROWABLE));
        if self.chance.percent(20) {
            self.code.add(I::Throw, -1);
            self.code.set_height(0);
        } else {
            self.code.add(I::Pop, -1);
            self.statement(depth);
        }
        self.code.land(end);
        self.nop();
    }

    fn throw_sometimes(&mut self) {
        let jump = self.condition();
        self.throw();
        self.code.land(jump);
        self.nop();
    }

    fn throw(&mut self) {
        let class = self.chance.pick(&self.scope.throwables).copied().unwrap_or(ClassName::ERROR);
        self.object(class, 0);
        self.code.add(I::Throw, -1);
    }

    /// Twice, by counting; each depth has a counter of its own.
    fn repeat(&mut self, depth: u8) {
        let counter = self.first + 2 + depth.min(1);
        self.code.push(Value::Integer(0));
        self.code.add(I::Store(counter), -1);
        let start = self.code.here();
        self.statement(depth.min(1));
        self.code.add(I::Load(counter), 1);
        self.code.push(Value::Integer(1));
        self.code.add(I::Add, -1);
        self.code.add(I::Store(counter), -1);
        self.code.add(I::Load(counter), 1);
        self.code.push(Value::Integer(2));
        self.code.add(I::Equal, -1);
        let jump = self.code.here();
        self.code.add(I::IfFalse(1), -1);
        self.code.lead(jump, start);
        self.nop();
    }

    fn expression(&mut self, kind: Type, depth: u8) {
        match kind {
            Type::Integer => self.integer(depth),
            Type::Boolean => self.code.push(Value::Boolean(self.chance.percent(50))),
            Type::Void => self.code.push(Value::Unit),
            Type::Null => self.code.push(Value::Null),
            Type::Class(class) => self.object(class, depth),
        }
    }

    fn integer(&mut self, depth: u8) {
        match self.chance.below(if depth == 0 { 3 } else { 7 }) {
            0 => {
                let number = self.chance.below(4) as i32;
                self.code.push(Value::Integer(number));
            }
            1 => self.code.add(I::Load(self.first), 1),
            2 => self.static_or(Type::Integer, Value::Integer(1)),
            3 => {
                self.integer(depth - 1);
                self.integer(depth - 1);
                self.code.add(I::Add, -1);
            }
            4 => self.field_or(Type::Integer, Value::Integer(2), depth - 1),
            _ => self.result_or(Type::Integer, Value::Integer(1), depth - 1),
        }
    }

    fn static_or(&mut self, wanted: Type, otherwise: Value) {
        let (static_count, start) = (self.scope.statics.len(), self.chance.below(self.scope.statics.len()));
        let found =
            self.scope.statics.iter().cycle().skip(start).take(static_count).find(|known| known.2 == wanted);
        match found {
            Some(&(class, field, _, declared_in)) => {
                self.code.add(I::Getstatic { class, field, declared_in }, 1);
            }
            None => self.code.push(otherwise),
        }
    }

    fn field_or(&mut self, wanted: Type, otherwise: Value, depth: u8) {
        match self.chance.pick(&self.scope.fields) {
            Some(&(class, field, kind)) if kind == wanted => {
                self.object(class, depth);
                self.code.add(I::Getfield { field, class }, 0);
            }
            _ => self.code.push(otherwise),
        }
    }

    fn result_or(&mut self, wanted: Type, otherwise: Value, depth: u8) {
        match self.chance.pick(&self.scope.calls) {
            Some(&(class, method)) if method.signature.result == wanted => self.call(class, method, depth),
            _ => self.code.push(otherwise),
        }
    }

    /// An object of a class or null, of that type.
    fn object(&mut self, class: ClassName, depth: u8) {
        let is_any = class == ClassName::OBJECT;
        // What a member is taken of is seldom null, or most tests would end there.
        let sort = self.chance.below(if is_any { 20 } else { 200 });
        match sort {
            0 => self.code.push(Value::Null),
            1..=4 => self.code.add(I::Load(self.first + 1), 1),
            5..=7 => self.static_or(Type::Class(ClassName::OBJECT), Value::Null),
            8 | 9 if depth > 0 => self.field_or(Type::Class(ClassName::OBJECT), Value::Null, depth - 1),
            10..=12 if depth > 0 => self.result_or(Type::Class(ClassName::OBJECT), Value::Null, depth - 1),
            13..=100 if !self.parameters.is_static && self.scope.linked.is_below(self.scope.class, class) => {
                self.code.add(I::Load(0), 1);
                return;
            }
            _ => return self.new_object(class),
        }
        if !is_any {
            self.code.add(I::Checkcast(class), 0);
        }
    }

    /// A new object of a class or of one below it.
    fn new_object(&mut self, class: ClassName) {
        let below: Vec<ClassName> = self
            .scope
            .classes
            .iter()
            .copied()
            .filter(|other| self.scope.linked.is_below(*other, class))
            .collect();
        let chosen = self.chance.pick(&below).copied().unwrap_or(class);
        self.code.add(I::New(chosen), 1);
    }
}
