//! `probity run`: runs a program and keeps what its test units used.

use std::ffi::OsString;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::ExitStatus;

use clap::Args;
use probity_engine::recorded_run::{RunRequest, RunResult, run as run_recorded};
use probity_engine::store::{Pruned, Store};
use probity_trace::{Outcome, Trace};

use crate::agent_library;
use crate::commands::Verdict;
use crate::commands::store_input::{nearest, warn_about};
use crate::error::CliError;
use crate::output::counted;
use crate::terminal::Messages;
use probity_engine::traces::project_of;

/// The arguments of `probity run`.
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// The folder of the store; otherwise .probity in the current folder or the nearest one above that has it.
    #[arg(long = "store", value_name = "DIR")]
    store: Option<PathBuf>,

    /// Append execution data to this file, too, as JaCoCo's agent would.
    #[arg(long = "exec", value_name = "FILE")]
    exec_file: Option<PathBuf>,

    /// The program and its arguments; a JVM, or something that starts JVMs.
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<OsString>,
}

/// Runs the program; its exit code becomes that of the command.
pub(crate) fn run(arguments: &RunArguments, messages: &Messages) -> Result<Verdict, CliError> {
    let agent = agent_library::path()?;
    let store = Store::at(arguments.store.clone().unwrap_or_else(nearest));
    let project = project_of(store.folder());
    let request = RunRequest {
        command: &arguments.command,
        agent: &agent,
        store: &store,
        project: &project,
        exec_file: arguments.exec_file.as_deref(),
    };
    let result = run_recorded(&request)?;
    tell(&result, messages);
    Ok(Verdict::Exit(exit_code(result.status)))
}

/// The exit code as shells give it: a program that a signal ended has 128 and the signal's number.
pub(crate) fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    code.map_or(1, |code| code as u8)
}

pub(crate) fn tell(result: &RunResult, messages: &Messages) {
    for problem in &result.problems {
        messages.warning(problem);
    }
    if result.jvms == 0 {
        messages.warning(&"no JVM was recorded, so all tests will run again");
    }
    tell_of_distrust(&result.traces, messages);
    match &result.stored {
        Ok(added) => {
            warn_about(&added.problems, messages);
            messages.say(&summary(&result.traces, added.traces));
        }
        Err(error) => {
            messages
                .warning(&format_args!("{error}; what was recorded is lost, and these tests will run again"));
        }
    }
    match &result.pruned {
        Ok(None) => {}
        Ok(Some(Pruned { traces, files, .. })) => {
            let [traces, files] = [traces, files].map(|[before, now]| format!("{before} -> {now}"));
            messages.say(&format_args!("pruned the store: {traces} traces, {files} files"));
        }
        Err(error) => messages.warning(&format_args!("the store was not pruned: {error}")),
    }
}

pub(crate) fn summary(traces: &[Trace], new: usize) -> String {
    let count = |outcome| traces.iter().filter(|trace| trace.outcome() == outcome).count();
    let units = counted(traces.len(), "unit", "units");
    let (passed, failed, skipped) = (count(Outcome::Passed), count(Outcome::Failed), count(Outcome::Skipped));
    let traces = counted(new, "new trace", "new traces");
    format!("recorded {units}: {passed} passed, {failed} failed, {skipped} skipped; {traces}")
}

/// How many units are named that cannot be trusted.
const NAMED: usize = 5;

pub(crate) fn tell_of_distrust(traces: &[Trace], messages: &Messages) {
    let distrusted: Vec<&Trace> = traces.iter().filter(|trace| !trace.distrust.is_empty()).collect();
    for trace in distrusted.iter().take(NAMED) {
        let reasons = trace.distrust.join("; ");
        messages.warning(&format_args!("{} will run again: {reasons}", trace.unit));
    }
    if distrusted.len() > NAMED {
        let more = counted(distrusted.len() - NAMED, "more unit", "more units");
        messages.warning(&format_args!("{more} will run again; see `probity trace list`"));
    }
}
