//! The store that a command works on, and what is said about the parts of it that cannot be used.

use std::path::PathBuf;

use clap::Args;
use probity_engine::store::{Problem, Pruned, Store, StoreError};
use probity_engine::traces::nearest_store;

use crate::output::counted;
use crate::terminal::Messages;

/// The arguments of all commands that look at a store.
#[derive(Debug, Args)]
pub(crate) struct StoreArguments {
    /// The folder of the store; otherwise .probity in the current folder or the nearest one above that has it.
    #[arg(long = "store", value_name = "DIR")]
    folder: Option<PathBuf>,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

impl StoreArguments {
    /// The store.
    pub(crate) fn store(&self) -> Store {
        match &self.folder {
            Some(folder) => Store::at(folder),
            None => Store::at(nearest()),
        }
    }
}

/// The folder of the store of the current folder.
pub(crate) fn nearest() -> PathBuf {
    nearest_store(&std::env::current_dir().unwrap_or_default())
}

/// Says in one line what cannot be used; it counts as absent.
pub(crate) fn warn_about(problems: &[Problem], messages: &Messages) {
    match problems {
        [] => {}
        [problem] => messages.warning(problem),
        [first, rest @ ..] => {
            let more = counted(rest.len(), "more file cannot", "more files cannot");
            messages.warning(&format_args!("{first}; {more} be used either"));
        }
    }
}

/// Says what became of a store that was pruned after a run.
pub(crate) fn tell_of_prune(pruned: &Result<Option<Pruned>, StoreError>, messages: &Messages) {
    match pruned {
        Ok(None) => {}
        Ok(Some(Pruned { traces, files, .. })) => {
            let [traces, files] = [traces, files].map(|[before, now]| format!("{before} -> {now}"));
            messages.say(&format_args!("pruned the store: {traces} traces, {files} files"));
        }
        Err(error) => messages.warning(&format_args!("the store was not pruned: {error}")),
    }
}
