//! What is asked of the tree as it is now.
//!
//! Whoever answers never guesses: what cannot be found out is an error in words, and the units that depend on it run.

use probity_shape::{BodyWalk, ContentId, Shape};
use probity_trace::{Environment, FileState};
use std::sync::Arc;

/// The tree as it is now, with the JVM that would run in it.
pub trait Tree {
    /// The class that would be loaded now in place of one that came from a place.
    fn class(&self, name: &str, place: &str) -> Found;

    /// Whether a class of this name could be loaded now that is not of the JDK.
    ///
    /// # Errors
    ///
    /// Fails with the reason, in words, if that cannot be found out.
    fn has_class(&self, name: &str) -> Result<bool, String>;

    /// The shape of a class with these bytes, of now or of the past; nothing if it is not known.
    fn shape(&self, content: ContentId) -> Option<Arc<Shape>>;

    /// The bodies of two methods walked together, each by the bytes of its class and its position there; nothing if that cannot be
    /// done, for instance because the bytes of then are not kept.
    fn body_walk(&self, old: (ContentId, usize), new: (ContentId, usize)) -> Option<Arc<BodyWalk>>;

    /// Whether a class of the JDK has or inherits a method; nothing if that is not known.
    fn jdk_has_method(&self, class: &str, name: &str, descriptor: &str) -> Option<bool>;

    /// What is at a path now, asked for as it was when it was in a state.
    ///
    /// # Errors
    ///
    /// Fails with the reason, in words, if that cannot be found out.
    fn file(&self, path: &str, was: FileState) -> Result<FileState, String>;

    /// A hash of all resources of a name on the class path, in its order; nothing if there is none.
    ///
    /// # Errors
    ///
    /// Fails with the reason, in words, if that cannot be found out.
    fn resource(&self, name: &str) -> Result<Option<ContentId>, String>;

    /// A hash of an environment variable that tests would have; nothing if it is not set.
    fn variable(&self, name: &str) -> Option<ContentId>;

    /// A hash of all of them, as [`probity_trace::hash_of_variables`] has it.
    fn all_variables(&self) -> ContentId;

    /// The JVM that would run; nothing if nobody knows of one, and then it is taken to be the one of before.
    fn environment(&self) -> Option<&Environment>;
}

/// What would be loaded now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Absent,
    /// A class with these bytes.
    Class {
        /// The bytes.
        content: ContentId,
        /// Where it comes from now, if that is elsewhere in a way that programs may see.
        moved_to: Option<String>,
    },
    /// Something that cannot be read, in words.
    Unreadable(String),
}
