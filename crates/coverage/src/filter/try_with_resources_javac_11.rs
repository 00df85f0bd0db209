//! What javac from version 11 on makes of a `try` with resources: closing on all ways out.

use super::body::Body;
use super::matcher::Matcher;
use super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    for entry in body.list().exceptions() {
        if body.caught(entry.catch_type).is_none_or(|class| class != "java/lang/Throwable") {
            continue;
        }
        let Some(handler) = body.label_node(entry.handler) else { continue };
        for with_null_check in [true, false] {
            apply_at(body, out, handler, with_null_check);
        }
    }
}

fn apply_at(body: &Body<'_, '_, '_>, out: &mut FilterOutput, handler: usize, with_null_check: bool) {
    let mut matcher = Matcher::standing_at(body, handler);
    matcher.next_is_local(Opcode::ASTORE, "primary");
    next_is_close(&mut matcher, with_null_check);
    matcher.next_is(Opcode::GOTO);
    matcher.next_is_local(Opcode::ASTORE, "t");
    matcher.next_is_local(Opcode::ALOAD, "primary");
    matcher.next_is_local(Opcode::ALOAD, "t");
    matcher.next_is_add_suppressed();
    matcher.next_is_local(Opcode::ALOAD, "primary");
    matcher.next_is(Opcode::ATHROW);
    let Some(end) = matcher.at else { return };
    let Some((from, to)) =
        super::search_back(&mut matcher, handler, |matcher| next_is_close(matcher, with_null_check))
    else {
        return;
    };
    let to = body.next_instruction(to).filter(|&next| body.is(next, Opcode::GOTO)).unwrap_or(to);
    out.ignore(from, to);
    out.ignore(handler, end);
}

fn next_is_close(matcher: &mut Matcher<'_, '_, '_, '_>, with_null_check: bool) {
    if with_null_check {
        matcher.next_is_local(Opcode::ALOAD, "r");
        matcher.next_is(Opcode::IFNULL);
    }
    matcher.next_is_close("r");
}

#[cfg(test)]
mod tests {
    use super::super::test_method::method;

    #[test]
    fn closing_is_ignored() {
        method(
            "start: invokestatic a/B.body()V
             stop: nop
             - aload 1
             - ifnull end
             - aload 1
             - invokevirtual a/R.close()V
             - goto end
             - handler: astore 2
             - aload 1
             - ifnull rethrow
             - inner: aload 1
             - invokevirtual a/R.close()V
             - innerEnd: goto rethrow
             - suppress: astore 3
             - aload 2
             - aload 3
             - invokevirtual java/lang/Throwable.addSuppressed(Ljava/lang/Throwable;)V
             - rethrow: aload 2
             - athrow
             end: return
             catch start stop handler java/lang/Throwable
             catch inner innerEnd suppress java/lang/Throwable",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn closing_without_a_check_for_null_is_ignored() {
        method(
            "start: invokestatic a/B.body()V
             stop: nop
             - aload 1
             - invokevirtual a/R.close()V
             - goto end
             - handler: astore 2
             - inner: aload 1
             - invokevirtual a/R.close()V
             - innerEnd: goto rethrow
             - suppress: astore 3
             - aload 2
             - aload 3
             - invokevirtual java/lang/Throwable.addSuppressed(Ljava/lang/Throwable;)V
             - rethrow: aload 2
             - athrow
             end: return
             catch start stop handler java/lang/Throwable
             catch inner innerEnd suppress java/lang/Throwable",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn closing_something_else_is_the_sources() {
        method(
            "start: invokestatic a/B.body()V
             stop: nop
             aload 1
             ifnull end
             aload 1
             invokevirtual a/R.close()V
             goto end
             handler: astore 2
             aload 1
             ifnull rethrow
             inner: aload 1
             invokevirtual a/S.close()V
             innerEnd: goto rethrow
             suppress: astore 3
             aload 2
             aload 3
             invokevirtual java/lang/Throwable.addSuppressed(Ljava/lang/Throwable;)V
             rethrow: aload 2
             athrow
             end: return
             catch start stop handler java/lang/Throwable
             catch inner innerEnd suppress java/lang/Throwable",
        )
        .check_ignored(super::apply);
    }
}
