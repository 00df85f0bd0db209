//! A program with its look-ups worked out, for running it.
//!
//! Look-ups are by name alone. A class sees a member only if all of its superclasses up to `Object` are declared; its set of
//! superclasses is there whether they are or not, and has the class itself in it, declared or not.

use crate::names::{CLASS_LIMIT, ClassName, ClassSet, FieldName, MethodName};
use crate::program::{Class, Field, Method, Program, Type, Value, standard_classes};

/// The seven exceptions that the machine itself throws, in the order of their objects in the heap.
pub const SYSTEM_EXCEPTIONS: [ClassName; 7] = [
    ClassName::NULL_POINTER,
    ClassName::CLASS_CAST,
    ClassName::OUT_OF_MEMORY,
    ClassName::NO_CLASS_DEF,
    ClassName::INCOMPATIBLE,
    ClassName::NO_SUCH_FIELD,
    ClassName::NO_SUCH_METHOD,
];

/// Names below this are found without a search.
const QUICK_NAMES: usize = 9;

/// For each class the set that has nothing but it.
const ALONE: [ClassSet; CLASS_LIMIT] = {
    let mut sets = [ClassSet::EMPTY; CLASS_LIMIT];
    let mut rest: &mut [ClassSet] = &mut sets;
    let mut number = 0;
    while let Some((first, others)) = rest.split_first_mut() {
        *first = ClassSet::of(ClassName::at(number));
        rest = others;
        number += 1;
    }
    sets
};

/// A program with its look-ups.
#[derive(Clone)]
pub struct Linked<'p> {
    classes: [Option<&'p Class>; CLASS_LIMIT],
    /// The methods that each class declares, for the names that most methods have.
    methods: [[Option<&'p Method>; QUICK_NAMES]; CLASS_LIMIT],
    above: [ClassSet; CLASS_LIMIT],
    /// The classes all of whose superclasses are declared.
    complete: ClassSet,
    exceptions: ClassSet,
}

impl std::fmt::Debug for Linked<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Linked").field("complete", &self.complete).finish_non_exhaustive()
    }
}

impl<'p> Linked<'p> {
    /// Works out the look-ups of a program.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        let mut classes = [None; CLASS_LIMIT];
        let mut above = ALONE;
        let own = program.classes.iter().map(|(name, class)| (*name, class.as_ref()));
        for (name, class) in own.chain(standard_classes().map(|(name, class)| (name, class.as_ref()))) {
            if let Some(place) = classes.get_mut(name.index())
                && place.is_none()
            {
                *place = Some(class);
            }
        }
        let mut complete = ClassSet::EMPTY;
        for ((name, place), class) in ClassName::all().zip(&mut above).zip(&classes) {
            if class.is_none() {
                continue;
            }
            let (set, is_complete) = chain(&classes, name);
            *place = set;
            complete = if is_complete { complete.with(name) } else { complete };
        }
        let methods = quick_methods(&classes);
        let mut linked = Self { classes, methods, above, complete, exceptions: ClassSet::EMPTY };
        linked.exceptions =
            SYSTEM_EXCEPTIONS.iter().fold(ClassSet::EMPTY, |set, name| set.union(linked.above(*name)));
        linked
    }

    /// The class of a name.
    #[must_use]
    pub fn class(&self, name: ClassName) -> Option<&'p Class> {
        self.classes.get(name.index()).copied().flatten()
    }

    /// The class and its superclasses.
    #[must_use]
    pub fn above(&self, name: ClassName) -> ClassSet {
        self.above.get(name.index()).copied().unwrap_or_default()
    }

    /// The system exceptions and their superclasses.
    #[must_use]
    pub fn exceptions(&self) -> ClassSet {
        self.exceptions
    }

    /// Whether all superclasses are declared, up to `Object`.
    #[must_use]
    pub fn is_complete(&self, name: ClassName) -> bool {
        self.complete.contains(name)
    }

    /// Whether a class is another or one of its subclasses.
    #[must_use]
    pub fn is_below(&self, name: ClassName, other: ClassName) -> bool {
        self.above(name).contains(other)
    }

    /// The classes from one up to one of its superclasses, both included.
    #[must_use]
    pub fn between(&self, name: ClassName, superclass: ClassName) -> ClassSet {
        self.above(name).iter().filter(|other| self.is_below(*other, superclass)).collect()
    }

    /// The class and its superclasses in order, as far as they are declared.
    pub fn chain(&self, name: ClassName) -> impl Iterator<Item = (ClassName, &'p Class)> + use<'_, 'p> {
        let mut next = Some(name);
        let mut steps = 0;
        std::iter::from_fn(move || {
            let name = next.filter(|_| steps < CLASS_LIMIT)?;
            let class = self.class(name)?;
            next = (name != ClassName::OBJECT).then_some(class.superclass);
            steps += 1;
            Some((name, class))
        })
    }

    /// The method that a class sees, and the class that declares it.
    #[must_use]
    pub fn method(&self, class: ClassName, name: MethodName) -> Option<(ClassName, &'p Method)> {
        if !self.is_complete(class) {
            return None;
        }
        // Frames ask for methods of their own class, so this is where most look-ups end.
        let quick = self.methods.get(class.index()).and_then(|methods| methods.get(name.index()));
        if let Some(Some(method)) = quick {
            return Some((class, method));
        }
        self.chain(class).find_map(|(owner, class)| Some((owner, class.method(name)?)))
    }

    /// The field that a class sees, and the class that declares it.
    #[must_use]
    pub fn field(&self, class: ClassName, name: FieldName) -> Option<(ClassName, &'p Field)> {
        if !self.is_complete(class) {
            return None;
        }
        self.chain(class).find_map(|(owner, class)| Some((owner, class.field(name)?)))
    }

    /// The field that a class has in one of its superclasses or itself.
    #[must_use]
    pub fn field_in(&self, class: ClassName, name: FieldName, declared_in: ClassName) -> Option<&'p Field> {
        let is_there = self.is_complete(class) && self.is_below(class, declared_in);
        self.class(declared_in).filter(|_| is_there)?.field(name)
    }

    /// The fields of a new object, in a fixed order; none if a class is missing.
    #[must_use]
    pub fn blank(&self, class: ClassName) -> Option<Vec<(ClassName, FieldName, Value)>> {
        if !self.is_complete(class) {
            return None;
        }
        let mut fields = Vec::new();
        for (owner, class) in self.chain(class) {
            let own = class.fields.iter().filter(|field| !field.is_static);
            fields.extend(own.map(|field| (owner, field.name, field.kind.default_value())));
        }
        fields.sort_unstable_by_key(|(owner, name, _)| (*owner, *name));
        Some(fields)
    }

    /// The static fields that a class declares, in a fixed order, as they are before its initialiser.
    #[must_use]
    pub fn static_blank(&self, class: ClassName) -> Option<Vec<(FieldName, Value)>> {
        let own = self.class(class)?.fields.iter().filter(|field| field.is_static);
        let mut fields: Vec<_> = own.map(|field| (field.name, field.kind.default_value())).collect();
        fields.sort_unstable_by_key(|(name, _)| *name);
        Some(fields)
    }

    /// Whether values of one type can stand where another is asked for.
    #[must_use]
    pub fn widens(&self, from: Type, to: Type) -> bool {
        match (from, to) {
            (Type::Class(from), Type::Class(to)) => self.is_below(from, to),
            (Type::Null, Type::Class(_)) => true,
            _ => from == to,
        }
    }
}

/// The methods that each class declares, for the names that most methods have. The first of a name counts.
fn quick_methods<'p>(
    classes: &[Option<&'p Class>; CLASS_LIMIT],
) -> [[Option<&'p Method>; QUICK_NAMES]; CLASS_LIMIT] {
    let mut all = [[None; QUICK_NAMES]; CLASS_LIMIT];
    for (methods, class) in all.iter_mut().zip(classes) {
        for method in class.iter().flat_map(|class| &class.methods) {
            if let Some(place @ None) = methods.get_mut(method.name.index()) {
                *place = Some(method);
            }
        }
    }
    all
}

/// The class and its superclasses, and whether all are declared up to `Object`.
fn chain(classes: &[Option<&Class>; CLASS_LIMIT], name: ClassName) -> (ClassSet, bool) {
    let mut set = ClassSet::of(name);
    let mut at = name;
    loop {
        let Some(class) = classes.get(at.index()).copied().flatten() else { return (set, false) };
        if at == ClassName::OBJECT {
            return (set, true);
        }
        at = class.superclass;
        if set.contains(at) {
            return (set, false);
        }
        set = set.with(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn class(number: u8) -> ClassName {
        ClassName::wrapped(number)
    }

    fn program(supers: &[(u8, ClassName)]) -> Program {
        let classes =
            supers.iter().map(|(name, above)| (class(*name), Arc::new(Class::empty(*above)))).collect();
        Program { classes }
    }

    #[test]
    fn superclasses_are_known_even_if_they_are_not_there() {
        let program = program(&[(0, ClassName::OBJECT), (1, class(0)), (2, class(9))]);
        let linked = Linked::new(&program);
        assert_eq!(linked.above(class(1)).to_string(), "{Object, C0, C1}");
        assert_eq!(linked.above(class(2)).to_string(), "{C2, C9}");
        assert_eq!(linked.above(class(9)).to_string(), "{C9}");
        assert!(
            linked.is_complete(class(1)) && !linked.is_complete(class(2)) && !linked.is_complete(class(9))
        );
        assert_eq!(linked.between(class(1), class(0)).to_string(), "{C0, C1}");
        assert_eq!(linked.method(class(2), MethodName::CLINIT), None);
        assert_eq!(linked.method(class(1), MethodName::CLINIT).map(|(owner, _)| owner), Some(class(1)));
    }

    #[test]
    fn circles_end() {
        let program = program(&[(0, class(1)), (1, class(0))]);
        let linked = Linked::new(&program);
        assert_eq!(linked.above(class(0)).to_string(), "{C0, C1}");
        assert!(!linked.is_complete(class(0)));
        assert_eq!(linked.blank(class(0)), None);
        assert!(linked.chain(class(0)).count() <= CLASS_LIMIT);
    }

    #[test]
    fn exceptions_have_their_superclasses() {
        let program = Program::default();
        let set = Linked::new(&program).exceptions();
        assert!(SYSTEM_EXCEPTIONS.iter().all(|name| set.contains(*name)));
        assert!(set.contains(ClassName::OBJECT) && set.contains(ClassName::LINKAGE_ERROR));
        assert!(!set.contains(ClassName::IN_INITIALIZER));
    }
}
