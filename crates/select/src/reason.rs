//! Why a trace does not hold, as data. Whoever shows it finds the words.

use crate::class_diff::{MemberChange, MemberKind};
use probity_shape::ClassPart;

/// Why a unit must run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// There is no trace of it.
    New,
    /// It failed when it ran last with all this.
    Failed,
    /// Its trace does not show all that it depends on.
    Distrusted(String),
    /// It starts processes, which nobody followed.
    Processes,
    /// A class is different.
    Class {
        /// The internal name.
        name: String,
        /// In what way.
        what: ClassReason,
    },
    /// A class that it looked for is there now, by internal name.
    ClassAppeared(String),
    /// A file or folder is different.
    File(String),
    /// A resource on the class path is different.
    Resource(String),
    /// An environment variable has another value.
    Variable(String),
    /// It read all environment variables, and one of them has another value.
    AllVariables,
    /// It would run on another JDK.
    Jdk {
        /// That of before.
        before: String,
        /// That of now.
        now: String,
    },
    /// The JVM would have another option; the first that is different.
    Flag(String),
    /// The agent is another version.
    Agent,
    /// A unit that ran at the same time must run.
    Together(String),
    /// Something cannot be found out, in words.
    Unknown(String),
}

/// In what way a class is different.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ClassReason {
    /// It is gone.
    Gone,
    /// It comes from elsewhere.
    Moved(String),
    /// It cannot be read, in words.
    Unreadable(String),
    /// Its bytes are different, and more is not known.
    Bytes,
    /// Something in it that counts at the level of classes.
    Contents,
    /// What can be seen of the class itself.
    Part(ClassPart),
    /// A member.
    Member {
        /// What it is.
        kind: MemberKind,
        /// Its name and descriptor.
        member: String,
        /// What became of it.
        change: MemberChange,
        /// How the unit can come to see it.
        seen_by: SeenBy,
    },
    /// The body of a method that was entered, by name and descriptor.
    Body(String),
    /// Lines or names of variables of a method that was entered, by name and descriptor, and stack traces were read.
    Lines(String),
    /// The name of the source or similar, and stack traces were read.
    Source,
    /// It does the same, but its probes stand elsewhere, so that what was covered of a method is not known.
    Probes(String),
}

/// How a unit can come to see a change of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SeenBy {
    /// It entered the method.
    Entering,
    /// Code that ran names a member like that.
    Name,
    /// The class, or one above it, was looked at by reflection or similar means.
    Reflection,
    /// The JDK knows a method like that and may call it.
    Jdk,
    /// The class was initialised, or may have been.
    Initialisation,
}
