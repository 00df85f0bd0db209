//! The commands, one module each.
//!
//! A command gets its arguments, a place for messages and a place for data, and comes to a verdict or an
//! error. It never exits, never reads the arguments of the process, and writes data only to the place it was
//! given.

pub(crate) mod affected;
pub(crate) mod agent_path;
pub(crate) mod audit;
pub(crate) mod check_coverage;
pub(crate) mod classinfo;
mod coverage_input;
pub(crate) mod debug;
pub(crate) mod dump;
mod exec_output;
pub(crate) mod execinfo;
pub(crate) mod explain;
mod groups;
pub(crate) mod matrix;
pub(crate) mod merge;
pub(crate) mod mvn;
mod patch;
mod reason_words;
pub(crate) mod recorded_run;
pub(crate) mod report;
mod selection_input;
mod sources;
pub(crate) mod store;
mod store_input;
pub(crate) mod trace;
pub(crate) mod verify;
pub(crate) mod who;

use std::io::Write;

use crate::args::Command;
use crate::error::CliError;
use crate::terminal::Messages;

/// What a command that did its work found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    Clean,
    Findings,
    /// What a program that was run has said.
    Exit(u8),
}

/// Runs a command.
pub(crate) fn run(command: &Command, messages: &Messages, data: &mut dyn Write) -> Result<Verdict, CliError> {
    match command {
        Command::AgentPath => agent_path::run(data),
        Command::Audit(arguments) => audit::run(arguments, messages, data),
        Command::CheckCoverage(arguments) => check_coverage::run(arguments, messages, data),
        Command::Classinfo(arguments) => classinfo::run(arguments, messages, data),
        Command::Dump(arguments) => dump::run(arguments, messages, data),
        Command::Execinfo(arguments) => execinfo::run(arguments, data),
        Command::Merge(arguments) => merge::run(arguments, data),
        Command::Mvn(arguments) => mvn::run(arguments, messages),
        Command::Run(arguments) => recorded_run::run(arguments, messages),
        Command::Report(arguments) => report::run(arguments, messages, data),
        Command::Store(command) => store::run(command, messages, data),
        Command::Trace(command) => trace::run(command, messages, data),
        Command::Who(arguments) => who::run(arguments, messages, data),
        Command::Affected(arguments) => affected::run(arguments, messages, data),
        Command::Explain(arguments) => explain::run(arguments, messages, data),
        Command::Verify(arguments) => verify::run(arguments, messages, data),
        Command::Matrix(arguments) => matrix::run(arguments, messages, data),
        Command::Debug(command) => debug::run(command, messages, data),
    }
}
