//! What makes two traces one: a hash of all that a unit depends on and of the probes that it hit.
//!
//! When it ran, how long it took and how its tests ended are not part of it, nor is through which class another one came to
//! count: of two traces that differ in nothing else, the newer one is kept. The hash does not depend on any order, on tables or
//! on the machine. It is on disk and travels between machines, so it may never change.

use crate::fact::Fact;
use probity_shape::ContentId;
use probity_trace::{Environment, FileState, Why};
use std::fmt;

/// The identity of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TraceId(pub [u8; 16]);

impl fmt::Display for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for TraceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The hash of a part of a trace.
pub(crate) type PartHash = [u8; 16];

/// The parts of a trace.
pub(crate) struct Parts<'a> {
    pub(crate) unit: &'a str,
    pub(crate) framework: &'a str,
    pub(crate) environment: PartHash,
    pub(crate) uses: Vec<PartHash>,
    pub(crate) facts: Vec<PartHash>,
}

impl Parts<'_> {
    pub(crate) fn id(mut self) -> TraceId {
        let mut form = Form::new(0);
        form.text(self.unit);
        form.text(self.framework);
        form.bytes(&self.environment);
        for hashes in [&mut self.uses, &mut self.facts] {
            // Numbers are compared faster than bytes, and stand in the same order.
            let mut numbers: Vec<u128> = hashes.iter().map(|hash| u128::from_be_bytes(*hash)).collect();
            numbers.sort_unstable();
            numbers.dedup();
            hashes.truncate(numbers.len());
            hashes.iter_mut().zip(&numbers).for_each(|(hash, number)| *hash = number.to_be_bytes());
            form.bytes(hashes.as_flattened());
        }
        TraceId(form.hash())
    }
}

/// Of a class as a unit used it. There are many, so that they share the room in which they are put together.
pub(crate) fn hash_use(
    [name, place]: [&str; 2],
    content: ContentId,
    hits: &[u8],
    whys: impl Iterator<Item = Why>,
    room: &mut Vec<u8>,
) -> PartHash {
    let mut form = Form::within(std::mem::take(room), 1);
    form.text(name);
    form.bytes(&content.0);
    form.text(place);
    form.bytes(hits);
    // Ascending, each once.
    let codes = whys.fold(0_u32, |codes, why| codes | 1 << why.code());
    form.0.extend(u64::from(codes.count_ones()).to_be_bytes());
    form.0.extend((0..32).filter(|code| codes >> code & 1 == 1));
    let hash = form.hash();
    *room = form.0;
    hash
}

/// Of something else that a unit depends on.
pub(crate) fn hash_fact(fact: Fact<&str>) -> PartHash {
    let mut form = Form::new(2);
    match fact {
        Fact::AbsentClass(name) => form.tagged_text(0, name),
        Fact::File(path, state) => {
            form.tagged_text(1, path);
            match state {
                FileState::Absent => form.bytes(&[0]),
                FileState::File(content) => form.bytes(&content.0),
                FileState::Exists { is_folder } => form.bytes(&[1, u8::from(is_folder)]),
                FileState::Listing(content) => {
                    form.bytes(&[2]);
                    form.bytes(&content.0);
                }
            }
        }
        Fact::Resource(name, found) => {
            form.tagged_text(2, name);
            form.optional(found.as_ref().map(|found| found.0.as_slice()));
        }
        Fact::Property(name, value) | Fact::Variable(name, value) => {
            form.bytes(&[if matches!(fact, Fact::Property(..)) { 3 } else { 4 }]);
            form.optional(name.map(str::as_bytes));
            form.optional(value.as_ref().map(|value| value.0.as_slice()));
        }
        Fact::ReadsStackTraces => form.bytes(&[5]),
        Fact::StartsProcesses => form.bytes(&[6]),
        Fact::ThreadsLeft(count) => {
            form.bytes(&[7]);
            form.bytes(&count.to_be_bytes());
        }
        Fact::Overlap(unit) => form.tagged_text(8, unit),
        Fact::Distrust(why) => form.tagged_text(9, why),
    }
    form.hash()
}

/// Of the JVM.
pub(crate) fn hash_environment(environment: &Environment) -> PartHash {
    let mut form = Form::new(3);
    form.text(&environment.agent);
    form.text(&environment.jdk);
    for list in [&environment.flags, &environment.class_path] {
        form.bytes(&(list.len() as u64).to_be_bytes());
        list.iter().for_each(|text| form.text(text));
    }
    form.hash()
}

/// A form in which different things are different bytes: everything behind its length.
struct Form(Vec<u8>);

impl Form {
    fn new(kind: u8) -> Self {
        Self::within(Vec::new(), kind)
    }

    /// A form in room that was used before.
    fn within(mut room: Vec<u8>, kind: u8) -> Self {
        room.clear();
        room.push(kind);
        Self(room)
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend((bytes.len() as u64).to_be_bytes());
        self.0.extend_from_slice(bytes);
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    fn tagged_text(&mut self, tag: u8, text: &str) {
        self.bytes(&[tag]);
        self.text(text);
    }

    fn optional(&mut self, bytes: Option<&[u8]>) {
        self.bytes(&[u8::from(bytes.is_some())]);
        self.bytes(bytes.unwrap_or_default());
    }

    fn hash(&self) -> PartHash {
        ContentId::of(&self.0).0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(unit: &str, uses: Vec<PartHash>) -> TraceId {
        Parts { unit, framework: "", environment: [0; 16], uses, facts: Vec::new() }.id()
    }

    #[test]
    fn ids_never_change() {
        let a_use =
            hash_use(["a/B", "classes"], ContentId([7; 16]), &[5], [Why::Ran].into_iter(), &mut Vec::new());
        let a_fact = hash_fact(Fact::File("x.txt", FileState::Exists { is_folder: true }));
        let parts = Parts {
            unit: "a.BTest",
            framework: "JUnit 4",
            environment: hash_environment(&Environment::default()),
            uses: vec![a_use],
            facts: vec![a_fact],
        };
        assert_eq!(parts.id().to_string(), "5b2055e9f483449be8203f81dafdfcd2");
    }

    #[test]
    fn order_and_repetition_do_not_count() {
        let [one, two] = [[1; 16], [2; 16]];
        assert_eq!(id("u", vec![one, two]), id("u", vec![two, one, two]));
        assert_ne!(id("u", vec![one]), id("u", vec![two]));
        assert_ne!(id("u", vec![]), id("v", vec![]));
    }

    #[test]
    fn every_kind_of_fact_is_another() {
        let states = [
            FileState::Absent,
            FileState::File(ContentId([0; 16])),
            FileState::Listing(ContentId([0; 16])),
            FileState::Exists { is_folder: false },
            FileState::Exists { is_folder: true },
        ];
        let mut facts: Vec<Fact<&str>> = states.map(|state| Fact::File("x", state)).to_vec();
        let hash = Some(ContentId([0; 16]));
        facts.extend([Fact::AbsentClass("x"), Fact::Resource("x", None), Fact::Resource("x", hash)]);
        facts.extend([
            Fact::Property(None, hash),
            Fact::Property(Some("x"), None),
            Fact::Property(Some(""), hash),
        ]);
        facts.extend([Fact::Variable(None, hash), Fact::Variable(Some("x"), None), Fact::ReadsStackTraces]);
        facts.extend([Fact::StartsProcesses, Fact::ThreadsLeft(1), Fact::ThreadsLeft(2)]);
        facts.extend([Fact::Overlap("x"), Fact::Distrust("x")]);
        let hashes: std::collections::HashSet<_> = facts.iter().map(|fact| hash_fact(*fact)).collect();
        assert_eq!(hashes.len(), facts.len());
    }
}
