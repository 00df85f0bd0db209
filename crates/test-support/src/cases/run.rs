//! Runs the tests of a case in one JVM, and says how each ended.
//!
//! Nothing of the product takes part unless the caller adds it, as an argument for the JVM.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Duration;

use super::error::CaseError;
use super::outcome::{TestOutcome, read_results};
use super::workshop::Built;
use crate::java::{Program, ProgramOutput};

/// The class that has the `main` method.
const MAIN_CLASS: &str = "probity.cases.RunTests";

/// Real runs take less than a second.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// What makes short runs short, and the same on every machine.
const SETTINGS: &[&str] = &[
    "-Xshare:auto",
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-XX:-UsePerfData",
    "-Duser.language=en",
    "-Duser.country=US",
];

/// Tests that are about to run.
#[derive(Debug, Clone)]
pub struct TestRun<'a> {
    built: &'a Built<'a>,
    tests: Vec<String>,
    jvm_arguments: Vec<OsString>,
    environment: Vec<(String, OsString)>,
    time_limit: Duration,
}

/// What came of them.
#[derive(Debug, Clone)]
pub struct CaseRun {
    /// How each test class ended, by name.
    pub outcomes: BTreeMap<String, TestOutcome>,
    /// What the JVM printed.
    pub output: ProgramOutput,
}

impl<'a> TestRun<'a> {
    /// All tests of a revision, with its settings.
    pub(super) fn of(built: &'a Built<'a>) -> Self {
        TestRun {
            built,
            tests: built.case.tests.clone(),
            jvm_arguments: Vec::new(),
            environment: Vec::new(),
            time_limit: TIME_LIMIT,
        }
    }

    /// Runs only these test classes, in this order.
    #[must_use]
    pub fn only<S: Into<String>>(mut self, tests: impl IntoIterator<Item = S>) -> Self {
        self.tests = tests.into_iter().map(Into::into).collect();
        self
    }

    /// Adds an argument for the JVM, such as `-agentpath:...`.
    #[must_use]
    pub fn jvm_argument(mut self, argument: impl Into<OsString>) -> Self {
        self.jvm_arguments.push(argument.into());
        self
    }

    /// Sets a variable of the environment.
    #[must_use]
    pub fn environment(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    /// Sets the time after which the JVM is killed.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = limit;
        self
    }

    /// Runs the tests in a new JVM, in the working folder of the case.
    ///
    /// # Errors
    ///
    /// Fails when the JVM cannot be started, takes too long, or ends before every test has a result. Tests that fail
    /// are no error.
    pub fn run(&self) -> Result<CaseRun, CaseError> {
        let results = self.built.layout().results();
        fs::write(&results, "").map_err(|source| CaseError::io("write", &results, source))?;
        let output = self.program(&results).run()?;
        let text = fs::read(&results).map_err(|source| CaseError::io("read", &results, source))?;
        let case = || self.built.case.name.clone();
        let read = read_results(&String::from_utf8_lossy(&text));
        let outcomes: BTreeMap<String, TestOutcome> =
            read.map_err(|line| CaseError::BadResults { case: case(), line })?.into_iter().collect();
        match self.tests.iter().find(|test| !outcomes.contains_key(*test)) {
            Some(test) => Err(CaseError::Incomplete { case: case(), test: test.clone(), output }),
            None => Ok(CaseRun { outcomes, output }),
        }
    }

    fn program(&self, results: &Path) -> Program<'_> {
        let layout = self.built.layout();
        let settings = self.built.case.settings_of(self.built.revision);
        let mut program = Program::with(self.built.workshop.jdk(), MAIN_CLASS)
            .class_path(layout.class_path())
            .class_path(self.built.workshop.test_class_path())
            .working_folder(layout.working_folder())
            .time_limit(self.time_limit)
            .argument(results);
        let own = SETTINGS.iter().copied().chain(settings.jvm_arguments.iter().map(String::as_str));
        for argument in own.map(OsString::from).chain(self.jvm_arguments.iter().cloned()) {
            program = program.jvm_argument(argument);
        }
        for (name, value) in &settings.environment {
            program = program.environment(name, value);
        }
        for (name, value) in &self.environment {
            program = program.environment(name, value);
        }
        for test in &self.tests {
            program = program.argument(test);
        }
        program
    }
}
