//! `probity merge`: adds up exec files.
//!
//! Nothing is written when any of them cannot be used.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use probity_execdata::store::Store;
use serde::Serialize;

use crate::commands::Verdict;
use crate::commands::exec_output::{self, Counts, Format};
use crate::error::CliError;

/// The arguments of `probity merge`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct MergeArguments {
    /// Exec files that this program's agent or JaCoCo's has recorded.
    #[arg(value_name = "EXEC", required = true)]
    files: Vec<PathBuf>,

    /// The file to write. If it exists, the sum is appended to what is in it, as JaCoCo does; delete it first to
    /// have the sum alone.
    #[arg(long, value_name = "PATH")]
    destfile: PathBuf,

    /// Print counts as one JSON object.
    #[arg(long)]
    json: bool,

    /// Print nothing on standard output.
    #[arg(long, conflicts_with = "json")]
    quiet: bool,
}

#[derive(Serialize)]
struct Merged {
    files: usize,
    #[serde(flatten)]
    counts: Counts,
}

/// Runs the command.
pub(crate) fn run(arguments: &MergeArguments, data: &mut dyn Write) -> Result<Verdict, CliError> {
    let MergeArguments { files, destfile, json, quiet } = arguments;
    let mut store = Store::default();
    let unusable: Vec<_> = files.iter().filter_map(|path| store.load_file(path).err()).collect();
    if !unusable.is_empty() {
        return Err(CliError::ExecFiles(unusable));
    }
    let counts = exec_output::append(&store, destfile)?;
    let merged = Merged { files: files.len(), counts };
    exec_output::tell(counts, destfile, Format::of(*json, *quiet), &merged, data)?;
    Ok(Verdict::Clean)
}
