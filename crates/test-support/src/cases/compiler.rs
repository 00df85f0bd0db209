//! A JVM that stays and compiles one program after the other.
//!
//! Starting a compiler takes longer than a case takes to compile, so one is kept warm. It serves one request at a time;
//! if it dies or is silent for too long, every request fails.

use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use probity_toolchain::Jdk;

use super::error::CaseError;

/// The class that has the `main` method.
const MAIN_CLASS: &str = "probity.cases.CompileCases";

/// How long one request may take. Real ones take tens of milliseconds.
const ANSWER_LIMIT: Duration = Duration::from_secs(120);

const SETTINGS: &[&str] = &["-Xshare:auto", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xmx512m"];

/// What the JVM says: nothing when all went well, or else the messages of its tool.
type Answer = Result<(), String>;

/// The running JVM; it is killed with this value.
#[derive(Debug)]
pub(super) struct Compiler {
    child: Child,
    pipes: Mutex<(ChildStdin, Receiver<Answer>)>,
}

impl Compiler {
    /// Starts a JVM with the program in this folder.
    pub(super) fn start(jdk: &Jdk, program: &Path) -> Result<Self, CaseError> {
        let mut command = Command::new(jdk.java());
        command.args(SETTINGS).arg("-classpath").arg(program).arg(MAIN_CLASS);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|source| CaseError::io("run", &jdk.java(), source))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(CaseError::CompilerIsGone);
        };
        let (answered, answers) = channel();
        thread::spawn(move || read_answers(stdout, &answered));
        Ok(Self { child, pipes: Mutex::new((stdin, answers)) })
    }

    /// Runs a tool: the first word is its name, the others are its arguments.
    pub(super) fn ask(&self, words: &[&OsStr]) -> Result<Answer, CaseError> {
        let mut pipes = self.pipes.lock().unwrap_or_else(PoisonError::into_inner);
        let (stdin, answers) = &mut *pipes;
        let sent = stdin.write_all(&request(words)).and_then(|()| stdin.flush());
        sent.map_err(|_| CaseError::CompilerIsGone)?;
        answers.recv_timeout(ANSWER_LIMIT).map_err(|_| CaseError::CompilerIsGone)
    }
}

impl Drop for Compiler {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn request(words: &[&OsStr]) -> Vec<u8> {
    let mut bytes = (words.len() as u32).to_be_bytes().to_vec();
    for word in words {
        let word = word.to_string_lossy();
        bytes.extend((word.len() as u32).to_be_bytes());
        bytes.extend(word.as_bytes());
    }
    bytes
}

/// Ends when the JVM does, and with it the channel.
fn read_answers(mut stdout: impl Read, answered: &Sender<Answer>) {
    while let Ok(answer) = read_answer(&mut stdout) {
        if answered.send(answer).is_err() {
            return;
        }
    }
}

fn read_answer(from: &mut impl Read) -> io::Result<Answer> {
    let mut head = [0; 5];
    from.read_exact(&mut head)?;
    let [failed, length @ ..] = head;
    let mut text = vec![0; u32::from_be_bytes(length) as usize];
    from.read_exact(&mut text)?;
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok(if failed == 0 { Ok(()) } else { Err(text) })
}
