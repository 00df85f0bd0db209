//! Appends execution data to a file and tells how much it was: what `merge` and `dump` have in common.

use std::io::Write;
use std::path::Path;

use probity_execdata::file;
use probity_execdata::store::Store;
use serde::Serialize;

use crate::error::CliError;
use crate::output::{counted, write_json};

/// What is printed about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Json,
    Nothing,
}

impl Format {
    /// The format that two options ask for, which exclude each other.
    pub(super) fn of(json: bool, quiet: bool) -> Format {
        match (json, quiet) {
            (true, _) => Format::Json,
            (false, true) => Format::Nothing,
            (false, false) => Format::Text,
        }
    }
}

/// How much was appended. Classes without hits are not.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Counts {
    sessions: usize,
    classes: usize,
}

/// Appends everything to a file.
pub(super) fn append(store: &Store, path: &Path) -> Result<Counts, CliError> {
    let mut content = Vec::new();
    store.write(&mut content);
    file::append(path, &content).map_err(|error| CliError::ExecFiles(vec![error]))?;
    let classes = store.classes().filter(|class| class.probes.hit_count() > 0).count();
    Ok(Counts { sessions: store.sessions().len(), classes })
}

/// Tells what was appended; the JSON object is made of the counts and of what the command adds.
pub(super) fn tell(
    counts: Counts,
    path: &Path,
    format: Format,
    json: &impl Serialize,
    data: &mut dyn Write,
) -> Result<(), CliError> {
    let sessions = counted(counts.sessions, "session", "sessions");
    let classes = counted(counts.classes, "class", "classes");
    match format {
        Format::Nothing => {}
        Format::Json => write_json(data, json)?,
        Format::Text => writeln!(data, "{}: {sessions} and {classes} appended", path.display())?,
    }
    data.flush()?;
    Ok(())
}
