//! What keeps a run from happening at all, as opposed to what it finds.

use std::error::Error;
use std::fmt;

/// Why a run could not be done; complete sentences for people.
#[derive(Debug)]
pub struct Failure(pub String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<E: Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure(error.to_string())
    }
}
