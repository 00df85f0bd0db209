//! `probity explain`: why a unit must run, or on what it rests that it need not.

use std::io::Write;

use clap::Args;
use probity_engine::selection::{Reason, State, UnitState};
use probity_engine::trace_description::outcome_in_words;
use probity_engine::traces::{find_name, in_words as why_in_words, with_dots};
use probity_report::JavaDate;

use crate::commands::Verdict;
use crate::commands::affected::UnitObject;
use crate::commands::reason_words::{in_words, state_word};
use crate::commands::selection_input::SelectionArguments;
use crate::commands::store_input::StoreArguments;
use crate::error::CliError;
use crate::output::{counted, write_json};
use crate::terminal::Messages;

/// The arguments of `probity explain`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct ExplainArguments {
    /// The unit: the name of its test class, or what is behind its last dot.
    #[arg(value_name = "UNIT")]
    unit: String,

    #[command(flatten)]
    selection: SelectionArguments,

    #[command(flatten)]
    store: StoreArguments,
}

/// Runs the command.
pub(crate) fn run(
    arguments: &ExplainArguments,
    messages: &Messages,
    data: &mut dyn Write,
) -> Result<Verdict, CliError> {
    let store = arguments.store.store();
    let selection = arguments.selection.select(&store, messages);
    let names = selection.units.iter().map(|unit| unit.unit.as_str());
    let name = find_name(names, &arguments.unit).map_err(|unknown| CliError::NotFound {
        what: format!("{}: {unknown}", store.folder().display()),
        hint: unknown.hint(),
    })?;
    let unit = selection.units.iter().find(|unit| unit.unit == name);
    if let Some(unit) = unit {
        if arguments.store.json {
            write_json(data, &UnitObject::of(unit))?;
        } else {
            explain(unit, data)?;
        }
    }
    data.flush()?;
    Ok(Verdict::Clean)
}

fn explain(unit: &UnitState, data: &mut dyn Write) -> Result<(), CliError> {
    let name = &unit.unit;
    writeln!(data, "{name} is {}", state_word(unit.state))?;
    for reason in &unit.reasons {
        writeln!(data, "  it {}", in_words(reason))?;
        if let Reason::Class { name, .. } = reason {
            why_it_counts(unit, name, data)?;
        }
    }
    let Some(trace) = &unit.trace else { return Ok(()) };
    let when = JavaDate(trace.began.cast_signed());
    let outcome = outcome_in_words(trace.outcome());
    writeln!(data, "  its trace is of {when}, when it {outcome} in {} ms", trace.micros / 1000)?;
    if unit.state == State::Fresh {
        let counts = [
            counted(trace.classes.len(), "class", "classes"),
            counted(trace.files.len(), "file", "files"),
            counted(trace.resources.len(), "resource", "resources"),
            counted(
                trace.absent_classes.len(),
                "class that was looked for and is not there",
                "classes that were looked for and are not there",
            ),
            counted(trace.variables.len(), "variable", "variables"),
        ];
        writeln!(data, "  all that it used is as it was: {}", counts.join(", "))?;
    }
    Ok(())
}

/// Why the class that changed counts for the unit.
fn why_it_counts(unit: &UnitState, class: &str, data: &mut dyn Write) -> Result<(), CliError> {
    let classes = unit.trace.iter().flat_map(|trace| &trace.classes);
    for used in classes.filter(|used| &*used.name == class) {
        for reason in &used.reasons {
            writeln!(data, "    {}: {}", with_dots(class), why_in_words(reason.why, reason.of.as_deref()))?;
        }
    }
    Ok(())
}
