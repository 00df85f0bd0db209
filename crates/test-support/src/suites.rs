//! Real test suites: libraries whose own tests are in Maven's repository, and how they are run.
//!
//! All are pinned here and nowhere else. A suite can be run in one JVM or in several, so its test classes are known by name. A
//! test that fails because something is missing here fails in every run; tests that depend on time or wait for long are left
//! out.

use std::path::PathBuf;
use std::process::Command;

use probity_toolchain::Jdk;

use crate::java::Program;
use crate::maven::{FetchError, fetch};
use crate::programs::{JUNIT, KOTLIN, KOTLIN_TEST, MOCKITO, TESTNG_7};

/// A library with its tests.
#[derive(Debug, Clone, Copy)]
pub struct Suite {
    /// `group:artifact:version` of the library.
    pub library: &'static str,
    /// The framework and the language of its tests, in words.
    pub kind: &'static str,
    runner: Runner,
    needs: &'static [&'static [&'static str]],
    /// Parts of names, of which a test class must have one; any if there are none.
    only: &'static [&'static str],
    /// Test classes that are left out.
    without: &'static [&'static str],
    /// Whether it is small enough for every test run.
    pub in_sample: bool,
}

/// What runs the tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Runner {
    /// JUnit's launcher, also for JUnit 3 and 4.
    Launcher,
    TestNg,
}

/// A suite that can be run.
#[derive(Debug, Clone)]
pub struct FetchedSuite {
    runner: Runner,
    /// The jar of the library.
    pub library: PathBuf,
    /// Everything that is needed to run it, the library first.
    pub class_path: Vec<PathBuf>,
    /// The names of the test classes, in the order of the jar.
    pub test_classes: Vec<String>,
}

const JUNIT_4: &[&str] = &["junit:junit:4.13.2", "org.hamcrest:hamcrest:3.0"];
const COMMONS: &[&str] = &["commons-io:commons-io:2.18.0", "org.apache.commons:commons-lang3:3.17.0"];
const ASSERTJ: &[&str] = &["org.assertj:assertj-core:3.26.3"];
const EASYMOCK: &[&str] = &["org.easymock:easymock:5.4.0", "org.objenesis:objenesis:3.3"];
const CSV: &[&str] = &["commons-codec:commons-codec:1.18.0", "com.h2database:h2:2.3.232"];
const TEXT: &[&str] = &[
    "org.apache.commons:commons-rng-simple:1.6",
    "org.apache.commons:commons-rng-core:1.6",
    "org.apache.commons:commons-rng-client-api:1.6",
];
const BROOKLYN: &[&str] = &[
    "com.google.guava:guava:18.0",
    "ch.qos.logback:logback-classic:1.0.7",
    "ch.qos.logback:logback-core:1.0.7",
    "org.slf4j:slf4j-api:1.7.25",
    "commons-io:commons-io:2.4",
    "org.yaml:snakeyaml:1.25",
    "org.codehaus.groovy:groovy-all:2.4.15",
    "com.google.code.findbugs:jsr305:2.0.1",
];
const JDBI: &[&str] = &[
    "org.jdbi:jdbi3-core:3.45.0",
    "org.jdbi:jdbi3-core:3.45.0:tests",
    "org.jdbi:jdbi3-testing:3.45.0",
    "org.jdbi:jdbi3-sqlobject:3.45.0",
    "org.slf4j:slf4j-api:1.7.36",
    "io.leangen.geantyref:geantyref:1.3.15",
    "org.jetbrains.kotlin:kotlin-reflect:2.1.20",
    "com.google.guava:guava:33.2.1-jre",
    "com.google.guava:failureaccess:1.0.2",
    "org.mockito:mockito-junit-jupiter:5.16.1",
    "org.mockito.kotlin:mockito-kotlin:5.3.1",
    "de.softwareforge.testing:pg-embedded:5.1.0",
    "com.h2database:h2:2.3.232",
];

const fn suite(
    library: &'static str,
    kind: &'static str,
    needs: &'static [&'static [&'static str]],
) -> Suite {
    Suite { library, kind, runner: Runner::Launcher, needs, only: &[], without: &[], in_sample: false }
}

/// All suites.
pub const SUITES: &[Suite] = &[
    Suite {
        in_sample: true,
        ..suite("commons-cli:commons-cli:1.9.0", "JUnit 5", &[COMMONS, JUNIT, JUNIT_4])
    },
    Suite {
        only: &[".bag.", ".bidimap.", ".queue.", ".iterators."],
        ..suite(
            "org.apache.commons:commons-collections4:4.4",
            "JUnit 4",
            &[COMMONS, EASYMOCK, JUNIT, JUNIT_4],
        )
    },
    Suite {
        runner: Runner::TestNg,
        only: &["util.collections.", "util.guava.", "util.math.", "util.javalang.", "util.text."],
        // They fill the memory and wait.
        without: &["MemoryUsageTrackerTest", "IdentifiersTest"],
        ..suite(
            "org.apache.brooklyn:brooklyn-utils-common:1.0.0",
            "TestNG",
            &[BROOKLYN, TESTNG_7, JUNIT_4, ASSERTJ],
        )
    },
    suite(
        "org.jdbi:jdbi3-kotlin:3.45.0",
        "Kotlin, JUnit 5",
        &[JDBI, KOTLIN, KOTLIN_TEST, MOCKITO, ASSERTJ, JUNIT],
    ),
    suite("org.apache.commons:commons-csv:1.14.0", "JUnit 5", &[COMMONS, CSV, MOCKITO, JUNIT, JUNIT_4]),
    Suite {
        only: &[".binary.", ".language."],
        ..suite("commons-codec:commons-codec:1.18.0", "JUnit 5", &[COMMONS, JUNIT, JUNIT_4])
    },
    Suite {
        only: &[".similarity.", ".translate.", ".diff."],
        ..suite(
            "org.apache.commons:commons-text:1.13.0",
            "JUnit 5",
            &[COMMONS, ASSERTJ, MOCKITO, TEXT, JUNIT, JUNIT_4],
        )
    },
];

impl Suite {
    /// The suite on disk, fetched if it is not in the cache yet. The JDK lists what is in the jar.
    ///
    /// # Errors
    ///
    /// Fails when something is missing and cannot be fetched.
    ///
    /// # Panics
    ///
    /// Panics if the JDK cannot list a jar.
    pub fn fetch(&self, jdk: &Jdk) -> Result<FetchedSuite, FetchError> {
        let artifacts = self.artifacts();
        let class_path = fetch(&artifacts.iter().map(String::as_str).collect::<Vec<_>>())?;
        let mut list = Command::new(jdk.home().join("bin").join("jar"));
        let output = list.arg("tf").arg(&class_path[1]).output();
        let output = output.unwrap_or_else(|error| panic!("{list:?}: {error}"));
        let names = String::from_utf8_lossy(&output.stdout);
        let test_classes = names.lines().filter_map(class_name).filter(|name| self.is_wanted(name)).collect();
        Ok(FetchedSuite { runner: self.runner, library: class_path[0].clone(), class_path, test_classes })
    }

    /// The library, its tests, and the rest.
    fn artifacts(&self) -> Vec<String> {
        let mut artifacts = vec![self.library.to_owned(), format!("{}:tests", self.library)];
        let needs = self.needs.iter().copied().flatten().copied();
        artifacts.extend(needs.map(str::to_owned));
        artifacts
    }

    fn is_wanted(&self, class: &str) -> bool {
        let is_test = class.ends_with("Test") && !class.contains('$') && !class.contains(".Abstract");
        let is_without = self.without.iter().any(|part| class.ends_with(part));
        let is_only = self.only.is_empty() || self.only.iter().any(|part| class.contains(part));
        is_test && is_only && !is_without && !class.ends_with("PerformanceTest")
    }
}

/// The name of the class in an entry of a jar.
fn class_name(entry: &str) -> Option<String> {
    entry.strip_suffix(".class").map(|name| name.replace('/', "."))
}

impl FetchedSuite {
    /// A program that runs some of the test classes.
    #[must_use]
    pub fn program<'j>(&self, jdk: &'j Jdk, test_classes: &[String]) -> Program<'j> {
        let (main_class, words) = self.command(test_classes);
        let program = Program::with(jdk, main_class).class_path(&self.class_path);
        words.into_iter().fold(program, Program::argument)
    }

    /// The main class that runs some of the test classes, and its arguments.
    #[must_use]
    pub fn command(&self, test_classes: &[String]) -> (&'static str, Vec<String>) {
        match self.runner {
            Runner::Launcher => {
                // An array of a gigabyte is about memory.
                let words = [
                    "execute",
                    "--details=summary",
                    "--disable-banner",
                    "--exclude-methodname=.*testCodec265",
                ];
                let select = test_classes.iter().map(|name| format!("--select-class={name}"));
                (
                    "org.junit.platform.console.ConsoleLauncher",
                    words.map(str::to_owned).into_iter().chain(select).collect(),
                )
            }
            Runner::TestNg => {
                let words =
                    ["-verbose", "1", "-usedefaultlisteners", "false", "-testclass", &test_classes.join(",")];
                ("org.testng.TestNG", words.map(str::to_owned).into())
            }
        }
    }

    /// The lines in which the runner sums up how many tests were found and how they ended.
    #[must_use]
    pub fn summary(&self, printed: &str) -> Vec<String> {
        let is_summary = |line: &&str| match self.runner {
            Runner::Launcher => line.starts_with("[ ") && line.ends_with(" ]"),
            Runner::TestNg => {
                line.starts_with("Total tests run") || line.starts_with("Configuration Failures")
            }
        };
        printed.lines().filter(is_summary).map(str::to_owned).collect()
    }

    /// How many tests were run and how many passed, from such lines.
    #[must_use]
    pub fn counts(&self, summary: &[String]) -> (u64, u64) {
        let (run, passed) = match self.runner {
            Runner::Launcher => ("tests started", "tests successful"),
            Runner::TestNg => ("Total tests run:", "Passes:"),
        };
        (number_beside(summary, run), number_beside(summary, passed))
    }
}

/// The sum of the numbers that stand before or behind some words.
fn number_beside(lines: &[String], words: &str) -> u64 {
    let digits = |text: &str| -> String { text.chars().filter(char::is_ascii_digit).collect() };
    let number = |line: &String| {
        let (before, behind) = line.split_once(words)?;
        let behind = behind.split([',', ']']).next().unwrap_or_default();
        digits(behind).parse::<u64>().ok().or_else(|| digits(before).parse().ok())
    };
    lines.iter().filter_map(number).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found_in_both_summaries() {
        let junit = ["[        46 tests started         ]".to_owned()];
        assert_eq!(number_beside(&junit, "tests started"), 46);
        let testng = ["Total tests run: 632, Passes: 601, Failures: 10, Skips: 21".to_owned()];
        assert_eq!(number_beside(&testng, "Total tests run:"), 632);
        assert_eq!(number_beside(&testng, "Passes:"), 601);
    }

    #[test]
    fn only_tests_are_test_classes() {
        let suite = &SUITES[0];
        let wanted = |name| suite.is_wanted(name);
        assert!(wanted("a.BTest") && !wanted("a.B") && !wanted("a.BTest$1") && !wanted("a.AbstractTest"));
    }
}
