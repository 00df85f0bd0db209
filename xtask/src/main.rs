//! The project's own commands, run as `cargo xtask NAME`.
//!
//! They replace shell scripts: one language, typed, and tested like the product. The product may not depend on anything
//! here, and nothing here may contain logic of the product; a command only puts other programs together.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command, and what it says is for people"
)]

mod commands;
mod failure;
mod folders;
mod processes;
mod root;
mod setup;
mod surroundings;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::Failure;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The project's own commands")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Shows the product at work on a small program.
    Demo,
    /// Checks everything: format, lints, documentation, structure, tests.
    Test(commands::test::Arguments),
    /// Checks the structure of the repository: crate dependencies, documents, module docs.
    Tidy,
    /// Builds one command that carries the agent's library, and tries it.
    Dist,
    /// Fetches what the tests need from Maven's repository, so that they can run offline.
    Fetch(commands::fetch::Arguments),
    /// Sends every class of the corpus through the round trip and writes down the counts (takes minutes).
    Corpus,
    /// Compares everything there is with JaCoCo and writes down the result (takes minutes).
    Compare(commands::compare::Arguments),
    /// Runs a benchmark.
    Bench(commands::bench::Arguments),
    /// Runs fuzz targets.
    Fuzz(commands::fuzz::Arguments),
    /// Kills many recorded runs and writes down what came of it (takes minutes).
    Kills(commands::kills::Arguments),
    /// Tries the executable model at length (takes up to an hour).
    Model(commands::model::Arguments),
    /// Has JVMs verify the whole corpus after rewriting it in every way (takes minutes).
    VerifyRewrite,
}

fn main() -> ExitCode {
    match run(Arguments::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if failure.is_to_be_told() {
                eprintln!("error: {failure}");
            }
            failure.exit_code()
        }
    }
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Demo => commands::demo::run(),
        Command::Test(arguments) => commands::test::run(&arguments),
        Command::Tidy => commands::tidy::run(),
        Command::Dist => commands::dist::run(),
        Command::Fetch(arguments) => commands::fetch::run(&arguments),
        Command::Corpus => commands::corpus::run(),
        Command::Compare(arguments) => commands::compare::run(&arguments),
        Command::Bench(arguments) => commands::bench::run(&arguments),
        Command::Fuzz(arguments) => commands::fuzz::run(&arguments),
        Command::Kills(arguments) => commands::kills::run(&arguments),
        Command::Model(arguments) => commands::model::run(&arguments),
        Command::VerifyRewrite => commands::verify_rewrite::run(),
    }
}
