//! Names of classes, methods and fields as small numbers, and sets of classes as bits.
//!
//! Programs of the model are small and there are millions of them, so a name is a byte and a set of classes is one word. Every
//! number has one spelling, so that no table of names has to be carried around. Nothing here knows what a class contains.

use std::fmt;
use std::str::FromStr;

/// The name of a class.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassName(u8);

/// How many class names there are.
pub const CLASS_LIMIT: usize = 64;

/// The classes that every program has, with their superclasses, as in the JDK. The number of a class is its place.
pub(crate) const STANDARD: [(&str, ClassName); 15] = [
    ("Object", ClassName::OBJECT),
    ("Throwable", ClassName::OBJECT),
    ("Exception", ClassName::THROWABLE),
    ("RuntimeException", ClassName(2)),
    ("Error", ClassName::THROWABLE),
    ("LinkageError", ClassName::ERROR),
    ("IncompatibleClassChangeError", ClassName::LINKAGE_ERROR),
    ("NullPointerException", ClassName::RUNTIME_EXCEPTION),
    ("ClassCastException", ClassName::RUNTIME_EXCEPTION),
    ("VirtualMachineError", ClassName::ERROR),
    ("OutOfMemoryError", ClassName(9)),
    ("NoClassDefFoundError", ClassName::LINKAGE_ERROR),
    ("NoSuchFieldError", ClassName::INCOMPATIBLE),
    ("NoSuchMethodError", ClassName::INCOMPATIBLE),
    ("ExceptionInInitializerError", ClassName::LINKAGE_ERROR),
];

const FIRST_OF_PROGRAM: u8 = 17;

impl ClassName {
    /// The root of all classes.
    pub const OBJECT: Self = Self(0);
    /// The root of what real JVMs can throw.
    pub const THROWABLE: Self = Self(1);
    /// The root of exceptions that nobody has to declare.
    pub const RUNTIME_EXCEPTION: Self = Self(3);
    /// The root of errors.
    pub const ERROR: Self = Self(4);
    /// The root of errors of linking.
    pub const LINKAGE_ERROR: Self = Self(5);
    /// Thrown when a member is static and should not be, or the other way round.
    pub const INCOMPATIBLE: Self = Self(6);
    /// Thrown when an object is needed and there is none.
    pub const NULL_POINTER: Self = Self(7);
    /// Thrown when an object is not of a class.
    pub const CLASS_CAST: Self = Self(8);
    /// Thrown when there is no room for an object.
    pub const OUT_OF_MEMORY: Self = Self(10);
    /// Thrown when a class is used whose initialisation failed before.
    pub const NO_CLASS_DEF: Self = Self(11);
    /// Thrown when a field is not there.
    pub const NO_SUCH_FIELD: Self = Self(12);
    /// Thrown when a method is not there.
    pub const NO_SUCH_METHOD: Self = Self(13);
    /// What HotSpot puts around an exception that leaves an initialiser.
    pub const IN_INITIALIZER: Self = Self(14);
    /// The class that starts a test.
    pub const START: Self = Self(15);
    /// The test class.
    pub const TEST: Self = Self(16);

    /// The class of a program with this number: `C0`, `C1` and so on; there are fewer than fifty.
    #[must_use]
    pub const fn of_program(number: u8) -> Option<Self> {
        if number < CLASS_LIMIT as u8 - FIRST_OF_PROGRAM {
            Some(Self(number + FIRST_OF_PROGRAM))
        } else {
            None
        }
    }

    /// The class of a program with this number, counted round where there are too many.
    pub(crate) const fn wrapped(number: u8) -> Self {
        Self(FIRST_OF_PROGRAM + number % (CLASS_LIMIT as u8 - FIRST_OF_PROGRAM))
    }

    /// Its number among the classes of a program, if it is one.
    #[must_use]
    pub const fn number_in_program(self) -> Option<u8> {
        self.0.checked_sub(FIRST_OF_PROGRAM)
    }

    /// Whether every program has it.
    #[must_use]
    pub const fn is_standard(self) -> bool {
        self.0 < Self::START.0
    }

    /// The name at a place of such a table.
    pub(crate) const fn at(index: u8) -> Self {
        Self(index)
    }

    /// Its place in tables with an entry for every name.
    #[must_use]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// All names.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..CLASS_LIMIT as u8).map(Self)
    }
}

impl fmt::Display for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (STANDARD.get(self.index()), *self) {
            (Some((name, _)), _) => f.write_str(name),
            (None, Self::START) => f.write_str("Start"),
            (None, Self::TEST) => f.write_str("Test"),
            (None, _) => write!(f, "C{}", self.0.saturating_sub(FIRST_OF_PROGRAM)),
        }
    }
}

impl fmt::Debug for ClassName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotAName(pub String);

impl fmt::Display for NotAName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a name", self.0)
    }
}

impl std::error::Error for NotAName {}

impl FromStr for ClassName {
    type Err = NotAName;

    fn from_str(text: &str) -> Result<Self, NotAName> {
        Self::all().find(|name| name.to_string() == text).ok_or_else(|| NotAName(text.to_owned()))
    }
}

/// The name of a method. A class has at most one method of a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodName(u8);

impl MethodName {
    /// The initialiser of a class.
    pub const CLINIT: Self = Self(0);
    /// The method that starts a test.
    pub const START: Self = Self(1);
    /// The method that is a test.
    pub const MAIN: Self = Self(2);

    /// Its place in tables by name.
    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The method of this number: `m0`, `m1` and so on.
    #[must_use]
    pub const fn numbered(number: u8) -> Self {
        Self(number.saturating_add(3))
    }
}

impl fmt::Display for MethodName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::CLINIT => f.write_str("clinit"),
            Self::START => f.write_str("start"),
            Self::MAIN => f.write_str("main"),
            Self(number) => write!(f, "m{}", number.saturating_sub(3)),
        }
    }
}

impl fmt::Debug for MethodName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for MethodName {
    type Err = NotAName;

    fn from_str(text: &str) -> Result<Self, NotAName> {
        (0..=u8::MAX).map(Self).find(|name| name.to_string() == text).ok_or_else(|| NotAName(text.to_owned()))
    }
}

/// The name of a field. A class has at most one field of a name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldName(u8);

impl FieldName {
    /// The field of this number: `f0`, `f1` and so on.
    #[must_use]
    pub const fn numbered(number: u8) -> Self {
        Self(number)
    }
}

impl fmt::Display for FieldName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "f{}", self.0)
    }
}

impl fmt::Debug for FieldName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for FieldName {
    type Err = NotAName;

    fn from_str(text: &str) -> Result<Self, NotAName> {
        let number = text.strip_prefix('f').and_then(|number| number.parse().ok());
        number.map(Self).ok_or_else(|| NotAName(text.to_owned()))
    }
}

/// A set of classes.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassSet(u64);

impl ClassSet {
    /// No class.
    pub const EMPTY: Self = Self(0);

    /// One class.
    #[must_use]
    pub const fn of(class: ClassName) -> Self {
        Self(1 << class.0)
    }

    /// Whether the class is in it.
    #[must_use]
    pub const fn contains(self, class: ClassName) -> bool {
        self.0 & (1 << class.0) != 0
    }

    /// What is in either.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// What is in both.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in this one and not in the other.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// The set with one more class.
    #[must_use]
    pub const fn with(self, class: ClassName) -> Self {
        self.union(Self::of(class))
    }

    /// Whether everything in it is in the other.
    #[must_use]
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Whether nothing is in it.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many classes are in it.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The classes, in the order of their names.
    pub fn iter(self) -> impl Iterator<Item = ClassName> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let lowest = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            (lowest < 64).then_some(ClassName(lowest as u8))
        })
    }
}

impl FromIterator<ClassName> for ClassSet {
    fn from_iter<I: IntoIterator<Item = ClassName>>(classes: I) -> Self {
        classes.into_iter().fold(Self::EMPTY, Self::with)
    }
}

impl fmt::Display for ClassSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (position, class) in self.iter().enumerate() {
            write!(f, "{}{class}", if position == 0 { "" } else { ", " })?;
        }
        f.write_str("}")
    }
}

impl fmt::Debug for ClassSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_one_spelling() {
        for name in ClassName::all() {
            assert_eq!(name.to_string().parse(), Ok(name));
        }
        for number in 0..40 {
            let (method, field) = (MethodName::numbered(number), FieldName::numbered(number));
            assert_eq!(method.to_string().parse(), Ok(method));
            assert_eq!(field.to_string().parse(), Ok(field));
        }
        assert_eq!("C99".parse::<ClassName>(), Err(NotAName("C99".to_owned())));
        assert_eq!("clinit".parse(), Ok(MethodName::CLINIT));
    }

    #[test]
    fn sets_are_sets() {
        let [a, b] = [3, 40].map(ClassName::wrapped);
        let both: ClassSet = [b, a].into_iter().collect();
        assert_eq!(both.iter().collect::<Vec<_>>(), [a, b]);
        assert_eq!(both.without(ClassSet::of(a)), ClassSet::of(b));
        assert!(ClassSet::of(a).is_subset(both) && !both.is_subset(ClassSet::of(a)));
        assert_eq!((both.len(), both.to_string()), (2, "{C3, C40}".to_owned()));
        assert!(both.intersection(ClassSet::EMPTY).is_empty() && both.contains(a));
    }
}
