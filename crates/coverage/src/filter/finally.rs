//! The copies that compilers make of a `finally` block: they count as one.

use super::body::Body;
use super::output::FilterOutput;
use probity_classfile::opcode::{Flow, Opcode};
use probity_instrument::list::ExceptionNode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    for entry in body.list().exceptions() {
        if entry.catch_type == 0 {
            apply_to(body, out, entry);
        }
    }
}

/// The block in the handler, with which its copies are compared.
struct Block {
    /// The instruction that stores the exception.
    store: usize,
    /// The instructions of the block.
    instructions: Vec<usize>,
    /// The instructions that throw the exception again.
    rethrow: [usize; 2],
}

fn apply_to(body: &Body<'_, '_, '_>, out: &mut FilterOutput, entry: &ExceptionNode) {
    let Some(block) = block_of(body, entry) else { return };
    let inside = inside(body, entry);
    let is_inside = |at: usize| inside.get(at) == Some(&true);
    for other in body.list().exceptions() {
        let (Some(start), Some(end)) = (body.label_node(other.start), body.label_node(other.end)) else {
            continue;
        };
        if other.handler == entry.handler {
            for at in start..end {
                let jump =
                    body.opcode(at).is_some_and(|opcode| matches!(opcode.flow(), Flow::Branch | Flow::Goto));
                if jump && let Some(target) = body.target(at).and_then(|label| body.instruction_from(label)) {
                    merge_unless(is_inside(target), body, out, &block, target);
                }
            }
            let last = body.previous_instruction(end);
            let falls_through = last
                .and_then(|at| body.opcode(at))
                .is_some_and(|opcode| !matches!(opcode.flow(), Flow::Goto | Flow::Return | Flow::Throw));
            if falls_through && let Some(next) = body.instruction_from(end) {
                merge_unless(is_inside(next), body, out, &block, next);
            }
        }
        if !std::ptr::eq(other, entry) && other.start == entry.start && other.end == entry.end {
            let first = body.label_node(other.handler).and_then(|label| body.instruction_from(label));
            if let Some(second) = first.and_then(|first| body.next_instruction(first)) {
                merge_unless(is_inside(second), body, out, &block, second);
            }
        }
    }
}

fn block_of(body: &Body<'_, '_, '_>, entry: &ExceptionNode) -> Option<Block> {
    let store = body.instruction_from(body.label_node(entry.handler)?)?;
    if !body.is(store, Opcode::ASTORE) {
        return None;
    }
    let exception = body.local(store)?;
    let mut instructions = Vec::new();
    let mut at = body.next_instruction(store)?;
    while !(body.is(at, Opcode::ALOAD) && body.local(at) == Some(exception)) {
        instructions.push(at);
        at = body.next_instruction(at)?;
    }
    let throw = body.next_instruction(at).filter(|&throw| body.is(throw, Opcode::ATHROW))?;
    (!instructions.is_empty()).then_some(Block { store, instructions, rethrow: [at, throw] })
}

/// Which nodes lie in a range of the same handler.
fn inside(body: &Body<'_, '_, '_>, entry: &ExceptionNode) -> Vec<bool> {
    let mut inside = vec![false; body.len()];
    for other in body.list().exceptions().iter().filter(|other| other.handler == entry.handler) {
        if let (Some(start), Some(end)) = (body.label_node(other.start), body.label_node(other.end))
            && let Some(nodes) = inside.get_mut(start..end)
        {
            nodes.fill(true);
        }
    }
    inside
}

fn merge_unless(inside: bool, body: &Body<'_, '_, '_>, out: &mut FilterOutput, block: &Block, copy: usize) {
    if inside {
        return;
    }
    let mut copies = Vec::with_capacity(block.instructions.len());
    let mut next = Some(copy);
    for &original in &block.instructions {
        let Some(at) = next else { return };
        if body.opcode(at) != body.opcode(original) {
            return;
        }
        copies.push(at);
        next = body.next_instruction(at);
    }
    out.ignore(block.store, block.store);
    for (&original, at) in block.instructions.iter().zip(copies) {
        out.merge(original, at);
    }
    for at in block.rethrow {
        out.ignore(at, at);
    }
    if let Some(goto) = next.filter(|&at| body.is(at, Opcode::GOTO)) {
        out.ignore(goto, goto);
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_method::method;

    #[test]
    fn copies_of_the_block_count_as_one() {
        let said = method(
            "start: invokestatic a/B.body()V
             end: iconst_1
             pop
             - goto behind
             - handler: astore 1
             iconst_1
             pop
             - aload 1
             - athrow
             behind: return
             catch start end handler any",
        )
        .check(super::apply);
        assert_eq!(said.merges, [(5, 1), (6, 2)]);
    }

    #[test]
    fn what_is_not_a_copy_stays() {
        method(
            "start: invokestatic a/B.body()V
             end: iconst_2
             pop
             goto behind
             handler: astore 1
             iconst_1
             pop
             aload 1
             athrow
             behind: return
             catch start end handler any",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn a_handler_that_does_not_throw_again_is_no_finally() {
        method(
            "start: invokestatic a/B.body()V
             end: iconst_1
             pop
             goto behind
             handler: astore 1
             iconst_1
             pop
             aload 1
             pop
             behind: return
             catch start end handler any",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn the_copy_behind_a_catch_of_the_same_range_counts_too() {
        let said = method(
            "start: invokestatic a/B.body()V
             end: return
             caught: astore 1
             iconst_1
             pop
             - goto behind
             - handler: astore 2
             iconst_1
             pop
             - aload 2
             - athrow
             behind: return
             catch start end caught java/lang/Exception
             catch start end handler any",
        )
        .check(super::apply);
        assert_eq!(said.merges, [(7, 3), (8, 4)]);
    }
}
