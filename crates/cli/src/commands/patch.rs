//! Coverage of changed lines only, for every command that counts.

use std::path::PathBuf;

use clap::Args;
use probity_engine::patch;
use probity_engine::source_folders::SourceFolders;
use probity_report::{ReportNode, SourcePaths};

use crate::commands::coverage_input::CoverageInput;
use crate::error::CliError;
use crate::terminal::Messages;

/// The arguments that say which lines count.
#[derive(Debug, Args)]
pub(crate) struct PatchArguments {
    /// Count only lines that were changed since a Git revision, such as origin/main: since the last commit that it has
    /// in common with HEAD, up to the files as they are. Needs --sources.
    #[arg(long, value_name = "REVISION")]
    diff: Option<String>,
}

/// What lines count, if not all do.
pub(crate) struct ChangedSince {
    /// As it was given.
    pub(crate) revision: String,
    work_tree: PathBuf,
}

impl PatchArguments {
    /// Leaves in the input what counts; says what could not be compared.
    pub(crate) fn restrict(
        &self,
        input: CoverageInput,
        messages: &Messages,
    ) -> Result<CoverageInput, CliError> {
        let Some(revision) = &self.diff else { return Ok(input) };
        let CoverageInput { mut report, mut problems, source_folders, .. } = input;
        let root = std::mem::replace(&mut report.root, ReportNode::grouped("", []));
        let patch = patch::since(revision, root, &source_folders).map_err(CliError::Changes)?;
        report.root = patch.root;
        patch.problems.iter().for_each(|problem| messages.warning(problem));
        problems.extend(patch.problems);
        let changed_since = Some(ChangedSince { revision: revision.clone(), work_tree: patch.work_tree });
        Ok(CoverageInput { report, problems, source_folders, changed_since })
    }
}

/// Paths as those who show a repository know them: below its folder, if it is known.
pub(crate) struct RepositoryPaths<'f> {
    pub(crate) folders: &'f SourceFolders,
    pub(crate) changed_since: Option<&'f ChangedSince>,
}

impl SourcePaths for RepositoryPaths<'_> {
    fn path(&self, group: &str, package: &str, file: &str) -> String {
        let found = self.folders.find(group, package, file).and_then(|path| path.canonicalize().ok());
        let below = self.changed_since.zip(found).and_then(|(since, path)| {
            let below = path.strip_prefix(&since.work_tree).ok()?;
            Some(
                below
                    .components()
                    .map(|part| part.as_os_str().to_string_lossy())
                    .collect::<Vec<_>>()
                    .join("/"),
            )
        });
        below.unwrap_or_else(|| self.folders.path(group, package, file))
    }
}
