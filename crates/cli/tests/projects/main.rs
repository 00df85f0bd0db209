//! Real projects, recorded by this agent and by JaCoCo's, reported by this command and by JaCoCo's: XML and CSV must be the
//! same bytes.
//!
//! By default this is done with a sample. With `PROBITY_PROJECTS=all` it is all projects; `cargo xtask compare projects` runs
//! that and records the result.

#![allow(clippy::print_stdout, reason = "the counts are the result; they are shown with --nocapture")]

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use probity_test_support::java::{Compilation, CompiledClasses, Program, test_jdks};
use probity_test_support::projects::{FetchedProject, PROJECTS, Project, Run};
use probity_test_support::tools;
use probity_toolchain::Jdk;

const TIME_LIMIT: Duration = Duration::from_secs(600);

/// Gives the argument that loads an agent with these options.
type Agent = fn(&str) -> OsString;

/// The agents that record.
const AGENTS: [(&str, Agent); 2] = [("JaCoCo", jacoco_agent), ("Probity", our_agent)];

#[test]
fn reports_of_real_projects_are_those_of_jacoco() {
    let whole = std::env::var("PROBITY_PROJECTS").is_ok_and(|value| value == "all");
    let jdks = test_jdks();
    for (turn, project) in PROJECTS.iter().filter(|project| whole || project.in_sample).enumerate() {
        let jdk = &jdks[turn % jdks.len()];
        let prepared = Prepared::new(jdk, project);
        for (name, agent) in AGENTS {
            let exec = prepared.record(name, agent);
            let theirs = prepared.jacoco_report(&exec);
            let ours = prepared.our_report(&exec);
            let what = format!("{} recorded by {name}", project.library);
            assert_same(&what, "xml", &ours, &theirs);
            assert_same(&what, "csv", &ours, &theirs);
            prepared.print_row(name, &theirs);
        }
    }
}

/// A project that can be run.
struct Prepared<'a> {
    jdk: &'a Jdk,
    project: &'a Project,
    fetched: FetchedProject,
    compiled: Option<CompiledClasses>,
    folder: tempfile::TempDir,
}

impl<'a> Prepared<'a> {
    fn new(jdk: &'a Jdk, project: &'a Project) -> Self {
        let fetched = project.fetch().unwrap_or_else(|error| panic!("{error}"));
        let folder = tempfile::tempdir().expect("a temporary folder");
        let compiled = match project.run {
            Run::Source(class, text, _) => {
                let compilation = Compilation::with(jdk).release(17).class_path(&fetched.class_path);
                let compilation = compilation.source(&format!("{class}.java"), text);
                Some(compilation.compile().unwrap_or_else(|error| panic!("{error}")))
            }
            _ => None,
        };
        let prepared = Prepared { jdk, project, fetched, compiled, folder };
        std::fs::create_dir(prepared.sources()).expect("a folder");
        let mut jar = Command::new(jdk.home().join("bin").join("jar"));
        run(jar.arg("xf").arg(&prepared.fetched.sources).current_dir(prepared.sources()));
        prepared
    }

    fn sources(&self) -> PathBuf {
        self.folder.path().join("sources")
    }

    fn program(&self) -> Program<'_> {
        let sources = self.sources().display().to_string();
        let (class, arguments) = match self.project.run {
            Run::OwnTests => return self.own_tests(),
            Run::Main(class, arguments) | Run::Source(class, _, arguments) => (class, arguments),
        };
        let program = Program::with(self.jdk, class);
        arguments.iter().fold(program, |program, argument| {
            program.argument(if *argument == "SOURCES" { &sources } else { *argument })
        })
    }

    fn own_tests(&self) -> Program<'_> {
        let tests = self.fetched.tests.as_ref().expect("its tests were fetched");
        Program::with(self.jdk, "org.junit.platform.console.ConsoleLauncher")
            .argument("execute")
            .argument("--details=none")
            .argument("--disable-banner")
            .argument("--scan-classpath")
            .argument(tests)
            // An array of a gigabyte is about memory, and what measures time is about time.
            .argument("--exclude-methodname=.*testCodec265")
            .argument("--exclude-classname=.*PerformanceTest")
    }

    /// Runs the project with an agent; gives the file that it writes.
    fn record(&self, name: &str, agent: Agent) -> PathBuf {
        let exec = self.folder.path().join(format!("{name}.exec"));
        let options = format!("destfile={}", exec.display());
        let compiled = self.compiled.iter().map(CompiledClasses::folder);
        let program = self.program().class_path(&self.fetched.class_path).class_path(compiled);
        let output = program.jvm_argument(agent(&options)).time_limit(TIME_LIMIT).run();
        let output = output.unwrap_or_else(|error| panic!("{error}"));
        assert!(exec.is_file(), "{}: nothing was recorded\n{output}", self.project.library);
        exec
    }

    fn jacoco_report(&self, exec: &Path) -> PathBuf {
        let out = exec.with_extension("jacoco");
        std::fs::create_dir(&out).expect("a folder");
        let mut command = Command::new(self.jdk.java());
        command.arg("-jar").arg(tools::jacoco_command().unwrap_or_else(|error| panic!("{error}")));
        command.arg("report").arg(exec).arg("--classfiles").arg(&self.fetched.library);
        command.arg("--sourcefiles").arg(self.sources()).args(["--name", self.project.library]);
        command.arg("--xml").arg(out.join("report.xml")).arg("--csv").arg(out.join("report.csv"));
        run(command.arg("--html").arg(out.join("html")));
        out
    }

    fn our_report(&self, exec: &Path) -> PathBuf {
        let out = exec.with_extension("ours");
        std::fs::create_dir(&out).expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_probity"));
        command.arg("report").arg("--exec").arg(exec).arg("--classes").arg(&self.fetched.library);
        command.arg("--sources").arg(self.sources()).args(["--name", self.project.library]);
        command.args(["--format", "xml=report.xml", "csv=report.csv", "html=html"]).current_dir(&out);
        run(&mut command);
        out
    }

    /// Prints what agrees, as a row of a table.
    fn print_row(&self, agent: &str, report: &Path) {
        let Totals { classes, lines, covered } = Totals::of(&report.join("report.csv"));
        assert!(covered > 0, "{}: nothing is covered", self.project.library);
        let size = |name: &str| std::fs::metadata(report.join(name)).expect("a report").len();
        println!(
            "| {} | {} | {agent} | {classes} | {covered} of {lines} | {} | {} | {} |",
            self.project.library,
            self.jdk.version(),
            size("report.xml"),
            size("report.csv"),
            source_pages(&report.join("html"))
        );
    }
}

/// What a CSV report says in sum.
struct Totals {
    classes: usize,
    lines: u64,
    covered: u64,
}

impl Totals {
    fn of(csv: &Path) -> Totals {
        let text = std::fs::read_to_string(csv).expect("a report");
        let mut totals = Totals { classes: 0, lines: 0, covered: 0 };
        for row in text.lines().skip(1) {
            // Names may have commas, numbers stand at the end.
            let mut numbers = row.rsplit(',').skip(4).map(|number| number.parse::<u64>().expect("a number"));
            let covered = numbers.next().expect("covered lines");
            totals.classes += 1;
            totals.covered += covered;
            totals.lines += covered + numbers.next().expect("missed lines");
        }
        totals
    }
}

/// How many pages with sources there are: JaCoCo writes them for the sources that it finds.
fn source_pages(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).expect("a folder of pages");
    let pages = entries.map(|entry| {
        let path = entry.expect("an entry").path();
        let name = path.display().to_string();
        if path.is_dir() {
            source_pages(&path)
        } else {
            usize::from(name.ends_with(".java.html") || name.ends_with(".kt.html"))
        }
    });
    pages.sum()
}

fn assert_same(what: &str, format: &str, ours: &Path, theirs: &Path) {
    let name = format!("report.{format}");
    let [ours, theirs] =
        [ours, theirs].map(|folder| std::fs::read(folder.join(&name)).expect("the report is there"));
    let at = ours.iter().zip(&theirs).take_while(|(ours, theirs)| ours == theirs).count();
    let around = |bytes: &[u8]| {
        String::from_utf8_lossy(&bytes[at.saturating_sub(300)..(at + 200).min(bytes.len())]).into_owned()
    };
    assert!(
        ours == theirs,
        "{what}: {name} differs at byte {at}\nours:   {}\ntheirs: {}",
        around(&ours),
        around(&theirs)
    );
}

fn jacoco_agent(options: &str) -> OsString {
    let jar = tools::jacoco_agent().unwrap_or_else(|error| panic!("{error}"));
    format!("-javaagent:{}={options}", jar.display()).into()
}

/// The agent's library is beside this executable, since it is among what these tests are built with.
fn our_agent(options: &str) -> OsString {
    let executable = std::env::current_exe().expect("the test knows itself");
    let name = format!("{}probity_agent{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let library = executable.with_file_name(name);
    assert!(library.is_file(), "{} is not there", library.display());
    format!("-agentpath:{}={options}", library.display()).into()
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{text}");
}
