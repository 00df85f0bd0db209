//! The root of the command line.
//!
//! It only names the commands: their arguments are beside their code, one file per command. Comments on these
//! types are the help text, so they speak to users; nothing here may do anything but describe.

use clap::{Parser, Subcommand};

use crate::commands::classinfo::ClassinfoArguments;
use crate::commands::debug::DebugCommand;
use crate::commands::dump::DumpArguments;
use crate::commands::execinfo::ExecinfoArguments;
use crate::commands::merge::MergeArguments;
use crate::commands::report::ReportArguments;

/// Runs only the tests that a change can affect, and still gives full coverage.
#[derive(Debug, Parser)]
#[command(name = "probity", version, arg_required_else_help = true, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0   everything is well
  1   there are findings, such as failures in some classes
  2   the arguments, the input or the output cannot be used
  70  an error in this program";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print where the agent's library is, for a JVM's argument -agentpath.
    AgentPath,
    /// Show how much there is to cover in classes.
    Classinfo(ClassinfoArguments),
    /// Ask an agent in a running program for its data, and append it to an exec file.
    Dump(DumpArguments),
    /// Show what is in exec files.
    #[command(after_help = "Times are in UTC.")]
    Execinfo(ExecinfoArguments),
    /// Add up exec files.
    Merge(MergeArguments),
    /// Write coverage reports from exec files and classes.
    Report(ReportArguments),
    /// Look at the inner workings; for those who maintain this program.
    #[command(subcommand)]
    Debug(DebugCommand),
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
