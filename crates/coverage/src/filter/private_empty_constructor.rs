//! Private constructors without parameters that do nothing: they keep a class from being instantiated.

use super::body::Body;
use super::matcher::Matcher;
use super::output::FilterOutput;
use probity_classfile::access;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    let candidate = body.access & access::PRIVATE != 0 && body.name == "<init>" && body.descriptor == "()V";
    let Some(super_name) = body.class.super_name.filter(|_| candidate) else { return };
    let mut matcher = Matcher::new(body);
    matcher.first_is_load_0();
    matcher.next_is_field(Opcode::INVOKESPECIAL, super_name.as_bytes(), "<init>", "()V");
    matcher.next_is(Opcode::RETURN);
    if matcher.holds() {
        out.ignore_all();
    }
}
