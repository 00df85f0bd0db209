//! `cargo xtask compare targets --from FOLDER`: JaCoCo's validation targets, run with our agent and checked with our report.
//!
//! The targets are small programs whose comments say how each line must be covered. The folder is a checkout of JaCoCo that
//! the user has; nothing of it is part of this project. Its tests are compiled with a base class of ours, so that what they
//! say about a comment, a compiler or a way to run a target counts as it stands, while the coverage comes from our agent and
//! our report. JaCoCo's command reports the same data too: where a target fails and both reports are the same, the compiler
//! is the cause.

mod compilers;
mod document;
mod results;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use probity_test_support::java::{Program, test_jdks};
use probity_test_support::tools;
use probity_toolchain::Jdk;

use self::compilers::{Compiled, Compiler, Language};
use self::results::Results;
use crate::failure::Failure;
use crate::processes;
use crate::root::repository_root;
use crate::setup::{self, Tool};
use crate::surroundings::Surroundings;

/// A module of the checkout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Module {
    name: &'static str,
    language: Language,
    /// The Java version of its sources, where that is not the oldest that we test.
    java: u32,
}

const fn java(name: &'static str, java: u32) -> Module {
    Module { name, language: Language::Java, java }
}

const MODULES: &[Module] = &[
    java("java5", 5),
    java("java7", 7),
    java("java8", 8),
    java("java14", 14),
    java("java16", 16),
    java("java21", 21),
    java("java22", 22),
    java("java25", 25),
    Module { name: "kotlin", language: Language::Kotlin, java: 8 },
    Module { name: "groovy", language: Language::Groovy, java: 8 },
    Module { name: "scala", language: Language::Scala, java: 8 },
];

const DOCUMENT: &str = "docs/results/jacoco-validation-targets.md";

pub(crate) fn run(checkout: &Path) -> Result<(), Failure> {
    setup::ensure(&[Tool::Jdk, Tool::Maven])?;
    let packages = ["--package", "probity-cli", "--package", "probity-agent"];
    processes::run(processes::cargo(["build", "--release", "--locked"].into_iter().chain(packages)))?;
    let version = version_of(checkout)?;
    let jdks = test_jdks();
    let mut rows = Vec::new();
    for compiler in Compiler::all(&jdks) {
        for module in MODULES.iter().filter(|module| compiler.compiles(module)) {
            if folder_of(checkout, module).is_dir() {
                println!("== {} with {compiler}", module.name);
                let results = Session::new(checkout, module, &compiler)?.results()?;
                println!("{results}");
                rows.push((module.name, compiler.to_string(), results));
            }
        }
    }
    let document = document::document(&version, &Surroundings::here()?, &rows);
    let path = repository_root().join(DOCUMENT);
    fs::write(&path, document).map_err(|source| Failure::Unwritable { path, source })?;
    println!("wrote {DOCUMENT}");
    Ok(())
}

/// The sources of a module.
fn folder_of(checkout: &Path, module: &Module) -> PathBuf {
    checkout.join(format!("org.jacoco.core.test.validation.{}", module.name)).join("src")
}

/// The version that a checkout gives itself.
fn version_of(checkout: &Path) -> Result<String, Failure> {
    let path = checkout.join("org.jacoco.build").join("pom.xml");
    let text = fs::read_to_string(&path).map_err(|source| Failure::Unreadable { path, source })?;
    let version = text.split_once("<version>").and_then(|(_, rest)| rest.split_once("</version>"));
    version.map(|(version, _)| version.to_owned()).ok_or_else(|| {
        Failure::Unexpected("the checkout's org.jacoco.build/pom.xml has no version".to_owned())
    })
}

/// A module that has been compiled by one compiler.
struct Session<'a> {
    sources: PathBuf,
    jdk: &'a Jdk,
    compiled: Compiled,
    /// What the agent and the reports leave.
    reports: tempfile::TempDir,
    package: String,
    /// The agent's library.
    library: String,
}

impl<'a> Session<'a> {
    fn new(checkout: &Path, module: &Module, compiler: &Compiler<'a>) -> Result<Self, Failure> {
        let sources = folder_of(checkout, module);
        let compiled = compilers::compile(checkout, &sources, module, compiler)?;
        let reports = temporary_folder()?;
        let package = format!("org.jacoco.core.test.validation.{}", module.name);
        let library = processes::output_of(processes::probity(&["agent-path"]))?;
        let library = String::from_utf8_lossy(&library).trim().to_owned();
        Ok(Session { sources, jdk: compiler.jdk(), compiled, reports, package, library })
    }

    fn results(&self) -> Result<Results, Failure> {
        let mut same = 0;
        let mut results = Results::default();
        for test in &self.compiled.tests {
            match self.report(test) {
                Ok(is_same) => same += usize::from(is_same),
                Err(failure) => results.problem(test, &failure.to_string()),
            }
        }
        results.targets = self.compiled.tests.len();
        results.same_report = same;
        let mut check = self.program("CheckTargets").argument(&self.sources).argument(self.reports.path());
        for test in &self.compiled.tests {
            check = check.argument(test);
        }
        results.read(&check.run_successfully()?.stdout);
        Ok(results)
    }

    fn program(&self, class: &str) -> Program<'_> {
        let class = format!("org.jacoco.core.test.validation.{class}");
        Program::with(self.jdk, &class).class_path(self.compiled.class_path.clone())
    }

    fn file(&self, test: &str, extension: &str) -> PathBuf {
        self.reports.path().join(format!("{test}.{extension}"))
    }

    /// Runs the target of a test and has both commands report it; tells whether the reports are the same.
    fn report(&self, test: &str) -> Result<bool, Failure> {
        let exec = self.file(test, "exec");
        let options = format!("destfile={},includes={}.targets.*", exec.display(), self.package);
        let run = self.program("RunTarget").jvm_argument(format!("-agentpath:{}={options}", self.library));
        let left = self.reports.path().join(test);
        run.jvm_argument("-ea").argument(test).argument(left).run_successfully()?;
        let classes = self.class_files(test, &exec)?;
        let (ours, theirs) = (self.file(test, "xml"), self.file(test, "jacoco.xml"));
        let mut command = processes::probity(&["report", "--name", test, "--exec"]);
        command.arg(&exec).arg("--classes").args(&classes);
        command.arg("--format").arg(format!("xml={}", ours.display()));
        processes::output_of(command)?;
        let mut command = Command::new(self.jdk.java());
        command
            .arg("-jar")
            .arg(tools::jacoco_command()?)
            .arg("report")
            .arg(&exec)
            .args(["--name", test, "--xml"]);
        command.arg(&theirs);
        for class in &classes {
            command.arg("--classfiles").arg(class);
        }
        processes::output_of(command)?;
        Ok(read(&ours)? == read(&theirs)?)
    }

    /// The classes of which there is execution data, and those that the test names.
    fn class_files(&self, test: &str, exec: &Path) -> Result<Vec<PathBuf>, Failure> {
        let exec = exec.display().to_string();
        let answer = processes::answer_of(processes::probity(&["execinfo", "--json", &exec]))?;
        let info: serde_json::Value = serde_json::from_slice(&answer.stdout)
            .map_err(|source| Failure::Answer { command: answer.command, source })?;
        let classes = info.get("classes").and_then(serde_json::Value::as_array).into_iter().flatten();
        let recorded = classes.filter_map(|class| class.get("name")?.as_str().map(str::to_owned));
        let more = String::from_utf8_lossy(&read(&self.file(test, "classes"))?).into_owned();
        let named = more.lines().map(|name| name.replace('.', "/"));
        let mut files: Vec<PathBuf> =
            recorded.chain(named).filter_map(|name| self.compiled.file(&name)).collect();
        files.sort();
        files.dedup();
        Ok(files)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|source| Failure::Unreadable { path: path.to_owned(), source })
}

fn temporary_folder() -> Result<tempfile::TempDir, Failure> {
    tempfile::tempdir().map_err(|source| Failure::Unwritable { path: std::env::temp_dir(), source })
}
