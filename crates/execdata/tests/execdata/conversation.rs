//! A Java program that is asked and answers line by line.
//!
//! It is killed when a test ends, however it ends. A program that does not answer fails the test instead of stopping it.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use probity_test_support::java::{Compilation, CompiledClasses};
use probity_toolchain::Jdk;

/// How long a program may take for one answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running Java program.
pub(crate) struct Conversation {
    child: Child,
    requests: ChildStdin,
    answers: Receiver<String>,
    _classes: CompiledClasses,
}

impl Conversation {
    /// Compiles a program from `tests/java` and starts it.
    pub(crate) fn start(jdk: &Jdk, name: &str, class_path: &[PathBuf], argument: &OsStr) -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java").join(format!("{name}.java"));
        let classes = Compilation::with(jdk).release(8).class_path(class_path).file(source).compile();
        let classes = classes.unwrap_or_else(|error| panic!("{error}"));
        let entries = class_path.iter().cloned().chain([classes.folder()]);
        let mut child = Command::new(jdk.java())
            .args(["-Xmx300m", "-XX:+UseSerialGC", "-classpath"])
            .arg(std::env::join_paths(entries).expect("plain paths"))
            .arg(name)
            .arg(argument)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("starts");
        let (sender, answers) = channel();
        let output = BufReader::new(child.stdout.take().expect("is piped"));
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let requests = child.stdin.take().expect("is piped");
        Conversation { child, requests, answers, _classes: classes }
    }

    /// Sends something without waiting for an answer.
    pub(crate) fn send(&mut self, request: &str) {
        self.requests.write_all(request.as_bytes()).expect("listens");
        self.requests.flush().expect("listens");
    }

    /// Waits for the next answer.
    pub(crate) fn answer(&mut self) -> String {
        self.answers.recv_timeout(PATIENCE).expect("answers")
    }

    /// Sends something and waits for the answer.
    pub(crate) fn ask(&mut self, request: &str) -> String {
        self.send(request);
        self.answer()
    }

    /// Whether there is no answer for some time.
    pub(crate) fn is_silent_for(&mut self, time: Duration) -> bool {
        matches!(self.answers.recv_timeout(time), Err(RecvTimeoutError::Timeout))
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
