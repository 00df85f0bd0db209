//! A JVM that runs the linking program, the pipes to it, and the watch over it.
//!
//! Threads of their own write requests and read answers, so that neither side ever waits for a full pipe, and so that
//! waiting for an answer can end: a JVM that is silent for too long counts as dead and is killed.

use std::io::{self, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use probity_toolchain::Jdk;
use tempfile::TempDir;

use super::program;
use crate::java::{JavaError, ProgramOutput};

/// How long a JVM may take for one class, or to start and read all classes. Real ones take milliseconds and seconds.
const ANSWER_LIMIT: Duration = Duration::from_secs(120);

/// What is worth setting for a JVM that loads and forgets classes: verification of everything, no profile-guided
/// compilation, no files about a crash, and no warnings, which would stand among the answers.
const SETTINGS: &[&str] = &[
    "-Xverify:all",
    "-Xlog:disable",
    "-Xshare:auto",
    "-XX:TieredStopAtLevel=1",
    "-XX:+UseSerialGC",
    "-Xmx3g",
    "-XX:-UsePerfData",
    "-XX:-CreateCoredumpOnCrash",
    "-XX:+SuppressFatalErrorMessage",
];

/// What the program answers about a class.
#[derive(Debug)]
pub(super) enum Answer {
    Linked,
    Refused { exception: String, message: String },
}

/// A running JVM; it is killed with this value.
#[derive(Debug)]
pub(super) struct Jvm {
    child: Child,
    requests: Sender<Vec<u8>>,
    answers: Receiver<Answer>,
    /// Holds the program while it runs.
    _folder: TempDir,
}

impl Jvm {
    /// Starts a JVM and waits until it answers.
    pub(super) fn start(jdk: &Jdk) -> Result<Self, JavaError> {
        let folder = TempDir::new().map_err(|source| JavaError::Io {
            action: "create a folder in",
            path: std::env::temp_dir(),
            source,
        })?;
        program::write_into(folder.path(), jdk)?;
        let mut command = Command::new(jdk.java());
        command.args(SETTINGS).arg("-classpath").arg(folder.path()).arg(program::MAIN_CLASS);
        command.current_dir(folder.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child =
            command.spawn().map_err(|source| JavaError::Io { action: "run", path: jdk.java(), source })?;
        let (requests, to_write) = channel();
        let (answered, answers) = channel();
        if let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) {
            thread::spawn(move || write_all(stdin, &to_write));
            thread::spawn(move || read_all(BufReader::new(stdout), &answered));
        }
        let mut jvm = Self { child, requests, answers, _folder: folder };
        jvm.greet(jdk)?;
        Ok(jvm)
    }

    /// An empty class file is refused by every JVM; one that says so is there.
    fn greet(&mut self, jdk: &Jdk) -> Result<(), JavaError> {
        self.ask(vec![b'A', 0, 0, 0, 0]);
        if matches!(self.answer(), Some(Answer::Refused { .. })) {
            return Ok(());
        }
        let output = ProgramOutput { exit_code: None, stdout: String::new(), stderr: String::new() };
        Err(JavaError::Failed {
            program: format!("{} on JDK {}", program::MAIN_CLASS, jdk.version()),
            output,
        })
    }

    /// Sends bytes. If the JVM is dead, the answers will be missing.
    pub(super) fn ask(&self, request: Vec<u8>) {
        let _ = self.requests.send(request);
    }

    /// Waits for the next answer; there is none when the JVM is dead or silent.
    pub(super) fn answer(&self) -> Option<Answer> {
        self.answers.recv_timeout(ANSWER_LIMIT).ok()
    }
}

impl Drop for Jvm {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn write_all(mut stdin: ChildStdin, requests: &Receiver<Vec<u8>>) {
    while let Ok(request) = requests.recv() {
        if stdin.write_all(&request).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

/// Ends when the JVM does, or when it sends what is not an answer, and with it the channel.
fn read_all(mut stdout: impl Read, answered: &Sender<Answer>) {
    while let Ok(answer) = read_answer(&mut stdout) {
        if answered.send(answer).is_err() {
            return;
        }
    }
}

fn read_answer(from: &mut impl Read) -> io::Result<Answer> {
    let mut refused = [0];
    from.read_exact(&mut refused)?;
    match refused {
        [0] => Ok(Answer::Linked),
        [1] => Ok(Answer::Refused { exception: read_text(from)?, message: read_text(from)? }),
        _ => Err(io::ErrorKind::InvalidData.into()),
    }
}

fn read_text(from: &mut impl Read) -> io::Result<String> {
    let mut length = [0; 2];
    from.read_exact(&mut length)?;
    let mut text = vec![0; usize::from(u16::from_be_bytes(length))];
    from.read_exact(&mut text)?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
