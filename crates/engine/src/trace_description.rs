//! A stored trace in words: what `probity trace show` tells.

use crate::traces::{entered, in_words, with_dots};
use probity_shape::ContentId;
use probity_store::{ClassView, Fact, Shapes, TraceView};
use probity_trace::{Environment, FileState, Outcome};

/// A trace in words.
#[derive(Clone, Debug)]
pub struct TraceDescription {
    /// Its identity.
    pub id: String,
    /// The unit.
    pub unit: String,
    /// The framework that ran it.
    pub framework: String,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// How it ended.
    pub outcome: &'static str,
    /// Its tests.
    pub tests: Vec<TestDescription>,
    /// In what JVM it ran.
    pub environment: Environment,
    /// The classes that it used.
    pub classes: Vec<ClassDescription>,
    /// The classes that it looked for and that were not there.
    pub absent: Vec<String>,
    /// The files and folders.
    pub files: Vec<Dependency>,
    /// The resources.
    pub resources: Vec<Dependency>,
    /// The system properties.
    pub properties: Vec<Dependency>,
    /// The environment variables.
    pub variables: Vec<Dependency>,
    /// What else is to be known, in words.
    pub notes: Vec<String>,
    /// The units that ran at the same time.
    pub overlaps: Vec<String>,
    /// Why the trace does not show that the unit need not run.
    pub distrust: Vec<String>,
}

/// A test in words.
#[derive(Clone, Debug)]
pub struct TestDescription {
    /// The framework's name of it.
    pub id: String,
    /// How it ended.
    pub outcome: &'static str,
    /// How long it took, in microseconds.
    pub micros: u64,
}

/// A class in words.
#[derive(Clone, Debug)]
pub struct ClassDescription {
    /// Its name, with dots.
    pub name: String,
    /// A hash of its bytes.
    pub content: String,
    /// Where it came from.
    pub place: String,
    /// The methods that were entered, with their descriptors; nothing if the shape of the class is not stored.
    pub methods: Option<Vec<String>>,
    /// Why it counts.
    pub why: Vec<String>,
}

/// Something else that a unit depends on, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// Its name or path; nothing for all of them.
    pub name: Option<String>,
    /// What it was.
    pub state: &'static str,
    /// A hash of it, where there is something to hash.
    pub hash: Option<String>,
}

impl Dependency {
    fn file(path: &str, state: FileState) -> Self {
        let (state, hash) = match state {
            FileState::Absent => ("absent", None),
            FileState::File(content) => ("read", Some(content)),
            FileState::Exists { is_folder: false } => ("file exists", None),
            FileState::Exists { is_folder: true } => ("folder exists", None),
            FileState::Listing(content) => ("folder listed", Some(content)),
        };
        Self { name: Some(path.to_owned()), state, hash: hash.map(|hash| hash.to_string()) }
    }

    fn found(name: Option<&str>, states: [&'static str; 2], hash: Option<ContentId>) -> Self {
        let [there, absent] = states;
        let state = if hash.is_some() { there } else { absent };
        Self { name: name.map(str::to_owned), state, hash: hash.map(|hash| hash.to_string()) }
    }
}

/// How something ended, in a word.
#[must_use]
pub fn outcome_in_words(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Passed => "passed",
        Outcome::Failed => "failed",
        Outcome::Skipped => "skipped",
    }
}

/// Describes a trace.
#[must_use]
pub fn describe(trace: TraceView<'_>, shapes: &Shapes) -> TraceDescription {
    let tests = trace.tests().map(|test| TestDescription {
        id: test.id.to_owned(),
        outcome: outcome_in_words(test.outcome),
        micros: test.micros,
    });
    let mut description = TraceDescription {
        id: trace.id().to_string(),
        unit: trace.unit().to_owned(),
        framework: trace.framework().to_owned(),
        began: trace.began(),
        micros: trace.micros(),
        outcome: outcome_in_words(trace.outcome()),
        tests: tests.collect(),
        environment: trace.environment().clone(),
        classes: trace.classes().map(|class| describe_class(class, shapes)).collect(),
        absent: Vec::new(),
        files: Vec::new(),
        resources: Vec::new(),
        properties: Vec::new(),
        variables: Vec::new(),
        notes: Vec::new(),
        overlaps: Vec::new(),
        distrust: Vec::new(),
    };
    trace.facts().for_each(|fact| description.add(fact));
    description
}

impl TraceDescription {
    fn add(&mut self, fact: Fact<&str>) {
        match fact {
            Fact::AbsentClass(name) => self.absent.push(with_dots(name)),
            Fact::File(path, state) => self.files.push(Dependency::file(path, state)),
            Fact::Resource(name, found) => {
                self.resources.push(Dependency::found(Some(name), ["found", "absent"], found));
            }
            Fact::Property(name, value) => {
                self.properties.push(Dependency::found(name, ["set", "not set"], value));
            }
            Fact::Variable(name, value) => {
                self.variables.push(Dependency::found(name, ["set", "not set"], value));
            }
            Fact::ReadsStackTraces => {
                self.notes.push("it reads stack traces, so lines and names of sources count".to_owned());
            }
            Fact::StartsProcesses => self.notes.push("it starts processes, which nobody followed".to_owned()),
            Fact::ThreadsLeft(count) => self.notes.push(format!("threads that outlived it: {count}")),
            Fact::Overlap(unit) => self.overlaps.push(unit.to_owned()),
            Fact::Distrust(why) => self.distrust.push(why.to_owned()),
        }
    }
}

fn describe_class(class: ClassView<'_>, shapes: &Shapes) -> ClassDescription {
    let methods = shapes.get(class.content()).map(|shape| {
        let hits = class.hits();
        entered(&shape, &hits).map(|method| format!("{}{}", method.name, method.descriptor)).collect()
    });
    ClassDescription {
        name: with_dots(class.name()),
        content: class.content().to_string(),
        place: class.place().to_owned(),
        methods,
        why: class.reasons().map(|(why, of)| in_words(why, of)).collect(),
    }
}
