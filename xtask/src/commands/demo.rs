//! `cargo xtask demo`: shows the product at work.
//!
//! The demonstration is a list of steps. Each does one thing that a user would do, by the product's own command line,
//! and fails loudly if the result is not the expected one.

use crate::failure::Failure;
use crate::processes;
use crate::setup::{self, Tool};

struct Step {
    title: &'static str,
    run: fn() -> Result<(), Failure>,
}

const STEPS: &[Step] = &[
    Step { title: "look for a JDK", run: || setup::ensure(&[Tool::Jdk]) },
    Step { title: "build the workspace", run: build },
];

pub(crate) fn run() -> Result<(), Failure> {
    for (number, step) in STEPS.iter().enumerate() {
        println!("step {} of {}: {}", number + 1, STEPS.len(), step.title);
        (step.run)()?;
    }
    println!("done");
    Ok(())
}

fn build() -> Result<(), Failure> {
    processes::run(processes::cargo(["build", "--workspace", "--locked"]))
}
