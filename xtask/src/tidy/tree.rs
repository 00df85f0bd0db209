//! The files of the repository, as the rules see them.
//!
//! Paths are relative to the root and use `/`. Only text that some rule reads is loaded.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::failure::Failure;

/// A file: its text if a rule may read it, and whether it can be run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct TreeFile {
    pub(super) text: String,
    pub(super) executable: bool,
}

/// All files, by path.
#[derive(Debug, Clone, Default)]
pub(super) struct Tree {
    files: BTreeMap<String, TreeFile>,
}

/// What is not part of the repository, with its content. In a linked work tree `.git` is a file.
const NOT_OURS: &[&str] = &[".git", "target", ".probity"];
const READ: &[&str] = &[".rs", ".md"];

impl Tree {
    /// Reads the repository at this root.
    pub(super) fn load(root: &Path) -> Result<Self, Failure> {
        let mut tree = Tree::default();
        tree.load_folder(root, "")?;
        Ok(tree)
    }

    fn load_folder(&mut self, folder: &Path, prefix: &str) -> Result<(), Failure> {
        let unreadable = |source| Failure::Unreadable { path: folder.to_owned(), source };
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{prefix}{name}");
            let kind = entry.file_type().map_err(unreadable)?;
            if NOT_OURS.contains(&name.as_str()) {
                continue;
            }
            if kind.is_dir() {
                self.load_folder(&entry.path(), &format!("{path}/"))?;
            } else if kind.is_file() {
                self.files.insert(path, load_file(&entry.path(), &name)?);
            }
        }
        Ok(())
    }

    pub(super) fn file(&self, path: &str) -> Option<&TreeFile> {
        self.files.get(path)
    }

    /// The files with this extension (with its dot), with their text.
    pub(super) fn with_extension<'a>(
        &'a self,
        extension: &'a str,
    ) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.files
            .iter()
            .filter(move |(path, _)| path.ends_with(extension))
            .map(|(path, file)| (path.as_str(), file.text.as_str()))
    }

    /// The Rust files that are compiled into a crate, as opposed to its tests and examples.
    pub(super) fn crate_sources(&self) -> impl Iterator<Item = (&str, &str)> {
        self.with_extension(".rs").filter(|(path, _)| {
            let parts: Vec<&str> = path.split('/').collect();
            matches!(parts[..], ["crates", _, "src", ..] | ["xtask", "src", ..])
        })
    }

    /// The folder names of the crates in `crates`.
    pub(super) fn crate_folders(&self) -> Vec<&str> {
        let manifests =
            self.files.keys().filter_map(|path| path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml"));
        manifests.filter(|folder| !folder.contains('/')).collect()
    }

    /// Whether there is a file at this path, or a folder with files in it.
    pub(super) fn exists(&self, path: &str) -> bool {
        let folder = if path.is_empty() { String::new() } else { format!("{path}/") };
        self.files.contains_key(path)
            || self.files.range(folder.clone()..).next().is_some_and(|(next, _)| next.starts_with(&folder))
    }

    /// A tree for the tests of rules.
    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let file = |text: &str| TreeFile { text: text.to_owned(), executable: false };
        Tree { files: files.iter().map(|(path, text)| ((*path).to_owned(), file(text))).collect() }
    }

    /// The same tree with this file made executable.
    #[cfg(test)]
    pub(super) fn with_executable(mut self, path: &str) -> Self {
        self.files.entry(path.to_owned()).or_default().executable = true;
        self
    }
}

fn load_file(path: &Path, name: &str) -> Result<TreeFile, Failure> {
    let unreadable = |source| Failure::Unreadable { path: path.to_owned(), source };
    let executable = is_executable(&fs::metadata(path).map_err(unreadable)?);
    let text = if READ.iter().any(|extension| name.ends_with(extension)) {
        fs::read_to_string(path).map_err(unreadable)?
    } else {
        String::new()
    };
    Ok(TreeFile { text, executable })
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    metadata.permissions().mode() & 0o111 != 0
}

/// Elsewhere there is no such bit; the rule is checked where there is one.
#[cfg(not(unix))]
fn is_executable(_metadata: &fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_exist_through_their_files() {
        let tree = Tree::of(&[("docs/a.md", ""), ("docs-old/b.md", "")]);
        assert!(tree.exists("docs") && tree.exists("docs/a.md") && tree.exists(""));
        assert!(!tree.exists("doc") && !tree.exists("docs/b.md"));
    }

    #[test]
    fn sources_are_told_from_tests() {
        let tree = Tree::of(&[
            ("crates/a/Cargo.toml", ""),
            ("crates/a/src/x/y.rs", ""),
            ("crates/a/tests/t.rs", ""),
            ("crates/b/src/lib.rs", ""),
            ("xtask/src/main.rs", ""),
        ]);
        let sources: Vec<&str> = tree.crate_sources().map(|(path, _)| path).collect();
        assert_eq!(sources, ["crates/a/src/x/y.rs", "crates/b/src/lib.rs", "xtask/src/main.rs"]);
        assert_eq!(tree.crate_folders(), ["a"]);
    }

    #[test]
    fn the_repository_itself_is_loaded() {
        let tree = Tree::load(crate::root::repository_root()).expect("a readable repository");
        assert!(
            tree.file("xtask/src/tidy/tree.rs").is_some_and(|file| file.text.starts_with("//! The files"))
        );
        assert!(!tree.exists("target") && !tree.exists(".git"));
    }
}
