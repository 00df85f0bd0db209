//! The boxed form of an inline class: its methods only call the static ones.

use super::super::body::Body;
use super::super::output::FilterOutput;
use probity_classfile::access;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.class.has_annotation("Lkotlin/jvm/JvmInline;") && body.access & access::STATIC == 0 {
        out.ignore_all();
    }
}
