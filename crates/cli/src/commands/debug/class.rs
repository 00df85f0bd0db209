//! `probity debug class`: reads every class of the given sources, on all cores.
//!
//! It ties three parts together: `examine` looks at one class, `survey` runs that over a source, `report`
//! counts and prints. Output is in the order of the sources and their entries, whatever the threads do. A
//! source that cannot be opened never keeps the others from being read.

mod examine;
mod report;
mod survey;

use std::ffi::OsString;
use std::io::Write;
use std::num::NonZeroUsize;
use std::thread;

use clap::Args;
use probity_classpath::Source;

use crate::commands::Verdict;
use crate::error::CliError;
use crate::terminal::Messages;

use examine::Options;
use report::{Format, Report};

/// The arguments of `probity debug class`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct ClassArguments {
    /// Class files, folders, archives, or `jrt:` with the home folder of a JDK.
    #[arg(value_name = "FILE|DIR|JAR|jrt:JDK_HOME", required = true)]
    sources: Vec<OsString>,

    /// Print what is in each class.
    #[arg(long, conflicts_with_all = ["roundtrip", "json"])]
    print: bool,

    /// Write each class again and compare it with what was read.
    #[arg(long)]
    roundtrip: bool,

    /// Print one JSON object instead of text.
    #[arg(long)]
    json: bool,

    /// How many threads to use [default: one per core].
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

impl ClassArguments {
    fn format(&self) -> Format {
        match (self.print, self.roundtrip, self.json) {
            (true, _, _) => Format::Listing,
            (false, false, false) => Format::Summary,
            (false, false, true) => Format::SummaryJson,
            (false, true, false) => Format::Roundtrip,
            (false, true, true) => Format::RoundtripJson,
        }
    }
}

/// Runs the command.
pub(crate) fn run(
    arguments: &ClassArguments,
    messages: &Messages,
    data: &mut dyn Write,
) -> Result<Verdict, CliError> {
    let options = Options { print: arguments.print, roundtrip: arguments.roundtrip };
    let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let threads = arguments.threads.unwrap_or_else(cores);
    let mut report = Report::new(arguments.format());
    let mut unusable = Vec::new();
    for spec in &arguments.sources {
        match Source::open(spec) {
            Ok(source) => {
                report.start(&source);
                survey::survey(&source, options, threads, |entry, outcome| {
                    report.add(&source, entry, outcome, messages, data)
                })?;
                report.end(data)?;
            }
            Err(error) => {
                report.unusable(&error);
                unusable.push(error);
            }
        }
    }
    let verdict = report.finish(data)?;
    if unusable.is_empty() { Ok(verdict) } else { Err(CliError::Inputs(unusable)) }
}
