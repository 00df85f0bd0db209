//! Where execution data goes: a file, whoever connects, a server, or nowhere.
//!
//! A destination that does not work costs the data and a line on standard error, never the program.

mod file;
mod remote;

use crate::options::{self, Options};
use std::sync::Arc;

/// What outputs ask of the recorder, from any thread.
pub(crate) trait DataSource: Send + Sync {
    /// The session and all classes with hits, without a header; nothing if the JVM cannot be asked any more.
    fn data(&self, reset: bool) -> Option<Vec<u8>>;
    /// Forgets what the probes saw.
    fn reset(&self);
}

/// A destination.
#[derive(Debug)]
pub(crate) enum Output {
    File(file::FileOutput),
    Remote(Arc<remote::Remote>),
    Nowhere,
}

impl Output {
    /// Opens the destination early, so that what does not work is said at the start.
    pub(crate) fn open(options: &Options) -> Self {
        match options.output {
            options::Output::File => Self::File(file::FileOutput::open(options)),
            options::Output::TcpServer | options::Output::TcpClient => {
                Self::Remote(Arc::new(remote::Remote::new(options)))
            }
            options::Output::None => Self::Nowhere,
        }
    }

    /// Starts to answer requests, where the destination makes any.
    pub(crate) fn start(&self, source: &Arc<dyn DataSource>) {
        if let Self::Remote(remote) = self {
            remote.start(source);
        }
    }

    /// Writes what was recorded when the JVM ends.
    pub(crate) fn write_at_exit(&self, data: &[u8]) {
        match self {
            Self::File(file) => file.write(data),
            Self::Remote(remote) => remote.send_at_exit(data),
            Self::Nowhere => {}
        }
    }
}
