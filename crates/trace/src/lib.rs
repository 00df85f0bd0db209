//! What one unit did in one recorded run: the only thing that is kept about the past.
//!
//! A [`Trace`] names everything on which the result and the coverage of a unit depend. As long as all of it is as it was, the
//! unit need not run. What could not be followed is written down as such ([`Trace::distrust`]): such a trace gives coverage
//! but never a reason not to run.
//!
//! Traces are made from the [`Recording`] of a JVM by [`Ingest`], which asks a [`ClassSource`] and a [`FileSource`] for what is
//! outside. It closes over everything that what ran may have used: [`Why`] names the ways.
//!
//! The crate does no IO and has no clock.

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

mod class_use;
mod closure;
mod environment;
mod hits;
mod immutable;
mod ingest;
mod kinship;
mod names;
pub mod paths;
mod reach;
mod recording;
mod runs;
mod shared_state;
mod spared;
mod stretches;
mod surroundings;
mod targets;
mod trace;
mod understood;
mod unit_set;
mod versions;
mod world;

pub use class_use::{ClassUse, Reason, Why};
pub use environment::{hash_of_variables, is_usual as is_usual_property};
pub use hits::Hits;
pub use ingest::{ClassHits, Ingest, Problem};
pub use recording::Recording;
pub use trace::{
    Environment, FileState, FileUse, OUTSIDE, Outcome, ResourceUse, SettingUse, Test, Trace, ValueHash,
};
pub use understood::ClassCache;
pub use world::{Asked, ClassSource, FileSource, Presence};
