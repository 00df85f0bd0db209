//! Why a benchmark gives no figures.
//!
//! There is no such thing as a part of a result: whatever is in here means that nothing is printed as one.

use std::fmt;

use probity_classpath::{EntryError, OpenError};
use probity_test_support::java::JavaError;
use probity_test_support::maven::FetchError;
use probity_toolchain::JdkNotFound;

/// A benchmark could not be run.
#[derive(Debug)]
pub(crate) enum Failure {
    /// There is no JDK to take classes from.
    Jdk(JdkNotFound),
    /// The jars of the corpus cannot be fetched.
    Fetch(FetchError),
    /// A container of classes cannot be opened.
    Open(OpenError),
    /// A class cannot be got out of its container.
    Entry(EntryError),
    /// A Java program cannot be compiled or run.
    Java(JavaError),
    /// A program or file that is needed cannot be used.
    Program {
        /// What is needed.
        name: String,
        /// What the operating system said.
        error: std::io::Error,
    },
    /// A program does not do what it should.
    Broken {
        /// The program.
        name: String,
        /// What it does instead.
        why: String,
    },
    /// There is nothing to measure on.
    NoInput,
    /// A variant came to another count in one round than in the one before.
    Unsteady {
        /// The variant.
        variant: &'static str,
        /// What it counted before and now.
        counts: [u64; 2],
    },
    /// Two variants that should do the same work do not.
    DifferentWork {
        /// The variants.
        variants: [&'static str; 2],
        /// What they counted.
        counts: [u64; 2],
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Jdk(error) => error.fmt(f),
            Failure::Fetch(error) => error.fmt(f),
            Failure::Open(error) => error.fmt(f),
            Failure::Entry(error) => error.fmt(f),
            Failure::Java(error) => error.fmt(f),
            Failure::Program { name, error } => write!(f, "{name}: {error}"),
            Failure::Broken { name, why } => write!(f, "{name} does not work: {why}"),
            Failure::NoInput => f.write_str("there is nothing to measure on"),
            Failure::Unsteady { variant, counts: [before, now] } => {
                write!(f, "`{variant}` counted {before} in one round and {now} in another")
            }
            Failure::DifferentWork { variants: [one, other], counts: [of_one, of_other] } => {
                write!(f, "`{one}` counted {of_one} and `{other}` counted {of_other}: not the same work")
            }
        }
    }
}

impl From<JdkNotFound> for Failure {
    fn from(error: JdkNotFound) -> Self {
        Failure::Jdk(error)
    }
}

impl From<FetchError> for Failure {
    fn from(error: FetchError) -> Self {
        Failure::Fetch(error)
    }
}

impl From<JavaError> for Failure {
    fn from(error: JavaError) -> Self {
        Failure::Java(error)
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        Failure::Open(error)
    }
}

impl From<EntryError> for Failure {
    fn from(error: EntryError) -> Self {
        Failure::Entry(error)
    }
}
