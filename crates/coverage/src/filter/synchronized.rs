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

#[cfg(test)]
mod tests {
    use super::super::test_method::method;

    #[test]
    fn the_handler_of_javac_is_ignored() {
        method(
            "start: invokestatic a/B.body()V
             aload 1
             monitorexit
             end: goto behind
             - handler: astore 2
             - aload 1
             - monitorexit
             - handlerEnd: aload 2
             - athrow
             behind: return
             catch start end handler any
             catch handler handlerEnd handler any",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn the_handler_of_ecj_is_ignored() {
        method(
            "start: invokestatic a/B.body()V
             end: goto behind
             - handler: aload 1
             - monitorexit
             - athrow
             behind: return
             catch start end handler any",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn a_handler_that_throws_something_else_is_not_the_compilers() {
        method(
            "start: invokestatic a/B.body()V
             end: goto behind
             handler: astore 2
             aload 1
             monitorexit
             aload 3
             athrow
             behind: return
             catch start end handler any",
        )
        .check_ignored(super::apply);
    }
}
