//! Which lines of source files were changed since a revision, asked of Git.
//!
//! Compared are the last commit that the revision and `HEAD` have in common, and the files as they are on disk: what is
//! committed, staged, changed and new counts alike. It reads repositories and never writes to them.

use git2::{
    Delta, Diff, DiffFindOptions, DiffOptions, ErrorClass, ErrorCode, ObjectType, Oid, Patch, Repository,
};
use probity_coverage::LineSet;
use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::path::{Path, PathBuf};

/// The changed lines of some files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChangedLines {
    /// The work tree's folder, without links.
    pub work_tree: PathBuf,
    /// The lines that were added or changed, by the path of the file; what has none is not in here.
    pub by_file: HashMap<PathBuf, LineSet>,
}

/// Why it cannot be said what was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeError {
    /// Without source files there are no lines to compare.
    NoSourceFolders,
    /// The folder is in no repository.
    NoRepository {
        /// The folder.
        folder: PathBuf,
    },
    /// The repository has no files, only history.
    NoWorkTree {
        /// The repository.
        repository: PathBuf,
    },
    /// The repository belongs to another user, and Git then trusts nothing in it.
    OtherOwner {
        /// What Git says.
        message: String,
    },
    /// A range is no revision.
    Range {
        /// What was given.
        revision: String,
    },
    /// There is no such revision.
    UnknownRevision {
        /// What was given.
        revision: String,
        /// Whether a part of the history is missing.
        is_shallow: bool,
    },
    /// There is no commit yet.
    NoCommit,
    /// The revision and `HEAD` have no commit in common.
    NoMergeBase {
        /// What was given.
        revision: String,
        /// Whether a part of the history is missing.
        is_shallow: bool,
    },
    /// Git cannot read something.
    Unreadable {
        /// What Git says.
        message: String,
    },
}

impl fmt::Display for ChangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSourceFolders => f.write_str("changed lines are known only of source files"),
            Self::NoRepository { folder } => write!(f, "{}: is in no Git repository", folder.display()),
            Self::NoWorkTree { repository } => {
                write!(f, "{}: the Git repository has no work tree", repository.display())
            }
            Self::OtherOwner { message } => {
                write!(f, "the Git repository belongs to another user: {message}")
            }
            Self::Range { revision } => write!(f, "'{revision}' is a range of Git revisions"),
            Self::UnknownRevision { revision, .. } => write!(f, "Git knows no commit '{revision}'"),
            Self::NoCommit => f.write_str("the Git repository has no commit yet"),
            Self::NoMergeBase { revision, .. } => {
                write!(f, "'{revision}' and HEAD have no commit in common in this Git repository")
            }
            Self::Unreadable { message } => write!(f, "the Git repository cannot be read: {message}"),
        }
    }
}

impl std::error::Error for ChangeError {}

impl ChangeError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        const SHALLOW: &str =
            "this is a shallow clone; fetch more history, such as with git fetch --unshallow";
        match self {
            Self::NoSourceFolders => Some("give the folders with --sources"),
            Self::NoRepository { .. } => Some("give source folders that are in a Git repository"),
            Self::NoWorkTree { .. } => Some("give source folders of a clone with files"),
            Self::OtherOwner { .. } => Some("trust it with git config --global --add safe.directory FOLDER"),
            Self::Range { .. } => {
                Some("give one revision; the commit that it has in common with HEAD is found")
            }
            Self::UnknownRevision { is_shallow: true, .. } | Self::NoMergeBase { is_shallow: true, .. } => {
                Some(SHALLOW)
            }
            Self::UnknownRevision { .. } => {
                Some("give a branch, a tag or a commit, such as origin/main; it may have to be fetched first")
            }
            Self::NoMergeBase { .. } => Some("give a revision from which HEAD has come"),
            Self::NoCommit | Self::Unreadable { .. } => None,
        }
    }
}

impl From<git2::Error> for ChangeError {
    fn from(error: git2::Error) -> Self {
        let message = error.message().to_owned();
        if error.code() == ErrorCode::Owner {
            Self::OtherOwner { message }
        } else {
            Self::Unreadable { message }
        }
    }
}

impl ChangedLines {
    /// The lines of some files that were changed since a revision, in the repository that a folder is in. Paths are
    /// without links; a file that is not in the work tree has no changed lines.
    ///
    /// # Errors
    ///
    /// Fails if there is no repository, if it does not know the revision, or if it cannot be read.
    pub fn since(revision: &str, folder: &Path, files: &BTreeSet<PathBuf>) -> Result<Self, ChangeError> {
        let repository = discover(folder)?;
        let work_tree = repository
            .workdir()
            .ok_or(ChangeError::NoWorkTree { repository: repository.path().to_owned() })?;
        let work_tree = work_tree.canonicalize().unwrap_or_else(|_| work_tree.to_owned());
        let base = merge_base(&repository, revision)?;
        let diff = compare(&repository, base)?;
        let mut by_file = HashMap::new();
        for (position, delta) in diff.deltas().enumerate() {
            let Some(path) = delta.new_file().path().map(|path| work_tree.join(path)) else { continue };
            if !files.contains(&path) {
                continue;
            }
            let texts = Texts::read(&repository, delta.old_file().id(), &path)?;
            let lines = match texts {
                // Git forgot a file that is there, or does not know lines as compilers do.
                Some(texts) if delta.status() == Delta::Deleted || texts.have_lone_returns() => {
                    Some(texts.new_lines()?)
                }
                _ if delta.status() == Delta::Deleted => None,
                _ => Patch::from_diff(&diff, position)?.map(|patch| new_lines(&patch)).transpose()?,
            };
            if let Some(lines) = lines.filter(|lines| !lines.ranges().is_empty()) {
                by_file.insert(path, lines);
            }
        }
        Ok(Self { work_tree, by_file })
    }
}

fn discover(folder: &Path) -> Result<Repository, ChangeError> {
    Repository::discover(folder).map_err(|error| match error.code() {
        ErrorCode::NotFound => ChangeError::NoRepository { folder: folder.to_owned() },
        _ => error.into(),
    })
}

/// The last commit that a revision and `HEAD` have in common.
fn merge_base(repository: &Repository, revision: &str) -> Result<Oid, ChangeError> {
    let (revision_, is_shallow) = (|| revision.to_owned(), repository.is_shallow());
    if revision.contains("..") {
        return Err(ChangeError::Range { revision: revision_() });
    }
    let commit = repository.revparse_single(revision).and_then(|found| found.peel(ObjectType::Commit));
    let commit = commit.map_err(|error| match error.class() {
        ErrorClass::Odb if error.code() != ErrorCode::NotFound => error.into(),
        _ => ChangeError::UnknownRevision { revision: revision_(), is_shallow },
    })?;
    let head =
        repository.head().and_then(|head| head.peel_to_commit()).map_err(|error| match error.code() {
            ErrorCode::UnbornBranch | ErrorCode::NotFound => ChangeError::NoCommit,
            _ => error.into(),
        })?;
    repository.merge_base(commit.id(), head.id()).map_err(|error| match error.code() {
        ErrorCode::NotFound => ChangeError::NoMergeBase { revision: revision_(), is_shallow },
        _ => error.into(),
    })
}

/// What differs between a commit and the work tree. New files count unless they are ignored; moved files are found again.
fn compare(repository: &Repository, base: Oid) -> Result<Diff<'_>, ChangeError> {
    let tree = repository.find_commit(base)?.tree()?;
    let mut options = line_options();
    options.ignore_submodules(true);
    options.include_untracked(true).recurse_untracked_dirs(true).show_untracked_content(true);
    let mut diff = repository.diff_tree_to_workdir_with_index(Some(&tree), Some(&mut options))?;
    let mut similar = DiffFindOptions::new();
    similar.renames(true).for_untracked(true);
    diff.find_similar(Some(&mut similar))?;
    Ok(diff)
}

/// White space at the ends of lines is no difference, and so are line ends.
fn line_options() -> DiffOptions {
    let mut options = DiffOptions::new();
    options.context_lines(0).ignore_whitespace_eol(true);
    options
}

/// A file as it was and as it is.
struct Texts {
    old: Vec<u8>,
    new: Vec<u8>,
}

impl Texts {
    /// Nothing if there is no file.
    fn read(repository: &Repository, old: Oid, path: &Path) -> Result<Option<Self>, ChangeError> {
        let Ok(new) = std::fs::read(path) else { return Ok(None) };
        let old = if old.is_zero() { Vec::new() } else { repository.find_blob(old)?.content().to_vec() };
        Ok(Some(Self { old, new }))
    }

    /// Whether a carriage return alone ends a line: for compilers it does, for Git it does not.
    fn have_lone_returns(&self) -> bool {
        [&self.old, &self.new].into_iter().any(|text| (0..text.len()).any(|at| is_lone_return(text, at)))
    }

    /// The lines that are new, as compilers number them.
    fn new_lines(&self) -> Result<LineSet, ChangeError> {
        let with_line_feeds = |text: &[u8]| -> Vec<u8> {
            let bytes = text.iter().enumerate();
            bytes.map(|(at, byte)| if is_lone_return(text, at) { b'\n' } else { *byte }).collect()
        };
        let (old, new) = (with_line_feeds(&self.old), with_line_feeds(&self.new));
        new_lines(&Patch::from_buffers(&old, None, &new, None, Some(&mut line_options()))?)
    }
}

fn is_lone_return(text: &[u8], at: usize) -> bool {
    text.get(at) == Some(&b'\r') && text.get(at + 1) != Some(&b'\n')
}

/// The lines that are in the new file of a difference and not in the old one.
fn new_lines(patch: &Patch<'_>) -> Result<LineSet, ChangeError> {
    let mut ranges = Vec::new();
    for number in 0..patch.num_hunks() {
        let (hunk, _) = patch.hunk(number)?;
        if hunk.new_lines() > 0 {
            ranges.push(hunk.new_start()..=hunk.new_start() + (hunk.new_lines() - 1));
        }
    }
    Ok(ranges.into_iter().collect())
}
