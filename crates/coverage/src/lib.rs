//! Counts coverage exactly as JaCoCo does.
//!
//! From class files and the probes that were executed to instruction, branch, line, complexity, method and class
//! counters. Probes are found by the same plan by which they were inserted; the module `filter` leaves out what
//! compilers add; [`check`] compares counters with limits. The crate does no IO and has no clock; what it computes for a
//! class depends on the class and its probes alone.

#![cfg_attr(
    not(test),
    warn(
        clippy::indexing_slicing,
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::unreachable
    )
)]

pub mod check;
mod class;
pub mod codec;
mod counter;
mod filter;
mod instructions;
mod java_order;
mod lines;
pub mod names;
mod restrict;
mod smap;
mod tree;

pub use class::{AnalysisError, Analyzer, ClassCoverage, MethodCoverage, ProbeHits};
pub use counter::{Counter, Counters, Status};
pub use lines::{Line, Lines};
pub use restrict::LineSet;
pub use smap::SmapError;
pub use tree::{
    BundleBuilder, BundleCoverage, DuplicateClass, PackageCoverage, SourceFileCoverage, package_of,
};
