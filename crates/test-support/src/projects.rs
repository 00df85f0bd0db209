//! Real libraries with their sources, and real programs that run them: mostly their own tests.
//!
//! Everything is in Maven's repository, so that recordings can be made anywhere. All are pinned here and nowhere else. What
//! a project prints or whether all of its tests pass is of no interest: something that is missing here fails some of them,
//! and the rest is still a real run.

use std::path::PathBuf;

use crate::maven::{FetchError, fetch};
use crate::programs::{KOTLIN_COMPILER, MOCKITO};

/// A library, and how it is run.
#[derive(Debug, Clone, Copy)]
pub struct Project {
    /// `group:artifact:version` of the library.
    pub library: &'static str,
    /// What it needs, and what its tests need.
    needs: &'static [&'static [&'static str]],
    /// What runs it.
    pub run: Run,
    /// Whether it is small enough for every test run.
    pub in_sample: bool,
}

/// What runs a library.
#[derive(Debug, Clone, Copy)]
pub enum Run {
    /// Its own tests, in the jar that has them, by JUnit.
    OwnTests,
    /// A program of its own. An argument `SOURCES` stands for the folder of the library's sources.
    Main(&'static str, &'static [&'static str]),
    /// A program that is compiled first: class, text, arguments.
    Source(&'static str, &'static str, &'static [&'static str]),
}

/// Where a project is on disk.
#[derive(Debug, Clone)]
pub struct FetchedProject {
    /// The jar of the library.
    pub library: PathBuf,
    /// The jar of its sources.
    pub sources: PathBuf,
    /// The jar of its tests, if they run it.
    pub tests: Option<PathBuf>,
    /// Everything that is needed to run it, the library first.
    pub class_path: Vec<PathBuf>,
}

const JUNIT: &[&str] = &[
    "org.junit.platform:junit-platform-console-standalone:1.12.1",
    "junit:junit:4.13.2",
    "org.hamcrest:hamcrest:3.0",
];
const COMMONS: &[&str] = &["commons-io:commons-io:2.18.0"];
const LANG: &[&str] = &["org.apache.commons:commons-lang3:3.17.0"];
const CODEC: &[&str] = &["commons-codec:commons-codec:1.18.0"];
const ASSERTJ: &[&str] = &["org.assertj:assertj-core:3.26.3"];
const EASYMOCK: &[&str] = &["org.easymock:easymock:5.4.0", "org.objenesis:objenesis:3.3"];
const JMH: &[&str] = &[
    "org.openjdk.jmh:jmh-core:1.37",
    "net.sf.jopt-simple:jopt-simple:5.0.4",
    "org.apache.commons:commons-math3:3.6.1",
];
const RANDOM: &[&str] = &[
    "org.apache.commons:commons-rng-simple:1.6",
    "org.apache.commons:commons-rng-core:1.6",
    "org.apache.commons:commons-rng-client-api:1.6",
];
const H2: &[&str] = &["com.h2database:h2:2.3.232"];

const fn tested(library: &'static str, needs: &'static [&'static [&'static str]]) -> Project {
    Project { library, needs, run: Run::OwnTests, in_sample: false }
}

const fn run_by(library: &'static str, run: Run) -> Project {
    Project { library, needs: &[], run, in_sample: false }
}

impl Project {
    const fn in_sample(self) -> Self {
        Project { in_sample: true, ..self }
    }
}

macro_rules! program {
    ($name:literal, $arguments:expr) => {
        Run::Source($name, include_str!(concat!("../../bench/java/", $name, ".java")), $arguments)
    };
}

/// Everything that the projects of the sample need.
#[must_use]
pub fn sample() -> Vec<String> {
    let sample = PROJECTS.iter().filter(|project| project.in_sample);
    sample.flat_map(Project::artifacts).collect()
}

/// All projects.
pub const PROJECTS: &[Project] = &[
    tested("commons-cli:commons-cli:1.9.0", &[COMMONS]).in_sample(),
    run_by("org.mozilla:rhino:1.7.15", program!("Script", &["1"])).in_sample(),
    run_by(
        "org.eclipse.jdt:ecj:3.40.0",
        Run::Main(
            "org.eclipse.jdt.internal.compiler.batch.Main",
            &["-17", "-proc:none", "-nowarn", "-encoding", "UTF-8", "-d", "none", "SOURCES"],
        ),
    ),
    Project {
        library: "org.jetbrains.kotlin:kotlin-stdlib:2.1.20",
        needs: &[KOTLIN_COMPILER],
        run: Run::Main("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", &["-version"]),
        in_sample: false,
    },
    tested("org.apache.commons:commons-collections4:4.4", &[LANG, EASYMOCK]),
    tested("commons-codec:commons-codec:1.18.0", &[COMMONS, LANG]),
    tested("org.apache.commons:commons-text:1.13.0", &[COMMONS, LANG, ASSERTJ, MOCKITO, JMH, RANDOM]),
    tested("org.apache.commons:commons-csv:1.14.0", &[COMMONS, LANG, CODEC, H2, MOCKITO]),
];

impl Project {
    /// The project on disk, fetched if it is not in the cache yet.
    ///
    /// # Errors
    ///
    /// Fails when something is missing and cannot be fetched.
    pub fn fetch(&self) -> Result<FetchedProject, FetchError> {
        let artifacts = self.artifacts();
        let mut jars = fetch(&artifacts.iter().map(String::as_str).collect::<Vec<_>>())?;
        let sources = jars.remove(0);
        let tests = matches!(self.run, Run::OwnTests).then(|| jars[1].clone());
        Ok(FetchedProject { library: jars[0].clone(), sources, tests, class_path: jars })
    }

    /// The sources, then the class path: the library, its tests if they run it, and the rest.
    fn artifacts(&self) -> Vec<String> {
        let with = |classifier: &str| format!("{}:{classifier}", self.library);
        let mut artifacts = vec![with("sources"), self.library.to_owned()];
        if matches!(self.run, Run::OwnTests) {
            artifacts.push(with("tests"));
            artifacts.extend(JUNIT.iter().copied().map(str::to_owned));
        }
        artifacts.extend(self.needs.iter().copied().flatten().copied().map(str::to_owned));
        artifacts
    }
}
