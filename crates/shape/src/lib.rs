//! What one version of a class is, from its bytes alone.
//!
//! Whether a test must run again is decided by comparing shapes: that of a class as a trace saw it with that of the class as
//! it is now. A shape says separately what can be seen without running code (the class itself, each field, each method),
//! what each body does, and what only debuggers and stack traces show. Hashes do not depend on the order of the constant
//! pool, on the machine or on the run of the compiler.
//!
//! What cannot be understood is an error and never a guess: a class without a shape is compared by its bytes. The crate does no
//! IO and has no clock.

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

mod attributes;
mod body;
mod canonical;
mod flow;
mod hash;
mod names;
mod references;
mod shape;
mod statics;
mod walk;
mod ways;

pub use flow::{Block, Edge, FlowGraph};
pub use hash::{ContentId, ShapeHash};
pub use names::ClassNames;
pub use probity_classfile::Mutf8;
pub use probity_instrument::class_id;
pub use references::{MemberKey, Reference, Use};
pub use shape::{BodyShape, ClassPart, FieldShape, MethodShape, Shape, ShapeError, ShapeReader};
pub use statics::{StaticAccess, static_accesses};
pub use walk::{BodySteps, BodyWalk, Difference, Verdict};
