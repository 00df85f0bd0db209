//! Pieces of the data that commands print, alike in all of them.
//!
//! It writes only where it is told to, and knows nothing of any command.

use std::io::{self, Write};

use serde::Serialize;

use crate::error::CliError;

/// A number with its noun.
pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Writes a value on a line of its own.
pub(crate) fn write_json(data: &mut dyn Write, value: &impl Serialize) -> Result<(), CliError> {
    serde_json::to_writer(&mut *data, value).map_err(io::Error::from)?;
    writeln!(data)?;
    Ok(())
}
