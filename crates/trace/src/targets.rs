//! Where the names in a body can lead: to which of the methods that were entered, and to which static fields.
//!
//! A name leads to a method if there is a class through which it can: the one that is named, one below it or one above it. Who makes an
//! object leads to the methods of it that the JDK may call, since no body names those; and so does who has the class of it as a
//! literal, since there are containers that make objects from classes.

use crate::immutable::Mutable;
use crate::kinship::Kinship;
use crate::names::NameId;
use crate::runs::EnteredMethod;
use crate::shared_state::is_of_project;
use crate::unit_set::UnitSet;
use crate::versions::{MethodReference, Version, Versions};
use probity_shape::{FieldShape, MemberKey, MethodShape, Use};
use std::collections::HashMap;

const ACC_PRIVATE: u16 = 0x0002;
const ACC_STATIC: u16 = 0x0008;

/// A static field of a class that was loaded.
#[derive(Debug)]
pub(crate) struct StaticField {
    /// The class that declares it.
    pub(crate) class: NameId,
    /// Whether it is of the project and may hold an object that changes.
    pub(crate) is_shared: bool,
    /// The units in which code may have used it.
    pub(crate) users: UnitSet,
}

/// What a body can name, each once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Named {
    /// A static field.
    Field(NameId, MemberKey),
    /// A method.
    Method(NameId, MemberKey),
    /// A class of which somebody may make objects.
    Class(NameId),
}

impl Named {
    /// What a reference in the body of a class names; a handle can be of a method and of a field.
    pub(crate) fn of(reference: &MethodReference, own: Option<NameId>) -> impl Iterator<Item = Self> {
        let &MethodReference { usage, class, member, .. } = reference;
        let is_handle = matches!(usage, Use::Bootstrap | Use::Literal);
        let is_call = matches!(usage, Use::StaticCall | Use::Call | Use::InterfaceCall);
        let field = member.filter(|_| usage == Use::StaticField || is_handle);
        let method = member.filter(|_| is_call || is_handle);
        // A class that names itself does so for its logger.
        let is_class = usage == Use::Literal && member.is_none() && Some(class) != own;
        let all = [
            field.map(|key| Self::Field(class, key)),
            method.map(|key| Self::Method(class, key)),
            is_class.then_some(Self::Class(class)),
        ];
        all.into_iter().flatten()
    }
}

/// Where a name can lead.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    /// Methods, by their places among those that were entered.
    pub(crate) methods: Vec<usize>,
    /// Static fields, by their places.
    pub(crate) fields: Vec<usize>,
}

/// Finds where names lead.
pub(crate) struct Finder<'v> {
    versions: &'v Versions,
    kinship: Kinship<'v>,
    mutable: Mutable,
    /// By place; none where nothing is known of the method.
    methods: Vec<Option<Candidate<'v>>>,
    of_key: HashMap<MemberKey, Vec<usize>>,
    of_class: HashMap<NameId, Vec<usize>>,
    pub(crate) fields: Vec<StaticField>,
    /// The fields that names lead to.
    named: HashMap<(NameId, MemberKey), Vec<usize>>,
    /// The fields that classes declare.
    declared: HashMap<(NameId, MemberKey), usize>,
}

/// A method that was entered.
#[derive(Clone, Copy)]
struct Candidate<'v> {
    class: NameId,
    shape: &'v MethodShape,
}

impl<'v> Finder<'v> {
    /// One for these methods.
    pub(crate) fn new(versions: &'v Versions, entered: &[EnteredMethod]) -> Self {
        let mut kinship = Kinship::new(versions);
        let mutable = Mutable::find(versions, &mut kinship);
        let mut finder = Self {
            versions,
            kinship,
            mutable,
            methods: Vec::new(),
            of_key: HashMap::new(),
            of_class: HashMap::new(),
            fields: Vec::new(),
            named: HashMap::new(),
            declared: HashMap::new(),
        };
        for method in entered {
            finder.add(method);
        }
        finder
    }

    fn add(&mut self, method: &EnteredMethod) {
        let place = self.methods.len();
        let version = self.versions.get(method.version);
        let shape = version.and_then(|version| version.any_shape()?.methods.get(method.position));
        let class = version.and_then(|version| version.name);
        let candidate = class.zip(shape).map(|(class, shape)| Candidate { class, shape });
        if let Some(Candidate { class, shape }) = candidate {
            self.of_key.entry(MemberKey::of(&shape.name, &shape.descriptor)).or_default().push(place);
            self.of_class.entry(class).or_default().push(place);
        }
        self.methods.push(candidate);
    }

    fn candidate(&self, place: usize) -> Option<Candidate<'v>> {
        self.methods.get(place).copied().flatten()
    }

    /// Where a name leads.
    pub(crate) fn targets(&mut self, named: Named) -> Targets {
        match named {
            Named::Field(class, key) => Targets { fields: self.fields_of(class, key), ..Targets::default() },
            Named::Method(class, key) => {
                let mut methods = self.of_key.get(&key).cloned().unwrap_or_default();
                methods.retain(|&method| self.may_call(class, method));
                if self.is_constructor(class, key) {
                    methods.extend(self.called_by_jdk(class));
                }
                Targets { methods, ..Targets::default() }
            }
            Named::Class(class) => {
                let of_class = self.of_class.get(&class).into_iter().flatten().copied();
                let is_constructor =
                    |&place: &usize| self.candidate(place).is_some_and(|one| one.shape.name == INIT);
                let mut methods: Vec<usize> = of_class.filter(is_constructor).collect();
                methods.extend(self.called_by_jdk(class));
                Targets { methods, ..Targets::default() }
            }
        }
    }

    fn may_call(&mut self, named: NameId, method: usize) -> bool {
        let Some(Candidate { class, shape }) = self.candidate(method) else { return false };
        if shape.name == INIT {
            class == named
        } else if shape.access & (ACC_STATIC | ACC_PRIVATE) != 0 {
            class == named || self.kinship.above(named).contains(&class)
        } else {
            self.kinship.may_lead(named, class)
        }
    }

    fn is_constructor(&self, class: NameId, key: MemberKey) -> bool {
        let shapes = self.versions.loaded(class).filter_map(Version::any_shape);
        let mut methods = shapes.flat_map(|shape| &shape.methods);
        methods.any(|method| method.name == INIT && MemberKey::of(INIT, &method.descriptor) == key)
    }

    /// The methods of an object of a class that no body need name.
    fn called_by_jdk(&mut self, class: NameId) -> Vec<usize> {
        let classes: Vec<NameId> = self.kinship.above(class).iter().copied().chain([class]).collect();
        let mut methods = Vec::new();
        for class in classes {
            let places = self.of_class.get(&class).cloned().unwrap_or_default();
            methods.extend(places.into_iter().filter(|&place| self.may_jdk_call(place)));
        }
        methods
    }

    fn may_jdk_call(&mut self, place: usize) -> bool {
        let Some(Candidate { class, shape }) = self.candidate(place) else { return false };
        let is_chosen = shape.access & (ACC_STATIC | ACC_PRIVATE) == 0 && !shape.name.starts_with('<');
        OF_SERIALISATION.contains(&shape.name.as_str())
            || is_chosen && self.kinship.may_jdk_call(class, &shape.name)
    }

    /// The static fields that a name can lead to: that of the class itself, or else those above it.
    pub(crate) fn fields_of(&mut self, class: NameId, key: MemberKey) -> Vec<usize> {
        if let Some(known) = self.named.get(&(class, key)) {
            return known.clone();
        }
        let mut found: Vec<usize> = self.declared_by(class, key).into_iter().collect();
        if found.is_empty() {
            let mut above: Vec<NameId> = self.kinship.above(class).iter().copied().collect();
            above.sort_unstable();
            found.extend(above.into_iter().filter_map(|class| self.declared_by(class, key)));
        }
        self.named.insert((class, key), found.clone());
        found
    }

    /// The static field that a class declares.
    fn declared_by(&mut self, class: NameId, key: MemberKey) -> Option<usize> {
        if let Some(&known) = self.declared.get(&(class, key)) {
            return Some(known);
        }
        let (mut is_there, mut is_shared) = (false, false);
        for version in self.versions.loaded(class) {
            let fields = version.any_shape().into_iter().flat_map(|shape| &shape.fields);
            for field in fields.filter(|field| is_static(field, key)) {
                is_there = true;
                is_shared |= is_of_project(version) && self.mutable.is_in(self.versions, field);
            }
        }
        let place = self.fields.len();
        if is_there {
            self.fields.push(StaticField { class, is_shared, users: UnitSet::default() });
            self.declared.insert((class, key), place);
        }
        is_there.then_some(place)
    }
}

fn is_static(field: &FieldShape, key: MemberKey) -> bool {
    field.access & ACC_STATIC != 0 && MemberKey::of(&field.name, &field.descriptor) == key
}

const INIT: &str = "<init>";

/// The methods that serialisation calls, also where they are private.
const OF_SERIALISATION: [&str; 5] =
    ["readObject", "writeObject", "readResolve", "writeReplace", "readObjectNoData"];
