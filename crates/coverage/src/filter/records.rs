//! The methods that javac writes for records: `equals`, `hashCode`, `toString` and the accessors.

use super::body::Body;
use super::matcher::Matcher;
use super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.class.super_name.is_none_or(|name| name != "java/lang/Record") {
        return;
    }
    let generated = match (&*body.name.to_text(), &*body.descriptor.to_text()) {
        ("equals", "(Ljava/lang/Object;)Z") => is_object_method(body, true, Opcode::IRETURN),
        ("hashCode", "()I") => is_object_method(body, false, Opcode::IRETURN),
        ("toString", "()Ljava/lang/String;") => is_object_method(body, false, Opcode::ARETURN),
        _ => false,
    };
    if generated || is_accessor(body) {
        out.ignore_all();
    }
}

fn is_object_method(body: &Body<'_, '_, '_>, has_argument: bool, returns: Opcode) -> bool {
    let mut matcher = Matcher::new(body);
    matcher.first_is_load_0();
    if has_argument {
        matcher.next_is(Opcode::ALOAD);
    }
    matcher.next_is(Opcode::INVOKEDYNAMIC);
    matcher.require(|body, at| {
        body.dynamic_call(at).is_some_and(|(name, linked_by)| {
            name == body.name
                && linked_by.class == "java/lang/runtime/ObjectMethods"
                && linked_by.name == "bootstrap"
        })
    });
    matcher.next_is(returns);
    matcher.holds()
}

fn is_accessor(body: &Body<'_, '_, '_>) -> bool {
    if !body.descriptor.as_bytes().starts_with(b"()") {
        return false;
    }
    let mut matcher = Matcher::new(body);
    matcher.first_is_load_0();
    matcher.next_is(Opcode::GETFIELD);
    matcher.require(|body, at| body.member(at).is_some_and(|field| field.name == body.name));
    matcher.next();
    matcher.require(|body, at| {
        matches!(
            body.opcode(at),
            Some(Opcode::IRETURN | Opcode::LRETURN | Opcode::FRETURN | Opcode::DRETURN | Opcode::ARETURN)
        )
    });
    matcher.holds()
}
