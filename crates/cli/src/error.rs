//! Everything from outside that can stop the command, and the exit code for each.
//!
//! Exit codes are a promise to scripts:
//!
//! | code | meaning |
//! |---|---|
//! | 0 | everything is well, also when nobody reads the output to its end |
//! | 1 | there are findings, such as failures in some classes or a violated coverage rule |
//! | 2 | the arguments, the input or the output cannot be used |
//! | 70 | an error in this program |
//!
//! The same table is in the help of each command and in `docs/exit-codes.md`, with what it means there.
//!
//! A finding is not an error: commands return it as a verdict. This module never decides where text goes.

use std::io;

use probity_classpath::OpenError;
use probity_engine::changed_lines::ChangeError;
use probity_engine::recorded_run::RunError;
use probity_engine::store::StoreError;
use probity_execdata::file::ExecFileError;
use probity_execdata::remote::RemoteError;

use crate::agent_library::AgentLibraryError;
use crate::carried::UnpackError;
use crate::files::WriteError;
use crate::terminal::Messages;

pub(crate) const EXIT_OK: u8 = 0;
pub(crate) const EXIT_FINDINGS: u8 = 1;
pub(crate) const EXIT_UNUSABLE: u8 = 2;
pub(crate) const EXIT_INTERNAL: u8 = 70;

/// Why a command did not come to a verdict.
#[derive(Debug)]
pub(crate) enum CliError {
    /// The arguments are wrong, or ask for help.
    Usage(clap::Error),
    /// Some of the inputs cannot be opened. The others were worked on all the same.
    Inputs(Vec<OpenError>),
    /// The input is of a sort whose classes cannot be rewritten.
    NotRewritable(String),
    /// A file cannot be written.
    File(WriteError),
    /// There is no agent to give to a JVM.
    AgentLibrary(AgentLibraryError),
    /// There is no Maven.
    NoMaven(Vec<String>),
    /// This command was built without what Maven has to load.
    NoExtension(&'static str),
    /// The extension for Maven cannot be unpacked.
    NotUnpacked(UnpackError),
    /// Exec files cannot be read or written.
    ExecFiles(Vec<ExecFileError>),
    /// An agent does not send its data.
    Remote {
        /// Where it is.
        place: String,
        /// What came instead.
        error: RemoteError,
    },
    /// Git cannot say what was changed.
    Changes(ChangeError),
    /// A program cannot be run.
    Run(RunError),
    /// A store cannot be changed or merged.
    Store(StoreError),
    /// What was asked for is not there.
    NotFound {
        /// What.
        what: String,
        /// What there is instead, or what to do.
        hint: String,
    },
    /// Standard output cannot be written.
    Output(io::Error),
    /// This program is wrong.
    Internal(String),
}

impl CliError {
    /// The exit code that goes with the error.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            CliError::Usage(error) if !error.use_stderr() => EXIT_OK,
            CliError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => EXIT_OK,
            CliError::Usage(_)
            | CliError::Inputs(_)
            | CliError::NotRewritable(_)
            | CliError::File(_)
            | CliError::AgentLibrary(_)
            | CliError::NoMaven(_)
            | CliError::NoExtension(_)
            | CliError::NotUnpacked(_)
            | CliError::ExecFiles(_)
            | CliError::Remote { .. }
            | CliError::Changes(_)
            | CliError::Run(_)
            | CliError::Store(_)
            | CliError::NotFound { .. }
            | CliError::Output(_) => EXIT_UNUSABLE,
            CliError::Internal(_) => EXIT_INTERNAL,
        }
    }

    /// Tells the user.
    pub(crate) fn report(&self, messages: &Messages) {
        match self {
            CliError::Usage(error) => messages.clap(error),
            CliError::Inputs(errors) => errors.iter().for_each(|error| messages.error(error, error.hint())),
            CliError::NotRewritable(input) => messages.error(
                &format_args!("{input}: only class files and folders can be rewritten"),
                Some("unpack the archive and give its folder"),
            ),
            CliError::File(error) => messages.error(error, Some(error.hint())),
            CliError::AgentLibrary(error) => messages.error(error, error.hint()),
            CliError::NoMaven(searched) => messages.error(
                &format_args!("no Maven found; looked at {}", searched.join(", ")),
                Some("install Maven, or name its program with --maven"),
            ),
            CliError::NoExtension(missing) => messages.error(
                &format_args!("this command was built without its extension for Maven: {missing}"),
                Some("build it again where a JDK is, after `cargo xtask fetch`"),
            ),
            CliError::NotUnpacked(error) => messages.error(error, Some(error.hint())),
            CliError::ExecFiles(errors) => {
                errors.iter().for_each(|error| messages.error(error, error.hint()));
            }
            CliError::Remote { place, error } => {
                messages.error(&format_args!("{place}: {error}"), Some(error.hint()));
            }
            CliError::Changes(error) => messages.error(error, error.hint()),
            CliError::Run(error) => messages.error(error, Some(error.hint())),
            CliError::Store(error) => messages.error(error, Some(error.hint())),
            CliError::NotFound { what, hint } => messages.error(what, Some(hint)),
            CliError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            CliError::Output(error) => {
                messages.error(&format_args!("standard output: {error}"), Some("is the disk full?"));
            }
            CliError::Internal(what) => messages.error(
                &format_args!("internal error: {what}"),
                Some("this is a bug in this program; please report it with the command and its input"),
            ),
        }
    }
}

impl From<WriteError> for CliError {
    fn from(error: WriteError) -> CliError {
        CliError::File(error)
    }
}

impl From<AgentLibraryError> for CliError {
    fn from(error: AgentLibraryError) -> CliError {
        CliError::AgentLibrary(error)
    }
}

impl From<RunError> for CliError {
    fn from(error: RunError) -> CliError {
        CliError::Run(error)
    }
}

impl From<StoreError> for CliError {
    fn from(error: StoreError) -> CliError {
        CliError::Store(error)
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> CliError {
        CliError::Output(error)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::args::Arguments;

    fn usage(arguments: &[&str]) -> CliError {
        CliError::Usage(Arguments::try_parse_from(arguments).expect_err("stops at the arguments"))
    }

    #[test]
    fn exit_codes_are_those_that_are_promised() {
        assert_eq!(usage(&["probity", "--help"]).exit_code(), 0);
        assert_eq!(usage(&["probity", "--version"]).exit_code(), 0);
        assert_eq!(usage(&["probity", "--no-such-flag"]).exit_code(), 2);
        assert_eq!(CliError::Inputs(Vec::new()).exit_code(), 2);
        assert_eq!(CliError::NotRewritable(String::new()).exit_code(), 2);
        assert_eq!(CliError::ExecFiles(Vec::new()).exit_code(), 2);
        assert_eq!(CliError::Remote { place: String::new(), error: RemoteError::Closed }.exit_code(), 2);
        assert_eq!(CliError::Changes(ChangeError::NoCommit).exit_code(), 2);
        assert_eq!(CliError::NotFound { what: String::new(), hint: String::new() }.exit_code(), 2);
        assert_eq!(CliError::NotUnpacked(UnpackError::NoCacheFolder).exit_code(), 2);
        assert_eq!(CliError::from(io::Error::from(io::ErrorKind::BrokenPipe)).exit_code(), 0);
        assert_eq!(CliError::from(io::Error::from(io::ErrorKind::StorageFull)).exit_code(), 2);
        assert_eq!(CliError::Internal(String::new()).exit_code(), 70);
    }
}
