//! Runs Maven so that its tests are recorded and those that need not run are left out.
//!
//! Maven's output, its input and its exit code are its own. Which tests are left out is decided by a [`Selection`], execution by execution, when
//! the classes are compiled and the tests are about to start. Whatever goes wrong costs traces or time, never a test: nobody asked,
//! no answer, or half of one all mean that every test runs.

mod ingest;
mod replay;
mod stored;
mod surefire_classes;

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::sync::{Mutex, PoisonError};
use std::thread;

pub use stored::StoredSelection;

pub use probity_buildtool::maven::EXTENSION;
pub use probity_buildtool::maven::command::NoMaven;
use probity_buildtool::maven::command::{Arguments, is_question, program};
use probity_buildtool::maven::conversation::{Conversation, Topic};
pub use probity_buildtool::maven::description::{NotRecorded, TestExecution};
use probity_buildtool::maven::root::{built_folder, root};
use probity_buildtool::maven::run_folder::{self, Settings};
use probity_execdata::file::{self, ExecFileError};
use probity_execdata::store::Store as ExecData;
use probity_store::{Added, Pruned, Run, Store, StoreError};
use probity_toolchain::Environment;
use probity_trace::{Test, Trace};

use crate::maven_run::ingest::Ingested;
use crate::recorded_run::{RunError, milliseconds_now, prune_after, words};
use crate::recording::folder::RecordingFolder;
use crate::recording::{RecordingProblem, remove_left_behind};

/// Decides which units need not run.
pub trait Selection: Sync {
    /// The units of an execution that need not run, with what is known of them. An empty list runs everything.
    fn leave_out(&self, execution: &TestExecution) -> Vec<FreshUnit>;

    /// What the units cover that were left out of an execution, as JaCoCo would have recorded it.
    fn covered(&self, _: &TestExecution) -> ExecData {
        ExecData::default()
    }
}

/// Leaves out nothing.
#[derive(Debug, Clone, Copy)]
pub struct RunAll;

impl Selection for RunAll {
    fn leave_out(&self, _: &TestExecution) -> Vec<FreshUnit> {
        Vec::new()
    }
}

/// A unit that need not run, and how it ended when it ran.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FreshUnit {
    /// The name of its test class, with dots.
    pub unit: String,
    /// When it ran, in milliseconds since 1970.
    pub began: u64,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// Its tests.
    pub tests: Vec<Test>,
}

impl FreshUnit {
    /// A unit as it was recorded.
    fn of(trace: Trace) -> Self {
        let Trace { unit, began, micros, tests, .. } = trace;
        Self { unit, began, micros, tests }
    }
}

/// Leaves out the units that were named, whatever has changed: for those who look at the inner workings.
#[derive(Debug)]
pub struct NamedUnits(Vec<FreshUnit>);

impl NamedUnits {
    /// The units, with the newest results in a store.
    pub fn new(store: &Store, names: impl Iterator<Item = String>) -> Self {
        let traces = store.load();
        let units = names.map(|unit| {
            let newest = traces.of_unit(&unit).next().map(|trace| trace.to_trace()).unwrap_or_default();
            FreshUnit { unit, began: newest.began, micros: newest.micros, tests: newest.tests }
        });
        Self(units.collect())
    }
}

impl Selection for NamedUnits {
    fn leave_out(&self, _: &TestExecution) -> Vec<FreshUnit> {
        self.0.clone()
    }
}

/// Where a build is.
#[derive(Debug, Clone)]
pub struct Place {
    /// The folder of the POM that is built.
    pub built: PathBuf,
    /// The root of the build.
    pub root: PathBuf,
}

/// Where the build is that Maven would run with these arguments.
#[must_use]
pub fn place(current: &Path, arguments: &[OsString]) -> Place {
    let built = built_folder(current, arguments);
    let root = root(&built);
    Place { built, root }
}

/// The Maven of a build.
///
/// # Errors
///
/// Fails if there is none, and says where it was looked for.
pub fn find_program(place: &Place) -> Result<PathBuf, NoMaven> {
    program(&Environment::of_this_process(), &place.built, &place.root)
}

/// What to run, and what becomes of it.
pub struct MavenRequest<'a> {
    /// Maven.
    pub program: &'a Path,
    /// What the user gave it as arguments.
    pub arguments: &'a [OsString],
    /// The extension, as a file.
    pub extension: &'a Path,
    /// The agent's library.
    pub agent: &'a Path,
    /// Where traces are kept.
    pub store: &'a Store,
    /// The root of the build, to which paths are made relative.
    pub root: &'a Path,
    /// Decides what is left out.
    pub selection: &'a dyn Selection,
    /// Whether the results of units that were left out are written where Maven's plugins write theirs.
    pub replay: bool,
}

/// What a run of Maven came to.
#[derive(Debug)]
pub struct MavenResult {
    /// How Maven ended.
    pub status: ExitStatus,
    /// The executions of tests, in the order of their folders.
    pub executions: Vec<TestExecution>,
    /// How many JVMs were recorded.
    pub jvms: usize,
    /// The traces.
    pub traces: Vec<Trace>,
    /// The units that were left out, and in how many executions results were replayed.
    pub left_out: usize,
    /// What is to be told.
    pub problems: Vec<MavenProblem>,
    /// What became of the store; nothing if there was nothing to store.
    pub stored: Option<Result<Added, StoreError>>,
    /// What a prune came to, if it was time for one and nobody else used the store.
    pub pruned: Result<Option<Pruned>, StoreError>,
}

/// Something about a run that people should know.
#[derive(Debug)]
#[non_exhaustive]
pub enum MavenProblem {
    /// Maven ran without the extension.
    NotLoaded,
    /// There is no folder for what Maven has to say, so that it ran alone.
    NoFolder(io::Error),
    /// What the extension tells, in words.
    Told(String),
    /// The tests of an execution were not recorded.
    NotRecorded {
        /// The execution.
        execution: String,
        /// Why, in words.
        why: String,
    },
    /// A recording.
    Recording(RecordingProblem),
    /// What units cover that were left out is missing in JaCoCo's file.
    NotCovered(ExecFileError),
    /// Results cannot be replayed.
    NotReplayed {
        /// The file.
        file: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

impl fmt::Display for MavenProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotLoaded => {
                f.write_str("Maven did not load the extension: all tests ran, and none was recorded")
            }
            Self::NoFolder(error) => {
                write!(f, "all tests ran, and none was recorded, since there is no folder for it: {error}")
            }
            Self::Told(words) => f.write_str(words),
            Self::NotRecorded { execution, why } => {
                write!(f, "all tests of {execution} ran, and none was recorded: {why}")
            }
            Self::Recording(problem) => problem.fmt(f),
            Self::NotCovered(error) => {
                write!(f, "{error}; what tests cover that did not run is missing there")
            }
            Self::NotReplayed { file, error } => {
                write!(f, "{}: the results of tests that did not run are missing: {error}", file.display())
            }
        }
    }
}

impl std::error::Error for MavenProblem {}

/// Runs Maven and records its tests.
///
/// # Errors
///
/// Fails if Maven does not start at all.
pub fn run(request: &MavenRequest<'_>) -> Result<MavenResult, RunError> {
    let began = milliseconds_now();
    remove_left_behind(request.store.folder());
    let folder = RecordingFolder::make(request.store.folder());
    let arguments = Arguments::with(request.extension, request.arguments, request.root);
    let conversation = Conversation::open().ok();
    let settings = Settings {
        agent: request.agent,
        conversation: conversation.as_ref().and_then(|conversation| conversation.address().ok()),
        own_extensions: arguments.own_extensions.as_deref(),
    };
    let mut command = Command::new(request.program);
    if let Err(error) = run_folder::write_settings(&folder.path, &settings) {
        let status = status_of(command.args(request.arguments), request)?;
        return Ok(alone(status, MavenProblem::NoFolder(error)));
    }
    command.args(&arguments.words).env(run_folder::VARIABLE, &folder.path);
    let watch = Watch { request, folder: &folder.path, began, gathered: Mutex::default() };
    let status = watch.while_running(conversation.as_ref(), || status_of(&mut command, request))?;
    Ok(watch.result(status))
}

fn status_of(command: &mut Command, request: &MavenRequest<'_>) -> Result<ExitStatus, RunError> {
    let program = request.program.to_owned();
    command.status().map_err(|source| RunError::NotStarted { program, source })
}

/// The result of a Maven that nobody watched.
fn alone(status: ExitStatus, problem: MavenProblem) -> MavenResult {
    let problems = vec![problem];
    MavenResult {
        status,
        executions: Vec::new(),
        jvms: 0,
        traces: Vec::new(),
        left_out: 0,
        problems,
        stored: None,
        pruned: Ok(None),
    }
}

/// What is known so far.
#[derive(Default)]
struct Gathered {
    /// The units that may be left out, by the name of the execution.
    fresh: HashMap<String, Vec<FreshUnit>>,
    ingested: Ingested,
    left_out: usize,
    problems: Vec<MavenProblem>,
}

/// Answers the extension while Maven runs.
struct Watch<'a> {
    request: &'a MavenRequest<'a>,
    folder: &'a Path,
    /// When the run began, in milliseconds since 1970.
    began: u64,
    gathered: Mutex<Gathered>,
}

impl Watch<'_> {
    fn while_running<T>(&self, conversation: Option<&Conversation>, run: impl FnOnce() -> T) -> T {
        let Some(conversation) = conversation else { return run() };
        thread::scope(|scope| {
            scope.spawn(|| conversation.answer(&|topic, name: &str| self.answer(topic, name)));
            let result = run();
            conversation.close();
            result
        })
    }

    fn gathered(&self) -> std::sync::MutexGuard<'_, Gathered> {
        self.gathered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn answer(&self, topic: Topic, name: &str) -> Vec<String> {
        let Some(folder) = run_folder::execution(self.folder, name) else { return Vec::new() };
        let Ok(execution) = run_folder::describe(&folder) else { return Vec::new() };
        match topic {
            Topic::Before => self.before(name, &execution),
            Topic::After => {
                self.after(name, &execution, &folder);
                Vec::new()
            }
        }
    }

    fn before(&self, name: &str, execution: &TestExecution) -> Vec<String> {
        let mut fresh = self.request.selection.leave_out(execution);
        fresh.retain(|unit| can_be_left_out(&unit.unit));
        let names = fresh.iter().map(|fresh| fresh.unit.clone()).collect();
        self.gathered().fresh.insert(name.to_owned(), fresh);
        names
    }

    fn after(&self, name: &str, execution: &TestExecution, folder: &Path) {
        let ingested = ingest::execution(folder, execution, self.request.root, self.began);
        let fresh = self.gathered().fresh.remove(name).unwrap_or_default();
        let left_out: Vec<FreshUnit> =
            fresh.into_iter().filter(|fresh| execution.left_out.contains(&fresh.unit)).collect();
        let mut problems = Vec::new();
        if self.request.replay {
            problems = replay::write(execution, &left_out);
        }
        if let Some(exec_file) = execution.exec_file.as_deref().filter(|_| !left_out.is_empty()) {
            problems.extend(self.complete(execution, exec_file).err().map(MavenProblem::NotCovered));
        }
        let mut gathered = self.gathered();
        gathered.left_out += left_out.len();
        gathered.problems.append(&mut problems);
        gathered.ingested.add(ingested);
    }

    /// Adds what units cover that were left out to the file that JaCoCo's goals read.
    fn complete(&self, execution: &TestExecution, exec_file: &Path) -> Result<(), ExecFileError> {
        let mut bytes = Vec::new();
        self.request.selection.covered(execution).write(&mut bytes);
        let folder = execution.working_directory.as_deref().unwrap_or(&execution.base);
        file::append(&folder.join(exec_file), &bytes)
    }

    /// Reads what is left and keeps everything.
    fn result(self, status: ExitStatus) -> MavenResult {
        let request = self.request;
        let mut executions = Vec::new();
        for folder in run_folder::executions(self.folder) {
            let Ok(execution) = run_folder::describe(&folder) else { continue };
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            // Maven does not tell the end of an execution in which tests have failed.
            self.after(&name, &execution, &folder);
            executions.push(execution);
        }
        let mut gathered = self.gathered.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut problems: Vec<MavenProblem> = executions.iter().filter_map(not_recorded).collect();
        let is_missing =
            status.success() && !is_question(request.arguments) && !run_folder::is_loaded(self.folder);
        problems.extend(is_missing.then_some(MavenProblem::NotLoaded));
        problems.extend(run_folder::problems(self.folder).into_iter().map(MavenProblem::Told));
        problems.append(&mut gathered.problems);
        let Ingested { jvms, mut traces, outside, shapes, classes, problems: of_recordings } =
            gathered.ingested;
        problems.extend(of_recordings.into_iter().map(MavenProblem::Recording));
        let units = traces.len();
        traces.extend(outside);
        let stored = (jvms > 0).then(|| {
            let command = format!("mvn {}", words(request.arguments));
            let shapes: Vec<_> = shapes.into_values().collect();
            let run = Run { began: self.began, command, exit: status.code() };
            let classes = classes.iter().map(|(content, bytes)| (*content, bytes.as_slice()));
            request.store.add_classes(classes).and_then(|()| request.store.add_run(&traces, &shapes, &run))
        });
        traces.truncate(units);
        let added = stored.as_ref().and_then(|stored| stored.as_ref().ok());
        let pruned = prune_after(request.store, added);
        MavenResult {
            status,
            executions,
            jvms,
            traces,
            left_out: gathered.left_out,
            problems,
            stored,
            pruned,
        }
    }
}

fn not_recorded(execution: &TestExecution) -> Option<MavenProblem> {
    match &execution.not_recorded {
        Some(NotRecorded::Because(why)) => {
            Some(MavenProblem::NotRecorded { execution: execution.name(), why: why.clone() })
        }
        Some(NotRecorded::Skipped) | None => None,
    }
}

/// Whether a name is that of a class and fits into a line.
fn can_be_left_out(unit: &str) -> bool {
    !unit.is_empty() && unit.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '$' | '-'))
}
