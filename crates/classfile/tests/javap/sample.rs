//! Which classes are looked at, and how `javap` is asked about them.
//!
//! The sample is the same on every run: every so-many-th class by name, so that all modules and packages have their
//! share.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use probity_classpath::{EntryKind, ReadBuffer, Source};
use probity_test_support::java::Program;
use probity_toolchain::Jdk;

/// A class of the sample, in a file of its own under a number for its name.
pub(crate) struct SampledClass {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) file: PathBuf,
}

/// Takes about `count` classes of a source, evenly spread over their names, and writes them into a folder.
pub(crate) fn take(source: &Source, count: usize, folder: &std::path::Path) -> Vec<SampledClass> {
    let mut entries: Vec<_> =
        source.entries().iter().filter(|entry| entry.kind() == EntryKind::Class).collect();
    entries.sort_by_key(|entry| entry.name());
    let step = entries.len().div_ceil(count).max(1);
    let mut buffer = ReadBuffer::new();
    let mut sample = Vec::new();
    fs::create_dir_all(folder).expect("a folder for the sample");
    for (position, entry) in entries.iter().step_by(step).enumerate() {
        let bytes = source.read(entry, &mut buffer).expect("a class of the sample").bytes.to_vec();
        let file = folder.join(format!("{position}.class"));
        fs::write(&file, &bytes).expect("a file of the sample");
        sample.push(SampledClass { name: entry.name().to_owned(), bytes, file });
    }
    sample
}

/// What a JDK's `javap` prints about some classes.
pub(crate) fn javap(jdk: &Jdk, classes: &[SampledClass]) -> String {
    let mut program = Program::with(jdk, "com.sun.tools.javap.Main").time_limit(Duration::from_secs(300));
    let settings = [
        "--add-modules=jdk.jdeps",
        // The program ends before the optimising compiler pays off.
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Dfile.encoding=UTF-8",
        "-Dstdout.encoding=UTF-8",
    ];
    for setting in settings {
        program = program.jvm_argument(setting);
    }
    for option in ["-c", "-v", "-p"] {
        program = program.argument(option);
    }
    for class in classes {
        program = program.argument(&class.file);
    }
    program.run_successfully().expect("javap").stdout
}
