//! What is tried: each target has its own judge.
//!
//! A target is a function from bytes to a [`Verdict`], given what it needs to judge. The same bytes always get the same
//! verdict, so that a file is all that is needed to look at a failure again.

mod accepts;
mod hostile;
mod rewrite;
mod roundtrip;
mod store;

pub use accepts::accepts;
pub use hostile::hostile;
pub use rewrite::{judge_rewritten, rewritten};
pub use roundtrip::roundtrip;
pub use store::store;

/// What came of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The class was refused early, and there was nothing to judge.
    Refused,
    /// What was done was judged and right.
    Right,
    /// What was done is wrong.
    Wrong(String),
}

/// A number that depends on the bytes alone, for choices that must be the same when a file is looked at again.
pub(crate) fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash: u64, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}
