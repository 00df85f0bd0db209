//! Which units are running.
//!
//! A unit runs while at least one of its windows is open: a framework can tell of one and the same unit in several ways and on
//! several threads. Of units inside each other the innermost is responsible; units that run side by side all are. A unit has
//! ended when its last window is closed and no session is open in which it could run again.

use crate::tracing::sink::Sink;
use crate::tracing::unit_name::{engine_unit, is_engine_unit, units_of_test};
use probity_wire::{TestMessage, TestOutcome, UnitMessage};
use std::collections::{BTreeSet, HashMap};
use std::time::Instant;

/// Where something is open: closing names the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum WindowKey {
    /// The last one of this kind on a thread.
    Thread {
        /// The thread.
        thread: u64,
        /// What kind of hook it is.
        kind: i32,
    },
    /// A name that the framework gives.
    Id(String),
}

/// A window to be opened.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    pub(crate) key: WindowKey,
    /// The units that it belongs to, the outermost first; none for a window that only has to be closed again.
    pub(crate) units: Vec<String>,
    pub(crate) framework: &'static str,
    /// Whether tests run in it; otherwise it only prepares them.
    pub(crate) runs: bool,
    /// Whether what is open on the same thread is around it. Otherwise the framework says itself what is inside what; there a
    /// thread may do work for one unit while it waits for the end of another.
    pub(crate) nests: bool,
}

#[derive(Debug)]
struct Open {
    key: WindowKey,
    unit: Option<u32>,
    nests: bool,
    /// The units around it.
    inside: BTreeSet<u32>,
}

/// One unit.
#[derive(Debug)]
pub(crate) struct Unit {
    name: String,
    framework: &'static str,
    pub(crate) sink: Sink,
    /// When the part began that is running, on both clocks.
    began: (u64, Instant),
    micros: u64,
    windows: u32,
    /// Whether it is known who runs it: who prepares it may be another one, that only looks whether it could.
    has_framework: bool,
    /// Whether tests ran since it was last written.
    has_run: bool,
    /// Whether it was said to have ended, each time that it ran.
    has_ended: bool,
    overlaps: BTreeSet<u32>,
    inside: BTreeSet<u32>,
    tests: Vec<TestMessage>,
    pub(crate) threads: BTreeSet<u64>,
    /// What this part of it does to the settings that everybody shares, if it sets some.
    settings: Option<Changed>,
}

/// What is done to settings.
#[derive(Debug)]
struct Changed {
    /// What they were at first.
    before: Settings,
    /// Whether they were something else since.
    were_other: bool,
}

/// The settings of a JVM that everybody in it shares, as far as they can be compared; nothing if they cannot be told.
pub(crate) type Settings = Option<Vec<u8>>;

/// The framework that tells of what others run.
pub(crate) const PLATFORM: &str = "JUnit Platform";

impl Unit {
    /// The framework that really runs it is the one below the platform.
    fn set_framework(&mut self, framework: &'static str) {
        if !self.has_framework || self.framework == PLATFORM {
            self.framework = framework;
        }
        self.has_framework = true;
    }

    /// Notes the settings before they are set once more.
    pub(crate) fn before_setting(&mut self, settings: &Settings) {
        match &mut self.settings {
            Some(changed) => changed.were_other |= changed.before != *settings,
            None => self.settings = Some(Changed { before: settings.clone(), were_other: false }),
        }
    }

    /// Whether this part leaves settings behind, other than by putting back what it found. Who sets what was set already leaves it
    /// behind too; what cannot be told may be another.
    fn leaves_settings(&mut self, now: &Settings) -> bool {
        self.settings.take().is_some_and(|Changed { before, were_other }| {
            let are_put_back = were_other && before.is_some() && before == *now;
            !are_put_back
        })
    }
}

/// A test that is running.
#[derive(Debug)]
struct Running {
    began: Instant,
    /// What is known of its outcome.
    outcome: TestOutcome,
}

/// All units of this JVM.
#[derive(Debug, Default)]
pub(crate) struct Units {
    units: Vec<Unit>,
    by_name: HashMap<String, u32>,
    open: Vec<Open>,
    sessions: Vec<WindowKey>,
    /// The units that wait for the end of a session.
    waiting: BTreeSet<u32>,
    /// Those that are responsible for what happens now.
    responsible: Vec<u32>,
    running_tests: HashMap<String, Running>,
}

impl Units {
    /// Opens a window; the units that are responsible change. `millis` is the time of day.
    pub(crate) fn open(&mut self, window: Window, millis: u64) {
        let Window { key, units, framework, runs, nests } = window;
        let numbers: Vec<u32> = units.into_iter().map(|name| self.number(name, framework, millis)).collect();
        let mut inside = if nests { self.around(&key) } else { BTreeSet::new() };
        let unit = numbers.split_last().map(|(&unit, around)| {
            inside.extend(around);
            inside.remove(&unit);
            unit
        });
        if let Some(number) = unit
            && let Some(unit) = self.units.get_mut(number as usize)
        {
            if unit.windows == 0 {
                unit.began = (millis, Instant::now());
            }
            unit.windows += 1;
            if runs {
                unit.set_framework(framework);
            }
            unit.has_run |= runs;
            unit.has_ended &= !runs;
            unit.inside.extend(&inside);
        }
        self.open.push(Open { key, unit, nests, inside });
        self.find_responsible();
    }

    /// The units around what is opened on a thread.
    fn around(&self, key: &WindowKey) -> BTreeSet<u32> {
        let WindowKey::Thread { thread, .. } = key else { return BTreeSet::new() };
        let is_around = |open: &&Open| {
            open.nests && matches!(&open.key, WindowKey::Thread { thread: on, .. } if on == thread)
        };
        self.open.iter().filter(is_around).filter_map(|open| open.unit).collect()
    }

    fn number(&mut self, name: String, framework: &'static str, millis: u64) -> u32 {
        if let Some(&number) = self.by_name.get(&name) {
            return number;
        }
        let number = self.units.len() as u32;
        self.units.push(Unit {
            name: name.clone(),
            framework,
            sink: Sink::default(),
            began: (millis, Instant::now()),
            micros: 0,
            windows: 0,
            has_framework: false,
            has_run: false,
            has_ended: false,
            settings: None,
            overlaps: BTreeSet::new(),
            inside: BTreeSet::new(),
            tests: Vec::new(),
            threads: BTreeSet::new(),
        });
        self.by_name.insert(name, number);
        number
    }

    /// Closes the last window of a key. The units that are to be written, if their last window is closed.
    pub(crate) fn close(&mut self, key: &WindowKey) -> Option<u32> {
        let at = self.open.iter().rposition(|open| open.key == *key)?;
        let closed = self.open.remove(at);
        self.find_responsible();
        let number = closed.unit?;
        let unit = self.units.get_mut(number as usize)?;
        unit.windows = unit.windows.saturating_sub(1);
        if unit.windows > 0 {
            return None;
        }
        unit.micros += unit.began.1.elapsed().as_micros() as u64;
        unit.has_run.then_some(number)
    }

    /// Whether a window of a key is open.
    pub(crate) fn is_open(&self, key: &WindowKey) -> bool {
        self.open.iter().any(|open| open.key == *key)
    }

    fn find_responsible(&mut self) {
        let around: BTreeSet<u32> = self.open.iter().flat_map(|open| open.inside.iter().copied()).collect();
        let mut responsible: Vec<u32> =
            self.open.iter().filter_map(|open| open.unit).filter(|unit| !around.contains(unit)).collect();
        responsible.sort_unstable();
        responsible.dedup();
        if responsible.len() > 1 {
            for &number in &responsible {
                if let Some(unit) = self.units.get_mut(number as usize) {
                    unit.overlaps.extend(responsible.iter().filter(|&&other| other != number));
                }
            }
        }
        self.responsible = responsible;
    }

    /// Whether some unit is responsible.
    pub(crate) fn is_any_responsible(&self) -> bool {
        !self.responsible.is_empty()
    }

    /// Calls an action for each unit that is responsible.
    pub(crate) fn for_responsible(&mut self, mut action: impl FnMut(&mut Unit)) {
        for &number in &self.responsible {
            if let Some(unit) = self.units.get_mut(number as usize) {
                action(unit);
            }
        }
    }

    /// Whether a unit leaves other settings behind than it found, in the part that has ended.
    pub(crate) fn leaves_settings(&mut self, number: u32, now: &Settings) -> bool {
        self.units.get_mut(number as usize).is_some_and(|unit| unit.leaves_settings(now))
    }

    /// Calls an action for a unit.
    pub(crate) fn with(&mut self, number: u32, action: impl FnOnce(&mut Unit)) {
        if let Some(unit) = self.units.get_mut(number as usize) {
            action(unit);
        }
    }

    /// Whether there was no unit at all.
    pub(crate) fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// What is written of a unit whose part has ended, with what it used.
    pub(crate) fn take_part(&mut self, number: u32) -> Option<(UnitMessage, Sink)> {
        let unit = self.units.get_mut(number as usize)?;
        let has_run = std::mem::take(&mut unit.has_run);
        let message = UnitMessage {
            number,
            name: unit.name.clone().into_bytes(),
            framework: unit.framework.as_bytes().to_vec(),
            began: unit.began.0,
            micros: std::mem::take(&mut unit.micros),
            overlaps: std::mem::take(&mut unit.overlaps).into_iter().collect(),
            inside: std::mem::take(&mut unit.inside).into_iter().collect(),
            has_run,
            threads_left: unit.threads.len() as u32,
            tests: std::mem::take(&mut unit.tests),
            used: probity_wire::Used::default(),
        };
        Some((message, std::mem::take(&mut unit.sink)))
    }

    /// The units that are running or of which something is not written yet.
    pub(crate) fn unwritten(&self) -> Vec<u32> {
        let is_unwritten = |unit: &Unit| unit.windows > 0 || unit.has_run || !unit.sink.is_empty();
        (0..).zip(&self.units).filter(|(_, unit)| is_unwritten(unit)).map(|(number, _)| number).collect()
    }

    /// Of some units those that have ended and were only prepared again since.
    pub(crate) fn still_ended(&self, units: &[u32]) -> Vec<u32> {
        let is_ended = |&number: &u32| {
            self.units.get(number as usize).is_some_and(|unit| unit.has_ended && unit.windows == 0)
        };
        units.iter().copied().filter(is_ended).collect()
    }

    /// A unit that was written has ended, unless a session is open or it is that of an engine. The units that have.
    pub(crate) fn ended(&mut self, number: u32) -> Vec<u32> {
        if self.sessions.is_empty() && !self.is_of_engine(number) {
            self.set_ended(number, true);
            return vec![number];
        }
        self.set_ended(number, false);
        self.waiting.insert(number);
        Vec::new()
    }

    fn set_ended(&mut self, number: u32, has_ended: bool) {
        if let Some(unit) = self.units.get_mut(number as usize) {
            unit.has_ended = has_ended;
        }
    }

    pub(crate) fn open_session(&mut self, key: WindowKey) {
        self.sessions.push(key);
    }

    /// Closes a session. The units that have ended with it.
    pub(crate) fn close_session(&mut self, key: &WindowKey) -> Vec<u32> {
        if let Some(at) = self.sessions.iter().rposition(|open| open == key) {
            self.sessions.remove(at);
        }
        if !self.sessions.is_empty() {
            return Vec::new();
        }
        self.end_waiting(|units, number| !units.is_of_engine(number))
    }

    /// An engine has ended of which everything is one unit. The unit, if there is one.
    pub(crate) fn engine_ended(&mut self, engine: &str) -> Vec<u32> {
        let name = engine_unit(engine);
        self.end_waiting(|units, number| {
            units.units.get(number as usize).is_some_and(|unit| unit.name == name)
        })
    }

    /// The waiting units of some kind that are not running, which then wait no longer.
    fn end_waiting(&mut self, is_meant: impl Fn(&Self, u32) -> bool) -> Vec<u32> {
        let is_closed = |number: u32| self.units.get(number as usize).is_some_and(|unit| unit.windows == 0);
        let waiting = self.waiting.iter().copied();
        let ended: Vec<u32> = waiting.filter(|&number| is_closed(number) && is_meant(self, number)).collect();
        self.waiting.retain(|number| !ended.contains(number));
        ended.iter().for_each(|&number| self.set_ended(number, true));
        ended
    }

    /// Whether a unit is all that an engine of the JUnit Platform runs: it has many parts, and more may come.
    fn is_of_engine(&self, number: u32) -> bool {
        self.units.get(number as usize).is_some_and(|unit| is_engine_unit(&unit.name))
    }

    /// A test starts; a framework may tell of it several times.
    pub(crate) fn test_started(&mut self, id: String) {
        let running = || Running { began: Instant::now(), outcome: TestOutcome::Passed };
        self.running_tests.entry(id).or_insert_with(running);
    }

    /// A test has failed and not yet ended; or something failed that is no test.
    pub(crate) fn test_failed(&mut self, id: String) {
        match self.running_tests.get_mut(&id) {
            Some(running) => running.outcome = TestOutcome::Failed,
            None => self.add_test_once(id, TestOutcome::Failed),
        }
    }

    /// A test is not run, or not to its end.
    pub(crate) fn test_skipped(&mut self, id: String) {
        match self.running_tests.get_mut(&id) {
            Some(running) if running.outcome == TestOutcome::Failed => {}
            Some(running) => running.outcome = TestOutcome::Skipped,
            None => self.add_test_once(id, TestOutcome::Skipped),
        }
    }

    /// A test has ended that was started; it has passed unless something else is known. That of any other was told already.
    pub(crate) fn test_finished(&mut self, id: String) {
        if let Some(Running { began, outcome }) = self.running_tests.remove(&id) {
            self.add_test(id, outcome, began.elapsed().as_micros() as u64);
        }
    }

    /// A test, or something that is none, has ended. What did not start counts too, and a framework may tell of it several times.
    pub(crate) fn test_ended(&mut self, id: String, outcome: TestOutcome) {
        let Some(running) = self.running_tests.remove(&id) else { return self.add_test_once(id, outcome) };
        let has_failed = running.outcome == TestOutcome::Failed;
        let micros = running.began.elapsed().as_micros() as u64;
        self.add_test(id, if has_failed { TestOutcome::Failed } else { outcome }, micros);
    }

    /// Adds a test that did not start, unless it was added just now.
    fn add_test_once(&mut self, id: String, outcome: TestOutcome) {
        let is_there =
            self.responsible.iter().filter_map(|&unit| self.units.get(unit as usize)).any(|unit| {
                unit.tests.last().is_some_and(|last| last.id == id.as_bytes() && last.outcome == outcome)
            });
        if !is_there {
            self.add_test(id, outcome, 0);
        }
    }

    /// Adds a test to the unit that its id names, or else to all that are responsible.
    fn add_test(&mut self, id: String, outcome: TestOutcome, micros: u64) {
        let names = units_of_test(&id);
        let named = self.by_name_responsible(&names);
        let test = TestMessage { id: id.into_bytes(), outcome, micros };
        match named.and_then(|unit| self.units.get_mut(unit as usize)) {
            Some(unit) => unit.tests.push(test),
            None => self.for_responsible(|unit| unit.tests.push(test.clone())),
        }
    }

    fn by_name_responsible(&self, names: &[String]) -> Option<u32> {
        let mut numbers = names.iter().filter_map(|name| self.by_name.get(name).copied());
        numbers.find(|number| self.responsible.contains(number))
    }

    /// A thread has ended.
    pub(crate) fn thread_ended(&mut self, thread: u64) {
        for unit in &mut self.units {
            unit.threads.remove(&thread);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(text: &str) -> WindowKey {
        WindowKey::Id(text.to_owned())
    }

    fn on(thread: u64, kind: i32) -> WindowKey {
        WindowKey::Thread { thread, kind }
    }

    fn open(units: &mut Units, key: WindowKey, names: &[&str]) {
        let names = names.iter().map(|&name| name.to_owned()).collect();
        units.open(Window { key, units: names, framework: "test", runs: true, nests: true }, 0);
    }

    fn responsible(units: &Units) -> String {
        let name = |&number: &u32| units.units[number as usize].name.clone();
        units.responsible.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_innermost_unit_is_responsible() {
        let mut units = Units::default();
        open(&mut units, on(1, 0), &["S"]);
        assert_eq!(responsible(&units), "S");
        open(&mut units, on(1, 0), &["A"]);
        assert_eq!(responsible(&units), "A");
        open(&mut units, on(1, 1), &["A"]);
        assert_eq!(units.close(&on(1, 1)), None);
        assert_eq!(units.close(&on(1, 0)), Some(1));
        let (message, _) = units.take_part(1).unwrap();
        assert_eq!((message.inside, message.overlaps), (vec![0], vec![]));
        assert_eq!(responsible(&units), "S");
        assert_eq!(units.close(&on(1, 0)), Some(0));
        assert_eq!(responsible(&units), "");
    }

    #[test]
    fn units_that_run_side_by_side_are_all_responsible() {
        let mut units = Units::default();
        open(&mut units, key("a"), &["A"]);
        open(&mut units, key("b"), &["S", "B"]);
        assert_eq!(responsible(&units), "A B");
        open(&mut units, key("a2"), &["A"]);
        assert_eq!(responsible(&units), "A B");
        units.close(&key("a2"));
        units.close(&key("a"));
        let (message, _) = units.take_part(0).unwrap();
        assert_eq!(message.overlaps, [2]);
    }

    #[test]
    fn a_session_holds_back_the_end_of_units() {
        let mut units = Units::default();
        units.open_session(key("s"));
        open(&mut units, key("a"), &["A"]);
        let number = units.close(&key("a")).unwrap();
        assert!(units.ended(number).is_empty());
        assert_eq!(units.close_session(&key("s")), [0]);
        assert_eq!(units.ended(number), [0]);
    }

    #[test]
    fn the_unit_of_an_engine_ends_with_the_engine() {
        let mut units = Units::default();
        open(&mut units, key("a"), &["engine some"]);
        let number = units.close(&key("a")).unwrap();
        assert!(units.ended(number).is_empty());
        units.open_session(key("s"));
        assert!(units.close_session(&key("s")).is_empty());
        assert!(units.engine_ended("other").is_empty());
        assert_eq!(units.engine_ended("some"), [0]);
        assert!(units.engine_ended("some").is_empty());
    }

    #[test]
    fn a_window_that_only_prepares_does_not_end_a_unit() {
        let mut units = Units::default();
        let window = Window {
            key: key("build"),
            units: vec!["A".to_owned()],
            framework: "test",
            runs: false,
            nests: true,
        };
        units.open(window, 0);
        assert_eq!(responsible(&units), "A");
        assert_eq!(units.close(&key("build")), None);
    }

    #[test]
    fn the_framework_is_the_one_that_runs_the_unit() {
        let framework = |windows: &[(&'static str, bool)]| {
            let mut units = Units::default();
            for &(framework, runs) in windows {
                let names = vec!["A".to_owned()];
                units.open(Window { key: key(framework), units: names, framework, runs, nests: true }, 0);
            }
            units.units[0].framework
        };
        assert_eq!(framework(&[("JUnit 4", false), (PLATFORM, true)]), PLATFORM);
        assert_eq!(framework(&[("JUnit 4", false), (PLATFORM, true), ("JUnit 3", true)]), "JUnit 3");
        assert_eq!(framework(&[("JUnit 4", true), (PLATFORM, true)]), "JUnit 4");
        assert_eq!(framework(&[("TestNG", false)]), "TestNG");
    }

    #[test]
    fn settings_are_left_behind_if_they_are_not_as_before() {
        let mut units = Units::default();
        let mut leaves = |before: &[Settings], now: &Settings| {
            open(&mut units, key("a"), &["A"]);
            units.for_responsible(|unit| before.iter().for_each(|before| unit.before_setting(before)));
            let number = units.close(&key("a")).unwrap();
            units.leaves_settings(number, now)
        };
        let value = |value: u8| Some(vec![value]);
        assert!(!leaves(&[], &value(2)), "it set nothing");
        assert!(leaves(&[value(1)], &value(2)));
        assert!(leaves(&[value(1), value(1)], &value(1)), "it set what was there");
        assert!(!leaves(&[value(1), value(2)], &value(1)), "it put back what was there");
        assert!(leaves(&[None], &None) && leaves(&[value(1)], &None), "nobody knows");
    }

    #[test]
    fn outcomes_are_those_of_the_tests() {
        let mut units = Units::default();
        open(&mut units, key("a"), &["A"]);
        // What is told twice counts once.
        for _ in 0..2 {
            units.test_started("t".to_owned());
            units.test_failed("t".to_owned());
        }
        units.test_finished("t".to_owned());
        units.test_finished("t".to_owned());
        units.test_ended("u".to_owned(), TestOutcome::Skipped);
        units.test_failed("class".to_owned());
        units.test_failed("class".to_owned());
        units.test_started("v".to_owned());
        units.test_skipped("v".to_owned());
        units.test_finished("v".to_owned());
        assert_eq!(tests(&mut units, 0), "t Failed, u Skipped, class Failed, v Skipped");
    }

    fn tests(units: &mut Units, number: u32) -> String {
        let (message, _) = units.take_part(number).unwrap();
        let name = |test: &TestMessage| format!("{} {:?}", String::from_utf8_lossy(&test.id), test.outcome);
        message.tests.iter().map(name).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn tests_belong_to_the_unit_that_they_name() {
        let mut units = Units::default();
        open(&mut units, key("a"), &["A"]);
        open(&mut units, key("b"), &["B"]);
        units.test_ended("x(A$Inner)".to_owned(), TestOutcome::Passed);
        units.test_ended("B.y".to_owned(), TestOutcome::Passed);
        units.test_ended("z".to_owned(), TestOutcome::Passed);
        assert_eq!(tests(&mut units, 0), "x(A$Inner) Passed, z Passed");
        assert_eq!(tests(&mut units, 1), "B.y Passed, z Passed");
    }
}
