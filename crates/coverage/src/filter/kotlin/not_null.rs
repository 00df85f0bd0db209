//! The check of `!!`.

use super::super::body::Body;
use super::super::matcher::Matcher;
use super::super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    for at in 0..body.len() {
        if body.is(at, Opcode::IFNONNULL) {
            let mut matcher = Matcher::standing_at(body, at);
            matcher.next_is_call(Opcode::INVOKESTATIC, "kotlin/jvm/internal/Intrinsics", "throwNpe", "()V");
            if let Some(end) = matcher.at {
                out.ignore(at, end);
            }
        }
    }
}
