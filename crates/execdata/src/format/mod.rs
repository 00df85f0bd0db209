//! The blocks of an exec file, read and written in memory.
//!
//! A file is a row of blocks, each introduced by one byte that tells its type; all numbers are big-endian. It starts
//! with a header, and appending one file to another gives a file. This module does no IO.

mod block;
mod error;
mod read;
mod write;

pub use block::{ClassData, Probes, Session};
pub use error::{ReadError, ReadErrorKind};
pub(crate) use read::{AnyBlock, Commands, Input, State, next_block};
pub use read::{Block, Blocks};
pub use write::{write_class, write_class_packed, write_header, write_session, write_session_raw};

/// The number that follows the first byte of a header.
pub const MAGIC: u16 = 0xC0C0;

/// The only version of the format that is read and written.
pub const FORMAT_VERSION: u16 = 0x1007;

pub(crate) const BLOCK_HEADER: u8 = 0x01;
pub(crate) const BLOCK_SESSION: u8 = 0x10;
pub(crate) const BLOCK_CLASS: u8 = 0x11;
pub(crate) const BLOCK_OK: u8 = 0x20;
pub(crate) const BLOCK_DUMP_COMMAND: u8 = 0x40;
