//! `verify-rewrite`: puts the rewritten corpus before JVMs and prints tables, as `cargo xtask verify-rewrite` does.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command, and what it says is for people"
)]

use std::process::ExitCode;

use probity_fuzz::verify_rewrite::verify_rewrite;

/// Differences that are worth printing.
const SHOWN: usize = 20;

fn main() -> ExitCode {
    match verify_rewrite(&|line| eprintln!("{line}")) {
        Ok(report) => {
            print!("{}", report.tables);
            println!("\n{} differences", report.differences.len());
            report.differences.iter().take(SHOWN).for_each(|difference| println!("{difference}"));
            if report.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}
