//! Runs a suite in some layout: with traces, with JaCoCo's agent, or with none.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use probity_engine::recording::{Recorded as Rows, read_recordings};
use probity_execdata::store::Store;
use probity_store::{Run, Store as TraceStore};
use probity_test_support::java::{Program, ProgramOutput};
use probity_test_support::suites::{FetchedSuite, Suite};
use probity_test_support::tools;
use probity_toolchain::Jdk;
use probity_trace::Trace;

use crate::layout::{FORKS, Layout};

const TIME_LIMIT: Duration = Duration::from_secs(600);

/// What makes two runs of one JVM differ is fixed.
const FIXED: [&str; 3] = ["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2", "-XX:+UseSerialGC"];

/// How each JVM ended: its exit code, and what the runner said of the tests.
pub(crate) type Ended = Vec<(Option<i32>, Vec<String>)>;

/// A suite in a layout.
pub(crate) struct Runs<'j> {
    jdk: &'j Jdk,
    suite: FetchedSuite,
    parts: Vec<Vec<String>>,
    /// How many JVMs run at the same time.
    at_once: usize,
}

/// How much of a suite is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Size {
    /// Some test classes.
    Sample,
    /// All of them.
    Whole,
}

/// Of so many test classes of a suite one is in the sample.
const SAMPLE: usize = 5;

/// What was recorded with traces.
pub(crate) struct Recorded {
    pub(crate) ended: Ended,
    /// What the agent said on standard error.
    pub(crate) said: Vec<String>,
    pub(crate) traces: Vec<Trace>,
    pub(crate) recorded: Rows,
    /// The execution data that the same JVMs wrote.
    pub(crate) exec: Store,
}

impl Recorded {
    /// How many pairs of a unit and a class there are.
    pub(crate) fn pairs(&self) -> usize {
        self.traces.iter().map(|trace| trace.classes.len()).sum()
    }
}

impl<'j> Runs<'j> {
    pub(crate) fn new(jdk: &'j Jdk, suite: &Suite, layout: Layout, size: Size) -> Self {
        let mut fetched = suite.fetch(jdk).unwrap_or_else(|error| panic!("{error}"));
        if size == Size::Sample {
            fetched.test_classes = fetched.test_classes.into_iter().step_by(SAMPLE).collect();
        }
        assert!(!fetched.test_classes.is_empty(), "{} has no tests", suite.library);
        let mut parts = layout.parts(&fetched.test_classes);
        if size == Size::Sample {
            parts.truncate(FORKS);
        }
        let at_once = if layout == Layout::OneJvm { 1 } else { FORKS };
        Runs { jdk, suite: fetched, parts, at_once }
    }

    /// Runs the suite without any agent.
    pub(crate) fn plain(&self) -> Ended {
        let folder = tempfile::tempdir().expect("a temporary folder");
        self.ended(&self.run(None, folder.path()))
    }

    /// What JaCoCo's agent records, of all classes or of one, which is then the only one that it changes.
    pub(crate) fn jacoco(&self, only: Option<&str>) -> Store {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let exec = folder.path().join("jacoco.exec");
        let jar = tools::jacoco_agent().unwrap_or_else(|error| panic!("{error}"));
        let includes = only.map(|class| format!(",includes={class}")).unwrap_or_default();
        let agent = format!("-javaagent:{}=destfile={}{includes}", jar.display(), exec.display());
        self.run(Some(&agent.into()), folder.path());
        read(&exec)
    }

    /// Runs the suite with traces.
    pub(crate) fn traced(&self) -> Recorded {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (exec, traces) = (folder.path().join("ours.exec"), folder.path().join("traces"));
        let options = format!("destfile={},traces={}", exec.display(), traces.display());
        let outputs = self.run(Some(&our_agent(&options)), folder.path());
        let said = outputs.iter().flat_map(|output| output.stderr.lines());
        let said = said.filter(|line| line.starts_with("probity: ")).map(str::to_owned).collect();
        let mut found = Vec::new();
        let recorded = read_recordings(&traces, folder.path(), |trace| found.push(trace));
        let recorded = recorded.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(recorded.jvms, self.parts.len(), "each JVM has a recording");
        Recorded { ended: self.ended(&outputs), said, traces: found, recorded, exec: read(&exec) }
    }

    /// Runs all JVMs, some at the same time; gives what they printed, in the order of the parts.
    fn run(&self, agent: Option<&OsString>, folder: &Path) -> Vec<ProgramOutput> {
        let mut outputs = Vec::new();
        for parts in self.parts.chunks(self.at_once) {
            thread::scope(|scope| {
                let started: Vec<_> =
                    parts.iter().map(|part| scope.spawn(|| self.run_part(part, agent, folder))).collect();
                outputs.extend(started.into_iter().map(|jvm| jvm.join().expect("it ends")));
            });
        }
        outputs
    }

    fn run_part(&self, classes: &[String], agent: Option<&OsString>, folder: &Path) -> ProgramOutput {
        let mut program = self.suite.program(self.jdk, classes).time_limit(TIME_LIMIT).working_folder(folder);
        for argument in FIXED {
            program = program.jvm_argument(argument);
        }
        let program = agent.into_iter().fold(program, Program::jvm_argument);
        program.run().unwrap_or_else(|error| panic!("{error}"))
    }

    fn ended(&self, outputs: &[ProgramOutput]) -> Ended {
        let one = |output: &ProgramOutput| (output.exit_code, self.suite.summary(&output.stdout));
        outputs.iter().map(one).collect()
    }

    /// How many tests were run, and how many of them passed.
    pub(crate) fn counts(&self, ended: &Ended) -> (u64, u64) {
        let counts = ended.iter().map(|(_, summary)| self.suite.counts(summary));
        let sum = counts.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        assert!(sum.0 > 0, "no test was run: {ended:?}");
        sum
    }
}

/// How many bytes a store takes that has nothing but these traces and their shapes.
pub(crate) fn size_of_store(ours: &Recorded) -> u64 {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = TraceStore::at(folder.path().join("store"));
    let shapes: Vec<_> = ours.recorded.shapes.values().cloned().collect();
    let run = Run { began: 0, command: String::new(), exit: Some(0) };
    store.add_run(&ours.traces, &shapes, &run).unwrap_or_else(|error| panic!("{error}"));
    size_of(store.folder())
}

fn size_of(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let size = |path: PathBuf| {
        if path.is_dir() { size_of(&path) } else { std::fs::metadata(&path).expect("a file").len() }
    };
    entries.map(size).sum()
}

fn read(file: &Path) -> Store {
    let mut store = Store::default();
    let content = std::fs::read(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    store.load(&content).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    store
}

/// The argument that loads the agent, whose library is beside this executable.
pub(crate) fn our_agent(options: &str) -> OsString {
    let executable = std::env::current_exe().expect("the test knows itself");
    let name = format!("{}probity_agent{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = executable.with_file_name(name);
    assert!(library.is_file(), "{} is not there", library.display());
    format!("-agentpath:{}={options}", library.display()).into()
}
