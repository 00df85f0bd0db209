//! `probity debug`: commands for those who maintain this program.
//!
//! They are not covered by any promise of stability. Nothing that users need may live only here.

mod class;
mod entry_name;
mod recording;
mod rewrite;

use std::io::Write;

use clap::Subcommand;

use crate::args::exit_codes;
use crate::commands::Verdict;
use crate::error::CliError;
use crate::terminal::Messages;

/// Commands for maintainers.
#[derive(Debug, Subcommand)]
pub(crate) enum DebugCommand {
    /// Read class files, wherever they are, and tell what is in them.
    #[command(after_help = exit_codes!(findings: "some classes are not as they should be"))]
    Class(class::ClassArguments),
    /// Show what a JVM recorded of its test units.
    #[command(after_help = exit_codes!(findings: "a recording is damaged"))]
    Recording(recording::RecordingArguments),
    /// Change classes in a way that must not change what they do.
    #[command(after_help = exit_codes!(findings: "some classes cannot be rewritten"))]
    Rewrite(rewrite::RewriteArguments),
}

/// Runs a command for maintainers.
pub(crate) fn run(
    command: &DebugCommand,
    messages: &Messages,
    data: &mut dyn Write,
) -> Result<Verdict, CliError> {
    match command {
        DebugCommand::Class(arguments) => class::run(arguments, messages, data),
        DebugCommand::Recording(arguments) => recording::run(arguments, data),
        DebugCommand::Rewrite(arguments) => rewrite::run(arguments, messages, data),
    }
}
