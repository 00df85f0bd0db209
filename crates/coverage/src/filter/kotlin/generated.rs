//! Methods, and starts of methods, that stand on no line of the source.

use super::super::body::Body;
use super::super::output::FilterOutput;
use probity_instrument::list::Node;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.class.source_file.is_none() {
        return;
    }
    match body.list().nodes().iter().position(|node| matches!(node, Node::Line { .. })) {
        None => out.ignore_all(),
        Some(0) => {}
        Some(first) => out.ignore(0, first - 1),
    }
}
