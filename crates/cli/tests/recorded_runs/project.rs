//! A small project with tests and a program, and how it is run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use probity_store::Store;
use probity_test_support::java::{Compilation, CompiledClasses, installed_jdks};
use probity_test_support::programs::{JUNIT, JUNIT_4, class_path};
use probity_trace::{OUTSIDE, Trace};
use tempfile::TempDir;

/// A program that does what its arguments say.
const PLAIN: &str = r#"
package shop;

public class Plain {
    public static void main(String[] arguments) throws Exception {
        int code = Integer.parseInt(arguments[0]);
        System.out.write(System.in.readAllBytes());
        System.out.flush();
        System.err.println("said by the program");
        if (code < 0) {
            Runtime.getRuntime().halt(-code);
        }
        System.exit(twice(code) / 2);
    }

    static int twice(int number) {
        int sum = 0;
        for (int i = 0; i < 2; i++) {
            sum += number;
        }
        return sum;
    }
}
"#;

const RATES: &str = r#"
package shop;

public class Rates {
    private static final java.util.Map<String, Integer> KNOWN = new java.util.HashMap<>();

    public static int of(String name) {
        return KNOWN.computeIfAbsent(name, Rates::compute);
    }

    private static int compute(String name) {
        return name.length();
    }

    public static int plain(int number) {
        return number + 1;
    }
}
"#;

/// A JUnit 4 test with three methods that take some time.
fn test_of_junit_4(name: &str) -> String {
    let method = |number: u32| {
        format!(
            "@org.junit.Test public void t{number}() throws Exception {{
                 Thread.sleep(5); org.junit.Assert.assertEquals({}, Rates.plain({number})); }}",
            number + 1
        )
    };
    format!("package shop; public class {name} {{ {} {} {} }}", method(1), method(2), method(3))
}

/// A JUnit 5 test that uses what others may have used before.
fn test_of_junit_5(name: &str, rate: &str) -> String {
    format!(
        "package shop; class {name} {{
             @org.junit.jupiter.api.Test void t() {{
                 org.junit.jupiter.api.Assertions.assertEquals({}, Rates.of(\"{rate}\")); }} }}",
        rate.len()
    )
}

/// The names of the JUnit 4 tests.
pub(crate) const TESTS: [&str; 4] = ["shop.AlphaTest", "shop.BetaTest", "shop.GammaTest", "shop.DeltaTest"];

/// The project, compiled, with a folder for everything that is recorded.
pub(crate) struct Project {
    pub(crate) java: PathBuf,
    classes: CompiledClasses,
    junit_4: Vec<PathBuf>,
    pub(crate) console: Vec<PathBuf>,
    pub(crate) folder: TempDir,
}

impl Project {
    pub(crate) fn new() -> Self {
        Self::with(&[], &[])
    }

    /// The project with further sources, which need more jars.
    pub(crate) fn with(sources: &[(&str, &str)], further: &[&str]) -> Self {
        let jdks = installed_jdks();
        let jdk = jdks.iter().find(|jdk| jdk.feature_version() == 17).expect("JDK 17");
        let jars = |set: &[&str]| class_path(&[set]).unwrap_or_else(|error| panic!("{error}"));
        let (junit_4, console) = (jars(&[JUNIT_4, further].concat()), jars(JUNIT));
        let mut compilation = Compilation::with(jdk)
            .release(17)
            .class_path(junit_4.clone())
            .class_path(console.clone())
            .source("shop/Plain.java", PLAIN)
            .source("shop/Rates.java", RATES);
        for test in TESTS {
            let name = test.trim_start_matches("shop.");
            compilation = compilation.source(&format!("shop/{name}.java"), &test_of_junit_4(name));
        }
        for (name, rate) in [("OneJupiter", "same"), ("TwoJupiter", "same"), ("LoneJupiter", "another")] {
            compilation = compilation.source(&format!("shop/{name}.java"), &test_of_junit_5(name, rate));
        }
        let compilation = sources.iter().fold(compilation, |all, (file, source)| all.source(file, source));
        let classes = compilation.compile().unwrap_or_else(|error| panic!("{error}"));
        let folder = tempfile::tempdir().expect("temporary folder");
        Self { java: jdk.java(), classes, junit_4, console, folder }
    }

    pub(crate) fn store_folder(&self) -> PathBuf {
        self.folder.path().join(".probity")
    }

    pub(crate) fn store(&self) -> Store {
        Store::at(self.store_folder())
    }

    /// All traces.
    pub(crate) fn traces(&self) -> Vec<Trace> {
        let traces = self.store().load();
        let units = traces.iter().filter(|trace| trace.unit() != OUTSIDE);
        units.map(|trace| trace.to_trace()).collect()
    }

    /// The folders in the store that are for the recordings of a run.
    pub(crate) fn left_behind(&self) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.store_folder()).into_iter().flatten().flatten();
        let is_one =
            |path: &PathBuf| path.file_name().is_some_and(|n| n.to_string_lossy().starts_with("rec"));
        entries.map(|entry| entry.path()).filter(is_one).collect()
    }

    pub(crate) fn class_path(&self, jars: &[PathBuf]) -> OsString {
        let entries = [self.classes.folder()].into_iter().chain(jars.iter().cloned());
        std::env::join_paths(entries).expect("no separator in paths")
    }

    /// What starts a JVM quickly.
    pub(crate) fn jvm(&self, jars: &[PathBuf]) -> Vec<OsString> {
        let mut words: Vec<OsString> = vec![self.java.clone().into()];
        words.extend(["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"].map(Into::into));
        words.push(self.class_path(jars));
        words
    }

    /// The program with an exit code.
    pub(crate) fn plain(&self, code: i32) -> Vec<OsString> {
        let mut words = self.jvm(&[]);
        words.extend(["shop.Plain".into(), code.to_string().into()]);
        words
    }

    /// The JUnit 4 tests.
    pub(crate) fn junit_4(&self, tests: &[&str]) -> Vec<OsString> {
        let mut words = self.jvm(&self.junit_4);
        words.push("org.junit.runner.JUnitCore".into());
        words.extend(tests.iter().map(Into::into));
        words
    }

    /// `probity` with some words before those of the program.
    pub(crate) fn probity(&self, own: &[&str], program: &[OsString]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_probity"));
        command.args(own).current_dir(self.folder.path()).env_remove("JAVA_TOOL_OPTIONS");
        if !program.is_empty() {
            command.arg("--").args(program);
        }
        command
    }

    /// `probity run`, to its end.
    pub(crate) fn run(&self, program: &[OsString]) -> Output {
        self.probity(&["run"], program).output().expect("runs")
    }
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What the command said, without what the program said.
pub(crate) fn said(output: &Output) -> Vec<String> {
    text(&output.stderr).lines().filter(|line| *line != "said by the program").map(str::to_owned).collect()
}

/// An executable shell script.
pub(crate) fn script(path: &Path, lines: &str) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::write(path, format!("#!/bin/sh\n{lines}\n")).expect("writes");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("makes executable");
}
