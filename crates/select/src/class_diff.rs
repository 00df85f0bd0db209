//! What is different between two versions of a class.
//!
//! The order of members, the constant pool and the values of what only compilers read are no differences.

use probity_shape::{ClassPart, FieldShape, MemberKey, MethodShape, Shape, ShapeHash};
use std::collections::{BTreeMap, BTreeSet};

/// What is different between two versions of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassDiff {
    /// Parts on which it depends how code is linked: the header, nests, permitted subclasses, modules.
    pub binding: BTreeSet<ClassPart>,
    /// Parts that only those see who look at the class.
    pub visible: BTreeSet<ClassPart>,
    /// Whether the name of the source or how lines are mapped is different.
    pub source: bool,
    /// The members that are different in what can be seen of them.
    pub members: Vec<MemberDiff>,
    /// The bodies of methods that both have and that are different.
    pub bodies: Vec<BodyDiff>,
}

/// A member that is different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberDiff {
    /// What it is.
    pub kind: MemberKind,
    /// The name.
    pub name: String,
    /// The descriptor.
    pub descriptor: String,
    /// What became of it.
    pub change: MemberChange,
    /// Its flags before and now.
    pub access: [Option<u16>; 2],
    /// Its position before, for a method.
    pub before: Option<usize>,
}

/// What a member is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemberKind {
    /// A field.
    Field,
    /// A method.
    Method,
}

/// What became of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemberChange {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It has other flags, or has a body and had none, or the other way round.
    Access,
    /// Its value is another.
    Constant,
    /// What only those see who look at it: annotations, generics, exceptions, names of parameters.
    Declaration,
}

/// A method that both versions have, with bodies that are different.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyDiff {
    /// The name.
    pub name: String,
    /// The descriptor.
    pub descriptor: String,
    /// Its position before and now.
    pub positions: [usize; 2],
    /// Whether it does something else.
    pub code: bool,
    /// Whether lines or names of variables are different.
    pub debug: bool,
    /// Whether its probes stand elsewhere.
    pub probes: bool,
}

impl MemberDiff {
    /// The key by which bodies name it.
    #[must_use]
    pub fn key(&self) -> MemberKey {
        MemberKey::of(&self.name, &self.descriptor)
    }

    /// Its name and descriptor.
    #[must_use]
    pub fn label(&self) -> String {
        match self.kind {
            MemberKind::Field => self.name.clone(),
            MemberKind::Method => format!("{}{}", self.name, self.descriptor),
        }
    }
}

impl ClassDiff {
    /// What is different in a newer version.
    #[must_use]
    pub fn between(old: &Shape, new: &Shape) -> Self {
        let mut diff = Self { source: old.debug != new.debug, ..Self::default() };
        diff.compare_parts(&old.parts, &new.parts);
        diff.compare_fields(&old.fields, &new.fields);
        diff.compare_methods(&old.methods, &new.methods);
        diff
    }

    /// Whether nothing is different but what debuggers and stack traces show.
    #[must_use]
    pub fn is_debug_only(&self) -> bool {
        self.binding.is_empty()
            && self.visible.is_empty()
            && self.members.is_empty()
            && self.bodies.iter().all(|body| !body.code)
    }

    fn compare_parts(&mut self, old: &[(ClassPart, ShapeHash)], new: &[(ClassPart, ShapeHash)]) {
        let before: BTreeSet<_> = old.iter().copied().collect();
        let now: BTreeSet<_> = new.iter().copied().collect();
        for (part, _) in before.difference(&now) {
            match part {
                ClassPart::Header
                | ClassPart::NestHost
                | ClassPart::NestMember
                | ClassPart::PermittedSubclass
                | ClassPart::Module => self.binding.insert(*part),
                ClassPart::InvisibleAnnotations => false,
                ClassPart::Generics
                | ClassPart::Annotations
                | ClassPart::Nesting
                | ClassPart::Record
                | ClassPart::Other => self.visible.insert(*part),
            };
        }
        let has_permitted = old.iter().any(|(part, _)| *part == ClassPart::PermittedSubclass);
        for (part, _) in now.difference(&before) {
            match part {
                ClassPart::Header | ClassPart::NestHost | ClassPart::Module => self.binding.insert(*part),
                // A class without a list permits all.
                ClassPart::PermittedSubclass if !has_permitted => self.binding.insert(*part),
                ClassPart::InvisibleAnnotations => false,
                // One more takes nothing away from those that were there.
                ClassPart::NestMember
                | ClassPart::PermittedSubclass
                | ClassPart::Generics
                | ClassPart::Annotations
                | ClassPart::Nesting
                | ClassPart::Record
                | ClassPart::Other => self.visible.insert(*part),
            };
        }
    }

    fn compare_fields(&mut self, old: &[FieldShape], new: &[FieldShape]) {
        for (_, [before, now]) in paired(old, new, |field| (&field.name, &field.descriptor)) {
            let change = match (before, now) {
                (Some((_, before)), Some((_, now))) if before.access != now.access => MemberChange::Access,
                (Some((_, before)), Some((_, now))) if before.constant != now.constant => {
                    MemberChange::Constant
                }
                (Some((_, before)), Some((_, now))) if before.declaration != now.declaration => {
                    MemberChange::Declaration
                }
                (Some(_), Some(_)) => continue,
                (None, _) => MemberChange::Added,
                (_, None) => MemberChange::Removed,
            };
            let Some((_, field)) = before.or(now) else { continue };
            self.members.push(MemberDiff {
                kind: MemberKind::Field,
                name: field.name.clone(),
                descriptor: field.descriptor.clone(),
                change,
                access: [before, now].map(|field| field.map(|(_, field)| field.access)),
                before: None,
            });
        }
    }

    fn compare_methods(&mut self, old: &[MethodShape], new: &[MethodShape]) {
        for (_, [before, now]) in paired(old, new, |method| (&method.name, &method.descriptor)) {
            let change = match (before, now) {
                (Some(before), Some(now)) => {
                    self.compare_bodies(before, now);
                    method_change(before.1, now.1)
                }
                (None, _) => Some(MemberChange::Added),
                (_, None) => Some(MemberChange::Removed),
            };
            let (Some(change), Some((_, method))) = (change, before.or(now)) else { continue };
            self.members.push(MemberDiff {
                kind: MemberKind::Method,
                name: method.name.clone(),
                descriptor: method.descriptor.clone(),
                change,
                access: [before, now].map(|method| method.map(|(_, method)| method.access)),
                before: before.map(|(position, _)| position),
            });
        }
    }

    fn compare_bodies(&mut self, old: (usize, &MethodShape), new: (usize, &MethodShape)) {
        let (Some(before), Some(now)) = (&old.1.body, &new.1.body) else { return };
        let diff = BodyDiff {
            name: old.1.name.clone(),
            descriptor: old.1.descriptor.clone(),
            positions: [old.0, new.0],
            code: before.code != now.code,
            debug: before.debug != now.debug,
            probes: before.probe_places != now.probe_places,
        };
        if diff.code || diff.debug || diff.probes {
            self.bodies.push(diff);
        }
    }
}

fn method_change(before: &MethodShape, now: &MethodShape) -> Option<MemberChange> {
    if before.access != now.access || before.body.is_some() != now.body.is_some() {
        Some(MemberChange::Access)
    } else if before.declaration != now.declaration {
        Some(MemberChange::Declaration)
    } else {
        None
    }
}

type Pair<'m, M> = [Option<(usize, &'m M)>; 2];

/// The members of both versions by name and descriptor, each with its position.
fn paired<'m, M>(
    old: &'m [M],
    new: &'m [M],
    name: impl Fn(&'m M) -> (&'m String, &'m String),
) -> BTreeMap<(&'m String, &'m String), Pair<'m, M>> {
    let mut pairs: BTreeMap<_, Pair<'m, M>> = BTreeMap::new();
    for (side, members) in [old, new].into_iter().enumerate() {
        for (position, member) in members.iter().enumerate() {
            if let Some(place) = pairs.entry(name(member)).or_default().get_mut(side) {
                *place = Some((position, member));
            }
        }
    }
    pairs
}
