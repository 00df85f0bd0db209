//! One case: what it says about itself, and its files in both revisions.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::error::CaseError;
use super::parse;

/// The JDK on which cases run that do not need a newer one.
const USUAL_JDK: u32 = 17;

/// The JDK for those that do.
const NEWEST_JDK: u32 = 25;

/// The end of the name of a case's file.
const EXTENSION: &str = "case";

/// One of the two states of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Revision {
    /// The program as it was.
    Before,
    /// The program with its change.
    After,
}

impl Revision {
    /// The other one.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Revision::Before => Revision::After,
            Revision::After => Revision::Before,
        }
    }
}

/// How closely a tool looks at a change. What a coarse tool can leave out, a finer one can as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// It compares the classes that a test touched.
    Class,
    /// It compares the methods that a test entered, and what else of a class can be seen.
    Method,
    /// It compares the ways through methods that a test took.
    Edge,
}

impl Level {
    /// All levels, coarse first.
    pub const ALL: [Level; 3] = [Level::Class, Level::Method, Level::Edge];
}

/// What Ekstazi 5.3.0 did with the tests that give another result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ekstazi {
    /// With all tests in one JVM (its mode `junit`).
    pub in_one_jvm: Selected,
    /// With a JVM for each test class (its mode `junitfork`).
    pub forking: Selected,
}

/// Whether a tool selected what it has to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selected {
    /// Every test that gives another result was selected.
    Selected,
    /// Some was not.
    Missed,
}

/// With what a JVM is started in one revision.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// Arguments for the JVM.
    pub jvm_arguments: Vec<String>,
    /// Variables of the environment.
    pub environment: BTreeMap<String, String>,
}

/// A program in two revisions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The folder that it stands in.
    pub group: String,
    /// The name of its file, without the extension; no two cases have the same.
    pub name: String,
    /// Its file.
    pub file: PathBuf,
    /// What can be learnt from it.
    pub why: String,
    /// What is known of the coverage of both revisions.
    pub coverage: Option<String>,
    /// Remarks, such as on how it behaves elsewhere.
    pub notes: Vec<String>,
    /// The version of Java that it is compiled for.
    pub release: u32,
    /// The only JDK on which the tests behave as it says, if not all do.
    pub only_jdk: Option<u32>,
    /// The parts of the first class path, in its order; empty if there is only one. Those that end with `.jar` are packed.
    pub roots_before: Vec<String>,
    /// The parts of the second class path.
    pub roots_after: Vec<String>,
    /// Parts that are compiled or packed like the others and stand on no class path, such as plug-ins.
    pub other_roots: Vec<String>,
    /// The sources that are not compiled again: their classes stay as they were in the first revision.
    pub not_recompiled: Vec<String>,
    /// More arguments for the compiler.
    pub javac_arguments: Vec<String>,
    /// The settings of the first revision.
    pub before: Settings,
    /// The settings of the second revision.
    pub after: Settings,
    /// The test classes, in the order in which they run in one JVM.
    pub tests: Vec<String>,
    /// The tests that fail in the first revision.
    pub fails_before: Vec<String>,
    /// The tests that give another result in the second revision. A tool that leaves one out is unsafe.
    pub changes: Vec<String>,
    /// The tests that a tool need not run, each with the coarsest level at which that can be seen.
    pub need_not_run: BTreeMap<String, Level>,
    /// What Ekstazi does, where that was tried.
    pub ekstazi: Option<Ekstazi>,
    /// The files of the first revision by path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What the second revision has instead: files that are new or different, and none for those that are deleted.
    pub edits: BTreeMap<String, Option<Vec<u8>>>,
}

impl Case {
    /// All cases of the repository, sorted by group and name.
    ///
    /// # Errors
    ///
    /// Fails when a file cannot be read or is not a case.
    pub fn load_all() -> Result<Vec<Case>, CaseError> {
        let mut files = Vec::new();
        for group in entries(&Self::folder())?.iter().filter(|entry| entry.is_dir()) {
            files.extend(
                entries(group)?.into_iter().filter(|file| file.extension().is_some_and(|e| e == EXTENSION)),
            );
        }
        files.sort();
        files.iter().map(|file| Case::load(file)).collect()
    }

    /// The case in this file.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be read or is not a case.
    pub fn load(file: &Path) -> Result<Case, CaseError> {
        let text = fs::read_to_string(file).map_err(|source| CaseError::io("read", file, source))?;
        parse::parse(file, &text)
    }

    /// The folder of the repository in which cases stand.
    #[must_use]
    pub fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../cases")
    }

    /// All files of a revision by path.
    #[must_use]
    pub fn files_of(&self, revision: Revision) -> BTreeMap<&str, &[u8]> {
        let mut files: BTreeMap<&str, &[u8]> =
            self.files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
        if revision == Revision::After {
            for (path, bytes) in &self.edits {
                match bytes {
                    Some(bytes) => files.insert(path, bytes),
                    None => files.remove(path.as_str()),
                };
            }
        }
        files
    }

    /// The settings of a revision.
    #[must_use]
    pub fn settings_of(&self, revision: Revision) -> &Settings {
        match revision {
            Revision::Before => &self.before,
            Revision::After => &self.after,
        }
    }

    /// The parts of the class path of a revision.
    #[must_use]
    pub fn roots_of(&self, revision: Revision) -> &[String] {
        match revision {
            Revision::Before => &self.roots_before,
            Revision::After => &self.roots_after,
        }
    }

    /// The feature version of the JDK that the case is meant for.
    #[must_use]
    pub fn jdk(&self) -> u32 {
        let usual = if self.release > USUAL_JDK { NEWEST_JDK } else { USUAL_JDK };
        self.only_jdk.unwrap_or(usual)
    }

    /// Whether a tool that looks this closely need not run a test.
    #[must_use]
    pub fn need_not_run_at(&self, level: Level, test: &str) -> bool {
        self.need_not_run.get(test).is_some_and(|coarsest| *coarsest <= level)
    }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, CaseError> {
    let unreadable = |source| CaseError::io("read", folder, source);
    let entries = fs::read_dir(folder).map_err(unreadable)?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(unreadable)).collect()
}
