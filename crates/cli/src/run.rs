//! One run of the command, from the arguments to the exit code.
//!
//! Everything that can go wrong ends here, so that there is one place that turns errors into text and
//! numbers. No command may exit or print an error that ends it by itself.

use std::io;
use std::panic;
use std::process::ExitCode;

use clap::Parser;

use crate::args::Arguments;
use crate::commands::{self, Verdict};
use crate::error::{CliError, EXIT_FINDINGS, EXIT_OK};
use crate::terminal::Messages;

/// Runs the command that the arguments of the process ask for.
pub(crate) fn run() -> ExitCode {
    let messages = Messages::for_stderr();
    let result = panic::catch_unwind(|| parse_and_run(&messages))
        .unwrap_or_else(|_| Err(CliError::Internal("a part of the program panicked".to_owned())));
    ExitCode::from(finish(&messages, &result))
}

fn parse_and_run(messages: &Messages) -> Result<Verdict, CliError> {
    let arguments = Arguments::try_parse().map_err(CliError::Usage)?;
    commands::run(&arguments.command, messages, &mut io::BufWriter::new(io::stdout().lock()))
}

fn finish(messages: &Messages, result: &Result<Verdict, CliError>) -> u8 {
    match result {
        Ok(Verdict::Clean) => EXIT_OK,
        Ok(Verdict::Findings) => EXIT_FINDINGS,
        Ok(Verdict::Exit(code)) => *code,
        Err(error) => {
            error.report(messages);
            error.exit_code()
        }
    }
}
