//! The messages of one JVM, put in order: its classes, its facts, its units, and the stretches of time in which something
//! was used.
//!
//! Numbers of the wire become positions here. What does not fit together (a number that stands for nothing, or for two
//! things) is written down in words and makes distrusted whatever it touches; it is never skipped in silence.

use probity_shape::Mutf8;
use probity_wire::{ClassMessage, Fact, Message, Origin, StartMessage, TestMessage, UnitMessage, Used};
use std::collections::{BTreeSet, HashMap};

/// The option by which users put classes among those of the JDK.
const BOOT_PATH: &[u8] = b"-Xbootclasspath";

/// What was recorded of one JVM.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    pub(crate) start: Option<StartMessage>,
    pub(crate) classes: Vec<LoadedClass>,
    pub(crate) facts: Vec<Fact>,
    pub(crate) stretches: Vec<Stretch>,
    pub(crate) units: Vec<UnitRecord>,
    /// What makes every unit of the JVM distrusted.
    pub(crate) faults: Vec<String>,
    class_of_number: HashMap<u32, usize>,
    fact_of_number: HashMap<u32, usize>,
    unit_of_number: HashMap<u32, usize>,
    unit_of_name: HashMap<String, usize>,
    messages: usize,
    has_ended: bool,
}

/// A class that was loaded.
#[derive(Clone, Debug)]
pub(crate) struct LoadedClass {
    pub(crate) message: ClassMessage,
    /// The internal name.
    pub(crate) name: String,
    /// The position of the message.
    pub(crate) at: usize,
}

/// What was used in one stretch of time.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    /// Whose it is.
    pub(crate) owner: Owner,
    /// The position of the message.
    pub(crate) at: usize,
    /// The classes, by position, and their probes.
    pub(crate) hits: Vec<(usize, Vec<u8>)>,
    /// The facts, by position, and whether they named a class that was not there.
    pub(crate) facts: Vec<(usize, bool)>,
    /// What is wrong with it.
    pub(crate) faults: Vec<String>,
}

/// Whose a stretch of time is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Owner {
    /// A unit, by position.
    Unit(usize),
    /// What happens once to a class, by position; none for a class that is not known.
    Once(Option<usize>),
    /// Nobody's, and so everybody's.
    Outside,
}

/// A unit with all of its parts. A test class that ran several times in a JVM is one unit: a trace of one time alone would
/// say that it need not run at all.
#[derive(Clone, Debug, Default)]
pub(crate) struct UnitRecord {
    /// Its first number.
    pub(crate) number: u32,
    pub(crate) name: String,
    pub(crate) framework: String,
    pub(crate) began: u64,
    pub(crate) micros: u64,
    pub(crate) overlaps: BTreeSet<u32>,
    pub(crate) inside: BTreeSet<u32>,
    pub(crate) threads_left: u32,
    pub(crate) tests: Vec<TestMessage>,
    /// Its parts, by the positions of their stretches.
    pub(crate) stretches: Vec<usize>,
    /// Whether tests ran in it; otherwise it was only prepared.
    pub(crate) has_run: bool,
    /// The position of the last message about it.
    pub(crate) last_at: usize,
    /// The numbers under which it was not said to be done.
    open: BTreeSet<u32>,
}

impl UnitRecord {
    /// Whether it ended, each time that it ran.
    pub(crate) fn is_done(&self) -> bool {
        self.open.is_empty()
    }
}

impl Recording {
    /// Puts messages in order, as many as there are: a recording that was cut off counts as far as it goes.
    pub fn new(messages: impl IntoIterator<Item = Message>) -> Self {
        let mut recording = Self::default();
        for message in messages {
            recording.add(message);
            recording.messages += 1;
        }
        if recording.start.iter().flat_map(|start| &start.arguments).any(|word| word.starts_with(BOOT_PATH)) {
            recording.faults.push("classes on the boot class path are not recorded".to_owned());
        }
        if recording.start.is_none() {
            recording.faults.push("the recording does not say what JVM it is of".to_owned());
        }
        recording.make_overlaps_mutual();
        recording
    }

    /// Whether the JVM ended by itself and said so.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Whether it says nothing of what ran.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty() && self.units.is_empty() && self.stretches.is_empty()
    }

    /// The places from which classes were loaded, as URLs, each once.
    #[must_use]
    pub fn locations(&self) -> BTreeSet<String> {
        let origins = self.classes.iter().map(|class| &class.message.origin);
        let locations = origins.filter_map(|origin| match origin {
            Origin::Location(url) | Origin::Claimed { location: url, .. } => {
                Some(String::from_utf8_lossy(url).into_owned())
            }
            Origin::Made(_) => None,
        });
        locations.collect()
    }

    /// What the recording says of its JVM.
    #[must_use]
    pub fn start(&self) -> Option<&StartMessage> {
        self.start.as_ref()
    }

    /// The unit of a number.
    pub(crate) fn unit(&self, number: u32) -> Option<(usize, &UnitRecord)> {
        let position = *self.unit_of_number.get(&number)?;
        Some((position, self.units.get(position)?))
    }

    /// A class that a fact names by number.
    pub(crate) fn class_of_number(&self, number: u32) -> Option<usize> {
        self.class_of_number.get(&number).copied()
    }

    fn add(&mut self, message: Message) {
        match message {
            Message::Start(start) => match self.start {
                None => self.start = Some(start),
                Some(_) => self.faults.push("the recording is of two JVMs".to_owned()),
            },
            Message::Class(class) => self.add_class(class),
            Message::Fact { number, fact } => {
                if self.fact_of_number.insert(number, self.facts.len()).is_some() {
                    self.faults.push(format!("the recording has two facts with the number {number}"));
                }
                self.facts.push(fact);
            }
            Message::Once { class, used } => {
                let position = self.class_of_number(class);
                if position.is_none() {
                    self.faults.push(format!("something belongs to class {class}, which was not recorded"));
                }
                self.add_stretch(Owner::Once(position), used);
            }
            Message::Unit(unit) => self.add_part(unit),
            Message::Outside(used) => {
                self.add_stretch(Owner::Outside, used);
            }
            Message::Done { units } => {
                for number in units {
                    let position = self.unit_of_number.get(&number);
                    if let Some(unit) = position.and_then(|&position| self.units.get_mut(position)) {
                        unit.open.remove(&number);
                    }
                }
            }
            Message::End => self.has_ended = true,
        }
    }

    fn add_class(&mut self, message: ClassMessage) {
        if self.is_place_of_known(&message) {
            return;
        }
        if self.class_of_number.insert(message.number, self.classes.len()).is_some() {
            self.faults.push(format!("the recording has two classes with the number {}", message.number));
        }
        let name = Mutf8::new(&message.name).to_text().into_owned();
        self.classes.push(LoadedClass { message, name, at: self.messages });
    }

    /// A class that a program defined from bytes can be loaded later from the file that has them: then it counts as that.
    fn is_place_of_known(&mut self, message: &ClassMessage) -> bool {
        let known = self.class_of_number.get(&message.number).and_then(|&known| self.classes.get_mut(known));
        let Some(known) = known.map(|class| &mut class.message) else { return false };
        let is_same = (&known.name, known.id, known.length) == (&message.name, message.id, message.length);
        let was_placed = matches!(known.origin, Origin::Location(_));
        let is_placed = !was_placed && matches!(message.origin, Origin::Location(_));
        let is_it = is_same && is_placed && message.not_recorded.is_none();
        if is_it {
            known.origin = message.origin.clone();
        }
        is_it
    }

    fn add_stretch(&mut self, owner: Owner, used: Used) -> usize {
        let mut stretch =
            Stretch { owner, at: self.messages, hits: Vec::new(), facts: Vec::new(), faults: Vec::new() };
        for (number, bits) in used.hits {
            match self.class_of_number.get(&number) {
                Some(&class) => stretch.hits.push((class, bits)),
                None => stretch.faults.push(format!("it ran class {number}, which was not recorded")),
            }
        }
        let absent: BTreeSet<u32> = used.absent.iter().copied().collect();
        // What is only among the absent counts as well.
        for &number in used.facts.iter().collect::<BTreeSet<_>>().union(&absent.iter().collect()) {
            match self.fact_of_number.get(number) {
                Some(&fact) => stretch.facts.push((fact, absent.contains(number))),
                None => stretch.faults.push(format!("it met fact {number}, which was not recorded")),
            }
        }
        self.stretches.push(stretch);
        self.stretches.len() - 1
    }

    /// Parts of a unit are put together; each makes it unfinished until it is said to be done again.
    fn add_part(&mut self, part: UnitMessage) {
        let next = self.units.len();
        let name = Mutf8::new(&part.name).to_text().into_owned();
        let of_name = self.unit_of_name.get(&name).copied();
        let position = *self.unit_of_number.entry(part.number).or_insert(of_name.unwrap_or(next));
        if of_name.is_none() && position == next {
            self.unit_of_name.insert(name.clone(), next);
        } else if of_name != Some(position) {
            self.faults.push(format!("the recording has two units with the number {}", part.number));
        }
        let stretch = self.add_stretch(Owner::Unit(position), part.used);
        if position == next {
            self.units.push(UnitRecord {
                number: part.number,
                name,
                framework: String::from_utf8_lossy(&part.framework).into_owned(),
                began: part.began,
                ..UnitRecord::default()
            });
        }
        let Some(unit) = self.units.get_mut(position) else { return };
        unit.micros += part.micros;
        unit.threads_left = unit.threads_left.saturating_add(part.threads_left);
        unit.tests.extend(part.tests);
        unit.overlaps.extend(part.overlaps.iter().filter(|&&other| other != part.number));
        unit.inside.extend(part.inside.iter().filter(|&&other| other != part.number));
        unit.stretches.push(stretch);
        unit.has_run |= part.has_run;
        unit.last_at = self.messages;
        unit.open.insert(part.number);
    }

    /// A unit that ended before another began to overlap it may not know of it yet.
    fn make_overlaps_mutual(&mut self) {
        let pairs: Vec<(u32, u32)> = self
            .units
            .iter()
            .flat_map(|unit| unit.overlaps.iter().map(move |&other| (other, unit.number)))
            .collect();
        for (unit, other) in pairs {
            let position = self.unit_of_number.get(&unit);
            if let Some(unit) = position.and_then(|&position| self.units.get_mut(position)) {
                unit.overlaps.insert(other);
            }
        }
    }
}
