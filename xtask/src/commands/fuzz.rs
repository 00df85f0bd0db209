//! `cargo xtask fuzz`: runs targets of the fuzz crate, optimised and with all checks of arithmetic.

use std::ffi::OsString;

use crate::failure::Failure;
use crate::processes;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The target (all of them if none is given), `--seconds N`, and other arguments for it.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "TARGET")]
    words: Vec<OsString>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut command = processes::cargo(["run", "--profile=fuzz", "--locked", "--package=probity-fuzz", "--"]);
    command.args(&arguments.words);
    processes::run(command)
}
