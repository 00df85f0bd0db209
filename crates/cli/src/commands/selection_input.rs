//! What the commands have in common that say which units must run.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use probity_engine::selection::{ClassPathNow, Level, Selection, SelectionRequest, select};
use probity_engine::store::Store;
use probity_engine::traces::project_of;

use crate::commands::store_input::warn_about;
use crate::terminal::Messages;

/// The arguments of all commands that say which units must run.
#[derive(Debug, Args)]
pub(crate) struct SelectionArguments {
    /// Folders and archives with the classes of the project as they are now; otherwise those of the last run.
    #[arg(long, value_name = "CLASSES", num_args = 1..)]
    classes: Vec<PathBuf>,

    /// How closely changes are looked at: class, method or edge.
    #[arg(long, value_name = "LEVEL", default_value_t)]
    level: Level,
}

impl SelectionArguments {
    /// How closely changes are looked at.
    pub(crate) fn level(&self) -> Level {
        self.level
    }

    /// Which units must run.
    pub(crate) fn select(&self, store: &Store, messages: &Messages) -> Selection {
        let selection = self.with_request(store, select);
        warn_about(&selection.problems, messages);
        selection
    }

    /// Hands out what is asked.
    pub(crate) fn with_request<T>(&self, store: &Store, ask: impl FnOnce(&SelectionRequest<'_>) -> T) -> T {
        let project = project_of(store.folder());
        let classes: Vec<PathBuf> = self.classes.iter().map(|path| absolute(path)).collect();
        let class_path =
            if classes.is_empty() { ClassPathNow::AsBefore } else { ClassPathNow::Classes(&classes) };
        let variables: BTreeMap<OsString, OsString> = std::env::vars_os().collect();
        ask(&SelectionRequest {
            store,
            project: &project,
            class_path,
            environment: None,
            variables: &variables,
            level: self.level,
            counts: None,
        })
    }
}

fn absolute(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.to_owned())
}
