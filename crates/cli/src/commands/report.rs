//! `probity report`: coverage reports from exec files and classes.
//!
//! All reports are written beside their places and then moved there: a failed run leaves the old ones whole.

mod formats;

use clap::Args;
use probity_engine::source_text::Encoding;

use crate::commands::Verdict;
use crate::commands::coverage_input::{CoverageInput, CoverageInputArguments};
use crate::error::CliError;
use crate::files::Staged;
use crate::terminal::Messages;
use formats::FormatAndPath;

/// The arguments of `probity report`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct ReportArguments {
    #[command(flatten)]
    input: CoverageInputArguments,

    /// A report to write: xml=PATH and csv=PATH as JaCoCo writes them, html=FOLDER, lcov=PATH, cobertura=PATH,
    /// sonar=PATH (Sonar's generic coverage), json=PATH or markdown=PATH. Can be given several times.
    #[arg(long = "format", value_name = "FORMAT=PATH", num_args = 1.., required = true)]
    formats: Vec<FormatAndPath>,

    /// The encoding of source files, such as ISO-8859-1. UTF-8 unless said otherwise.
    #[arg(long, value_name = "NAME", value_parser = encoding, default_value = "", hide_default_value = true)]
    encoding: Encoding,
}

fn encoding(name: &str) -> Result<Encoding, String> {
    if name.is_empty() {
        return Ok(Encoding::default());
    }
    Encoding::named(name)
        .ok_or_else(|| "there is no encoding of this name; try UTF-8 or ISO-8859-1".to_owned())
}

/// Runs the command.
pub(crate) fn run(arguments: &ReportArguments, messages: &Messages) -> Result<Verdict, CliError> {
    let input = CoverageInput::load(&arguments.input, messages)?;
    let mut staged: Vec<Staged> = Vec::new();
    for format in &arguments.formats {
        staged.push(format.stage(&input, arguments.encoding, messages)?);
    }
    for report in staged {
        report.move_into_place()?;
    }
    Ok(input.verdict())
}
