//! The check of `!!`.

use super::super::body::Body;
use super::super::matcher::Matcher;
use super::super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    for at in 0..body.len() {
        if body.is(at, Opcode::IFNONNULL) {
            let mut matcher = Matcher::standing_at(body, at);
            matcher.next_is_call(Opcode::INVOKESTATIC, "kotlin/jvm/internal/Intrinsics", "throwNpe", "()V");
            if let Some(end) = matcher.at {
                out.ignore(at, end);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;

    #[test]
    fn the_check_is_ignored() {
        method(
            "aload 1
             dup
             - ifnonnull set
             - invokestatic kotlin/jvm/internal/Intrinsics.throwNpe()V
             set: areturn",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn another_call_is_the_sources() {
        method(
            "aload 1
             dup
             ifnonnull set
             invokestatic a/B.throwNpe()V
             set: areturn",
        )
        .check_ignored(super::apply);
    }
}
