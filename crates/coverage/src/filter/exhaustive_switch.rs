//! The default of a switch over all constants of an enum or all permitted subclasses: it throws and is never reached.

use super::body::Body;
use super::matcher::Matcher;
use super::output::FilterOutput;
use probity_classfile::opcode::Opcode;
use probity_instrument::list::Node;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if !body.has_switch() {
        return;
    }
    let mut line = -1;
    for at in 0..body.len() {
        if let Some(Node::Line { line: number, .. }) = body.node(at) {
            line = i32::from(*number);
        }
        if body.is_switch(at)
            && let Some(default) = body.target(at)
            && let Some(end) = throwing_default(body, default, line)
        {
            out.ignore(default, end);
            out.replace(at, super::without_default(body, at));
        }
    }
}

/// The end of a default that throws what no program throws itself, on the line of the switch.
fn throwing_default(body: &Body<'_, '_, '_>, default: usize, line: i32) -> Option<usize> {
    let mut at = default;
    loop {
        match body.node(at)? {
            Node::Label(_) | Node::Frame => {}
            Node::Line { line: number, .. } if i32::from(*number) == line => {}
            Node::Line { .. } => return None,
            Node::Instruction(_) => break,
        }
        at += 1;
    }
    if !body.is(at, Opcode::NEW) {
        return None;
    }
    let mut matcher = Matcher::standing_at(body, at);
    if body.class_name(at)? == "java/lang/MatchException" {
        matcher.next_is(Opcode::DUP);
        matcher.next_is(Opcode::ACONST_NULL);
        matcher.next_is(Opcode::ACONST_NULL);
        matcher.next_is_call(
            Opcode::INVOKESPECIAL,
            "java/lang/MatchException",
            "<init>",
            "(Ljava/lang/String;Ljava/lang/Throwable;)V",
        );
    } else if body.class_name(at)? == "java/lang/IncompatibleClassChangeError" {
        matcher.next_is(Opcode::DUP);
        matcher.next_is_call(
            Opcode::INVOKESPECIAL,
            "java/lang/IncompatibleClassChangeError",
            "<init>",
            "()V",
        );
    } else {
        return None;
    }
    matcher.next_is(Opcode::ATHROW);
    matcher.at
}

#[cfg(test)]
mod tests {
    use super::super::test_method::method;

    #[test]
    fn a_default_that_is_never_reached_is_no_branch() {
        let said = method(
            "line 5
             iload 1
             tableswitch default one two
             one: return
             two: return
             default: line 5
             - new java/lang/MatchException
             - dup
             - aconst_null
             - aconst_null
             - invokespecial java/lang/MatchException.<init>(Ljava/lang/String;Ljava/lang/Throwable;)V
             - athrow",
        )
        .check(super::apply);
        assert_eq!(said.replacements, [(1, vec![vec![(1, 1)], vec![(1, 2)]])]);
    }

    #[test]
    fn a_default_on_another_line_is_the_sources() {
        method(
            "line 5
             iload 1
             tableswitch default one two
             one: return
             two: return
             default: line 6
             new java/lang/MatchException
             dup
             aconst_null
             aconst_null
             invokespecial java/lang/MatchException.<init>(Ljava/lang/String;Ljava/lang/Throwable;)V
             athrow",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn the_older_exception_is_known_too() {
        let said = method(
            "iload 1
             lookupswitch default one
             one: return
             - default: new java/lang/IncompatibleClassChangeError
             - dup
             - invokespecial java/lang/IncompatibleClassChangeError.<init>()V
             - athrow",
        )
        .check(super::apply);
        assert_eq!(said.replacements, [(1, vec![vec![(1, 1)]])]);
    }

    #[test]
    fn other_exceptions_are_the_sources() {
        method(
            "iload 1
             lookupswitch default one
             one: return
             default: new java/lang/IllegalStateException
             dup
             invokespecial java/lang/IllegalStateException.<init>()V
             athrow",
        )
        .check_ignored(super::apply);
    }
}
