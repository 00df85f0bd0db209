//! Which test units must run: whether some trace of a unit still holds in the tree as it is now, and if none does, why.
//!
//! A trace names everything on which the result and the coverage of a unit depend. [`Judge`] compares each of these with what is
//! there now, through a [`Tree`]. What changed counts as the [`Level`] says: a class as a whole, or only by what the change can do to
//! code that ran. What is not known never lets a unit be skipped.
//!
//! [`carry`] says what the row of a unit that need not run is in terms of today's probes. It is exact or it fails, and then the unit
//! runs as well: no unit is skipped whose coverage would have to be guessed.
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

mod carry;
mod class_diff;
mod effect;
mod environment;
mod judge;
mod level;
mod reason;
mod tree;
mod unit_view;

pub use carry::{NotExact, carry, carry_what_is_known};
pub use class_diff::{BodyDiff, ClassDiff, MemberChange, MemberDiff, MemberKind};
pub use judge::{Judge, Verdict};
pub use level::Level;
pub use reason::{ClassReason, Reason, SeenBy};
pub use tree::{Found, Tree};
