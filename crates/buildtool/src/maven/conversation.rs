//! How the extension asks while Maven runs: over a connection inside the machine, one for each question.
//!
//! A question is three lines: a word that only the extension knows, what is asked, and the name of an execution. An answer is lines, and `end`.
//! Whoever does not know the word gets no answer.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// How long somebody may take to ask.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the extension says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Topic {
    /// An execution is about to start: which test classes need not run?
    Before,
    /// An execution has ended.
    After,
}

/// Listens for questions.
#[derive(Debug)]
pub struct Conversation {
    listener: TcpListener,
    token: String,
    is_over: AtomicBool,
}

impl Conversation {
    /// Listens at a port of this machine that nobody else can reach.
    ///
    /// # Errors
    ///
    /// Fails if there is none.
    pub fn open() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let random = || RandomState::new().build_hasher().finish();
        let token = format!("{:016x}{:016x}", random(), random());
        Ok(Self { listener, token, is_over: AtomicBool::new(false) })
    }

    /// Where to ask, and the word to say.
    ///
    /// # Errors
    ///
    /// Fails if the system does not know the port.
    pub fn address(&self) -> io::Result<(u16, &str)> {
        Ok((self.listener.local_addr()?.port(), &self.token))
    }

    /// Answers until the conversation is closed. Several questions can be open at once, each in a thread of its own.
    pub fn answer(&self, answer: &(impl Fn(Topic, &str) -> Vec<String> + Sync)) {
        thread::scope(|scope| {
            while !self.is_over.load(Ordering::SeqCst) {
                let Ok((stream, _)) = self.listener.accept() else { continue };
                if !self.is_over.load(Ordering::SeqCst) {
                    // Who does not get an answer runs everything.
                    scope.spawn(move || self.answer_one(&stream, answer).ok());
                }
            }
        });
    }

    /// Ends the conversation.
    pub fn close(&self) {
        self.is_over.store(true, Ordering::SeqCst);
        // Wakes the listener.
        let address = self.listener.local_addr();
        let _: io::Result<TcpStream> = address.and_then(TcpStream::connect);
    }

    fn answer_one(&self, stream: &TcpStream, answer: &impl Fn(Topic, &str) -> Vec<String>) -> io::Result<()> {
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut reader = BufReader::new(stream);
        let mut line = || -> io::Result<String> {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            Ok(line.trim_end().to_owned())
        };
        if line()? != self.token {
            return Ok(());
        }
        let topic = match line()?.as_str() {
            "before" => Topic::Before,
            "after" => Topic::After,
            _ => return Ok(()),
        };
        let mut text = String::new();
        for name in answer(topic, &line()?) {
            text.push_str(&name);
            text.push('\n');
        }
        text.push_str("end\n");
        let mut stream = stream;
        stream.write_all(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    fn ask(port: u16, question: &str) -> String {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).expect("connects");
        stream.write_all(question.as_bytes()).expect("asks");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("reads");
        answer
    }

    #[test]
    fn who_knows_the_word_gets_an_answer() {
        let conversation = Conversation::open().expect("opens");
        let (port, token) = conversation.address().expect("an address");
        let answer = |topic: Topic, name: &str| vec![format!("{topic:?} {name}")];
        thread::scope(|scope| {
            scope.spawn(|| conversation.answer(&answer));
            assert_eq!(ask(port, &format!("{token}\nbefore\none\n")), "Before one\nend\n");
            assert_eq!(ask(port, &format!("{token}\nafter\ntwo\n")), "After two\nend\n");
            assert_eq!(ask(port, "guess\nbefore\none\n"), "");
            assert_eq!(ask(port, &format!("{token}\nwhy\none\n")), "");
            conversation.close();
        });
    }
}
