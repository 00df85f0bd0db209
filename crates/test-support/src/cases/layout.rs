//! Where the files of a case stand while it is compiled and run.
//!
//! The layout is the same for both revisions and every case, so that what a recorded run says about paths still holds
//! after the change, as it does when somebody edits a project.

use std::path::{Path, PathBuf};

use super::case::{Case, Revision};

/// The name of the only part of the class path, in cases that do not name any.
const ONLY_ROOT: &str = "main";

/// The folders of one case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    folder: PathBuf,
    /// The parts of the class path, in its order.
    roots: Vec<Root>,
    /// Parts that stand on no class path.
    off_path: Vec<Root>,
    /// Parts that only the other revision has on its class path. They are made too, because a jar does not go away when a
    /// project uses a newer one.
    of_other_revision: Vec<Root>,
}

/// A part of the program that is compiled and packed on its own.
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
    fn named(name: &str, folder: &Path) -> Self {
        let made = folder.join("classes").join(name);
        let (classes, jar) = if name.ends_with(".jar") {
            (folder.join("unpacked").join(name), Some(made))
        } else {
            (made, None)
        };
        Root { prefix: format!("{name}/"), classes, jar }
    }

    fn only(folder: &Path) -> Self {
        Root { prefix: String::new(), ..Root::named(ONLY_ROOT, folder) }
    }

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
    /// The layout of a revision of a case in this folder.
    pub(super) fn new(case: &Case, revision: Revision, folder: &Path) -> Self {
        let on_path = case.roots_of(revision);
        let only_elsewhere = |name: &&String| !on_path.contains(name);
        let named = |name: &String| Root::named(name, folder);
        let roots = match on_path {
            [] => vec![Root::only(folder)],
            names => names.iter().map(named).collect(),
        };
        let other_names = case.roots_of(revision.other()).iter().filter(only_elsewhere);
        Self {
            folder: folder.to_owned(),
            roots,
            off_path: case.other_roots.iter().map(named).collect(),
            of_other_revision: other_names.map(named).collect(),
        }
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

    /// The parts of the class path.
    pub(super) fn roots(&self) -> &[Root] {
        &self.roots
    }

    /// The parts that a program may use, those of the class path first.
    pub(super) fn used_roots(&self) -> impl DoubleEndedIterator<Item = &Root> {
        self.roots.iter().chain(&self.off_path)
    }

    /// The parts that are not on the class path.
    pub(super) fn other_roots(&self) -> impl Iterator<Item = &Root> {
        self.off_path.iter().chain(&self.of_other_revision)
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
    use super::super::parse::parse;
    use super::*;

    fn layout(roots: &str, revision: Revision) -> Layout {
        let head = "why: w\nrelease: 8\ntests: T\nchanges: none\n";
        let case = parse(Path::new("g/n.case"), &format!("{head}{roots}")).expect("a case");
        Layout::new(&case, revision, Path::new("w"))
    }

    #[test]
    fn roots_have_folders_and_jars_of_their_own() {
        let roots = "roots before: app lib.jar\nroots after: app new.jar\nother roots: plugin\n";
        let before = layout(roots, Revision::Before);
        assert_eq!(before.class_path(), [Path::new("w/classes/app"), Path::new("w/classes/lib.jar")]);
        assert_eq!(before.roots()[1].classes, Path::new("w/unpacked/lib.jar"));
        assert_eq!(before.roots()[1].path_inside("lib.jar/p/A.java"), Some("p/A.java"));
        assert_eq!(before.roots()[1].path_inside("app/p/A.java"), None);
        let others: Vec<&Path> = before.other_roots().map(Root::class_path_entry).collect();
        assert_eq!(others, [Path::new("w/classes/plugin"), Path::new("w/classes/new.jar")]);
        let after = layout(roots, Revision::After);
        assert_eq!(after.class_path(), [Path::new("w/classes/app"), Path::new("w/classes/new.jar")]);
    }

    #[test]
    fn without_roots_everything_is_in_one_folder() {
        let layout = layout("", Revision::Before);
        assert_eq!(layout.class_path(), [Path::new("w/classes/main")]);
        assert_eq!(layout.roots()[0].path_inside("p/A.java"), Some("p/A.java"));
        assert_eq!(layout.working_folder(), Path::new("w/sources"));
    }
}
