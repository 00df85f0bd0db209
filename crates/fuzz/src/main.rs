//! `probity-fuzz TARGET`: runs fuzz targets from the command line, as `cargo xtask fuzz` does.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command, and what it says is for people"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use probity_fuzz::failure::Failure;
use probity_fuzz::jury::Jury;
use probity_fuzz::mutate::{Damager, Mutator};
use probity_fuzz::run::{Counts, Plan, Target, replay, replay_hint, run};
use probity_fuzz::seeds;
use probity_fuzz::store_files::StoreFiles;
use probity_fuzz::targets::Verdict;
use probity_test_support::java::installed_jdks;
use probity_toolchain::Jdk;

/// Classes that are taken from each JDK and jar.
const SEEDS_OF_EACH: usize = 500;

#[derive(Parser)]
#[command(name = "cargo xtask fuzz", about = "Tries Probity on damaged files")]
struct Arguments {
    /// What is tried.
    #[arg(value_enum, default_value = "all")]
    target: Name,
    /// For how long each target is run, on each JDK if it needs one.
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u64,
    /// About how many cases each target is run for, if the time is not over before.
    #[arg(long, value_name = "N")]
    cases: Option<u64>,
    /// From which the random numbers come.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many threads.
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Looks at one file instead.
    #[arg(long, value_name = "FILE")]
    replay: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Name {
    /// What is read and written again is the same.
    Roundtrip,
    /// No input does harm.
    Hostile,
    /// What a JVM links is read.
    Accepts,
    /// What a JVM links it links after rewriting, too.
    Rewrite,
    /// No file of a store does harm, and what is read of it is what it says.
    Store,
    /// All of these.
    All,
}

impl Name {
    fn targets(self) -> Vec<Target> {
        match self {
            Name::Roundtrip => vec![Target::Roundtrip],
            Name::Hostile => vec![Target::Hostile],
            Name::Accepts => vec![Target::Accepts],
            Name::Rewrite => vec![Target::Rewrite],
            Name::Store => vec![Target::Store],
            Name::All => Target::ALL.to_vec(),
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match &arguments.replay {
        Some(file) => replay_file(&arguments, file),
        None => run_targets(&arguments),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Runs each target on what it needs: once, or once for each JDK. Says whether nothing failed.
fn run_targets(arguments: &Arguments) -> Result<bool, Failure> {
    let jdks = installed_jdks();
    let targets = arguments.target.targets();
    let needs_classes = targets.iter().any(|target| *target != Target::Store);
    let seeds = if needs_classes { seeds::load(&jdks, SEEDS_OF_EACH)? } else { Vec::new() };
    let plan = Plan {
        time: Some(Duration::from_secs(arguments.seconds)),
        cases: arguments.cases,
        seed: arguments.seed,
        threads: arguments.threads,
        failures: Path::new("target").join("fuzz-failures"),
    };
    let mut nothing_failed = true;
    for target in targets {
        for jury in juries(target, &jdks)? {
            let seeds = match &jury {
                Some(jury) => jury.linked(&seeds)?,
                None => seeds.clone(),
            };
            let damager: Box<dyn Damager> = if target == Target::Store {
                Box::new(StoreFiles::new())
            } else {
                let mutator = Mutator::new(seeds);
                eprintln!("{}: {} classes to damage", target.name(), mutator.seeds());
                Box::new(mutator)
            };
            let counts = run(target, damager.as_ref(), jury.as_ref(), &plan, &|line| eprintln!("{line}"))?;
            println!("{}", summary(target, jury.as_ref(), &counts));
            for (file, _) in &counts.failures {
                println!("  {}", replay_hint(target, file));
            }
            nothing_failed &= counts.failures.is_empty();
        }
    }
    Ok(nothing_failed)
}

/// Who judges a target: a JVM of each JDK, or nobody but the target itself.
fn juries(target: Target, jdks: &[Jdk]) -> Result<Vec<Option<Jury>>, Failure> {
    if target.needs_jvm() {
        jdks.iter().map(|jdk| Jury::new(jdk.clone()).map(Some)).collect()
    } else {
        Ok(vec![None])
    }
}

fn summary(target: Target, jury: Option<&Jury>, counts: &Counts) -> String {
    let judge = jury.map_or(String::new(), |jury| format!(" on JDK {}", jury.jdk().version()));
    format!(
        "{}{judge}: {} cases, {} judged and right, {} refused, {} failures, {} crashes of the JVM",
        target.name(),
        counts.cases,
        counts.right,
        counts.refused,
        counts.failures.len(),
        counts.crashes
    )
}

fn replay_file(arguments: &Arguments, file: &Path) -> Result<bool, Failure> {
    let bytes = fs::read(file)?;
    let jdks = installed_jdks();
    let mut nothing_failed = true;
    for target in arguments.target.targets() {
        for jury in juries(target, &jdks)? {
            let verdict = replay(target, jury.as_ref(), &bytes)?;
            println!("{}: {verdict:?}", target.name());
            nothing_failed &= !matches!(verdict, Verdict::Wrong(_));
        }
    }
    Ok(nothing_failed)
}
