//! The cache of artifacts on disk: what is there, what is missing, and how a file comes in.
//!
//! The layout is that of a Maven repository. Where files come from is behind [`Fetch`], so that the rules of the cache
//! are tested without Maven. A file must never be visible under its final name before it is complete.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::coordinates::Coordinates;
use super::error::FetchError;

/// A source of artifacts.
pub trait Fetch {
    /// Puts each artifact at its [`Coordinates::path`] below the folder.
    ///
    /// # Errors
    ///
    /// Fails when not all could be fetched.
    fn fetch(&self, artifacts: &[Coordinates], into: &Path) -> Result<(), FetchError>;
}

/// A folder of artifacts.
#[derive(Debug, Clone)]
pub struct Repository {
    folder: PathBuf,
}

impl Repository {
    /// The repository in this folder, which need not exist yet.
    #[must_use]
    pub fn at(folder: PathBuf) -> Self {
        Repository { folder }
    }

    /// The artifacts among these that are not there, each once.
    #[must_use]
    pub fn missing(&self, wanted: &[Coordinates]) -> Vec<Coordinates> {
        let missing: BTreeSet<&Coordinates> =
            wanted.iter().filter(|artifact| !self.path_of(artifact).is_file()).collect();
        missing.into_iter().cloned().collect()
    }

    /// The jars of these artifacts, in the same order; those that are not there come from the source.
    ///
    /// # Errors
    ///
    /// Fails when the source fails or the folder cannot be written.
    pub fn fetch(&self, wanted: &[Coordinates], source: &impl Fetch) -> Result<Vec<PathBuf>, FetchError> {
        if !self.missing(wanted).is_empty() {
            self.fetch_alone(wanted, source)?;
        }
        Ok(wanted.iter().map(|artifact| self.path_of(artifact)).collect())
    }

    /// Fetches while no other process does; what another one brought in the meantime is not fetched again.
    fn fetch_alone(&self, wanted: &[Coordinates], source: &impl Fetch) -> Result<(), FetchError> {
        fs::create_dir_all(&self.folder).map_err(|error| failed("create", &self.folder, error))?;
        let lock_path = self.folder.join(".lock");
        let lock = File::create(&lock_path).map_err(|error| failed("create", &lock_path, error))?;
        lock.lock().map_err(|error| failed("lock", &lock_path, error))?;
        let missing = self.missing(wanted);
        if missing.is_empty() {
            return Ok(());
        }
        let staging = tempfile::Builder::new()
            .prefix(".staging-")
            .tempdir_in(&self.folder)
            .map_err(|error| failed("create a folder in", &self.folder, error))?;
        source.fetch(&missing, staging.path())?;
        missing.iter().try_for_each(|artifact| self.take_in(artifact, staging.path()))
    }

    /// Moves a delivered jar to its place in one step.
    fn take_in(&self, artifact: &Coordinates, staging: &Path) -> Result<(), FetchError> {
        let delivered = staging.join(artifact.path());
        if !delivered.is_file() {
            return Err(FetchError::NotDelivered(artifact.clone()));
        }
        let folder = self.folder.join(artifact.folder());
        fs::create_dir_all(&folder).map_err(|error| failed("create", &folder, error))?;
        let place = self.path_of(artifact);
        fs::rename(&delivered, &place).map_err(|error| failed("write", &place, error))
    }

    fn path_of(&self, artifact: &Coordinates) -> PathBuf {
        self.folder.join(artifact.path())
    }
}

fn failed(action: &'static str, path: &Path, source: io::Error) -> FetchError {
    FetchError::Io { action, path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::thread;

    use super::*;

    /// A source that writes small files and remembers what it was asked for.
    #[derive(Default)]
    struct Recorded {
        requests: Mutex<Vec<Vec<String>>>,
        keeps_back: Option<&'static str>,
    }

    impl Fetch for Recorded {
        fn fetch(&self, artifacts: &[Coordinates], into: &Path) -> Result<(), FetchError> {
            let names = artifacts.iter().map(ToString::to_string).collect();
            self.requests.lock().expect("no test panics here").push(names);
            for artifact in artifacts.iter().filter(|artifact| Some(artifact.artifact()) != self.keeps_back) {
                fs::create_dir_all(into.join(artifact.folder())).expect("folder");
                fs::write(into.join(artifact.path()), artifact.to_string()).expect("file");
            }
            Ok(())
        }
    }

    fn coordinates(names: &[&str]) -> Vec<Coordinates> {
        names.iter().map(|name| name.parse().expect("well formed")).collect()
    }

    #[test]
    fn only_what_is_missing_is_fetched_and_in_one_request() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let repository = Repository::at(folder.path().join("maven"));
        let source = Recorded::default();
        repository.fetch(&coordinates(&["g:a:1"]), &source).expect("fetched");
        let wanted = coordinates(&["g:b:1:x", "g:a:1", "g:b:1", "g:b:1"]);
        let paths = repository.fetch(&wanted, &source).expect("fetched");
        let requests = source.requests.into_inner().expect("no test panics here");
        assert_eq!(requests, [vec!["g:a:1"], vec!["g:b:1", "g:b:1:x"]]);
        let contents: Vec<String> =
            paths.iter().map(|path| fs::read_to_string(path).expect("a jar")).collect();
        assert_eq!(contents, ["g:b:1:x", "g:a:1", "g:b:1", "g:b:1"]);
    }

    #[test]
    fn those_who_come_at_the_same_time_fetch_once() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let source = Recorded::default();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let repository = Repository::at(folder.path().join("maven"));
                    repository.fetch(&coordinates(&["g:a:1"]), &source).expect("fetched");
                });
            }
        });
        assert_eq!(source.requests.into_inner().expect("no test panics here").len(), 1);
    }

    #[test]
    fn an_artifact_that_was_not_delivered_is_named_and_nothing_is_left_over() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let repository = Repository::at(folder.path().to_owned());
        let source = Recorded { keeps_back: Some("b"), ..Recorded::default() };
        let wanted = coordinates(&["g:b:1"]);
        let error = repository.fetch(&wanted, &source).expect_err("b is kept back");
        assert!(matches!(&error, FetchError::NotDelivered(artifact) if artifact == &wanted[0]), "{error}");
        assert_eq!(repository.missing(&wanted), wanted);
        let left: Vec<_> =
            fs::read_dir(folder.path()).expect("folder").map(|e| e.expect("entry").file_name()).collect();
        assert_eq!(left, [".lock"]);
    }
}
