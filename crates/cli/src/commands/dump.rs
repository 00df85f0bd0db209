//! `probity dump`: asks an agent in a running program for its data.
//!
//! It works with this program's agent and with JaCoCo's. What was received is appended to a file only when all of it
//! has arrived.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use probity_execdata::file;
use probity_execdata::remote::client::{self, DEFAULT_PORT, Target};

use crate::commands::Verdict;
use crate::commands::exec_output::{self, Format};
use crate::error::CliError;
use crate::terminal::Messages;

const PAUSE: Duration = Duration::from_secs(1);

/// The arguments of `probity dump`.
#[derive(Debug, Args)]
#[command(arg_required_else_help = true)]
pub(crate) struct DumpArguments {
    /// The file to write. If it exists, the data is appended to what is in it.
    #[arg(long, value_name = "PATH")]
    destfile: PathBuf,

    /// The host on which the program runs [default: this machine].
    #[arg(long)]
    address: Option<String>,

    /// The port on which the agent listens.
    #[arg(long, default_value_t = DEFAULT_PORT)]
    port: u16,

    /// Let the agent forget its data after it was sent.
    #[arg(long)]
    reset: bool,

    /// How often to try again, after a second each, while nobody answers.
    #[arg(long, value_name = "COUNT", default_value_t = 10)]
    retry: u32,

    /// Print counts as one JSON object.
    #[arg(long)]
    json: bool,

    /// Print nothing on standard output.
    #[arg(long, conflicts_with = "json")]
    quiet: bool,
}

impl DumpArguments {
    fn target(&self) -> Target<'_> {
        let host = self.address.as_deref();
        Target { host, port: self.port, retries: self.retry, pause: PAUSE }
    }

    /// The agent's place, for people.
    fn place(&self) -> String {
        format!("{}:{}", self.address.as_deref().unwrap_or("localhost"), self.port)
    }
}

/// Runs the command.
pub(crate) fn run(
    arguments: &DumpArguments,
    messages: &Messages,
    data: &mut dyn Write,
) -> Result<Verdict, CliError> {
    let place = arguments.place();
    let failed = |error| CliError::Remote { place: place.clone(), error };
    let warn = |error: &std::io::Error| messages.warning(&format_args!("{place}: {error}; trying again"));
    let connection = client::connect(&arguments.target(), warn).map_err(failed)?;
    // What cannot be written must not be asked for: the agent may forget it.
    file::open_for_check(&arguments.destfile, false).map_err(|error| CliError::ExecFiles(vec![error]))?;
    let store = client::request_dump(connection, arguments.reset).map_err(failed)?;
    let counts = exec_output::append(&store, &arguments.destfile)?;
    let format = Format::of(arguments.json, arguments.quiet);
    exec_output::tell(counts, &arguments.destfile, format, &counts, data)?;
    Ok(Verdict::Clean)
}
