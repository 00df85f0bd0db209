//! No file of a store does harm; what is read of it can be written, and is then the same for ever.
//!
//! The judge is a second way: the traces of an accepted file are written anew, read and written once more.

use probity_shape::Shape;
use probity_store::{Traces, format};
use probity_trace::Trace;

use super::Verdict;

/// Tries a file of traces or of shapes.
#[must_use]
pub fn store(bytes: &[u8]) -> Verdict {
    if let Ok(traces) = format::read_traces(bytes) {
        return again(bytes.len(), &format::write_traces(&all(&traces), traces.runs()), |written| {
            format::read_traces(written).map(|read| format::write_traces(&all(&read), read.runs())).ok()
        });
    }
    let Ok(shapes) = format::read_shapes(bytes) else { return Verdict::Refused };
    let all = |shapes: &probity_store::Shapes| -> Vec<Shape> {
        shapes.contents().filter_map(|content| shapes.get(content)).collect()
    };
    again(bytes.len(), &format::write_shapes(&all(&shapes)), |written| {
        format::read_shapes(written).map(|read| format::write_shapes(&all(&read))).ok()
    })
}

fn all(traces: &Traces) -> Vec<Trace> {
    traces.iter().map(|trace| trace.to_trace()).collect()
}

/// Texts share at most 255 bytes with the one before, so a file can stand for so many times its length at the most.
const MOST_GROWTH: usize = 512;

fn again(length: usize, once: &[u8], rewrite: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Verdict {
    if once.len() > length * MOST_GROWTH {
        return Verdict::Wrong(format!("{length} bytes became {}", once.len()));
    }
    match rewrite(once) {
        Some(twice) if twice == once => Verdict::Right,
        Some(_) => Verdict::Wrong("written twice it differs".to_owned()),
        None => Verdict::Wrong("what was written cannot be read".to_owned()),
    }
}
