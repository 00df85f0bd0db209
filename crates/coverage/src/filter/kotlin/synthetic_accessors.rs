//! Methods through which inner code reaches private members.

use super::super::body::Body;
use super::super::output::FilterOutput;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.is_synthetic() && body.name.as_bytes().starts_with(b"access$") {
        out.ignore_all();
    }
}
