//! `cargo xtask model`: tries the executable model at length, optimised.

use std::ffi::OsString;

use crate::failure::Failure;
use crate::processes;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// `--programs N`, `--seed S`, `--json` and others; everything is tried if none is given (takes up to an hour).
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENT")]
    words: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let program = ["run", "--release", "--locked", "--package=probity-fuzz", "--bin=model", "--"];
    let mut command = processes::cargo(program);
    command.args(&arguments.words);
    processes::run(command)
}
