//! What is in the frames.
//!
//! Classes and facts are numbered when they are first written, and named by number from then on; a message never names a
//! number that stands behind it.

use crate::bytes::{Bytes, Malformed, put_bytes, put_list, put_number, put_optional};

/// One frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// The first: what JVM this is.
    Start(StartMessage),
    /// A class was loaded.
    Class(ClassMessage),
    /// Something was seen for the first time.
    Fact {
        /// The number of the fact.
        number: u32,
        /// What it is.
        fact: Fact,
    },
    /// A static initialiser, or another thing that happens once in a JVM, has run.
    Once {
        /// The class to which it belongs.
        class: u32,
        /// What was used while it ran.
        used: Used,
    },
    /// A part of a unit has run. A unit counts once it is among those of a `Done`.
    Unit(UnitMessage),
    /// What was used outside all units since the last such message.
    Outside(Used),
    /// Units have ended.
    Done {
        /// Their numbers.
        units: Vec<u32>,
    },
    /// The JVM has ended by itself.
    End,
}

/// What JVM this is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartMessage {
    /// The agent's own version.
    pub agent: Vec<u8>,
    /// When the JVM started, in milliseconds since 1970.
    pub started: u64,
    /// The process.
    pub process: u32,
    /// The working directory.
    pub directory: Vec<u8>,
    /// The command line of the process.
    pub arguments: Vec<Vec<u8>>,
    /// The system properties with which the JVM started, by key.
    pub properties: Vec<(Vec<u8>, Vec<u8>)>,
    /// The environment variables with which it started.
    pub variables: Vec<(Vec<u8>, Vec<u8>)>,
}

/// A class that was loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassMessage {
    /// The number of the class.
    pub number: u32,
    /// The internal name, in modified UTF-8.
    pub name: Vec<u8>,
    /// JaCoCo's id of the bytes as they came.
    pub id: u64,
    /// How many bytes there are.
    pub length: u32,
    /// How many probes of JaCoCo's it has.
    pub probes: u32,
    /// How many entry probes follow them.
    pub entry_probes: u32,
    /// Why it has no probes although it should have some.
    pub not_recorded: Option<Vec<u8>>,
    /// Where it comes from.
    pub origin: Origin,
}

/// Where a class comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A folder or an archive, as a URL.
    Location(Vec<u8>),
    /// Nowhere that could be named: it was made while the program ran. These are its bytes.
    Made(Vec<u8>),
    /// Somewhere, as it says of itself; but it was the program that gave the JVM its bytes, and nobody knows where they are
    /// from.
    Claimed {
        /// The folder or archive, as a URL.
        location: Vec<u8>,
        /// The bytes.
        bytes: Vec<u8>,
    },
}

/// Something that was used and is no code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// A class was linked, for whatever reason.
    Linked(u32),
    /// A class was looked at by reflection or a similar means, so its structure counts.
    Inspected(u32),
    /// A class was looked for by name.
    Named(Vec<u8>),
    /// A class was named by code that is not recorded, such as that of a hidden class.
    UsedByHidden(Vec<u8>),
    /// A file was opened for reading.
    FileRead(Vec<u8>),
    /// A file was asked for its existence or attributes.
    FileTested(Vec<u8>),
    /// The entries of a folder were asked for.
    FolderListed(Vec<u8>),
    /// A file was opened for writing, made, moved or deleted.
    FileWritten(Vec<u8>),
    /// A resource was looked for by name.
    Resource(Vec<u8>),
    /// A system property was read.
    Property {
        /// The key.
        name: Vec<u8>,
        /// The value with which the JVM started.
        value: Option<Vec<u8>>,
    },
    /// All system properties were read.
    AllProperties,
    /// An environment variable was read.
    Variable {
        /// The name.
        name: Vec<u8>,
        /// The value.
        value: Option<Vec<u8>>,
    },
    /// All environment variables were read.
    AllVariables,
    /// A process was started.
    ChildProcess,
    /// A stack trace was read, so lines and names of source files count.
    StackTrace,
    /// Something that the agent could not follow, in words.
    Unknown(Vec<u8>),
    /// A system property was set or removed; nothing for all of them.
    PropertyWritten(Option<Vec<u8>>),
    /// Something was set that everybody in the JVM shares, such as the default locale, in words.
    SharedWritten(Vec<u8>),
}

/// What was used in some stretch of time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Used {
    /// The probes that were hit: the number of the class, and a bit for each probe, the first in the lowest bit.
    pub hits: Vec<(u32, Vec<u8>)>,
    /// The numbers of facts, ascending.
    pub facts: Vec<u32>,
    /// Those of them that named a class that was not there.
    pub absent: Vec<u32>,
}

/// A part of a unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitMessage {
    /// The number of the unit.
    pub number: u32,
    /// Its name: that of a test class, with dots.
    pub name: Vec<u8>,
    /// The framework that ran it.
    pub framework: Vec<u8>,
    /// When this part began, in milliseconds since 1970.
    pub began: u64,
    /// How long it took, in microseconds.
    pub micros: u64,
    /// The units that ran at the same time.
    pub overlaps: Vec<u32>,
    /// The units inside which it ran, such as suites.
    pub inside: Vec<u32>,
    /// Whether tests ran in this part, to their end or not; otherwise it was only prepared.
    pub has_run: bool,
    /// How many threads that were started in this part were still running at its end.
    pub threads_left: u32,
    /// The tests that ended in this part.
    pub tests: Vec<TestMessage>,
    /// What it used.
    pub used: Used,
}

/// A test of a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestMessage {
    /// The framework's name of it.
    pub id: Vec<u8>,
    /// How it ended.
    pub outcome: TestOutcome,
    /// How long it took, in microseconds.
    pub micros: u64,
}

/// How a test ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestOutcome {
    /// As it should.
    Passed,
    /// With a failure or an error.
    Failed,
    /// It was not run, or an assumption did not hold.
    Skipped,
}

impl Message {
    /// Appends the message.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Start(start) => {
                out.push(1);
                start.write(out);
            }
            Self::Class(class) => {
                out.push(2);
                class.write(out);
            }
            Self::Fact { number, fact } => {
                out.push(3);
                put_number(out, u64::from(*number));
                fact.write(out);
            }
            Self::Once { class, used } => {
                out.push(4);
                put_number(out, u64::from(*class));
                used.write(out);
            }
            Self::Unit(unit) => {
                out.push(5);
                unit.write(out);
            }
            Self::Outside(used) => {
                out.push(6);
                used.write(out);
            }
            Self::Done { units } => {
                out.push(7);
                put_numbers(out, units);
            }
            Self::End => out.push(8),
        }
    }

    /// Reads a message that takes all of the bytes.
    pub fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut bytes = Bytes::new(bytes);
        let message = match bytes.byte()? {
            1 => Self::Start(StartMessage::read(&mut bytes)?),
            2 => Self::Class(ClassMessage::read(&mut bytes)?),
            3 => Self::Fact { number: bytes.small()?, fact: Fact::read(&mut bytes)? },
            4 => Self::Once { class: bytes.small()?, used: Used::read(&mut bytes)? },
            5 => Self::Unit(UnitMessage::read(&mut bytes)?),
            6 => Self::Outside(Used::read(&mut bytes)?),
            7 => Self::Done { units: bytes.list(Bytes::small)? },
            8 => Self::End,
            other => return Err(Malformed::UnknownTag(u64::from(other))),
        };
        bytes.end()?;
        Ok(message)
    }
}

fn put_numbers(out: &mut Vec<u8>, numbers: &[u32]) {
    put_list(out, numbers.iter(), |out, &number| put_number(out, u64::from(number)));
}

impl StartMessage {
    fn write(&self, out: &mut Vec<u8>) {
        put_bytes(out, &self.agent);
        put_number(out, self.started);
        put_number(out, u64::from(self.process));
        put_bytes(out, &self.directory);
        put_list(out, self.arguments.iter(), |out, argument| put_bytes(out, argument));
        for settings in [&self.properties, &self.variables] {
            put_list(out, settings.iter(), |out, (key, value)| {
                put_bytes(out, key);
                put_bytes(out, value);
            });
        }
    }

    fn read(bytes: &mut Bytes<'_>) -> Result<Self, Malformed> {
        let settings = |bytes: &mut Bytes<'_>| {
            bytes.list(|bytes| Ok((bytes.bytes()?.to_vec(), bytes.bytes()?.to_vec())))
        };
        Ok(Self {
            agent: bytes.bytes()?.to_vec(),
            started: bytes.number()?,
            process: bytes.small()?,
            directory: bytes.bytes()?.to_vec(),
            arguments: bytes.list(|bytes| bytes.bytes().map(<[u8]>::to_vec))?,
            properties: settings(bytes)?,
            variables: settings(bytes)?,
        })
    }
}

impl ClassMessage {
    fn write(&self, out: &mut Vec<u8>) {
        put_number(out, u64::from(self.number));
        put_bytes(out, &self.name);
        out.extend(self.id.to_be_bytes());
        for number in [self.length, self.probes, self.entry_probes] {
            put_number(out, u64::from(number));
        }
        put_optional(out, self.not_recorded.as_deref());
        match &self.origin {
            Origin::Location(url) => {
                out.push(0);
                put_bytes(out, url);
            }
            Origin::Made(class) => {
                out.push(1);
                put_bytes(out, class);
            }
            Origin::Claimed { location, bytes } => {
                out.push(2);
                put_bytes(out, location);
                put_bytes(out, bytes);
            }
        }
    }

    fn read(bytes: &mut Bytes<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            number: bytes.small()?,
            name: bytes.bytes()?.to_vec(),
            id: u64::from_be_bytes(*bytes.take(8)?.first_chunk().ok_or(Malformed::TooShort)?),
            length: bytes.small()?,
            probes: bytes.small()?,
            entry_probes: bytes.small()?,
            not_recorded: bytes.optional()?.map(<[u8]>::to_vec),
            origin: match bytes.byte()? {
                0 => Origin::Location(bytes.bytes()?.to_vec()),
                1 => Origin::Made(bytes.bytes()?.to_vec()),
                2 => Origin::Claimed { location: bytes.bytes()?.to_vec(), bytes: bytes.bytes()?.to_vec() },
                other => return Err(Malformed::UnknownTag(u64::from(other))),
            },
        })
    }
}

impl Fact {
    fn write(&self, out: &mut Vec<u8>) {
        let mut tagged = |tag: u8, bytes: &[u8]| {
            out.push(tag);
            put_bytes(out, bytes);
        };
        match self {
            Self::Named(name) => tagged(3, name),
            Self::UsedByHidden(name) => tagged(4, name),
            Self::FileRead(path) => tagged(5, path),
            Self::FileTested(path) => tagged(6, path),
            Self::FolderListed(path) => tagged(7, path),
            Self::FileWritten(path) => tagged(8, path),
            Self::Resource(name) => tagged(9, name),
            Self::Unknown(what) => tagged(16, what),
            Self::SharedWritten(what) => tagged(18, what),
            Self::PropertyWritten(name) => {
                out.push(17);
                put_optional(out, name.as_deref());
            }
            Self::Linked(class) | Self::Inspected(class) => {
                out.push(if matches!(self, Self::Linked(_)) { 1 } else { 2 });
                put_number(out, u64::from(*class));
            }
            Self::Property { name, value } | Self::Variable { name, value } => {
                tagged(if matches!(self, Self::Property { .. }) { 10 } else { 12 }, name);
                put_optional(out, value.as_deref());
            }
            Self::AllProperties => out.push(11),
            Self::AllVariables => out.push(13),
            Self::ChildProcess => out.push(14),
            Self::StackTrace => out.push(15),
        }
    }

    fn read(bytes: &mut Bytes<'_>) -> Result<Self, Malformed> {
        let tag = bytes.byte()?;
        let mut text = || bytes.bytes().map(<[u8]>::to_vec);
        Ok(match tag {
            3 => Self::Named(text()?),
            4 => Self::UsedByHidden(text()?),
            5 => Self::FileRead(text()?),
            6 => Self::FileTested(text()?),
            7 => Self::FolderListed(text()?),
            8 => Self::FileWritten(text()?),
            9 => Self::Resource(text()?),
            16 => Self::Unknown(text()?),
            18 => Self::SharedWritten(text()?),
            17 => Self::PropertyWritten(bytes.optional()?.map(<[u8]>::to_vec)),
            1 => Self::Linked(bytes.small()?),
            2 => Self::Inspected(bytes.small()?),
            10 => Self::Property { name: text()?, value: bytes.optional()?.map(<[u8]>::to_vec) },
            12 => Self::Variable { name: text()?, value: bytes.optional()?.map(<[u8]>::to_vec) },
            11 => Self::AllProperties,
            13 => Self::AllVariables,
            14 => Self::ChildProcess,
            15 => Self::StackTrace,
            other => return Err(Malformed::UnknownTag(u64::from(other))),
        })
    }
}

impl Used {
    fn write(&self, out: &mut Vec<u8>) {
        put_list(out, self.hits.iter(), |out, (class, bits)| {
            put_number(out, u64::from(*class));
            put_bytes(out, bits);
        });
        put_numbers(out, &self.facts);
        put_numbers(out, &self.absent);
    }

    fn read(bytes: &mut Bytes<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            hits: bytes.list(|bytes| Ok((bytes.small()?, bytes.bytes()?.to_vec())))?,
            facts: bytes.list(Bytes::small)?,
            absent: bytes.list(Bytes::small)?,
        })
    }

    /// Whether nothing was used.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hits.is_empty() && self.facts.is_empty()
    }
}

impl UnitMessage {
    fn write(&self, out: &mut Vec<u8>) {
        put_number(out, u64::from(self.number));
        put_bytes(out, &self.name);
        put_bytes(out, &self.framework);
        put_number(out, self.began);
        put_number(out, self.micros);
        put_numbers(out, &self.overlaps);
        put_numbers(out, &self.inside);
        out.push(u8::from(self.has_run));
        put_number(out, u64::from(self.threads_left));
        put_list(out, self.tests.iter(), |out, test| {
            put_bytes(out, &test.id);
            out.push(match test.outcome {
                TestOutcome::Passed => 0,
                TestOutcome::Failed => 1,
                TestOutcome::Skipped => 2,
            });
            put_number(out, test.micros);
        });
        self.used.write(out);
    }

    fn read(bytes: &mut Bytes<'_>) -> Result<Self, Malformed> {
        Ok(Self {
            number: bytes.small()?,
            name: bytes.bytes()?.to_vec(),
            framework: bytes.bytes()?.to_vec(),
            began: bytes.number()?,
            micros: bytes.number()?,
            overlaps: bytes.list(Bytes::small)?,
            inside: bytes.list(Bytes::small)?,
            has_run: bytes.flag()?,
            threads_left: bytes.small()?,
            tests: bytes.list(|bytes| {
                Ok(TestMessage {
                    id: bytes.bytes()?.to_vec(),
                    outcome: match bytes.byte()? {
                        0 => TestOutcome::Passed,
                        1 => TestOutcome::Failed,
                        2 => TestOutcome::Skipped,
                        other => return Err(Malformed::UnknownTag(u64::from(other))),
                    },
                    micros: bytes.number()?,
                })
            })?,
            used: Used::read(bytes)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn facts() -> Vec<Fact> {
        let text = || b"x".to_vec();
        vec![
            Fact::Linked(1),
            Fact::Inspected(300),
            Fact::Named(text()),
            Fact::UsedByHidden(text()),
            Fact::FileRead(text()),
            Fact::FileTested(text()),
            Fact::FolderListed(text()),
            Fact::FileWritten(text()),
            Fact::Resource(text()),
            Fact::Property { name: text(), value: None },
            Fact::AllProperties,
            Fact::Variable { name: text(), value: Some(text()) },
            Fact::AllVariables,
            Fact::ChildProcess,
            Fact::StackTrace,
            Fact::Unknown(text()),
            Fact::PropertyWritten(Some(text())),
            Fact::PropertyWritten(None),
            Fact::SharedWritten(text()),
        ]
    }

    fn used() -> Used {
        Used { hits: vec![(3, vec![1, 0, 128]), (9, vec![])], facts: vec![0, 5], absent: vec![5] }
    }

    fn messages() -> Vec<Message> {
        let text = || b"text".to_vec();
        let start = StartMessage {
            agent: text(),
            started: 1 << 40,
            process: 7,
            directory: text(),
            arguments: vec![text(), vec![]],
            properties: vec![(text(), text())],
            variables: vec![(text(), text())],
        };
        let class = |not_recorded, origin| ClassMessage {
            number: 1,
            name: text(),
            id: u64::MAX,
            length: 100,
            probes: 5,
            entry_probes: 1,
            not_recorded,
            origin,
        };
        let test = |outcome| TestMessage { id: text(), outcome, micros: 17 };
        let unit = UnitMessage {
            number: 2,
            name: text(),
            framework: text(),
            began: 1,
            micros: 2,
            overlaps: vec![1],
            inside: vec![0],
            has_run: true,
            threads_left: 3,
            tests: [TestOutcome::Passed, TestOutcome::Failed, TestOutcome::Skipped].map(test).to_vec(),
            used: used(),
        };
        let mut messages = vec![
            Message::Start(start),
            Message::Class(class(None, Origin::Location(text()))),
            Message::Class(class(Some(text()), Origin::Made(text()))),
            Message::Class(class(None, Origin::Claimed { location: text(), bytes: text() })),
            Message::Once { class: 4, used: used() },
            Message::Unit(unit),
            Message::Outside(Used::default()),
            Message::Done { units: vec![2] },
            Message::End,
        ];
        messages.extend((0..).zip(facts()).map(|(number, fact)| Message::Fact { number, fact }));
        messages
    }

    #[test]
    fn every_message_comes_back_and_no_part_of_one_is_taken_for_the_whole() {
        for message in messages() {
            let mut out = Vec::new();
            message.write(&mut out);
            assert_eq!(Message::read(&out), Ok(message.clone()));
            for length in 0..out.len() {
                assert!(Message::read(&out[..length]).is_err(), "{message:?} cut to {length}");
            }
            out.push(0);
            assert!(Message::read(&out).is_err(), "{message:?} with a byte more");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes: Vec<u8>) {
            let _ = Message::read(&bytes);
        }
    }
}
