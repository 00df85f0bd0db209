//! The instrumenter alone, beside JaCoCo's: the same classes in memory, each round in a process of its own, so that the
//! first pass is cold. What is told is the processor time of the one thread that instruments.

use std::path::{Path, PathBuf};
use std::process::Command;

use probity_classfile::{ClassFile, access};
use probity_classpath::Source;
use probity_instrument::{Instrumenter, ProbeRange, class_id};
use probity_test_support::java::{Compilation, Program};
use probity_test_support::tools;
use probity_toolchain::Jdk;

use super::programs::loaded_jars;
use crate::clock::Moment;
use crate::failure::Failure;

/// The arguments of the process that instruments once.
#[derive(clap::Args)]
pub(crate) struct OnceArguments {
    /// A file with classes, as this benchmark writes it.
    classes: PathBuf,
    passes: usize,
}

/// Passes in one process; the first is cold, the last is taken as warm.
const PASSES: usize = 8;
/// As many classes as are taken at most.
const CLASSES: usize = 10_000;

/// Seconds of the first and of the last pass, one of each per round.
#[derive(Debug, Default)]
pub(super) struct Speeds {
    pub(super) name: String,
    pub(super) cold: Vec<f64>,
    pub(super) warm: Vec<f64>,
}

/// What was measured on.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) classes: usize,
    pub(super) bytes: usize,
    pub(super) ours: Speeds,
    pub(super) jacoco: Vec<Speeds>,
}

/// How many classes a pass instrumented, and the seconds that it took.
type Pass = (u64, f64);

/// Measures our instrumenter, which runs in this program, and JaCoCo's.
pub(super) fn measure(ours: &Path, jdks: &[Jdk], rounds: usize) -> Result<Measured, Failure> {
    let file = tempfile::NamedTempFile::new()
        .map_err(|error| Failure::Program { name: "temporary file".to_owned(), error })?;
    let classes = classes()?;
    write_classes(&classes, file.path())?;
    let jacoco = tools::jacoco_class_path()?;
    let source = include_str!("../../../java/InstrumentClasses.java");
    let first = jdks.first().ok_or(Failure::NoInput)?;
    let program =
        Compilation::with(first).release(17).class_path(&jacoco).source("InstrumentClasses.java", source);
    let program = program.compile()?;
    let mut class_path = vec![program.folder()];
    class_path.extend(jacoco);
    let mut measured = Measured {
        classes: classes.len(),
        bytes: classes.iter().map(Vec::len).sum(),
        ours: Speeds { name: "ours".to_owned(), ..Speeds::default() },
        jacoco: jdks.iter().map(Speeds::of_jdk).collect(),
    };
    for _ in 0..rounds {
        let wanted = measured.ours.add(&our_passes(ours, file.path())?, None)?;
        for (jdk, speeds) in jdks.iter().zip(&mut measured.jacoco) {
            speeds.add(&jacoco_passes(jdk, &class_path, file.path())?, Some(wanted))?;
        }
    }
    Ok(measured)
}

impl Speeds {
    fn of_jdk(jdk: &Jdk) -> Self {
        Speeds { name: format!("JaCoCo on JDK {}", jdk.feature_version()), ..Speeds::default() }
    }

    /// Takes the first and the last of the passes, which must all have done the same.
    fn add(&mut self, passes: &[Pass], wanted: Option<u64>) -> Result<u64, Failure> {
        let (Some(first), Some(last)) = (passes.first(), passes.last()) else { return Err(Failure::NoInput) };
        let wanted = wanted.unwrap_or(first.0);
        if let Some(other) = passes.iter().find(|pass| pass.0 != wanted) {
            let why = format!("{} classes were instrumented, not {wanted}", other.0);
            return Err(Failure::Broken { name: self.name.clone(), why });
        }
        self.cold.push(first.1);
        self.warm.push(last.1);
        Ok(wanted)
    }
}

/// Classes of the jars, but for those that JaCoCo leaves alone: module descriptions and what a compiler made up.
fn classes() -> Result<Vec<Vec<u8>>, Failure> {
    let mut classes = Vec::new();
    for jar in loaded_jars()? {
        let mut outcome: Result<(), Failure> = Ok(());
        Source::open(&jar)?.visit_classes(|class| match class {
            Ok(class) if is_left_alone(class.bytes) => {}
            Ok(class) => classes.push(class.bytes.to_vec()),
            Err(error) => outcome = Err(error.into()),
        });
        outcome?;
    }
    classes.truncate(CLASSES);
    Ok(classes)
}

fn is_left_alone(bytes: &[u8]) -> bool {
    ClassFile::read(bytes).is_ok_and(|class| class.access() & (access::MODULE | access::SYNTHETIC) != 0)
}

fn write_classes(classes: &[Vec<u8>], path: &Path) -> Result<(), Failure> {
    let mut content = Vec::new();
    content.extend((classes.len() as u32).to_be_bytes());
    for class in classes {
        content.extend((class.len() as u32).to_be_bytes());
        content.extend(class);
    }
    std::fs::write(path, content).map_err(|error| Failure::Program { name: "classes".to_owned(), error })
}

fn read_classes(path: &Path) -> Result<Vec<Vec<u8>>, Failure> {
    let content =
        std::fs::read(path).map_err(|error| Failure::Program { name: "classes".to_owned(), error })?;
    let number = |rest: &[u8]| rest.first_chunk().map(|bytes| u32::from_be_bytes(*bytes) as usize);
    let mut rest = content.get(4..).unwrap_or_default();
    let mut classes = Vec::new();
    while let Some(length) = number(rest) {
        let (class, after) =
            rest.get(4..).and_then(|rest| rest.split_at_checked(length)).ok_or(Failure::NoInput)?;
        classes.push(class.to_vec());
        rest = after;
    }
    Ok(classes)
}

/// Instruments the classes of a file in several passes and prints what each did.
pub(super) fn run_once(arguments: &OnceArguments) -> Result<String, Failure> {
    let classes = read_classes(&arguments.classes)?;
    let mut lines = String::new();
    let mut instrumenter = Instrumenter::new();
    for _ in 0..arguments.passes {
        let start = Moment::now();
        let count = classes.iter().filter(|class| instrument(&mut instrumenter, class)).count();
        lines += &format!("{count} {}\n", start.elapsed().as_nanos());
    }
    Ok(lines)
}

/// Does all that the agent does with a class but for asking where its probes go.
fn instrument(instrumenter: &mut Instrumenter, bytes: &[u8]) -> bool {
    let id = std::hint::black_box(class_id(bytes));
    let range = ProbeRange {
        holder: "java/lang/ProbityProbes0".to_owned(),
        field: "p".to_owned(),
        start: id as u32 % 9,
    };
    let Ok(class) = ClassFile::read(bytes) else { return false };
    let Ok(plan) = instrumenter.plan(&class) else { return false };
    instrumenter
        .instrument(&class, &plan, &range)
        .is_ok_and(|written| !std::hint::black_box(written).is_empty())
}

fn our_passes(program: &Path, file: &Path) -> Result<Vec<Pass>, Failure> {
    let failed = |error| Failure::Program { name: program.display().to_string(), error };
    let mut command = Command::new(program);
    let output =
        command.arg("agent-instrument").arg(file).arg(PASSES.to_string()).output().map_err(failed)?;
    Ok(passes(&String::from_utf8_lossy(&output.stdout)))
}

fn jacoco_passes(jdk: &Jdk, class_path: &[PathBuf], file: &Path) -> Result<Vec<Pass>, Failure> {
    let program = Program::with(jdk, "InstrumentClasses").class_path(class_path).argument(file);
    let program = program.argument(PASSES.to_string()).time_limit(std::time::Duration::from_secs(600));
    Ok(passes(&program.run_successfully()?.stdout))
}

/// What each line says: how many classes, and how many nanoseconds.
fn passes(printed: &str) -> Vec<Pass> {
    let line = |line: &str| {
        let (count, time) = line.split_once(' ')?;
        Some((count.parse().ok()?, time.parse::<f64>().ok()? / 1e9))
    };
    printed.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_come_back_as_they_were_written() {
        let file = tempfile::NamedTempFile::new().expect("a temporary file");
        let classes = vec![b"one".to_vec(), Vec::new(), b"three".to_vec()];
        write_classes(&classes, file.path()).expect("writes");
        assert_eq!(read_classes(file.path()).expect("reads"), classes);
    }

    #[test]
    fn the_first_pass_is_cold_and_the_last_is_warm_and_all_do_the_same() {
        let mut speeds = Speeds::default();
        let printed = passes("7 3000000000\n7 2000000000\n7 1000000000\n");
        assert_eq!(speeds.add(&printed, None).expect("steady"), 7);
        assert_eq!((speeds.cold.as_slice(), speeds.warm.as_slice()), ([3.0].as_slice(), [1.0].as_slice()));
        assert!(speeds.add(&printed, Some(8)).is_err());
        assert!(speeds.add(&passes("7 1\n6 1\n"), None).is_err());
    }
}
