//! `cargo xtask test`: everything that has to hold before a change goes in.
//!
//! The cheap checks come first. The first failure ends the run, with the name of the step and how to run it alone. After
//! the tests the last line is the number of tests, for people and for machines; it is only printed if tests were run.

mod counts;

use std::time::{Duration, Instant};

use clap::ValueEnum;
use probity_test_support::corpus::Part;

use self::counts::Counts;
use crate::commands::{fetch, tidy};
use crate::failure::Failure;
use crate::processes;
use crate::setup;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Runs only this step.
    #[arg(long, value_name = "STEP")]
    only: Option<Step>,
}

/// The steps, in the order in which they are run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Step {
    /// Looks for a JDK, Maven, a browser and the readers of reports.
    Tools,
    /// Checks the formatting.
    Format,
    /// Runs clippy; warnings are errors.
    Lint,
    /// Builds the documentation; warnings are errors.
    Docs,
    /// Checks the structure of the repository.
    Tidy,
    /// Fetches what the tests need from Maven's repository.
    Fetch,
    /// Runs all tests.
    Tests,
}

impl Step {
    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    /// Runs the step; only the last one has tests to count.
    fn run(self) -> (Result<(), Failure>, Option<Counts>) {
        let result = match self {
            Step::Tools => setup::ensure(setup::FOR_TESTS),
            Step::Format => processes::run(processes::cargo(["fmt", "--all", "--check"])),
            Step::Lint => lint(),
            Step::Docs => docs(),
            Step::Tidy => tidy::run(),
            Step::Fetch => fetch::fetch(Part::Sample),
            Step::Tests => {
                let (result, counts) = tests();
                return (result, Some(counts));
            }
        };
        (result, None)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let steps = arguments.only.as_ref().map_or(Step::value_variants(), std::slice::from_ref);
    let mut durations = Vec::new();
    let mut counts = None;
    let mut outcome = Ok(());
    for &step in steps {
        eprintln!("\n== {}", step.name());
        let start = Instant::now();
        let (result, counted) = step.run();
        durations.push((step, start.elapsed()));
        counts = counts.or(counted);
        if let Err(cause) = result {
            outcome = Err(failed(step, cause));
            break;
        }
    }
    print_summary(&durations, &outcome, counts);
    outcome.map_err(|failure| Failure::AlreadyTold(Box::new(failure)))
}

fn lint() -> Result<(), Failure> {
    processes::run(processes::cargo([
        "clippy",
        "--workspace",
        "--all-targets",
        "--locked",
        "--",
        "-D",
        "warnings",
    ]))
}

fn docs() -> Result<(), Failure> {
    let mut command = processes::cargo(["doc", "--workspace", "--no-deps", "--locked"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    processes::run(command)
}

fn tests() -> (Result<(), Failure>, Counts) {
    let mut counts = Counts::default();
    let command = processes::cargo(["test", "--workspace", "--locked", "--no-fail-fast"]);
    let result = processes::run_reading(command, |line| counts.read(line));
    if result.is_err() {
        counts.at_least_one_failed();
    }
    (result, counts)
}

fn failed(step: Step, cause: Failure) -> Failure {
    let name = step.name();
    Failure::Step { alone: format!("cargo xtask test --only {name}"), name, cause: Box::new(cause) }
}

fn print_summary(durations: &[(Step, Duration)], outcome: &Result<(), Failure>, counts: Option<Counts>) {
    println!("\nstep      seconds");
    for (step, duration) in durations {
        println!("{:<8}{:>9.1}", step.name(), duration.as_secs_f64());
    }
    let total: Duration = durations.iter().map(|(_, duration)| *duration).sum();
    println!("{:<8}{:>9.1}", "total", total.as_secs_f64());
    if let Err(failure) = outcome {
        println!("{failure}");
    }
    if let Some(counts) = counts {
        println!("{counts}");
    }
}
