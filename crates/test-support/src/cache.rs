//! The folder in which fetched files are kept from one test run to the next.
//!
//! It lies outside the repository, so that a clean build does not fetch again and several work trees share it. This
//! module only computes the path; it must never create, read or delete anything.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

/// The variable that overrides the place of the cache.
pub const CACHE_VARIABLE: &str = "PROBITY_CACHE";

/// There is no place for the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoCacheFolder;

impl fmt::Display for NoCacheFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no place for the cache of fetched files: set {CACHE_VARIABLE}, XDG_CACHE_HOME or HOME")
    }
}

impl Error for NoCacheFolder {}

/// The cache folder of this process: `PROBITY_CACHE`, else `XDG_CACHE_HOME/probity`, else `~/.cache/probity`.
///
/// # Errors
///
/// Fails when none of the variables is set.
pub fn cache_folder() -> Result<PathBuf, NoCacheFolder> {
    cache_folder_by(|name| env::var_os(name))
}

fn cache_folder_by(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, NoCacheFolder> {
    let folder = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    folder(CACHE_VARIABLE)
        .or_else(|| folder("XDG_CACHE_HOME").map(|cache| cache.join("probity")))
        .or_else(|| folder("HOME").map(|home| home.join(".cache").join("probity")))
        .ok_or(NoCacheFolder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(variables: &[(&str, &str)]) -> Result<PathBuf, NoCacheFolder> {
        cache_folder_by(|name| {
            variables.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
        })
    }

    #[test]
    fn the_own_variable_wins_then_the_standard_one_then_home() {
        let all = [("PROBITY_CACHE", "/p"), ("XDG_CACHE_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(with(&all), Ok(PathBuf::from("/p")));
        assert_eq!(with(&all[1..]), Ok(PathBuf::from("/x/probity")));
        assert_eq!(with(&all[2..]), Ok(PathBuf::from("/h/.cache/probity")));
        assert_eq!(with(&[]), Err(NoCacheFolder));
    }

    #[test]
    fn empty_variables_count_as_unset() {
        assert_eq!(with(&[("PROBITY_CACHE", ""), ("HOME", "/h")]), Ok(PathBuf::from("/h/.cache/probity")));
    }
}
