//! Coverage of classes, wherever they are, from execution data.
//!
//! Classes are analysed on all cores. What comes out does not depend on how many there are: results are put together in
//! the order of the input.

use probity_classpath::{Entry, EntryError, EntryKind, OpenError, ReadBuffer, Source};
use probity_coverage::{AnalysisError, Analyzer, BundleBuilder, ClassCoverage, DuplicateClass, ProbeHits};
use probity_execdata::format::Probes;
use probity_execdata::store::Store;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How deep archives in archives are opened.
const MAX_NESTING: usize = 4;

/// What came of an analysis.
#[derive(Debug, Default)]
pub struct Analysis {
    /// The classes.
    pub classes: BundleBuilder,
    /// How many classes were analysed.
    pub class_count: usize,
    /// What could not be used, in the order of the input.
    pub problems: Vec<Problem>,
}

/// Something that could not be used, or not be trusted.
#[derive(Debug)]
#[non_exhaustive]
pub enum Problem {
    /// An entry cannot be read.
    Unreadable(EntryError),
    /// An archive inside another cannot be opened.
    Unopenable(OpenError),
    /// A class cannot be analysed.
    NotAnalysable {
        /// The file and the class in it.
        place: String,
        /// Why.
        error: AnalysisError,
    },
    /// The execution data is of another version of the class.
    OtherVersionExecuted {
        /// The file and the class in it.
        place: String,
        /// The internal name.
        class: String,
    },
    /// Another class of the same name came before.
    Duplicate {
        /// The file and the class in it.
        place: String,
        /// The same of the class that came before.
        first_place: String,
        /// Which class.
        error: DuplicateClass,
    },
    /// Source files that are not there, so that nobody knows what was changed in them.
    SourcesNotFound {
        /// The files below a source folder, or the classes that name none.
        files: Vec<String>,
    },
    /// Source files that are not in the repository that knows what was changed.
    SourcesOutside {
        /// The files.
        files: Vec<String>,
    },
}

/// How many files a message names.
const MOST_NAMED: usize = 5;

/// The first of some names, and how many more there are.
fn first_of(names: &[String]) -> String {
    let named = names.iter().take(MOST_NAMED).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST_NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(error) => error.fmt(f),
            Self::Unopenable(error) => error.fmt(f),
            Self::NotAnalysable { place, error } => write!(f, "{place}: {error}"),
            Self::OtherVersionExecuted { place, class } => {
                write!(f, "{place}: the execution data is of another version of the class {class}")
            }
            Self::Duplicate { place, first_place, error } => {
                write!(f, "{place}: {error}; this one is left out, that of {first_place} counts")
            }
            Self::SourcesNotFound { files } => {
                write!(
                    f,
                    "source files were not found and are left out of the changed lines: {}",
                    first_of(files)
                )
            }
            Self::SourcesOutside { files } => {
                let files = first_of(files);
                write!(
                    f,
                    "source files are outside of the Git repository and are left out of the changed lines: {files}"
                )
            }
        }
    }
}

impl Problem {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Unreadable(error) => error.hint(),
            Self::Unopenable(error) => error.hint(),
            Self::NotAnalysable { error: AnalysisError::AlreadyInstrumented, .. } => {
                Some("give the classes as the compiler wrote them")
            }
            Self::NotAnalysable { .. } => None,
            Self::OtherVersionExecuted { .. } => {
                Some("run the tests again, or give the classes that were executed")
            }
            Self::Duplicate { .. } => Some("give each class once, or put the modules into groups"),
            Self::SourcesNotFound { .. } | Self::SourcesOutside { .. } => {
                Some("give the folders of all sources with --sources")
            }
        }
    }

    /// Whether numbers are missing because of it. A class of another version still counts, as not executed; and a class
    /// without a source file, as libraries and generated code often are, has no changed lines.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        match self {
            Self::Unreadable(_)
            | Self::Unopenable(_)
            | Self::NotAnalysable { .. }
            | Self::Duplicate { .. } => true,
            Self::OtherVersionExecuted { .. }
            | Self::SourcesNotFound { .. }
            | Self::SourcesOutside { .. } => false,
        }
    }
}

/// Analyses all classes of the sources on `threads` threads.
#[must_use]
pub fn analyze(sources: &[Source], data: &Store, threads: usize) -> Analysis {
    let mut analysis = Analysis::default();
    let mut nested = Vec::new();
    for source in sources {
        open_nested(source, 0, &mut nested, &mut analysis.problems);
    }
    let executed = data.names();
    let tasks: Vec<Task<'_>> = sources.iter().chain(&nested).flat_map(tasks_of).collect();
    let mut origins = Vec::new();
    for (task, result) in tasks.iter().zip(run_all(&tasks, data, threads)) {
        analysis.take(task, result, data, &executed, &mut origins);
    }
    analysis
}

/// One class to analyse.
struct Task<'s> {
    source: &'s Source,
    entry: &'s Entry,
}

impl Task<'_> {
    fn place(&self) -> String {
        format!("{}: {}", self.source.name(), self.entry.name())
    }
}

/// What came of one class.
enum Outcome {
    Class(ClassCoverage),
    NoClass,
    Unreadable(EntryError),
    NotAnalysable(AnalysisError),
}

fn tasks_of(source: &Source) -> impl Iterator<Item = Task<'_>> {
    let wanted = source.entries().iter().filter(|entry| entry.kind() != EntryKind::NestedArchive);
    wanted.map(move |entry| Task { source, entry })
}

/// Opens the archives in a source, and those in them.
fn open_nested(source: &Source, depth: usize, nested: &mut Vec<Source>, problems: &mut Vec<Problem>) {
    if depth == MAX_NESTING {
        return;
    }
    for entry in source.entries().iter().filter(|entry| entry.kind() == EntryKind::NestedArchive) {
        match source.open_nested(entry) {
            Ok(inner) => {
                open_nested(&inner, depth + 1, nested, problems);
                nested.push(inner);
            }
            Err(error) => problems.push(Problem::Unopenable(error)),
        }
    }
}

/// The outcome of each task, in order.
fn run_all(tasks: &[Task<'_>], data: &Store, threads: usize) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let finished = Mutex::new(Vec::with_capacity(tasks.len()));
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, tasks.len().max(1)) {
            scope.spawn(|| {
                let mut done = Vec::new();
                let (mut analyzer, mut buffer) = (Analyzer::new(), ReadBuffer::default());
                loop {
                    let position = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(position) else { break };
                    done.push((position, run(task, data, &mut analyzer, &mut buffer)));
                }
                finished.lock().unwrap_or_else(std::sync::PoisonError::into_inner).append(&mut done);
            });
        }
    });
    let mut finished = finished.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    finished.sort_by_key(|(position, _)| *position);
    finished.into_iter().map(|(_, outcome)| outcome).collect()
}

fn run(task: &Task<'_>, data: &Store, analyzer: &mut Analyzer, buffer: &mut ReadBuffer) -> Outcome {
    let class = match task.source.read(task.entry, buffer) {
        Ok(class) => class,
        Err(error) => return Outcome::Unreadable(error),
    };
    let mut hits = None;
    let analysed = analyzer.analyze(class.bytes, |id| {
        hits = data.class(id).map(|class| Hits(&class.probes));
        hits.as_ref().map(|hits| hits as &dyn ProbeHits)
    });
    match analysed {
        Ok(Some(class)) => Outcome::Class(class),
        Ok(None) => Outcome::NoClass,
        Err(error) => Outcome::NotAnalysable(error),
    }
}

struct Hits<'d>(&'d Probes<Vec<u8>>);

impl ProbeHits for Hits<'_> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn is_hit(&self, number: usize) -> bool {
        self.0.is_hit(number)
    }
}

impl Analysis {
    /// Takes the outcome of a task. Origins are the tasks of the classes that count, in their order.
    fn take<'t>(
        &mut self,
        task: &'t Task<'t>,
        outcome: Outcome,
        data: &Store,
        executed: &BTreeSet<&[u8]>,
        origins: &mut Vec<&'t Task<'t>>,
    ) {
        match outcome {
            Outcome::NoClass => {}
            Outcome::Unreadable(error) => self.problems.push(Problem::Unreadable(error)),
            Outcome::NotAnalysable(error) => {
                self.problems.push(Problem::NotAnalysable { place: task.place(), error });
            }
            Outcome::Class(class) => {
                if data.class(class.id).is_none() && executed.contains(class.name.as_bytes()) {
                    let (place, class) = (task.place(), class.name.clone());
                    self.problems.push(Problem::OtherVersionExecuted { place, class });
                }
                match self.classes.add(class) {
                    Ok(()) => self.class_count += 1,
                    Err(error) => {
                        let first_place =
                            origins.get(error.first).map_or_else(String::new, |first| first.place());
                        self.problems.push(Problem::Duplicate { place: task.place(), first_place, error });
                    }
                }
                if origins.len() < self.classes.classes().len() {
                    origins.push(task);
                }
            }
        }
    }
}
