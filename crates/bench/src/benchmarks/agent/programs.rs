//! The programs on which the agents are measured: real ones, each a few seconds long and with the same result in every
//! run.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use probity_test_support::java::{Compilation, CompiledClasses};
use probity_test_support::maven::fetch;
use probity_toolchain::Jdk;

use super::process::JavaProgram;
use crate::failure::Failure;

/// A program that is ready to run.
pub(super) struct Prepared {
    pub(super) name: &'static str,
    pub(super) program: JavaProgram,
    /// Whether it prints the same in every run; test frameworks print times.
    pub(super) prints_the_same: bool,
}

/// All programs, with the folders that they need.
pub(super) struct Programs {
    classes: CompiledClasses,
    folder: tempfile::TempDir,
    sources: PathBuf,
}

const COMPRESS: &[&str] = &["org.apache.commons:commons-compress:1.27.1", "commons-io:commons-io:2.18.0"];
const XALAN: &[&str] = &["xalan:xalan:2.7.3", "xalan:serializer:2.7.3", "xerces:xercesImpl:2.12.2"];
const JAVA_PARSER: &[&str] = &["com.github.javaparser:javaparser-core:3.26.3"];
const LUCENE: &[&str] = &["org.apache.lucene:lucene-core:9.12.1"];
const RHINO: &[&str] = &["org.mozilla:rhino:1.7.15"];
const H2: &[&str] = &["com.h2database:h2:2.3.232"];
const ECJ: &[&str] = &["org.eclipse.jdt:ecj:3.40.0"];
const SOURCES: &str = "org.apache.commons:commons-lang3:3.17.0:sources";
const CODEC_TESTS: &[&str] = &[
    "org.junit.platform:junit-platform-console-standalone:1.12.1",
    "commons-codec:commons-codec:1.18.0",
    "commons-codec:commons-codec:1.18.0:tests",
    "org.apache.commons:commons-lang3:3.17.0",
    "commons-io:commons-io:2.18.0",
    "org.hamcrest:hamcrest:3.0",
];

/// Jars whose classes are loaded, in this order; none is signed, so that no time goes into signatures.
const LOADED: &[&str] = &[
    "com.google.guava:guava:33.4.6-jre",
    "org.scala-lang:scala-library:2.13.16",
    "org.apache.lucene:lucene-core:9.12.1",
    "org.apache.commons:commons-math3:3.6.1",
    "com.ibm.icu:icu4j:77.1",
    "org.jetbrains.kotlin:kotlin-stdlib:2.1.20",
    "org.jetbrains.kotlin:kotlin-reflect:2.1.20",
];

/// The jars of [`LOADED`] on disk.
pub(super) fn loaded_jars() -> Result<Vec<PathBuf>, Failure> {
    Ok(fetch(LOADED)?)
}

macro_rules! own {
    ($name:literal) => {
        (concat!($name, ".java"), include_str!(concat!("../../../java/", $name, ".java")))
    };
}

const OWN_SOURCES: &[(&str, &str)] = &[
    own!("Compress"),
    own!("Database"),
    own!("Hello"),
    own!("Index"),
    own!("LoadClasses"),
    own!("ParseJava"),
    own!("Script"),
    own!("Transform"),
];

impl Programs {
    /// Fetches, compiles and unpacks what the programs need.
    pub(super) fn prepare(jdk: &Jdk) -> Result<Self, Failure> {
        let libraries = fetch(&[COMPRESS, XALAN, JAVA_PARSER, LUCENE, RHINO, H2].concat())?;
        let mut compilation = Compilation::with(jdk).release(17).class_path(libraries);
        for (path, text) in OWN_SOURCES {
            compilation = compilation.source(path, text);
        }
        let classes = compilation.compile()?;
        let folder =
            tempfile::tempdir().map_err(|error| Failure::Program { name: "tempdir".to_owned(), error })?;
        let sources = fetch(&[SOURCES])?.swap_remove(0);
        unpack(jdk, &sources, &folder.path().join("sources"))?;
        Ok(Programs { classes, folder, sources })
    }

    /// All programs whose names contain a text.
    pub(super) fn matching(&self, part: &str) -> Result<Vec<Prepared>, Failure> {
        let jar = self.sources.as_os_str();
        let own = |name, main: &str, libraries: &[&str], arguments: &[OsString]| {
            Ok::<_, Failure>(Prepared {
                name,
                program: self.own(main, libraries, arguments)?,
                prints_the_same: true,
            })
        };
        let all = [
            self.compiler()?,
            own("bzip2 (commons-compress)", "Compress", COMPRESS, &[jar.into(), "8".into()])?,
            own("XSLT (Xalan, Xerces)", "Transform", XALAN, &["3000".into(), "30".into()])?,
            own("parser (JavaParser)", "ParseJava", JAVA_PARSER, &[jar.into(), "1".into()])?,
            own("index (Lucene)", "Index", LUCENE, &[jar.into(), "2".into()])?,
            own("interpreter (Rhino)", "Script", RHINO, &["15".into()])?,
            own("database (H2)", "Database", H2, &["10".into()])?,
            self.tests()?,
        ];
        Ok(all.into_iter().filter(|one| one.name.contains(part)).collect())
    }

    /// The smallest program.
    pub(super) fn hello(&self) -> JavaProgram {
        JavaProgram {
            class_path: vec![self.classes.folder()],
            main_class: "Hello".to_owned(),
            ..JavaProgram::default()
        }
    }

    /// A program that loads this many classes.
    pub(super) fn load_classes(&self, classes: usize) -> Result<JavaProgram, Failure> {
        let mut class_path = vec![self.classes.folder()];
        class_path.extend(loaded_jars()?);
        let arguments = vec![classes.to_string().into()];
        Ok(JavaProgram {
            class_path,
            main_class: "LoadClasses".to_owned(),
            arguments,
            ..JavaProgram::default()
        })
    }

    fn own(&self, main: &str, libraries: &[&str], arguments: &[OsString]) -> Result<JavaProgram, Failure> {
        let mut class_path = vec![self.classes.folder()];
        class_path.extend(fetch(libraries)?);
        Ok(JavaProgram {
            class_path,
            main_class: main.to_owned(),
            arguments: arguments.to_vec(),
            ..JavaProgram::default()
        })
    }

    fn compiler(&self) -> Result<Prepared, Failure> {
        let mut arguments: Vec<OsString> =
            ["--release", "11", "-proc:none", "-nowarn", "-encoding", "UTF-8", "-d", "none"]
                .map(OsString::from)
                .into();
        arguments.push(self.folder.path().join("sources").into());
        let program = JavaProgram {
            class_path: fetch(ECJ)?,
            main_class: "org.eclipse.jdt.internal.compiler.batch.Main".to_owned(),
            arguments,
            ..JavaProgram::default()
        };
        Ok(Prepared { name: "compiler (ecj)", program, prints_the_same: true })
    }

    fn tests(&self) -> Result<Prepared, Failure> {
        let class_path = fetch(CODEC_TESTS)?;
        let tests = class_path.get(2).map(OsString::from).unwrap_or_default();
        let mut arguments: Vec<OsString> =
            ["execute", "--details", "none", "--scan-classpath"].map(OsString::from).into();
        arguments.push(tests);
        // Those that want an array of a gigabyte are about memory, not about code.
        arguments.extend(["--exclude-methodname", ".*testCodec265"].map(OsString::from));
        for package in ["binary", "net"] {
            arguments
                .extend(["--include-package".into(), format!("org.apache.commons.codec.{package}").into()]);
        }
        let program = JavaProgram {
            class_path,
            main_class: "org.junit.platform.console.ConsoleLauncher".to_owned(),
            arguments,
            ..JavaProgram::default()
        };
        Ok(Prepared { name: "test suite (JUnit 5, commons-codec)", program, prints_the_same: false })
    }
}

/// Unpacks a jar with the JDK's own tool.
fn unpack(jdk: &Jdk, jar: &Path, folder: &Path) -> Result<(), Failure> {
    let failed = |error| Failure::Program { name: "jar".to_owned(), error };
    std::fs::create_dir_all(folder).map_err(failed)?;
    let tool = jdk.home().join("bin").join("jar");
    let status = Command::new(tool).arg("xf").arg(jar).current_dir(folder).status().map_err(failed)?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::Broken { name: "jar".to_owned(), why: format!("cannot unpack {}", jar.display()) })
    }
}
