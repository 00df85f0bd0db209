//! The classes of a recording, read and taken apart: the costly part, done on all cores.
//!
//! What comes out stands in the order of the recording and does not depend on how many cores there are. Many JVMs load the same
//! classes, so what was understood once is kept for the next.

use crate::recording::{LoadedClass, Recording};
use crate::world::ClassSource;
use probity_shape::{
    ClassNames, ContentId, FlowGraph, MemberKey, Shape, ShapeReader, StaticAccess, Use, class_id,
    static_accesses,
};
use probity_wire::Origin;
use std::borrow::Cow;
use std::collections::HashMap;
use std::num::NonZero;
use std::sync::Arc;
use std::thread;

/// A class that was looked for, and what became of it.
#[derive(Debug)]
pub(crate) struct Read {
    pub(crate) outcome: Outcome,
    /// Whether it was made while the program ran, whatever it says of its place.
    pub(crate) is_made: bool,
}

/// What became of a class.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// It is of the JDK, which is a part of the environment.
    Jdk,
    /// It was understood.
    Understood(Arc<Understood>),
    /// Its bytes are not had, in words.
    Missing(String),
    /// Its bytes are had and make no sense, in words.
    Puzzling(ContentId, String),
}

/// A class that was understood.
#[derive(Debug)]
pub(crate) struct Understood {
    pub(crate) shape: Shape,
    pub(crate) names: ClassNames,
    /// The classes that its bodies use, each once.
    pub(crate) used: Vec<String>,
    /// What each method uses of them.
    pub(crate) references: Vec<References>,
    /// Whether somebody asked for the ways through its bodies.
    has_graphs: bool,
    /// The ways through its bodies, if code of it ran; a body whose ways are not known counts as a whole.
    pub(crate) graphs: Vec<Option<FlowGraph>>,
    /// The accesses of each method to static fields, if code of it ran.
    pub(crate) statics: Vec<Vec<StaticAccess>>,
}

/// The instructions of a method, how they use a class, its place among the classes that are used, and the member of it.
pub(crate) type References = Vec<(u32, Use, usize, Option<MemberKey>)>;

impl Understood {
    /// Whether somebody asked for the ways through its bodies.
    pub(crate) fn has_graphs(&self) -> bool {
        self.has_graphs
    }
}

/// Classes that were understood for one recording, for the next.
#[derive(Debug, Default)]
pub struct ClassCache {
    known: HashMap<ContentId, Arc<Understood>>,
}

/// So few classes are not worth a thread.
const FEW: usize = 64;

/// Reads all classes of a recording.
pub(crate) fn understand_all(
    recording: &Recording,
    source: &mut dyn ClassSource,
    cache: &mut ClassCache,
) -> Vec<Read> {
    let mut has_hits = vec![false; recording.classes.len()];
    for (class, _) in recording.stretches.iter().flat_map(|stretch| &stretch.hits) {
        has_hits.get_mut(*class).into_iter().for_each(|place| *place = true);
    }
    let classes = recording.classes.iter().zip(has_hits);
    let started = recording.start().map(|start| start.started);
    let fetched: Vec<Fetched<'_>> = classes
        .map(|(class, has_hits)| Fetched { has_hits, ..Fetched::new(class, source, started) })
        .collect();
    let outcomes = understand_on_all_cores(&fetched, cache);
    for outcome in &outcomes {
        if let Outcome::Understood(understood) = outcome {
            cache.known.insert(understood.shape.content, Arc::clone(understood));
        }
    }
    let made = fetched.iter().map(|fetched| fetched.is_made);
    outcomes.into_iter().zip(made).map(|(outcome, is_made)| Read { outcome, is_made }).collect()
}

fn understand_on_all_cores(fetched: &[Fetched<'_>], cache: &ClassCache) -> Vec<Outcome> {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let size = fetched.len().div_ceil(cores).max(FEW);
    thread::scope(|scope| {
        let mut started = Vec::new();
        for chunk in fetched.chunks(size) {
            started.push((chunk.len(), scope.spawn(move || understand_some(chunk, cache))));
        }
        let mut outcomes = Vec::with_capacity(fetched.len());
        for (length, thread) in started {
            match thread.join() {
                Ok(some) => outcomes.extend(some),
                Err(_) => {
                    outcomes.extend((0..length).map(|_| Outcome::Missing("could not be read".to_owned())));
                }
            }
        }
        outcomes
    })
}

/// The bytes of a class as they were found.
#[derive(Default)]
struct Fetched<'r> {
    /// None for the JDK.
    bytes: Option<Result<Cow<'r, [u8]>, String>>,
    is_made: bool,
    has_hits: bool,
}

impl<'r> Fetched<'r> {
    /// Looks for the bytes of a class of a JVM that was started at some time.
    fn new(class: &'r LoadedClass, source: &mut dyn ClassSource, started: Option<u64>) -> Self {
        if is_of_jdk(class) {
            return Self::default();
        }
        let made =
            |bytes: &'r [u8]| Self { bytes: Some(Ok(Cow::Borrowed(bytes))), is_made: true, has_hits: false };
        let given = match &class.message.origin {
            Origin::Made(bytes) => return made(bytes),
            Origin::Claimed { bytes, .. } => Some(bytes),
            Origin::Location(_) => None,
        };
        match (source.class_bytes(&class.message), given) {
            (Ok(Some(bytes)), _) if is_same(class, &bytes) => {
                Self { bytes: Some(Ok(Cow::Owned(bytes))), ..Self::default() }
            }
            // The program gave the JVM bytes that never were where the class says to be from.
            (Ok(None), Some(given)) => made(given),
            (Ok(Some(_)), Some(given))
                if started.is_some_and(|started| source.is_unchanged_since(&class.message, started)) =>
            {
                made(given)
            }
            (found, _) => Self { bytes: Some(Err(missing(class, found))), ..Self::default() },
        }
    }
}

/// Why the bytes of a class are not had.
fn missing(class: &LoadedClass, found: Result<Option<Vec<u8>>, String>) -> String {
    let location = match &class.message.origin {
        Origin::Location(location) | Origin::Claimed { location, .. } => String::from_utf8_lossy(location),
        Origin::Made(_) => Cow::default(),
    };
    match found {
        Err(error) => format!("cannot be read again from {location}: {error}"),
        Ok(None) => format!("cannot be read again from {location}: it is not there"),
        Ok(Some(_)) => format!("has changed in {location} since it was loaded"),
    }
}

fn understand_some(classes: &[Fetched<'_>], cache: &ClassCache) -> Vec<Outcome> {
    let mut reader = ShapeReader::new();
    let outcomes = classes.iter().map(|class| match &class.bytes {
        None => Outcome::Jdk,
        Some(Err(error)) => Outcome::Missing(error.clone()),
        Some(Ok(bytes)) => {
            let content = ContentId::of(bytes);
            let known = cache.known.get(&content).filter(|known| known.has_graphs || !class.has_hits);
            if let Some(known) = known {
                return Outcome::Understood(Arc::clone(known));
            }
            match understand(&mut reader, bytes, class.has_hits) {
                Ok(understood) => Outcome::Understood(Arc::new(understood)),
                Err(error) => Outcome::Puzzling(content, format!("cannot be understood: {error}")),
            }
        }
    });
    outcomes.collect()
}

fn understand(reader: &mut ShapeReader, bytes: &[u8], has_hits: bool) -> Result<Understood, String> {
    let shape = reader.read(bytes).map_err(|error| error.to_string())?;
    let names = ClassNames::read(bytes).map_err(|error| error.to_string())?;
    let graphs = if has_hits { reader.flow_graphs(bytes).unwrap_or_default() } else { Vec::new() };
    let statics =
        if has_hits { static_accesses(bytes).map_err(|error| error.to_string())? } else { Vec::new() };
    let (used, references) = references(&shape);
    Ok(Understood { shape, names, used, references, has_graphs: has_hits, graphs, statics })
}

/// What the bodies of a class use, with each name once: many more uses than names have to be looked up.
fn references(shape: &Shape) -> (Vec<String>, Vec<References>) {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut used = Vec::new();
    let mut place_of = |class| {
        *places.entry(class).or_insert_with(|| {
            used.push(String::from(class));
            used.len() - 1
        })
    };
    let methods = shape.methods.iter().map(|method| {
        let references = method.body.iter().flat_map(|body| &body.references);
        references.map(|one| (one.instruction, one.usage, place_of(one.class.as_str()), one.member)).collect()
    });
    let methods = methods.collect();
    (used, methods)
}

/// Classes that every JDK has, wherever it keeps them.
pub(crate) fn is_jdk_name(name: &str) -> bool {
    name.starts_with("java/")
}

/// Modules of the JDK. A runtime image can have others, which are somebody's program.
fn is_of_jdk(class: &LoadedClass) -> bool {
    let is_module_of_jdk = |url: &[u8]| url.starts_with(b"jrt:/java.") || url.starts_with(b"jrt:/jdk.");
    let is_in_module = match &class.message.origin {
        Origin::Location(url) | Origin::Claimed { location: url, .. } => is_module_of_jdk(url),
        Origin::Made(_) => false,
    };
    is_in_module || is_jdk_name(&class.name)
}

fn is_same(class: &LoadedClass, bytes: &[u8]) -> bool {
    u32::try_from(bytes.len()) == Ok(class.message.length) && class_id(bytes) == class.message.id
}
