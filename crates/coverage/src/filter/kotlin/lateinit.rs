//! The check that a `lateinit` property has been set.

use super::super::body::Body;
use super::super::matcher::Matcher;
use super::super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    for at in 0..body.len() {
        if body.is(at, Opcode::IFNONNULL) {
            if let Some(end) = if_not_null(body, at) {
                out.ignore(at, end);
            }
        } else if body.is(at, Opcode::IFNULL)
            && let Some((label, end)) = if_null(body, at)
        {
            out.ignore(at, at);
            out.ignore(label, end);
        }
    }
}

fn next_throws(matcher: &mut Matcher<'_, '_, '_, '_>) {
    let next = matcher.at.and_then(|at| matcher.body.next_instruction(at));
    if next.is_some_and(|next| matcher.body.is(next, Opcode::POP)) {
        matcher.next();
    }
    matcher.next_is(Opcode::LDC);
    matcher.next_is_call(
        Opcode::INVOKESTATIC,
        "kotlin/jvm/internal/Intrinsics",
        "throwUninitializedPropertyAccessException",
        "(Ljava/lang/String;)V",
    );
}

/// The jump leads over the call, and over one or two instructions behind it.
fn if_not_null(body: &Body<'_, '_, '_>, jump: usize) -> Option<usize> {
    let target = body.target(jump)?;
    let mut matcher = Matcher::standing_at(body, jump);
    next_throws(&mut matcher);
    for _ in 0..3 {
        let at = matcher.at?;
        if body.raw_next(at) == Some(target) {
            return Some(at);
        }
        matcher.next();
    }
    None
}

fn if_null(body: &Body<'_, '_, '_>, jump: usize) -> Option<(usize, usize)> {
    let label = body.target(jump)?;
    let mut matcher = Matcher::standing_at(body, label);
    next_throws(&mut matcher);
    matcher.next();
    matcher.next();
    matcher.require(|body, at| matches!(body.opcode(at), Some(Opcode::ARETURN | Opcode::ATHROW)));
    Some((label, matcher.at?))
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;

    #[test]
    fn the_check_is_ignored() {
        method(
            "aload 0
             getfield a/B.x La/B;
             dup
             - ifnonnull set
             - pop
             - ldc \"x\"
             - invokestatic kotlin/jvm/internal/Intrinsics.throwUninitializedPropertyAccessException(Ljava/lang/String;)V
             - aconst_null
             set: areturn",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn the_check_the_other_way_round_is_ignored() {
        method(
            "aload 1
             - ifnull unset
             aload 1
             areturn
             - unset: ldc \"x\"
             - invokestatic kotlin/jvm/internal/Intrinsics.throwUninitializedPropertyAccessException(Ljava/lang/String;)V
             - aconst_null
             - areturn",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn another_call_is_the_sources() {
        method(
            "aload 1
             ifnonnull set
             ldc \"x\"
             invokestatic a/B.complain(Ljava/lang/String;)V
             set: return",
        )
        .check_ignored(super::apply);
    }
}
