//! Static methods that only call the companion.

use super::super::body::{Body, VISIBLE};
use super::super::output::FilterOutput;
use probity_classfile::access;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    let delegates = || {
        body.is(0, Opcode::GETSTATIC)
            && body.member(0).is_some_and(|field| field.class == body.class.name && field.name == "Companion")
    };
    if body.access & access::STATIC != 0
        && body.has_annotation(&[VISIBLE], |annotation| annotation == "Lkotlin/jvm/JvmStatic;")
        && delegates()
    {
        out.ignore_all();
    }
}
