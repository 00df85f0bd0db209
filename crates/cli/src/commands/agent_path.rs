//! `probity agent-path`: prints where the agent's library is, to be put behind `-agentpath:`.

use std::io::Write;

use crate::agent_library;
use crate::commands::Verdict;
use crate::error::CliError;

/// Runs the command.
pub(crate) fn run(data: &mut dyn Write) -> Result<Verdict, CliError> {
    let path = agent_library::path()?;
    data.write_all(path.as_os_str().as_encoded_bytes())?;
    writeln!(data)?;
    data.flush()?;
    Ok(Verdict::Clean)
}
