//! The safety argument of test selection as a program.

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
