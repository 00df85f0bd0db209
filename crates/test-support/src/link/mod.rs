//! Asks a JVM whether it accepts classes: whether it reads, links and so verifies them, without running their code.
//!
//! This is the judge of everything that writes class files, so it must never be kinder than a real JVM: all classes are
//! verified, wherever they come from. [`link_together`] is for whole libraries, whose classes refer to each other;
//! [`LinkServer`] is for very many questions about single classes, and survives a JVM that does not.

mod jvm;
mod program;

use std::fmt;

use probity_toolchain::Jdk;

use crate::java::JavaError;
use jvm::{Answer, Jvm};

/// A class that a JVM is asked about.
#[derive(Debug, Clone, Copy)]
pub struct GivenClass<'a> {
    /// The internal name, such as `org/example/Main$1`.
    pub name: &'a str,
    /// The class file.
    pub bytes: &'a [u8],
}

/// What a JVM says about a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkResult {
    /// The class was linked.
    Linked,
    /// The class was refused.
    Refused {
        /// The name of the exception's class.
        exception: String,
        /// The start of its message.
        message: String,
    },
    /// The class belongs to a package in which no class can be defined, and the JVM was not asked.
    Skipped,
    /// The JVM died or did not answer.
    Crashed,
}

impl LinkResult {
    /// Whether the class was linked.
    #[must_use]
    pub fn is_linked(&self) -> bool {
        *self == LinkResult::Linked
    }

    /// Whether a JVM says the same about two forms of a class. Messages may differ: they name places in the code.
    #[must_use]
    pub fn agrees_with(&self, other: &LinkResult) -> bool {
        match (self, other) {
            (LinkResult::Refused { exception, .. }, LinkResult::Refused { exception: other, .. }) => {
                exception == other
            }
            _ => self == other,
        }
    }
}

impl fmt::Display for LinkResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinkResult::Linked => f.write_str("linked"),
            LinkResult::Refused { exception, message } => write!(f, "{exception}: {message}"),
            LinkResult::Skipped => f.write_str("skipped"),
            LinkResult::Crashed => f.write_str("the JVM crashed or did not answer"),
        }
    }
}

impl From<Answer> for LinkResult {
    fn from(answer: Answer) -> Self {
        match answer {
            Answer::Linked => LinkResult::Linked,
            Answer::Refused { exception, message } => LinkResult::Refused { exception, message },
        }
    }
}

/// Links classes with each other, in one loader that prefers them to those of the platform, in the order in which they
/// are given. If the JVM dies, the class that it died of and all behind it are [`LinkResult::Crashed`].
///
/// # Errors
///
/// Fails when the JVM cannot be started.
pub fn link_together(jdk: &Jdk, classes: &[GivenClass<'_>]) -> Result<Vec<LinkResult>, JavaError> {
    let can_be_defined = |class: &&GivenClass<'_>| !class.name.starts_with("java/");
    let asked: Vec<GivenClass<'_>> = classes.iter().filter(can_be_defined).copied().collect();
    let jvm = Jvm::start(jdk)?;
    jvm.ask(request_of_many(b'T', &asked));
    let mut answers = (0..asked.len()).map_while(|_| jvm.answer()).map(LinkResult::from).fuse();
    let results = classes.iter().map(|class| {
        if can_be_defined(&class) {
            answers.next().unwrap_or(LinkResult::Crashed)
        } else {
            LinkResult::Skipped
        }
    });
    Ok(results.collect())
}

/// A JVM that links classes one by one, each in a loader of its own. It is started again when it dies.
#[derive(Debug)]
pub struct LinkServer {
    jdk: Jdk,
    /// The request that tells a new JVM of the classes that others may refer to.
    base: Vec<u8>,
    jvm: Jvm,
    restarts: usize,
}

impl LinkServer {
    /// Starts a JVM.
    ///
    /// # Errors
    ///
    /// Fails when the JVM cannot be started.
    pub fn start(jdk: &Jdk) -> Result<Self, JavaError> {
        Self::start_with_base(jdk, &[])
    }

    /// Starts a JVM with classes that those which it will be asked about may refer to.
    ///
    /// # Errors
    ///
    /// Fails when the JVM cannot be started.
    pub fn start_with_base(jdk: &Jdk, base: &[GivenClass<'_>]) -> Result<Self, JavaError> {
        let base = if base.is_empty() { Vec::new() } else { request_of_many(b'B', base) };
        let jvm = Jvm::start(jdk)?;
        jvm.ask(base.clone());
        Ok(Self { jdk: jdk.clone(), base, jvm, restarts: 0 })
    }

    /// How often the JVM died so far.
    #[must_use]
    pub fn restarts(&self) -> usize {
        self.restarts
    }

    /// What the JVM says about each of these classes. To ask about many at once is much faster.
    ///
    /// # Errors
    ///
    /// Fails when the JVM died and cannot be started again.
    pub fn link_alone<C: AsRef<[u8]>>(&mut self, classes: &[C]) -> Result<Vec<LinkResult>, JavaError> {
        let mut results = Vec::with_capacity(classes.len());
        while results.len() < classes.len() {
            let left = classes.get(results.len()..).unwrap_or_default();
            self.jvm.ask(request_of_each(left));
            let answers = left.iter().map_while(|_| self.jvm.answer());
            results.extend(answers.map(LinkResult::from));
            if results.len() < classes.len() {
                results.push(LinkResult::Crashed);
                self.restart()?;
            }
        }
        Ok(results)
    }

    /// Makes the JVM end, as a crash would, so that the way back can be tested.
    pub fn end_the_jvm(&mut self) {
        // Nothing that the program understands.
        self.jvm.ask(vec![b'!']);
    }

    fn restart(&mut self) -> Result<(), JavaError> {
        self.restarts += 1;
        self.jvm = Jvm::start(&self.jdk)?;
        self.jvm.ask(self.base.clone());
        Ok(())
    }
}

fn request_of_many(kind: u8, classes: &[GivenClass<'_>]) -> Vec<u8> {
    let mut request = vec![kind];
    request.extend((classes.len() as u32).to_be_bytes());
    for class in classes {
        push_bytes(class.name.replace('/', ".").as_bytes(), &mut request);
        push_bytes(class.bytes, &mut request);
    }
    request
}

fn request_of_each<C: AsRef<[u8]>>(classes: &[C]) -> Vec<u8> {
    let mut request = Vec::new();
    for class in classes {
        request.push(b'A');
        push_bytes(class.as_ref(), &mut request);
    }
    request
}

fn push_bytes(bytes: &[u8], request: &mut Vec<u8>) {
    request.extend((bytes.len() as u32).to_be_bytes());
    request.extend(bytes);
}
