//! What the agent writes while a JVM runs and the command reads afterwards.
//!
//! Each JVM writes a file of its own, behind what it wrote before: a header, then frames. A frame has a length and a
//! checksum, so a JVM that is killed loses at most the frame that it was writing, and a damaged file is noticed. What a unit
//! used is written when the unit has ended, in one go: whatever is not there in full does not count.
//!
//! - [`frame`] is the file: header, frames, checksums.
//! - [`message`] is what is in the frames, with its [`facts`](message::Fact).
//! - [`Listing`] shows them to people.
//! - [`bytes`] are the numbers and texts that messages are made of.
//!
//! The crate knows nothing of class files or JVMs, does no IO and depends on nothing, since it is loaded into other people's
//! programs. No input makes it panic or allocate more than a small multiple of its own length.

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

pub mod bytes;
pub mod frame;
mod listing;
pub mod message;

pub use frame::{Damage, Frames, HEADER, VERSION, write_frame};
pub use listing::Listing;
pub use message::{
    ClassMessage, Fact, Message, Origin, StartMessage, TestMessage, TestOutcome, UnitMessage, Used,
};
