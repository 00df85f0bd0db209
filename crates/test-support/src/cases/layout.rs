//! Where the files of a case stand while it is compiled and run.
//!
//! The layout is the same for both revisions and every case, so that what a recorded run says about paths still holds
//! after the change, as it does when somebody edits a project.

use std::path::{Path, PathBuf};

/// The name of the only part of the class path, in cases that do not name any.
const ONLY_ROOT: &str = "main";

/// The folders of one case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    folder: PathBuf,
    /// The parts of the class path, in its order.
    roots: Vec<Root>,
    /// Parts that only the other revision has on its class path.
    others: Vec<Root>,
}

/// A part of the class path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Root {
    /// What the paths of its sources begin with.
    pub(super) prefix: String,
    /// The folder that its classes are compiled into.
    pub(super) classes: PathBuf,
    /// The jar that they are packed into, if it is one.
    pub(super) jar: Option<PathBuf>,
}

impl Root {
    /// The folder or jar that stands on the class path.
    pub(super) fn class_path_entry(&self) -> &Path {
        self.jar.as_deref().unwrap_or(&self.classes)
    }

    /// The path of a file inside the root, if it belongs to it.
    pub(super) fn path_inside<'a>(&self, path: &'a str) -> Option<&'a str> {
        path.strip_prefix(&self.prefix)
    }
}

impl Layout {
    /// The layout of a case in this folder, with these roots on the class path. Other roots are made too, because a jar
    /// does not go away when a project uses a newer one.
    pub(super) fn new(folder: &Path, roots: &[String], others: &[String]) -> Self {
        let classes = folder.join("classes");
        let unpacked = folder.join("unpacked");
        let root = |name: &String| {
            let is_jar = name.ends_with(".jar");
            Root {
                prefix: format!("{name}/"),
                classes: if is_jar { unpacked.join(name) } else { classes.join(name) },
                jar: is_jar.then(|| classes.join(name)),
            }
        };
        let only = Root { prefix: String::new(), classes: classes.join(ONLY_ROOT), jar: None };
        let names = roots;
        let roots = if names.is_empty() { vec![only] } else { names.iter().map(root).collect() };
        let others = others.iter().filter(|name| !names.contains(name)).map(root).collect();
        Self { folder: folder.to_owned(), roots, others }
    }

    /// The folder of all files of the revision, sources included. Tests run in it.
    #[must_use]
    pub fn working_folder(&self) -> PathBuf {
        self.folder.join("sources")
    }

    /// The folders and jars with the program's classes and resources, in the order of the class path.
    #[must_use]
    pub fn class_path(&self) -> Vec<PathBuf> {
        self.roots.iter().map(|root| root.class_path_entry().to_owned()).collect()
    }

    pub(super) fn roots(&self) -> &[Root] {
        &self.roots
    }

    pub(super) fn others(&self) -> &[Root] {
        &self.others
    }

    /// The folders that belong to one revision and are made again for the next.
    pub(super) fn made_again(&self) -> [PathBuf; 3] {
        ["sources", "classes", "unpacked"].map(|name| self.folder.join(name))
    }

    /// The file that the results of tests are written to.
    pub(super) fn results(&self) -> PathBuf {
        self.folder.join("results.txt")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_have_folders_and_jars_of_their_own() {
        let roots = ["app".to_owned(), "lib.jar".to_owned()];
        let layout = Layout::new(Path::new("w"), &roots, &roots);
        assert_eq!(layout.class_path(), [Path::new("w/classes/app"), Path::new("w/classes/lib.jar")]);
        assert_eq!(layout.roots()[1].classes, Path::new("w/unpacked/lib.jar"));
        assert_eq!(layout.roots()[1].path_inside("lib.jar/p/A.java"), Some("p/A.java"));
        assert_eq!(layout.roots()[1].path_inside("app/p/A.java"), None);
    }

    #[test]
    fn without_roots_everything_is_in_one_folder() {
        let layout = Layout::new(Path::new("w"), &[], &[]);
        assert_eq!(layout.class_path(), [Path::new("w/classes/main")]);
        assert_eq!(layout.roots()[0].path_inside("p/A.java"), Some("p/A.java"));
        assert_eq!(layout.working_folder(), Path::new("w/sources"));
    }
}
