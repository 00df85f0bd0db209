//! Decides from an entry's name what the entry is, and which names are not to be trusted.
//!
//! Names inside containers are input, and later code may join them to folders: a name that could leave the
//! folder is refused here, once, for every sort of container. This module never touches the file system and
//! never repairs a name: a repaired name could collide with a good one.

use std::fmt;

use crate::source::EntryKind;

/// Why a name inside a container is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameProblem {
    /// It starts at a root: `/x`, `\x`, `C:\x`, `C:x`.
    Absolute,
    /// One of its components is `..`.
    ParentFolder,
    /// It contains a NUL character.
    Nul,
    /// It is not UTF-8.
    NotUtf8,
}

impl fmt::Display for NameProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NameProblem::Absolute => "its name is absolute",
            NameProblem::ParentFolder => "its name has a `..` component",
            NameProblem::Nul => "its name contains a NUL character",
            NameProblem::NotUtf8 => "its name is not UTF-8",
        })
    }
}

/// What an entry is, by its name; `None` if it is nothing this crate lists.
///
/// A name with a NUL counts as what it is called up to the NUL as well: some readers stop there.
pub(crate) fn kind_of(name: &[u8]) -> Option<EntryKind> {
    let up_to_nul = name.split(|&byte| byte == 0).next().unwrap_or(name);
    kind_by_ending(name).or_else(|| kind_by_ending(up_to_nul))
}

fn kind_by_ending(name: &[u8]) -> Option<EntryKind> {
    const ARCHIVE_ENDINGS: [&[u8]; 3] = [b".jar", b".war", b".ear"];
    if name.ends_with(b".class") {
        Some(EntryKind::Class)
    } else if ARCHIVE_ENDINGS.iter().any(|ending| name.ends_with(ending)) {
        Some(EntryKind::NestedArchive)
    } else {
        None
    }
}

/// The name as text, made readable if need be, and what is wrong with it.
pub(crate) fn check(name: &[u8]) -> (String, Option<NameProblem>) {
    let text = String::from_utf8_lossy(name);
    let problem = if matches!(text, std::borrow::Cow::Owned(_)) {
        Some(NameProblem::NotUtf8)
    } else {
        problem_of(&text)
    };
    (text.into_owned(), problem)
}

fn problem_of(name: &str) -> Option<NameProblem> {
    if name.contains('\0') {
        Some(NameProblem::Nul)
    } else if name.starts_with(['/', '\\']) || starts_with_drive(name) {
        Some(NameProblem::Absolute)
    } else if name.split(['/', '\\']).any(|component| component == "..") {
        Some(NameProblem::ParentFolder)
    } else {
        None
    }
}

fn starts_with_drive(name: &str) -> bool {
    matches!(name.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(name: &[u8]) -> Option<NameProblem> {
        check(name).1
    }

    #[test]
    fn ordinary_names_are_fine() {
        for name in ["a/B.class", "B.class", "..a/B.class", "a../B.class", "a/b:c/B.class", "ä/Ö.class"] {
            assert_eq!(check(name.as_bytes()), (name.to_owned(), None));
        }
    }

    #[test]
    fn names_that_leave_the_folder_are_refused() {
        for name in ["/a.class", "\\a.class", "C:\\a.class", "c:a.class", "//host/a.class"] {
            assert_eq!(problem(name.as_bytes()), Some(NameProblem::Absolute), "{name}");
        }
        for name in ["../a.class", "a/../../b.class", "a\\..\\b.class", "a/.."] {
            assert_eq!(problem(name.as_bytes()), Some(NameProblem::ParentFolder), "{name}");
        }
    }

    #[test]
    fn names_that_are_not_plain_text_are_refused() {
        assert_eq!(problem(b"a\0.class"), Some(NameProblem::Nul));
        assert_eq!(problem(b"a\xff.class"), Some(NameProblem::NotUtf8));
        assert_eq!(check(b"a\xff.class").0, "a\u{fffd}.class");
    }

    #[test]
    fn kinds_follow_the_ending() {
        assert_eq!(kind_of(b"a/B.class"), Some(EntryKind::Class));
        assert_eq!(kind_of(b"BOOT-INF/lib/x.jar"), Some(EntryKind::NestedArchive));
        assert_eq!(kind_of(b"x.class\0.txt"), Some(EntryKind::Class));
        assert_eq!(kind_of(b"x.class/"), None);
        assert_eq!(kind_of(b"x.CLASS"), None);
        assert_eq!(kind_of(b""), None);
    }
}
