//! Our formats, read by those for whom they are written: LCOV's own programs, validators with the formats' grammars, the
//! parsers of Jenkins' coverage plugin and Sonar's scanner.
//!
//! The report is that of a real library with its sources. A reader must take it without a complaint, and the totals that it
//! prints must be our counters. A reader that is missing fails the test: what is not read is not known to be readable.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../support/made_up.rs"]
mod made_up;

use probity_classpath::Source;
use probity_coverage::{Counter, Line, SourceFileCoverage};
use probity_report::{PackagePaths, Report, write_cobertura, write_lcov, write_sonar, xml_text};
use probity_test_support::java::{Compilation, Program, test_jdks};
use probity_test_support::maven::fetch;
use probity_test_support::tools::{JACOCO_REPORT, JENKINS_COVERAGE, SONAR_SCANNER};
use probity_toolchain::Environment;
use tempfile::TempDir;

const LIBRARY: &str = "commons-cli:commons-cli:1.9.0";
const SOURCES: &str = "commons-cli:commons-cli:1.9.0:sources";

/// A report of the library, in a folder that has its sources.
struct Input {
    folder: TempDir,
    report: Report,
}

impl Input {
    fn new() -> Self {
        let jars = fetch(&[LIBRARY, SOURCES]).unwrap_or_else(|error| panic!("{error}"));
        let folder = tempfile::tempdir().expect("a temporary folder");
        unpack(&jars[1], folder.path());
        let source = Source::open(jars[0].display().to_string()).expect("the jar opens");
        let report = made_up::our_report(&made_up::classes_of(&source, 1));
        Input { folder, report }
    }

    fn files(&self) -> impl Iterator<Item = &SourceFileCoverage> {
        let packages = self.report.root.bundles().into_iter().flat_map(|(_, bundle)| &bundle.packages);
        let files = packages.flat_map(|package| &package.source_files);
        files.filter(|file| file.counters.contains_code())
    }

    fn lines(&self) -> impl Iterator<Item = &Line> {
        self.files().flat_map(|file| file.lines.iter().map(|(_, line)| line))
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).expect("the report is written");
        path
    }

    /// Those that every format has, under the names of the readers.
    fn expected(&self) -> BTreeMap<String, Counter> {
        let counters = self.report.root.counters();
        let files = Counter { covered: self.files().count() as u32, missed: 0 };
        let named = [("LINE", counters.lines), ("BRANCH", counters.branches), ("FILES", files)];
        named.map(|(name, counter)| (name.to_owned(), counter)).into()
    }

    /// What a Java program prints about a report: lines of name, covered, missed.
    fn totals_by(
        &self,
        class: &str,
        text: &str,
        jars: &[&str],
        arguments: &[&str],
    ) -> BTreeMap<String, Counter> {
        let jdk = test_jdks().remove(0);
        let jars = fetch(jars).unwrap_or_else(|error| panic!("{error}"));
        let compiled =
            Compilation::with(&jdk).class_path(jars.clone()).source(&format!("{class}.java"), text);
        let compiled = compiled.compile().unwrap_or_else(|error| panic!("{error}"));
        let mut program = Program::with(&jdk, class).class_path(jars).class_path([compiled.folder()]);
        for argument in arguments {
            program = program.argument(argument);
        }
        let output = program.run_successfully().unwrap_or_else(|error| panic!("{error}"));
        output.stdout.lines().map(total).collect()
    }

    fn totals_by_jenkins(&self, parser: &str, file: &Path) -> BTreeMap<String, Counter> {
        let file = file.display().to_string();
        let text = include_str!("JenkinsReader.java");
        self.totals_by("JenkinsReader", text, JENKINS_COVERAGE, &[parser, &file])
    }
}

fn total(line: &str) -> (String, Counter) {
    let [name, covered, missed] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line:?}") };
    let number = |text: &str| text.parse().expect("a number");
    (name.to_owned(), Counter { covered: number(covered), missed: number(missed) })
}

/// Unpacks a jar with the JDK's own tool.
fn unpack(jar: &Path, folder: &Path) {
    let tool = test_jdks().remove(0).home().join("bin").join("jar");
    let mut command = Command::new(tool);
    run(command.arg("xf").arg(jar).current_dir(folder));
}

/// A program of the system, or what to install.
fn program(name: &str, package: &str) -> Command {
    let found = Environment::of_this_process().programs_on_path(name);
    let found = found.first().unwrap_or_else(|| panic!("no {name}; on Debian: apt-get install {package}"));
    Command::new(found)
}

/// What a program says that must succeed: standard output and standard error.
fn run(command: &mut Command) -> (String, String) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let [stdout, stderr] =
        [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(output.status.success(), "{command:?}\n{stdout}\n{stderr}");
    (stdout, stderr)
}

fn validate(file: &Path, grammar: &Path) {
    let mut command = program("xmllint", "libxml2-utils");
    run(command.args(["--noout", "--nonet", "--dtdvalid"]).args([grammar, file]));
}

/// The counters in what LCOV's programs print, such as `  lines......: 47.5% (19 of 40 lines)`.
fn printed_by_lcov(text: &str, name: &str) -> Counter {
    let line = text.lines().find(|line| line.trim_start().starts_with(&format!("{name}..")));
    let line = line.unwrap_or_else(|| panic!("no {name} in\n{text}"));
    let counts = line.split_once('(').expect("counts follow").1;
    let mut numbers = counts.split(' ').filter_map(|word| word.parse::<u32>().ok());
    let (covered, total) = (numbers.next().expect("covered"), numbers.next().expect("total"));
    Counter { covered, missed: total - covered }
}

fn assert_totals_of_lcov(input: &Input, (stdout, stderr): (String, String)) {
    assert!(!format!("{stdout}{stderr}").to_lowercase().contains("warning"), "{stdout}\n{stderr}");
    let text = stdout + &stderr;
    let counters = input.report.root.counters();
    let printed = ["lines", "functions", "branches"].map(|name| printed_by_lcov(&text, name));
    assert_eq!(printed, [counters.lines, counters.methods, counters.branches]);
}

#[test]
fn lcov_adds_up_what_we_count() {
    let input = Input::new();
    let file = input.write("lcov.info", &write_lcov(&input.report, &PackagePaths));
    let mut command = program("lcov", "lcov");
    command.args(["--rc", "lcov_branch_coverage=1", "--summary"]).arg(file).current_dir(&input.folder);
    assert_totals_of_lcov(&input, run(&mut command));
}

#[test]
fn genhtml_makes_pages_with_the_sources() {
    let input = Input::new();
    let file = input.write("lcov.info", &write_lcov(&input.report, &PackagePaths));
    let mut command = program("genhtml", "lcov");
    command.args(["--branch-coverage", "--function-coverage", "--output-directory", "site", "--prefix"]);
    assert_totals_of_lcov(&input, run(command.arg(input.folder.path()).arg(file).current_dir(&input.folder)));
    let page = "site/org/apache/commons/cli/CommandLine.java.gcov.html";
    let page = input.folder.path().join(page);
    let page = std::fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    assert!(page.contains("public class CommandLine"), "the source is on its page");
}

#[test]
fn cobertura_follows_its_grammar_and_is_read_by_jenkins() {
    let input = Input::new();
    let text = write_cobertura(&input.report, &PackagePaths, &[".".to_owned()]);
    let file = input.write("cobertura.xml", &text);
    validate(&file, &input.write("coverage-04.dtd", include_str!("coverage-04.dtd")));
    let totals = input.totals_by_jenkins("COBERTURA", &file);
    let mut expected = input.expected();
    // For Jenkins a line that was executed is missed all the same if it has branches and none was taken.
    let none_taken = input.lines().filter(|line| line.instructions.covered > 0);
    let none_taken =
        none_taken.filter(|line| line.branches.missed > 0 && line.branches.covered == 0).count() as u32;
    let lines = input.report.root.counters().lines;
    let lines = Counter { covered: lines.covered - none_taken, missed: lines.missed + none_taken };
    expected.insert("LINE".to_owned(), lines);
    assert_contains(&totals, &expected);
}

#[test]
fn xml_follows_jacocos_grammar_and_is_read_by_jenkins() {
    let input = Input::new();
    let file = input.write("jacoco.xml", &xml_text(&input.report, 1));
    unpack(&fetch(&[JACOCO_REPORT]).unwrap_or_else(|error| panic!("{error}"))[0], input.folder.path());
    validate(&file, &input.folder.path().join("org/jacoco/report/xml/report.dtd"));
    let totals = input.totals_by_jenkins("JACOCO", &file);
    let mut expected = input.expected();
    // Files without code are listed too.
    expected.remove("FILES");
    expected.insert("INSTRUCTION".to_owned(), input.report.root.counters().instructions);
    assert_contains(&totals, &expected);
}

#[test]
fn generic_coverage_is_read_by_sonars_scanner() {
    let input = Input::new();
    let file = input.write("sonar.xml", &write_sonar(&input.report, &PackagePaths));
    let arguments = [input.folder.path(), &file].map(|path| path.display().to_string());
    let arguments = arguments.each_ref().map(String::as_str);
    let text = include_str!("SonarReader.java");
    let totals = input.totals_by("SonarReader", text, SONAR_SCANNER, &arguments);
    assert_eq!(totals, input.expected());
}

fn assert_contains(totals: &BTreeMap<String, Counter>, expected: &BTreeMap<String, Counter>) {
    for (name, counter) in expected {
        assert_eq!(totals.get(name), Some(counter), "{name} of {totals:?}");
    }
}
