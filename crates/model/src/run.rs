//! Runs a test on a program to its end.
//!
//! Whoever wants to know what happened on the way is shown every state before its step. A run that does not end in time has no
//! outcome: what was collected until then is worth nothing.

use std::sync::{Arc, LazyLock};

use crate::linked::Linked;
use crate::names::{ClassName, MethodName};
use crate::program::{Body, Class, Instruction, Method, Program};
use crate::state::State;
use crate::step::{Dialect, Stuck, step};

/// More steps than a generated program takes.
pub const FUEL: u32 = 5_000;

/// Why a run has no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoEnd {
    /// It takes too many steps.
    OutOfFuel,
    /// It is stuck.
    Stuck(Stuck),
}

static START: LazyLock<Arc<Class>> = LazyLock::new(|| {
    let instructions = vec![
        Instruction::Invokestatic { class: ClassName::TEST, method: MethodName::MAIN, arguments: 0 },
        Instruction::Return,
    ];
    let body = Body { max_stack: 1, locals: 0, instructions, handlers: Vec::new() };
    let mut class = Class::empty(ClassName::OBJECT);
    class.methods.push(Method::without_result(MethodName::START, body));
    Arc::new(class)
});

/// The program with the test class in front of it.
#[must_use]
pub fn with_test(program: &Program, test: &Arc<Class>) -> Program {
    program.with(ClassName::TEST, Arc::clone(test))
}

/// The program that runs a test: with the test class, and with the class that starts it.
#[must_use]
pub fn test_program(program: &Program, test: &Arc<Class>) -> Program {
    let mut whole = with_test(program, test);
    whole.classes.push((ClassName::START, Arc::clone(&START)));
    whole
}

/// Runs from a state to an end state, and shows every state on the way before its step.
///
/// # Errors
///
/// Fails when there is no end.
pub fn run(
    program: &Linked<'_>,
    mut state: State,
    dialect: Dialect,
    mut before_step: impl FnMut(&State),
) -> Result<State, NoEnd> {
    for _ in 0..FUEL {
        if state.is_end() {
            return Ok(state);
        }
        before_step(&state);
        step(program, &mut state, dialect).map_err(NoEnd::Stuck)?;
    }
    Err(NoEnd::OutOfFuel)
}
