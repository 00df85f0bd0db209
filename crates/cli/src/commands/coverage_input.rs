//! What commands that count coverage are given: exec files, classes and sources; and what comes of it.

use std::path::PathBuf;

use clap::Args;
use probity_engine::analysis::Problem;
use probity_engine::source_folders::{SourceFolder, SourceFolders};
use probity_execdata::store::Store;
use probity_report::{Report, ReportNode, SessionInfo};

use crate::commands::{Verdict, sources};
use crate::error::CliError;
use crate::terminal::Messages;

/// The arguments that say what to count.
#[derive(Debug, Args)]
pub(crate) struct CoverageInputArguments {
    /// Exec files that this program's agent or JaCoCo's has recorded. Without one, nothing counts as executed.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    exec: Vec<PathBuf>,

    /// Class files, folders, archives, or jrt:JDK_HOME for the classes of a JDK.
    #[arg(long, value_name = "CLASSES", num_args = 1.., required = true)]
    classes: Vec<String>,

    /// Folders with source files.
    #[arg(long, value_name = "FOLDER", num_args = 1..)]
    sources: Vec<PathBuf>,

    /// The name of the report.
    #[arg(long, default_value = "JaCoCo Coverage Report")]
    name: String,
}

/// What was counted.
pub(crate) struct CoverageInput {
    pub(crate) report: Report,
    /// What could not be used or trusted.
    pub(crate) problems: Vec<Problem>,
    pub(crate) source_folders: SourceFolders,
}

impl CoverageInput {
    /// Reads and counts; says what could not be used.
    pub(crate) fn load(
        arguments: &CoverageInputArguments,
        messages: &Messages,
    ) -> Result<CoverageInput, CliError> {
        let store = execution_data(&arguments.exec)?;
        let analysis = sources::analyzed(&arguments.classes, &store, messages)?;
        let root = ReportNode::Bundle(analysis.classes.build(&arguments.name));
        let folders = arguments.sources.iter().map(|path| SourceFolder { group: None, path: path.clone() });
        Ok(CoverageInput {
            report: Report { sessions: sessions(&store), root },
            problems: analysis.problems,
            source_folders: SourceFolders::new(folders.collect()),
        })
    }

    /// Numbers that are missing are findings.
    pub(crate) fn verdict(&self) -> Verdict {
        if self.problems.iter().any(Problem::is_failure) { Verdict::Findings } else { Verdict::Clean }
    }
}

fn execution_data(files: &[PathBuf]) -> Result<Store, CliError> {
    let mut store = Store::default();
    let unusable: Vec<_> = files.iter().filter_map(|path| store.load_file(path).err()).collect();
    if unusable.is_empty() { Ok(store) } else { Err(CliError::ExecFiles(unusable)) }
}

fn sessions(store: &Store) -> Vec<SessionInfo> {
    let sessions = store.sessions().into_iter();
    sessions
        .map(|session| SessionInfo {
            id: probity_execdata::utf::to_text(&session.id),
            start_millis: session.start_millis,
            dump_millis: session.dump_millis,
        })
        .collect()
}
