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

pub mod collectors;
pub mod generate;
pub mod linked;
pub mod names;
pub mod program;
pub mod random;
pub mod rules;
pub mod run;
pub mod state;
pub mod step;
pub mod typing;
