//! Deterministic programs whose probes are compared: each on one thread, with the same result in every run.

use crate::harness::{compile, compile_with};
use probity_test_support::java::{CompiledClasses, Program};
use probity_test_support::programs;
use probity_toolchain::Jdk;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// A program that is ready to run, with the folders that it needs.
pub(crate) struct Workload {
    pub(crate) name: &'static str,
    /// Classes whose members the program looks at. It sees the method that JaCoCo adds to them and takes another way
    /// because of that, which no other agent can: neither agent is given these classes.
    pub(crate) looked_at: &'static str,
    /// Classes of which other parts are executed if something takes longer: their bits say nothing of the agent.
    pub(crate) timed: &'static [&'static str],
    /// The exit code that it has without an agent.
    pub(crate) exit_code: i32,
    main: &'static str,
    class_path: Vec<PathBuf>,
    jvm_arguments: Vec<&'static str>,
    arguments: Vec<String>,
    folders: Vec<TempDir>,
    classes: Option<CompiledClasses>,
}

impl Workload {
    fn new(name: &'static str, main: &'static str, sets: &[&[&str]]) -> Self {
        Self {
            name,
            looked_at: "",
            timed: &[],
            exit_code: 0,
            main,
            class_path: programs::class_path(sets).unwrap_or_else(|error| panic!("{error}")),
            jvm_arguments: Vec::new(),
            arguments: Vec::new(),
            folders: Vec::new(),
            classes: None,
        }
    }

    /// The program, without an agent. What makes two runs of one JVM differ is fixed or switched off.
    pub(crate) fn program<'j>(&self, jdk: &'j Jdk) -> Program<'j> {
        let mut program = Program::with(jdk, self.main).time_limit(Duration::from_secs(600));
        program = program.class_path(self.classes.iter().map(CompiledClasses::folder));
        program = program.class_path(&self.class_path);
        let fixed = ["-XX:+UnlockExperimentalVMOptions", "-XX:hashCode=2", "-XX:+UseSerialGC"];
        for argument in fixed.iter().chain(&self.jvm_arguments) {
            program = program.jvm_argument(*argument);
        }
        self.arguments.iter().fold(program, |program, argument| program.argument(argument))
    }

    fn own_source(mut self, jdk: &Jdk, text: &str) -> Self {
        self.classes = Some(compile_with(jdk, self.main, text, &self.class_path));
        self
    }
}

/// Those that every test run does, each to be made ready for a JDK.
pub(crate) const SAMPLE: [fn(&Jdk) -> Workload; 6] =
    [compiler, exceptions, test_suite, parser, compressor, kotlin_library];

/// Those that take longer.
pub(crate) const LONG: [fn(&Jdk) -> Workload; 2] = [compiler_large, kotlin_compiler];

fn compiler(jdk: &Jdk) -> Workload {
    compiler_of(jdk, 8)
}

fn compiler_of(jdk: &Jdk, files: usize) -> Workload {
    let mut workload =
        Workload::new("compiler: ecj", "org.eclipse.jdt.internal.compiler.batch.Main", &[programs::ECJ]);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let release = jdk.feature_version().min(21).to_string();
    let out = folder.path().join("out").display().to_string();
    workload.arguments =
        ["-nowarn", "-g", "-source", &release, "-target", &release, "-d", &out].map(str::to_owned).into();
    for number in 0..files {
        let path = folder.path().join(format!("G{number}.java"));
        std::fs::write(&path, generated_source(number)).expect("a writable folder");
        workload.arguments.push(path.display().to_string());
    }
    workload.jvm_arguments.push("-Djdt.compiler.useSingleThread=true");
    workload.folders.push(folder);
    workload
}

fn compiler_large(jdk: &Jdk) -> Workload {
    Workload { name: "compiler: ecj, 200 files", ..compiler_of(jdk, 200) }
}

fn generated_source(number: usize) -> String {
    let mut text = format!("import java.util.*;\npublic class G{number}<T extends Comparable<T>> {{\n");
    text.push_str("  enum Kind { A, B { @Override int f() { return 2; } }; int f() { return 1; } }\n");
    text.push_str("  record Pair<X>(X left, int right) { Pair { if (right < 0) throw new IllegalArgumentException(); } }\n");
    text.push_str("  sealed interface Shape permits Circle, Square {}\n");
    text.push_str(
        "  record Circle(double r) implements Shape {}\n  record Square(double a) implements Shape {}\n",
    );
    for method in 0..6 {
        let _ = writeln!(
            text,
            "  static <X> long m{method}(List<? extends X> list, int n) throws Exception {{\n    \
             long sum = {number};\n    outer:\n    for (X x : list) {{\n      \
             for (int i = 0; i < n; i++) {{ if (i == {method}) continue outer; sum += i * x.hashCode(); }}\n    }}\n    \
             try {{ synchronized (list) {{ sum ^= Long.parseLong(\"\" + n); }} }}\n    \
             catch (NumberFormatException | NullPointerException e) {{ sum = -1; }} finally {{ sum++; }}\n    \
             String s = switch (n) {{ case 1, 2 -> \"few\"; case 3 -> {{ yield \"three\"; }} default -> \"many\"; }};\n    \
             Comparator<String> c = (a, b) -> a.length() - b.length();\n    \
             Object o = sum > 3 ? s : Integer.valueOf(n);\n    \
             if (o instanceof String t && !t.isEmpty()) sum += t.chars().filter(ch -> ch > 'a').count();\n    \
             return sum + c.compare(s, \"x\") + new Object() {{ int v() {{ return n; }} }}.v();\n  }}"
        );
    }
    text.push_str("}\n");
    text
}

fn compressor(jdk: &Jdk) -> Workload {
    Workload::new("compressors: commons-compress, xz", "Compress", &[programs::COMPRESSORS])
        .own_source(jdk, include_str!("java/Compress.java"))
}

fn parser(jdk: &Jdk) -> Workload {
    let mut workload = Workload::new("parsers: javaparser, jackson, xerces", "Parse", &[programs::PARSERS]);
    workload.looked_at = "Parse$Item";
    workload.own_source(jdk, include_str!("java/Parse.java"))
}

fn test_suite(_: &Jdk) -> Workload {
    let mut workload = Workload::new(
        "JUnit: tests of commons-cli",
        "org.junit.platform.console.ConsoleLauncher",
        &[programs::JUNIT, programs::TESTED_LIBRARY],
    );
    // Some of the tests look for files that are not in the jar.
    workload.exit_code = 1;
    workload.looked_at = "org.apache.commons.cli.*Test*";
    let tests = workload.class_path.iter().find(|path| is_test_jar(path)).expect("the jar of tests");
    workload.arguments = vec![
        "execute".to_owned(),
        "--scan-class-path".to_owned(),
        tests.display().to_string(),
        "--details=none".to_owned(),
        "--disable-banner".to_owned(),
    ];
    workload
}

fn is_test_jar(path: &Path) -> bool {
    path.to_string_lossy().ends_with("-tests.jar")
}

fn kotlin_library(jdk: &Jdk) -> Workload {
    Workload::new("Kotlin: stdlib and coroutines", "KotlinUse", &[programs::KOTLIN])
        .own_source(jdk, include_str!("java/KotlinUse.java"))
}

fn kotlin_compiler(_: &Jdk) -> Workload {
    let mut workload = Workload::new(
        "Kotlin: its compiler",
        "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler",
        &[programs::KOTLIN_COMPILER],
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("Some.kt");
    std::fs::write(&source, include_str!("java/Some.kt")).expect("a writable folder");
    let class_path = std::env::join_paths(&workload.class_path).expect("no separator in paths");
    workload.arguments = vec![
        "-no-stdlib".to_owned(),
        "-no-reflect".to_owned(),
        "-classpath".to_owned(),
        class_path.to_string_lossy().into_owned(),
        "-d".to_owned(),
        folder.path().join("out").display().to_string(),
        source.display().to_string(),
    ];
    workload.jvm_arguments.push("-Xss4m");
    workload.folders.push(folder);
    // `ExtensionPointImpl` has `StartUpMeasurer.addCompletedActivity` make an `ActivityImpl` of what took more than 10 ms.
    workload.timed = &[
        "org/jetbrains/kotlin/com/intellij/diagnostic/ActivityImpl",
        "org/jetbrains/kotlin/com/intellij/diagnostic/StartUpMeasurer",
    ];
    workload
}

fn exceptions(jdk: &Jdk) -> Workload {
    let mut workload = Workload::new("many exceptions", "Exceptions", &[]);
    workload.classes = Some(compile(jdk, "Exceptions", include_str!("java/Exceptions.java")));
    workload
}
