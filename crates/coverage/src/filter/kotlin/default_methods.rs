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
