//! Where the JDKs are, and of which version.
//!
//! The order of preference is the user's: what `JAVA_HOME` says, then what `java` and `javac` mean on the `PATH`, then
//! the newest of the usual folders. A folder counts as a JDK only if it has a compiler and looks like a JDK inside, so
//! that a runtime without `javac` or the launcher stubs of macOS are never taken for one.

use std::collections::BTreeSet;
use std::env;
use std::error::Error;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::environment::{Environment, folders_in};
use crate::version::{feature_version, version_in_java_output, version_in_release_file};

/// An installed JDK.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jdk {
    home: PathBuf,
    version: String,
    feature_version: u32,
}

impl Jdk {
    /// Reads the JDK in this folder.
    ///
    /// # Errors
    ///
    /// Fails when the folder is not a JDK, or when neither its `release` file nor its `java` tell a version.
    pub fn at(home: &Path) -> Result<Self, UnsuitableJdk> {
        let home = fs::canonicalize(home).map_err(|_| UnsuitableJdk::NoSuchFolder)?;
        for program in ["java", "javac"] {
            if !tool(&home, program).is_file() {
                return Err(UnsuitableJdk::NoProgram(program));
            }
        }
        if !has_class_library(&home) {
            return Err(UnsuitableJdk::NoClassLibrary);
        }
        let version = version_of(&home).ok_or(UnsuitableJdk::NoVersion)?;
        let feature_version = feature_version(&version).ok_or(UnsuitableJdk::NoVersion)?;
        Ok(Jdk { home, version, feature_version })
    }

    /// The folder of the JDK, without symbolic links in its path.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The full version as the JDK gives it, such as `17.0.15`.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The number by which the JDK is known, such as 17.
    #[must_use]
    pub fn feature_version(&self) -> u32 {
        self.feature_version
    }

    /// The launcher.
    #[must_use]
    pub fn java(&self) -> PathBuf {
        self.tool("java")
    }

    /// The compiler.
    #[must_use]
    pub fn javac(&self) -> PathBuf {
        self.tool("javac")
    }

    /// The disassembler.
    #[must_use]
    pub fn javap(&self) -> PathBuf {
        self.tool("javap")
    }

    /// Any other program of the JDK, whether or not it exists.
    #[must_use]
    pub fn tool(&self, name: &str) -> PathBuf {
        tool(&self.home, name)
    }
}

impl fmt::Display for Jdk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "JDK {} in {}", self.version, self.home.display())
    }
}

/// Why a folder will not do as a JDK.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnsuitableJdk {
    /// The folder does not exist.
    NoSuchFolder,
    /// A program is missing from its `bin`; without `javac` it is a runtime, not a JDK.
    NoProgram(&'static str),
    /// It has the programs but neither a `release` file nor Java's class library, so the programs are mere launchers.
    NoClassLibrary,
    /// Neither the `release` file nor `java -version` told a version.
    NoVersion,
    /// It is a JDK, of this feature version, which is below the one that was asked for.
    TooOld(u32),
}

impl fmt::Display for UnsuitableJdk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnsuitableJdk::NoSuchFolder => f.write_str("no such folder"),
            UnsuitableJdk::NoProgram(program) => write!(f, "no {program} in its bin folder"),
            UnsuitableJdk::NoClassLibrary => f.write_str("neither a release file nor Java's class library"),
            UnsuitableJdk::NoVersion => {
                f.write_str("neither its release file nor `java -version` gives a version")
            }
            UnsuitableJdk::TooOld(version) => write!(f, "is JDK {version}"),
        }
    }
}

impl Error for UnsuitableJdk {}

/// A folder that was looked at and is not a JDK that will do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedHome {
    /// The folder.
    pub home: PathBuf,
    /// Why it will not do.
    pub reason: UnsuitableJdk,
}

/// No JDK of the wanted version was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JdkNotFound {
    /// The feature version that was asked for.
    pub at_least: u32,
    /// The places that were searched, in their order.
    pub searched: Vec<String>,
    /// What was found there but would not do.
    pub rejected: Vec<RejectedHome>,
}

impl fmt::Display for JdkNotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no JDK {} or newer found; looked at {}", self.at_least, self.searched.join(", "))?;
        for RejectedHome { home, reason } in &self.rejected {
            write!(f, "\n  {}: {reason}", home.display())?;
        }
        Ok(())
    }
}

impl Error for JdkNotFound {}

/// All JDKs of the machine, the preferred one first, each once.
#[must_use]
pub fn all_jdks(environment: &Environment) -> Vec<Jdk> {
    search(environment).found
}

/// The preferred JDK among those whose feature version is at least the given one.
///
/// # Errors
///
/// Fails when there is none, and says what was looked at.
pub fn best_jdk(environment: &Environment, at_least: u32) -> Result<Jdk, JdkNotFound> {
    let search = search(environment);
    let mut rejected = search.rejected;
    for jdk in search.found {
        if jdk.feature_version >= at_least {
            return Ok(jdk);
        }
        rejected.push(RejectedHome { home: jdk.home, reason: UnsuitableJdk::TooOld(jdk.feature_version) });
    }
    Err(JdkNotFound { at_least, searched: searched_places(environment), rejected })
}

/// What a search came upon.
struct Search {
    found: Vec<Jdk>,
    rejected: Vec<RejectedHome>,
}

fn search(environment: &Environment) -> Search {
    let mut search = Search { found: Vec::new(), rejected: Vec::new() };
    let mut seen = BTreeSet::new();
    for home in preferred_homes(environment) {
        look_at(&home, &mut seen, &mut search);
    }
    let preferred = search.found.len();
    for home in usual_homes(environment) {
        look_at(&home, &mut seen, &mut search);
    }
    search.found[preferred..].sort_by_key(|jdk| std::cmp::Reverse(jdk.feature_version));
    search
}

fn look_at(home: &Path, seen: &mut BTreeSet<PathBuf>, search: &mut Search) {
    let identity = fs::canonicalize(home).unwrap_or_else(|_| home.to_owned());
    if !seen.insert(identity) {
        return;
    }
    match Jdk::at(home) {
        Ok(jdk) => search.found.push(jdk),
        Err(reason) => search.rejected.push(RejectedHome { home: home.to_owned(), reason }),
    }
}

/// The homes that the user's variables point to.
fn preferred_homes(environment: &Environment) -> Vec<PathBuf> {
    let mut homes: Vec<PathBuf> = environment.java_home.iter().cloned().collect();
    for program in ["java", "javac"] {
        homes.extend(environment.programs_on_path(program).iter().filter_map(|path| home_of_program(path)));
    }
    homes
}

/// The home to which a program belongs, through any symbolic links; for Java 8 the program may be inside `jre`.
fn home_of_program(program: &Path) -> Option<PathBuf> {
    let program = fs::canonicalize(program).ok()?;
    let home = program.parent()?.parent()?;
    if home.ends_with("jre") && tool(home.parent()?, "javac").is_file() {
        return home.parent().map(Path::to_owned);
    }
    Some(home.to_owned())
}

/// The homes in the folders where installers put JDKs; only those that have a `java` are worth a look.
fn usual_homes(environment: &Environment) -> Vec<PathBuf> {
    let mut homes = Vec::new();
    for parent in usual_parents(environment) {
        homes.extend(folders_in(&parent));
    }
    for bundle in folders_in(&environment.system_folder(MACOS_BUNDLES)) {
        homes.push(bundle.join("Contents").join("Home"));
    }
    homes.retain(|home| tool(home, "java").is_file());
    homes
}

const MACOS_BUNDLES: &str = "Library/Java/JavaVirtualMachines";

fn usual_parents(environment: &Environment) -> Vec<PathBuf> {
    let mut parents = vec![environment.system_folder("usr/lib/jvm"), environment.system_folder("opt")];
    parents.extend(environment.user_folder(".sdkman/candidates/java"));
    parents.extend(environment.user_folder(".jdks"));
    parents
}

fn searched_places(environment: &Environment) -> Vec<String> {
    let mut places = vec![
        match &environment.java_home {
            Some(home) => format!("JAVA_HOME ({})", home.display()),
            None => "JAVA_HOME (not set)".to_owned(),
        },
        "java and javac on the PATH".to_owned(),
    ];
    places.extend(usual_parents(environment).iter().map(|parent| parent.join("*").display().to_string()));
    places.push(environment.system_folder(MACOS_BUNDLES).join("*").display().to_string());
    places
}

fn tool(home: &Path, name: &str) -> PathBuf {
    home.join("bin").join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

fn has_class_library(home: &Path) -> bool {
    ["release", "lib/modules", "jre/lib/rt.jar"].iter().any(|file| home.join(file).is_file())
}

fn version_of(home: &Path) -> Option<String> {
    let release = fs::read_to_string(home.join("release")).unwrap_or_default();
    if let Some(version) = version_in_release_file(&release) {
        return Some(version.to_owned());
    }
    let output = Command::new(tool(home, "java")).arg("-version").output().ok()?;
    version_in_java_output(&String::from_utf8_lossy(&output.stderr)).map(str::to_owned)
}
