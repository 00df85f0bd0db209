//! `probity verify`: runs everything and compares with what a selection would have said.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use probity_engine::recorded_run::RunRequest;
use probity_engine::selection::State;
use probity_engine::store::Store;
use probity_engine::trace_description::outcome_in_words;
use probity_engine::traces::{project_of, with_dots};
use probity_engine::verification::{DifferingProbe, Missed, Verification, verify};
use probity_trace::Outcome;
use serde::Serialize;

use crate::agent_library;
use crate::commands::Verdict;
use crate::commands::recorded_run::tell;
use crate::commands::selection_input::SelectionArguments;
use crate::commands::store_input::nearest;
use crate::error::CliError;
use crate::output::{counted, write_json};
use crate::terminal::Messages;

/// The arguments of `probity verify`.
#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    #[command(flatten)]
    selection: SelectionArguments,

    /// The folder of the store; otherwise .probity in the current folder or the nearest one above that has it.
    #[arg(long = "store", value_name = "DIR")]
    store: Option<PathBuf>,

    /// Print one JSON object.
    #[arg(long)]
    json: bool,

    /// The program and its arguments, which run all tests.
    #[arg(value_name = "COMMAND", required = true, last = true)]
    command: Vec<OsString>,
}

#[derive(Serialize)]
struct VerifyObject<'v> {
    level: &'static str,
    units: usize,
    selected: usize,
    missed: Vec<MissedObject<'v>>,
    differing_probes: Vec<ProbeObject>,
}

#[derive(Serialize)]
struct MissedObject<'v> {
    unit: &'v str,
    test: Option<&'v str>,
    told: Option<&'static str>,
    found: Option<&'static str>,
}

#[derive(Serialize)]
struct ProbeObject {
    class: String,
    id: String,
    probe: u32,
    told: bool,
    found: bool,
}

/// Runs the command.
pub(crate) fn run(
    arguments: &VerifyArguments,
    messages: &Messages,
    data: &mut dyn Write,
) -> Result<Verdict, CliError> {
    let agent = agent_library::path()?;
    let store = Store::at(arguments.store.clone().unwrap_or_else(nearest));
    let project = project_of(store.folder());
    let request = RunRequest {
        command: &arguments.command,
        agent: &agent,
        store: &store,
        project: &project,
        exec_file: None,
    };
    let verification = arguments.selection.with_request(&store, |selection| verify(selection, &request))?;
    tell(&verification.run, messages);
    if arguments.json {
        write_json(data, &object(arguments, &verification))?;
    } else {
        write_text(&verification, data)?;
    }
    data.flush()?;
    let selected = selected(&verification);
    let units = counted(verification.selection.units.len(), "unit", "units");
    messages.say(&format_args!("of {units} {selected} would have run"));
    Ok(if verification.holds() { Verdict::Clean } else { Verdict::Findings })
}

fn selected(verification: &Verification) -> usize {
    verification.selection.units.iter().filter(|unit| unit.state != State::Fresh).count()
}

fn object<'v>(arguments: &VerifyArguments, verification: &'v Verification) -> VerifyObject<'v> {
    VerifyObject {
        level: arguments.selection.level().name(),
        units: verification.selection.units.len(),
        selected: selected(verification),
        missed: verification.missed.iter().map(missed_object).collect(),
        differing_probes: verification.differing_probes.iter().map(probe_object).collect(),
    }
}

fn missed_object(missed: &Missed) -> MissedObject<'_> {
    MissedObject {
        unit: &missed.unit,
        test: missed.test.as_deref(),
        told: missed.told.map(outcome_in_words),
        found: missed.found.map(outcome_in_words),
    }
}

fn probe_object(probe: &DifferingProbe) -> ProbeObject {
    ProbeObject {
        class: with_dots(&probe.class),
        id: format!("{:016x}", probe.class_id),
        probe: probe.probe,
        told: !probe.is_hit,
        found: probe.is_hit,
    }
}

fn write_text(verification: &Verification, data: &mut dyn Write) -> Result<(), CliError> {
    let word = |outcome: Option<Outcome>| outcome.map_or("not there", outcome_in_words);
    for Missed { unit, test, told, found } in &verification.missed {
        let test = test.as_deref().unwrap_or_default();
        writeln!(data, "missed {unit}: {test} was {} and is {}", word(*told), word(*found))?;
    }
    for DifferingProbe { class, probe, is_hit, .. } in &verification.differing_probes {
        let (told, found) = if *is_hit { ("not hit", "hit") } else { ("hit", "not hit") };
        writeln!(
            data,
            "different {}: probe {probe} would be told as {told} and is {found}",
            with_dots(class)
        )?;
    }
    Ok(())
}
