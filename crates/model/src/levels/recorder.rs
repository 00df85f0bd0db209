//! Records a trace while a program runs.

use super::Trace;
use crate::collectors::Collector;
use crate::linked::Linked;
use crate::names::{ClassName, MethodName};
use crate::program::{Handler, Instruction};
use crate::state::{Initialisation, State};
use crate::step::body_of;

/// Watches a run. It is shown every state before its step, and the last.
#[derive(Debug)]
pub struct Recorder<'l, 'p> {
    program: &'l Linked<'p>,
    trace: Trace,
    /// The calls as they were last seen.
    calls: Vec<Call>,
}

#[derive(Clone, Copy, Debug)]
struct Call {
    class: ClassName,
    method: MethodName,
    at: u16,
    instruction: Option<Instruction>,
}

impl<'l, 'p> Recorder<'l, 'p> {
    /// A recorder that has seen nothing.
    #[must_use]
    pub fn new(program: &'l Linked<'p>) -> Self {
        let trace = Trace { touched: Collector::Repaired.start(program), ..Trace::default() };
        Self { program, trace, calls: Vec::new() }
    }

    /// Takes note of a state.
    pub fn see(&mut self, state: &State) {
        self.leave(state.frames.len());
        let Some(frame) = state.frames.last() else { return };
        self.trace.touched = self.trace.touched.union(Collector::Repaired.collect(self.program, state));
        let body = body_of(self.program, frame).ok();
        let instruction = body.and_then(|body| body.instructions.get(usize::from(frame.at)).copied());
        let call = Call { class: frame.class, method: frame.method, at: frame.at, instruction };
        let is_new = self.calls.len() < state.frames.len();
        let of_body = self.trace.entered.entry((frame.class, frame.method)).or_default();
        if matches!(&frame.initialisation, Initialisation::None | Initialisation::Called(_)) {
            of_body.run.insert(frame.at);
        }
        if is_new {
            self.calls.push(call);
        } else if let Some(before) = self.calls.last_mut() {
            if before.at != frame.at || leads_to_itself(before.instruction) {
                note_way(of_body, before, frame.at);
            }
            // Where a handler starts behind what it protects, both ways are noted: too much is never wrong.
            let handles = |handler: &Handler| handler.covers(before.at) && handler.target == frame.at;
            if body.is_some_and(|body| body.handlers.iter().any(handles)) {
                of_body.exceptions.insert((before.at, Some(frame.at)));
            }
            *before = call;
        }
    }

    /// The trace, once the last state was seen.
    #[must_use]
    pub fn finish(mut self, end: &State) -> Trace {
        self.leave(end.frames.len());
        self.trace
    }

    /// Calls that are over: the last one may have returned, all others were left by an exception.
    fn leave(&mut self, left: usize) {
        let mut is_last = true;
        while self.calls.len() > left {
            let Some(call) = self.calls.pop() else { return };
            if !(is_last && call.instruction == Some(Instruction::Return)) {
                let of_body = self.trace.entered.entry((call.class, call.method)).or_default();
                of_body.exceptions.insert((call.at, None));
            }
            is_last = false;
        }
    }
}

fn leads_to_itself(instruction: Option<Instruction>) -> bool {
    matches!(instruction, Some(Instruction::Goto(0) | Instruction::IfFalse(0)))
}

/// Takes note of the way from one instruction to another, unless only an exception can have gone it.
fn note_way(of_body: &mut super::BodyTrace, before: &Call, to: u16) {
    let targets: [Option<i16>; 2] = match before.instruction {
        Some(Instruction::Goto(offset)) => [Some(offset), None],
        Some(Instruction::IfFalse(offset)) => [Some(1), Some(offset)],
        _ => [Some(1), None],
    };
    let mut targets = targets.into_iter().flatten();
    if targets.any(|offset| before.at.checked_add_signed(offset) == Some(to)) {
        of_body.ways.insert((before.at, to));
    }
}
