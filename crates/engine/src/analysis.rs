//! Coverage of classes, wherever they are, from execution data.
//!
//! Classes are analysed on all cores. What comes out does not depend on how many there are: results are put together in
//! the order of the input, what is in an archive at the place of the archive.
//!
//! What counts is what is a class by its content, as it is for JaCoCo: a file that is only called a class is left out, and
//! that is told as a warning, because it may have been one before it was damaged.

use crate::analysis_cache::{AnalysisCache, Key};
use probity_classpath::{Entry, EntryError, EntryKind, Format, OpenError, OpenErrorKind, ReadBuffer, Source};
use probity_coverage::{AnalysisError, Analyzer, BundleBuilder, ClassCoverage, DuplicateClass, ProbeHits};
use probity_execdata::format::Probes;
use probity_execdata::store::Store;
use probity_instrument::class_id;
use std::cell::LazyCell;
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
    /// An archive is inside so many others that it is not opened.
    TooDeep {
        /// The file and the archive in it.
        place: String,
    },
    /// Something is called a class or an archive and is neither.
    Misnamed {
        /// The file and the entry in it.
        place: String,
        /// What it is called.
        called: EntryKind,
        /// Whether it has no bytes at all.
        is_empty: bool,
    },
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
            Self::TooDeep { place } => {
                write!(f, "{place}: is inside more than {MAX_NESTING} archives; it is left out")
            }
            Self::Misnamed { place, is_empty: true, .. } => write!(f, "{place}: is empty; it is left out"),
            Self::Misnamed { place, called: EntryKind::NestedArchive, .. } => {
                write!(f, "{place}: is no archive, in spite of its name; it is left out")
            }
            Self::Misnamed { place, .. } => {
                write!(f, "{place}: is no class file, in spite of its name; it is left out")
            }
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
            Self::NotAnalysable { .. } | Self::Misnamed { .. } => None,
            Self::TooDeep { .. } => Some("unpack the outer archives and give what is in them"),
            Self::OtherVersionExecuted { .. } => {
                Some("run the tests again, or give the classes that were executed")
            }
            Self::Duplicate { .. } => Some("give each class once, or put the modules into groups"),
            Self::SourcesNotFound { .. } | Self::SourcesOutside { .. } => {
                Some("give the folders of all sources with --sources")
            }
        }
    }

    /// Whether numbers are missing because of it. A class of another version still counts, as not executed; what is no
    /// class has no numbers; and a class without a source file, as libraries and generated code often are, has no changed
    /// lines.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        match self {
            Self::Unreadable(_)
            | Self::Unopenable(_)
            | Self::TooDeep { .. }
            | Self::NotAnalysable { .. }
            | Self::Duplicate { .. } => true,
            Self::OtherVersionExecuted { .. }
            | Self::Misnamed { .. }
            | Self::SourcesNotFound { .. }
            | Self::SourcesOutside { .. } => false,
        }
    }
}

/// Analyses all classes of the sources on `threads` threads. Sources that were opened by content have all that JaCoCo
/// analyses. What the cache has is taken from there, and what it has not is put into it.
#[must_use]
pub fn analyze(sources: &[Source], data: &Store, threads: usize, cache: Option<&AnalysisCache>) -> Analysis {
    let mut analysis = Analysis::default();
    let executed = LazyCell::new(|| data.names());
    let mut places = Vec::new();
    for found in (Run { data, threads, cache }).all_in(sources, 0) {
        analysis.classes.reserve(found.len());
        places.reserve(found.len());
        for found in found {
            analysis.take(found, |name| executed.contains(name.as_bytes()), &mut places);
        }
    }
    analysis
}

/// One entry to look at.
struct Task<'s> {
    source: &'s Source,
    entry: &'s Entry,
    /// In how many archives its source is.
    depth: usize,
}

/// What came of one entry.
enum Step {
    Done(Found),
    /// It has entries of its own.
    Container(Source),
}

/// What came of one entry that is not an archive, or that could not be opened.
enum Found {
    /// Boxed, since what was found is moved more than once.
    Class {
        place: String,
        class: Box<ClassCoverage>,
        /// Whether there is execution data of this very class.
        has_data: bool,
    },
    NoClass,
    Problem(Problem),
}

impl From<Problem> for Step {
    fn from(problem: Problem) -> Step {
        Step::Done(Found::Problem(problem))
    }
}

/// How entries are looked at.
struct Run<'d> {
    data: &'d Store,
    threads: usize,
    cache: Option<&'d AnalysisCache>,
}

impl Run<'_> {
    /// What came of all that is in each source, and of what is in the archives there, in order.
    fn all_in(&self, sources: &[Source], depth: usize) -> Vec<Vec<Found>> {
        if sources.is_empty() {
            return Vec::new();
        }
        let entries = |source| Source::entries(source).iter().map(move |entry| Task { source, entry, depth });
        let tasks: Vec<Task<'_>> = sources.iter().flat_map(entries).collect();
        let mut containers = Vec::new();
        let mut found = Vec::with_capacity(tasks.len());
        for step in self.take_steps(&tasks) {
            match step {
                Step::Done(of_entry) => found.push(Some(of_entry)),
                Step::Container(source) => {
                    containers.push(source);
                    found.push(None);
                }
            }
        }
        put_together(sources, found, self.all_in(&containers, depth + 1))
    }

    /// What is counted for a class, by the cache or by an analysis.
    fn class(&self, bytes: &[u8], analyzer: &mut Analyzer) -> Result<Option<ClassCoverage>, AnalysisError> {
        let Some(cache) = self.cache else { return self.analyze(bytes, analyzer) };
        let key = Key::of(bytes, self.data.class(class_id(bytes)).map(|class| &class.probes));
        if let Some(class) = cache.get(&key) {
            return Ok(Some(class));
        }
        let class = self.analyze(bytes, analyzer)?;
        if let Some(class) = &class {
            cache.put(key, class);
        }
        Ok(class)
    }

    fn analyze(&self, bytes: &[u8], analyzer: &mut Analyzer) -> Result<Option<ClassCoverage>, AnalysisError> {
        let mut hits = None;
        analyzer.analyze(bytes, |id| {
            hits = self.data.class(id).map(|class| Hits(&class.probes));
            hits.as_ref().map(|hits| hits as &dyn ProbeHits)
        })
    }

    /// What came of each task, in order.
    fn take_steps(&self, tasks: &[Task<'_>]) -> Vec<Step> {
        let next = AtomicUsize::new(0);
        let finished = Mutex::new(Vec::with_capacity(tasks.len()));
        std::thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, tasks.len().max(1)) {
                scope.spawn(|| {
                    let mut done = Vec::new();
                    let (mut analyzer, mut buffer) = (Analyzer::new(), ReadBuffer::default());
                    loop {
                        let position = next.fetch_add(1, Ordering::Relaxed);
                        let Some(task) = tasks.get(position) else { break };
                        done.push((position, task.step(self, &mut analyzer, &mut buffer)));
                    }
                    finished.lock().unwrap_or_else(std::sync::PoisonError::into_inner).append(&mut done);
                });
            }
        });
        let mut finished = finished.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        finished.sort_unstable_by_key(|(position, _)| *position);
        finished.into_iter().map(|(_, step)| step).collect()
    }
}

/// What came of each source: of its entries, and where nothing stands for an entry, what was found in the next container.
fn put_together(
    sources: &[Source],
    found: Vec<Option<Found>>,
    in_containers: Vec<Vec<Found>>,
) -> Vec<Vec<Found>> {
    let (mut found, mut in_containers) = (found.into_iter(), in_containers.into_iter());
    let mut of_source = |source: &Source| {
        let mut all = Vec::with_capacity(source.entries().len());
        for of_entry in found.by_ref().take(source.entries().len()) {
            match of_entry {
                Some(of_entry) => all.push(of_entry),
                None => all.extend(in_containers.next().unwrap_or_default()),
            }
        }
        all
    };
    sources.iter().map(&mut of_source).collect()
}

impl Task<'_> {
    fn place(&self) -> String {
        [self.source.name(), ": ", self.entry.name()].concat()
    }

    fn step(&self, run: &Run<'_>, analyzer: &mut Analyzer, buffer: &mut ReadBuffer) -> Step {
        if self.entry.kind() == EntryKind::NestedArchive {
            return self.open();
        }
        let content = match self.source.read(self.entry, buffer) {
            Ok(content) => content,
            Err(error) => return Problem::Unreadable(error).into(),
        };
        match Format::of(content.bytes) {
            Some(Format::Class) => Step::Done(match run.class(content.bytes, analyzer) {
                Ok(Some(class)) => {
                    let has_data = run.data.class(class.id).is_some();
                    Found::Class { place: self.place(), class: Box::new(class), has_data }
                }
                Ok(None) => Found::NoClass,
                Err(error) => Found::Problem(Problem::NotAnalysable { place: self.place(), error }),
            }),
            Some(Format::Archive | Format::Gzip) => self.open(),
            None => self.misnamed(content.bytes.is_empty()).into(),
        }
    }

    fn open(&self) -> Step {
        if self.depth == MAX_NESTING {
            return Problem::TooDeep { place: self.place() }.into();
        }
        match self.source.open_nested(self.entry) {
            Ok(source) => Step::Container(source),
            Err(OpenError { kind: OpenErrorKind::NotRecognised, .. }) => {
                self.misnamed(self.entry.declared_size() == 0).into()
            }
            Err(error) => Problem::Unopenable(error).into(),
        }
    }

    fn misnamed(&self, is_empty: bool) -> Problem {
        Problem::Misnamed { place: self.place(), called: self.entry.kind(), is_empty }
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
    /// Takes what came of one entry. The places are those of the classes that count, in their order.
    fn take(&mut self, found: Found, is_executed: impl Fn(&str) -> bool, places: &mut Vec<String>) {
        let (place, class, has_data) = match found {
            Found::NoClass => return,
            Found::Problem(problem) => return self.problems.push(problem),
            Found::Class { place, class, has_data } => (place, class, has_data),
        };
        if !has_data && is_executed(&class.name) {
            let (place, class) = (place.clone(), class.name.clone());
            self.problems.push(Problem::OtherVersionExecuted { place, class });
        }
        match self.classes.add(class) {
            Ok(()) => {
                self.class_count += 1;
                if places.len() < self.classes.classes().len() {
                    places.push(place);
                }
            }
            Err(error) => {
                let first_place = places.get(error.first).cloned().unwrap_or_default();
                self.problems.push(Problem::Duplicate { place, first_place, error });
            }
        }
    }
}
