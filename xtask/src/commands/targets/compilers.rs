//! The compilers that targets are compiled with, and how each is called.
//!
//! A module's targets, its tests and the few helpers that both need become one class path. Compilers other than the JDK's
//! come from Maven's repository, in the versions that JaCoCo 0.8.15 is built with where it names one.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use probity_test_support::maven::fetch;
use probity_test_support::tools;
use probity_toolchain::Jdk;
use tempfile::TempDir;

use super::{Module, temporary_folder};
use crate::failure::Failure;
use crate::folders::files_below;
use crate::processes;

/// What a module's targets are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Java,
    Kotlin,
    Groovy,
    Scala,
}

/// The version that JaCoCo is built with, whose lines its targets expect, and a newer one; with each the newest Java that it
/// is asked for.
const ECJS: [(&str, u32); 2] = [("3.41.0", 23), ("3.44.0", 25)];
const KOTLIN_COMPILER: &[&str] = &[
    "org.jetbrains.kotlin:kotlin-compiler-embeddable:2.3.21",
    "org.jetbrains.kotlin:kotlin-stdlib:2.3.21",
    "org.jetbrains.kotlin:kotlin-script-runtime:2.3.21",
    "org.jetbrains.kotlin:kotlin-daemon-embeddable:2.3.21",
    "org.jetbrains.kotlin:kotlin-reflect:2.1.20",
    "org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm:1.8.0",
    "org.jetbrains:annotations:13.0",
];
const KOTLIN_SERIALIZATION: &[&str] =
    &["org.jetbrains.kotlin:kotlin-serialization-compiler-plugin-embeddable:2.3.21"];
const KOTLIN: &[&str] = &[
    "org.jetbrains.kotlin:kotlin-stdlib:2.3.21",
    "org.jetbrains.kotlinx:kotlinx-coroutines-core-jvm:1.8.0",
    "org.jetbrains.kotlinx:kotlinx-serialization-core-jvm:1.6.3",
];
const GROOVY: &[&str] = &["org.codehaus.groovy:groovy:3.0.25"];
const SCALA_COMPILER: &[&str] = &[
    "org.scala-lang:scala-compiler:2.13.12",
    "org.scala-lang:scala-library:2.13.12",
    "org.scala-lang:scala-reflect:2.13.12",
];
const SCALA: &[&str] = &["org.scala-lang:scala-library:2.13.12"];
const JUNIT: &[&str] = &["junit:junit:4.13.2", "org.hamcrest:hamcrest:3.0"];

/// What is ours in the class path of the tests.
const OWN: &[(&str, &str)] = &[
    ("Source.java", include_str!("java/Source.java")),
    ("ValidationTestBase.java", include_str!("java/ValidationTestBase.java")),
    ("RunTarget.java", include_str!("java/RunTarget.java")),
    ("CheckTargets.java", include_str!("java/CheckTargets.java")),
];

/// What of the checkout both targets and tests need.
const HELPERS: &[&str] = &[
    "TargetLoader.java",
    "validation/Compiler.java",
    "validation/JavaVersion.java",
    "validation/targets/Stubs.java",
];

/// A compiler on a JDK.
#[derive(Debug, Clone)]
pub(super) enum Compiler<'a> {
    /// The JDK's own.
    Javac(&'a Jdk),
    /// Eclipse's: its version, and the newest Java that it is asked for.
    Ecj(&'static str, u32, &'a Jdk),
    /// That of another language; the tests are compiled by the JDK's.
    Other(Language, &'a Jdk),
}

impl<'a> Compiler<'a> {
    /// All that these JDKs allow. Other languages are tried on the first one: their compilers do not look at it.
    pub(super) fn all(jdks: &'a [Jdk]) -> Vec<Compiler<'a>> {
        let javac = jdks.iter().map(Compiler::Javac);
        let ecj = ECJS
            .into_iter()
            .flat_map(|(version, java)| jdks.iter().map(move |jdk| Compiler::Ecj(version, java, jdk)));
        let others = [Language::Kotlin, Language::Groovy, Language::Scala];
        let other = jdks.first().into_iter().flat_map(|jdk| others.map(|other| Compiler::Other(other, jdk)));
        javac.chain(ecj).chain(other).collect()
    }

    pub(super) fn jdk(&self) -> &'a Jdk {
        match self {
            Compiler::Javac(jdk) | Compiler::Ecj(_, _, jdk) | Compiler::Other(_, jdk) => jdk,
        }
    }

    pub(super) fn compiles(&self, module: &Module) -> bool {
        match self {
            Compiler::Other(language, _) => *language == module.language,
            _ => module.language == Language::Java && module.java <= self.jdk().feature_version(),
        }
    }
}

impl fmt::Display for Compiler<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Compiler::Javac(jdk) => write!(f, "javac {}", jdk.version()),
            Compiler::Ecj(version, _, jdk) => write!(f, "ECJ {version} on JDK {}", jdk.version()),
            Compiler::Other(Language::Kotlin, jdk) => write!(f, "Kotlin 2.3.21 on JDK {}", jdk.version()),
            Compiler::Other(Language::Groovy, jdk) => write!(f, "Groovy 3.0.25 on JDK {}", jdk.version()),
            Compiler::Other(_, jdk) => write!(f, "Scala 2.13.12 on JDK {}", jdk.version()),
        }
    }
}

/// A module in the form of class files.
pub(super) struct Compiled {
    folder: TempDir,
    pub(super) class_path: Vec<PathBuf>,
    /// The names of the tests.
    pub(super) tests: Vec<String>,
}

impl Compiled {
    /// The file of a class; none if the module does not have it.
    pub(super) fn file(&self, class: &str) -> Option<PathBuf> {
        Some(self.folder.path().join("classes").join(format!("{class}.class"))).filter(|path| path.is_file())
    }
}

/// Compiles a module with its tests.
pub(super) fn compile(
    checkout: &Path,
    sources: &Path,
    module: &Module,
    compiler: &Compiler<'_>,
) -> Result<Compiled, Failure> {
    let folder = temporary_folder()?;
    let classes = folder.path().join("classes");
    fs::create_dir_all(&classes).map_err(|source| Failure::Unwritable { path: classes.clone(), source })?;
    let mut class_path = vec![classes.clone()];
    class_path.extend(tools::jacoco_class_path()?);
    class_path.extend(fetch(JUNIT)?);
    class_path.extend(fetch(runtime_of(module.language))?);
    let helpers = helpers(checkout, folder.path())?;
    let files = files_below(sources)?;
    let (targets, others): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| file.parent().is_some_and(|folder| folder.ends_with("targets")));
    let tests = tests_among(others)?;
    let java = |files: &[&[PathBuf]]| run(java_command(compiler, &class_path, &classes, &files.concat())?);
    if module.language == Language::Java {
        java(&[&helpers, &targets, &tests])?;
    } else {
        java(&[&helpers])?;
        run(other_command(compiler, &class_path, &classes, &targets)?)?;
        java(&[&tests])?;
    }
    let tests = tests.iter().filter_map(|test| class_name(sources, test)).collect();
    Ok(Compiled { folder, class_path, tests })
}

fn runtime_of(language: Language) -> &'static [&'static str] {
    match language {
        Language::Java => &[],
        Language::Kotlin => KOTLIN,
        Language::Groovy => GROOVY,
        Language::Scala => SCALA,
    }
}

/// The helpers of the checkout, and our own sources written into a folder.
fn helpers(checkout: &Path, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let root = checkout.join("org.jacoco.core.test/src/org/jacoco/core/test");
    let mut files: Vec<PathBuf> = HELPERS.iter().map(|name| root.join(name)).collect();
    for (name, text) in OWN {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|source| Failure::Unwritable { path: path.clone(), source })?;
        files.push(path);
    }
    Ok(files)
}

/// The tests that are about a target; a module has a few that are about JaCoCo's own parts.
fn tests_among(files: Vec<PathBuf>) -> Result<Vec<PathBuf>, Failure> {
    let mut tests = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path);
        let text = text.map_err(|source| Failure::Unreadable { path: path.clone(), source })?;
        let words: Vec<&str> = text.split_whitespace().collect();
        if words.windows(2).any(|pair| pair == ["extends", "ValidationTestBase"]) {
            tests.push(path);
        }
    }
    Ok(tests)
}

fn class_name(sources: &Path, file: &Path) -> Option<String> {
    let path = file.strip_prefix(sources).ok()?.with_extension("");
    Some(path.to_str()?.replace(std::path::MAIN_SEPARATOR, "."))
}

fn java_command(
    compiler: &Compiler<'_>,
    class_path: &[PathBuf],
    classes: &Path,
    files: &[PathBuf],
) -> Result<Command, Failure> {
    let jdk = compiler.jdk();
    let mut command = if let Compiler::Ecj(version, newest, _) = compiler {
        let jar = fetch(&[&format!("org.eclipse.jdt:ecj:{version}")])?;
        let mut command = main_of(jdk, &jar, "org.eclipse.jdt.internal.compiler.batch.Main");
        let java = jdk.feature_version().min(*newest).to_string();
        command.args(["--release", &java, "-proc:none"]);
        command
    } else {
        let mut command = Command::new(jdk.javac());
        command.arg("-proc:none");
        command
    };
    command.args(["-g", "-nowarn", "-encoding", "UTF-8", "-classpath"]).arg(joined(class_path));
    command.arg("-d").arg(classes).args(files);
    Ok(command)
}

fn other_command(
    compiler: &Compiler<'_>,
    class_path: &[PathBuf],
    classes: &Path,
    files: &[PathBuf],
) -> Result<Command, Failure> {
    let jdk = compiler.jdk();
    let mut command = match compiler {
        Compiler::Other(Language::Kotlin, _) => {
            let mut command =
                main_of(jdk, &fetch(KOTLIN_COMPILER)?, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler");
            command.args(["-no-stdlib", "-no-reflect", "-nowarn", "-jvm-target"]);
            command.arg(jdk.feature_version().to_string());
            for plugin in fetch(KOTLIN_SERIALIZATION)? {
                command.arg(format!("-Xplugin={}", plugin.display()));
            }
            command
        }
        Compiler::Other(Language::Groovy, _) => {
            main_of(jdk, &fetch(GROOVY)?, "org.codehaus.groovy.tools.FileSystemCompiler")
        }
        _ => main_of(jdk, &fetch(SCALA_COMPILER)?, "scala.tools.nsc.Main"),
    };
    command.arg("-classpath").arg(joined(class_path)).arg("-d").arg(classes).args(files);
    Ok(command)
}

fn main_of(jdk: &Jdk, jars: &[PathBuf], class: &str) -> Command {
    let mut command = Command::new(jdk.java());
    command.arg("-classpath").arg(joined(jars)).arg(class);
    command
}

fn joined(paths: &[PathBuf]) -> std::ffi::OsString {
    std::env::join_paths(paths).unwrap_or_default()
}

fn run(command: Command) -> Result<(), Failure> {
    processes::output_of(command).map(|_| ())
}
