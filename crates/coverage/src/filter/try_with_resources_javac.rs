//! What javac 7 to 10 makes of a `try` with resources: closing on all ways out, in one of four patterns.

use super::body::Body;
use super::matcher::Matcher;
use super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pattern {
    Optimal,
    Full,
    OmittedNullCheck,
    Method,
}

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    for entry in body.list().exceptions() {
        if body.caught(entry.catch_type).is_none_or(|class| class != "java/lang/Throwable") {
            continue;
        }
        let Some(handler) = body.label_node(entry.handler) else { continue };
        for pattern in [Pattern::Optimal, Pattern::Full, Pattern::OmittedNullCheck, Pattern::Method] {
            if apply_at(body, out, handler, pattern) {
                break;
            }
        }
    }
}

fn apply_at(body: &Body<'_, '_, '_>, out: &mut FilterOutput, handler: usize, pattern: Pattern) -> bool {
    let mut matcher = Matcher::standing_at(body, handler);
    matcher.next_is_local(Opcode::ASTORE, "t1");
    matcher.next_is_local(Opcode::ALOAD, "t1");
    matcher.next_is_local(Opcode::ASTORE, "primary");
    matcher.next_is_local(Opcode::ALOAD, "t1");
    matcher.next_is(Opcode::ATHROW);
    matcher.next_is_local(Opcode::ASTORE, "t2");
    next_is_close(&mut matcher, pattern, "e");
    matcher.next_is_local(Opcode::ALOAD, "t2");
    matcher.next_is(Opcode::ATHROW);
    let Some(end) = matcher.at else { return false };
    let found = super::search_back(&mut matcher, handler, |matcher| next_is_close(matcher, pattern, "n"));
    let Some((from, to)) = found else { return false };
    let to = body.next_instruction(to).filter(|&next| body.is(next, Opcode::GOTO)).unwrap_or(to);
    out.ignore(from, to);
    out.ignore(handler, end);
    true
}

fn next_is_close(matcher: &mut Matcher<'_, '_, '_, '_>, pattern: Pattern, context: &str) {
    if matches!(pattern, Pattern::Method | Pattern::Full) {
        matcher.next_is_local(Opcode::ALOAD, "r");
        matcher.next_is(Opcode::IFNULL);
    }
    if matches!(pattern, Pattern::Method | Pattern::Optimal) {
        matcher.next_is_local(Opcode::ALOAD, "primary");
        matcher.next_is_local(Opcode::ALOAD, "r");
        matcher.next_is(Opcode::INVOKESTATIC);
        matcher.require(|body, at| {
            body.member(at).is_some_and(|member| {
                member.name == "$closeResource"
                    && member.descriptor == "(Ljava/lang/Throwable;Ljava/lang/AutoCloseable;)V"
            })
        });
        return;
    }
    matcher.next_is_local(Opcode::ALOAD, "primary");
    matcher.next_is(Opcode::IFNULL);
    matcher.next_is_close("r");
    matcher.next_is(Opcode::GOTO);
    let suppressed = format!("{context}t");
    matcher.next_is_local(Opcode::ASTORE, &suppressed);
    matcher.next_is_local(Opcode::ALOAD, "primary");
    matcher.next_is_local(Opcode::ALOAD, &suppressed);
    matcher.next_is_add_suppressed();
    matcher.next_is(Opcode::GOTO);
    matcher.next_is_close("r");
}
