//! What a unit depends on beside classes: one fact each, so that the same fact of many units is written once.

use crate::bytes::{Malformed, Reader, put_number, put_optional};
use probity_shape::ContentId;
use probity_trace::{FileState, FileUse, ResourceUse, SettingUse, Trace};

/// One thing that a unit depends on, or that is to be known of its trace; `T` is how texts are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fact<T> {
    /// It looked for a class and there was none: the internal name.
    AbsentClass(T),
    /// It read a file or folder, or asked for it.
    File(T, FileState),
    /// It looked for a resource on the class path; a hash of what was found.
    Resource(T, Option<ContentId>),
    /// It read a system property, or all of them; a hash of the value.
    Property(Option<T>, Option<ContentId>),
    /// It read an environment variable, or all of them; a hash of the value.
    Variable(Option<T>, Option<ContentId>),
    /// It read stack traces.
    ReadsStackTraces,
    /// It started processes.
    StartsProcesses,
    /// Threads that it started outlived it: how many.
    ThreadsLeft(u32),
    /// Another unit ran at the same time.
    Overlap(T),
    /// Why the trace does not show that the unit need not run, in words.
    Distrust(T),
}

/// All facts of a trace.
pub(crate) fn facts_of(trace: &Trace) -> Vec<Fact<&str>> {
    let mut facts: Vec<Fact<&str>> = Vec::new();
    facts.extend(trace.absent_classes.iter().map(|name| Fact::AbsentClass(name.as_str())));
    facts.extend(trace.files.iter().map(|file| Fact::File(file.path.as_str(), file.state)));
    facts.extend(
        trace.resources.iter().map(|resource| Fact::Resource(resource.name.as_str(), resource.found)),
    );
    facts.extend(trace.properties.iter().map(|one| Fact::Property(one.name.as_deref(), one.value)));
    facts.extend(trace.variables.iter().map(|one| Fact::Variable(one.name.as_deref(), one.value)));
    facts.extend(trace.reads_stack_traces.then_some(Fact::ReadsStackTraces));
    facts.extend(trace.starts_processes.then_some(Fact::StartsProcesses));
    facts.extend((trace.threads_left > 0).then_some(Fact::ThreadsLeft(trace.threads_left)));
    facts.extend(trace.overlaps.iter().map(|unit| Fact::Overlap(unit.as_str())));
    facts.extend(trace.distrust.iter().map(|why| Fact::Distrust(why.as_str())));
    facts
}

impl Fact<&str> {
    /// Puts the fact into a trace.
    pub(crate) fn add_to(self, trace: &mut Trace) {
        let text = str::to_owned;
        match self {
            Self::AbsentClass(name) => trace.absent_classes.push(text(name)),
            Self::File(path, state) => {
                trace.files.push(FileUse { path: text(path), state });
            }
            Self::Resource(name, found) => trace.resources.push(ResourceUse { name: text(name), found }),
            Self::Property(name, value) => {
                trace.properties.push(SettingUse { name: name.map(text), value });
            }
            Self::Variable(name, value) => {
                trace.variables.push(SettingUse { name: name.map(text), value });
            }
            Self::ReadsStackTraces => trace.reads_stack_traces = true,
            Self::StartsProcesses => trace.starts_processes = true,
            Self::ThreadsLeft(count) => trace.threads_left = count,
            Self::Overlap(unit) => trace.overlaps.push(text(unit)),
            Self::Distrust(why) => trace.distrust.push(text(why)),
        }
    }
}

impl<T> Fact<T> {
    /// The same fact with its texts given in another way.
    pub fn map<U>(self, mut text: impl FnMut(T) -> U) -> Fact<U> {
        match self {
            Self::AbsentClass(name) => Fact::AbsentClass(text(name)),
            Self::File(path, state) => Fact::File(text(path), state),
            Self::Resource(name, found) => Fact::Resource(text(name), found),
            Self::Property(name, value) => Fact::Property(name.map(text), value),
            Self::Variable(name, value) => Fact::Variable(name.map(text), value),
            Self::ReadsStackTraces => Fact::ReadsStackTraces,
            Self::StartsProcesses => Fact::StartsProcesses,
            Self::ThreadsLeft(count) => Fact::ThreadsLeft(count),
            Self::Overlap(unit) => Fact::Overlap(text(unit)),
            Self::Distrust(why) => Fact::Distrust(text(why)),
        }
    }
}

impl Fact<u32> {
    /// Writes the fact, its texts as numbers.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        let mut tagged = |tag: u8, number: u32| {
            out.push(tag);
            put_number(out, number);
        };
        match *self {
            Self::AbsentClass(name) => tagged(0, name),
            Self::File(path, state) => {
                tagged(1, path);
                write_state(state, out);
            }
            Self::Resource(name, found) => {
                tagged(2, name);
                write_hash(found, out);
            }
            Self::Property(name, value) | Self::Variable(name, value) => {
                out.push(if matches!(self, Self::Property(..)) { 3 } else { 4 });
                put_optional(out, name);
                write_hash(value, out);
            }
            Self::ReadsStackTraces => out.push(5),
            Self::StartsProcesses => out.push(6),
            Self::ThreadsLeft(count) => tagged(7, count),
            Self::Overlap(unit) => tagged(8, unit),
            Self::Distrust(why) => tagged(9, why),
        }
    }

    /// Reads a fact, where there are so many texts.
    pub(crate) fn read(reader: &mut Reader<'_>, strings: usize) -> Result<Self, Malformed> {
        Ok(match reader.byte()? {
            0 => Self::AbsentClass(reader.row(strings)?),
            1 => Self::File(reader.row(strings)?, read_state(reader)?),
            2 => Self::Resource(reader.row(strings)?, read_hash(reader)?),
            3 => Self::Property(reader.optional_row(strings)?, read_hash(reader)?),
            4 => Self::Variable(reader.optional_row(strings)?, read_hash(reader)?),
            5 => Self::ReadsStackTraces,
            6 => Self::StartsProcesses,
            7 => Self::ThreadsLeft(reader.small()?),
            8 => Self::Overlap(reader.row(strings)?),
            9 => Self::Distrust(reader.row(strings)?),
            other => return Err(Malformed::UnknownKind(other)),
        })
    }
}

fn write_state(state: FileState, out: &mut Vec<u8>) {
    match state {
        FileState::Absent => out.push(0),
        FileState::File(content) => {
            out.push(1);
            out.extend(content.0);
        }
        FileState::Exists { is_folder } => out.push(2 + u8::from(is_folder)),
        FileState::Listing(content) => {
            out.push(4);
            out.extend(content.0);
        }
    }
}

fn read_state(reader: &mut Reader<'_>) -> Result<FileState, Malformed> {
    Ok(match reader.byte()? {
        0 => FileState::Absent,
        1 => FileState::File(ContentId(reader.array()?)),
        2 => FileState::Exists { is_folder: false },
        3 => FileState::Exists { is_folder: true },
        4 => FileState::Listing(ContentId(reader.array()?)),
        other => return Err(Malformed::UnknownKind(other)),
    })
}

fn write_hash(hash: Option<ContentId>, out: &mut Vec<u8>) {
    match hash {
        None => out.push(0),
        Some(hash) => {
            out.push(1);
            out.extend(hash.0);
        }
    }
}

fn read_hash(reader: &mut Reader<'_>) -> Result<Option<ContentId>, Malformed> {
    match reader.byte()? {
        0 => Ok(None),
        1 => Ok(Some(ContentId(reader.array()?))),
        other => Err(Malformed::UnknownKind(other)),
    }
}
