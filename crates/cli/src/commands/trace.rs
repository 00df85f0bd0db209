//! `probity trace`: which units have traces, and what is in one.

mod show;

use std::io::Write;

use clap::Subcommand;
use probity_engine::store::{Fact, TraceView};
use probity_engine::trace_description::outcome_in_words;
use probity_engine::traces::newest;
use probity_report::JavaDate;
use serde::Serialize;

use crate::args::exit_codes;
use crate::commands::Verdict;
use crate::commands::store_input::{StoreArguments, warn_about};
use crate::error::CliError;
use crate::output::write_json;
use crate::terminal::Messages;

/// The commands for traces.
#[derive(Debug, Subcommand)]
pub(crate) enum TraceCommand {
    /// List the units that have traces, with the newest of each.
    #[command(after_help = exit_codes!("Times are in UTC.",))]
    List(StoreArguments),
    /// Show what a unit used, and why.
    #[command(after_help = exit_codes!("Times are in UTC.",))]
    Show(show::ShowArguments),
}

/// Runs a command for traces.
pub(crate) fn run(
    command: &TraceCommand,
    messages: &Messages,
    data: &mut dyn Write,
) -> Result<Verdict, CliError> {
    match command {
        TraceCommand::List(arguments) => list(arguments, messages, data)?,
        TraceCommand::Show(arguments) => show::run(arguments, messages, data)?,
    }
    data.flush()?;
    Ok(Verdict::Clean)
}

#[derive(Serialize)]
struct ListObject {
    units: Vec<UnitObject>,
}

#[derive(Serialize)]
struct UnitObject {
    unit: String,
    framework: String,
    traces: usize,
    began: u64,
    micros: u64,
    outcome: &'static str,
    tests: usize,
    classes: usize,
    distrust: Vec<String>,
}

fn list(arguments: &StoreArguments, messages: &Messages, data: &mut dyn Write) -> Result<(), CliError> {
    let traces = arguments.store().load();
    warn_about(traces.problems(), messages);
    let units: Vec<UnitObject> = newest(&traces)
        .map(|trace| UnitObject {
            unit: trace.unit().to_owned(),
            framework: trace.framework().to_owned(),
            traces: traces.of_unit(trace.unit()).count(),
            began: trace.began(),
            micros: trace.micros(),
            outcome: outcome_in_words(trace.outcome()),
            tests: trace.tests().len(),
            classes: trace.classes().len(),
            distrust: distrust(trace),
        })
        .collect();
    if arguments.json {
        return write_json(data, &ListObject { units });
    }
    writeln!(data, "OUTCOME   TESTS  CLASSES  TRACES       MILLIS  RECORDED                      UNIT")?;
    for one in units {
        let UnitObject { unit, traces, began, micros, outcome, tests, classes, .. } = one;
        let (date, millis) = (JavaDate(began.cast_signed()).to_string(), micros as f64 / 1000.0);
        writeln!(data, "{outcome:8} {tests:6} {classes:8} {traces:7} {millis:12.3}  {date:28}  {unit}")?;
    }
    Ok(())
}

fn distrust(trace: TraceView<'_>) -> Vec<String> {
    let why = |fact| match fact {
        Fact::Distrust(why) => Some(str::to_owned(why)),
        _ => None,
    };
    trace.facts().filter_map(why).collect()
}
