//! The files of a store as bytes, for those who keep them elsewhere than in a folder, and for those who try to break them.

use crate::error::Damage;
use crate::run::Run;
use crate::segment::build::Builder;
use crate::segment::read::read as read_segment;
use crate::shape_pack::{self, Pack};
use crate::shapes::Shapes;
use crate::traces::Traces;
use probity_shape::Shape;
use probity_trace::Trace;
use std::slice;

/// The file with some traces and runs: the same bytes for the same traces, in whatever order they are given.
#[must_use]
pub fn write_traces(traces: &[Trace], runs: &[Run]) -> Vec<u8> {
    let mut builder = Builder::default();
    traces.iter().for_each(|trace| {
        builder.add(trace);
    });
    runs.iter().for_each(|run| builder.add_run(run.clone()));
    builder.finish()
}

/// What is in a file of traces.
///
/// # Errors
///
/// Fails with the first thing that is wrong; a file is whole or not there.
pub fn read_traces(bytes: &[u8]) -> Result<Traces, Damage> {
    let segment = read_segment(bytes)?;
    Ok(Traces::of(slice::from_ref(&segment), Vec::new()))
}

/// The file with some shapes: the same bytes for the same shapes, in whatever order they are given.
#[must_use]
pub fn write_shapes(shapes: &[Shape]) -> Vec<u8> {
    shape_pack::write(shapes.iter())
}

/// What is in a file of shapes.
///
/// # Errors
///
/// Fails with the first thing that is wrong; a file is whole or not there.
pub fn read_shapes(bytes: &[u8]) -> Result<Shapes, Damage> {
    Ok(Shapes::of_pack(Pack::read(bytes)?))
}
