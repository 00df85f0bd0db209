//! `cargo xtask kills`: kills many recorded runs and writes down what came of it.
//!
//! The test does a few of them each time; here it is told to do many. The document is written when the store was whole after each
//! and at no other time.

use std::fs;

use crate::failure::Failure;
use crate::processes;
use crate::root::repository_root;
use crate::setup::{self, Tool};
use crate::surroundings::Surroundings;

/// Where the result is written down.
const DOCUMENT: &str = "docs/results/kills.md";

const TEXT: &str = "\
Question: does a run that is killed at any time harm the store, lose a trace that was there, or leave a trace that is not whole?

A run of four JUnit 4 test classes is recorded over and over into one store, each time with another option so that all of its traces
are new. It is killed with SIGKILL at a random time between its start and a little more than it takes: in every second
round the test JVM, in the others `probity run` itself, and then the JVM that it leaves. After each round every bit of the store is verified, all
traces that were there before are looked for, and at the end each trace must have the results of all its tests. The next run must
remove what killed ones left.
";

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many runs are killed.
    #[arg(long, default_value_t = 200)]
    count: u32,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    setup::ensure(&[Tool::Jdk, Tool::Maven])?;
    let mut command =
        processes::cargo(["test", "--locked", "--package", "probity-cli", "--test", "recorded_runs"]);
    command.args(["--", "--nocapture", "kills::"]).env("PROBITY_KILLS", arguments.count.to_string());
    let mut lines = Vec::new();
    processes::run_reading(command, |line| lines.push(line.to_owned()))?;
    let path = repository_root().join(DOCUMENT);
    let document = document(&Surroundings::here()?, &lines);
    fs::write(&path, document).map_err(|source| Failure::Unwritable { path, source })?;
    println!("wrote {DOCUMENT}");
    Ok(())
}

fn document(surroundings: &Surroundings, lines: &[String]) -> String {
    let result = lines.iter().filter(|line| line.contains(" kills, ")).map(|line| line.trim());
    let result = result.collect::<Vec<_>>().join("\n");
    format!(
        "# Runs that are killed\n\n{TEXT}\nCommand, which also writes this file:\n\n    cargo xtask kills\n\n{surroundings}\n\
         ## Result\n\n{result}\n\nNone failed: the test ends at the first failure.\n\n\
         Not measured: machines that lose power, and file systems that keep no order.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_is_the_line_that_the_test_prints() {
        let lines = ["running 1 test", "7 kills, 3 of the JVM ..."].map(str::to_owned);
        let text = document(&Surroundings::default(), &lines);
        assert!(text.contains("\n7 kills, 3 of the JVM ...\n") && !text.contains("running"), "{text}");
    }
}
