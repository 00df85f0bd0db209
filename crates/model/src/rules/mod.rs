//! One step of the machine once more, as a table of rules.
//!
//! It exists to be compared with [`crate::step`], so it shares nothing with it: rules look at the lists of the program
//! instead of at worked-out tables, never change a state but write a new one, and all of them are tried, so that two rules that
//! apply at once are found. It is slow and follows the theory's dialect only.

mod instructions;
mod lookup;
mod procedure;

use crate::names::ClassName;
use crate::program::{Address, Instruction, Program, Type, Value};
use crate::state::{Frame, Initialisation, Object, State, StaticPart, Status, system_exception};

/// A rule: its name, and what it makes of a state if it applies.
pub struct Rule {
    /// The name.
    pub name: &'static str,
    apply: fn(&Now<'_>) -> Option<State>,
}

const fn rule(name: &'static str, apply: fn(&Now<'_>) -> Option<State>) -> Rule {
    Rule { name, apply }
}

/// All rules.
pub fn rules() -> impl Iterator<Item = &'static Rule> {
    procedure::RULES.iter().chain(instructions::RULES)
}

/// What the rules that apply make of a state, by their names. There should be one or none.
#[must_use]
pub fn successors(program: &Program, state: &State) -> Vec<(&'static str, State)> {
    let Some((frame, rest)) = state.frames.split_last() else { return Vec::new() };
    if state.thrown.is_some() {
        return Vec::new();
    }
    let now = Now { program, state, frame, rest, instruction: lookup::instruction(program, frame) };
    rules().filter_map(|rule| Some((rule.name, (rule.apply)(&now)?))).collect()
}

/// A state that is not an end state, as rules see it.
struct Now<'a> {
    program: &'a Program,
    state: &'a State,
    frame: &'a Frame,
    rest: &'a [Frame],
    /// The next instruction, if the frame is not busy with initialising classes.
    instruction: Option<Instruction>,
}

impl Now<'_> {
    /// The state with another running frame.
    fn with_frame(&self, frame: Frame) -> State {
        self.with_frames(self.rest, [frame])
    }

    fn with_frames(&self, below: &[Frame], above: impl IntoIterator<Item = Frame>) -> State {
        State { frames: below.iter().cloned().chain(above).collect(), ..self.state.clone() }
    }

    /// The running frame with another stack, at another place.
    fn moved(&self, stack: Vec<Value>, offset: i16) -> Frame {
        let at = self.frame.at.checked_add_signed(offset).unwrap_or(u16::MAX);
        Frame { stack, at, ..self.frame.clone() }
    }

    /// As [`Self::moved`] for the next instruction, behind a check for initialisation.
    fn moved_on(&self, stack: Vec<Value>) -> Frame {
        Frame { initialisation: Initialisation::None, ..self.moved(stack, 1) }
    }

    fn with_initialisation(&self, initialisation: Initialisation) -> State {
        self.with_frame(Frame { initialisation, ..self.frame.clone() })
    }

    /// The values on top, the uppermost last, and those below.
    fn operands<const N: usize>(&self) -> Option<([Value; N], Vec<Value>)> {
        let (below, top) = self.frame.stack.split_last_chunk::<N>()?;
        Some((*top, below.to_vec()))
    }

    fn status(&self, class: ClassName) -> Option<Status> {
        self.state.statics.iter().find(|part| part.class == class).map(|part| part.status)
    }

    /// Whether a check for initialisation passes.
    fn passes(&self, class: ClassName) -> bool {
        self.frame.initialisation == Initialisation::Called(Vec::new())
            || self.status(class) == Some(Status::Done)
    }

    /// The state in which the initialisation of a class is called, if it must be.
    fn call_initialisation(&self, class: ClassName) -> Option<State> {
        let calls = !self.passes(class);
        calls.then(|| self.with_initialisation(Initialisation::Calling(class, Vec::new())))
    }

    fn object(&self, address: Address) -> Option<&Object> {
        self.state.heap.get(address as usize)
    }

    /// Throws a system exception.
    fn throws(&self, class: ClassName) -> Option<State> {
        self.raises(system_exception(class)?)
    }

    /// Looks for a handler in one frame after the other.
    fn raises(&self, exception: Address) -> Option<State> {
        let class = self.object(exception)?.class;
        let (frame, below) = self.state.frames.split_last()?;
        find_handler(self, class, exception, frame, below)
    }
}

fn find_handler(
    now: &Now<'_>,
    class: ClassName,
    exception: Address,
    frame: &Frame,
    below: &[Frame],
) -> Option<State> {
    let body = lookup::body(now.program, frame)?;
    let superclasses = lookup::superclasses(now.program, class);
    let fits = body
        .handlers
        .iter()
        .find(|entry| (entry.start..entry.end).contains(&frame.at) && superclasses.contains(&entry.class));
    if let Some(entry) = fits {
        let kept = frame.stack.iter().take(usize::from(entry.depth)).copied();
        let stack = kept.chain([Value::Address(exception)]).collect();
        let initialisation = Initialisation::None;
        return Some(
            now.with_frames(below, [Frame { stack, at: entry.target, initialisation, ..frame.clone() }]),
        );
    }
    let Some((next, rest)) = below.split_last() else {
        return Some(State { thrown: Some(exception), frames: Vec::new(), ..now.state.clone() });
    };
    if frame.method != crate::names::MethodName::CLINIT {
        return find_handler(now, class, exception, next, rest);
    }
    let Initialisation::Called(waiting) = &next.initialisation else { return None };
    let failed = waiting.iter().copied().chain([frame.class]).collect();
    let initialisation = Initialisation::Throwing(failed, exception);
    Some(now.with_frames(rest, [Frame { initialisation, ..next.clone() }]))
}

/// The static parts with one of them changed.
fn with_status(parts: &[StaticPart], class: ClassName, status: Status) -> Option<Vec<StaticPart>> {
    let mut parts = parts.to_vec();
    parts.iter_mut().find(|part| part.class == class)?.status = status;
    Some(parts)
}

/// What a local variable or a field of a type has at first.
fn default_of(kind: Type) -> Value {
    match kind {
        Type::Void => Value::Unit,
        Type::Boolean => Value::Boolean(false),
        Type::Integer => Value::Integer(0),
        Type::Null | Type::Class(_) => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn rules_have_names_of_their_own() {
        let names: BTreeSet<&str> = rules().map(|rule| rule.name).collect();
        assert_eq!(names.len(), rules().count());
        assert!(names.len() >= 50, "{}", names.len());
    }
}
