//! The agent beside JaCoCo's and beside none: what it adds to real programs, to start-up, to loading and to memory, and
//! how fast it instruments.
//!
//! Every figure of a program is that of its whole process, read from outside. Variants take turns, round by round, and a
//! quotient is always of two runs of the same round. A program must print the same under every variant, and an agent must
//! have recorded something, or there is no result.

mod instrumenter;
mod process;
mod programs;
mod report;
mod run;

use std::path::{Path, PathBuf};
use std::process::Command;

use probity_test_support::java::installed_jdks;
use probity_test_support::tools;

pub(crate) use instrumenter::OnceArguments;

use crate::failure::Failure;
use process::Variant;
use run::Bench;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many times each variant of each program is run.
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// How many times the smallest program is run with each variant.
    #[arg(long, default_value_t = 20)]
    starts: usize,
    /// Only these parts.
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Part>,
    /// Only the programs whose names contain this.
    #[arg(long, default_value = "")]
    program: String,
    /// The agent's library, instead of building it.
    #[arg(long)]
    library: Option<PathBuf>,
}

/// What can be measured alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    Programs,
    Startup,
    Loading,
    Memory,
    Instrumenter,
}

pub(crate) fn run(arguments: &Arguments) -> Result<String, Failure> {
    let jdks = installed_jdks();
    if jdks.is_empty() {
        return Err(Failure::NoInput);
    }
    let built = Built::get(arguments.library.clone())?;
    let variants = [Variant::None, Variant::Ours(built.library), Variant::JaCoCo(tools::jacoco_agent()?)];
    let bench = Bench::new(jdks, variants)?;
    let wanted = |part| arguments.only.is_empty() || arguments.only.contains(&part);
    let mut text = report::conditions(&bench.jdks, arguments.rounds);
    if wanted(Part::Startup) {
        text += &report::startup(&bench.startup(arguments.starts)?);
    }
    if wanted(Part::Instrumenter) {
        text += &report::instrumenter(&instrumenter::measure(&built.program, &bench.jdks, arguments.rounds)?);
    }
    if wanted(Part::Loading) {
        text += &report::loading(&bench.loading(arguments.rounds)?);
    }
    if wanted(Part::Memory) {
        text += &report::memory(&bench.memory(arguments.rounds)?);
    }
    if wanted(Part::Programs) {
        text += &report::programs(&bench.programs(arguments.rounds, &arguments.program)?);
    }
    Ok(text)
}

/// Instruments classes in this process, which was started for nothing else.
pub(crate) fn run_once(arguments: &OnceArguments) -> Result<String, Failure> {
    instrumenter::run_once(arguments)
}

/// The agent's library: this one, or built as it is when it is passed on.
pub(super) fn library(given: Option<PathBuf>) -> Result<PathBuf, Failure> {
    Built::get(given).map(|built| built.library)
}

/// The jars whose classes are loaded where many are to be there.
pub(super) fn loaded_jars() -> Result<Vec<PathBuf>, Failure> {
    programs::loaded_jars()
}

/// What is measured, optimised as it is when it is passed on.
struct Built {
    /// The agent's library.
    library: PathBuf,
    /// This program, which instruments in a process of its own.
    program: PathBuf,
}

impl Built {
    /// A library that is there already, with this program as it runs; or both built.
    fn get(library: Option<PathBuf>) -> Result<Self, Failure> {
        let unknown = |error| Failure::Program { name: "this program".to_owned(), error };
        let program = std::env::current_exe().map_err(unknown)?;
        match library {
            Some(library) => Ok(Built { library, program }),
            None => Built::build(&program),
        }
    }

    /// Cargo puts what it builds beside the folder of this program.
    fn build(this_program: &Path) -> Result<Self, Failure> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["build", "--locked", "--profile", "dist"]);
        command.args(["--package", "probity-agent", "--package", "probity-bench"]);
        let status =
            command.status().map_err(|error| Failure::Program { name: "cargo".to_owned(), error })?;
        let library =
            format!("{}probity_agent{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
        let built = this_program.ancestors().nth(2).zip(this_program.file_name()).map(|(target, program)| {
            let folder = target.join("dist");
            Built { library: folder.join(library), program: folder.join(program) }
        });
        let is_there = |built: &Built| status.success() && built.library.is_file() && built.program.is_file();
        built.filter(is_there).ok_or_else(|| Failure::Broken {
            name: "cargo build".to_owned(),
            why: "the agent's library is not there".to_owned(),
        })
    }
}
