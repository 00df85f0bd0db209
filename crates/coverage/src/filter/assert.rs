//! What javac makes of `assert`: the question whether assertions are on.

use super::body::Body;
use super::matcher::Matcher;
use super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

const FLAG: &str = "$assertionsDisabled";

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    for at in 0..body.len() {
        if body.name == "<clinit>" {
            initialiser(body, out, at);
        }
        question(body, out, at);
    }
}

fn initialiser(body: &Body<'_, '_, '_>, out: &mut FilterOutput, start: usize) {
    let mut matcher = Matcher::standing_at(body, start);
    matcher.next_is_call(Opcode::INVOKEVIRTUAL, "java/lang/Class", "desiredAssertionStatus", "()Z");
    matcher.next_is(Opcode::IFNE);
    matcher.next_is(Opcode::ICONST_1);
    matcher.next_is(Opcode::GOTO);
    matcher.next_is(Opcode::ICONST_0);
    matcher.next_is_field(Opcode::PUTSTATIC, body.class.name.as_bytes(), FLAG, "Z");
    if let Some(end) = matcher.at {
        out.ignore(start, end);
    }
}

fn question(body: &Body<'_, '_, '_>, out: &mut FilterOutput, start: usize) {
    let mut matcher = Matcher::standing_at(body, start);
    matcher.next_is_field(Opcode::GETSTATIC, body.class.name.as_bytes(), FLAG, "Z");
    matcher.next_is(Opcode::IFNE);
    if let Some(jump) = matcher.at {
        out.ignore(jump, jump);
    }
}
