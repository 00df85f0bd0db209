//! The check in front of a cast to a type that is not nullable.

use super::super::body::Body;
use super::super::matcher::Matcher;
use super::super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    for at in 0..body.len() {
        if body.is(at, Opcode::IFNONNULL) {
            for exception in ["kotlin/TypeCastException", "java/lang/NullPointerException"] {
                if let Some(end) = throws(body, at, exception) {
                    out.ignore(at, end);
                }
            }
        }
    }
}

fn throws(body: &Body<'_, '_, '_>, jump: usize, exception: &str) -> Option<usize> {
    let mut matcher = Matcher::standing_at(body, jump);
    if body.raw_next(jump).is_some_and(|next| body.is(next, Opcode::POP)) {
        matcher.next();
    }
    matcher.next_is_type(Opcode::NEW, exception);
    matcher.next_is(Opcode::DUP);
    matcher.next_is(Opcode::LDC);
    matcher.require(|body, at| {
        let text = body.loaded_text(at);
        text.is_some_and(|text| text.as_bytes().starts_with(b"null cannot be cast to non-null type"))
    });
    matcher.next_is_call(Opcode::INVOKESPECIAL, exception, "<init>", "(Ljava/lang/String;)V");
    matcher.next_is(Opcode::ATHROW);
    let end = matcher.at?;
    (body.raw_next(end) == body.target(jump)).then_some(end)
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;

    #[test]
    fn the_check_in_front_of_a_cast_is_ignored() {
        method(
            "aload 1
             dup
             - ifnonnull cast
             - new java/lang/NullPointerException
             - dup
             - ldc \"null cannot be cast to non-null type a.B\"
             - invokespecial java/lang/NullPointerException.<init>(Ljava/lang/String;)V
             - athrow
             cast: checkcast a/B
             areturn",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn the_older_exception_is_known_too() {
        method(
            "aload 1
             dup
             - ifnonnull cast
             - new kotlin/TypeCastException
             - dup
             - ldc \"null cannot be cast to non-null type a.B\"
             - invokespecial kotlin/TypeCastException.<init>(Ljava/lang/String;)V
             - athrow
             cast: checkcast a/B
             areturn",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn another_message_is_the_sources() {
        method(
            "aload 1
             dup
             ifnonnull cast
             new java/lang/NullPointerException
             dup
             ldc \"null must not be cast\"
             invokespecial java/lang/NullPointerException.<init>(Ljava/lang/String;)V
             athrow
             cast: checkcast a/B
             areturn",
        )
        .check_ignored(super::apply);
    }
}
