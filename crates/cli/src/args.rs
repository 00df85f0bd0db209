//! The root of the command line.
//!
//! It only names the commands: their arguments are beside their code, one file per command. Comments on these
//! types are the help text, so they speak to users; nothing here may do anything but describe.

use clap::{Parser, Subcommand};

use crate::commands::affected::AffectedArguments;
use crate::commands::audit::{AUDIT_HELP, AuditArguments};
use crate::commands::check_coverage::{CheckCoverageArguments, RULES_HELP};
use crate::commands::classinfo::ClassinfoArguments;
use crate::commands::debug::DebugCommand;
use crate::commands::dump::DumpArguments;
use crate::commands::execinfo::ExecinfoArguments;
use crate::commands::explain::ExplainArguments;
use crate::commands::matrix::MatrixArguments;
use crate::commands::merge::MergeArguments;
use crate::commands::mvn::MvnArguments;
use crate::commands::recorded_run::RunArguments;
use crate::commands::report::ReportArguments;
use crate::commands::store::StoreCommand;
use crate::commands::trace::TraceCommand;
use crate::commands::verify::VerifyArguments;
use crate::commands::who::WhoArguments;

/// The exit codes of a command, for its help: what it finds, if it has findings, after some other text.
macro_rules! exit_codes {
    ($($before:literal,)? $(findings: $findings:literal)?) => {
        concat!(
            $($before, "\n\n",)?
            "Exit codes:\n  0   everything is well\n",
            $("  1   ", $findings, "\n",)?
            "  2   the arguments, the input or the output cannot be used\n  70  an error in this program"
        )
    };
}

pub(crate) use exit_codes;

/// Runs only the tests that a change can affect, and still gives full coverage.
#[derive(Debug, Parser)]
#[command(
    name = "probity",
    version,
    arg_required_else_help = true,
    after_help = exit_codes!(findings: "there are findings, such as failures in some classes")
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print where the agent's library is, for a JVM's argument -agentpath.
    #[command(after_help = exit_codes!())]
    AgentPath,
    /// Tell whether what tests use depends on the order in which they run.
    #[command(after_help = audit_help())]
    Audit(AuditArguments),
    /// Compare coverage with rules.
    #[command(after_help = check_coverage_help())]
    CheckCoverage(CheckCoverageArguments),
    /// Show how much there is to cover in classes.
    #[command(after_help = exit_codes!(findings: "some classes cannot be used and are missing"))]
    Classinfo(ClassinfoArguments),
    /// Ask an agent in a running program for its data, and append it to an exec file.
    #[command(after_help = exit_codes!())]
    Dump(DumpArguments),
    /// Show what is in exec files.
    #[command(after_help = exit_codes!("Times are in UTC.",))]
    Execinfo(ExecinfoArguments),
    /// Add up exec files.
    #[command(after_help = exit_codes!())]
    Merge(MergeArguments),
    /// Run Maven with the tests that a change can affect, and keep what they used.
    #[command(after_help = "\
Options of this command stand before those of Maven: probity mvn --store DIR clean verify -Dtest=FooTest

No POM is changed. Surefire and Failsafe are known from version 2.22 on; tests of older ones run and are not recorded. Everything that
Maven prints and its exit code are its own. What cannot be recorded costs traces, never the build.

Exit codes:
  that of Maven, or 128 and the number of the signal that ended it
  2   Maven cannot be started
  70  an error in this program")]
    Mvn(MvnArguments),
    /// Write coverage reports from exec files and classes.
    #[command(after_help = exit_codes!(
        "Execution data of another version of a class counts as not executed; a warning says so.",
        findings: "the reports are written, but some classes cannot be used and are missing"
    ))]
    Report(ReportArguments),
    /// Run a program and keep what its test units used.
    #[command(after_help = "\
Everything that the program prints and its exit code are its own. What cannot be recorded costs traces, never the run.

Exit codes:
  that of the program, or 128 and the number of the signal that ended it
  2   the program cannot be started
  70  an error in this program")]
    Run(RunArguments),
    /// Tell which units must run in the tree as it is now, and why. Nothing is run.
    #[command(after_help = exit_codes!("Units that need not run are in the output of --json only.",))]
    Affected(AffectedArguments),
    /// Explain why a unit must run, or on what it rests that it need not.
    #[command(after_help = exit_codes!("Times are in UTC.",))]
    Explain(ExplainArguments),
    /// Run all tests, and compare with what a selection would have said: results, and coverage probe by probe.
    #[command(after_help = exit_codes!(findings: "a unit would have been missed, or a probe told otherwise"))]
    Verify(VerifyArguments),
    /// Show which unit covers what: a line for each probe, a column for each unit.
    #[command(after_help = exit_codes!(
        "Units are those of the newest traces.",
        findings: "of some classes it is not known which probes they have"
    ))]
    Matrix(MatrixArguments),
    /// Look after the folder in which traces are kept.
    #[command(subcommand)]
    Store(StoreCommand),
    /// Show what tests used, as it was recorded.
    #[command(subcommand)]
    Trace(TraceCommand),
    /// Tell which units cover a line or a method.
    #[command(after_help = exit_codes!(
        "Units are asked by the newest trace of each.",
        findings: "of some units nobody knows, since they ran another version of the class"
    ))]
    Who(WhoArguments),
    /// Look at the inner workings; for those who maintain this program.
    #[command(subcommand)]
    Debug(DebugCommand),
}

fn audit_help() -> String {
    let exit_codes = exit_codes!(findings: "there are unexplained differences");
    format!("{AUDIT_HELP}\n\n{exit_codes}")
}

fn check_coverage_help() -> String {
    let exit_codes =
        exit_codes!(findings: "a rule is violated, or some classes cannot be used and are missing");
    format!("{RULES_HELP}\n\n{exit_codes}")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_description_of_the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }
}
