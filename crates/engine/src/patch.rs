//! Coverage of what was changed: a report restricted to the lines that differ from a revision.
//!
//! A line counts if its source file is found and Git says that it is new. What cannot be compared is left out and told,
//! never counted as unchanged in silence.

use crate::analysis::Problem;
use crate::changed_lines::{ChangeError, ChangedLines};
use crate::source_folders::SourceFolders;
use probity_report::{PackagePaths, ReportNode, SourcePaths};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// A report of changed lines.
#[derive(Debug)]
pub struct PatchCoverage {
    /// What is left of the report.
    pub root: ReportNode,
    /// What could not be compared.
    pub problems: Vec<Problem>,
    /// The work tree's folder, without links.
    pub work_tree: PathBuf,
}

/// Restricts a report to the lines that were changed since a revision.
///
/// # Errors
///
/// Fails if there are no source folders, or if Git cannot say what was changed.
pub fn since(
    revision: &str,
    root: ReportNode,
    folders: &SourceFolders,
) -> Result<PatchCoverage, ChangeError> {
    let first = folders.folders().find(|folder| folder.is_dir()).or_else(|| folders.folders().next());
    let first = first.ok_or(ChangeError::NoSourceFolders)?;
    let first = if first.is_dir() { first } else { Path::new(".") };
    let files = SourceFiles::find(&root, folders);
    let changed = ChangedLines::since(revision, first, &files.found.values().cloned().collect())?;
    let problems = files.problems(&changed.work_tree);
    let root = restricted(root, &mut Vec::new(), &files, &changed);
    Ok(PatchCoverage { root, problems, work_tree: changed.work_tree })
}

/// A source file: the group of its bundle, its package and its name.
type Key = (String, String, String);

/// The source files of a report.
struct SourceFiles {
    /// Where they are, without links.
    found: HashMap<Key, PathBuf>,
    /// The files, and the classes that name none, that were not found.
    missing: BTreeSet<String>,
}

impl SourceFiles {
    fn find(root: &ReportNode, folders: &SourceFolders) -> Self {
        let mut files = Self { found: HashMap::new(), missing: BTreeSet::new() };
        for (group, bundle) in root.bundles() {
            for package in &bundle.packages {
                for file in &package.source_files {
                    let path = folders.find(&group, &package.name, &file.name);
                    let path = path.and_then(|path| path.canonicalize().ok());
                    if let Some(path) = path {
                        files.found.insert((group.clone(), package.name.clone(), file.name.clone()), path);
                    } else {
                        files.missing.insert(PackagePaths.path(&group, &package.name, &file.name));
                    }
                }
                let nameless = package.classes.iter().filter(|class| class.source_file.is_none());
                files.missing.extend(nameless.map(|class| format!("{}.class", class.name)));
            }
        }
        files
    }

    fn problems(&self, work_tree: &Path) -> Vec<Problem> {
        let outside: BTreeSet<String> = self
            .found
            .values()
            .filter(|path| !path.starts_with(work_tree))
            .map(|path| path.display().to_string())
            .collect();
        let mut problems = Vec::new();
        if !self.missing.is_empty() {
            problems.push(Problem::SourcesNotFound { files: self.missing.iter().cloned().collect() });
        }
        if !outside.is_empty() {
            problems.push(Problem::SourcesOutside { files: outside.into_iter().collect() });
        }
        problems
    }
}

/// The node without what was not changed; `path` are the groups that lead to it below the root.
fn restricted(
    node: ReportNode,
    path: &mut Vec<String>,
    files: &SourceFiles,
    changed: &ChangedLines,
) -> ReportNode {
    match node {
        ReportNode::Group { name, children } => {
            let below = children.into_iter().map(|child| {
                path.push(child.name().to_owned());
                let child = restricted(child, path, files, changed);
                path.pop();
                child
            });
            ReportNode::Group { children: below.collect(), name }
        }
        ReportNode::Bundle(bundle) => {
            let group = path.join("/");
            ReportNode::Bundle(bundle.restricted(|package, file| {
                let key = (group.clone(), package.to_owned(), file.to_owned());
                changed.by_file.get(files.found.get(&key)?)
            }))
        }
    }
}
