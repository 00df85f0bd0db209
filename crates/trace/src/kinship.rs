//! Which classes are above and below which, as far as they were loaded.
//!
//! A supertype that was not loaded here is of the JDK, of which nothing is known: it may have any method, and any type of the
//! JDK may be above it, unless it is one of the few that are known.

use crate::names::NameId;
use crate::versions::Versions;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Types.
pub(crate) type Types = HashSet<NameId>;

/// The hierarchy of the classes that were loaded, by name: versions of one name are taken together.
pub(crate) struct Kinship<'v> {
    versions: &'v Versions,
    supers: HashMap<NameId, Vec<NameId>>,
    subs: HashMap<NameId, Vec<NameId>>,
    above: HashMap<NameId, Rc<Types>>,
    kin: HashMap<NameId, Rc<Kin>>,
}

/// The types through which a method of a class can be called.
#[derive(Debug, Default)]
pub(crate) struct Kin {
    /// The class, those below it, and all that are above these.
    types: Types,
    /// Those of them that were not loaded.
    foreign: Vec<NameId>,
}

impl<'v> Kinship<'v> {
    pub(crate) fn new(versions: &'v Versions) -> Self {
        let (mut supers, mut subs) = (HashMap::<_, Vec<_>>::new(), HashMap::<_, Vec<_>>::new());
        for version in &versions.all {
            let Some(name) = version.name else { continue };
            supers.entry(name).or_default().extend(&version.supers);
            for &above in &version.supers {
                subs.entry(above).or_default().push(name);
            }
        }
        Self { versions, supers, subs, above: HashMap::new(), kin: HashMap::new() }
    }

    /// Whether a class was loaded, and is not of the JDK.
    pub(crate) fn is_loaded(&self, name: NameId) -> bool {
        self.supers.contains_key(&name)
    }

    /// The classes and interfaces above a class, without it.
    pub(crate) fn above(&mut self, name: NameId) -> Rc<Types> {
        if let Some(above) = self.above.get(&name) {
            return Rc::clone(above);
        }
        let direct = self.supers.get(&name).map_or(&[][..], Vec::as_slice);
        let above = Rc::new(closed(direct.iter().copied(), &self.supers));
        self.above.insert(name, Rc::clone(&above));
        above
    }

    /// The classes whose superclass or superinterface it is.
    pub(crate) fn directly_below(&self, name: NameId) -> &[NameId] {
        self.subs.get(&name).map_or(&[], Vec::as_slice)
    }

    /// The types through which a method of a class can be called.
    pub(crate) fn kin(&mut self, name: NameId) -> Rc<Kin> {
        if let Some(kin) = self.kin.get(&name) {
            return Rc::clone(kin);
        }
        let below = closed([name], &self.subs);
        let types = closed(below, &self.supers);
        let foreign = types.iter().copied().filter(|&one| !self.is_loaded(one)).collect();
        let kin = Rc::new(Kin { types, foreign });
        self.kin.insert(name, Rc::clone(&kin));
        kin
    }

    /// Whether a call that names a type can lead to a method of a class that can be overridden or inherited.
    pub(crate) fn may_lead(&mut self, named: NameId, class: NameId) -> bool {
        if named == class {
            return true;
        }
        let kin = self.kin(class);
        let text = |name: NameId| self.versions.names.text(name);
        kin.types.contains(&named)
            || text(named) == OBJECT
            || !self.is_loaded(named)
                && !is_final(text(named))
                && kin.foreign.iter().any(|&foreign| !is_alone(text(foreign)))
    }

    /// Whether code of the JDK may call a method of a class that can be overridden or inherited.
    pub(crate) fn may_jdk_call(&mut self, class: NameId, method: &str) -> bool {
        let kin = self.kin(class);
        let foreign = kin.foreign.iter().map(|&foreign| self.versions.names.text(foreign));
        OF_OBJECTS.contains(&method) || foreign.into_iter().any(|foreign| may_declare(foreign, method))
    }
}

fn closed(first: impl IntoIterator<Item = NameId>, next: &HashMap<NameId, Vec<NameId>>) -> Types {
    let mut pending: Vec<NameId> = first.into_iter().collect();
    let mut all = Types::new();
    while let Some(name) = pending.pop() {
        if all.insert(name) {
            pending.extend(next.get(&name).into_iter().flatten());
        }
    }
    all
}

const OBJECT: &str = "java/lang/Object";

/// The methods that the JDK may call of every object.
const OF_OBJECTS: [&str; 5] = ["toString", "hashCode", "equals", "clone", "finalize"];

/// Whether no type of the JDK but `Object` is above one of it.
fn is_alone(name: &str) -> bool {
    matches!(
        name,
        OBJECT
            | "java/io/Serializable"
            | "java/lang/AutoCloseable"
            | "java/lang/Cloneable"
            | "java/lang/Comparable"
            | "java/lang/Iterable"
            | "java/lang/Record"
            | "java/lang/Runnable"
            | "java/util/Comparator"
            | "java/util/Iterator"
            | "java/util/concurrent/Callable"
    )
}

/// Whether no class can be below a class of the JDK; of those that code calls most.
fn is_final(name: &str) -> bool {
    matches!(
        name,
        "java/lang/Boolean"
            | "java/lang/Byte"
            | "java/lang/Character"
            | "java/lang/Class"
            | "java/lang/Double"
            | "java/lang/Float"
            | "java/lang/Integer"
            | "java/lang/Long"
            | "java/lang/Short"
            | "java/lang/String"
            | "java/lang/StringBuffer"
            | "java/lang/StringBuilder"
            | "java/util/Optional"
    )
}

/// Whether a type of the JDK may have a method of this name that can be overridden, beside those of all objects.
fn may_declare(name: &str, method: &str) -> bool {
    match name {
        OBJECT | "java/io/Serializable" | "java/lang/Cloneable" | "java/lang/Record" | "java/lang/Enum" => {
            false
        }
        "java/io/Closeable" | "java/lang/AutoCloseable" => method == "close",
        "java/lang/Comparable" => method == "compareTo",
        "java/lang/Iterable" => matches!(method, "iterator" | "forEach" | "spliterator"),
        "java/lang/Runnable" => method == "run",
        "java/util/Iterator" => matches!(method, "hasNext" | "next" | "remove" | "forEachRemaining"),
        "java/util/concurrent/Callable" => method == "call",
        _ => true,
    }
}
