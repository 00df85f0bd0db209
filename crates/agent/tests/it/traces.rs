//! Runs Java programs with traces and gives what was recorded of them as names and texts.

use crate::harness::{compile_with, our_argument, read, run};
use probity_execdata::store::Store;
use probity_test_support::java::{Compilation, CompiledClasses, Program, ProgramOutput};
use probity_toolchain::Jdk;
use probity_wire::{ClassMessage, Damage, Fact, Frames, Message, TestOutcome, UnitMessage, Used};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A program's output, and the recording of each JVM that it was.
pub(crate) struct Traced {
    pub(crate) output: ProgramOutput,
    pub(crate) data: Store,
    pub(crate) jvms: Vec<TracedJvm>,
}

/// Runs a program with traces.
pub(crate) fn trace(program: &Program<'_>) -> Traced {
    trace_with(program, "")
}

/// Runs a program with traces and other options.
pub(crate) fn trace_with(program: &Program<'_>, options: &str) -> Traced {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, traces) = (folder.path().join("recorded.exec"), folder.path().join("traces"));
    let options = format!("destfile={},traces={},{options}", file.display(), traces.display());
    let options = options.trim_end_matches(',');
    let output = run(&program.clone().jvm_argument(our_argument(options)));
    Traced { output, data: read(&file), jvms: recordings(&traces) }
}

impl Traced {
    /// The only JVM, which has ended by itself and recorded everything.
    pub(crate) fn jvm(&self) -> &TracedJvm {
        assert_eq!(self.jvms.len(), 1, "{}", self.output);
        assert_eq!(self.jvms[0].damage, None);
        assert_eq!(self.jvms[0].messages.last(), Some(&Message::End), "{}", self.output);
        &self.jvms[0]
    }
}

/// The recordings in a folder, by name.
pub(crate) fn recordings(folder: &Path) -> Vec<TracedJvm> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    // Beside them the agent may have put a copy of the jar that names the class path.
    files.retain(|file| file.extension().is_some_and(|end| end == "recording"));
    files.sort();
    files.iter().map(|file| TracedJvm::read(&std::fs::read(file).expect("a readable file"))).collect()
}

/// What one JVM recorded.
pub(crate) struct TracedJvm {
    pub(crate) messages: Vec<Message>,
    /// Why it could not be read to its end.
    pub(crate) damage: Option<Damage>,
    classes: BTreeMap<u32, ClassMessage>,
    facts: BTreeMap<u32, String>,
}

/// One unit, with all of its parts.
#[derive(Debug, Default)]
pub(crate) struct TracedUnit {
    pub(crate) name: String,
    pub(crate) framework: String,
    pub(crate) parts: usize,
    pub(crate) done: bool,
    /// The ids of the tests, each with its outcome, in the order in which they ended.
    pub(crate) tests: Vec<String>,
    pub(crate) inside: BTreeSet<String>,
    pub(crate) overlaps: BTreeSet<String>,
    pub(crate) threads_left: u32,
    pub(crate) used: TracedUse,
}

/// What was used.
#[derive(Debug, Default)]
pub(crate) struct TracedUse {
    /// The probes that were hit, by class.
    pub(crate) hits: BTreeMap<String, BTreeSet<u32>>,
    /// Facts as texts; what was looked for and not there ends in ` (absent)`.
    pub(crate) facts: BTreeSet<String>,
}

impl TracedUse {
    /// The nested classes of a class that were hit, by their simple names.
    pub(crate) fn nested_of(&self, outer: &str) -> Vec<&str> {
        let prefix = format!("{outer}$");
        self.hits.keys().filter_map(|name| name.strip_prefix(&prefix)).collect()
    }

    /// Whether something is among the facts.
    pub(crate) fn has(&self, fact: &str) -> bool {
        self.facts.contains(fact)
    }

    fn add(&mut self, jvm: &TracedJvm, used: &Used) {
        for (class, bits) in &used.hits {
            let is_hit = |probe: &u32| bits[*probe as usize / 8] >> (probe % 8) & 1 == 1;
            let probes = (0..bits.len() as u32 * 8).filter(is_hit);
            self.hits.entry(jvm.class(*class)).or_default().extend(probes);
        }
        for number in &used.facts {
            let absent = if used.absent.contains(number) { " (absent)" } else { "" };
            self.facts.insert(format!("{}{absent}", jvm.facts[number]));
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl TracedJvm {
    fn read(bytes: &[u8]) -> Self {
        let mut jvm =
            Self { messages: Vec::new(), damage: None, classes: BTreeMap::new(), facts: BTreeMap::new() };
        let frames = match Frames::new(bytes) {
            Ok(frames) => frames,
            Err(damage) => {
                jvm.damage = Some(damage);
                return jvm;
            }
        };
        for message in frames {
            match message {
                Ok(message) => jvm.add(message),
                Err(damage) => jvm.damage = Some(damage),
            }
        }
        jvm
    }

    fn add(&mut self, message: Message) {
        match &message {
            Message::Class(class) => {
                self.classes.insert(class.number, class.clone());
            }
            Message::Fact { number, fact } => {
                let fact = self.fact(fact);
                assert_eq!(self.facts.insert(*number, fact), None, "a fact has one number");
            }
            _ => {}
        }
        self.messages.push(message);
    }

    fn class(&self, number: u32) -> String {
        text(&self.classes.get(&number).unwrap_or_else(|| panic!("class {number} has no name")).name)
    }

    /// A class by its name, of which there must be exactly one.
    pub(crate) fn class_named(&self, name: &str) -> &ClassMessage {
        let found: Vec<_> = self.classes.values().filter(|class| class.name == name.as_bytes()).collect();
        assert_eq!(found.len(), 1, "{name}");
        found[0]
    }

    /// All classes.
    pub(crate) fn classes(&self) -> impl Iterator<Item = &ClassMessage> {
        self.classes.values()
    }

    fn fact(&self, fact: &Fact) -> String {
        let set = |value: &Option<Vec<u8>>| {
            value.as_deref().map_or(String::new(), |value| format!("={}", text(value)))
        };
        match fact {
            Fact::Linked(class) => format!("linked {}", self.class(*class)),
            Fact::Inspected(class) => format!("inspected {}", self.class(*class)),
            Fact::Named(name) => format!("named {}", text(name)),
            Fact::UsedByHidden(name) => format!("hidden uses {}", text(name)),
            Fact::FileRead(path) => format!("read {}", text(path)),
            Fact::FileTested(path) => format!("tested {}", text(path)),
            Fact::FolderListed(path) => format!("listed {}", text(path)),
            Fact::FileWritten(path) => format!("written {}", text(path)),
            Fact::Resource(name) => format!("resource {}", text(name)),
            Fact::Property { name, value } => format!("property {}{}", text(name), set(value)),
            Fact::AllProperties => "all properties".to_owned(),
            Fact::Variable { name, value } => format!("variable {}{}", text(name), set(value)),
            Fact::AllVariables => "all variables".to_owned(),
            Fact::ChildProcess => "child process".to_owned(),
            Fact::StackTrace => "stack trace".to_owned(),
            Fact::PropertyWritten(name) => {
                format!("property written {}", name.as_deref().map_or("all".to_owned(), text))
            }
            Fact::SharedWritten(what) => format!("shared written {}", text(what)),
            Fact::Unknown(what) => format!("unknown {}", text(what)),
        }
    }

    /// All units that have at least one part, by name.
    pub(crate) fn units(&self) -> BTreeMap<String, TracedUnit> {
        let parts = || {
            self.messages.iter().filter_map(|message| match message {
                Message::Unit(unit) => Some(unit),
                _ => None,
            })
        };
        let names: BTreeMap<u32, String> = parts().map(|part| (part.number, text(&part.name))).collect();
        let mut units: BTreeMap<u32, TracedUnit> = BTreeMap::new();
        for part in parts() {
            self.add_part(units.entry(part.number).or_default(), part, &names);
        }
        for message in &self.messages {
            if let Message::Done { units: done } = message {
                done.iter().for_each(|number| units.get_mut(number).expect("it has a part").done = true);
            }
        }
        let count = units.len();
        let by_name: BTreeMap<_, _> = units.into_values().map(|unit| (unit.name.clone(), unit)).collect();
        assert_eq!(by_name.len(), count, "a unit has one number");
        by_name
    }

    fn add_part(&self, unit: &mut TracedUnit, part: &UnitMessage, names: &BTreeMap<u32, String>) {
        let name = |number: &u32| names.get(number).cloned().unwrap_or_else(|| format!("unit {number}"));
        unit.name = text(&part.name);
        unit.framework = text(&part.framework);
        unit.parts += 1;
        unit.inside.extend(part.inside.iter().map(name));
        unit.overlaps.extend(part.overlaps.iter().map(name));
        unit.threads_left += part.threads_left;
        for test in &part.tests {
            let outcome = match test.outcome {
                TestOutcome::Passed => "passed",
                TestOutcome::Failed => "failed",
                TestOutcome::Skipped => "skipped",
            };
            unit.tests.push(format!("{} {outcome}", text(&test.id)));
        }
        unit.used.add(self, &part.used);
    }

    /// A unit by its name.
    pub(crate) fn unit(&self, name: &str) -> TracedUnit {
        let mut units = self.units();
        let names: Vec<String> = units.keys().cloned().collect();
        units.remove(name).unwrap_or_else(|| panic!("{name} is not among {names:?}"))
    }

    /// What was used outside all units.
    pub(crate) fn outside(&self) -> TracedUse {
        let mut outside = TracedUse::default();
        for message in &self.messages {
            if let Message::Outside(used) = message {
                outside.add(self, used);
            }
        }
        outside
    }

    /// What was used by the initialiser of a class, or by something else that happens once; nothing if nothing was written.
    pub(crate) fn once(&self, class: &str) -> Option<TracedUse> {
        let mut found = None;
        for message in &self.messages {
            if let Message::Once { class: number, used } = message
                && self.class(*number) == class
            {
                found.get_or_insert_with(TracedUse::default).add(self, used);
            }
        }
        found
    }
}

/// Compiles sources that stand one after another in a text, each after a line `// file: NAME`.
pub(crate) fn compile_files(jdk: &Jdk, sources: &str, class_path: &[PathBuf]) -> CompiledClasses {
    let mut compilation = Compilation::with(jdk).option("-g").option("-parameters").class_path(class_path);
    for file in sources.split("// file: ").skip(1) {
        let (name, text) = file.split_once('\n').expect("a name and a text");
        compilation = compilation.source(name.trim(), text);
    }
    compilation.compile().unwrap_or_else(|error| panic!("{error}"))
}

/// Compiles one source for one program without libraries.
pub(crate) fn compile_one(jdk: &Jdk, class: &str, text: &str) -> CompiledClasses {
    compile_with(jdk, class, text, &[])
}
