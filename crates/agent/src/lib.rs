//! The native agent: records coverage inside a JVM.
//!
//! Loaded with `-agentpath:LIB[=options]`, with JaCoCo's options. It shows itself to the JVM in [`ffi`] and nowhere else;
//! everything that decides something is safe code that can be tested without a JVM. It must never harm the program: no
//! panic crosses into the JVM, any error leaves a class as it was, nothing is printed on standard output, and the exit
//! code stays the program's.

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

mod agent;
mod aot;
pub mod ffi;
mod filter;
mod holder;
mod messages;
pub mod options;
mod output;
mod recorder;
mod registry;
mod session;
mod tracing;
