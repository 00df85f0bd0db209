//! A project to report on: classes and sources of some libraries, in folders, and execution data as tests leave it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use probity_classfile::ClassFile;
use probity_classpath::Source;
use probity_execdata::format::{write_class, write_header, write_session};
use probity_instrument::{Instrumenter, class_id};
use probity_test_support::maven::fetch;
use probity_toolchain::Jdk;

use crate::failure::Failure;

/// Libraries that have about 5,000 classes together, all with sources.
const LIBRARIES: [&str; 3] = [
    "com.google.guava:guava:33.4.6-jre",
    "io.reactivex.rxjava3:rxjava:3.1.10",
    "org.apache.commons:commons-math3:3.6.1",
];

/// Most classes of a real project are executed in part, and some never.
const SEED: u64 = 15;

pub(super) struct Project {
    pub(super) folder: tempfile::TempDir,
    pub(super) class_count: usize,
    pub(super) source_count: usize,
}

impl Project {
    pub(super) fn make(jdk: &Jdk, keep: bool) -> Result<Self, Failure> {
        let failed = |error| Failure::Program { name: "temporary folder".to_owned(), error };
        let folder = tempfile::Builder::new().disable_cleanup(keep).tempdir().map_err(failed)?;
        let with_sources: Vec<String> = LIBRARIES
            .iter()
            .flat_map(|library| [(*library).to_owned(), format!("{library}:sources")])
            .collect();
        let jars = fetch(&with_sources.iter().map(String::as_str).collect::<Vec<_>>())?;
        let mut project = Project { folder, class_count: 0, source_count: 0 };
        for pair in jars.chunks(2) {
            if let [classes, sources] = pair {
                unpack(jdk, classes, &project.classes())?;
                unpack(jdk, sources, &project.sources())?;
            }
        }
        // Descriptions of modules and copies for other Java versions are nothing that is reported.
        let _: std::io::Result<()> = fs::remove_dir_all(project.classes().join("META-INF"));
        project.source_count = count_files(&project.sources(), "java");
        let data = project.execution_data()?;
        fs::write(project.exec_file(), data).map_err(failed)?;
        Ok(project)
    }

    pub(super) fn classes(&self) -> PathBuf {
        self.folder.path().join("classes")
    }

    pub(super) fn sources(&self) -> PathBuf {
        self.folder.path().join("sources")
    }

    pub(super) fn exec_file(&self) -> PathBuf {
        self.folder.path().join("jacoco.exec")
    }

    /// A tenth of the classes was never loaded; of the others each has its own share of probes that were hit.
    fn execution_data(&mut self) -> Result<Vec<u8>, Failure> {
        let mut random = fastrand::Rng::with_seed(SEED);
        let mut instrumenter = Instrumenter::new();
        let mut out = Vec::new();
        write_header(&mut out);
        write_session(&mut out, "bench", 1_700_000_000_000, 1_700_000_060_000);
        let mut outcome = Ok(());
        let source = Source::open(self.classes())?;
        source.visit_classes(|class| {
            let counted = class.map_err(Failure::from).and_then(|class| {
                let name = class.name.trim_end_matches(".class").to_owned();
                let broken = |why: &dyn std::fmt::Display| Failure::Broken {
                    name: name.clone(),
                    why: why.to_string(),
                };
                let read = ClassFile::read(class.bytes).map_err(|error| broken(&error))?;
                let plan = instrumenter.plan(&read).map_err(|error| broken(&error))?;
                Ok((name, class_id(class.bytes), plan.counts().jacoco as usize))
            });
            self.class_count += 1;
            match counted {
                Err(error) => outcome = Err(error),
                Ok((_, _, 0)) => {}
                Ok((name, id, probes)) if random.u8(0..10) > 0 => {
                    let share = random.u8(1..=10);
                    let hits: Vec<u8> = (0..probes).map(|_| u8::from(random.u8(0..10) < share)).collect();
                    write_class(&mut out, id, name.as_bytes(), &hits);
                }
                Ok(_) => {}
            }
        });
        outcome.map(|()| out)
    }
}

fn unpack(jdk: &Jdk, jar: &Path, folder: &Path) -> Result<(), Failure> {
    let name = || "jar".to_owned();
    fs::create_dir_all(folder).map_err(|error| Failure::Program { name: name(), error })?;
    let arguments: [OsString; 2] = ["xf".into(), jar.into()];
    let status = Command::new(jdk.tool("jar")).args(arguments).current_dir(folder).status();
    let status = status.map_err(|error| Failure::Program { name: name(), error })?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::Broken { name: name(), why: jar.display().to_string() })
    }
}

/// How many files with this extension are in a folder, and in those in it.
fn count_files(folder: &Path, extension: &str) -> usize {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let count = |path: PathBuf| match path.is_dir() {
        true => count_files(&path, extension),
        false => usize::from(path.extension().is_some_and(|own| own == extension)),
    };
    entries.filter_map(Result::ok).map(|entry| count(entry.path())).sum()
}
