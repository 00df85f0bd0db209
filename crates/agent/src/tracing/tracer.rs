//! What the rest of the agent calls: it hands on what happens, and this decides who is responsible for it.

use crate::messages::say;
use crate::tracing::class_path_jar;
use crate::tracing::classes::{Classes, NewClass, used};
use crate::tracing::facts::Facts;
use crate::tracing::recording::Recording;
use crate::tracing::sink::{Hit, Sink};
use crate::tracing::units::{Settings, Units, Window, WindowKey};
use probity_wire::{Fact, Message, StartMessage, TestOutcome, UnitMessage, Used};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// Gives the hits since the last time and forgets them.
pub(crate) trait HitSource {
    /// Appends the hits.
    fn drain(&self, hits: &mut Vec<Hit>);
}

/// Records what units use.
#[derive(Debug)]
pub(crate) struct Tracer {
    state: Mutex<State>,
    inspected: Inspected,
    /// Whether some unit has changed settings that everybody shares.
    has_settings: AtomicBool,
}

/// Which classes were looked at since the last change of who is responsible. Programs ask one class again and again, so
/// that is found out without a lock.
#[derive(Debug)]
struct Inspected {
    /// A number that is another one after each change; never 0.
    now: AtomicU32,
    /// For the first classes, that number when they were last looked at.
    last: Box<[AtomicU32]>,
}

impl Inspected {
    /// Classes beyond these are noted each time.
    const CLASSES: usize = 1 << 15;

    fn new() -> Self {
        let last = std::iter::repeat_with(|| AtomicU32::new(0)).take(Self::CLASSES).collect();
        Self { now: AtomicU32::new(1), last }
    }

    fn is_known(&self, class: u32) -> bool {
        let last = self.last.get(class as usize).map(|last| last.load(Ordering::Acquire));
        last == Some(self.now.load(Ordering::Acquire))
    }

    /// Notes a class. The state must be locked, so that nothing changes meanwhile.
    fn note(&self, class: u32) {
        if let Some(last) = self.last.get(class as usize) {
            last.store(self.now.load(Ordering::Acquire), Ordering::Release);
        }
    }

    /// Forgets all. The state must be locked, and whatever changes must change under the same lock.
    fn forget(&self) {
        if self.now.fetch_add(1, Ordering::AcqRel) == u32::MAX {
            self.last.iter().for_each(|last| last.store(0, Ordering::Release));
            self.now.store(1, Ordering::Release);
        }
    }
}

#[derive(Debug)]
struct State {
    recording: Recording,
    classes: Classes,
    facts: Facts,
    units: Units,
    /// The initialisers that are running, with the class, the thread and what was used so far.
    once: Vec<(u32, u64, Sink)>,
    /// The classes whose initialisers use nothing, and that are not written yet.
    plain_once: HashSet<u32>,
    /// What is used while no unit is responsible.
    outside: Sink,
    /// All hits since the JVM started, for those who want execution data.
    total: Sink,
    properties: HashMap<Vec<u8>, Vec<u8>>,
    hits: Vec<Hit>,
    started: u64,
    /// Whether the JVM has ended. What some thread still hits then counts nowhere.
    has_ended: bool,
}

/// The time of day in milliseconds since 1970.
pub(crate) fn now_millis() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

impl Tracer {
    /// Starts a recording in a folder; nothing, and a message, if that cannot be.
    pub(crate) fn start(folder: &Path, start: StartMessage) -> Option<Self> {
        let mut recording = match Recording::create(folder, start.process, start.started) {
            Ok(recording) => recording,
            Err(error) => {
                say(&format_args!(
                    "no traces are recorded: nothing can be written to {}: {error}",
                    folder.display()
                ));
                return None;
            }
        };
        class_path_jar::keep(&start, recording.path());
        let properties = start.properties.iter().cloned().collect();
        let started = start.started;
        recording.add(&Message::Start(start));
        let mut state = State {
            recording,
            classes: Classes::default(),
            facts: Facts::default(),
            units: Units::default(),
            once: Vec::new(),
            plain_once: HashSet::new(),
            outside: Sink::default(),
            total: Sink::default(),
            properties,
            hits: Vec::new(),
            started,
            has_ended: false,
        };
        state.flush();
        let has_settings = AtomicBool::new(false);
        Some(Self { state: Mutex::new(state), inspected: Inspected::new(), has_settings })
    }

    /// A lock that a panic elsewhere has poisoned still guards sound data: sets only grow.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of a class, before it is known whether it can be recorded.
    pub(crate) fn class_number(&self, id: u64, name: &[u8]) -> u32 {
        self.state().classes.number(id, name)
    }

    pub(crate) fn class_loaded(&self, class: NewClass<'_>) {
        let mut state = self.state();
        if let Some(message) = state.classes.add(class) {
            let number = message.number;
            state.recording.add(&Message::Class(message));
            if state.plain_once.remove(&number) {
                state.recording.add(&Message::Once { class: number, used: Used::default() });
            }
        }
    }

    pub(crate) fn jdk_class_loaded(&self, name: &[u8]) {
        self.state().classes.add_name(name);
    }

    /// The number of the class that a loader knows by a name.
    pub(crate) fn find_class(&self, loader: u64, name: &[u8]) -> Option<u32> {
        self.state().classes.find(loader, name)
    }

    /// Whether a class of this name, with dots, was loaded.
    pub(crate) fn has_class(&self, name: &str) -> bool {
        self.state().classes.has_name(name.as_bytes())
    }

    /// Something was used.
    pub(crate) fn saw(&self, fact: &Fact) {
        self.state().saw(fact);
    }

    /// A class was looked at.
    pub(crate) fn inspected(&self, class: u32) {
        if !self.inspected.is_known(class) {
            let mut state = self.state();
            state.saw(&Fact::Inspected(class));
            self.inspected.note(class);
        }
    }

    /// Locks the state for a change of who is responsible, and gives what was hit to those who were.
    fn changing(&self, hits: &dyn HitSource) -> MutexGuard<'_, State> {
        let mut state = self.state();
        state.distribute(hits);
        self.inspected.forget();
        state
    }

    /// A system property was read.
    pub(crate) fn saw_property(&self, name: Vec<u8>) {
        let mut state = self.state();
        let value = state.properties.get(&name).cloned();
        state.saw(&Fact::Property { name, value });
    }

    /// The initialiser of a class, or something else that happens once, begins on a thread.
    pub(crate) fn once_begins(&self, class: u32, thread: u64, hits: &dyn HitSource) {
        let mut state = self.changing(hits);
        state.once.push((class, thread, Sink::default()));
    }

    /// It has ended.
    pub(crate) fn once_ends(&self, class: u32, thread: u64, hits: &dyn HitSource) {
        let mut state = self.changing(hits);
        let is_it = |(other, on, _): &(u32, u64, Sink)| (*other, *on) == (class, thread);
        // What does not end on the thread where it began is found by the class.
        let at = state.once.iter().rposition(is_it);
        let Some(at) = at.or_else(|| state.once.iter().rposition(|(other, ..)| *other == class)) else {
            return;
        };
        let Some(&(_, on, _)) = state.once.get(at) else { return };
        // What began later on the same thread has ended too, even if the JVM had no stack left to tell.
        for later in (at..state.once.len()).rev() {
            if later == at || state.once.get(later).is_some_and(|(_, other, _)| *other == on) {
                let (class, _, sink) = state.once.remove(later);
                let used = used(&state.classes, &state.facts, &sink);
                state.recording.add(&Message::Once { class, used });
            }
        }
    }

    /// The initialiser of a class uses nothing beyond the class, whenever it runs.
    pub(crate) fn nothing_once(&self, class: u32) {
        self.state().plain_once.insert(class);
    }

    /// A part of a unit begins.
    pub(crate) fn open(&self, window: Window, hits: &dyn HitSource) {
        let mut state = self.changing(hits);
        state.units.open(window, now_millis());
    }

    /// A setting that everybody shares is about to be changed; the settings are as said.
    pub(crate) fn before_setting(&self, settings: &Settings) {
        let mut state = self.state();
        self.has_settings.store(true, Ordering::Release);
        state.units.for_responsible(|unit| unit.before_setting(settings));
        if !state.units.is_any_responsible() {
            state.saw(&settings_written());
        }
    }

    /// Whether the settings that everybody shares matter at the end of a unit.
    pub(crate) fn has_settings(&self) -> bool {
        self.has_settings.load(Ordering::Acquire)
    }

    /// A part of a unit has ended. If it is the last one the unit is written. The settings are asked for only if they matter.
    pub(crate) fn close(&self, key: &WindowKey, hits: &dyn HitSource, settings: &Settings) {
        if !self.is_open(key) {
            return;
        }
        let mut state = self.changing(hits);
        let Some(number) = state.units.close(key) else { return };
        if state.units.leaves_settings(number, settings) {
            let fact = state.number_of(&settings_written());
            state.units.with(number, |unit| {
                unit.sink.facts.insert(fact);
            });
        }
        let Some((message, sink)) = state.units.take_part(number) else { return };
        state.write_outside();
        state.write_unit(message, &sink);
        let ended = state.units.ended(number);
        state.write_done(ended);
    }

    pub(crate) fn open_session(&self, key: WindowKey) {
        self.state().units.open_session(key);
    }

    pub(crate) fn close_session(&self, key: &WindowKey) {
        let mut state = self.state();
        let ended = state.units.close_session(key);
        state.write_done(ended);
    }

    /// An engine of the JUnit Platform has ended.
    pub(crate) fn engine_ended(&self, engine: &str) {
        let mut state = self.state();
        let ended = state.units.engine_ended(engine);
        state.write_done(ended);
    }

    pub(crate) fn test_started(&self, id: String) {
        self.state().units.test_started(id);
    }

    pub(crate) fn test_failed(&self, id: String) {
        self.state().units.test_failed(id);
    }

    pub(crate) fn test_skipped(&self, id: String) {
        self.state().units.test_skipped(id);
    }

    pub(crate) fn test_finished(&self, id: String) {
        self.state().units.test_finished(id);
    }

    /// Whether something is open.
    pub(crate) fn is_open(&self, key: &WindowKey) -> bool {
        self.state().units.is_open(key)
    }

    pub(crate) fn test_ended(&self, id: String, outcome: TestOutcome) {
        self.state().units.test_ended(id, outcome);
    }

    pub(crate) fn thread_started(&self, thread: u64) {
        self.state().units.for_responsible(|unit| {
            unit.threads.insert(thread);
        });
    }

    pub(crate) fn thread_ended(&self, thread: u64) {
        self.state().units.thread_ended(thread);
    }

    /// The hits of the whole JVM up to now, for each element of each holder's array that has any.
    pub(crate) fn total(&self, hits: &dyn HitSource, forget: bool) -> Sink {
        let mut state = self.state();
        state.distribute(hits);
        if forget { std::mem::take(&mut state.total) } else { state.total.clone() }
    }

    /// The JVM ends. A JVM in which no framework was seen is one unit, named by what it ran. What units did that are still running
    /// is written too; they are not done, and so have no trace.
    pub(crate) fn end(&self, main: &str, hits: &dyn HitSource) {
        let mut state = self.changing(hits);
        if state.units.is_empty() {
            let sink = std::mem::take(&mut state.outside);
            let message = UnitMessage {
                name: main.as_bytes().to_vec(),
                framework: b"none".to_vec(),
                began: state.started,
                has_run: true,
                micros: now_millis().saturating_sub(state.started) * 1000,
                ..UnitMessage::default()
            };
            state.write_unit(message, &sink);
            state.recording.add(&Message::Done { units: vec![0] });
        }
        state.write_outside();
        state.write_unwritten();
        state.recording.add(&Message::End);
        state.flush();
        state.has_ended = true;
    }
}

/// That settings were changed which everybody shares.
fn settings_written() -> Fact {
    Fact::SharedWritten(b"the default locale or time zone".to_vec())
}

impl State {
    /// The number of a fact, which is written if it is new.
    fn number_of(&mut self, fact: &Fact) -> u32 {
        let (number, is_new) = self.facts.number(fact);
        if is_new {
            self.recording.add(&Message::Fact { number, fact: fact.clone() });
        }
        number
    }

    fn saw(&mut self, fact: &Fact) {
        let number = self.number_of(fact);
        for (_, _, sink) in &mut self.once {
            sink.facts.insert(number);
        }
        if self.units.is_any_responsible() {
            self.units.for_responsible(|unit| {
                unit.sink.facts.insert(number);
            });
        } else {
            self.outside.facts.insert(number);
        }
    }

    /// Gives the hits since the last time to those that were responsible until now.
    fn distribute(&mut self, source: &dyn HitSource) {
        if self.has_ended {
            return;
        }
        let mut hits = std::mem::take(&mut self.hits);
        source.drain(&mut hits);
        for &hit in &hits {
            self.total.hit(hit);
            for (_, _, sink) in &mut self.once {
                sink.hit(hit);
            }
        }
        if self.units.is_any_responsible() {
            self.units.for_responsible(|unit| hits.iter().for_each(|&hit| unit.sink.hit(hit)));
        } else {
            hits.iter().for_each(|&hit| self.outside.hit(hit));
        }
        hits.clear();
        self.hits = hits;
    }

    fn write_outside(&mut self) {
        if !self.outside.is_empty() {
            let outside = std::mem::take(&mut self.outside);
            let used = used(&self.classes, &self.facts, &outside);
            self.recording.add(&Message::Outside(used));
        }
    }

    fn write_unit(&mut self, mut message: UnitMessage, sink: &Sink) {
        message.used = used(&self.classes, &self.facts, sink);
        self.recording.add(&Message::Unit(message));
    }

    fn write_unwritten(&mut self) {
        let unwritten = self.units.unwritten();
        let ended = self.units.still_ended(&unwritten);
        for &number in &unwritten {
            if let Some((message, sink)) = self.units.take_part(number) {
                self.write_unit(message, &sink);
            }
        }
        self.write_done(ended);
    }

    fn write_done(&mut self, units: Vec<u32>) {
        if !units.is_empty() {
            self.recording.add(&Message::Done { units });
        }
        self.flush();
    }

    fn flush(&mut self) {
        if let Some(error) = self.recording.flush() {
            say(&format_args!(
                "traces are no longer recorded: {} cannot be written: {error}",
                self.recording.path().display()
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Range;
    use probity_instrument::ProbeCounts;
    use probity_wire::{Frames, Origin};
    use std::cell::RefCell;

    /// Hits that a test puts there.
    #[derive(Default)]
    struct Given(RefCell<Vec<Hit>>);

    impl Given {
        fn hit(&self, element: u32) {
            self.0.borrow_mut().push(Hit { holder: 0, element });
        }
    }

    impl HitSource for Given {
        fn drain(&self, hits: &mut Vec<Hit>) {
            hits.append(&mut self.0.borrow_mut());
        }
    }

    struct Traced {
        folder: tempfile::TempDir,
        tracer: Tracer,
        hits: Given,
    }

    fn traced() -> Traced {
        let folder = tempfile::tempdir().unwrap();
        let tracer = Tracer::start(folder.path(), StartMessage::default()).unwrap();
        for (name, start) in [(b"a/A", 0), (b"a/B", 4)] {
            let counts = ProbeCounts { jacoco: 3, entries: 1 };
            tracer.class_loaded(NewClass {
                name,
                id: u64::from(start),
                length: 1,
                loader: 1,
                range: Some(Range { holder: 0, start, counts }),
                entry_only: Vec::new(),
                not_recorded: None,
                origin: Origin::Location(Vec::new()),
            });
        }
        Traced { folder, tracer, hits: Given::default() }
    }

    impl Traced {
        fn open(&self, unit: &str) -> WindowKey {
            let key = WindowKey::Id(unit.to_owned());
            let units = vec![unit.to_owned()];
            let window = Window { key: key.clone(), units, framework: "test", runs: true, nests: true };
            self.tracer.open(window, &self.hits);
            key
        }

        fn messages(&self) -> Vec<Message> {
            let file = std::fs::read_dir(self.folder.path()).unwrap().next().unwrap().unwrap();
            let bytes = std::fs::read(file.path()).unwrap();
            Frames::new(&bytes).unwrap().map(Result::unwrap).collect()
        }

        fn unit(&self, name: &str) -> Option<UnitMessage> {
            self.messages().into_iter().find_map(|message| match message {
                Message::Unit(unit) if unit.name == name.as_bytes() => Some(unit),
                _ => None,
            })
        }
    }

    #[test]
    fn hits_go_to_the_unit_that_runs_and_to_initialisers() {
        let traced = traced();
        traced.hits.hit(0);
        let first = traced.open("T");
        traced.hits.hit(1);
        traced.tracer.once_begins(1, 1, &traced.hits);
        traced.hits.hit(4);
        traced.tracer.once_ends(1, 1, &traced.hits);
        traced.tracer.close(&first, &traced.hits, &None);
        let unit = traced.unit("T").unwrap();
        assert_eq!(unit.used.hits, [(0, vec![2]), (1, vec![1])]);
        let messages = traced.messages();
        let outside = messages.iter().find_map(|message| match message {
            Message::Outside(used) => Some(used.hits.clone()),
            _ => None,
        });
        assert_eq!(outside, Some(vec![(0, vec![1])]));
        let once = messages.iter().find_map(|message| match message {
            Message::Once { class, used } => Some((*class, used.hits.clone())),
            _ => None,
        });
        assert_eq!(once, Some((1, vec![(1, vec![1])])));
        assert!(messages.contains(&Message::Done { units: vec![0] }));
        assert_eq!(traced.tracer.total(&traced.hits, false).hits(0).unwrap().iter().count(), 3);
    }

    #[test]
    fn what_is_looked_for_and_not_there_is_absent() {
        let traced = traced();
        let key = traced.open("T");
        traced.tracer.saw(&Fact::Named(b"a.A".to_vec()));
        traced.tracer.saw(&Fact::Named(b"a.Missing".to_vec()));
        traced.tracer.saw_property(b"x".to_vec());
        traced.tracer.close(&key, &traced.hits, &None);
        let used = traced.unit("T").unwrap().used;
        assert_eq!((used.facts, used.absent), (vec![0, 1, 2], vec![1]));
    }

    #[test]
    fn each_unit_has_the_classes_that_it_looked_at() {
        let traced = traced();
        for unit in ["T", "U"] {
            let key = traced.open(unit);
            traced.tracer.inspected(0);
            traced.tracer.once_begins(1, 1, &traced.hits);
            traced.tracer.inspected(0);
            traced.tracer.once_ends(1, 1, &traced.hits);
            traced.tracer.close(&key, &traced.hits, &None);
            assert_eq!(traced.unit(unit).unwrap().used.facts, [0]);
        }
        let once = traced.messages().into_iter().filter_map(|message| match message {
            Message::Once { used, .. } => Some(used.facts),
            _ => None,
        });
        assert_eq!(once.collect::<Vec<_>>(), [[0], [0]]);
    }

    #[test]
    fn what_did_not_tell_its_end_ends_with_what_is_around_it() {
        let traced = traced();
        let key = traced.open("T");
        for (class, thread) in [(0, 1), (1, 2), (1, 1)] {
            traced.tracer.once_begins(class, thread, &traced.hits);
        }
        let once = |traced: &Traced| {
            let of_class = |message| match message {
                Message::Once { class, .. } => Some(class),
                _ => None,
            };
            traced.messages().into_iter().filter_map(of_class).collect::<Vec<_>>()
        };
        traced.tracer.once_ends(0, 1, &traced.hits);
        traced.tracer.once_ends(1, 3, &traced.hits);
        traced.tracer.close(&key, &traced.hits, &None);
        assert_eq!(once(&traced), [1, 0, 1]);
    }

    #[test]
    fn a_unit_that_did_not_end_is_written_and_not_done() {
        let traced = traced();
        traced.open("T");
        traced.hits.hit(1);
        traced.tracer.end("main", &traced.hits);
        let unit = traced.unit("T").unwrap();
        assert!(unit.has_run && traced.unit("main").is_none());
        assert_eq!(unit.used.hits, [(0, vec![2])]);
        assert!(!traced.messages().iter().any(|message| matches!(message, Message::Done { .. })));
        assert_eq!(traced.messages().last(), Some(&Message::End));
        // Whoever asks for all hits afterwards gets those that were written.
        traced.hits.hit(2);
        assert_eq!(traced.tracer.total(&traced.hits, false).hits(0).unwrap().iter().count(), 1);
    }

    #[test]
    fn what_only_prepares_a_unit_is_written_at_the_end() {
        let traced = traced();
        let prepare = |unit: &str, element: u32| {
            let key = WindowKey::Id(format!("build {unit}"));
            let units = vec![unit.to_owned()];
            let window = Window { key: key.clone(), units, framework: "test", runs: false, nests: true };
            traced.tracer.open(window, &traced.hits);
            traced.hits.hit(element);
            traced.tracer.close(&key, &traced.hits, &None);
        };
        let key = traced.open("T");
        traced.tracer.close(&key, &traced.hits, &None);
        prepare("T", 0);
        prepare("U", 1);
        traced.tracer.end("main", &traced.hits);
        let messages = traced.messages();
        let done = |message: &&Message| matches!(message, Message::Done { units } if *units == [0]);
        assert_eq!(messages.iter().filter(done).count(), 2, "T ended before and was prepared again");
        let unit = traced.unit("U").unwrap();
        assert_eq!((unit.has_run, unit.used.hits), (false, vec![(0, vec![2])]));
    }

    #[test]
    fn a_jvm_without_a_framework_is_one_unit() {
        let traced = traced();
        traced.hits.hit(1);
        traced.tracer.end("a.Main", &traced.hits);
        assert_eq!(traced.unit("a.Main").unwrap().used.hits, [(0, vec![2])]);
        assert!(traced.messages().contains(&Message::Done { units: vec![0] }));
    }
}
