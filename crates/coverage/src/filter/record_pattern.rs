//! The handler that javac puts around the accessors that a record pattern calls.

use super::body::Body;
use super::matcher::Matcher;
use super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    // One matcher for the whole method: all handlers must store the exception in the same local variable.
    let mut matcher = Matcher::new(body);
    for entry in body.list().exceptions() {
        if body.caught(entry.catch_type).is_none_or(|class| class != "java/lang/Throwable") {
            continue;
        }
        let Some(handler) = body.label_node(entry.handler) else { continue };
        matcher.at = Some(handler);
        matcher.next_is_local(Opcode::ASTORE, "cause");
        matcher.next_is_type(Opcode::NEW, "java/lang/MatchException");
        matcher.next_is(Opcode::DUP);
        matcher.next_is_local(Opcode::ALOAD, "cause");
        matcher.next_is_call(
            Opcode::INVOKEVIRTUAL,
            "java/lang/Throwable",
            "toString",
            "()Ljava/lang/String;",
        );
        matcher.next_is_local(Opcode::ALOAD, "cause");
        matcher.next_is_call(
            Opcode::INVOKESPECIAL,
            "java/lang/MatchException",
            "<init>",
            "(Ljava/lang/String;Ljava/lang/Throwable;)V",
        );
        matcher.next_is(Opcode::ATHROW);
        if let Some(end) = matcher.at {
            out.ignore(handler, end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_method::method;

    #[test]
    fn the_handler_around_accessors_is_ignored() {
        method(
            "start: aload 1
             invokevirtual a/R.x()I
             end: istore 2
             return
             - handler: astore 3
             - new java/lang/MatchException
             - dup
             - aload 3
             - invokevirtual java/lang/Throwable.toString()Ljava/lang/String;
             - aload 3
             - invokespecial java/lang/MatchException.<init>(Ljava/lang/String;Ljava/lang/Throwable;)V
             - athrow
             catch start end handler java/lang/Throwable",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn another_cause_is_not_the_compilers() {
        method(
            "start: aload 1
             invokevirtual a/R.x()I
             end: istore 2
             return
             handler: astore 3
             new java/lang/MatchException
             dup
             aload 3
             invokevirtual java/lang/Throwable.toString()Ljava/lang/String;
             aload 4
             invokespecial java/lang/MatchException.<init>(Ljava/lang/String;Ljava/lang/Throwable;)V
             athrow
             catch start end handler java/lang/Throwable",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn a_handler_of_another_type_is_not_the_compilers() {
        method(
            "start: aload 1
             invokevirtual a/R.x()I
             end: istore 2
             return
             handler: astore 3
             new java/lang/MatchException
             dup
             aload 3
             invokevirtual java/lang/Throwable.toString()Ljava/lang/String;
             aload 3
             invokespecial java/lang/MatchException.<init>(Ljava/lang/String;Ljava/lang/Throwable;)V
             athrow
             catch start end handler java/lang/Exception",
        )
        .check_ignored(super::apply);
    }
}
