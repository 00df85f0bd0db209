//! The classes of a recording, understood: what each names, whose supertype it is, which probes its methods have.
//!
//! Classes of one name with the same bytes, as two class loaders load them, are one version here. What cannot be understood
//! is kept with the reason: whoever uses it is distrusted.

use crate::names::{NameId, Names};
use crate::recording::{LoadedClass, Recording};
use crate::understood::{ClassCache, Outcome, Read, References, Understood, is_jdk_name, understand_all};
use crate::world::{ClassSource, Presence};
use probity_shape::{ContentId, FlowGraph, MemberKey, MethodShape, Shape, StaticAccess, Use};
use probity_wire::Origin;
use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

/// One version of a class.
#[derive(Debug, Default)]
pub(crate) struct Version {
    pub(crate) name: Option<NameId>,
    /// Its bytes; nothing for those that are not listed.
    pub(crate) content: Option<ContentId>,
    /// Where it comes from.
    pub(crate) place: String,
    /// Whether it was made while the program ran.
    pub(crate) is_made: bool,
    /// Whether it is the type of annotations.
    pub(crate) is_annotation: bool,
    /// The superclass and the superinterfaces.
    pub(crate) supers: Vec<NameId>,
    pub(crate) nest_host: Option<NameId>,
    /// What reflection on it meets, or all that it names if it was made.
    pub(crate) declared: Vec<NameId>,
    pub(crate) methods: Vec<Method>,
    /// How many probes it has, JaCoCo's and all.
    pub(crate) probes: (u32, u32),
    /// Why nobody who uses it can be trusted.
    pub(crate) distrust: Option<String>,
    understood: Option<Arc<Understood>>,
}

/// What a method brings in.
#[derive(Debug, Default)]
pub(crate) struct Method {
    /// The number of the first probe and of the one after the last, and the entry probe.
    pub(crate) probes: std::ops::Range<u32>,
    pub(crate) entry_probe: Option<u32>,
    pub(crate) is_initialiser: bool,
    pub(crate) references: Vec<MethodReference>,
}

/// A use of a class in a body.
#[derive(Debug)]
pub(crate) struct MethodReference {
    /// The number of the instruction.
    pub(crate) instruction: u32,
    pub(crate) usage: Use,
    pub(crate) class: NameId,
    /// The member of the class that is meant.
    pub(crate) member: Option<MemberKey>,
}

impl Method {
    fn new(method: &MethodShape, references: &References, used: &[NameId]) -> Self {
        let Some(body) = &method.body else { return Self::default() };
        let name = |place: usize| used.get(place).copied();
        let references = references.iter();
        Self {
            probes: body.probes.clone(),
            entry_probe: body.entry_probe,
            is_initialiser: method.name == "<clinit>",
            references: references
                .filter_map(|&(instruction, usage, place, member)| {
                    Some(MethodReference { instruction, usage, class: name(place)?, member })
                })
                .collect(),
        }
    }
}

/// All versions, and how names lead to them.
#[derive(Debug, Default)]
pub(crate) struct Versions {
    pub(crate) names: Names,
    pub(crate) all: Vec<Version>,
    /// The version of each class of the recording; none for those of the JDK.
    of_class: Vec<Option<usize>>,
    /// What is known of each name, by its number.
    of_name: Vec<Cell<Known>>,
    /// The versions of names that have several.
    several: Vec<Vec<usize>>,
}

/// What is known of a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Known {
    /// Nobody asked yet.
    #[default]
    Nothing,
    /// This version was loaded.
    Loaded(usize),
    /// Several versions were loaded: those at this place.
    LoadedTwice(usize),
    /// None was loaded.
    NotLoaded(Presence),
}

impl Versions {
    /// Understands all classes of a recording.
    pub(crate) fn read(recording: &Recording, source: &mut dyn ClassSource, cache: &mut ClassCache) -> Self {
        let read = understand_all(recording, source, cache);
        let mut versions = Self::default();
        let mut seen: HashMap<(NameId, ContentId), usize> = HashMap::new();
        for (class, read) in recording.classes.iter().zip(read) {
            let name = versions.names.id(&class.name);
            let Some(version) = versions.version(class, name, read) else {
                versions.of_class.push(None);
                if versions.found(name) == Known::Nothing {
                    versions.set_known(name, Known::NotLoaded(Presence::Jdk));
                }
                continue;
            };
            let next = versions.all.len();
            let position = match version.content {
                Some(content) => *seen.entry((name, content)).or_insert(next),
                None => next,
            };
            versions.of_class.push(Some(position));
            if position == next {
                versions.all.push(version);
                versions.add_loaded(name, next);
            } else if let Some(first) = versions.all.get_mut(position) {
                first.distrust = first.distrust.take().or(version.distrust);
                // Only one of them may have had hits.
                if version.understood.as_ref().is_some_and(|understood| understood.has_graphs()) {
                    first.understood = version.understood;
                }
            }
        }
        versions
    }

    /// What a class is here; nothing if it is of the JDK.
    fn version(&mut self, class: &LoadedClass, name: NameId, read: Read) -> Option<Version> {
        let Read { outcome, is_made } = read;
        let place = match &class.message.origin {
            Origin::Location(location) | Origin::Claimed { location, .. } if !is_made => {
                String::from_utf8_lossy(location).into_owned()
            }
            _ => String::new(),
        };
        let nothing = Version { name: Some(name), place, is_made, ..Version::default() };
        let distrust = |why: &str| Some(format!("{} {why}", shown(&class.name)));
        Some(match outcome {
            Outcome::Jdk => return None,
            Outcome::Missing(why) => Version { distrust: distrust(&why), ..nothing },
            Outcome::Puzzling(content, why) => {
                Version { content: (!is_made).then_some(content), distrust: distrust(&why), ..nothing }
            }
            Outcome::Understood(understood) => {
                let version = self.understood(&understood, nothing);
                let version = Version { understood: Some(understood), ..version };
                let distrust = if is_made { None } else { differs(class, &version) };
                Version { distrust, ..version }
            }
        })
    }

    fn understood(&mut self, understood: &Understood, version: Version) -> Version {
        let Understood { shape, names, .. } = understood;
        let is_made = version.is_made;
        let supers =
            shape.super_name.iter().chain(&shape.interfaces).map(|name| self.names.id(name)).collect();
        // All that a made class names counts, so nobody asks for what its bodies name.
        let declared = if is_made { &names.all } else { &names.declared };
        let declared = declared.iter().map(|name| self.names.id(name)).collect();
        let used: Vec<NameId> = understood.used.iter().map(|name| self.names.id(name)).collect();
        let methods = shape.methods.iter().zip(&understood.references);
        let methods: Vec<Method> =
            methods.map(|(method, references)| Method::new(method, references, &used)).collect();
        let probes = methods.iter().map(|method| method.probes.end).max().unwrap_or_default();
        let entries = methods.iter().filter(|method| method.entry_probe.is_some()).count() as u32;
        Version {
            content: (!is_made).then_some(shape.content),
            is_annotation: shape.access & ANNOTATION != 0,
            supers,
            nest_host: names.nest_host.as_ref().map(|host| self.names.id(host)),
            declared,
            methods,
            probes: (probes, probes + entries),
            ..version
        }
    }

    /// The version at a position.
    pub(crate) fn get(&self, version: usize) -> Option<&Version> {
        self.all.get(version)
    }

    fn add_loaded(&mut self, name: NameId, version: usize) {
        let known = match self.found(name) {
            Known::Nothing | Known::NotLoaded(_) => Known::Loaded(version),
            Known::Loaded(first) => {
                self.several.push(vec![first, version]);
                Known::LoadedTwice(self.several.len() - 1)
            }
            Known::LoadedTwice(place) => {
                self.several.get_mut(place).into_iter().for_each(|several| several.push(version));
                Known::LoadedTwice(place)
            }
        };
        self.set_known(name, known);
    }

    fn found(&self, name: NameId) -> Known {
        self.of_name.get(name.0 as usize).map(Cell::get).unwrap_or_default()
    }

    fn set_known(&mut self, name: NameId, known: Known) {
        self.make_room();
        if let Some(place) = self.of_name.get(name.0 as usize) {
            place.set(known);
        }
    }

    /// Makes room for all names that there are; to be called when the last was met.
    pub(crate) fn make_room(&mut self) {
        self.of_name.resize(self.names.len(), Cell::default());
    }

    /// What is known of a name. The source is asked once for each.
    pub(crate) fn known(&self, name: NameId, source: &mut dyn ClassSource) -> Known {
        let mut known = self.found(name);
        if known == Known::Nothing {
            let text = self.names.text(name);
            known = Known::NotLoaded(if is_jdk_name(text) { Presence::Jdk } else { source.presence(text) });
            self.of_name.get(name.0 as usize).into_iter().for_each(|place| place.set(known));
        }
        known
    }

    /// The versions that were loaded under a name.
    pub(crate) fn loaded(&self, name: NameId) -> impl Iterator<Item = &Version> {
        let (one, several) = match self.found(name) {
            Known::Loaded(version) => (Some(version), &[][..]),
            Known::LoadedTwice(place) => (None, self.several(place)),
            Known::Nothing | Known::NotLoaded(_) => (None, &[][..]),
        };
        one.into_iter().chain(several.iter().copied()).filter_map(|version| self.get(version))
    }

    /// The versions of a name that has several.
    pub(crate) fn several(&self, place: usize) -> &[usize] {
        self.several.get(place).map_or(&[], Vec::as_slice)
    }

    /// The version of a class of the recording.
    pub(crate) fn of_class(&self, class: usize) -> Option<usize> {
        self.of_class.get(class).copied().flatten()
    }
}

impl Version {
    /// The ways through the body of a method, as far as they are known.
    pub(crate) fn graph(&self, method: usize) -> Option<&FlowGraph> {
        self.understood.as_ref()?.graphs.get(method)?.as_ref()
    }

    /// The accesses of a method to static fields, if code of the class ran.
    pub(crate) fn statics(&self, method: usize) -> &[StaticAccess] {
        let statics = self.understood.as_ref().and_then(|understood| understood.statics.get(method));
        statics.map_or(&[], Vec::as_slice)
    }

    /// What the class is, also if it was made while the program ran.
    pub(crate) fn any_shape(&self) -> Option<&Shape> {
        self.understood.as_ref().map(|understood| &understood.shape)
    }

    /// What the class is, if that is kept.
    pub(crate) fn shape(&self) -> Option<&Shape> {
        self.understood.as_ref().filter(|_| !self.is_made).map(|understood| &understood.shape)
    }
}

/// The flag of a type of annotations (JVMS 4.1).
const ANNOTATION: u16 = 0x2000;

/// The probes of a class are counted anew: if the agent counted otherwise, its hits say nothing.
fn differs(class: &LoadedClass, version: &Version) -> Option<String> {
    let message = &class.message;
    let counted = (message.probes, message.probes.saturating_add(message.entry_probes));
    let name = shown(&class.name);
    if counted == version.probes || message.not_recorded.is_some() {
        None
    } else if counted == (0, 0) {
        Some(format!("{name} was loaded without probes, so nobody knows what ran in it"))
    } else {
        Some(format!("{name} has {} probes and was recorded with {}", version.probes.1, counted.1))
    }
}

/// A name as people write it.
pub(crate) fn shown(internal_name: &str) -> String {
    internal_name.replace('/', ".")
}
