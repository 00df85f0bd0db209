//! Types of one body, found by following it until nothing changes.

use std::cell::Cell;

use super::{BodyTypes, Types};
use crate::linked::Linked;
use crate::names::{ClassName, ClassSet, FieldName, MethodName};
use crate::program::{Handler, Instruction, Method, Type, Value};

/// Which instructions of a protected range lead to its handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandlerFlow {
    /// Those that may throw what it catches, as the theory has it.
    WhatThrows,
    /// All of them, as the JVM's verifier has it.
    Everything,
}

type Wrong = &'static str;

/// Infers types, and tells which classes had to be compared with others; the error is the place and the reason.
pub(super) fn infer(
    linked: &Linked<'_>,
    class: ClassName,
    method: &Method,
    handlers: HandlerFlow,
) -> Result<(BodyTypes, ClassSet), (u16, Wrong)> {
    let found = vec![None; method.body.instructions.len()];
    let mut flow = Flow { linked, method, found, waiting: Vec::new(), compared: Cell::default() };
    flow.merge(0, &entry(class, method)).map_err(|reason| (0, reason))?;
    while let Some(at) = flow.waiting.pop() {
        flow.follow(at, handlers).map_err(|reason| (at, reason))?;
    }
    Ok((flow.found, flow.compared.get()))
}

fn entry(class: ClassName, method: &Method) -> Types {
    let this = (!method.signature.is_static).then_some(Some(Type::Class(class)));
    let given = method.signature.parameters.iter().map(|kind| Some(*kind));
    let own = std::iter::repeat_n(None, usize::from(method.body.locals));
    Types { stack: Vec::new(), locals: this.into_iter().chain(given).chain(own).collect() }
}

struct Flow<'f, 'p> {
    linked: &'f Linked<'p>,
    method: &'f Method,
    found: BodyTypes,
    waiting: Vec<u16>,
    /// The classes of which it was asked what is above them.
    compared: Cell<ClassSet>,
}

/// Where control goes behind an instruction.
enum Next {
    Nowhere,
    On,
    To(i16),
    OnOrTo(i16),
}

impl Flow<'_, '_> {
    fn follow(&mut self, at: u16, handlers: HandlerFlow) -> Result<(), Wrong> {
        let instruction = *self.method.body.instructions.get(usize::from(at)).ok_or("no instruction")?;
        let mut types = self.found.get(usize::from(at)).cloned().flatten().ok_or("no types")?;
        let method = self.method;
        for handler in method.body.handlers.iter().filter(|handler| handler.covers(at)) {
            if handlers == HandlerFlow::Everything || self.is_relevant(instruction, handler) {
                self.handle(handler, &types)?;
            }
        }
        let next = self.apply(instruction, &mut types)?;
        if types.stack.len() > usize::from(method.body.max_stack) {
            return Err("the stack is too high");
        }
        let (on, to) = match next {
            Next::Nowhere => (None, None),
            Next::On => (Some(1), None),
            Next::To(offset) => (None, Some(offset)),
            Next::OnOrTo(offset) => (Some(1), Some(offset)),
        };
        for offset in [on, to].into_iter().flatten() {
            self.merge(at.checked_add_signed(offset).ok_or("a jump leaves the body")?, &types)?;
            if handlers == HandlerFlow::Everything && offset == 1 {
                self.see_stores(at, instruction, &types)?;
            }
        }
        Ok(())
    }

    /// The verifier also looks at what a store leaves behind while still in the protected range.
    fn see_stores(&mut self, at: u16, instruction: Instruction, behind: &Types) -> Result<(), Wrong> {
        if !matches!(instruction, Instruction::Store(_)) {
            return Ok(());
        }
        let method = self.method;
        for handler in method.body.handlers.iter().filter(|handler| handler.covers(at)) {
            self.handle(handler, behind)?;
        }
        Ok(())
    }

    fn handle(&mut self, handler: &Handler, types: &Types) -> Result<(), Wrong> {
        let depth = usize::from(handler.depth);
        if self.linked.class(handler.class).is_none() {
            return Err("a handler's class is not there");
        }
        if depth > types.stack.len() || handler.depth >= self.method.body.max_stack {
            return Err("a handler keeps too much");
        }
        let mut stack: Vec<Type> = types.stack.iter().take(depth).copied().collect();
        stack.push(Type::Class(handler.class));
        self.merge(handler.target, &Types { stack, locals: types.locals.clone() })
    }

    /// Whether an instruction may throw what a handler catches.
    fn is_relevant(&self, instruction: Instruction, handler: &Handler) -> bool {
        use Instruction as I;
        let one_of =
            |thrown: &[ClassName]| thrown.iter().any(|thrown| self.linked.is_below(*thrown, handler.class));
        match instruction {
            I::New(_)
            | I::Getstatic { .. }
            | I::Putstatic { .. }
            | I::Invoke { .. }
            | I::Invokestatic { .. }
            | I::Throw => true,
            I::Getfield { .. } | I::Putfield { .. } => {
                one_of(&[ClassName::NULL_POINTER, ClassName::NO_SUCH_FIELD, ClassName::INCOMPATIBLE])
            }
            I::Checkcast(_) => one_of(&[ClassName::CLASS_CAST]),
            _ => false,
        }
    }

    /// Takes into account that control may come to a place with these types.
    fn merge(&mut self, at: u16, types: &Types) -> Result<(), Wrong> {
        let place = self.found.get_mut(usize::from(at)).ok_or("control leaves the body")?;
        let Some(known) = place else {
            *place = Some(types.clone());
            self.waiting.push(at);
            return Ok(());
        };
        if known.stack.len() != types.stack.len() {
            return Err("stacks of different height meet");
        }
        let mut is_changed = false;
        for (known, new) in known.stack.iter_mut().zip(&types.stack) {
            note_meeting(&self.compared, *known, *new);
            let both = common(self.linked, *known, *new).ok_or("types meet that have nothing in common")?;
            is_changed |= both != *known;
            *known = both;
        }
        for (known, new) in known.locals.iter_mut().zip(&types.locals) {
            let both = known.zip(*new).and_then(|(known, new)| {
                note_meeting(&self.compared, known, new);
                common(self.linked, known, new)
            });
            is_changed |= both != *known;
            *known = both;
        }
        if is_changed && !self.waiting.contains(&at) {
            self.waiting.push(at);
        }
        Ok(())
    }

    fn apply(&self, instruction: Instruction, types: &mut Types) -> Result<Next, Wrong> {
        use Instruction as I;
        match instruction {
            I::Load(local) => {
                let known = types.locals.get(usize::from(local)).copied().flatten();
                types.stack.push(known.ok_or("a local variable has no value")?);
            }
            I::Store(local) => {
                let kind = pop(types)?;
                *types.locals.get_mut(usize::from(local)).ok_or("no such local variable")? = Some(kind);
            }
            I::Push(value) => types.stack.push(type_of(value)?),
            I::New(class) => {
                self.declared(class)?;
                types.stack.push(Type::Class(class));
            }
            I::Getfield { field, class } => {
                let kind = self.instance_field(class, field)?;
                self.expect(types, Type::Class(class))?;
                types.stack.push(kind);
            }
            I::Putfield { field, class } => {
                let kind = self.instance_field(class, field)?;
                self.expect(types, kind)?;
                self.expect(types, Type::Class(class))?;
            }
            I::Getstatic { class, field, declared_in } => {
                types.stack.push(self.static_field(class, field, declared_in)?);
            }
            I::Putstatic { class, field, declared_in } => {
                self.expect(types, self.static_field(class, field, declared_in)?)?;
            }
            I::Checkcast(class) => {
                self.declared(class)?;
                if !pop(types)?.is_reference() {
                    return Err("not a reference");
                }
                types.stack.push(Type::Class(class));
            }
            I::Invoke { method, arguments } => return self.invoke(types, method, arguments),
            I::Invokestatic { class, method, arguments } => {
                return self.invoke_static(types, class, method, arguments);
            }
            _ => return self.plain(instruction, types),
        }
        Ok(Next::On)
    }

    fn plain(&self, instruction: Instruction, types: &mut Types) -> Result<Next, Wrong> {
        use Instruction as I;
        match instruction {
            I::Return => self.expect(types, self.method.signature.result).map(|()| Next::Nowhere),
            I::Pop => pop(types).map(|_| Next::On),
            I::Add => {
                self.expect(types, Type::Integer)?;
                self.expect(types, Type::Integer)?;
                types.stack.push(Type::Integer);
                Ok(Next::On)
            }
            I::Goto(offset) => Ok(Next::To(offset)),
            I::Equal => {
                let (right, left) = (pop(types)?, pop(types)?);
                if right != left && !(right.is_reference() && left.is_reference()) {
                    return Err("values of different kinds are compared");
                }
                types.stack.push(Type::Boolean);
                Ok(Next::On)
            }
            I::IfFalse(offset) => self.expect(types, Type::Boolean).map(|()| Next::OnOrTo(offset)),
            I::Throw => match pop(types)? {
                Type::Class(class) => {
                    self.compared.set(self.compared.get().with(class));
                    Ok(Next::Nowhere)
                }
                Type::Null => Ok(Next::Nowhere),
                _ => Err("not a reference"),
            },
            _ => Err("not a reference"),
        }
    }

    fn invoke(&self, types: &mut Types, name: MethodName, arguments: u8) -> Result<Next, Wrong> {
        let height = types.stack.len().checked_sub(usize::from(arguments)).ok_or("the stack is too low")?;
        let given = types.stack.split_off(height);
        match pop(types)? {
            Type::Null => Ok(Next::Nowhere),
            Type::Class(class) => {
                let (_, method) = self.linked.method(class, name).ok_or("no such method")?;
                if method.signature.is_static {
                    return Err("the method is static");
                }
                self.result(types, &given, method)
            }
            _ => Err("not a reference"),
        }
    }

    fn invoke_static(
        &self,
        types: &mut Types,
        class: ClassName,
        name: MethodName,
        arguments: u8,
    ) -> Result<Next, Wrong> {
        let height = types.stack.len().checked_sub(usize::from(arguments)).ok_or("the stack is too low")?;
        let given = types.stack.split_off(height);
        let (_, method) = self.linked.method(class, name).ok_or("no such method")?;
        if !method.signature.is_static || name == MethodName::CLINIT {
            return Err("the method is not static or an initialiser");
        }
        self.result(types, &given, method)
    }

    fn result(&self, types: &mut Types, given: &[Type], method: &Method) -> Result<Next, Wrong> {
        let wanted = &method.signature.parameters;
        let fits = given.len() == wanted.len()
            && given.iter().zip(wanted).all(|(given, wanted)| self.widens(*given, *wanted));
        if !fits {
            return Err("the arguments do not fit");
        }
        types.stack.push(method.signature.result);
        Ok(Next::On)
    }

    fn expect(&self, types: &mut Types, wanted: Type) -> Result<(), Wrong> {
        let given = pop(types)?;
        if self.widens(given, wanted) { Ok(()) } else { Err("a value is of the wrong type") }
    }

    fn widens(&self, given: Type, wanted: Type) -> bool {
        if wanted != Type::Class(ClassName::OBJECT) {
            note_meeting(&self.compared, given, wanted);
        }
        self.linked.widens(given, wanted)
    }

    fn declared(&self, class: ClassName) -> Result<(), Wrong> {
        self.linked.class(class).map(drop).ok_or("the class is not there")
    }

    fn instance_field(&self, class: ClassName, name: FieldName) -> Result<Type, Wrong> {
        let field = self.linked.class(class).and_then(|class| class.field(name)).ok_or("no such field")?;
        if field.is_static { Err("the field is static") } else { Ok(field.kind) }
    }

    fn static_field(&self, class: ClassName, name: FieldName, declared_in: ClassName) -> Result<Type, Wrong> {
        let (owner, field) = self.linked.field(class, name).ok_or("no such field")?;
        if owner != declared_in || !field.is_static {
            return Err("the field is another one");
        }
        Ok(field.kind)
    }
}

fn pop(types: &mut Types) -> Result<Type, Wrong> {
    types.stack.pop().ok_or("the stack is too low")
}

fn type_of(value: Value) -> Result<Type, Wrong> {
    match value {
        Value::Unit => Ok(Type::Void),
        Value::Null => Ok(Type::Null),
        Value::Boolean(_) => Ok(Type::Boolean),
        Value::Integer(_) => Ok(Type::Integer),
        Value::Address(_) | Value::Undefined => Err("not a constant"),
    }
}

/// Two types meet. Whoever knows a program only by names must look at both classes, unless they are the same.
fn note_meeting(compared: &Cell<ClassSet>, one: Type, two: Type) {
    if let (Type::Class(one), Type::Class(two)) = (one, two)
        && one != two
    {
        compared.set(compared.get().with(one).with(two));
    }
}

/// The least type that both fit.
fn common(linked: &Linked<'_>, one: Type, two: Type) -> Option<Type> {
    match (one, two) {
        _ if one == two => Some(one),
        (Type::Null, Type::Class(_)) => Some(two),
        (Type::Class(_), Type::Null) => Some(one),
        (Type::Class(one), Type::Class(two)) => {
            let shared = linked.chain(one).find(|(name, _)| linked.is_below(two, *name));
            shared.map(|(name, _)| Type::Class(name))
        }
        _ => None,
    }
}
