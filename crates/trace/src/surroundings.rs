//! What a unit depends on that is no class: files, resources, properties, variables.
//!
//! The state of a file is asked for after the run, so a file that the run itself changed has no state that could be compared:
//! what a unit reads of its own making does not count, and what it reads of another's making cannot be trusted.

use crate::closure::Via;
use crate::environment::{hash_of_variables, is_of_machine, property};
use crate::paths::{is_inside, relative};
use crate::recording::{Owner, Recording};
use crate::stretches::{Bundles, Meaning};
use crate::trace::{FileState, FileUse, ResourceUse, SettingUse, Trace};
use crate::versions::{Versions, shown};
use crate::world::{Asked, FileSource};
use probity_shape::ContentId;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// What belongs to no project: the machine itself.
const MACHINE_FOLDERS: [&str; 3] = ["/proc", "/dev", "/sys"];

/// Answers what facts are worth, each once.
pub(crate) struct Surroundings<'a> {
    recording: &'a Recording,
    bundles: &'a Bundles,
    versions: &'a Versions,
    source: &'a mut dyn FileSource,
    project: Option<String>,
    java_home: Option<String>,
    /// By the position of the fact.
    answers: Vec<Option<Answer>>,
}

/// What a fact is worth.
#[derive(Clone, Debug)]
enum Answer {
    File(FileUse, Asked),
    Resource(ResourceUse),
    Property(SettingUse),
    Variable(SettingUse),
    ChildProcess,
    StackTrace,
    Distrust(String),
    Nothing,
}

impl<'a> Surroundings<'a> {
    pub(crate) fn new(
        recording: &'a Recording,
        bundles: &'a Bundles,
        versions: &'a Versions,
        source: &'a mut dyn FileSource,
        project: Option<&str>,
    ) -> Self {
        Self {
            recording,
            bundles,
            versions,
            source,
            project: project.map(str::to_owned),
            java_home: recording.start.as_ref().and_then(|start| property(start, "java.home")),
            answers: vec![None; bundles.meanings.len()],
        }
    }

    /// Adds what the facts are worth that a unit met.
    pub(crate) fn add(
        &mut self,
        unit: usize,
        facts: &[(usize, Via)],
        counts: &dyn Fn(usize) -> bool,
        trace: &mut Trace,
        distrust: &mut BTreeSet<Cow<'_, str>>,
    ) {
        let mut files: Vec<(FileUse, Asked)> = Vec::new();
        for &(fact, via) in facts {
            if let Some(Meaning::File(path, asked)) = self.bundles.meanings.get(fact) {
                match self.made_by(unit, path, *asked, via, counts) {
                    Making::Nobody => {}
                    Making::Itself => continue,
                    Making::Another(who) => {
                        distrust.insert(who.into());
                    }
                }
            }
            match self.answer(fact) {
                Answer::File(file, asked) => files.push((file, asked)),
                Answer::Resource(resource) => trace.resources.push(resource),
                Answer::Property(setting) => trace.properties.push(setting),
                Answer::Variable(setting) => trace.variables.push(setting),
                Answer::ChildProcess => trace.starts_processes = true,
                Answer::StackTrace => trace.reads_stack_traces = true,
                Answer::Distrust(why) => {
                    distrust.insert(why.into());
                }
                Answer::Nothing => {}
            }
        }
        trace.files = strongest(files);
        sort(&mut trace.resources);
        sort(&mut trace.properties);
        sort(&mut trace.variables);
    }

    /// Who made what a unit asks for in a file or folder.
    fn made_by(
        &self,
        unit: usize,
        path: &str,
        asked: Asked,
        via: Via,
        counts: &dyn Fn(usize) -> bool,
    ) -> Making {
        let is_itself = |owner: &Owner| match (*owner, via) {
            (Owner::Unit(owner), Via::Own) => owner == unit,
            (Owner::Unit(owner), Via::Other(other)) => owner == other,
            (Owner::Outside, Via::Outside) => true,
            // An initialiser that counts would run again with the unit.
            (Owner::Once(Some(class)), Via::Own | Via::Once(_)) => {
                self.versions.of_class(class).is_some_and(counts)
            }
            _ => false,
        };
        if let Some(writers) = self.bundles.writers.get(path) {
            if writers.iter().any(is_itself) {
                return Making::Itself;
            }
            if let Some(writer) = writers.first() {
                return Making::Another(format!("it reads {path}, which {} writes", self.writer(*writer)));
            }
        }
        let written_inside = self.bundles.written_in.get(path).filter(|_| asked == Asked::Listed);
        let inside = written_inside.and_then(BTreeSet::first);
        let writer = inside.and_then(|inside| self.bundles.writers.get(inside)).and_then(BTreeSet::first);
        match writer {
            Some(writer) => {
                let writer = self.writer(*writer);
                Making::Another(format!("it lists the folder {path}, into which {writer} writes"))
            }
            None => Making::Nobody,
        }
    }

    fn writer(&self, owner: Owner) -> String {
        let unit = |unit: usize| self.recording.units.get(unit).map(|unit| unit.name.clone());
        let class = |class: usize| self.recording.classes.get(class).map(|class| shown(&class.name));
        match owner {
            Owner::Unit(position) => unit(position).unwrap_or_default(),
            Owner::Once(position) => {
                format!("the initialiser of {}", position.and_then(class).unwrap_or_default())
            }
            Owner::Outside => "code outside all units".to_owned(),
        }
    }

    fn answer(&mut self, fact: usize) -> Answer {
        if let Some(Some(answer)) = self.answers.get(fact) {
            return answer.clone();
        }
        let answer = self.find_answer(fact);
        if let Some(place) = self.answers.get_mut(fact) {
            *place = Some(answer.clone());
        }
        answer
    }

    fn find_answer(&mut self, fact: usize) -> Answer {
        let start = self.recording.start.as_ref();
        let setting = |name: &str, value: &Option<Vec<u8>>| SettingUse {
            name: Some(name.to_owned()),
            value: value.as_deref().map(ContentId::of),
        };
        match self.bundles.meanings.get(fact) {
            Some(Meaning::File(path, asked)) => self.file(path, *asked),
            Some(Meaning::Resource(name)) => match self.source.resource(name) {
                Ok(found) => Answer::Resource(ResourceUse { name: name.clone(), found }),
                Err(error) => Answer::Distrust(format!("the resource {name} cannot be read: {error}")),
            },
            Some(Meaning::Property(name, value)) => match start {
                Some(start) if is_of_machine(start, name) => Answer::Nothing,
                _ => Answer::Property(setting(name, value)),
            },
            Some(Meaning::Variable(name, value)) => Answer::Variable(setting(name, value)),
            Some(Meaning::AllProperties) => {
                Answer::Property(SettingUse { name: None, value: Some(self.all_properties()) })
            }
            Some(Meaning::AllVariables) => {
                let variables = start.iter().flat_map(|start| &start.variables);
                let all =
                    hash_of_variables(variables.map(|(name, value)| (name.as_slice(), value.as_slice())));
                Answer::Variable(SettingUse { name: None, value: Some(all) })
            }
            Some(Meaning::ChildProcess) => Answer::ChildProcess,
            Some(Meaning::StackTrace) => Answer::StackTrace,
            Some(Meaning::Distrust(why)) => Answer::Distrust(why.clone()),
            _ => Answer::Nothing,
        }
    }

    fn file(&mut self, path: &str, asked: Asked) -> Answer {
        // Classes are told one by one; but who lists a folder of classes looks for those that may come.
        let is_class_path = asked != Asked::Listed && self.source.is_on_class_path(path);
        let is_of_jdk = self.java_home.as_deref().is_some_and(|home| is_inside(path, home));
        let is_of_machine = MACHINE_FOLDERS.iter().any(|folder| is_inside(path, folder));
        if is_class_path || is_of_jdk || is_of_machine {
            return Answer::Nothing;
        }
        match self.source.file(path, asked) {
            Ok(state) => {
                Answer::File(FileUse { path: relative(path, self.project.as_deref()), state }, asked)
            }
            Err(error) => Answer::Distrust(format!("{path} cannot be read: {error}")),
        }
    }

    /// All properties that are not a matter of the machine, as one.
    fn all_properties(&self) -> ContentId {
        let mut text = Vec::new();
        if let Some(start) = &self.recording.start {
            let properties = start.properties.iter();
            let mut own: Vec<_> = properties
                .filter(|(name, _)| !is_of_machine(start, &String::from_utf8_lossy(name)))
                .collect();
            own.sort_unstable();
            for (name, value) in own {
                for part in [name, value] {
                    text.extend((part.len() as u64).to_be_bytes());
                    text.extend(part);
                }
            }
        }
        ContentId::of(&text)
    }
}

/// Who made a file.
enum Making {
    /// It was there before.
    Nobody,
    /// Whoever reads it.
    Itself,
    /// Somebody else, in words.
    Another(String),
}

fn sort<T: Ord>(list: &mut Vec<T>) {
    list.sort_unstable();
    list.dedup();
}

/// Of a file that was read or listed it is known that it was there.
fn strongest(mut files: Vec<(FileUse, Asked)>) -> Vec<FileUse> {
    sort(&mut files);
    let known: BTreeSet<String> = files
        .iter()
        .filter(|(_, asked)| *asked != Asked::Tested)
        .map(|(file, _)| file.path.clone())
        .collect();
    let says_more = |file: &FileUse, asked: Asked| {
        asked != Asked::Tested || !known.contains(&file.path) || matches!(file.state, FileState::File(_))
    };
    let mut files: Vec<FileUse> =
        files.into_iter().filter(|(file, asked)| says_more(file, *asked)).map(|(file, _)| file).collect();
    sort(&mut files);
    files
}
