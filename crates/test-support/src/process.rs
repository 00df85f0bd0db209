//! Runs a program with its output captured and its time limited.
//!
//! A test that starts a JVM must end even if the JVM does not. The program is killed at its limit, and what it printed
//! until then is kept, because that is what the reader of a failed test wants to see.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// What a program printed, and how it ended: none when it was killed at the limit.
pub(crate) struct Captured {
    pub(crate) status: Option<ExitStatus>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

pub(crate) fn run(command: &mut Command, limit: Duration) -> io::Result<Captured> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn()?;
    let stdout = read_in_background(child.stdout.take());
    let stderr = read_in_background(child.stderr.take());
    let status = wait(&mut child, limit)?;
    Ok(Captured { status, stdout: text_of(stdout), stderr: text_of(stderr) })
}

fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let start = Instant::now();
    let mut pause = FIRST_PAUSE;
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(pause);
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

/// Reads to the end in a thread of its own, so that a program that prints much does not block on a full pipe.
fn read_in_background(stream: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut stream) = stream {
            // What was read before an error is still worth showing; the exit status tells of the failure.
            let _ = stream.read_to_end(&mut bytes);
        }
        bytes
    })
}

fn text_of(reader: JoinHandle<Vec<u8>>) -> String {
    String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
}
