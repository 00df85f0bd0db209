//! The safety argument of test selection as a program.
//!
//! Which classes must be recorded so that a test may be skipped safely has been proved for a small JVM with class initialisation
//! (Mansky and Gunter, *Safety of a Smart Classes-Used Regression Test Selection Algorithm*, 2020). This crate is that argument in a form
//! that can be run: the machine, the collectors, the laws; and it goes on where the proof ends, to Probity's own levels and to tests that share
//! a JVM. It exists to find holes, so it has mistakes built in that its tests must find.
//!
//! - [`program`], [`state`], [`step`](mod@step), [`run`](mod@run) are the machine, [`rules`] is the same machine once more, [`typing`] says
//!   which programs are well-formed, [`invariant`] what is true of their states.
//! - [`semantics`] has the definitions that are free of any machine; [`jvm`] and [`toy`] are instances.
//! - [`collectors`] and [`levels`] say what is recorded and when a test may be skipped, [`shared`] what changes when tests share a machine.
//! - [`laws`] are the laws, and the wrong claims that must be caught; [`text`] prints and reads cases, [`shrink`](mod@shrink) makes them small.
//! - [`generate`], [`evolve`] and [`enumerate`] make programs and revisions; [`campaign`](mod@campaign) puts all of it together and counts.
//! - [`emit`] writes programs as class files, with what a JVM should do with them and what an agent should record.
//!
//! Nothing that ships is built from it. It does no IO, has no clock, and what it does depends on a seed alone.

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

pub mod campaign;
pub mod collectors;
pub mod emit;
pub mod enumerate;
pub mod evolve;
pub mod generate;
pub mod invariant;
pub mod jvm;
pub mod laws;
pub mod levels;
pub mod linked;
pub mod names;
pub mod observe;
pub mod program;
pub mod random;
pub mod rules;
pub mod run;
pub mod semantics;
pub mod shared;
pub mod shrink;
pub mod state;
pub mod step;
pub mod text;
pub mod toy;
pub mod typing;
