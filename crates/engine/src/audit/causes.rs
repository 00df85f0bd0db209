//! Why traces of a unit can differ, and what to think of it.

use probity_trace::Why;

/// What to think of a difference, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// One order ran what another did not, and nobody knows why.
    Unexplained,
    /// It came from another unit whose state was seen, or that ran at the same time.
    Shared,
    /// It can be so.
    Explained,
}

impl Verdict {
    /// All, the worst first.
    pub const ALL: [Self; 3] = [Self::Unexplained, Self::Shared, Self::Explained];

    /// In words.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Unexplained => "unexplained",
            Self::Shared => "shared with other units",
            Self::Explained => "explained",
        }
    }
}

/// Why traces differ, the most suspicious first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// Code ran in some and not in others.
    Ran,
    /// It was something else in each.
    Value,
    /// It follows from code that ran in some and not in others.
    Follows,
    /// It is of another unit, whose state this one may see or that ran at the same time.
    OtherUnit,
    /// Code of a test framework ran, which keeps what it found out for the units that come later.
    Framework,
    /// It was used by an initialiser, or something else that happens once.
    Once,
    /// It was used outside all units.
    Outside,
    /// Code that ran in all names it, and not every JVM had loaded it.
    NotLoaded,
    /// The JVM linked it.
    Linked,
    /// It was looked for by name.
    LookedUp,
    /// It was looked at by reflection.
    Inspected,
    /// It was made while the program ran.
    Made,
    /// It is a class file that was looked for where classes are, to load the class.
    Loaded,
    /// It was asked for by code that is the same in all.
    Asked,
    /// It is about threads and time.
    Time,
    /// The trace says itself that it is not to be relied on.
    Distrusted,
}

impl Cause {
    /// What to think of it.
    #[must_use]
    pub fn verdict(self) -> Verdict {
        match self {
            Self::Ran | Self::Value | Self::Follows => Verdict::Unexplained,
            Self::OtherUnit => Verdict::Shared,
            _ => Verdict::Explained,
        }
    }

    /// In words.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Ran => "ran in some and not in others",
            Self::Value => "was not the same",
            Self::Follows => "follows from code that ran in some and not in others",
            Self::OtherUnit => "comes from another unit, whose state is seen or that ran at the same time",
            Self::Framework => "code of the test framework, which remembers what it did for earlier units",
            Self::Once => "happens once in a JVM: an initialiser, or what it used",
            Self::Outside => "used outside all units",
            Self::NotLoaded => "named by code that ran in all, and not loaded in every JVM",
            Self::Linked => "linked by the JVM, which happens once",
            Self::LookedUp => "looked up by name, which is remembered",
            Self::Inspected => "looked at by reflection, which is remembered",
            Self::Made => "made while the program ran",
            Self::Loaded => "looked for to load the class, which happens once",
            Self::Asked => {
                "asked by the JDK, an initialiser or code outside all units, since all code that ran is the same"
            }
            Self::Time => "a matter of threads and time",
            Self::Distrusted => "a reason for which the trace is not trusted",
        }
    }

    /// The cause that a reason is by itself, if it is one: not through another class.
    pub(super) fn of_reason(why: Why) -> Option<Self> {
        match why {
            Why::Linked => Some(Self::Linked),
            Why::LookedUp => Some(Self::LookedUp),
            Why::Inspected => Some(Self::Inspected),
            Why::Outside => Some(Self::Outside),
            Why::OtherUnit => Some(Self::OtherUnit),
            Why::Ran
            | Why::Named(_)
            | Why::Supertype
            | Why::Once
            | Why::Signature
            | Why::NestHost
            | Why::Made => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_sorted_by_what_to_think_of_them() {
        let order =
            [Cause::Ran, Cause::Value, Cause::Follows, Cause::OtherUnit, Cause::Once, Cause::Distrusted];
        assert!(order.is_sorted());
        assert!(order.map(Cause::verdict).is_sorted());
    }
}
