//! `probity report`: coverage reports from exec files and classes.
//!
//! All reports are written beside their places and then moved there: a failed run leaves the old ones whole.

mod formats;

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use clap::error::ErrorKind;
use probity_classpath::{OpenError, Source};
use probity_engine::line_units::units_of_lines;
use probity_engine::source_text::Encoding;
use probity_engine::store::Store;
use probity_report::LineUnits;

use crate::commands::Verdict;
use crate::commands::coverage_input::{CoverageInput, CoverageInputArguments};
use crate::commands::store_input::{nearest, warn_about};
use crate::error::CliError;
use crate::files::Staged;
use crate::terminal::Messages;
use formats::{FormatAndPlace, Ready};

/// The arguments of `probity report`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct ReportArguments {
    #[command(flatten)]
    input: CoverageInputArguments,

    /// A report to write: xml=PATH and csv=PATH as JaCoCo writes them, html=FOLDER, lcov=PATH, cobertura=PATH,
    /// sonar=PATH (Sonar's generic coverage), json=PATH, markdown=PATH, table=PATH or annotations=PATH (GitHub's). All but html can go to standard
    /// output, with - for PATH; there a table has at most 40 packages. Can be given several times; without any, a
    /// table is printed.
    #[arg(long = "format", value_name = "FORMAT=PATH", num_args = 1..)]
    formats: Vec<FormatAndPlace>,

    /// The encoding of source files, such as ISO-8859-1. UTF-8 unless said otherwise.
    #[arg(long, value_name = "NAME", value_parser = encoding, default_value = "", hide_default_value = true)]
    encoding: Encoding,

    /// Show in html which test units cover each line, from the traces that `probity run` has kept.
    #[arg(long)]
    units: bool,

    /// For --units: the folder of the store; otherwise .probity in the current folder or the nearest one above that has
    /// it.
    #[arg(long, value_name = "DIR", requires = "units")]
    store: Option<PathBuf>,
}

impl ReportArguments {
    /// The units behind each line, if they are wanted.
    fn line_units(&self, messages: &Messages) -> Result<Option<LineUnits>, CliError> {
        if !self.units {
            return Ok(None);
        }
        let traces = Store::at(self.store.clone().unwrap_or_else(nearest)).load();
        warn_about(traces.problems(), messages);
        if traces.is_empty() {
            messages.warning(&"there are no traces, so no units are shown; record some with `probity run`");
        }
        let opened: Result<Vec<Source>, OpenError> = self.input.class_places().map(Source::open).collect();
        let sources = opened.map_err(|error| CliError::Inputs(vec![error]))?;
        let (units, errors) = units_of_lines(&traces, &sources);
        errors.iter().for_each(|error| messages.warning(error));
        Ok(Some(units))
    }
}

fn encoding(name: &str) -> Result<Encoding, String> {
    if name.is_empty() {
        return Ok(Encoding::default());
    }
    Encoding::named(name)
        .ok_or_else(|| "there is no encoding of this name; try UTF-8 or ISO-8859-1".to_owned())
}

/// Runs the command.
pub(crate) fn run(
    arguments: &ReportArguments,
    messages: &Messages,
    data: &mut dyn Write,
) -> Result<Verdict, CliError> {
    let table = [FormatAndPlace::TABLE];
    let formats = if arguments.formats.is_empty() { &table } else { arguments.formats.as_slice() };
    if let Some(place) = FormatAndPlace::shared_place(formats) {
        let problem = format!("only one report can go to {place}\n");
        return Err(CliError::Usage(clap::Error::raw(ErrorKind::ArgumentConflict, problem)));
    }
    let input = CoverageInput::load(&arguments.input, messages)?;
    let units = arguments.line_units(messages)?;
    let (mut staged, mut printed): (Vec<Staged>, Vec<u8>) = (Vec::new(), Vec::new());
    for format in formats {
        match format.make(&input, units.as_ref(), arguments.encoding, messages)? {
            Ready::Staged(report) => staged.push(report),
            Ready::Text(text) => printed.extend(text),
        }
    }
    for report in staged {
        report.move_into_place()?;
    }
    data.write_all(&printed)?;
    data.flush()?;
    let verdict = input.verdict();
    // The process ends now; to take millions of values apart one by one would only keep its user waiting.
    std::mem::forget(input);
    Ok(verdict)
}
