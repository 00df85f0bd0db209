//! `probity run` with real JVMs: the program runs as it would without, whatever becomes of the recording.
//!
//! `PROBITY_KILLS=N` kills that many runs instead of a few; `cargo xtask kills` does that and writes down what came of it.

#![allow(clippy::print_stdout, reason = "the result of many kills is for who asks for them")]

mod bad_stores;
mod endings;
mod kills;
mod made_classes;
mod orders;
mod project;
