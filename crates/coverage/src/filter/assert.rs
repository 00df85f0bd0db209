//! What javac makes of `assert`: the question whether assertions are on.

use super::body::Body;
use super::matcher::Matcher;
use super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

const FLAG: &str = "$assertionsDisabled";

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    let is_initialiser = body.name == "<clinit>";
    for at in 0..body.len() {
        if is_initialiser {
            initialiser(body, out, at);
        }
        // Something must stand before the question.
        if at > 0 && body.is(at, Opcode::GETSTATIC) {
            question(body, out, at - 1);
        }
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

#[cfg(test)]
mod tests {
    use super::super::test_method::method;

    #[test]
    fn the_question_is_ignored_and_the_check_is_not() {
        method(
            "line 3
             nop
             getstatic a/B.$assertionsDisabled Z
             - ifne end
             aload 0
             ifnonnull end
             aconst_null
             athrow
             end: return",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn the_flag_of_another_class_is_not_asked_by_the_compiler() {
        method(
            "nop
             getstatic a/C.$assertionsDisabled Z
             ifne end
             end: return",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn nothing_is_ignored_without_a_node_in_front() {
        method(
            "getstatic a/B.$assertionsDisabled Z
             ifne end
             end: return",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn the_initialiser_is_ignored() {
        method(
            "- ldc a/B
             - invokevirtual java/lang/Class.desiredAssertionStatus()Z
             - ifne on
             - iconst_1
             - goto set
             - on: iconst_0
             - set: putstatic a/B.$assertionsDisabled Z
             return",
        )
        .named("<clinit>", "()V")
        .check_ignored(super::apply);
    }

    #[test]
    fn elsewhere_the_same_code_is_not() {
        method(
            "ldc a/B
             invokevirtual java/lang/Class.desiredAssertionStatus()Z
             ifne on
             iconst_1
             goto set
             on: iconst_0
             set: putstatic a/B.$assertionsDisabled Z
             return",
        )
        .check_ignored(super::apply);
    }
}
