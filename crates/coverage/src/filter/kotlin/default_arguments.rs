//! Methods that fill in default arguments: the questions which of them were given.

use super::super::body::Body;
use super::super::matcher::Matcher;
use super::super::output::FilterOutput;
use probity_classfile::descriptor::{FieldType, MethodType};
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.is_synthetic() && (is_default_method(body) || is_default_constructor(body)) {
        let start = super_call_check(body, out);
        if let Some(questions) = questions(body, start) {
            for at in questions {
                out.ignore(at, at);
            }
        }
    }
}

fn is_default_method(body: &Body<'_, '_, '_>) -> bool {
    body.name.as_bytes().ends_with(b"$default")
}

fn is_default_constructor(body: &Body<'_, '_, '_>) -> bool {
    let Ok(method) = MethodType::read(body.descriptor) else { return false };
    let marker = "kotlin/jvm/internal/DefaultConstructorMarker";
    body.name == "<init>"
        && method.parameters().count() >= 2
        && matches!(method.parameters().last(), Some(FieldType::Object(class)) if class == marker)
}

/// The check in front that nobody calls `super` with default arguments. Gives the node where the questions start.
fn super_call_check(body: &Body<'_, '_, '_>, out: &mut FilterOutput) -> Option<usize> {
    let first = body.instruction_from(0)?;
    let exception = "java/lang/UnsupportedOperationException";
    let mut matcher = Matcher::standing_at(body, first);
    matcher.next_is(Opcode::IFNULL);
    matcher.next_is_type(Opcode::NEW, exception);
    matcher.next_is(Opcode::DUP);
    matcher.next_is(Opcode::LDC);
    matcher.require(|body, at| {
        let text = body.loaded_text(at);
        text.is_some_and(|text| {
            text.as_bytes().starts_with(b"Super calls with default arguments not supported in this target")
        })
    });
    matcher.next_is_call(Opcode::INVOKESPECIAL, exception, "<init>", "(Ljava/lang/String;)V");
    matcher.next_is(Opcode::ATHROW);
    match matcher.at {
        Some(end) => {
            out.ignore(0, end);
            body.next_instruction(end)
        }
        None => Some(first),
    }
}

/// The jumps that ask; nothing if something stands between them that the compiler does not write.
fn questions(body: &Body<'_, '_, '_>, start: Option<usize>) -> Option<Vec<usize>> {
    let first_mask = first_mask_slot(body)?;
    let mut questions = Vec::new();
    let mut matcher = Matcher::new(body);
    matcher.at = start;
    while let Some(at) = matcher.at {
        if !body.is(at, Opcode::ILOAD) || body.local(at).is_none_or(|local| usize::from(local) < first_mask) {
            break;
        }
        matcher.next();
        matcher.next_is(Opcode::IAND);
        matcher.next_is(Opcode::IFEQ);
        let jump = matcher.at?;
        questions.push(jump);
        matcher.at = body.target(jump);
        matcher.skip_to_instruction();
    }
    Some(questions)
}

/// The slot of the first parameter that holds a mask of which arguments were given.
fn first_mask_slot(body: &Body<'_, '_, '_>) -> Option<usize> {
    let method = MethodType::read(body.descriptor).ok()?;
    let count = method.parameters().count();
    let masks = count.checked_sub(2)? / 33 + 1;
    let before = count.checked_sub(1 + masks)?;
    let slots: usize = method.parameters().take(before).map(FieldType::slots).sum();
    Some(slots + usize::from(body.name == "<init>"))
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;
    use probity_classfile::access;

    #[test]
    fn the_question_whether_an_argument_was_given_is_ignored() {
        method(
            "iload 2
             iconst_1
             iand
             - ifeq given
             iconst_5
             istore 1
             given: aload 0
             iload 1
             invokevirtual a/B.f(I)V
             return",
        )
        .named("f$default", "(La/B;IILjava/lang/Object;)V")
        .access(access::SYNTHETIC | access::STATIC)
        .check_ignored(super::apply);
    }

    #[test]
    fn a_question_about_an_argument_is_the_sources() {
        method(
            "iload 1
             iconst_1
             iand
             ifeq given
             iconst_5
             istore 1
             given: aload 0
             iload 1
             invokevirtual a/B.f(I)V
             return",
        )
        .named("f$default", "(La/B;IILjava/lang/Object;)V")
        .access(access::SYNTHETIC | access::STATIC)
        .check_ignored(super::apply);
    }

    #[test]
    fn a_method_of_the_source_is_not() {
        method(
            "iload 2
             iconst_1
             iand
             ifeq given
             iconst_5
             istore 1
             given: aload 0
             iload 1
             invokevirtual a/B.f(I)V
             return",
        )
        .named("f$default", "(La/B;IILjava/lang/Object;)V")
        .access(access::STATIC)
        .check_ignored(super::apply);
    }

    #[test]
    fn the_check_of_super_calls_is_ignored() {
        method(
            "- aload 3
             - ifnull fine
             - new java/lang/UnsupportedOperationException
             - dup
             - ldc \"Super calls with default arguments not supported in this target, function: f\"
             - invokespecial java/lang/UnsupportedOperationException.<init>(Ljava/lang/String;)V
             - athrow
             fine: iload 2
             iconst_1
             iand
             - ifeq given
             iconst_5
             istore 1
             given: aload 0
             iload 1
             invokevirtual a/B.f(I)V
             return",
        )
        .named("f$default", "(La/B;IILjava/lang/Object;)V")
        .access(access::SYNTHETIC | access::STATIC)
        .check_ignored(super::apply);
    }
}
