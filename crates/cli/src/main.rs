//! The `probity` command.
//!
//! This crate is the only one that parses arguments, prints and exits; everything it knows about classes,
//! tests and coverage it asks the other crates. `main` itself must do nothing but call [`run::run`]: what is
//! in `main` cannot be tested.

mod agent_library;
mod args;
mod carried;
mod commands;
mod error;
mod files;
mod output;
mod run;
mod terminal;

fn main() -> std::process::ExitCode {
    run::run()
}
