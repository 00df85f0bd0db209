//! What this crate writes is put before real JVMs: their verifier decides, not our reading of the specification.
//!
//! The tests need a JDK and jars from the cache, and never touch anything but temporary folders.

mod class_set;
mod comparison;
mod insertions;
mod verify;
mod wide_jumps;
