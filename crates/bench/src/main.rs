//! How fast Probity is, measured side by side with what it is compared to; run as `cargo xtask bench NAME`.
//!
//! A benchmark is one file in `benchmarks`. What they share is how to measure ([`measure`]), how to sum up
//! ([`statistics`]), how to print ([`table`]) and what to work on ([`inputs`]). A benchmark must first check that all
//! variants do the same work: a fast wrong answer is not a result. It never judges: it prints figures.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command, and what it says is for people"
)]

mod benchmarks;
mod clock;
mod failure;
mod inputs;
mod measure;
mod statistics;
mod table;
mod timed;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::failure::Failure;

#[derive(Parser)]
#[command(name = "cargo xtask bench", about = "Measures how fast Probity is")]
struct Arguments {
    #[command(subcommand)]
    benchmark: Benchmark,
}

#[derive(Subcommand)]
enum Benchmark {
    /// The agent beside JaCoCo's and beside none.
    Agent(benchmarks::agent::Arguments),
    /// Instruments classes in a process of its own; the benchmark of the agent starts it.
    #[command(hide = true)]
    AgentInstrument(benchmarks::agent::OnceArguments),
    /// Reading, writing and rewriting class files, beside another reader.
    Classfile(benchmarks::classfile::Arguments),
    /// Reports beside those of JaCoCo's command.
    Report(benchmarks::report::Arguments),
    /// The store: its size, loading, adding a run, pruning.
    Store(benchmarks::store::Arguments),
    /// Recording traces beside plain coverage.
    Trace(benchmarks::trace::Arguments),
}

fn main() -> ExitCode {
    match run(&Arguments::parse().benchmark) {
        Ok(report) => {
            print!("{report}");
            ExitCode::SUCCESS
        }
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(benchmark: &Benchmark) -> Result<String, Failure> {
    match benchmark {
        Benchmark::Agent(arguments) => benchmarks::agent::run(arguments),
        Benchmark::AgentInstrument(arguments) => benchmarks::agent::run_once(arguments),
        Benchmark::Classfile(arguments) => benchmarks::classfile::run(arguments),
        Benchmark::Report(arguments) => benchmarks::report::run(arguments),
        Benchmark::Store(arguments) => benchmarks::store::run(arguments),
        Benchmark::Trace(arguments) => benchmarks::trace::run(arguments),
    }
}
