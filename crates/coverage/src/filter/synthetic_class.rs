//! Classes that a compiler made for itself, such as javac's maps from enum constants to numbers.

use super::body::Body;
use super::output::FilterOutput;
use probity_classfile::access;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.class.access & access::SYNTHETIC != 0 {
        out.ignore_all();
    }
}
