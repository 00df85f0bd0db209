//! Methods that only lead to the default implementations of an interface, and the other way round.

use super::super::body::Body;
use super::super::matcher::Matcher;
use super::super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if calls_default_implementation(body) || is_default_implementation_of_java(body) {
        out.ignore_all();
    }
}

fn calls_default_implementation(body: &Body<'_, '_, '_>) -> bool {
    let mut matcher = Matcher::new(body);
    matcher.first_is_load_0();
    matcher.next_is(Opcode::INVOKESTATIC);
    matcher.require(|body, at| {
        body.member(at).is_some_and(|member| member.class.as_bytes().ends_with(b"$DefaultImpls"))
    });
    matcher.holds()
}

fn is_default_implementation_of_java(body: &Body<'_, '_, '_>) -> bool {
    body.class.name.as_bytes().ends_with(b"$DefaultImpls")
        && (0..body.len()).any(|at| {
            let is_call = body
                .opcode(at)
                .is_some_and(|opcode| (Opcode::INVOKEVIRTUAL..=Opcode::INVOKEINTERFACE).contains(&opcode));
            is_call
                && body.member(at).is_some_and(|member| {
                    member.name.as_bytes().starts_with(b"access$") && member.name.as_bytes().ends_with(b"$jd")
                })
        })
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;

    #[test]
    fn a_call_of_the_default_implementation_is_ignored() {
        method(
            "- aload 0
             - invokestatic a/I$DefaultImpls.f(La/I;)V
             - return",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn a_call_of_another_class_is_the_sources() {
        method(
            "aload 0
             invokestatic a/I$Other.f(La/I;)V
             return",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn the_way_back_to_the_interface_is_ignored() {
        method(
            "- aload 0
             - invokestatic a/I.access$f$jd(La/I;)V
             - return",
        )
        .of("a/I$DefaultImpls", "java/lang/Object")
        .check_ignored(super::apply);
    }

    #[test]
    fn elsewhere_that_call_means_nothing() {
        method(
            "aload 0
             invokestatic a/I.access$f$jd(La/I;)V
             return",
        )
        .check_ignored(super::apply);
    }
}
