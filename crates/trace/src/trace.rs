//! The trace of a unit.

use crate::class_use::ClassUse;
use probity_shape::ContentId;

/// The name under which it is kept what a JVM did outside all units. No class can have it; it is no unit, and is never selected.
pub const OUTSIDE: &str = "(outside all units)";

/// What one unit did in one recorded run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The unit: the name of its test class, with dots.
    pub unit: String,
    /// The framework that ran it, in words.
    pub framework: String,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// Its tests, in the order in which they ended.
    pub tests: Vec<Test>,
    /// In what JVM it ran.
    pub environment: Environment,
    /// The classes that it used, sorted by name; a name can be there twice, with other bytes.
    pub classes: Vec<ClassUse>,
    /// The internal names of classes that it looked for and that were not there, sorted.
    pub absent_classes: Vec<String>,
    /// The files and folders that it read or asked for, sorted by path.
    pub files: Vec<FileUse>,
    /// The resources that it looked for on the class path, sorted by name.
    pub resources: Vec<ResourceUse>,
    /// The system properties that it read, sorted by name.
    pub properties: Vec<SettingUse>,
    /// The environment variables that it read, sorted by name.
    pub variables: Vec<SettingUse>,
    /// Whether it read stack traces, so that lines and names of source files count.
    pub reads_stack_traces: bool,
    /// Whether it started processes, which nobody followed.
    pub starts_processes: bool,
    /// How many threads that it started outlived it.
    pub threads_left: u32,
    /// The units that ran at the same time in the same JVM: they are fresh or stale together.
    pub overlaps: Vec<String>,
    /// Why the trace does not show that the unit need not run, in words. Empty for a trace that does.
    pub distrust: Vec<String>,
}

impl Trace {
    /// How the unit ended.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let of = |outcome| self.tests.iter().any(|test| test.outcome == outcome);
        if of(Outcome::Failed) {
            Outcome::Failed
        } else if of(Outcome::Passed) || self.tests.is_empty() {
            Outcome::Passed
        } else {
            Outcome::Skipped
        }
    }
}

/// A test of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// The framework's name of it.
    pub id: String,
    /// How it ended.
    pub outcome: Outcome,
    /// How long it took, in microseconds.
    pub micros: u64,
}

/// How a test or a unit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// As it should.
    Passed,
    /// With a failure or an error.
    Failed,
    /// It was not run, or an assumption did not hold.
    Skipped,
}

/// In what JVM a unit ran: what is the same for all units of one JVM.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Environment {
    /// The version of the agent.
    pub agent: String,
    /// The JDK: its version and vendor as it tells them.
    pub jdk: String,
    /// The options of the JVM that can change what a program does, without the class path and without the agent itself.
    pub flags: Vec<String>,
    /// The class path and the module path, in order, each relative to the project where it is inside it.
    pub class_path: Vec<String>,
}

/// A file or folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileUse {
    /// Its path, relative to the project where it is inside it.
    pub path: String,
    /// What it was.
    pub state: FileState,
}

/// What a file or folder was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FileState {
    /// It was not there.
    Absent,
    /// A file with these contents.
    File(ContentId),
    /// It was there, and only that was asked.
    Exists {
        /// Whether it was a folder.
        is_folder: bool,
    },
    /// A folder whose entries were asked for: a hash of their names, and of which of them are folders.
    Listing(ContentId),
}

/// A resource that was looked for on the class path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ResourceUse {
    /// Its name, with slashes.
    pub name: String,
    /// A hash of all resources of this name on the class path, in its order; nothing if there was none.
    pub found: Option<ContentId>,
}

/// A system property or an environment variable.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SettingUse {
    /// Its name; nothing for all of them.
    pub name: Option<String>,
    /// A hash of its value, since values can be secret; nothing if it was not set.
    pub value: Option<ValueHash>,
}

/// A hash of a value.
pub type ValueHash = ContentId;
