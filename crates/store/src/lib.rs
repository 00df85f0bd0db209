//! Where traces and shapes are kept between runs.
//!
//! A store is a folder of files that are written once, never changed, and named by a hash of their contents. Each run adds one
//! file with its traces and one with the shapes of the classes that are new. What a store holds is the union of its
//! files, so two stores are merged by putting their files together, in any order and as often as one likes; several processes add
//! to it without waiting for each other; and a store can be copied, cached and moved.
//!
//! - [`Store`] is the folder: it loads, adds, prunes, checks, exports and imports.
//! - [`Traces`] is what was loaded: compact, with [`TraceView`] to look at one trace.
//! - [`Shapes`] has the shapes of classes, found by the bytes of the class.
//! - [`format`](mod@format) is what is in the files.
//!
//! A file that is damaged, cut off or of another version is as if it were not there: the units whose traces it had run again.
//! It is always told ([`Problem`]), with the file and the offset, and never taken for whole. Nothing is deleted but what a prune
//! has written again or was told to drop.

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

mod bundle;
mod bytes;
mod class_pack;
mod container;
mod error;
mod fact;
mod folder;
pub mod format;
mod hit_pack;
mod identity;
mod prune;
mod quick_hash;
mod run;
mod segment;
mod shape_pack;
mod shapes;
mod store;
mod strings;
mod traces;
mod verify;

pub use class_pack::Classes;
pub use error::{Damage, DamageKind, Malformed, Problem, StoreError, StoreErrorKind};
pub use fact::Fact;
pub use identity::TraceId;
pub use prune::{Pruned, Retention};
pub use run::Run;
pub use shapes::Shapes;
pub use store::{Added, Contents, Imported, Store};
pub use traces::{ClassView, TestView, TraceView, Traces};
pub use verify::Verified;
