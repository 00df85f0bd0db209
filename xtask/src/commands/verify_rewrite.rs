//! `cargo xtask verify-rewrite`: puts the rewritten corpus before the JVMs of all installed JDKs.

use probity_test_support::corpus::Part;

use super::fetch;
use crate::failure::Failure;
use crate::processes;

pub(crate) fn run() -> Result<(), Failure> {
    fetch::fetch(Part::All)?;
    let program = ["run", "--profile=fuzz", "--locked", "--package=probity-fuzz", "--bin=verify-rewrite"];
    processes::run(processes::cargo(program))
}
