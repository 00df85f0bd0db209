//! What the closure asks of the world outside: the bytes of classes, and what files and resources are.
//!
//! The crate itself opens nothing. Whoever implements these never guesses: what cannot be had is an error in words, and
//! the units that need it are distrusted.

use crate::trace::FileState;
use probity_shape::ContentId;
use probity_wire::ClassMessage;

/// Where classes come from.
pub trait ClassSource {
    /// The bytes that stand where a class was loaded from; nothing if it is not there. It is not asked for the classes of the JDK
    /// nor for those that were made while the program ran.
    ///
    /// # Errors
    ///
    /// Fails with the reason, in words, if that cannot be found out.
    fn class_bytes(&mut self, class: &ClassMessage) -> Result<Option<Vec<u8>>, String>;

    /// Whether what stands there is surely what stood there at a time, in milliseconds since 1970, and ever since.
    fn is_unchanged_since(&mut self, class: &ClassMessage, millis: u64) -> bool;

    /// Whether a class that was not loaded could have been, by its internal name.
    fn presence(&mut self, name: &str) -> Presence;
}

/// Whether a class is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// It is a class of the JDK, which is a part of the environment.
    Jdk,
    /// It is on the class path.
    Present,
    /// It is nowhere.
    Absent,
}

/// What files and resources are.
pub trait FileSource {
    /// What is there now, at an absolute path.
    ///
    /// # Errors
    ///
    /// Fails with the reason, in words, if that cannot be found out.
    fn file(&mut self, path: &str, asked: Asked) -> Result<FileState, String>;

    /// A hash of all resources of a name on the class path, in its order; nothing if there is none.
    ///
    /// # Errors
    ///
    /// Fails with the reason, in words, if that cannot be found out.
    fn resource(&mut self, name: &str) -> Result<Option<ContentId>, String>;

    /// The class path and the module path of the JVM, in order, as absolute paths; what only lists others is replaced by
    /// what it lists.
    fn class_path(&mut self) -> Vec<String>;

    /// Whether a path is an entry of the class path, or was one before it was replaced by what it lists.
    fn is_on_class_path(&mut self, path: &str) -> bool {
        self.class_path().iter().any(|entry| entry == path)
    }
}

/// What a unit wanted of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Asked {
    /// Whether it is there, or one of its attributes.
    Tested,
    /// Its entries.
    Listed,
    /// Its contents.
    Read,
}
