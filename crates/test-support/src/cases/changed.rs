//! What is different in the second revision of a case, found by comparing bytes.
//!
//! A class is what its name leads to on the class path: one that a jar further ahead hides does not count, and one that
//! appears ahead of another changes it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::case::{Case, Revision};
use super::error::CaseError;
use super::layout::Root;
use super::workshop::{Built, VERSIONS, Workshop};

/// How something is different.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Change {
    /// It is in both revisions.
    Changed,
    /// It is only in the second.
    Added,
    /// It is only in the first.
    Removed,
    /// It is in both and the same, but a class is found in another part of the class path.
    Moved,
}

/// A class file of a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundClass {
    /// Its contents.
    pub bytes: Vec<u8>,
    /// The folder or jar that a JVM takes it from.
    pub found_in: PathBuf,
}

/// What is different between the revisions of a case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WhatChanged {
    /// Classes by binary name, such as `p.A$B`.
    pub classes: BTreeMap<String, Change>,
    /// Files other than sources, by path in the working folder.
    pub files: BTreeMap<String, Change>,
    /// Sources, by path in the working folder. Few programs read them.
    pub sources: BTreeMap<String, Change>,
    /// Whether the JVM gets other arguments, another environment or another class path.
    pub settings: bool,
}

impl WhatChanged {
    /// Whether nothing is different that a running program could see.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.classes.is_empty() && self.files.is_empty() && self.sources.is_empty() && !self.settings
    }

    /// Compares the revisions of a case, given the classes of both from [`Built::classes`].
    #[must_use]
    pub fn between(
        case: &Case,
        before: &BTreeMap<String, FoundClass>,
        after: &BTreeMap<String, FoundClass>,
    ) -> Self {
        let files_of = |revision, sources: bool| -> BTreeMap<String, Vec<u8>> {
            let files = case.files_of(revision).into_iter();
            let wanted = files.filter(|(path, _)| path.ends_with(".java") == sources);
            wanted.map(|(path, bytes)| (path.to_owned(), bytes.to_vec())).collect()
        };
        let changed = |sources| {
            compare(&files_of(Revision::Before, sources), &files_of(Revision::After, sources), file_change)
        };
        Self {
            classes: compare(before, after, class_change),
            files: changed(false),
            sources: changed(true),
            settings: case.before != case.after || case.roots_before != case.roots_after,
        }
    }
}

impl Case {
    /// Compiles both revisions in a temporary folder and compares them.
    ///
    /// # Errors
    ///
    /// Fails when a revision does not compile.
    pub fn what_changed(&self, workshop: &Workshop) -> Result<WhatChanged, CaseError> {
        let folder = tempfile::tempdir()
            .map_err(|source| CaseError::io("create a folder in", &std::env::temp_dir(), source))?;
        let classes_of = |revision| workshop.build(self, revision, folder.path())?.classes();
        Ok(WhatChanged::between(self, &classes_of(Revision::Before)?, &classes_of(Revision::After)?))
    }
}

impl Built<'_> {
    /// The class files that a JVM finds, by binary name, also those that a program may find elsewhere than on the class
    /// path.
    ///
    /// # Errors
    ///
    /// Fails when a file cannot be read.
    pub fn classes(&self) -> Result<BTreeMap<String, FoundClass>, CaseError> {
        let mut found = BTreeMap::new();
        for root in self.layout().used_roots().rev() {
            for (name, file) in self.classes_in(root)? {
                let bytes = fs::read(&file).map_err(|source| CaseError::io("read", &file, source))?;
                found.insert(name, FoundClass { bytes, found_in: root.class_path_entry().to_owned() });
            }
        }
        Ok(found)
    }

    /// The classes in a part of the class path. In a jar for several versions of Java the newest that fits counts.
    fn classes_in(&self, root: &Root) -> Result<BTreeMap<String, PathBuf>, CaseError> {
        let mut files = Vec::new();
        collect_files(&root.classes, "", &mut files)?;
        let has_versions = root.jar.is_some() && files.iter().any(|(path, _)| path.starts_with(VERSIONS));
        let mut newest: BTreeMap<String, (u32, PathBuf)> = BTreeMap::new();
        for (path, file) in files {
            let Some(path) = path.strip_suffix(".class") else { continue };
            let (version, path) = match path.strip_prefix(VERSIONS).and_then(|rest| rest.split_once('/')) {
                Some((version, rest)) if has_versions => (version.parse().unwrap_or(u32::MAX), rest),
                _ => (0, path),
            };
            let name = path.replace('/', ".");
            let fits = version <= self.workshop.jdk().feature_version();
            if fits && newest.get(&name).is_none_or(|(known, _)| *known < version) {
                newest.insert(name, (version, file));
            }
        }
        Ok(newest.into_iter().map(|(name, (_, file))| (name, file)).collect())
    }
}

/// What is different between two maps, given what is different between two values.
fn compare<V>(
    before: &BTreeMap<String, V>,
    after: &BTreeMap<String, V>,
    change: fn(&V, &V) -> Option<Change>,
) -> BTreeMap<String, Change> {
    let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let change_of = |name: &String| match (before.get(name), after.get(name)) {
        (Some(old), Some(new)) => change(old, new),
        (Some(_), None) => Some(Change::Removed),
        (None, _) => Some(Change::Added),
    };
    names.into_iter().filter_map(|name| change_of(name).map(|change| (name.clone(), change))).collect()
}

fn file_change(old: &Vec<u8>, new: &Vec<u8>) -> Option<Change> {
    (old != new).then_some(Change::Changed)
}

fn class_change(old: &FoundClass, new: &FoundClass) -> Option<Change> {
    let moved = (old.found_in != new.found_in).then_some(Change::Moved);
    file_change(&old.bytes, &new.bytes).or(moved)
}

fn collect_files(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> Result<(), CaseError> {
    let unreadable = |source| CaseError::io("read", folder, source);
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = format!("{prefix}{}", path.file_name().unwrap_or_default().to_string_lossy());
        if path.is_dir() {
            collect_files(&path, &format!("{name}/"), files)?;
        } else {
            files.push((name, path));
        }
    }
    Ok(())
}
