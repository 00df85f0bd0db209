//! Puts a body together, and keeps count of the height of the stack.

use crate::names::ClassName;
use crate::program::{Body, Handler, Instruction, Method, Value};

/// A body that is being written.
#[derive(Debug, Default)]
pub(crate) struct Assembler {
    instructions: Vec<Instruction>,
    handlers: Vec<Handler>,
    height: u8,
    max_height: u8,
}

impl Assembler {
    /// Adds an instruction that changes the height of the stack by this much.
    pub(crate) fn add(&mut self, instruction: Instruction, change: i8) {
        self.instructions.push(instruction);
        self.height = self.height.saturating_add_signed(change);
        self.max_height = self.max_height.max(self.height);
    }

    /// Pushes a constant.
    pub(crate) fn push(&mut self, value: Value) {
        self.add(Instruction::Push(value), 1);
    }

    /// Calls a method, which leaves its result.
    pub(crate) fn call(&mut self, instruction: Instruction, method: &Method) {
        self.add(instruction, 0);
        self.height = self.height.saturating_sub(method.operands() as u8).saturating_add(1);
        self.max_height = self.max_height.max(self.height);
    }

    /// The number of the next instruction.
    pub(crate) fn here(&self) -> u16 {
        u16::try_from(self.instructions.len()).unwrap_or(u16::MAX)
    }

    /// Makes the jump at a place lead to the next instruction.
    pub(crate) fn land(&mut self, jump: u16) {
        let to = self.here();
        self.lead(jump, to);
    }

    /// Makes the jump at a place lead to another.
    pub(crate) fn lead(&mut self, jump: u16, to: u16) {
        let offset = i16::try_from(i32::from(to) - i32::from(jump)).unwrap_or_default();
        let instruction = self.instructions.get_mut(usize::from(jump));
        if let Some(Instruction::Goto(place) | Instruction::IfFalse(place)) = instruction {
            *place = offset;
        }
    }

    /// Protects what was written from a place on by a handler that starts here.
    pub(crate) fn handle(&mut self, start: u16, end: u16, class: ClassName) {
        let target = self.here();
        self.handlers.push(Handler { start, end, class, target, depth: 0 });
        self.height = 1;
        self.max_height = self.max_height.max(1);
    }

    /// Says how high the stack is where no instruction before leads to.
    pub(crate) fn set_height(&mut self, height: u8) {
        self.height = height;
    }

    /// Drops the first instructions, which give local variables from this one on their values, if nothing uses these variables.
    pub(crate) fn drop_unused_start(&mut self, count: u16, first_local: u8) {
        let uses = |instruction: &Instruction| matches!(instruction, Instruction::Load(local) | Instruction::Store(local) if *local >= first_local);
        if self.instructions.iter().skip(usize::from(count)).any(uses) {
            return;
        }
        self.instructions.drain(..usize::from(count).min(self.instructions.len()));
        for handler in &mut self.handlers {
            handler.start = handler.start.saturating_sub(count);
            handler.end = handler.end.saturating_sub(count);
            handler.target = handler.target.saturating_sub(count);
        }
    }

    /// The body.
    pub(crate) fn finish(self, locals: u8) -> Body {
        // A handler asks for room for the exception.
        let max_stack = self.max_height.max(1);
        Body { max_stack, locals, instructions: self.instructions, handlers: self.handlers }
    }
}
