//! Finds source files in the folders that the user names.
//!
//! A source file is looked for under its package, and directly in the folder, in the order of the folders; the first that is
//! there counts.

use probity_report::SourcePaths;
use std::path::PathBuf;

/// Folders with source files.
#[derive(Clone, Debug, Default)]
pub struct SourceFolders {
    folders: Vec<PathBuf>,
}

impl SourceFolders {
    /// The folders, in the order in which they are looked at.
    #[must_use]
    pub fn new(folders: Vec<PathBuf>) -> Self {
        Self { folders }
    }

    /// Where a source file is, if it is in one of the folders.
    #[must_use]
    pub fn find(&self, package: &str, file: &str) -> Option<PathBuf> {
        let places =
            self.folders.iter().flat_map(|folder| [folder.join(package).join(file), folder.join(file)]);
        places.into_iter().find(|path| path.is_file())
    }
}

impl SourcePaths for SourceFolders {
    /// The path of the file that was found, or what is known without it.
    fn path(&self, package: &str, file: &str) -> String {
        match self.find(package, file) {
            Some(path) => path.display().to_string(),
            None => probity_report::PackagePaths.path(package, file),
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
        let folders = SourceFolders::new(vec![first.clone(), second.clone()]);
        assert_eq!(folders.find("a/b", "C.java"), Some(second.join("a/b/C.java")));
        assert_eq!(folders.path("a/b", "D.java"), "a/b/D.java");
        std::fs::write(first.join("C.java"), "").expect("a file");
        assert_eq!(folders.find("a/b", "C.java"), Some(first.join("C.java")));
    }
}
