//! Calls into the agent that are put into methods: when they are entered, and when they are left in whatever way.
//!
//! A hook calls a static method that every class can see and gives it numbers and objects that the method was called with.
//! It changes no local variable and no result; the method that it calls must not throw.

use probity_classfile::attribute::Code;
use probity_classfile::edit::{EditError, PoolAppender};
use probity_classfile::opcode::{Flow, Opcode};
use probity_classfile::pool::Constant;
use probity_classfile::rewrite::BodyPatch;

/// A hook of one method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodHook {
    /// The position of the method in the class.
    pub method: usize,
    /// What is called when it is entered.
    pub enter: HookCall,
    /// What is called when it returns or is left by an exception. A constructor cannot have this, and it can be given no local
    /// variables: where an exception leaves the method they are not known.
    pub leave: Option<HookCall>,
}

/// A call of a static method that returns nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HookCall {
    /// The internal name of the class.
    pub class: &'static str,
    /// The name of the method.
    pub name: &'static str,
    /// Its descriptor.
    pub descriptor: &'static str,
    /// What it is given, in its order.
    pub arguments: Vec<HookArgument>,
}

/// What a hook gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookArgument {
    /// A number.
    Number(i32),
    /// The object in a local variable, at the entry.
    Object(u16),
    /// The number in a local variable, at the entry.
    NumberIn(u16),
    /// No object.
    Null,
}

impl MethodHook {
    /// Adds the call at the entry. It must come first, so that all else that is at the entry counts as inside.
    pub(crate) fn add_enter(&self, patch: &mut BodyPatch, pool: &mut PoolAppender) -> Result<(), EditError> {
        patch.on_fall_through(0, &self.enter.code(pool)?);
        patch.needs_stack(self.enter.stack());
        Ok(())
    }

    /// Adds the calls at the exits. They must come last, so that all else that is there counts as inside.
    pub(crate) fn add_leave(
        &self,
        code: &Code<'_>,
        patch: &mut BodyPatch,
        pool: &mut PoolAppender,
    ) -> Result<(), EditError> {
        let Some(leave) = &self.leave else { return Ok(()) };
        let call = leave.code(pool)?;
        for instruction in code.instructions() {
            let instruction = instruction?;
            if instruction.opcode.flow() == Flow::Return {
                patch.before(instruction.pc, &call);
            }
        }
        patch.on_escape(&call);
        // The exception is below what the call is given.
        patch.needs_stack(leave.stack() + 1);
        Ok(())
    }
}

impl HookCall {
    fn code(&self, pool: &mut PoolAppender) -> Result<Vec<u8>, EditError> {
        let mut code = Vec::new();
        for argument in &self.arguments {
            argument.push(&mut code, pool)?;
        }
        code.push(Opcode::INVOKESTATIC.0);
        code.extend(pool.method(self.class, self.name, self.descriptor)?.to_be_bytes());
        Ok(code)
    }

    fn stack(&self) -> u16 {
        self.arguments.len() as u16
    }
}

impl HookArgument {
    fn push(self, code: &mut Vec<u8>, pool: &mut PoolAppender) -> Result<(), EditError> {
        match self {
            Self::Null => code.push(Opcode::ACONST_NULL.0),
            Self::Number(number) => push_number(number, code, pool)?,
            Self::Object(local) => push_local(Opcode::ALOAD, local, code),
            Self::NumberIn(local) => push_local(Opcode::ILOAD, local, code),
        }
        Ok(())
    }
}

fn push_local(load: Opcode, local: u16, code: &mut Vec<u8>) {
    match u8::try_from(local) {
        Ok(local) => code.extend([load.0, local]),
        Err(_) => {
            code.extend([Opcode::WIDE.0, load.0]);
            code.extend(local.to_be_bytes());
        }
    }
}

/// Appends the shortest instruction that pushes a number.
pub(crate) fn push_number(number: i32, code: &mut Vec<u8>, pool: &mut PoolAppender) -> Result<(), EditError> {
    match number {
        0..=5 => code.push(Opcode::ICONST_0.0 + number as u8),
        6..=127 => code.extend([Opcode::BIPUSH.0, number as u8]),
        128..=32_767 => {
            let [high, low] = (number as u16).to_be_bytes();
            code.extend([Opcode::SIPUSH.0, high, low]);
        }
        _ => {
            let [high, low] = pool.add(&Constant::Integer(number))?.to_be_bytes();
            code.extend([Opcode::LDC_W.0, high, low]);
        }
    }
    Ok(())
}
