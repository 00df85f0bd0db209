//! `probity debug recording`: what a JVM recorded of its test units, as text.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use probity_classpath::{OpenError, OpenErrorKind};
use probity_wire::{Frames, Listing};

use crate::commands::Verdict;
use crate::error::CliError;

/// The arguments of `probity debug recording`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct RecordingArguments {
    /// Files that the agent wrote with its option `traces`.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Prints recordings one after the other.
pub(super) fn run(arguments: &RecordingArguments, data: &mut dyn Write) -> Result<Verdict, CliError> {
    let mut verdict = Verdict::Clean;
    for path in &arguments.files {
        let bytes = std::fs::read(path).map_err(|error| {
            CliError::Inputs(vec![OpenError {
                container: path.display().to_string(),
                offset: None,
                kind: OpenErrorKind::Unreadable(error),
            }])
        })?;
        let mut listing = Listing::new();
        let mut write = |text: String| data.write_all(text.as_bytes()).map_err(CliError::Output);
        match Frames::new(&bytes) {
            Err(damage) => {
                verdict = Verdict::Findings;
                write(format!("{}: {damage}\n", path.display()))?;
            }
            Ok(frames) => {
                for message in frames {
                    if message.is_err() {
                        verdict = Verdict::Findings;
                    }
                    write(listing.next(&message))?;
                }
            }
        }
    }
    Ok(verdict)
}
