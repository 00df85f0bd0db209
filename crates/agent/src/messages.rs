//! What the agent says to people: lines on standard error, each kind once.
//!
//! The agent must never write to standard output, which belongs to the program and to protocols between build tools and
//! test JVMs, and must never fail because standard error is closed.

use std::collections::HashSet;
use std::fmt;
use std::io::Write;
use std::sync::Mutex;

/// What has been said already.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    said: Mutex<HashSet<&'static str>>,
}

impl Messages {
    /// Says something, unless something of this kind was said before.
    pub(crate) fn once(&self, kind: &'static str, message: &dyn fmt::Display) {
        let new = self.said.lock().map(|mut said| said.insert(kind)).unwrap_or(true);
        if new {
            say(message);
        }
    }
}

/// Writes one line; a standard error that cannot be written to is nobody's fault.
pub(crate) fn say(message: &dyn fmt::Display) {
    // One write for the whole line, so that lines of several threads and processes do not mix.
    let line = format!("probity: {message}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}
