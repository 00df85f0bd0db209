//! What javac makes of a `switch` on strings: a first switch that finds the case's number.

use super::body::Body;
use super::matcher::Matcher;
use super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if !body.has_switch() {
        return;
    }
    for at in 0..body.len() {
        if body.is_switch(at) {
            apply_to(body, out, at);
        }
    }
}

fn apply_to(body: &Body<'_, '_, '_>, out: &mut FilterOutput, switch: usize) {
    let Some(start) = fourth_before(body, switch) else { return };
    let Some(default) = body.target(switch) else { return };
    if !body.is(start, Opcode::ICONST_M1) {
        return;
    }
    let mut matcher = Matcher::standing_at(body, start);
    matcher.next_is_local(Opcode::ISTORE, "c");
    matcher.next_is_local(Opcode::ALOAD, "s");
    matcher.next_is_call(Opcode::INVOKEVIRTUAL, "java/lang/String", "hashCode", "()I");
    matcher.next();
    matcher.require(|_, at| at == switch);
    loop {
        matcher.next_is_local(Opcode::ALOAD, "s");
        matcher.next_is(Opcode::LDC);
        matcher.next_is_call(Opcode::INVOKEVIRTUAL, "java/lang/String", "equals", "(Ljava/lang/Object;)Z");
        matcher.next_is(Opcode::IFEQ);
        matcher.next();
        matcher.next_is_local(Opcode::ISTORE, "c");
        let Some(at) = matcher.at else { return };
        if body.raw_next(at) == Some(default) {
            break;
        }
        matcher.next_is(Opcode::GOTO);
        matcher.require(|body, at| body.target(at) == Some(default));
    }
    matcher.next_is_local(Opcode::ILOAD, "c");
    matcher.next_is_switch();
    if matcher.holds() {
        out.ignore(switch, default);
    }
}

/// The fourth node before a switch, labels not counted.
fn fourth_before(body: &Body<'_, '_, '_>, switch: usize) -> Option<usize> {
    let mut at = switch;
    for _ in 0..4 {
        at = body.raw_previous(at)?;
        while body.is_label(at) {
            at = body.raw_previous(at)?;
        }
    }
    Some(at)
}

#[cfg(test)]
mod tests {
    use super::super::test_method::method;

    #[test]
    fn the_switch_that_finds_the_number_is_ignored() {
        method(
            "iconst_m1
             istore 2
             aload 1
             invokevirtual java/lang/String.hashCode()I
             - lookupswitch second one two
             - one: aload 1
             - ldc \"a\"
             - invokevirtual java/lang/String.equals(Ljava/lang/Object;)Z
             - ifeq second
             - iconst_0
             - istore 2
             - goto second
             - two: aload 1
             - ldc \"b\"
             - invokevirtual java/lang/String.equals(Ljava/lang/Object;)Z
             - ifeq second
             - iconst_1
             - istore 2
             second: iload 2
             lookupswitch end first
             first: nop
             end: return",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn a_number_in_another_variable_is_not_the_compilers() {
        method(
            "iconst_m1
             istore 2
             aload 1
             invokevirtual java/lang/String.hashCode()I
             lookupswitch second one two
             one: aload 1
             ldc \"a\"
             invokevirtual java/lang/String.equals(Ljava/lang/Object;)Z
             ifeq second
             iconst_0
             istore 2
             goto second
             two: aload 1
             ldc \"b\"
             invokevirtual java/lang/String.equals(Ljava/lang/Object;)Z
             ifeq second
             iconst_1
             istore 3
             second: iload 2
             lookupswitch end first
             first: nop
             end: return",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn a_switch_on_something_else_is_not() {
        method(
            "iload 1
             lookupswitch end one
             one: nop
             end: return",
        )
        .check_ignored(super::apply);
    }
}
