//! Where cases are compiled: a JDK, JUnit, and a compiler that stays warm.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use probity_toolchain::Jdk;

use super::case::{Case, Revision};
use super::compiler::Compiler;
use super::earlier::EarlierClasses;
use super::error::CaseError;
use super::layout::{Layout, Root};
use super::run::TestRun;
use crate::java::{Compilation, CompiledClasses, joined_class_path};
use crate::programs::{JUNIT_4, class_path};

/// What is set for every compilation. Tables of lines and local variables are part of what programs can see.
const COMPILER_SETTINGS: &[&str] =
    &["-encoding", "UTF-8", "-g", "-proc:none", "-nowarn", "-Xlint:-options,-removal,-deprecation"];

/// The oldest Java that the programs of this module run on.
const RELEASE: u32 = 17;

/// Where the classes of a multi-release jar stand that replace others, each version in a folder of its own.
pub(super) const VERSIONS: &str = "META-INF/versions/";

const MANIFEST: &str = "META-INF/MANIFEST.MF";

/// Compiles and runs cases on one JDK. It can be shared by threads.
#[derive(Debug)]
pub struct Workshop {
    jdk: Jdk,
    junit: Vec<PathBuf>,
    programs: CompiledClasses,
    compiler: Compiler,
}

impl Workshop {
    /// Fetches JUnit and starts a compiler.
    ///
    /// # Errors
    ///
    /// Fails when JUnit cannot be fetched or the JDK does not work.
    pub fn open(jdk: &Jdk) -> Result<Self, CaseError> {
        let junit = class_path(&[JUNIT_4])?;
        let programs = Compilation::with(jdk)
            .release(RELEASE)
            .class_path(&junit)
            .source("probity/cases/CompileCases.java", include_str!("../../java/CompileCases.java"))
            .source("probity/cases/RunTests.java", include_str!("../../java/RunTests.java"))
            .compile()?;
        let compiler = Compiler::start(jdk, &programs.folder())?;
        Ok(Self { jdk: jdk.clone(), junit, programs, compiler })
    }

    /// The JDK that compiles and runs.
    #[must_use]
    pub fn jdk(&self) -> &Jdk {
        &self.jdk
    }

    /// What stands on the class path behind the program: the jars of JUnit, and the program that runs tests.
    #[must_use]
    pub fn test_class_path(&self) -> Vec<PathBuf> {
        self.junit.iter().cloned().chain([self.programs.folder()]).collect()
    }

    /// Writes and compiles a revision of a case in a folder of the caller's, from clean. The other revision can be built
    /// in the same folder afterwards; files that others put there stay, outside the folders of the [`Layout`].
    ///
    /// # Errors
    ///
    /// Fails when the program does not compile or the folder cannot be written.
    pub fn build<'a>(
        &'a self,
        case: &'a Case,
        revision: Revision,
        folder: &Path,
    ) -> Result<Built<'a>, CaseError> {
        let earlier = match revision {
            Revision::After if !case.not_recompiled.is_empty() => {
                EarlierClasses::of(&self.build(case, Revision::Before, folder)?)?
            }
            _ => EarlierClasses::default(),
        };
        let layout = Layout::new(case, revision, folder);
        for folder in layout.made_again() {
            if folder.exists() {
                fs::remove_dir_all(&folder).map_err(|source| CaseError::io("delete", &folder, source))?;
            }
        }
        let built = Built { workshop: self, case, revision, layout };
        for (path, bytes) in case.files_of(revision) {
            write(&built.layout.working_folder().join(path), bytes)?;
        }
        earlier.write_back()?;
        for root in built.layout.other_roots() {
            built.make_root(root, &[])?;
        }
        for (index, root) in built.layout.roots().iter().enumerate().rev() {
            let behind = built.layout.class_path().split_off(index + 1);
            built.make_root(root, &behind)?;
        }
        Ok(built)
    }
}

/// A revision of a case that was compiled.
#[derive(Debug)]
pub struct Built<'a> {
    pub(super) workshop: &'a Workshop,
    pub(super) case: &'a Case,
    pub(super) revision: Revision,
    layout: Layout,
}

impl<'a> Built<'a> {
    /// Where its files stand.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Its tests, to be run.
    #[must_use]
    pub fn tests(&'a self) -> TestRun<'a> {
        TestRun::of(self)
    }

    /// Compiles one part of the class path, copies its other files, and packs it if it is a jar.
    fn make_root(&self, root: &Root, behind: &[PathBuf]) -> Result<(), CaseError> {
        fs::create_dir_all(&root.classes).map_err(|source| CaseError::io("create", &root.classes, source))?;
        let mut sources: Vec<(&str, PathBuf)> = Vec::new();
        for (path, bytes) in self.case.files_of(self.revision) {
            match root.path_inside(path) {
                Some(_) if self.is_not_recompiled(path) => {}
                Some(inside) if inside.ends_with(".java") => {
                    sources.push((inside, self.layout.working_folder().join(path)));
                }
                Some(inside) => write(&root.classes.join(inside), bytes)?,
                None => {}
            }
        }
        self.compile(&sources, root, behind)?;
        match &root.jar {
            Some(jar) => self.pack(&root.classes, jar),
            None => Ok(()),
        }
    }

    fn is_not_recompiled(&self, path: &str) -> bool {
        self.revision == Revision::After && self.case.not_recompiled.iter().any(|kept| kept == path)
    }

    /// Compiles the sources of a root, first the usual ones, then those for newer versions of Java.
    fn compile(&self, sources: &[(&str, PathBuf)], root: &Root, behind: &[PathBuf]) -> Result<(), CaseError> {
        let version_of =
            |inside: &str| -> Option<u32> { inside.strip_prefix(VERSIONS)?.split('/').next()?.parse().ok() };
        let mut versions: Vec<Option<u32>> = sources.iter().map(|(inside, _)| version_of(inside)).collect();
        versions.sort();
        versions.dedup();
        for version in versions {
            let files =
                sources.iter().filter(|(inside, _)| version_of(inside) == version).map(|(_, file)| file);
            let target = match version {
                Some(version) => root.classes.join(format!("{VERSIONS}{version}")),
                None => root.classes.clone(),
            };
            let class_path = [std::slice::from_ref(&root.classes), behind, &self.workshop.junit].concat();
            let release = version.unwrap_or(self.case.release).to_string();
            let mut words: Vec<OsString> = vec!["javac".into()];
            words.extend(COMPILER_SETTINGS.iter().map(OsString::from));
            words.extend(["--release".into(), release.into()]);
            words.extend(self.case.javac_arguments.iter().map(OsString::from));
            words.extend(["-classpath".into(), joined_class_path(&class_path)]);
            words.extend(["-d".into(), target.into_os_string()]);
            words.extend(files.map(|file| file.clone().into_os_string()));
            self.ask(&words)?;
        }
        Ok(())
    }

    fn pack(&self, classes: &Path, jar: &Path) -> Result<(), CaseError> {
        let folder = jar.parent().unwrap_or(jar);
        fs::create_dir_all(folder).map_err(|source| CaseError::io("create", folder, source))?;
        let manifest = classes.join(MANIFEST);
        let mut words: Vec<OsString> =
            ["jar", "--create", "--date=2000-01-01T00:00:00Z", "--file"].map(Into::into).into();
        words.push(jar.into());
        if manifest.exists() {
            words.extend(["--manifest".into(), manifest.into_os_string()]);
        } else {
            words.push("--no-manifest".into());
        }
        words.extend(["-C".into(), classes.into(), ".".into()]);
        self.ask(&words)
    }

    fn ask(&self, words: &[OsString]) -> Result<(), CaseError> {
        let words: Vec<&OsStr> = words.iter().map(OsString::as_os_str).collect();
        self.workshop.compiler.ask(&words)?.map_err(|messages| CaseError::DoesNotCompile {
            case: self.case.name.clone(),
            revision: self.revision,
            messages,
        })
    }
}

pub(super) fn write(file: &Path, bytes: &[u8]) -> Result<(), CaseError> {
    let folder = file.parent().unwrap_or(file);
    fs::create_dir_all(folder).map_err(|source| CaseError::io("create", folder, source))?;
    fs::write(file, bytes).map_err(|source| CaseError::io("write", file, source))
}
