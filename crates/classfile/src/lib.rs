//! Reads and rewrites JVM class files without loss.
//!
//! The crate stands at the bottom of everything: the agent runs it inside other people's JVMs and reports are computed
//! from what it reads. So it does no IO, has no dependencies and no `unsafe`, and no input can make it panic, recurse
//! without bound, allocate more than a small multiple of the input, or take more than linear time.
//!
//! - [`ClassFile::read`] finds everything in one pass and copies nothing.
//! - [`opcode`] is the one table of instructions; [`instruction`] decodes and encodes by it.
//! - [`attribute`] decodes what the JVM specification defines and keeps the rest as bytes.
//! - [`edit`] changes a class and copies what it does not change; [`rewrite`] inserts instructions into bodies.
//! - [`subroutine`] inlines `jsr` and `ret` of old class files.
//! - [`print`](mod@print) lists a class for people, in the manner of `javap`.
//! - [`reencode`](fn@reencode) writes a class from what was decoded: byte for byte the same, or the reader has lost something.

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

pub mod access;
pub mod attribute;
mod class;
pub mod cursor;
pub mod descriptor;
pub mod edit;
mod error;
pub mod frame;
pub mod instruction;
pub mod mutf8;
pub mod opcode;
pub mod pool;
pub mod print;
mod reencode;
pub mod rewrite;
pub mod subroutine;
pub mod table;

pub use class::{ClassFile, MAGIC, Member, NEWEST_MAJOR, OLDEST_MAJOR, PREVIEW_MINOR, Version};
pub use error::{Error, ErrorKind, Result, Section};
pub use mutf8::Mutf8;
pub use reencode::reencode;
