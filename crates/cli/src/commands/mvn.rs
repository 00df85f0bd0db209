//! `probity mvn`: runs Maven and keeps what its test units used.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Args;
use probity_engine::maven_run::{
    self, EXTENSION, MavenRequest, MavenResult, NamedUnits, RunAll, Selection, StoredSelection,
};
use probity_engine::selection::Level;
use probity_engine::store::Store;
use probity_engine::traces::{STORE_FOLDER, nearest_store};

use crate::commands::Verdict;
use crate::commands::recorded_run::{exit_code, summary, tell_of_distrust};
use crate::commands::store_input::{tell_of_prune, warn_about};
use crate::error::CliError;
use crate::output::counted;
use crate::terminal::Messages;
use crate::{agent_library, carried};

/// The arguments of `probity mvn`.
#[derive(Debug, Args)]
pub(crate) struct MvnArguments {
    /// The folder of the store; otherwise .probity in the root of the build, or in the nearest folder that has it.
    #[arg(long = "store", value_name = "DIR")]
    store: Option<PathBuf>,

    /// The program; otherwise mvnw of the project, or mvn.
    #[arg(long, value_name = "PROGRAM")]
    maven: Option<PathBuf>,

    /// Run all tests, also those that need not run.
    #[arg(long)]
    all: bool,

    /// How closely changes are looked at: class or method.
    #[arg(long, value_name = "LEVEL", default_value_t)]
    level: Level,

    /// Do not write the results of tests that were left out into the folders of test results.
    #[arg(long)]
    no_replay: bool,

    /// Leave out the test classes that this file names, one in each line, whatever has changed.
    #[arg(long, value_name = "FILE", hide = true)]
    leave_out: Option<PathBuf>,

    /// What Maven is called with.
    #[arg(value_name = "ARGUMENTS", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

/// Runs Maven; its exit code becomes that of the command.
pub(crate) fn run(arguments: &MvnArguments, messages: &Messages) -> Result<Verdict, CliError> {
    let current = std::env::current_dir().unwrap_or_default();
    let place = maven_run::place(&current, &arguments.arguments);
    let program = match &arguments.maven {
        Some(program) => program.clone(),
        None => maven_run::find_program(&place).map_err(|missing| CliError::NoMaven(missing.searched))?,
    };
    let agent = agent_library::path()?;
    let extension = carried::path("maven", "extension.jar", EXTENSION.map_err(CliError::NoExtension)?);
    let store = Store::at(arguments.store.clone().unwrap_or_else(|| store_folder(&place.built, &place.root)));
    let named = arguments.leave_out.as_deref().map(|file| named_units(file, &store)).transpose()?;
    let stored = StoredSelection { store: &store, root: &place.root, level: arguments.level };
    let request = MavenRequest {
        program: &program,
        arguments: &arguments.arguments,
        extension: &extension.map_err(CliError::NotUnpacked)?,
        agent: &agent,
        store: &store,
        root: &place.root,
        selection: match &named {
            Some(named) => named,
            None if arguments.all => &RunAll,
            None => &stored as &dyn Selection,
        },
        replay: !arguments.no_replay,
    };
    let result = maven_run::run(&request)?;
    tell(&result, messages);
    Ok(Verdict::Exit(exit_code(result.status)))
}

/// The store of the nearest folder that has one, or else that of the root.
fn store_folder(built: &Path, root: &Path) -> PathBuf {
    let nearest = nearest_store(built);
    if nearest.is_dir() { nearest } else { root.join(STORE_FOLDER) }
}

fn named_units(file: &Path, store: &Store) -> Result<NamedUnits, CliError> {
    let text = std::fs::read_to_string(file).map_err(|error| CliError::NotFound {
        what: format!("{}: {error}", file.display()),
        hint: "give a file with the name of a class in each line".to_owned(),
    })?;
    Ok(NamedUnits::new(store, text.lines().map(str::to_owned)))
}

fn tell(result: &MavenResult, messages: &Messages) {
    for problem in &result.problems {
        messages.warning(problem);
    }
    tell_of_distrust(&result.traces, messages);
    match &result.stored {
        Some(Ok(added)) => {
            warn_about(&added.problems, messages);
            messages.say(&format_args!("{}{}", summary(&result.traces, added.traces), left_out(result)));
        }
        Some(Err(error)) => {
            messages
                .warning(&format_args!("{error}; what was recorded is lost, and these tests will run again"));
        }
        None if result.left_out > 0 => messages.say(&format_args!("recorded nothing{}", left_out(result))),
        None => {}
    }
    tell_of_prune(&result.pruned, messages);
}

fn left_out(result: &MavenResult) -> String {
    match result.left_out {
        0 => String::new(),
        count => format!("; {} left out", counted(count, "unit", "units")),
    }
}
