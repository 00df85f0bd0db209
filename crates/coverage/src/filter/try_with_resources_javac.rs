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

#[cfg(test)]
mod tests {
    use super::super::test_method::method;

    #[test]
    fn closing_by_the_method_of_the_compiler_is_ignored() {
        method(
            "start: invokestatic a/B.body()V
             stop: nop
             - aload 2
             - aload 1
             - invokestatic a/B.$closeResource(Ljava/lang/Throwable;Ljava/lang/AutoCloseable;)V
             - goto end
             - handler: astore 3
             - aload 3
             - astore 2
             - aload 3
             - handlerEnd: athrow
             - outer: astore 4
             - aload 2
             - aload 1
             - invokestatic a/B.$closeResource(Ljava/lang/Throwable;Ljava/lang/AutoCloseable;)V
             - aload 4
             - athrow
             end: return
             catch start stop handler java/lang/Throwable
             catch start handlerEnd outer any",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn closing_by_another_method_is_the_sources() {
        method(
            "start: invokestatic a/B.body()V
             stop: nop
             aload 2
             aload 1
             invokestatic a/B.close(Ljava/lang/Throwable;Ljava/lang/AutoCloseable;)V
             goto end
             handler: astore 3
             aload 3
             astore 2
             aload 3
             handlerEnd: athrow
             outer: astore 4
             aload 2
             aload 1
             invokestatic a/B.close(Ljava/lang/Throwable;Ljava/lang/AutoCloseable;)V
             aload 4
             athrow
             end: return
             catch start stop handler java/lang/Throwable
             catch start handlerEnd outer any",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn closing_in_full_is_ignored() {
        method(
            "start: invokestatic a/B.body()V
             stop: nop
             - aload 1
             - ifnull end
             - aload 2
             - ifnull plainNormal
             - aload 1
             - invokevirtual a/R.close()V
             - goto end
             - astore 5
             - aload 2
             - aload 5
             - invokevirtual java/lang/Throwable.addSuppressed(Ljava/lang/Throwable;)V
             - goto end
             - plainNormal: aload 1
             - invokevirtual a/R.close()V
             - goto end
             - handler: astore 3
             - aload 3
             - astore 2
             - aload 3
             - athrow
             - outer: astore 4
             - aload 1
             - ifnull rethrow
             - aload 2
             - ifnull plainThrown
             - aload 1
             - invokevirtual a/R.close()V
             - goto rethrow
             - astore 6
             - aload 2
             - aload 6
             - invokevirtual java/lang/Throwable.addSuppressed(Ljava/lang/Throwable;)V
             - goto rethrow
             - plainThrown: aload 1
             - invokevirtual a/R.close()V
             - rethrow: aload 4
             - athrow
             end: return
             catch start stop handler java/lang/Throwable",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn closing_something_else_in_full_is_the_sources() {
        method(
            "start: invokestatic a/B.body()V
             stop: nop
             aload 1
             ifnull end
             aload 2
             ifnull plainNormal
             aload 1
             invokevirtual a/R.close()V
             goto end
             astore 5
             aload 2
             aload 5
             invokevirtual java/lang/Throwable.addSuppressed(Ljava/lang/Throwable;)V
             goto end
             plainNormal: aload 1
             invokevirtual a/R.close()V
             goto end
             handler: astore 3
             aload 3
             astore 2
             aload 3
             athrow
             outer: astore 4
             aload 1
             ifnull rethrow
             aload 2
             ifnull plainThrown
             aload 1
             invokevirtual a/R.close()V
             goto rethrow
             astore 6
             aload 2
             aload 6
             invokevirtual java/lang/Throwable.addSuppressed(Ljava/lang/Throwable;)V
             goto rethrow
             plainThrown: aload 1
             invokevirtual a/S.close()V
             rethrow: aload 4
             athrow
             end: return
             catch start stop handler java/lang/Throwable",
        )
        .check_ignored(super::apply);
    }
}
