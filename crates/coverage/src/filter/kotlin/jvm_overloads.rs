//! Overloads that only fill in default arguments.

use super::super::body::Body;
use super::super::output::FilterOutput;
use probity_classfile::opcode::Opcode;
use probity_instrument::list::Node;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.len() >= 5 && is_overload(body) == Some(true) {
        out.ignore_all();
    }
}

fn is_overload(body: &Body<'_, '_, '_>) -> Option<bool> {
    let mut at = body.len() - 1;
    if body.is_label(at) {
        at = body.raw_previous(at)?;
    }
    if !body.is(at, Opcode::RETURN) {
        return Some(false);
    }
    at = body.raw_previous(at)?;
    let Some(Node::Line { label, .. }) = body.node(at) else { return Some(false) };
    at = body.raw_previous(at)?;
    if body.node(at) != Some(&Node::Label(*label)) {
        return Some(false);
    }
    at = body.raw_previous(at)?;
    let called = body.member(at)?;
    let fills_in = match body.opcode(at)? {
        Opcode::INVOKESTATIC => called.name.as_bytes().ends_with(b"$default"),
        Opcode::INVOKESPECIAL => {
            called.descriptor.as_bytes().ends_with(b"Lkotlin/jvm/internal/DefaultConstructorMarker;)V")
        }
        _ => false,
    };
    let has_other_line = (0..at).any(|at| matches!(body.node(at), Some(Node::Line { .. })));
    Some(fills_in && !has_other_line)
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;

    #[test]
    fn an_overload_is_ignored() {
        method(
            "- aload 0
             - aconst_null
             - invokestatic a/B.f$default(La/B;I)V
             line 4
             - return",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn a_call_of_something_else_is_the_sources() {
        method(
            "aload 0
             aconst_null
             invokestatic a/B.f(La/B;I)V
             line 4
             return",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn code_on_an_earlier_line_is_the_sources() {
        method(
            "line 3
             aload 0
             aconst_null
             invokestatic a/B.f$default(La/B;I)V
             line 4
             return",
        )
        .check_ignored(super::apply);
    }
}
