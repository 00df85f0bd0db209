//! Answers about stored traces: where the store is, which unit is meant, why a class counts and which of its methods were entered.
//!
//! It only looks things up. What a trace is worth for the tree as it is now is not decided here.

use probity_shape::{MethodShape, Shape, Use};
use probity_store::{TraceView, Traces};
use probity_trace::{Hits, OUTSIDE, Why};
use std::fmt;
use std::path::{Path, PathBuf};

/// The folder of a store, in the folder of the project.
pub const STORE_FOLDER: &str = ".probity";

/// So many names are given as a hint, at the most.
const MOST_NEAR: usize = 3;

/// The store of the nearest folder that has one, upwards from here; if there is none, where it would be here.
#[must_use]
pub fn nearest_store(start: &Path) -> PathBuf {
    let stores = start.ancestors().map(|folder| folder.join(STORE_FOLDER));
    stores.into_iter().find(|store| store.is_dir()).unwrap_or_else(|| start.join(STORE_FOLDER))
}

/// The project of a store: the folder that it is in, to which the paths in its traces are relative. A store elsewhere is of the current
/// folder.
#[must_use]
pub fn project_of(store: &Path) -> PathBuf {
    let is_usual = store.file_name().is_some_and(|name| name == STORE_FOLDER);
    let parent = store.parent().filter(|_| is_usual);
    match parent {
        Some(parent) if parent.as_os_str().is_empty() => std::env::current_dir().unwrap_or_default(),
        Some(parent) => std::path::absolute(parent).unwrap_or_else(|_| parent.to_owned()),
        None => std::env::current_dir().unwrap_or_default(),
    }
}

/// The newest trace of each unit.
pub fn newest(traces: &Traces) -> impl Iterator<Item = TraceView<'_>> {
    let mut before = None;
    let units = traces.iter().filter(|trace| trace.unit() != OUTSIDE);
    units.filter(move |trace| before.replace(trace.unit()) != Some(trace.unit()))
}

/// The unit that is meant by a name: its whole name, or what is behind the last dot if that is of one unit only.
///
/// # Errors
///
/// Fails if there is no such unit, or more than one.
pub fn find_unit<'t>(traces: &'t Traces, asked: &str) -> Result<&'t str, UnknownUnit> {
    find_name(traces.units().filter(|unit| *unit != OUTSIDE), asked)
}

/// The name that is meant among those of units, as above.
///
/// # Errors
///
/// Fails if there is no such unit, or more than one.
pub fn find_name<'t>(units: impl Iterator<Item = &'t str>, asked: &str) -> Result<&'t str, UnknownUnit> {
    let units: Vec<&str> = units.collect();
    if let Some(unit) = units.iter().find(|unit| **unit == asked) {
        return Ok(unit);
    }
    let named: Vec<&str> = units.iter().copied().filter(|unit| simple_name(unit) == asked).collect();
    if let [unit] = *named {
        return Ok(unit);
    }
    let is_ambiguous = !named.is_empty();
    let near = near_names(units.iter().copied(), asked);
    Err(UnknownUnit { asked: asked.to_owned(), near, is_ambiguous, is_empty: units.is_empty() })
}

/// There is no trace of a unit, or it is not clear of which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownUnit {
    /// The name.
    pub asked: String,
    /// Units with names that are like it.
    pub near: Vec<String>,
    /// Whether several units are called so.
    pub is_ambiguous: bool,
    /// Whether there is no trace at all.
    pub is_empty: bool,
}

impl UnknownUnit {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> String {
        match self.near.as_slice() {
            [] if self.is_empty => "nothing was recorded there yet".to_owned(),
            [] => "list the units with `probity trace list`".to_owned(),
            near => format!("there is {}", near.join(", ")),
        }
    }
}

impl fmt::Display for UnknownUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_ambiguous {
            write!(f, "several units are called {}", self.asked)
        } else {
            write!(f, "there is no trace of the unit {}", self.asked)
        }
    }
}

impl std::error::Error for UnknownUnit {}

fn simple_name(unit: &str) -> &str {
    unit.rsplit('.').next().unwrap_or(unit)
}

/// The names whose last part is like that of another, the most alike first.
fn near_names<'n>(names: impl Iterator<Item = &'n str>, asked: &str) -> Vec<String> {
    let asked = simple_name(asked).to_lowercase();
    let most = (asked.chars().count() / 3).max(1);
    let mut near: Vec<(usize, &str)> = names
        .map(|name| (edits(&asked, &simple_name(name).to_lowercase()), name))
        .filter(|(edits, _)| *edits <= most)
        .collect();
    near.sort_unstable();
    near.into_iter().take(MOST_NEAR).map(|(_, name)| name.to_owned()).collect()
}

/// How many letters must be added, left out or replaced to come from one text to the other.
fn edits(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (position, letter) in one.chars().enumerate() {
        let mut before = position + 1;
        let mut next = vec![before];
        for (pair, &there) in row.windows(2).zip(&other) {
            let [diagonal, above] = *pair else { continue };
            before = (diagonal + usize::from(letter != there)).min(above + 1).min(before + 1);
            next.push(before);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

/// The methods of a class that were entered.
pub fn entered<'s>(shape: &'s Shape, hits: &Hits) -> impl Iterator<Item = &'s MethodShape> {
    shape.methods.iter().filter(|method| hits.enter(method))
}

/// A class as programs write it.
#[must_use]
pub fn with_dots(internal_name: &str) -> String {
    internal_name.replace('/', ".")
}

/// Why a class counts, in words.
#[must_use]
pub fn in_words(why: Why, of: Option<&str>) -> String {
    let (what, link) = match why {
        Why::Ran => ("probe", "through"),
        Why::Named(Use::New) => ("instance made", "by"),
        Why::Named(Use::StaticField) => ("static use", "by"),
        Why::Named(Use::StaticCall) => ("static call", "by"),
        Why::Named(Use::Field) => ("field use", "by"),
        Why::Named(Use::Call) => ("call", "by"),
        Why::Named(Use::InterfaceCall) => ("interface call", "by"),
        Why::Named(Use::Literal) => ("class literal", "in"),
        Why::Named(Use::Array) => ("array made", "by"),
        Why::Named(Use::Cast) => ("cast", "in"),
        Why::Named(Use::Bootstrap) => ("bootstrap argument", "in"),
        Why::Named(Use::Catch) => ("catch", "in"),
        Why::Supertype => ("supertype", "of"),
        Why::Once => ("initialiser", "of"),
        Why::Inspected => ("reflection", "through"),
        Why::LookedUp => ("looked up by name", "by"),
        Why::Linked => ("linked by the JVM", "for"),
        Why::Signature => ("named by the signature", "of"),
        Why::NestHost => ("nest host", "of"),
        Why::Made => ("named by a class made at run time", "by"),
        Why::Outside => ("used outside all units", "by"),
        Why::OtherUnit => ("because of another unit", "which is"),
    };
    match of {
        Some(of) => format!("{what} {link} {}", with_dots(of)),
        None => what.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_names_are_found() {
        assert_eq!(
            (edits("", "abc"), edits("abc", "abd"), edits("cart", "carts"), edits("a", "a")),
            (3, 1, 1, 0)
        );
        let names = ["shop.CartTest", "shop.ShelfTest", "bank.CardTest"];
        assert_eq!(near_names(names.into_iter(), "shop.CarTest"), ["bank.CardTest", "shop.CartTest"]);
        assert_eq!(near_names(names.into_iter(), "carttest")[0], "shop.CartTest");
        assert_eq!(near_names(names.into_iter(), "Other"), [""; 0]);
    }

    #[test]
    fn every_reason_has_words_of_its_own() {
        let words: std::collections::HashSet<String> =
            Why::ALL.into_iter().map(|why| in_words(why, None)).collect();
        assert_eq!(words.len(), Why::ALL.len());
        assert_eq!(in_words(Why::Supertype, Some("a/B$C")), "supertype of a.B$C");
    }

    #[test]
    fn the_nearest_store_is_above() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let below = folder.path().join("a/b");
        std::fs::create_dir_all(&below).expect("makes");
        assert_eq!(nearest_store(&below), below.join(STORE_FOLDER));
        std::fs::create_dir_all(folder.path().join("a").join(STORE_FOLDER)).expect("makes");
        assert_eq!(nearest_store(&below), folder.path().join("a").join(STORE_FOLDER));
    }
}
