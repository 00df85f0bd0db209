//! The store as its callers see it, on folders of its own.

mod damage;
mod merging;
mod processes;
mod roundtrip;
mod synthetic;
