//! One step of the machine.
//!
//! Every state that is not an end state has one successor or is stuck, and stuck is a value with a reason: no program, however
//! broken, can make this panic. What a step does to a state is decided before anything is changed, because an exception is
//! handled by the frames as they were before the step.

use crate::linked::Linked;
use crate::names::{ClassName, FieldName, MethodName};
use crate::program::{Address, Body, Field, Handler, Instruction, Method, Value};
use crate::state::{Frame, Initialisation, Object, State, Status, system_exception};

/// Whose rules are followed where the theory and HotSpot differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// The theory: static fields carry the class that declares them, system exceptions are seven objects that exist from the
    /// start, and exceptions leave initialisers as they are.
    Theory,
    /// HotSpot: static fields are found from the class that is named, system exceptions are new objects, fields are found before
    /// the object is looked at, and what leaves an initialiser and is not an `Error` becomes `ExceptionInInitializerError`.
    HotSpot,
}

/// Why a state has no successor although it is not an end state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stuck {
    /// The state is an end state.
    Ended,
    /// A class is not there, or one above it.
    NoClass(ClassName),
    /// A method is not there.
    NoMethod(ClassName, MethodName),
    /// There is no instruction at the place.
    NoInstruction(u16),
    /// The operand stack has too few values.
    EmptyStack,
    /// There is no such local variable.
    NoLocal(u8),
    /// A value is not of the kind that is needed.
    WrongValue(Value),
    /// A class is not in use that must be.
    NotInUse(ClassName),
    /// A field is not in an object or a class in use.
    NoField(FieldName),
    /// The frame below an initialiser is not initialising anything.
    NotInitialising,
}

/// What an instruction comes to: it is done, or it throws.
enum Outcome {
    Done,
    Throws(ClassName),
    ThrowsObject(Address),
}

type Result<T> = std::result::Result<T, Stuck>;

/// Takes one step.
///
/// # Errors
///
/// The reason for which there is none. The state is then of no more use.
pub fn step(program: &Linked<'_>, state: &mut State, dialect: Dialect) -> Result<()> {
    if state.thrown.is_some() {
        return Err(Stuck::Ended);
    }
    let frame = state.frames.last_mut().ok_or(Stuck::Ended)?;
    match &mut frame.initialisation {
        Initialisation::Calling(class, _) => {
            let class = *class;
            calling(program, state, class, dialect)
        }
        Initialisation::Called(waiting) => match waiting.last() {
            Some(class) => {
                let class = *class;
                run_initialiser(program, state, class)
            }
            None => run_instruction(program, state, dialect),
        },
        Initialisation::Throwing(failed, exception) => match failed.last() {
            Some(class) => {
                let class = *class;
                mark_failed(state, class)
            }
            None => {
                let exception = *exception;
                raise(program, state, exception, dialect)
            }
        },
        Initialisation::None => run_instruction(program, state, dialect),
    }
}

fn top(state: &mut State) -> Result<&mut Frame> {
    state.frames.last_mut().ok_or(Stuck::Ended)
}

fn calling(program: &Linked<'_>, state: &mut State, class: ClassName, dialect: Dialect) -> Result<()> {
    let status = state.status(class);
    if status == Some(Status::Prepared) {
        let superclass = program.class(class).ok_or(Stuck::NoClass(class))?.superclass;
        let part = state.static_part_mut(class).ok_or(Stuck::NotInUse(class))?;
        part.status = Status::Processing;
        return change_list(top(state)?, |mut waiting| {
            waiting.push(class);
            if class == ClassName::OBJECT {
                Initialisation::Called(waiting)
            } else {
                Initialisation::Calling(superclass, waiting)
            }
        });
    }
    match status {
        None => {
            let fields = program.static_blank(class).ok_or(Stuck::NoClass(class))?;
            state.prepare(class, fields);
            Ok(())
        }
        Some(Status::Error) => {
            let exception = system(program, state, ClassName::NO_CLASS_DEF, dialect)?;
            change_list(top(state)?, |waiting| Initialisation::Throwing(waiting, exception))
        }
        _ => change_list(top(state)?, Initialisation::Called),
    }
}

/// Makes something else of a frame's list of classes.
fn change_list(frame: &mut Frame, change: impl FnOnce(Vec<ClassName>) -> Initialisation) -> Result<()> {
    let before = std::mem::replace(&mut frame.initialisation, Initialisation::None);
    frame.initialisation = match before {
        Initialisation::Calling(_, list)
        | Initialisation::Called(list)
        | Initialisation::Throwing(list, _) => change(list),
        Initialisation::None => return Err(Stuck::NotInitialising),
    };
    Ok(())
}

fn run_initialiser(program: &Linked<'_>, state: &mut State, class: ClassName) -> Result<()> {
    let name = MethodName::CLINIT;
    let (owner, method) = program.method(class, name).ok_or(Stuck::NoMethod(class, name))?;
    if let Initialisation::Called(waiting) = &mut top(state)?.initialisation {
        waiting.pop();
    }
    state.frames.push(new_frame(owner, method, Vec::new()));
    Ok(())
}

fn mark_failed(state: &mut State, class: ClassName) -> Result<()> {
    state.static_part_mut(class).ok_or(Stuck::NotInUse(class))?.status = Status::Error;
    if let Initialisation::Throwing(failed, _) = &mut top(state)?.initialisation {
        failed.pop();
    }
    Ok(())
}

fn new_frame(class: ClassName, method: &Method, mut locals: Vec<Value>) -> Frame {
    locals.resize(locals.len() + usize::from(method.body.locals), Value::Undefined);
    Frame {
        stack: Vec::with_capacity(usize::from(method.body.max_stack)),
        locals,
        class,
        method: method.name,
        at: 0,
        initialisation: Initialisation::None,
    }
}

/// The object of a system exception.
fn system(program: &Linked<'_>, state: &mut State, class: ClassName, dialect: Dialect) -> Result<Address> {
    match dialect {
        Dialect::Theory => system_exception(class).ok_or(Stuck::NoClass(class)),
        Dialect::HotSpot => {
            let fields = program.blank(class).ok_or(Stuck::NoClass(class))?;
            Ok(state.allocate(Object { class, fields }))
        }
    }
}

/// The body of a frame's method.
pub(crate) fn body_of<'p>(program: &Linked<'p>, frame: &Frame) -> Result<&'p Body> {
    let no_method = Stuck::NoMethod(frame.class, frame.method);
    Ok(&program.method(frame.class, frame.method).ok_or(no_method)?.1.body)
}

/// The first handler at a place for an exception of a class.
pub(crate) fn handler<'b>(
    program: &Linked<'_>,
    body: &'b Body,
    at: u16,
    thrown: ClassName,
) -> Option<&'b Handler> {
    body.handlers.iter().find(|handler| handler.covers(at) && program.is_below(thrown, handler.class))
}

fn raise(program: &Linked<'_>, state: &mut State, exception: Address, dialect: Dialect) -> Result<()> {
    let class = class_at(state, exception)?;
    while let Some(frame) = state.frames.last_mut() {
        if let Some(handler) = handler(program, body_of(program, frame)?, frame.at, class) {
            frame.stack.truncate(usize::from(handler.depth));
            frame.stack.push(Value::Address(exception));
            frame.at = handler.target;
            frame.initialisation = Initialisation::None;
            return Ok(());
        }
        let (failed, is_initialiser) = (frame.class, frame.method == MethodName::CLINIT);
        if is_initialiser && state.frames.len() > 1 {
            state.frames.pop();
            let exception = leave_initialiser(program, state, exception, dialect)?;
            let below = top(state)?;
            if !matches!(below.initialisation, Initialisation::Called(_)) {
                return Err(Stuck::NotInitialising);
            }
            return change_list(below, |mut waiting| {
                waiting.push(failed);
                Initialisation::Throwing(waiting, exception)
            });
        }
        state.frames.pop();
    }
    state.thrown = Some(exception);
    Ok(())
}

/// What an exception becomes that leaves an initialiser.
fn leave_initialiser(
    program: &Linked<'_>,
    state: &mut State,
    exception: Address,
    dialect: Dialect,
) -> Result<Address> {
    let class = class_at(state, exception)?;
    if dialect == Dialect::Theory || program.is_below(class, ClassName::ERROR) {
        return Ok(exception);
    }
    system(program, state, ClassName::IN_INITIALIZER, dialect)
}

fn class_at(state: &State, address: Address) -> Result<ClassName> {
    Ok(state.object(address).ok_or(Stuck::WrongValue(Value::Address(address)))?.class)
}

fn run_instruction(program: &Linked<'_>, state: &mut State, dialect: Dialect) -> Result<()> {
    let frame = top(state)?;
    let body = body_of(program, frame)?;
    let instruction = *body.instructions.get(usize::from(frame.at)).ok_or(Stuck::NoInstruction(frame.at))?;
    match execute(program, state, instruction, dialect)? {
        Outcome::Done => Ok(()),
        Outcome::Throws(class) => {
            let exception = system(program, state, class, dialect)?;
            raise(program, state, exception, dialect)
        }
        Outcome::ThrowsObject(exception) => raise(program, state, exception, dialect),
    }
}

fn execute(
    program: &Linked<'_>,
    state: &mut State,
    instruction: Instruction,
    dialect: Dialect,
) -> Result<Outcome> {
    use Instruction as I;
    match instruction {
        I::New(class) => new(program, state, class),
        I::Getfield { field, class } => field_of_object(program, state, field, class, 0, dialect),
        I::Putfield { field, class } => field_of_object(program, state, field, class, 1, dialect),
        I::Getstatic { class, field, declared_in } | I::Putstatic { class, field, declared_in } => {
            let is_put = matches!(instruction, I::Putstatic { .. });
            let found = static_field(program, class, field, declared_in, dialect);
            static_access(state, found, field, is_put)
        }
        I::Invoke { method, arguments } => invoke(program, state, method, arguments),
        I::Invokestatic { class, method, arguments } => {
            invoke_static(program, state, class, method, arguments)
        }
        I::Checkcast(class) => {
            let value = peek(top(state)?, 0)?;
            if let Some(address) = reference(value)?
                && !program.is_below(class_at(state, address)?, class)
            {
                return Ok(Outcome::Throws(ClassName::CLASS_CAST));
            }
            advance(top(state)?, 1)
        }
        I::Throw => match reference(peek(top(state)?, 0)?)? {
            None => Ok(Outcome::Throws(ClassName::NULL_POINTER)),
            Some(exception) => Ok(Outcome::ThrowsObject(exception)),
        },
        I::Return => leave(program, state),
        _ => simple(top(state)?, instruction),
    }
}

/// The instructions that concern nothing but their frame.
fn simple(frame: &mut Frame, instruction: Instruction) -> Result<Outcome> {
    use Instruction as I;
    match instruction {
        I::Load(local) => {
            let value = *frame.locals.get(usize::from(local)).ok_or(Stuck::NoLocal(local))?;
            frame.stack.push(value);
        }
        I::Store(local) => {
            let value = peek(frame, 0)?;
            *frame.locals.get_mut(usize::from(local)).ok_or(Stuck::NoLocal(local))? = value;
            frame.stack.pop();
        }
        I::Push(value) => frame.stack.push(value),
        I::Pop => {
            frame.stack.pop().ok_or(Stuck::EmptyStack)?;
        }
        I::Add => {
            let (right, left) = (integer(peek(frame, 0)?)?, integer(peek(frame, 1)?)?);
            replace(frame, 2, Value::Integer(left.wrapping_add(right)));
        }
        I::Equal => {
            let (right, left) = (peek(frame, 0)?, peek(frame, 1)?);
            replace(frame, 2, Value::Boolean(left == right));
        }
        I::Goto(offset) => return advance(frame, offset),
        I::IfFalse(offset) => {
            let value = frame.stack.pop().ok_or(Stuck::EmptyStack)?;
            return advance(frame, if value == Value::Boolean(false) { offset } else { 1 });
        }
        _ => {}
    }
    advance(frame, 1)
}

/// The value so many places below the top.
fn peek(frame: &Frame, below: usize) -> Result<Value> {
    frame.stack.iter().rev().nth(below).copied().ok_or(Stuck::EmptyStack)
}

/// Puts one value in the place of the uppermost ones.
fn replace(frame: &mut Frame, count: usize, value: Value) {
    frame.stack.truncate(frame.stack.len().saturating_sub(count));
    frame.stack.push(value);
}

/// Goes on; a place outside the body is noticed when its instruction is looked for.
fn advance(frame: &mut Frame, offset: i16) -> Result<Outcome> {
    frame.at = frame.at.checked_add_signed(offset).unwrap_or(u16::MAX);
    Ok(Outcome::Done)
}

fn integer(value: Value) -> Result<i32> {
    if let Value::Integer(number) = value { Ok(number) } else { Err(Stuck::WrongValue(value)) }
}

/// The address of a reference, none for null.
fn reference(value: Value) -> Result<Option<Address>> {
    match value {
        Value::Null => Ok(None),
        Value::Address(address) => Ok(Some(address)),
        _ => Err(Stuck::WrongValue(value)),
    }
}

/// Whether a class may be used; if not, its initialisation is called.
fn may_use(state: &mut State, class: ClassName) -> Result<bool> {
    let is_done = state.status(class) == Some(Status::Done);
    let frame = top(state)?;
    if matches!(&frame.initialisation, Initialisation::Called(waiting) if waiting.is_empty()) {
        frame.initialisation = Initialisation::None;
        return Ok(true);
    }
    if !is_done {
        frame.initialisation = Initialisation::Calling(class, Vec::new());
    }
    Ok(is_done)
}

fn new(program: &Linked<'_>, state: &mut State, class: ClassName) -> Result<Outcome> {
    let fields = program.blank(class);
    if !may_use(state, class)? {
        return Ok(Outcome::Done);
    }
    let fields = fields.ok_or(Stuck::NoClass(class))?;
    let address = state.allocate(Object { class, fields });
    let frame = top(state)?;
    frame.stack.push(Value::Address(address));
    advance(frame, 1)
}

/// Reads a field of the object on top, or writes the value on top to a field of the object below.
fn field_of_object(
    program: &Linked<'_>,
    state: &mut State,
    name: FieldName,
    declared_in: ClassName,
    below: usize,
    dialect: Dialect,
) -> Result<Outcome> {
    let object = reference(peek(top(state)?, below)?)?;
    let class = match object {
        None if dialect == Dialect::Theory => return Ok(Outcome::Throws(ClassName::NULL_POINTER)),
        // HotSpot looks for the field first.
        None => declared_in,
        Some(address) => class_at(state, address)?,
    };
    let field = program.field_in(class, name, declared_in);
    if let Some(class) = wrong_field(field, false) {
        return Ok(Outcome::Throws(class));
    }
    let Some(address) = object else { return Ok(Outcome::Throws(ClassName::NULL_POINTER)) };
    let value = peek(top(state)?, 0)?;
    let object = usize::try_from(address).ok().and_then(|address| state.heap.get_mut(address));
    let fields = &mut object.ok_or(Stuck::NoField(name))?.fields;
    let place = fields.iter_mut().find(|(owner, other, _)| (*owner, *other) == (declared_in, name));
    let place = &mut place.ok_or(Stuck::NoField(name))?.2;
    let read = *place;
    if below == 1 {
        *place = value;
    }
    let frame = top(state)?;
    frame.stack.truncate(frame.stack.len().saturating_sub(below + 1));
    if below == 0 {
        frame.stack.push(read);
    }
    advance(frame, 1)
}

/// What is thrown because of a field that is not there or not of the right kind.
fn wrong_field(field: Option<&Field>, is_static: bool) -> Option<ClassName> {
    match field {
        None => Some(ClassName::NO_SUCH_FIELD),
        Some(field) if field.is_static != is_static => Some(ClassName::INCOMPATIBLE),
        Some(_) => None,
    }
}

/// The static field that an instruction means.
fn static_field<'p>(
    program: &Linked<'p>,
    class: ClassName,
    field: FieldName,
    declared_in: ClassName,
    dialect: Dialect,
) -> Option<(ClassName, &'p Field)> {
    match dialect {
        Dialect::Theory => Some((declared_in, program.field_in(class, field, declared_in)?)),
        Dialect::HotSpot => program.field(class, field),
    }
}

fn static_access(
    state: &mut State,
    found: Option<(ClassName, &Field)>,
    name: FieldName,
    is_put: bool,
) -> Result<Outcome> {
    if let Some(class) = wrong_field(found.map(|(_, field)| field), true) {
        return Ok(Outcome::Throws(class));
    }
    let Some((class, _)) = found else { return Err(Stuck::NoField(name)) };
    let value = if is_put { peek(top(state)?, 0)? } else { Value::Undefined };
    if !may_use(state, class)? {
        return Ok(Outcome::Done);
    }
    let part = state.static_part_mut(class).ok_or(Stuck::NotInUse(class))?;
    let place = part.fields.iter_mut().find(|(other, _)| *other == name).ok_or(Stuck::NoField(name))?;
    let read = place.1;
    if is_put {
        place.1 = value;
    }
    let frame = top(state)?;
    if is_put {
        frame.stack.pop();
    } else {
        frame.stack.push(read);
    }
    advance(frame, 1)
}

fn invoke(program: &Linked<'_>, state: &mut State, name: MethodName, arguments: u8) -> Result<Outcome> {
    let receiver = reference(peek(top(state)?, usize::from(arguments))?)?;
    let Some(address) = receiver else { return Ok(Outcome::Throws(ClassName::NULL_POINTER)) };
    let Some((owner, method)) = program.method(class_at(state, address)?, name) else {
        return Ok(Outcome::Throws(ClassName::NO_SUCH_METHOD));
    };
    if method.signature.is_static {
        return Ok(Outcome::Throws(ClassName::INCOMPATIBLE));
    }
    call(state, owner, method, usize::from(arguments) + 1)
}

fn invoke_static(
    program: &Linked<'_>,
    state: &mut State,
    class: ClassName,
    name: MethodName,
    arguments: u8,
) -> Result<Outcome> {
    let Some((owner, method)) = program.method(class, name) else {
        return Ok(Outcome::Throws(ClassName::NO_SUCH_METHOD));
    };
    if !method.signature.is_static {
        return Ok(Outcome::Throws(ClassName::INCOMPATIBLE));
    }
    if top(state)?.stack.len() < usize::from(arguments) {
        return Err(Stuck::EmptyStack);
    }
    if !may_use(state, owner)? {
        return Ok(Outcome::Done);
    }
    call(state, owner, method, usize::from(arguments))
}

/// Calls a method; the caller keeps its place and its stack until the method returns.
fn call(state: &mut State, owner: ClassName, method: &Method, operands: usize) -> Result<Outcome> {
    let stack = &top(state)?.stack;
    let start = stack.len().checked_sub(operands).ok_or(Stuck::EmptyStack)?;
    let mut locals = Vec::with_capacity(operands + usize::from(method.body.locals));
    locals.extend_from_slice(stack.get(start..).unwrap_or_default());
    state.frames.push(new_frame(owner, method, locals));
    Ok(Outcome::Done)
}

fn leave(program: &Linked<'_>, state: &mut State) -> Result<Outcome> {
    let frame = top(state)?;
    let (class, name) = (frame.class, frame.method);
    if name == MethodName::CLINIT {
        state.static_part_mut(class).ok_or(Stuck::NotInUse(class))?.status = Status::Done;
        state.frames.pop();
        return Ok(Outcome::Done);
    }
    if state.frames.len() == 1 {
        state.frames.pop();
        return Ok(Outcome::Done);
    }
    let (_, method) = program.method(class, name).ok_or(Stuck::NoMethod(class, name))?;
    let result = peek(top(state)?, 0)?;
    state.frames.pop();
    let caller = top(state)?;
    replace(caller, method.operands(), result);
    advance(caller, 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::observe;
    use crate::run::{NoEnd, run, test_program};
    use crate::text::Case;

    type Seen = std::result::Result<String, NoEnd>;

    /// What can be seen when a test with this body is over.
    fn seen(classes: &str, body: &str, dialect: Dialect) -> Seen {
        let text = format!(
            "program\n{classes}\ntest\nclass Test extends Object\nstatic method clinit () void stack 1 locals 0\n\
             push unit\nreturn\nend\nstatic method main () void stack 4 locals 2\n{body}\nend\nend\n"
        );
        let case = Case::parse(&text).expect("is a case");
        let whole = test_program(&case.program, case.tests.first().expect("has a test"));
        let linked = Linked::new(&whole);
        let end = run(&linked, State::start(&linked), dialect, |_| {})?;
        Ok(observe(&linked, &end).lines().next().unwrap_or_default().to_owned())
    }

    const CLASSES: &str = "class C0 extends Object
        static field f0 int
        static method clinit () void stack 1 locals 0
          new RuntimeException
          throw
        end
        method m1 () int stack 1 locals 0
          push 1
          return
        end
        end
        class C1 extends Object
        static method clinit () void stack 1 locals 0
          push unit
          return
        end
        end";

    fn both(body: &str) -> [Seen; 2] {
        [Dialect::Theory, Dialect::HotSpot].map(|dialect| seen(CLASSES, body, dialect))
    }

    #[test]
    fn what_leaves_an_initialiser_is_wrapped_by_hotspot() {
        let threw = |name: &str| Ok(format!("threw {name}"));
        assert_eq!(both("new C0"), [threw("RuntimeException"), threw("ExceptionInInitializerError")]);
    }

    #[test]
    fn a_class_that_failed_cannot_be_used_again() {
        let body = "new C0\npop\nnew C0\nreturn\ncatch 0 1 Throwable at 1 keep 0";
        let wanted = || Ok("threw NoClassDefFoundError".to_owned());
        assert_eq!(both(body), [wanted(), wanted()]);
    }

    #[test]
    fn members_that_are_not_there_and_null_throw() {
        for (body, wanted) in [
            ("push null\ninvoke m1 0", "NullPointerException"),
            ("new C1\ninvoke m1 0", "NoSuchMethodError"),
            ("invokestatic C1 m1 0", "NoSuchMethodError"),
            ("invokestatic C0 m1 0", "IncompatibleClassChangeError"),
            ("getstatic C1 f0 C1", "NoSuchFieldError"),
            ("new C1\ngetfield f0 C1", "NoSuchFieldError"),
            ("new C1\ncheckcast C0", "ClassCastException"),
            ("push null\nthrow", "NullPointerException"),
        ] {
            let wanted = || Ok(format!("threw {wanted}"));
            assert_eq!(both(body), [wanted(), wanted()], "{body}");
        }
    }

    #[test]
    fn hotspot_looks_for_a_field_before_it_looks_at_the_object() {
        let threw = |name: &str| Ok(format!("threw {name}"));
        assert_eq!(
            both("push null\ngetfield f7 C1"),
            [threw("NullPointerException"), threw("NoSuchFieldError")]
        );
    }

    #[test]
    fn nonsense_is_stuck_and_never_panics() {
        for (body, wanted) in [
            ("pop", Stuck::EmptyStack),
            ("add", Stuck::EmptyStack),
            ("push unit\npush 1\nadd", Stuck::WrongValue(Value::Unit)),
            ("load 9", Stuck::NoLocal(9)),
            ("goto -4", Stuck::NoInstruction(u16::MAX)),
            ("push 1", Stuck::NoInstruction(1)),
            ("new C9", Stuck::NoClass(ClassName::wrapped(9))),
            ("push true\nthrow", Stuck::WrongValue(Value::Boolean(true))),
            ("push @99\nthrow", Stuck::WrongValue(Value::Address(99))),
        ] {
            let wanted = || Err(NoEnd::Stuck(wanted));
            assert_eq!(both(body), [wanted(), wanted()], "{body}");
        }
        assert_eq!(both("goto 0"), [Err(NoEnd::OutOfFuel), Err(NoEnd::OutOfFuel)]);
    }
}
