//! Places JaCoCo's probes and inserts them into class files.
//!
//! The crate decides what JaCoCo decides: which class file is which ([`class_id`](fn@class_id)), where probes stand and
//! which number each has ([`plan`]). Everything that counts coverage later goes by the same plan. It adds one kind of its
//! own, entry probes, which tell that a method was entered even if it was left by an exception before any other probe;
//! they are numbered behind JaCoCo's and never reach an execution data file. [`Wildcards`] are the patterns by which JaCoCo's
//! users name classes.
//!
//! It does no IO, knows nothing of a JVM, and runs inside other people's programs: no input makes it panic.

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

mod class_id;
mod entry;
mod hook;
mod insert;
pub mod list;
pub mod plan;
mod wildcards;

pub use class_id::class_id;
pub use entry::Harmless;
pub use hook::{HookArgument, HookCall, MethodHook};
pub use insert::{ClassPlan, EntryOnly, InstrumentError, Instrumenter, ProbeCounts, ProbeRange};
pub use wildcards::Wildcards;
