//! `model`: tries the executable model at length, as `cargo xtask model` does.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command, and what it says is for people"
)]

use std::process::ExitCode;

use clap::Parser;
use probity_fuzz::failure::Failure;
use probity_fuzz::model::{Report, hotspot, random, runs_per_second, space, under_agent};
use probity_model::campaign::Plan;

#[derive(Parser)]
#[command(
    name = "cargo xtask model",
    about = "Tries the executable model at length (all parts: about an hour)"
)]
struct Arguments {
    /// How many random programs; if given, other parts are run only if asked for [default: 1000000].
    #[arg(long, value_name = "N")]
    programs: Option<u64>,
    /// All programs of so many classes [default: 3].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=3))]
    classes: Option<u8>,
    /// How many programs are run on each JDK, without and with the agent [default: 3000].
    #[arg(long, value_name = "N")]
    jvm_programs: Option<u64>,
    /// From which the random numbers come.
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many threads.
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Prints one JSON object.
    #[arg(long)]
    json: bool,
}

/// Revisions of each random program, and how seldom laws about every step are tried.
const REVISIONS: usize = 5;
const STEPS_EVERY: u64 = 7;

/// Problems that are worth printing.
const SHOWN: usize = 3;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match run(&arguments) {
        Ok(report) => tell(&report, arguments.json),
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<Report, Failure> {
    let progress = |line: &str| eprintln!("{line}");
    let is_all =
        arguments.programs.is_none() && arguments.classes.is_none() && arguments.jvm_programs.is_none();
    let (seed, threads) = (arguments.seed, arguments.threads.max(1));
    let mut report = Report { seed, ..Report::default() };
    if let Some(programs) = arguments.programs.or(is_all.then_some(1_000_000)) {
        report.runs_per_second = Some(runs_per_second(seed));
        let plan = Plan { seed, revisions: REVISIONS, steps_every: STEPS_EVERY };
        report.random = Some(random(&plan, programs, threads, &progress));
    }
    if let Some(programs) =
        arguments.jvm_programs.or(is_all.then_some(3_000)).filter(|programs| *programs > 0)
    {
        report.hotspot = hotspot(seed, programs, &progress)?;
        report.agent = under_agent(seed, programs, &progress)?;
    }
    if let Some(classes) = arguments.classes.or(is_all.then_some(3)).filter(|classes| *classes > 0) {
        report.space = Some(space(classes, threads, &progress));
    }
    Ok(report)
}

fn tell(report: &Report, is_json: bool) -> ExitCode {
    let problems = report.problems();
    if is_json {
        println!("{:#}", report.json());
    } else {
        print!("{}", report.text());
        println!("\n{} problems", problems.len());
        problems.iter().take(SHOWN).for_each(|problem| println!("{problem}"));
    }
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
