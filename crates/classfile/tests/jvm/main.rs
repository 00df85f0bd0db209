//! What this crate writes is put before real JVMs: their verifier decides, not our reading of the specification.
//!
//! The tests need a JDK and jars from the cache, and never touch anything but temporary folders.

mod class_set;
mod comparison;
mod damaged_tables;
mod hand_made;
mod hostile_bodies;
mod inlined_listing;
mod insertions;
mod old_versions;
mod subroutines;
mod verify;
mod wide_jumps;
