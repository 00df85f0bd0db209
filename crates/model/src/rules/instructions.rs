//! The rules of the instructions.

use crate::names::{ClassName, FieldName, MethodName};
use crate::program::{Instruction as I, Method, Value};
use crate::state::{Frame, Initialisation, Object, State, Status};

use super::{Now, Rule, lookup, rule, with_status};

pub(super) const RULES: &[Rule] = &[
    rule("load", |now| {
        let Some(I::Load(local)) = now.instruction else { return None };
        let value = *now.frame.locals.get(usize::from(local))?;
        Some(now.with_frame(now.moved([&now.frame.stack[..], &[value]].concat(), 1)))
    }),
    rule("store", |now| {
        let Some(I::Store(local)) = now.instruction else { return None };
        let ([value], stack) = now.operands()?;
        let mut frame = now.moved(stack, 1);
        *frame.locals.get_mut(usize::from(local))? = value;
        Some(now.with_frame(frame))
    }),
    rule("push", |now| {
        let Some(I::Push(value)) = now.instruction else { return None };
        Some(now.with_frame(now.moved([&now.frame.stack[..], &[value]].concat(), 1)))
    }),
    rule("pop", |now| {
        let Some(I::Pop) = now.instruction else { return None };
        let ([_], stack) = now.operands()?;
        Some(now.with_frame(now.moved(stack, 1)))
    }),
    rule("add", |now| {
        let Some(I::Add) = now.instruction else { return None };
        let ([Value::Integer(left), Value::Integer(right)], mut stack) = now.operands()? else { return None };
        stack.push(Value::Integer(left.wrapping_add(right)));
        Some(now.with_frame(now.moved(stack, 1)))
    }),
    rule("equal", |now| {
        let Some(I::Equal) = now.instruction else { return None };
        let ([left, right], mut stack) = now.operands()?;
        stack.push(Value::Boolean(left == right));
        Some(now.with_frame(now.moved(stack, 1)))
    }),
    rule("goto", |now| {
        let Some(I::Goto(offset)) = now.instruction else { return None };
        Some(now.with_frame(now.moved(now.frame.stack.clone(), offset)))
    }),
    rule("if false: false", |now| {
        let Some(I::IfFalse(offset)) = now.instruction else { return None };
        let ([Value::Boolean(false)], stack) = now.operands()? else { return None };
        Some(now.with_frame(now.moved(stack, offset)))
    }),
    rule("if false: anything else", |now| {
        let Some(I::IfFalse(_)) = now.instruction else { return None };
        let ([value], stack) = now.operands()?;
        (value != Value::Boolean(false)).then(|| now.with_frame(now.moved(stack, 1)))
    }),
    rule("new: ready", |now| {
        let Some(I::New(class)) = now.instruction else { return None };
        let fields = lookup::blank(now.program, class).filter(|_| now.passes(class))?;
        let address = u32::try_from(now.state.heap.len()).ok()?;
        let stack = [&now.frame.stack[..], &[Value::Address(address)]].concat();
        let mut next = now.with_frame(now.moved_on(stack));
        next.heap.push(Object { class, fields });
        Some(next)
    }),
    rule("new: to be initialised", |now| {
        let Some(I::New(class)) = now.instruction else { return None };
        now.call_initialisation(class)
    }),
    rule("getfield: null", |now| {
        let (_, _, Receiver::Null) = getfield(now)? else { return None };
        now.throws(ClassName::NULL_POINTER)
    }),
    rule("getfield: missing", |now| {
        let (field, class, Receiver::Object(_, own)) = getfield(now)? else { return None };
        let missing = lookup::field(now.program, own, field, class).is_none();
        missing.then(|| now.throws(ClassName::NO_SUCH_FIELD))?
    }),
    rule("getfield: static", |now| {
        let (field, class, Receiver::Object(_, own)) = getfield(now)? else { return None };
        let found = lookup::field(now.program, own, field, class)?;
        found.is_static.then(|| now.throws(ClassName::INCOMPATIBLE))?
    }),
    rule("getfield", |now| {
        let (field, class, Receiver::Object(address, own)) = getfield(now)? else { return None };
        lookup::field(now.program, own, field, class).filter(|found| !found.is_static)?;
        let fields = &now.object(address)?.fields;
        let value = fields.iter().find(|entry| (entry.0, entry.1) == (class, field))?.2;
        let ([_], mut stack) = now.operands()?;
        stack.push(value);
        Some(now.with_frame(now.moved(stack, 1)))
    }),
    rule("putfield: null", |now| {
        let (_, _, Receiver::Null) = putfield(now)? else { return None };
        now.throws(ClassName::NULL_POINTER)
    }),
    rule("putfield: missing", |now| {
        let (field, class, Receiver::Object(_, own)) = putfield(now)? else { return None };
        let missing = lookup::field(now.program, own, field, class).is_none();
        missing.then(|| now.throws(ClassName::NO_SUCH_FIELD))?
    }),
    rule("putfield: static", |now| {
        let (field, class, Receiver::Object(_, own)) = putfield(now)? else { return None };
        let found = lookup::field(now.program, own, field, class)?;
        found.is_static.then(|| now.throws(ClassName::INCOMPATIBLE))?
    }),
    rule("putfield", |now| {
        let (field, class, Receiver::Object(address, own)) = putfield(now)? else { return None };
        lookup::field(now.program, own, field, class).filter(|found| !found.is_static)?;
        let ([_, value], stack) = now.operands()?;
        let mut next = now.with_frame(now.moved(stack, 1));
        let fields = &mut next.heap.get_mut(address as usize)?.fields;
        fields.iter_mut().find(|entry| (entry.0, entry.1) == (class, field))?.2 = value;
        Some(next)
    }),
    rule("getstatic: missing", |now| {
        let Some(I::Getstatic { class, field, declared_in }) = now.instruction else { return None };
        let missing = lookup::field(now.program, class, field, declared_in).is_none();
        missing.then(|| now.throws(ClassName::NO_SUCH_FIELD))?
    }),
    rule("getstatic: not static", |now| {
        let Some(I::Getstatic { class, field, declared_in }) = now.instruction else { return None };
        let found = lookup::field(now.program, class, field, declared_in)?;
        (!found.is_static).then(|| now.throws(ClassName::INCOMPATIBLE))?
    }),
    rule("getstatic: ready", |now| {
        let Some(I::Getstatic { class, field, declared_in }) = now.instruction else { return None };
        let found = lookup::field(now.program, class, field, declared_in)?;
        let value =
            static_value(now, declared_in, field).filter(|_| found.is_static && now.passes(declared_in))?;
        Some(now.with_frame(now.moved_on([&now.frame.stack[..], &[value]].concat())))
    }),
    rule("getstatic: to be initialised", |now| {
        let Some(I::Getstatic { class, field, declared_in }) = now.instruction else { return None };
        lookup::field(now.program, class, field, declared_in).filter(|found| found.is_static)?;
        now.call_initialisation(declared_in)
    }),
    rule("putstatic: missing", |now| {
        let Some(I::Putstatic { class, field, declared_in }) = now.instruction else { return None };
        let missing = lookup::field(now.program, class, field, declared_in).is_none();
        missing.then(|| now.throws(ClassName::NO_SUCH_FIELD))?
    }),
    rule("putstatic: not static", |now| {
        let Some(I::Putstatic { class, field, declared_in }) = now.instruction else { return None };
        let found = lookup::field(now.program, class, field, declared_in)?;
        (!found.is_static).then(|| now.throws(ClassName::INCOMPATIBLE))?
    }),
    rule("putstatic: ready", |now| {
        let Some(I::Putstatic { class, field, declared_in }) = now.instruction else { return None };
        lookup::field(now.program, class, field, declared_in).filter(|found| found.is_static)?;
        let ([value], stack) = now.operands().filter(|_| now.passes(declared_in))?;
        let mut next = now.with_frame(now.moved_on(stack));
        let part = next.statics.iter_mut().find(|part| part.class == declared_in)?;
        part.fields.iter_mut().find(|entry| entry.0 == field)?.1 = value;
        Some(next)
    }),
    rule("putstatic: to be initialised", |now| {
        let Some(I::Putstatic { class, field, declared_in }) = now.instruction else { return None };
        lookup::field(now.program, class, field, declared_in).filter(|found| found.is_static)?;
        now.operands::<1>()?;
        now.call_initialisation(declared_in)
    }),
    rule("checkcast: passes", |now| {
        let Some(I::Checkcast(class)) = now.instruction else { return None };
        let passes = match receiver(now, 0)? {
            Receiver::Null => true,
            Receiver::Object(_, own) => lookup::superclasses(now.program, own).contains(&class),
        };
        passes.then(|| now.with_frame(now.moved(now.frame.stack.clone(), 1)))
    }),
    rule("checkcast: fails", |now| {
        let Some(I::Checkcast(class)) = now.instruction else { return None };
        let Receiver::Object(_, own) = receiver(now, 0)? else { return None };
        let fails = !lookup::superclasses(now.program, own).contains(&class);
        fails.then(|| now.throws(ClassName::CLASS_CAST))?
    }),
    rule("invoke: null", |now| {
        let Some(I::Invoke { arguments, .. }) = now.instruction else { return None };
        let Receiver::Null = receiver(now, usize::from(arguments))? else { return None };
        now.throws(ClassName::NULL_POINTER)
    }),
    rule("invoke: missing", |now| {
        let Some(I::Invoke { method, arguments }) = now.instruction else { return None };
        let Receiver::Object(_, own) = receiver(now, usize::from(arguments))? else { return None };
        let missing = lookup::method(now.program, own, method).is_none();
        missing.then(|| now.throws(ClassName::NO_SUCH_METHOD))?
    }),
    rule("invoke: static", |now| {
        let (_, Called::Virtual, true) = invoked(now)? else { return None };
        now.throws(ClassName::INCOMPATIBLE)
    }),
    rule("invoke", |now| {
        let ((owner, method), Called::Virtual, false) = invoked(now)? else { return None };
        let Some(I::Invoke { arguments, .. }) = now.instruction else { return None };
        called(now, owner, method, usize::from(arguments) + 1, false)
    }),
    rule("invokestatic: missing", |now| {
        let Some(I::Invokestatic { class, method, .. }) = now.instruction else { return None };
        let missing = lookup::method(now.program, class, method).is_none();
        missing.then(|| now.throws(ClassName::NO_SUCH_METHOD))?
    }),
    rule("invokestatic: not static", |now| {
        let (_, Called::Static(_), false) = invoked(now)? else { return None };
        now.throws(ClassName::INCOMPATIBLE)
    }),
    rule("invokestatic: ready", |now| {
        let ((owner, method), Called::Static(arguments), true) = invoked(now)? else { return None };
        if now.passes(owner) { called(now, owner, method, arguments, true) } else { None }
    }),
    rule("invokestatic: to be initialised", |now| {
        let ((owner, _), Called::Static(arguments), true) = invoked(now)? else { return None };
        if now.frame.stack.len() < arguments { None } else { now.call_initialisation(owner) }
    }),
    rule("return: from an initialiser", |now| {
        let Some(I::Return) = now.instruction else { return None };
        if now.frame.method != MethodName::CLINIT {
            return None;
        }
        let statics = with_status(&now.state.statics, now.frame.class, Status::Done)?;
        Some(State { statics, frames: now.rest.to_vec(), ..now.state.clone() })
    }),
    rule("return: the last", |now| {
        let Some(I::Return) = now.instruction else { return None };
        let is_last = now.rest.is_empty() && now.frame.method != MethodName::CLINIT;
        is_last.then(|| State { frames: Vec::new(), ..now.state.clone() })
    }),
    rule("return", |now| {
        let Some(I::Return) = now.instruction.filter(|_| now.frame.method != MethodName::CLINIT) else {
            return None;
        };
        let (caller, rest) = now.rest.split_last()?;
        let (_, method) = lookup::method(now.program, now.frame.class, now.frame.method)?;
        let taken = method.signature.parameters.len() + if method.signature.is_static { 0 } else { 1 };
        let result = *now.frame.stack.last()?;
        let kept = caller.stack.len().saturating_sub(taken);
        let stack = caller.stack.iter().take(kept).copied().chain([result]).collect();
        Some(now.with_frames(rest, [Frame { stack, at: caller.at.saturating_add(1), ..caller.clone() }]))
    }),
    rule("throw: null", |now| {
        let (Some(I::Throw), Receiver::Null) = (now.instruction, receiver(now, 0)?) else { return None };
        now.throws(ClassName::NULL_POINTER)
    }),
    rule("throw", |now| {
        let Some(I::Throw) = now.instruction else { return None };
        let Receiver::Object(address, _) = receiver(now, 0)? else { return None };
        now.raises(address)
    }),
];

/// What an instruction works on.
enum Receiver {
    Null,
    /// An object and its class.
    Object(u32, ClassName),
}

fn receiver(now: &Now<'_>, below: usize) -> Option<Receiver> {
    match *now.frame.stack.iter().rev().nth(below)? {
        Value::Null => Some(Receiver::Null),
        Value::Address(address) => Some(Receiver::Object(address, now.object(address)?.class)),
        _ => None,
    }
}

fn getfield(now: &Now<'_>) -> Option<(FieldName, ClassName, Receiver)> {
    let Some(I::Getfield { field, class }) = now.instruction else { return None };
    Some((field, class, receiver(now, 0)?))
}

fn putfield(now: &Now<'_>) -> Option<(FieldName, ClassName, Receiver)> {
    let Some(I::Putfield { field, class }) = now.instruction else { return None };
    Some((field, class, receiver(now, 1)?))
}

fn static_value(now: &Now<'_>, class: ClassName, field: FieldName) -> Option<Value> {
    let part = now.state.statics.iter().find(|part| part.class == class)?;
    Some(part.fields.iter().find(|entry| entry.0 == field)?.1)
}

/// How a method is called.
enum Called {
    Virtual,
    /// With so many arguments.
    Static(usize),
}

/// The method that an instruction calls, how, and whether the method is static.
fn invoked<'a>(now: &Now<'a>) -> Option<((ClassName, &'a Method), Called, bool)> {
    let (class, name, called) = match now.instruction? {
        I::Invoke { method, arguments } => match receiver(now, usize::from(arguments))? {
            Receiver::Object(_, own) => (own, method, Called::Virtual),
            Receiver::Null => return None,
        },
        I::Invokestatic { class, method, arguments } => {
            (class, method, Called::Static(usize::from(arguments)))
        }
        _ => return None,
    };
    let (owner, method) = lookup::method(now.program, class, name)?;
    Some(((owner, method), called, method.signature.is_static))
}

fn called(
    now: &Now<'_>,
    owner: ClassName,
    method: &Method,
    operands: usize,
    was_checked: bool,
) -> Option<State> {
    let start = now.frame.stack.len().checked_sub(operands)?;
    let given = now.frame.stack.iter().skip(start).copied();
    let undefined = std::iter::repeat_n(Value::Undefined, usize::from(method.body.locals));
    let mut caller = now.frame.clone();
    if was_checked {
        caller.initialisation = Initialisation::None;
    }
    let callee = Frame {
        stack: Vec::new(),
        locals: given.chain(undefined).collect(),
        class: owner,
        method: method.name,
        at: 0,
        initialisation: Initialisation::None,
    };
    Some(now.with_frames(now.rest, [caller, callee]))
}
