//! The handler that releases the lock of a `synchronized` block.

use super::body::Body;
use super::matcher::Matcher;
use super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    for entry in body.list().exceptions() {
        if entry.catch_type != 0 || entry.start == entry.handler {
            continue;
        }
        let Some(handler) = body.label_node(entry.handler) else { continue };
        if let Some(end) = javac(body, handler).or_else(|| ecj(body, handler)) {
            out.ignore(handler, end);
        }
    }
}

fn javac(body: &Body<'_, '_, '_>, handler: usize) -> Option<usize> {
    let mut matcher = Matcher::standing_at(body, handler);
    matcher.next_is_local(Opcode::ASTORE, "t");
    matcher.next_is(Opcode::ALOAD);
    matcher.next_is(Opcode::MONITOREXIT);
    matcher.next_is_local(Opcode::ALOAD, "t");
    matcher.next_is(Opcode::ATHROW);
    matcher.at
}

fn ecj(body: &Body<'_, '_, '_>, handler: usize) -> Option<usize> {
    let mut matcher = Matcher::standing_at(body, handler);
    matcher.next_is(Opcode::ALOAD);
    matcher.next_is(Opcode::MONITOREXIT);
    matcher.next_is(Opcode::ATHROW);
    matcher.at
}
