//! Runs a program whose JVMs record what their test units use, and adds that to a store.
//!
//! The program runs as it would without: same input and output, same exit code. Whatever goes wrong with the recording is told
//! afterwards and costs traces, never the run; a unit without a trace simply runs next time.

use crate::outside_rows::outside_traces;
use crate::recording::folder::RecordingFolder;
use crate::recording::{Recorded, RecordingProblem, read_recordings, remove_left_behind};
use probity_execdata::store::Store as ExecData;
use probity_shape::Shape;
use probity_store::{Added, Pruned, Retention, Run, Store, StoreError};
use probity_trace::{Outcome, Test, Trace};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use std::time::{SystemTime, UNIX_EPOCH};

/// What to run, and what becomes of it.
#[derive(Debug)]
pub struct RunRequest<'a> {
    /// The program and its arguments.
    pub command: &'a [OsString],
    /// The agent's library.
    pub agent: &'a Path,
    /// Where traces are kept.
    pub store: &'a Store,
    /// The project to which paths are made relative.
    pub project: &'a Path,
    /// The file that execution data is appended to, if it is wanted.
    pub exec_file: Option<&'a Path>,
}

/// What a run came to.
#[derive(Debug)]
pub struct RunResult {
    /// How the program ended.
    pub status: ExitStatus,
    /// How many JVMs were recorded.
    pub jvms: usize,
    /// The traces, in the order in which they were recorded.
    pub traces: Vec<Trace>,
    /// What was covered outside all units, for each environment.
    pub outside: Vec<Trace>,
    /// The shapes of the classes in them.
    pub shapes: Vec<Shape>,
    /// Everything that was covered, as JaCoCo would have recorded it.
    pub hits: ExecData,
    /// What is to be told about the recordings.
    pub problems: Vec<RecordingProblem>,
    /// What became of the store.
    pub stored: Result<Added, StoreError>,
    /// What a prune came to, if there were so many files that it was time for one and nobody else used the store.
    pub pruned: Result<Option<Pruned>, StoreError>,
}

/// Why nothing was run.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunError {
    /// There is no program to run.
    NoCommand,
    /// The program cannot be started.
    NotStarted {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoCommand => f.write_str("there is no program to run"),
            Self::NotStarted { program, source } => {
                write!(f, "{} cannot be started: {source}", program.display())
            }
        }
    }
}

impl std::error::Error for RunError {}

impl RunError {
    /// What a person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoCommand => "write the program behind --, as in `probity run -- java -jar tests.jar`",
            Self::NotStarted { .. } => "check that the program is there and can be run",
        }
    }
}

/// Runs a program and records it.
///
/// # Errors
///
/// Fails if the program does not start at all.
pub fn run(request: &RunRequest<'_>) -> Result<RunResult, RunError> {
    let began = milliseconds_now();
    remove_left_behind(request.store.folder());
    let folder = RecordingFolder::make(request.store.folder());
    let status = start(request, &folder.path)?;
    let mut traces = Vec::new();
    // Without a folder nothing was recorded, which the number of JVMs says.
    let recorded = read_recordings(&folder.path, request.project, |trace| traces.push(trace));
    let Recorded { jvms, shapes, classes, outside, environments, problems, hits, .. } =
        recorded.unwrap_or_default();
    let whole_jvms = traces.iter_mut().filter(|trace| trace.tests.is_empty() && trace.framework == "none");
    whole_jvms.for_each(|trace| trace.tests.extend(test_of_program(status)));
    let shapes: Vec<_> = shapes.into_values().collect();
    let run = Run { began, command: words(request.command), exit: status.code() };
    let units = traces.len();
    traces.extend(outside_traces(began, environments.into_iter().zip(outside)));
    let classes = classes.iter().map(|(content, bytes)| (*content, bytes.as_slice()));
    let stored =
        request.store.add_classes(classes).and_then(|()| request.store.add_run(&traces, &shapes, &run));
    let outside = traces.split_off(units);
    let pruned = match &stored {
        Ok(added) if added.wants_prune() => request.store.prune_if_free(&Retention::USUAL),
        _ => Ok(None),
    };
    Ok(RunResult { status, jvms, traces, outside, shapes, hits, problems, stored, pruned })
}

/// A program that is no test has one thing to tell: its exit code.
fn test_of_program(status: ExitStatus) -> Option<Test> {
    let outcome = if status.success() { Outcome::Passed } else { Outcome::Failed };
    Some(Test { id: "exit code".to_owned(), outcome, micros: 0 })
}

/// The time in milliseconds since 1970.
pub(crate) fn milliseconds_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// A command in words, for people.
pub(crate) fn words(command: &[OsString]) -> String {
    command.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Starts the program and waits for its end. A JVM is given the agent as its first argument; other programs hand it on to the
/// JVMs that they start, in the environment variable that JVMs look at.
fn start(request: &RunRequest<'_>, recordings: &Path) -> Result<ExitStatus, RunError> {
    let (program, arguments) = request.command.split_first().ok_or(RunError::NoCommand)?;
    let agent = agent_argument(request, recordings);
    let mut command = Command::new(program);
    if is_java(program) {
        command.arg(&agent);
    } else {
        let mut options = std::env::var_os(JVM_OPTIONS).unwrap_or_default();
        if !options.is_empty() {
            options.push(" ");
        }
        options.push(&agent);
        command.env(JVM_OPTIONS, options);
    }
    command
        .args(arguments)
        .status()
        .map_err(|source| RunError::NotStarted { program: PathBuf::from(program), source })
}

const JVM_OPTIONS: &str = "JAVA_TOOL_OPTIONS";

fn is_java(program: &OsStr) -> bool {
    Path::new(program).file_name() == Some(OsStr::new("java"))
}

fn agent_argument(request: &RunRequest<'_>, recordings: &Path) -> OsString {
    let mut argument = OsString::from("-agentpath:");
    argument.push(request.agent);
    argument.push("=traces=");
    argument.push(recordings);
    match request.exec_file {
        Some(file) => {
            argument.push(",destfile=");
            argument.push(std::path::absolute(file).as_deref().unwrap_or(file));
        }
        None => argument.push(",output=none"),
    }
    argument
}
