//! Artifacts from Maven's repository, fetched once and then used without the network.
//!
//! The real `mvn` does the fetching, so that the user's mirrors, proxies and credentials are honoured and checksums are
//! checked; one run brings all that is missing. A file appears in the cache complete or not at all, and processes that
//! want the same artifacts at the same time wait for each other. Nothing here may call Maven when all files are there.

mod coordinates;
mod error;
mod mvn;
mod repository;

use std::path::PathBuf;

pub use coordinates::{BadCoordinates, Coordinates};
pub use error::FetchError;
pub use repository::{Fetch, Repository};

use crate::cache::cache_folder;
use mvn::Mvn;

/// The jars of these artifacts (`group:artifact:version` or `group:artifact:version:classifier`), in the same order,
/// fetched if they are not in the cache yet.
///
/// # Errors
///
/// Fails when something is missing and cannot be fetched; the message says what to do.
pub fn fetch(artifacts: &[&str]) -> Result<Vec<PathBuf>, FetchError> {
    let wanted = parse_all(artifacts)?;
    this_machines_repository()?.fetch(&wanted, &Mvn)
}

/// The artifacts among these that are not in the cache yet.
///
/// # Errors
///
/// Fails when coordinates are malformed or there is no place for a cache.
pub fn missing(artifacts: &[&str]) -> Result<Vec<Coordinates>, FetchError> {
    let wanted = parse_all(artifacts)?;
    Ok(this_machines_repository()?.missing(&wanted))
}

fn this_machines_repository() -> Result<Repository, FetchError> {
    Ok(Repository::at(cache_folder()?.join("maven")))
}

fn parse_all(artifacts: &[&str]) -> Result<Vec<Coordinates>, BadCoordinates> {
    artifacts.iter().map(|text| text.parse()).collect()
}
