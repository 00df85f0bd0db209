//! Code that was inlined from elsewhere: it is counted where it comes from.

use super::super::body::Body;
use super::super::output::FilterOutput;
use probity_instrument::list::Node;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    let Some(smap) = &body.class.smap else { return };
    let class = body.class.name.to_text();
    let Some(first_foreign) = smap.foreign(&class).map(|mapping| mapping.output_start).min() else { return };
    let mut line = 0;
    for (at, node) in body.list().nodes().iter().enumerate() {
        if let Node::Line { line: number, .. } = node {
            line = i32::from(*number);
        }
        if line >= first_foreign {
            out.ignore(at, at);
        }
    }
}
