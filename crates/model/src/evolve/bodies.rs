//! Edits of bodies.

use crate::generate::Assembler;
use crate::linked::Linked;
use crate::names::ClassName;
use crate::program::{Body, Instruction, Program, Value};
use crate::random::Chance;

/// Puts instructions in front of one. Jumps to that one lead to what was put there.
pub(super) fn insert(body: &mut Body, at: u16, added: &[Instruction]) {
    let count = u16::try_from(added.len()).unwrap_or_default();
    let target_moved = |place: u16| if place > at { place + count } else { place };
    let moved = |place: u16| if place >= at { place + count } else { place };
    for (place, instruction) in (0..).zip(&mut body.instructions) {
        if let Instruction::Goto(offset) | Instruction::IfFalse(offset) = instruction {
            let target = u16::checked_add_signed(place, *offset).map_or(0, target_moved);
            *offset = i16::try_from(i32::from(target) - i32::from(moved(place))).unwrap_or_default();
        }
    }
    for handler in &mut body.handlers {
        handler.start = target_moved(handler.start);
        handler.end = target_moved(handler.end);
        handler.target = target_moved(handler.target);
    }
    let at = usize::from(at).min(body.instructions.len());
    body.instructions.splice(at..at, added.iter().copied());
    body.max_stack = body.max_stack.max(2);
}

/// Puts something that does nothing somewhere.
pub(super) fn insert_nothing(chance: &mut Chance, body: &mut Body) -> Option<()> {
    let at = chance.below(body.instructions.len());
    insert(body, u16::try_from(at).ok()?, &[Instruction::Push(Value::Unit), Instruction::Pop]);
    body.max_stack = body.max_stack.saturating_add(1);
    Some(())
}

/// Makes all numbers of a body larger by one; none if there are no numbers.
pub(super) fn increase_constants(body: &mut Body) -> Option<()> {
    let mut is_changed = false;
    for instruction in &mut body.instructions {
        if let Instruction::Push(Value::Integer(number)) = instruction {
            *number = number.wrapping_add(1);
            is_changed = true;
        }
    }
    is_changed.then_some(())
}

/// Changes one number.
pub(super) fn change_constant(chance: &mut Chance, body: &mut Body) -> Option<()> {
    let numbers: Vec<usize> = (0..body.instructions.len())
        .filter(|at| matches!(body.instructions.get(*at), Some(Instruction::Push(Value::Integer(_)))))
        .collect();
    let at = *chance.pick(&numbers)?;
    let instruction = body.instructions.get_mut(at)?;
    *instruction = Instruction::Push(Value::Integer(7 + chance.below(3) as i32));
    Some(())
}

/// Makes a handler catch something else.
pub(super) fn change_catch(chance: &mut Chance, program: &Program, body: &mut Body) -> Option<()> {
    let at = chance.below(body.handlers.len());
    let class = throwable(chance, program);
    body.handlers.get_mut(at)?.class = class;
    Some(())
}

/// Makes a branch lead one further or one less far.
pub(super) fn change_branch(chance: &mut Chance, body: &mut Body) -> Option<()> {
    let branches: Vec<usize> = (0..body.instructions.len())
        .filter(|at| {
            matches!(body.instructions.get(*at), Some(Instruction::Goto(_) | Instruction::IfFalse(_)))
        })
        .collect();
    let at = *chance.pick(&branches)?;
    let change = if chance.percent(50) { 2 } else { -2 };
    if let Some(Instruction::Goto(offset) | Instruction::IfFalse(offset)) = body.instructions.get_mut(at) {
        *offset = offset.saturating_add(change);
    }
    Some(())
}

/// The body of an initialiser that throws.
pub(super) fn throwing(chance: &mut Chance, program: &Program) -> Body {
    let mut code = Assembler::default();
    code.add(Instruction::New(throwable(chance, program)), 1);
    code.add(Instruction::Throw, -1);
    code.finish(0)
}

/// A class that can be thrown.
fn throwable(chance: &mut Chance, program: &Program) -> ClassName {
    let linked = Linked::new(program);
    let mut classes = vec![ClassName::ERROR, ClassName::NULL_POINTER];
    let names = program.classes.iter().map(|(name, _)| *name);
    classes.extend(names.filter(|name| linked.is_below(*name, ClassName::THROWABLE)));
    chance.pick(&classes).copied().unwrap_or(ClassName::ERROR)
}
