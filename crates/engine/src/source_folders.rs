//! Finds source files in the folders that the user names.
//!
//! A source file is looked for under its package, and directly in the folder, in the order of the folders; the first that is
//! there counts.

use probity_report::SourcePaths;
use std::path::{Path, PathBuf};

/// A folder with source files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFolder {
    /// The group that it belongs to, as [`probity_report::ReportNode::bundles`] names it; all groups if there is none.
    pub group: Option<String>,
    /// The folder.
    pub path: PathBuf,
}

/// Folders with source files.
#[derive(Clone, Debug, Default)]
pub struct SourceFolders {
    folders: Vec<SourceFolder>,
}

impl SourceFolders {
    /// The folders, in the order in which they are looked at.
    #[must_use]
    pub fn new(folders: Vec<SourceFolder>) -> Self {
        Self { folders }
    }

    /// The folders, in the order in which they are looked at.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        self.folders.iter().map(|folder| folder.path.as_path())
    }

    /// Where a source file of a group is, if it is in one of the folders.
    #[must_use]
    pub fn find(&self, group: &str, package: &str, file: &str) -> Option<PathBuf> {
        let folders = self.folders.iter().filter(|folder| folder.is_for(group));
        let places =
            folders.flat_map(|folder| [folder.path.join(package).join(file), folder.path.join(file)]);
        places.into_iter().find(|path| path.is_file())
    }
}

impl SourceFolder {
    /// Whether files of a group, or of one inside it, may be in the folder.
    fn is_for(&self, group: &str) -> bool {
        self.group.as_ref().is_none_or(|own| {
            group.strip_prefix(own.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        })
    }
}

impl SourcePaths for SourceFolders {
    /// The path of the file that was found, or what is known without it.
    fn path(&self, group: &str, package: &str, file: &str) -> String {
        match self.find(group, package, file) {
            Some(path) => path.display().to_string(),
            None => probity_report::PackagePaths.path(group, package, file),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_folder_that_has_the_file_counts() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (first, second) = (folder.path().join("first"), folder.path().join("second"));
        std::fs::create_dir_all(second.join("a/b")).expect("a folder");
        std::fs::create_dir_all(&first).expect("a folder");
        std::fs::write(second.join("a/b/C.java"), "").expect("a file");
        let of_all = |path: &PathBuf| SourceFolder { group: None, path: path.clone() };
        let folders = SourceFolders::new(vec![of_all(&first), of_all(&second)]);
        assert_eq!(folders.find("", "a/b", "C.java"), Some(second.join("a/b/C.java")));
        assert_eq!(folders.path("", "a/b", "D.java"), "a/b/D.java");
        std::fs::write(first.join("C.java"), "").expect("a file");
        assert_eq!(folders.find("", "a/b", "C.java"), Some(first.join("C.java")));
        let of_group = SourceFolder { group: Some("x".to_owned()), path: first.clone() };
        let folders = SourceFolders::new(vec![of_group, of_all(&second)]);
        for (group, found) in
            [("x", &first), ("x/y", &first), ("xy", &second.join("a/b")), ("", &second.join("a/b"))]
        {
            assert_eq!(folders.find(group, "a/b", "C.java"), Some(found.join("C.java")), "{group}");
        }
    }
}
