//! `when` over all cases: the branch that is never taken, and the check for null in front of an enum.

use super::super::body::Body;
use super::super::matcher::Matcher;
use super::super::output::FilterOutput;
use super::super::without_default;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    for at in 0..body.len() {
        if body.is_label(at) {
            throwing_default(body, out, at);
        } else if body.is(at, Opcode::DUP)
            && let Some(end) = null_check_of_enum(body, at)
        {
            out.ignore(at, end);
        }
    }
}

const EXCEPTION: &str = "kotlin/NoWhenBranchMatchedException";

fn throwing_default(body: &Body<'_, '_, '_>, out: &mut FilterOutput, label: usize) {
    let mut matcher = Matcher::standing_at(body, label);
    matcher.next_is_type(Opcode::NEW, EXCEPTION);
    matcher.next_is(Opcode::DUP);
    matcher.next_is_call(Opcode::INVOKESPECIAL, EXCEPTION, "<init>", "()V");
    matcher.next_is(Opcode::ATHROW);
    let Some(end) = matcher.at else { return };
    for at in (0..end).rev() {
        if body.is(at, Opcode::IFEQ) && body.target(at) == Some(label) {
            out.ignore(at, at);
            out.ignore(label, end);
            return;
        }
        if body.is_switch(at) && body.target(at) == Some(label) {
            out.replace(at, without_default(body, at));
            out.ignore(label, end);
            return;
        }
    }
}

fn null_check_of_enum(body: &Body<'_, '_, '_>, dup: usize) -> Option<usize> {
    let mut matcher = Matcher::standing_at(body, dup);
    matcher.next_is(Opcode::IFNONNULL);
    let not_null = body.target(matcher.at?)?;
    matcher.next_is(Opcode::POP);
    matcher.next_is(Opcode::ICONST_M1);
    matcher.next_is(Opcode::GOTO);
    let to_switch = body.target(matcher.at?)?;
    matcher.next_is(Opcode::GETSTATIC);
    let get = matcher.at?;
    let field = body.member(get)?;
    if !field.class.as_bytes().ends_with(b"$WhenMappings")
        || !field.name.as_bytes().starts_with(b"$EnumSwitchMapping$")
        || body.instruction_from(not_null) != Some(get)
    {
        return None;
    }
    matcher.next_is(Opcode::SWAP);
    matcher.next_is(Opcode::INVOKEVIRTUAL);
    matcher.next_is(Opcode::IALOAD);
    matcher.next_is_switch();
    let switch = matcher.at?;
    if body.instruction_from(to_switch) != Some(switch) {
        return None;
    }
    body.raw_previous(switch)
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;

    #[test]
    fn the_default_of_a_switch_is_no_branch() {
        let said = method(
            "iload 1
             tableswitch default one two
             one: return
             two: return
             - default: new kotlin/NoWhenBranchMatchedException
             - dup
             - invokespecial kotlin/NoWhenBranchMatchedException.<init>()V
             - athrow",
        )
        .check(super::apply);
        assert_eq!(said.replacements, [(1, vec![vec![(1, 1)], vec![(1, 2)]])]);
    }

    #[test]
    fn the_last_question_is_ignored() {
        method(
            "aload 1
             instanceof a/One
             - ifeq default
             return
             - default: new kotlin/NoWhenBranchMatchedException
             - dup
             - invokespecial kotlin/NoWhenBranchMatchedException.<init>()V
             - athrow",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn another_exception_is_the_sources() {
        method(
            "aload 1
             instanceof a/One
             ifeq default
             return
             default: new java/lang/IllegalStateException
             dup
             invokespecial java/lang/IllegalStateException.<init>()V
             athrow",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn the_check_for_null_of_an_enum_is_ignored() {
        method(
            "aload 1
             - dup
             - ifnonnull mapped
             - pop
             - iconst_m1
             - goto choose
             - mapped: getstatic a/B$WhenMappings.$EnumSwitchMapping$0 [I
             - swap
             - invokevirtual a/E.ordinal()I
             - iaload
             choose: tableswitch end one
             one: nop
             end: return",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn another_map_is_the_sources() {
        method(
            "aload 1
             dup
             ifnonnull mapped
             pop
             iconst_m1
             goto choose
             mapped: getstatic a/B$Other.$EnumSwitchMapping$0 [I
             swap
             invokevirtual a/E.ordinal()I
             iaload
             choose: tableswitch end one
             one: nop
             end: return",
        )
        .check_ignored(super::apply);
    }
}
