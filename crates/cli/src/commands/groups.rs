//! Groups of classes as they are given on the command line: `NAME=CLASSES`, with slashes in the name for groups in groups.
//!
//! Nothing is opened here.

use std::str::FromStr;

use clap::error::ErrorKind;

use crate::error::CliError;

#[cfg(windows)]
const SEPARATOR: char = ';';
#[cfg(not(windows))]
const SEPARATOR: char = ':';

/// What starts the name of a runtime image; the separator of places is part of it.
const RUNTIME_IMAGE: &str = "jrt";

/// A group, or more of one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    /// The names of the groups that lead to it and its own, joined by slashes.
    pub(super) path: String,
    /// Where its classes are.
    pub(super) classes: Vec<String>,
}

impl FromStr for Group {
    type Err = String;

    fn from_str(text: &str) -> Result<Group, String> {
        let (path, places) =
            text.split_once('=').ok_or("write NAME=CLASSES, such as core=core/target/classes")?;
        if path.split('/').any(|name| name.trim().is_empty()) {
            return Err("a name is empty".to_owned());
        }
        let classes = places_in(places);
        if classes.is_empty() {
            return Err("there are no classes behind the name".to_owned());
        }
        Ok(Group { path: path.to_owned(), classes })
    }
}

/// Places that are separated as in a class path.
fn places_in(text: &str) -> Vec<String> {
    let mut places: Vec<String> = Vec::new();
    for part in text.split(SEPARATOR) {
        match places.last_mut() {
            Some(last) if last == RUNTIME_IMAGE => *last = format!("{RUNTIME_IMAGE}:{part}"),
            _ => places.push(part.to_owned()),
        }
    }
    places.retain(|place| !place.is_empty());
    places
}

impl Group {
    /// The names of the groups that lead to it, and its own.
    pub(super) fn above_and_name(&self) -> (&str, &str) {
        self.path.rsplit_once('/').unwrap_or(("", &self.path))
    }

    /// Whether it is the group of a path, or inside it.
    pub(super) fn is_in(&self, path: &str) -> bool {
        self.path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// Each group once, with all its classes, in the order in which they are first named.
pub(super) fn put_together(given: &[Group]) -> Result<Vec<Group>, CliError> {
    let mut groups: Vec<Group> = Vec::new();
    for more in given {
        match groups.iter_mut().find(|known| known.path == more.path) {
            Some(known) => known.classes.extend(more.classes.iter().cloned()),
            None => groups.push(more.clone()),
        }
    }
    let holds_others =
        |group: &&Group| groups.iter().any(|other| other.path != group.path && other.is_in(&group.path));
    if let Some(Group { path, .. }) = groups.iter().find(holds_others) {
        let problem = format!(
            "the group '{path}' has classes and groups; give its classes a name inside it, such as {path}/main\n"
        );
        return Err(CliError::Usage(clap::Error::raw(ErrorKind::ValueValidation, problem)));
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(path: &str, classes: &[&str]) -> Group {
        Group { path: path.to_owned(), classes: classes.iter().map(|&place| place.to_owned()).collect() }
    }

    #[test]
    fn places_are_separated_as_in_a_class_path() {
        let text = ["a/b=one", "two", "jrt", "jdk", "", "last"].join(&SEPARATOR.to_string());
        let image = format!("jrt{SEPARATOR}jdk").replace(SEPARATOR, ":");
        assert_eq!(text.parse(), Ok(group("a/b", &["one", "two", &image, "last"])));
        for wrong in ["a", "=a", "a/=b", "/a=b", "a//b=c", "a="] {
            assert!(wrong.parse::<Group>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_name_that_is_given_again_adds_to_its_group() {
        let given = [group("a", &["1"]), group("b/c", &["2"]), group("a", &["3"])];
        let groups = put_together(&given).expect("is consistent");
        assert_eq!(groups, [group("a", &["1", "3"]), group("b/c", &["2"])]);
    }

    #[test]
    fn a_group_has_classes_or_groups() {
        let given = [group("a/b", &["1"]), group("ab", &["2"]), group("a", &["3"])];
        let error = put_together(&given).expect_err("has both");
        assert_eq!(error.exit_code(), 2);
    }
}
