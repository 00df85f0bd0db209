//! Every class of many jars is loaded, verified and initialised as without the agent.
//!
//! Classes whose initialiser ends the JVM or never returns are found in runs without the agent and are then only loaded,
//! in both runs.

use crate::harness::{compile, everything, our_argument, said};
use probity_test_support::corpus::{self, FetchedJar, Part};
use probity_test_support::java::{CompiledClasses, Program, test_jdks};
use probity_toolchain::Jdk;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// What came of each class, by name.
type Results = BTreeMap<String, String>;

/// Loads jars, in one JVM at a time.
struct Loading<'j> {
    jdk: &'j Jdk,
    classes: CompiledClasses,
    /// Where classes find others.
    more: Vec<PathBuf>,
    folder: TempDir,
}

impl<'j> Loading<'j> {
    fn new(jdk: &'j Jdk, more: Vec<PathBuf>) -> Self {
        let classes = compile(jdk, "LoadAll", include_str!("java/LoadAll.java"));
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self { jdk, classes, more, folder }
    }

    fn only_loaded(&self) -> PathBuf {
        self.folder.path().join("only-loaded")
    }

    /// Loads the classes of one jar.
    fn run(&self, jar: &Path, agent: Option<&str>) -> (Results, Vec<String>) {
        let file = self.folder.path().join("results");
        std::fs::write(&file, "").expect("a writable folder");
        let mut program = Program::with(self.jdk, "LoadAll")
            .class_path([self.classes.folder()])
            .jvm_argument("-Xverify:all")
            .jvm_argument("-Xmx1g")
            .time_limit(Duration::from_secs(1200));
        if let Some(options) = agent {
            program = program.jvm_argument(our_argument(options));
        }
        program = program.argument(&file).argument(self.only_loaded()).argument(jar);
        program = self.more.iter().fold(program, |program, place| program.argument(place));
        let output = program.run().unwrap_or_else(|error| panic!("{error}"));
        let text = std::fs::read_to_string(&file).expect("results");
        let pairs = text.lines().filter_map(|line| line.split_once('\t'));
        let results = pairs.map(|(class, result)| (class.to_owned(), result.to_owned())).collect();
        (results, said(&output).into_iter().map(str::to_owned).collect())
    }

    /// Runs without the agent until no class hangs or ends the JVM, and notes those that did as only to be loaded.
    fn run_plain(&self, jar: &Path) -> Results {
        std::fs::write(self.only_loaded(), "").expect("a writable folder");
        loop {
            let (results, _) = self.run(jar, None);
            let hanging: Vec<&String> = results
                .iter()
                .filter(|(_, result)| ["hangs", "begun"].contains(&result.as_str()))
                .map(|(class, _)| class)
                .collect();
            if hanging.is_empty() {
                return results;
            }
            let mut noted = std::fs::read_to_string(self.only_loaded()).expect("it was written");
            hanging.into_iter().for_each(|class| noted.extend([class.as_str(), "\n"]));
            std::fs::write(self.only_loaded(), noted).expect("a writable folder");
        }
    }
}

/// What was found in one jar.
fn compare(loading: &Loading<'_>, fetched: &FetchedJar, wrong: &mut Vec<String>) -> Results {
    let plain = loading.run_plain(&fetched.path);
    let traces = loading.folder.path().join("traces");
    let with_traces = format!("output=none,traces={}", traces.display());
    for options in ["output=none,inclnolocationclasses=true", &with_traces] {
        compare_with(loading, fetched, &plain, options, wrong);
    }
    plain
}

/// Loads a jar with the agent and says what is otherwise than without.
fn compare_with(
    loading: &Loading<'_>,
    fetched: &FetchedJar,
    plain: &Results,
    options: &str,
    wrong: &mut Vec<String>,
) {
    let (with_agent, said) = loading.run(&fetched.path, Some(options));
    for (class, expected) in plain {
        let found = with_agent.get(class).map_or("is missing", String::as_str);
        if found != expected {
            wrong.push(format!("{class}: {found} instead of {expected}"));
        }
    }
    wrong.extend(
        with_agent.keys().filter(|class| !plain.contains_key(*class)).map(|class| format!("{class}: new")),
    );
    for line in said {
        println!("{} on JDK {}: {line}", fetched.jar.artifact, loading.jdk.feature_version());
    }
}

#[test]
fn classes_load_and_initialise_as_without_the_agent() {
    let jars = corpus::fetched(if everything() { Part::All } else { Part::Sample });
    let jars = jars.unwrap_or_else(|error| panic!("{error}"));
    let jdks = test_jdks();
    let mut wrong = Vec::new();
    for (index, jdk) in jdks.iter().enumerate() {
        let loading = Loading::new(jdk, jars.iter().map(|jar| jar.path.clone()).collect());
        let (mut classes, mut initialised) = (0, 0);
        // In a sample the JDKs take turns, and the largest jars are left out.
        let taken = |turn: usize| everything() || turn % jdks.len() == index;
        for (_, fetched) in jars.iter().enumerate().filter(|(turn, _)| taken(*turn)) {
            if !everything() && fetched.jar.classes > 3_000 {
                continue;
            }
            let results = compare(&loading, fetched, &mut wrong);
            let fine = results.values().filter(|result| *result == "initialised").count();
            println!(
                "| {} | {} | {} | {fine} | {} |",
                fetched.jar.artifact,
                jdk.feature_version(),
                results.len(),
                wrong.len()
            );
            (classes, initialised) = (classes + results.len(), initialised + fine);
        }
        println!("JDK {}: {classes} classes, {initialised} initialised", jdk.feature_version());
        assert!(initialised > if everything() { 50_000 } else { 500 }, "{initialised} of {classes}");
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
