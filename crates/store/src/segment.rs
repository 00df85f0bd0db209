//! The file with the traces of one run, or of many after a prune.
//!
//! A trace is a list of numbers: of the ways in which classes were used, and of other facts. Tables in the same file say what they are, so
//! that what many units have in common is there once. A file names nothing that is outside of it, except that a trace
//! which the store has already is only said to have been seen again.
//!
//! [`build`] makes such a file, [`read`] reads it whole or not at all.

pub(crate) mod build;
mod interning;
pub(crate) mod read;
pub(crate) mod tables;
mod use_records;

use crate::container::Kind;
use crate::identity::TraceId;
use crate::run::Run;
use probity_trace::Outcome;
use std::ops::Range;
use tables::Tables;

/// What such a file starts with.
pub(crate) const KIND: Kind = Kind { magic: *b"probitytrace", version: 1 };

/// Everything in a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Segment {
    pub(crate) tables: Tables,
    pub(crate) traces: Vec<TraceRow>,
    /// Traces that are in other files and were recorded again.
    pub(crate) seen: Vec<(TraceId, Ending)>,
    pub(crate) runs: Vec<Run>,
}

/// A trace, in numbers of tables.
#[derive(Clone, Debug)]
pub(crate) struct TraceRow {
    pub(crate) id: TraceId,
    pub(crate) unit: u32,
    pub(crate) framework: u32,
    pub(crate) environment: u32,
    /// Where in the lists the numbers of its uses are, and then those of its facts.
    pub(crate) uses: Range<u32>,
    pub(crate) facts: Range<u32>,
    pub(crate) ending: Ending,
}

/// What is not part of a trace's identity. The greater one is the newer; numbers of texts are in the order of the texts only
/// within one file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Ending {
    pub(crate) began: u64,
    pub(crate) micros: u64,
    pub(crate) tests: Vec<TestRow>,
}

/// A test, in numbers of tables.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct TestRow {
    pub(crate) id: u32,
    pub(crate) outcome: Outcome,
    pub(crate) micros: u64,
}
