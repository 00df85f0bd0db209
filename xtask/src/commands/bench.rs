//! `cargo xtask bench`: runs a benchmark of the bench crate, optimised.

use std::ffi::OsString;

use crate::failure::Failure;
use crate::processes;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The benchmark, and arguments for it.
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "NAME")]
    words: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut command = processes::cargo(["run", "--release", "--locked", "--package", "probity-bench", "--"]);
    command.args(&arguments.words);
    processes::run(command)
}
