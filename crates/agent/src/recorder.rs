//! The recorder: instruments the classes that are loaded and hands out what their probes saw.
//!
//! It knows nothing of JNI; what it needs of the JVM it asks of a [`ProbeMemory`]. Whatever goes wrong with a class, the
//! class is loaded as it came, counts as not recorded, and that is said once.

use crate::filter::{Filter, Origin};
use crate::holder::{FIELD, holder_class, holder_name, is_holder};
use crate::messages::{Messages, say};
use crate::options::Options;
use crate::registry::{Range, Registry};
use crate::session::Session;
use crate::tracing::hooks::{self, HOOKS_CLASS, Once};
use crate::tracing::sink::{Hit, Sink};
use crate::tracing::tracer::HitSource;
use crate::tracing::{NewClass, Tracer};
use probity_classfile::ClassFile;
use probity_classfile::pool::Constant;
use probity_instrument::{
    ClassPlan, EntryOnly, InstrumentError, Instrumenter, MethodHook, ProbeRange, class_id,
};
use probity_wire::{Fact, Origin as WireOrigin};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// The arrays in the JVM.
pub(crate) trait ProbeMemory {
    /// Defines the holder of a number.
    fn define_holder(&self, number: usize, name: &str, class: &[u8]) -> Result<(), HolderError>;

    /// Appends the first elements of a holder's array to `out`.
    fn read(&self, number: usize, length: u32, out: &mut Vec<u8>) -> Result<(), HolderError>;

    /// Appends which of the first elements of a holder's array are not 0 to `out`, and sets each of them to 0. No store of
    /// another thread is lost: it is seen now or the next time.
    fn drain(&self, number: usize, length: u32, out: &mut Vec<u32>) -> Result<(), HolderError>;
}

/// The JVM did not do what was asked of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HolderError {
    /// The class that holds an array could not be defined.
    NotDefined,
    /// An array could not be read.
    NotReadable,
}

impl fmt::Display for HolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotDefined => "the JVM did not define a class for probes",
            Self::NotReadable => "the JVM did not give access to the probes",
        })
    }
}

/// Why a class is not recorded.
enum NotRecorded {
    Class(probity_classfile::Error),
    Instrument(InstrumentError),
    Holder(HolderError),
    IdClash,
    Redefined,
}

impl fmt::Display for NotRecorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Class(error) => error.fmt(f),
            Self::Instrument(error) => error.fmt(f),
            Self::Holder(error) => error.fmt(f),
            Self::IdClash => f.write_str("another class has the same id"),
            Self::Redefined => f.write_str("it was redefined to what no class file is known to hold"),
        }
    }
}

/// A class file that the JVM is about to load.
pub(crate) struct LoadedClass<'a> {
    /// The internal name, if the JVM knows it.
    pub(crate) name: Option<&'a [u8]>,
    pub(crate) bytes: &'a [u8],
    /// Whether the class is there already and gets other bytes.
    pub(crate) redefined: bool,
    pub(crate) origin: &'a dyn Origin,
}

/// Records one JVM.
#[derive(Debug)]
pub(crate) struct Recorder {
    filter: Filter,
    registry: Mutex<Registry>,
    /// Instrumenters that no thread uses at the moment.
    idle: Mutex<Vec<Instrumenter>>,
    session: Session,
    class_dump_folder: Option<PathBuf>,
    not_recorded: AtomicU64,
    messages: Messages,
    tracer: OnceLock<Tracer>,
    /// Whether classes can call the agent.
    has_hooks: AtomicBool,
}

/// A lock that a panic elsewhere has poisoned still guards sound data: nothing is left half-changed under it.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Recorder {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            filter: Filter::new(options),
            registry: Mutex::default(),
            idle: Mutex::default(),
            session: Session::start(options.sessionid.as_deref()),
            class_dump_folder: options.classdumpdir.clone(),
            not_recorded: AtomicU64::new(0),
            messages: Messages::default(),
            tracer: OnceLock::new(),
            has_hooks: AtomicBool::new(false),
        }
    }

    /// Records traces from now on.
    pub(crate) fn trace_with(&self, tracer: Tracer) {
        let _ = self.tracer.set(tracer);
    }

    pub(crate) fn tracer(&self) -> Option<&Tracer> {
        self.tracer.get()
    }

    /// The class is there through which others call the agent.
    pub(crate) fn hooks_are_there(&self) {
        self.has_hooks.store(true, Ordering::Release);
    }

    fn has_hooks(&self) -> bool {
        self.has_hooks.load(Ordering::Acquire)
    }

    /// The class with probes, or nothing if it is to be loaded as it came.
    pub(crate) fn instrument(&self, memory: &dyn ProbeMemory, loaded: &LoadedClass<'_>) -> Option<Vec<u8>> {
        let known_name = loaded.name.unwrap_or_default();
        if is_holder(known_name) || known_name == HOOKS_CLASS.as_bytes() {
            return None;
        }
        if let Some(tracer) = self.tracer()
            && loaded.origin.is_bootstrap()
            && !self.filter.accepts(known_name, loaded.origin)
        {
            return self.hook_jdk_class(tracer, known_name, loaded);
        }
        if known_name.starts_with(b"org/jacoco/agent/rt/") {
            self.warn_of_jacoco();
            return None;
        }
        // A class without a name is read before the filter can be asked.
        if loaded.name.is_some() && !self.is_wanted(known_name, loaded.origin) {
            return None;
        }
        match self.try_instrument(memory, loaded) {
            Ok(instrumented) => instrumented,
            Err(reason) => {
                self.count_not_recorded(known_name, &reason);
                self.trace_class(loaded, known_name, class_id(loaded.bytes), Recorded::No(reason));
                None
            }
        }
    }

    fn is_wanted(&self, name: &[u8], origin: &dyn Origin) -> bool {
        self.filter.accepts(name, origin) || self.tracer().is_some() && self.filter.is_traced(origin)
    }

    /// Notes a class of the JDK; those through which programs look at things call the agent.
    fn hook_jdk_class(&self, tracer: &Tracer, name: &[u8], loaded: &LoadedClass<'_>) -> Option<Vec<u8>> {
        if !loaded.redefined && hooks::is_jdk_name(name) {
            tracer.jdk_class_loaded(name);
        } else if !loaded.redefined {
            // The program has put it there: nothing is known of what runs in it, so all that it names counts.
            self.trace_class(loaded, name, class_id(loaded.bytes), Recorded::Yes(None, Vec::new()));
        }
        if !self.has_hooks() || !hooks::is_hooked_jdk_class(name) {
            return None;
        }
        let class = ClassFile::read(loaded.bytes).ok()?;
        let found = hooks::of_jdk_class(&class);
        let hooked = self.with_instrumenter(|instrumenter| instrumenter.insert_hooks(&class, &found));
        if let Err(error) = &hooked {
            let name = String::from_utf8_lossy(name);
            tracer.saw(&Fact::Unknown(format!("{name} cannot be watched: {error}").into_bytes()));
        }
        hooked.ok()
    }

    /// Tells the tracer of a class.
    fn trace_class(&self, loaded: &LoadedClass<'_>, name: &[u8], id: u64, recorded: Recorded) {
        let Some(tracer) = self.tracer() else { return };
        let (range, entry_only, not_recorded) = match recorded {
            Recorded::Yes(range, entry_only) => (range, entry_only, None),
            Recorded::No(reason) => (None, Vec::new(), Some(reason.to_string())),
        };
        let origin = match loaded.origin.location() {
            None => WireOrigin::Made(loaded.bytes.to_vec()),
            Some(location) if location.starts_with(b"jrt:") || loaded.origin.is_read_by_jdk() => {
                WireOrigin::Location(location)
            }
            Some(location) => WireOrigin::Claimed { location, bytes: loaded.bytes.to_vec() },
        };
        tracer.class_loaded(NewClass {
            name,
            id,
            length: loaded.bytes.len() as u32,
            loader: loaded.origin.loader_number(),
            range,
            entry_only,
            not_recorded,
            origin,
        });
    }

    fn with_instrumenter<T>(&self, action: impl FnOnce(&mut Instrumenter) -> T) -> T {
        let mut instrumenter = locked(&self.idle).pop().unwrap_or_default();
        let result = action(&mut instrumenter);
        locked(&self.idle).push(instrumenter);
        result
    }

    fn try_instrument(
        &self,
        memory: &dyn ProbeMemory,
        loaded: &LoadedClass<'_>,
    ) -> Result<Option<Vec<u8>>, NotRecorded> {
        let class = ClassFile::read(loaded.bytes).map_err(NotRecorded::Class)?;
        let name = class.name().map_err(NotRecorded::Class)?.as_bytes();
        if loaded.name.is_none() && !self.is_wanted(name, loaded.origin) {
            return Ok(None);
        }
        let id = class_id(loaded.bytes);
        if let Some(folder) = &self.class_dump_folder {
            self.write_class_file(folder, name, id, loaded.bytes);
        }
        if loaded.redefined && !self.is_redefined_to_itself(&class, id)? {
            return Ok(None);
        }
        let is_reported = self.filter.accepts(name, loaded.origin);
        let instrumented = self.with_instrumenter(|instrumenter| {
            self.instrument_with(instrumenter, memory, &class, &Named { name, id, is_reported })
        })?;
        let bytes = instrumented.bytes;
        self.trace_class(loaded, name, id, Recorded::Yes(instrumented.range, instrumented.entry_only));
        Ok(bytes)
    }

    /// Whether a class that is redefined gets the bytes that it was loaded with. Bytes that have probes already are to be
    /// left alone. Any others were made by another agent: their id is that of no class file, and is not recorded.
    fn is_redefined_to_itself(&self, class: &ClassFile<'_>, id: u64) -> Result<bool, NotRecorded> {
        if locked(&self.registry).knows(id) {
            return Ok(true);
        }
        let has_probes = class.pool().iter().any(|(_, constant)| match constant {
            Constant::Utf8(text) => is_holder(text.as_bytes()),
            _ => false,
        });
        if has_probes { Ok(false) } else { Err(NotRecorded::Redefined) }
    }

    fn instrument_with(
        &self,
        instrumenter: &mut Instrumenter,
        memory: &dyn ProbeMemory,
        class: &ClassFile<'_>,
        named: &Named<'_>,
    ) -> Result<Instrumented, NotRecorded> {
        let plan = instrumenter.plan(class).map_err(NotRecorded::Instrument)?;
        if plan.counts().total() == 0 {
            locked(&self.registry).note_without_probes(named.id);
            return Ok(Instrumented::default());
        }
        let range = self.assign(memory, named, &plan)?;
        let place =
            ProbeRange { holder: holder_name(range.holder), field: FIELD.to_owned(), start: range.start };
        let hooks = self.hooks(class, named).map_err(NotRecorded::Class)?;
        let (bytes, entry_only) = match instrumenter.instrument_with_hooks(class, &plan, &place, &hooks) {
            Err(error) if error.is_for_want_of_room() && self.tracer().is_some() => {
                // Execution data needs all probes. Traces only have to know which methods were entered.
                locked(&self.registry).note_incomplete(named.id);
                self.count_not_recorded(named.name, &NotRecorded::Instrument(error));
                instrumenter
                    .instrument_tightly(class, &plan, &place, &hooks)
                    .map_err(NotRecorded::Instrument)?
            }
            other => (other.map_err(NotRecorded::Instrument)?, Vec::new()),
        };
        Ok(Instrumented { range: Some(range), bytes: Some(bytes), entry_only })
    }

    /// The hooks of a class of the program.
    fn hooks(
        &self,
        class: &ClassFile<'_>,
        named: &Named<'_>,
    ) -> Result<Vec<MethodHook>, probity_classfile::Error> {
        let Some(tracer) = self.tracer().filter(|_| self.has_hooks()) else { return Ok(Vec::new()) };
        let mut hooks = hooks::of_framework_class(class);
        let number = tracer.class_number(named.id, named.name);
        let once = Once::of(class, number)?;
        if once.is_plain {
            tracer.nothing_once(number);
        }
        hooks.extend(once.hooks);
        Ok(hooks)
    }

    fn assign(
        &self,
        memory: &dyn ProbeMemory,
        named: &Named<'_>,
        plan: &ClassPlan,
    ) -> Result<Range, NotRecorded> {
        let Named { name, id, is_reported } = *named;
        // Defining a holder calls back for the holder itself, on this thread; that call returns before it needs the lock.
        let range =
            locked(&self.registry).assign(id, name, plan.counts(), is_reported, |number, capacity| {
                let name = holder_name(number);
                memory.define_holder(number, &name, &holder_class(&name, capacity))
            });
        range.map_err(NotRecorded::Holder)?.map_err(|_| NotRecorded::IdClash)
    }

    fn warn_of_jacoco(&self) {
        self.messages.once(
            "jacoco",
            &"JaCoCo's agent runs in the same JVM. The agent that comes second sees changed classes and does not \
              know their ids: remove one of the two",
        );
    }

    fn count_not_recorded(&self, name: &[u8], reason: &NotRecorded) {
        self.not_recorded.fetch_add(1, Ordering::Relaxed);
        if matches!(reason, NotRecorded::Instrument(InstrumentError::AlreadyInstrumented)) {
            self.warn_of_jacoco();
        }
        let name = String::from_utf8_lossy(name);
        self.messages.once(
            "not recorded",
            &format_args!(
                "the class {name} is not recorded: {reason}; more such classes are counted at the end"
            ),
        );
    }

    fn write_class_file(&self, folder: &Path, name: &[u8], id: u64, bytes: &[u8]) {
        let path = folder.join(format!("{}.{id:016x}.class", String::from_utf8_lossy(name)));
        let parent = path.parent().unwrap_or(folder);
        let written = std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&path, bytes));
        if let Err(error) = written {
            self.messages.once(
                "class dump",
                &format_args!("classes cannot be written to {}: {error}", folder.display()),
            );
        }
    }

    /// The session and all classes with hits, as blocks of execution data without a header.
    pub(crate) fn data(&self, memory: &dyn ProbeMemory, reset: bool) -> Vec<u8> {
        let mut out = Vec::new();
        self.session.write(&mut out);
        let hits = self.hits(memory, reset);
        for (id, class) in locked(&self.registry).classes() {
            if class.is_reported && !class.is_incomplete {
                let Range { holder, start, counts } = class.range;
                let probes: Vec<u8> = (start..start + counts.jacoco)
                    .map(|element| u8::from(hits.has(holder, element)))
                    .collect();
                probity_execdata::write_class(&mut out, id, &class.name, &probes);
            }
        }
        if reset {
            self.session.restart();
        }
        out
    }

    /// All hits since the start or the last reset.
    fn hits(&self, memory: &dyn ProbeMemory, reset: bool) -> Sink {
        let source = RecordedHits { recorder: self, memory };
        if let Some(tracer) = self.tracer() {
            return tracer.total(&source, reset);
        }
        let mut hits = Sink::default();
        if reset {
            let mut drained = Vec::new();
            source.drain(&mut drained);
            drained.into_iter().for_each(|hit| hits.hit(hit));
            return hits;
        }
        let used: Vec<u32> = locked(&self.registry).used().collect();
        for (number, length) in used.into_iter().enumerate().filter(|&(_, length)| length > 0) {
            let mut array = Vec::with_capacity(length as usize);
            if let Err(error) = memory.read(number, length, &mut array) {
                self.messages.once("unreadable", &error);
            }
            let is_hit = array.iter().zip(0..).filter(|&(&element, _)| element != 0);
            is_hit.for_each(|(_, element)| hits.hit(Hit { holder: number as u32, element }));
        }
        hits
    }

    /// Forgets what the probes saw.
    pub(crate) fn reset(&self, memory: &dyn ProbeMemory) {
        self.hits(memory, true);
        self.session.restart();
    }

    /// What the probes saw, for the tracer.
    pub(crate) fn recorded_hits<'a>(&'a self, memory: &'a dyn ProbeMemory) -> RecordedHits<'a> {
        RecordedHits { recorder: self, memory }
    }

    /// Says how many classes were not recorded, if more than the one that was named.
    pub(crate) fn say_how_many_were_not_recorded(&self) {
        let count = self.not_recorded.load(Ordering::Relaxed);
        if count > 1 {
            say(&format_args!("{count} classes were not recorded"));
        }
    }

    /// Notes an error of the agent itself while a class was loaded.
    pub(crate) fn note_panic(&self, what: &str) {
        self.not_recorded.fetch_add(1, Ordering::Relaxed);
        self.messages.once("panic", &format_args!("an internal error; a class is not recorded: {what}"));
    }
}

/// A class with probes, unless there is nothing in it to have any.
#[derive(Default)]
struct Instrumented {
    range: Option<Range>,
    bytes: Option<Vec<u8>>,
    /// The methods that have a single probe for want of room.
    entry_only: Vec<EntryOnly>,
}

/// What came of a class.
enum Recorded {
    Yes(Option<Range>, Vec<EntryOnly>),
    No(NotRecorded),
}

/// A class as it is told apart from others.
struct Named<'a> {
    name: &'a [u8],
    id: u64,
    is_reported: bool,
}

/// The hits in the arrays of a JVM.
pub(crate) struct RecordedHits<'a> {
    recorder: &'a Recorder,
    memory: &'a dyn ProbeMemory,
}

impl HitSource for RecordedHits<'_> {
    fn drain(&self, hits: &mut Vec<Hit>) {
        let used: Vec<u32> = locked(&self.recorder.registry).used().collect();
        let mut elements = Vec::new();
        for (number, length) in used.into_iter().enumerate().filter(|&(_, length)| length > 0) {
            elements.clear();
            if let Err(error) = self.memory.drain(number, length, &mut elements) {
                self.recorder.messages.once("unreadable", &error);
            }
            hits.extend(elements.iter().map(|&element| Hit { holder: number as u32, element }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    /// A JVM that holds arrays and lets tests hit probes.
    #[derive(Default)]
    struct FakeMemory {
        arrays: RefCell<Vec<Vec<u8>>>,
        refuses: bool,
    }

    impl ProbeMemory for FakeMemory {
        fn define_holder(&self, number: usize, _: &str, class: &[u8]) -> Result<(), HolderError> {
            assert_eq!(number, self.arrays.borrow().len());
            assert!(ClassFile::read(class).is_ok());
            if self.refuses {
                self.arrays.borrow_mut().push(Vec::new());
                return Err(HolderError::NotDefined);
            }
            self.arrays.borrow_mut().push(vec![0; 32_768]);
            Ok(())
        }

        fn read(&self, number: usize, length: u32, out: &mut Vec<u8>) -> Result<(), HolderError> {
            let arrays = self.arrays.borrow();
            out.extend(&arrays.get(number).ok_or(HolderError::NotReadable)?[..length as usize]);
            Ok(())
        }

        fn drain(&self, number: usize, length: u32, out: &mut Vec<u32>) -> Result<(), HolderError> {
            let mut arrays = self.arrays.borrow_mut();
            let array = arrays.get_mut(number).ok_or(HolderError::NotReadable)?;
            for (element, at) in array[..length as usize].iter_mut().zip(0..) {
                if std::mem::take(element) != 0 {
                    out.push(at);
                }
            }
            Ok(())
        }
    }

    struct App;

    impl Origin for App {
        fn is_bootstrap(&self) -> bool {
            false
        }
        fn has_location(&self) -> bool {
            true
        }
        fn loader_class(&self) -> Option<Vec<u8>> {
            None
        }
        fn location(&self) -> Option<Vec<u8>> {
            Some(b"file:/classes/".to_vec())
        }
        fn is_read_by_jdk(&self) -> bool {
            true
        }
        fn loader_number(&self) -> u64 {
            1
        }
    }

    fn recorder(options: &str) -> Recorder {
        Recorder::new(&Options::parse(options).unwrap())
    }

    fn load(recorder: &Recorder, memory: &FakeMemory, bytes: &[u8]) -> Option<Vec<u8>> {
        recorder
            .instrument(memory, &LoadedClass { name: Some(b"a/B"), bytes, redefined: false, origin: &App })
    }

    /// A class with one method that has one probe: the holder's own form serves.
    fn some_class() -> Vec<u8> {
        holder_class("a/B", 5)
    }

    #[test]
    fn a_class_gets_probes_and_its_hits_come_out() {
        let (recorder, memory) = (recorder("sessionid=s"), FakeMemory::default());
        let instrumented = load(&recorder, &memory, &some_class()).expect("instrumented");
        assert!(ClassFile::read(&instrumented).is_ok());
        let without_hits = recorder.data(&memory, false);
        memory.arrays.borrow_mut()[0][0] = 1;
        let with_hits = recorder.data(&memory, true);
        assert!(with_hits.len() > without_hits.len());
        assert!(with_hits.windows(3).any(|bytes| bytes == b"a/B"));
        assert_eq!(recorder.data(&memory, false).len(), without_hits.len(), "the reset cleared the hits");
    }

    #[test]
    fn the_same_class_file_has_one_range() {
        let (recorder, memory) = (recorder(""), FakeMemory::default());
        let first = load(&recorder, &memory, &some_class());
        assert_eq!(first, load(&recorder, &memory, &some_class()));
        assert_eq!(recorder.registry.lock().unwrap().classes().count(), 1);
    }

    #[test]
    fn a_redefined_class_keeps_its_range_and_gets_no_other_id() {
        let (recorder, memory) = (recorder(""), FakeMemory::default());
        let redefine = |bytes: &[u8]| {
            let loaded = LoadedClass { name: Some(b"a/B"), bytes, redefined: true, origin: &App };
            recorder.instrument(&memory, &loaded)
        };
        let first = load(&recorder, &memory, &some_class()).expect("instrumented");
        assert_eq!(redefine(&some_class()).as_ref(), Some(&first), "to what it was");
        assert_eq!(redefine(&first), None, "to what has probes already");
        assert_eq!(recorder.not_recorded.load(Ordering::Relaxed), 0);
        assert_eq!(redefine(&holder_class("a/B", 6)), None, "to something else");
        assert_eq!(recorder.not_recorded.load(Ordering::Relaxed), 1);
        assert_eq!(recorder.registry.lock().unwrap().classes().count(), 1);
    }

    #[test]
    fn what_cannot_be_instrumented_is_left_alone_and_counted() {
        let (recorder, memory) = (recorder(""), FakeMemory::default());
        assert_eq!(load(&recorder, &memory, b"not a class"), None);
        assert_eq!(recorder.not_recorded.load(Ordering::Relaxed), 1);
        let refusing = FakeMemory { refuses: true, ..FakeMemory::default() };
        assert_eq!(load(&recorder, &refusing, &some_class()), None);
        assert_eq!(recorder.not_recorded.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn excluded_classes_are_left_alone_and_not_counted() {
        let (recorder, memory) = (recorder("excludes=a.*"), FakeMemory::default());
        assert_eq!(load(&recorder, &memory, &some_class()), None);
        let nameless = LoadedClass { name: None, bytes: &some_class(), redefined: false, origin: &App };
        assert_eq!(recorder.instrument(&memory, &nameless), None);
        assert_eq!(recorder.not_recorded.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn classes_are_dumped_as_they_came() {
        let folder = tempfile::tempdir().unwrap();
        let (recorder, memory) =
            (recorder(&format!("classdumpdir={}", folder.path().display())), FakeMemory::default());
        load(&recorder, &memory, &some_class());
        let path = folder.path().join(format!("a/B.{:016x}.class", class_id(&some_class())));
        assert_eq!(std::fs::read(path).unwrap(), some_class());
    }
}
