//! `probity affected`: which units must run, and why. Nothing is run.

use std::io::Write;

use clap::Args;
use probity_engine::selection::{Reason, State, UnitState};
use serde::Serialize;

use crate::commands::Verdict;
use crate::commands::reason_words::{in_words, reason_kind, reason_member, reason_name, state_word};
use crate::commands::selection_input::SelectionArguments;
use crate::commands::store_input::StoreArguments;
use crate::error::CliError;
use crate::output::{counted, write_json};
use crate::terminal::Messages;

/// The arguments of `probity affected`.
#[derive(Debug, Args)]
pub(crate) struct AffectedArguments {
    #[command(flatten)]
    selection: SelectionArguments,

    #[command(flatten)]
    store: StoreArguments,
}

#[derive(Serialize)]
struct AffectedObject<'s> {
    level: &'static str,
    units: Vec<UnitObject<'s>>,
}

/// A unit, as data.
#[derive(Serialize)]
pub(crate) struct UnitObject<'s> {
    id: &'s str,
    state: &'static str,
    reasons: Vec<ReasonObject<'s>>,
}

#[derive(Serialize)]
struct ReasonObject<'s> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    member: Option<&'s str>,
    text: String,
}

impl<'s> UnitObject<'s> {
    pub(crate) fn of(unit: &'s UnitState) -> Self {
        Self {
            id: &unit.unit,
            state: state_word(unit.state),
            reasons: unit.reasons.iter().map(ReasonObject::of).collect(),
        }
    }
}

impl<'s> ReasonObject<'s> {
    fn of(reason: &'s Reason) -> Self {
        let (kind, name, member) = (reason_kind(reason), reason_name(reason), reason_member(reason));
        Self { kind, name, member, text: in_words(reason) }
    }
}

/// Runs the command.
pub(crate) fn run(
    arguments: &AffectedArguments,
    messages: &Messages,
    data: &mut dyn Write,
) -> Result<Verdict, CliError> {
    let store = arguments.store.store();
    let selection = arguments.selection.select(&store, messages);
    if arguments.store.json {
        let units = selection.units.iter().map(UnitObject::of).collect();
        write_json(data, &AffectedObject { level: arguments.selection.level().name(), units })?;
    } else {
        for unit in selection.units.iter().filter(|unit| unit.state != State::Fresh) {
            let why = unit.reasons.first().map(in_words).unwrap_or_default();
            writeln!(data, "{} {} {why}", state_word(unit.state), unit.unit)?;
        }
        let count = |state| selection.units.iter().filter(|unit| unit.state == state).count();
        let all = counted(selection.units.len(), "unit", "units");
        messages.say(&format_args!(
            "{all}: {} fresh, {} stale, {} new, {} unknown",
            count(State::Fresh),
            count(State::Stale),
            count(State::New),
            count(State::Unknown)
        ));
    }
    data.flush()?;
    Ok(Verdict::Clean)
}
