//! Runs programs under all variants in turn.

use probity_toolchain::Jdk;

use super::process::{JavaProgram, Run, Variant, run};
use super::programs::Programs;
use crate::failure::Failure;
use crate::statistics::Spread;

/// Runs of one program on one JDK: for each variant (none, ours, JaCoCo) one per round.
pub(super) struct Row {
    pub(super) program: &'static str,
    pub(super) jdk: u32,
    pub(super) runs: [Vec<Run>; 3],
}

impl Row {
    /// The processor time of each variant, for those who wait for the report.
    fn in_short(&self) -> String {
        let seconds = |runs: &Vec<Run>| Spread::of(runs.iter().map(|run| run.cpu));
        self.runs.iter().filter_map(seconds).map(|spread| format!("{spread} s ")).collect()
    }
}

/// All that stays the same while things are measured.
pub(super) struct Bench {
    pub(super) jdks: Vec<Jdk>,
    variants: [Variant; 3],
    programs: Programs,
    folder: tempfile::TempDir,
}

/// How many classes are loaded when loading is measured, and when memory is.
const LOADED_CLASSES: usize = 5_000;
const HELD_CLASSES: usize = 10_000;

/// A heap that is there as a whole from the start, so that only what is outside of it differs.
const FIXED_HEAP: [&str; 4] = ["-XX:+UseSerialGC", "-Xms256m", "-Xmx256m", "-XX:+AlwaysPreTouch"];

impl Bench {
    pub(super) fn new(jdks: Vec<Jdk>, variants: [Variant; 3]) -> Result<Self, Failure> {
        let programs = Programs::prepare(jdks.first().ok_or(Failure::NoInput)?)?;
        let folder =
            tempfile::tempdir().map_err(|error| Failure::Program { name: "tempdir".to_owned(), error })?;
        Ok(Bench { jdks, variants, programs, folder })
    }

    pub(super) fn programs(&self, rounds: usize, part: &str) -> Result<Vec<Row>, Failure> {
        let mut rows = Vec::new();
        for one in self.programs.matching(part)? {
            rows.extend(self.on_all_jdks(one.name, &one.program, rounds, one.prints_the_same)?);
        }
        Ok(rows)
    }

    pub(super) fn startup(&self, rounds: usize) -> Result<Vec<Row>, Failure> {
        self.on_all_jdks("start-up", &self.programs.hello(), rounds, true)
    }

    pub(super) fn loading(&self, rounds: usize) -> Result<Vec<Row>, Failure> {
        self.on_all_jdks("loading", &self.programs.load_classes(LOADED_CLASSES)?, rounds, false)
    }

    pub(super) fn memory(&self, rounds: usize) -> Result<Vec<Row>, Failure> {
        let mut program = self.programs.load_classes(HELD_CLASSES)?;
        program.jvm_arguments = FIXED_HEAP.map(str::to_owned).into();
        self.on_all_jdks("memory", &program, rounds, false)
    }

    fn on_all_jdks(
        &self,
        name: &'static str,
        program: &JavaProgram,
        rounds: usize,
        prints_the_same: bool,
    ) -> Result<Vec<Row>, Failure> {
        self.jdks.iter().map(|jdk| self.row(name, jdk, program, rounds, prints_the_same)).collect()
    }

    /// As many rounds as asked for, each beginning with another variant.
    fn row(
        &self,
        name: &'static str,
        jdk: &Jdk,
        program: &JavaProgram,
        rounds: usize,
        prints_the_same: bool,
    ) -> Result<Row, Failure> {
        let mut row = Row { program: name, jdk: jdk.feature_version(), runs: [const { Vec::new() }; 3] };
        for round in 0..rounds {
            for turn in 0..self.variants.len() {
                let position = (round + turn) % self.variants.len();
                let done = run(jdk, &self.variants[position], program, self.folder.path())?;
                check_recorded(name, &self.variants[position], &done)?;
                row.runs[position].push(done);
            }
        }
        eprintln!("{name} on JDK {}: {}", jdk.feature_version(), row.in_short());
        if prints_the_same { check_same_output(&row) } else { Ok(()) }.map(|()| row)
    }
}

fn check_recorded(program: &str, variant: &Variant, run: &Run) -> Result<(), Failure> {
    if (*variant == Variant::None) == (run.recorded == 0) {
        Ok(())
    } else {
        let why = format!("{variant:?} recorded {} bytes", run.recorded);
        Err(Failure::Broken { name: program.to_owned(), why })
    }
}

/// What the program prints must not depend on the agent.
fn check_same_output(row: &Row) -> Result<(), Failure> {
    let mut printed = row.runs.iter().flatten().map(|run| run.stdout.as_str());
    let first = printed.next().unwrap_or_default();
    match printed.find(|other| *other != first) {
        None => Ok(()),
        Some(other) => Err(Failure::Broken {
            name: row.program.to_owned(),
            why: format!("it printed {first:?} in one run and {other:?} in another"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(stdout: &str, recorded: u64) -> Run {
        Run { wall: 1.0, cpu: 1.0, stdout: stdout.to_owned(), recorded }
    }

    #[test]
    fn a_program_that_prints_something_else_is_no_result() {
        let row = |last| Row {
            program: "p",
            jdk: 17,
            runs: [vec![printed("1", 0)], vec![printed("1", 9)], vec![printed(last, 9)]],
        };
        assert!(check_same_output(&row("1")).is_ok());
        assert!(check_same_output(&row("2")).is_err_and(|failure| failure.to_string().contains("\"2\"")));
    }

    #[test]
    fn an_agent_that_records_nothing_is_no_result() {
        let ours = Variant::Ours("l".into());
        assert!(check_recorded("p", &ours, &printed("", 1)).is_ok());
        assert!(check_recorded("p", &ours, &printed("", 0)).is_err());
        assert!(check_recorded("p", &Variant::None, &printed("", 0)).is_ok());
    }
}
