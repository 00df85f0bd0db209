//! Execution data as JaCoCo writes it: which probes of which classes were hit.
//!
//! The agent writes this data inside other people's JVMs and the command reads it, so both agree by using one crate.
//! It knows nothing of class files: a class is an id, a name and a row of bits. No input can make it panic or allocate
//! more than a small multiple of what was really there, and it never prints.
//!
//! - [`mod@format`] reads and writes blocks in memory.
//! - [`remote`] is the same over a connection, with the commands that go with it.
//! - [`mod@file`] appends to files under a lock that JaCoCo's JVMs respect.
//! - [`store`] adds up what was read.
//! - [`utf`] is text as Java writes it into streams.

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

pub mod file;
pub mod format;
pub mod remote;
pub mod store;
pub mod utf;

pub use format::{write_class, write_header, write_session};
