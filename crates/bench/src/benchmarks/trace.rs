//! Recording traces beside plain coverage, with the same agent: test suites, the boundary of a unit, start-up.
//!
//! Every figure of a suite is that of its whole process, read from outside. The variants take turns, round by round, and a
//! quotient is always of two runs of the same round. A suite must end in the same way under both.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use probity_test_support::java::{Compilation, CompiledClasses, installed_jdks};
use probity_test_support::maven::fetch;
use probity_test_support::programs::JUNIT_4;
use probity_test_support::suites::SUITES;
use probity_toolchain::Jdk;

use super::agent;
use crate::failure::Failure;
use crate::statistics::Spread;
use crate::table::markdown;
use crate::timed::{Timed, timed};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many times each suite is run with each variant.
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// How many times the smallest program is run with each variant.
    #[arg(long, default_value_t = 20)]
    starts: usize,
    /// Only suites whose names contain one of these.
    #[arg(long, value_delimiter = ',', default_value = "commons-codec,commons-csv,brooklyn")]
    suites: Vec<String>,
    /// The agent's library, instead of building it.
    #[arg(long)]
    library: Option<PathBuf>,
}

/// How many classes are loaded when boundaries are measured, and how many boundaries there are.
const LOADED_CLASSES: &str = "5000";
const BOUNDARIES: &str = "1000";

/// A test that fails ends the process with another exit code, which is no reason not to measure it.
const WHATEVER_ITS_END: [&str; 4] = ["sh", "-c", "\"$@\" || true", "sh"];

/// What records, in the order of the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    Coverage,
    Traces,
}

const VARIANTS: [Variant; 2] = [Variant::Coverage, Variant::Traces];

/// A Java program with its class path.
struct JavaProgram {
    class_path: Vec<PathBuf>,
    main_class: String,
    arguments: Vec<String>,
}

/// Runs of both variants, one of each per round.
type Runs = [Vec<Timed>; 2];

struct Bench {
    jdk: Jdk,
    library: PathBuf,
    folder: tempfile::TempDir,
    classes: CompiledClasses,
}

pub(crate) fn run(arguments: &Arguments) -> Result<String, Failure> {
    let bench = Bench::new(arguments.library.clone())?;
    let mut text = format!(
        "JDK {}. {} rounds, variants in turn. Median (smallest..largest).\n",
        bench.jdk.version(),
        arguments.rounds
    );
    text += &bench.boundary(arguments.rounds)?;
    text += &bench.startup(arguments.starts)?;
    text += &bench.suites(&arguments.suites, arguments.rounds)?;
    Ok(text)
}

impl Bench {
    fn new(library: Option<PathBuf>) -> Result<Self, Failure> {
        let library = agent::library(library)?;
        let library = std::path::absolute(&library).unwrap_or(library);
        let jdk = installed_jdks().into_iter().next().ok_or(Failure::NoInput)?;
        let folder =
            tempfile::tempdir().map_err(|error| Failure::Program { name: "tempdir".to_owned(), error })?;
        let compilation = Compilation::with(&jdk).release(17).class_path(fetch(JUNIT_4)?);
        let compilation = compilation.source("Hello.java", include_str!("../../java/Hello.java"));
        let compilation = compilation.source("Boundaries.java", include_str!("../../java/Boundaries.java"));
        let classes = compilation.compile()?;
        Ok(Bench { jdk, library, folder, classes })
    }

    /// The argument of the JVM, with a fresh place for what is recorded.
    fn agent(&self, variant: Variant) -> OsString {
        let data = self.folder.path().join("recorded");
        // What is not there cannot be removed.
        let _: std::io::Result<()> = std::fs::remove_file(&data);
        let _: std::io::Result<()> = std::fs::remove_dir_all(&data);
        let mut argument = OsString::from("-agentpath:");
        argument.push(&self.library);
        argument.push(match variant {
            Variant::Coverage => "=destfile=",
            Variant::Traces => "=output=none,traces=",
        });
        argument.push(data);
        argument
    }

    fn run_once(&self, variant: Variant, program: &JavaProgram) -> Result<Timed, Failure> {
        let class_path = std::env::join_paths(&program.class_path).unwrap_or_default();
        let (java, agent) = (self.jdk.java(), self.agent(variant));
        let mut command_line: Vec<&OsStr> = WHATEVER_ITS_END.iter().map(OsStr::new).collect();
        command_line.extend([java.as_os_str(), &agent, OsStr::new("-classpath"), &class_path]);
        command_line.push(OsStr::new(&program.main_class));
        command_line.extend(program.arguments.iter().map(OsStr::new));
        let done = timed(&program.main_class, &command_line, self.folder.path())?;
        if has_recorded(&self.folder.path().join("recorded")) {
            return Ok(done);
        }
        let why = format!("{variant:?} recorded nothing");
        Err(Failure::Broken { name: program.main_class.clone(), why })
    }

    /// As many rounds as asked for, each beginning with the other variant.
    fn run_in_turn(&self, program: &JavaProgram, rounds: usize) -> Result<Runs, Failure> {
        let mut runs = [Vec::new(), Vec::new()];
        for round in 0..rounds {
            for turn in 0..VARIANTS.len() {
                let position = (round + turn) % VARIANTS.len();
                runs[position].push(self.run_once(VARIANTS[position], program)?);
            }
        }
        Ok(runs)
    }

    fn boundary(&self, rounds: usize) -> Result<String, Failure> {
        let mut class_path = vec![self.classes.folder()];
        class_path.extend(fetch(JUNIT_4)?);
        class_path.extend(agent::loaded_jars()?);
        let arguments = vec![LOADED_CLASSES.to_owned(), BOUNDARIES.to_owned()];
        let program = JavaProgram { class_path, main_class: "Boundaries".to_owned(), arguments };
        let runs = self.run_in_turn(&program, rounds)?;
        let mut rows = Vec::new();
        for (name, column) in [("processor", 1), ("wall", 2)] {
            let [coverage, traces] = runs.each_ref().map(|runs| column_of(runs, column));
            let adds = coverage.iter().zip(&traces).map(|(without, with)| with - without);
            let adds = Spread::of(adds);
            rows.push(vec![
                name.to_owned(),
                shown(Spread::of(coverage.clone())),
                shown(Spread::of(traces)),
                shown(adds),
            ]);
        }
        let headings = ["time of a unit", "coverage, µs", "traces, µs", "traces add, µs"];
        let title = format!(
            "\n### A unit that does nothing, with {LOADED_CLASSES} classes loaded, {BOUNDARIES} times\n\n"
        );
        Ok(title + &markdown(&headings, &rows))
    }

    fn startup(&self, starts: usize) -> Result<String, Failure> {
        let class_path = vec![self.classes.folder()];
        let program = JavaProgram { class_path, main_class: "Hello".to_owned(), arguments: Vec::new() };
        let runs = self.run_in_turn(&program, starts)?;
        let mut rows = Vec::new();
        for (name, of) in TIMES {
            let millis = |runs: &Vec<Timed>| runs.iter().map(|run| of(run) * 1e3).collect::<Vec<f64>>();
            let [coverage, traces] = runs.each_ref().map(millis);
            let adds = Spread::of(coverage.iter().zip(&traces).map(|(without, with)| with - without));
            rows.push(vec![
                name.to_owned(),
                shown(Spread::of(coverage.clone())),
                shown(Spread::of(traces)),
                shown(adds),
            ]);
        }
        let headings = ["time", "coverage, ms", "traces, ms", "traces add, ms"];
        Ok(format!("\n### Start-up: hello world, {starts} times\n\n") + &markdown(&headings, &rows))
    }

    fn suites(&self, parts: &[String], rounds: usize) -> Result<String, Failure> {
        let mut rows = Vec::new();
        let is_wanted = |library: &str| parts.iter().any(|part| library.contains(part.as_str()));
        for suite in SUITES.iter().filter(|suite| is_wanted(suite.library)) {
            let fetched = suite.fetch(&self.jdk)?;
            let (main_class, arguments) = fetched.command(&fetched.test_classes);
            let class_path = fetched.class_path.clone();
            let program = JavaProgram { class_path, main_class: main_class.to_owned(), arguments };
            let runs = self.run_in_turn(&program, rounds)?;
            let summary = same_summary(suite.library, &runs, |printed| fetched.summary(printed))?;
            let (tests, _) = fetched.counts(&summary);
            for (name, of) in TIMES {
                let seconds = |runs: &Vec<Timed>| runs.iter().map(of).collect::<Vec<f64>>();
                let [coverage, traces] = runs.each_ref().map(seconds);
                let millis =
                    Spread::of(coverage.clone()).map_or(0.0, |spread| spread.median * 1e3 / tests as f64);
                let quotient = Spread::of_quotients(&traces, &coverage);
                let quotient = quotient.map_or_else(String::new, |spread| format!("{spread:.3}"));
                rows.push(vec![
                    suite.library.to_owned(),
                    name.to_owned(),
                    fetched.test_classes.len().to_string(),
                    format!("{tests}, {millis:.1} ms each"),
                    shown(Spread::of(coverage)),
                    shown(Spread::of(traces)),
                    quotient,
                ]);
            }
            eprintln!("{}: done", suite.library);
        }
        let headings =
            ["suite", "time", "classes", "tests", "coverage, s", "traces, s", "traces, times coverage"];
        let mut text = String::new();
        let _ = writeln!(text, "\n### Test suites\n");
        Ok(text + &markdown(&headings, &rows))
    }
}

/// A name of a time, and how to get it.
type NamedTime = (&'static str, fn(&Timed) -> f64);

const TIMES: [NamedTime; 2] = [("processor", |run| run.cpu), ("wall", |run| run.wall)];

fn shown(spread: Option<Spread>) -> String {
    spread.map_or_else(String::new, |spread| spread.to_string())
}

/// Whether there is a file that is not empty, or a folder with one.
fn has_recorded(path: &Path) -> bool {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.filter_map(Result::ok).any(|entry| has_recorded(&entry.path())),
        Err(_) => std::fs::metadata(path).is_ok_and(|metadata| metadata.len() > 0),
    }
}

/// A column of what the program printed in each round, in microseconds.
fn column_of(runs: &[Timed], column: usize) -> Vec<f64> {
    let number = |run: &Timed| run.stdout.split_whitespace().nth(column)?.parse::<f64>().ok();
    runs.iter().filter_map(number).map(|nanos| nanos / 1e3).collect()
}

/// What the runner said of the tests, which must be the same in all runs.
fn same_summary(
    name: &str,
    runs: &Runs,
    summary: impl Fn(&str) -> Vec<String>,
) -> Result<Vec<String>, Failure> {
    let mut all = runs.iter().flatten().map(|run| summary(&run.stdout));
    let first = all.next().unwrap_or_default();
    match all.find(|other| *other != first || other.is_empty()) {
        None => Ok(first),
        Some(other) => {
            let why = format!("its tests ended as {first:?} in one run and as {other:?} in another");
            Err(Failure::Broken { name: name.to_owned(), why })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(stdout: &str) -> Timed {
        Timed { wall: 1.0, cpu: 1.0, stdout: stdout.to_owned() }
    }

    #[test]
    fn a_suite_that_ends_in_another_way_is_no_result() {
        let lines = |printed: &str| vec![printed.to_owned()];
        let runs = |last: &str| [vec![printed("1")], vec![printed(last)]];
        assert!(same_summary("s", &runs("1"), lines).is_ok());
        assert!(same_summary("s", &runs("2"), lines).is_err());
    }

    #[test]
    fn columns_are_microseconds() {
        assert_eq!(column_of(&[printed("5000 2000 4000\n")], 2), [4.0]);
    }
}
