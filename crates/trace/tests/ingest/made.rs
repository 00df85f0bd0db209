//! Recordings that are made up, of real classes: what the agent would have written.

use probity_shape::{ContentId, Mutf8, Shape, ShapeReader, class_id};
use probity_test_support::java::{Compilation, CompiledClasses, test_jdks};
use probity_trace::{
    Asked, ClassCache, ClassSource, ClassUse, FileSource, FileState, Hits, Ingest, Presence, Recording,
    Trace, Why,
};
use probity_wire::{ClassMessage, Fact, Message, Origin, StartMessage, UnitMessage, Used};
use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

/// The classes of `Program.java`.
pub(crate) fn classes() -> &'static CompiledClasses {
    static CLASSES: OnceLock<CompiledClasses> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let jdk = test_jdks().remove(0);
        let source = include_str!("Program.java");
        Compilation::with(&jdk).release(17).source("Program.java", source).compile().expect("compiles")
    })
}

pub(crate) fn bytes_of(name: &str) -> Vec<u8> {
    std::fs::read(classes().class_file(name)).expect("is there")
}

pub(crate) fn shape_of(name: &str) -> Shape {
    ShapeReader::new().read(&bytes_of(name)).expect("has a shape")
}

/// What is outside: the classes as they are, and files as a test says.
#[derive(Default)]
pub(crate) struct World {
    /// Classes that are not there.
    pub(crate) absent: BTreeSet<String>,
    /// Classes that have other bytes now.
    pub(crate) changed: BTreeSet<String>,
    /// Classes that cannot be read.
    pub(crate) unreadable: BTreeSet<String>,
    /// Whether all that is there was there before the JVM.
    pub(crate) is_old: bool,
    pub(crate) files: HashMap<String, FileState>,
    pub(crate) resources: HashMap<String, ContentId>,
    pub class_path: Vec<String>,
}

impl ClassSource for World {
    fn class_bytes(&mut self, class: &ClassMessage) -> Result<Option<Vec<u8>>, String> {
        let name = Mutf8::new(&class.name).to_text().into_owned();
        if self.absent.contains(&name) {
            return Ok(None);
        }
        if self.unreadable.contains(&name) {
            return Err("permission denied".to_owned());
        }
        let mut bytes = bytes_of(&name);
        bytes.extend(self.changed.contains(&name).then_some(0));
        Ok(Some(bytes))
    }

    fn is_unchanged_since(&mut self, _: &ClassMessage, _: u64) -> bool {
        self.is_old
    }

    fn presence(&mut self, name: &str) -> Presence {
        if self.absent.contains(name) || !classes().class_file(name).exists() {
            Presence::Absent
        } else {
            Presence::Present
        }
    }
}

impl FileSource for World {
    fn file(&mut self, path: &str, _: Asked) -> Result<FileState, String> {
        if path.contains("unreadable") {
            return Err("permission denied".to_owned());
        }
        Ok(self.files.get(path).copied().unwrap_or(FileState::Absent))
    }

    fn resource(&mut self, name: &str) -> Result<Option<ContentId>, String> {
        Ok(self.resources.get(name).copied())
    }

    fn class_path(&mut self) -> Vec<String> {
        self.class_path.clone()
    }
}

/// Writes a recording.
#[derive(Default)]
pub(crate) struct Writer {
    pub(crate) messages: Vec<Message>,
    classes: HashMap<String, u32>,
    facts: u32,
}

impl Writer {
    /// A recording that has started.
    pub(crate) fn new() -> Self {
        let start = StartMessage {
            agent: b"1".to_vec(),
            directory: b"/project".to_vec(),
            arguments: vec![b"java".to_vec(), b"Main".to_vec()],
            properties: vec![(b"java.home".to_vec(), b"/jdk".to_vec()), (b"mine".to_vec(), b"1".to_vec())],
            ..StartMessage::default()
        };
        Self { messages: vec![Message::Start(start)], ..Self::default() }
    }

    /// A message that describes a class as it is.
    pub(crate) fn message(&mut self, name: &str) -> ClassMessage {
        let (shape, bytes) = (shape_of(name), bytes_of(name));
        let bodies = || shape.methods.iter().filter_map(|method| method.body.as_ref());
        ClassMessage {
            number: self.classes.len() as u32 * 3 + 7,
            name: name.as_bytes().to_vec(),
            id: class_id(&bytes),
            length: bytes.len() as u32,
            probes: bodies().map(|body| body.probes.end).max().unwrap_or_default(),
            entry_probes: bodies().filter(|body| body.entry_probe.is_some()).count() as u32,
            not_recorded: None,
            origin: Origin::Location(b"file:/project/target/classes/".to_vec()),
        }
    }

    /// Loads a class, if that was not done, with a change.
    pub(crate) fn load_with(&mut self, name: &str, change: impl FnOnce(&mut ClassMessage)) -> u32 {
        let mut message = self.message(name);
        change(&mut message);
        let number = message.number;
        self.classes.insert(name.to_owned(), number);
        self.messages.push(Message::Class(message));
        number
    }

    /// Loads a class, if that was not done.
    pub(crate) fn load(&mut self, name: &str) -> u32 {
        match self.classes.get(name) {
            Some(&number) => number,
            None => self.load_with(name, |_| {}),
        }
    }

    /// Loads many.
    pub(crate) fn load_all(&mut self, names: &[&str]) {
        for name in names {
            self.load(name);
        }
    }

    /// The hits of methods that ran from end to end.
    pub(crate) fn ran(&mut self, methods: &[&str]) -> Used {
        let hits = methods.iter().map(|method| {
            let (class, method) = method.split_once('.').expect("has a dot");
            (self.load(class), hits_of(class, method).as_bytes().to_vec())
        });
        Used { hits: hits.collect(), ..Used::default() }
    }

    pub(crate) fn fact(&mut self, fact: Fact) -> u32 {
        self.facts += 1;
        self.messages.push(Message::Fact { number: self.facts * 2, fact });
        self.facts * 2
    }

    /// Facts that were met.
    pub(crate) fn met(&mut self, facts: impl IntoIterator<Item = Fact>) -> Used {
        let facts = facts.into_iter().map(|fact| self.fact(fact)).collect();
        Used { facts, ..Used::default() }
    }

    /// A part of a unit.
    pub(crate) fn part(&mut self, number: u32, name: &str, used: Used) -> &mut UnitMessage {
        let name = name.as_bytes().to_vec();
        let unit = UnitMessage { number, name, used, has_run: true, ..UnitMessage::default() };
        self.messages.push(Message::Unit(unit));
        match self.messages.last_mut() {
            Some(Message::Unit(unit)) => unit,
            _ => unreachable!(),
        }
    }

    /// A unit that ended.
    pub(crate) fn unit(&mut self, number: u32, name: &str, used: Used) {
        self.part(number, name, used);
        self.done(&[number]);
    }

    pub(crate) fn done(&mut self, units: &[u32]) {
        self.messages.push(Message::Done { units: units.to_vec() });
    }

    pub(crate) fn once(&mut self, class: &str, used: Used) {
        let class = self.load(class);
        self.messages.push(Message::Once { class, used });
    }

    pub(crate) fn outside(&mut self, used: Used) {
        self.messages.push(Message::Outside(used));
    }

    pub(crate) fn traces(&self) -> Vec<Trace> {
        self.traces_in(&mut World::default())
    }

    pub(crate) fn traces_in(&self, world: &mut World) -> Vec<Trace> {
        traces_of(&self.messages, world)
    }
}

/// The traces of messages.
pub(crate) fn traces_of(messages: &[Message], world: &mut World) -> Vec<Trace> {
    traces_with(messages, world, &mut ClassCache::default())
}

/// The traces of messages of one of several JVMs.
pub(crate) fn traces_with(messages: &[Message], world: &mut World, cache: &mut ClassCache) -> Vec<Trace> {
    let recording = Recording::new(messages.iter().cloned());
    let mut files = World {
        files: world.files.clone(),
        resources: world.resources.clone(),
        class_path: world.class_path.clone(),
        ..World::default()
    };
    let ingest = Ingest::new(&recording, world, &mut files, Some("/project"), cache);
    let mut traces = Vec::new();
    ingest.traces(world, &mut files, |trace| traces.push(trace));
    traces
}

/// All probes of a method, the entry probe too.
pub(crate) fn hits_of(class: &str, method: &str) -> Hits {
    let shape = shape_of(class);
    let method = shape.methods.iter().find(|one| one.name == method).expect("has the method");
    let body = method.body.as_ref().expect("has a body");
    body.probes.clone().chain(body.entry_probe).collect()
}

/// What a trace says of a class.
pub(crate) fn class<'t>(trace: &'t Trace, name: &str) -> Option<&'t ClassUse> {
    trace.classes.iter().find(|class| *class.name == *name)
}

/// The reasons for a class in a trace, with the classes through which it counts.
pub(crate) fn why<'t>(trace: &'t Trace, name: &str) -> Vec<(Why, Option<&'t str>)> {
    let reasons = class(trace, name).map_or(&[][..], |class| &class.reasons);
    reasons.iter().map(|reason| (reason.why, reason.of.as_deref())).collect()
}

pub(crate) fn names(trace: &Trace) -> Vec<&str> {
    trace.classes.iter().map(|class| &*class.name).collect()
}

/// Everything that was used, added up.
pub(crate) fn both(mut one: Used, other: Used) -> Used {
    one.hits.extend(other.hits);
    one.facts.extend(other.facts);
    one.absent.extend(other.absent);
    one
}
