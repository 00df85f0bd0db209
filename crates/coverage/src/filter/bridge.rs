//! Bridge methods, which only call the method that they stand for.

use super::body::Body;
use super::output::FilterOutput;
use probity_classfile::access;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.access & access::BRIDGE != 0 {
        out.ignore_all();
    }
}
