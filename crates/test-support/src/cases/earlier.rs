//! Classes of the first revision that stay when the second is compiled.
//!
//! Builds leave such classes behind: a library was compiled against another version of what it uses, or a compiler that
//! works in steps does not see that something depends on what changed. Most cases have none, and are compiled from clean.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::CaseError;
use super::workshop::{Built, write};

/// Class files with the places that they belong to.
#[derive(Debug, Default)]
pub(super) struct EarlierClasses {
    files: Vec<(PathBuf, Vec<u8>)>,
}

impl EarlierClasses {
    /// The classes of a revision that the next one keeps.
    pub(super) fn of(built: &Built<'_>) -> Result<Self, CaseError> {
        let mut files = Vec::new();
        for root in built.layout().roots() {
            let kept = built.case.not_recompiled.iter().filter_map(|path| root.path_inside(path));
            for source in kept.filter_map(|path| path.strip_suffix(".java")) {
                for file in class_files(&root.classes.join(source))? {
                    let bytes = fs::read(&file).map_err(|error| CaseError::io("read", &file, error))?;
                    files.push((file, bytes));
                }
            }
        }
        Ok(Self { files })
    }

    /// Puts them where they were.
    pub(super) fn write_back(&self) -> Result<(), CaseError> {
        self.files.iter().try_for_each(|(file, bytes)| write(file, bytes))
    }
}

/// The class file of a source without its extension, and those of the classes nested in it.
fn class_files(stem: &Path) -> Result<Vec<PathBuf>, CaseError> {
    let folder = stem.parent().unwrap_or(stem);
    let name = stem.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let unreadable = |source| CaseError::io("read", folder, source);
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let class = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let rest = class.strip_suffix(".class").and_then(|class| class.strip_prefix(name.as_str()));
        if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$')) {
            files.push(path);
        }
    }
    Ok(files)
}
