//! The store as its callers see it, on folders of its own.

mod arbitrary;
mod damage;
mod merging;
mod processes;
mod roundtrip;
mod synthetic;
