//! One class that a unit used, and why.

use crate::hits::Hits;
use probity_shape::{ContentId, Use};
use std::sync::Arc;

/// A class as a unit used it. Its texts are those of many others, so they are shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassUse {
    /// The internal name.
    pub name: Arc<str>,
    /// The bytes that were loaded.
    pub content: ContentId,
    /// The folder or archive that it came from, relative to the project where it is inside it.
    pub place: Arc<str>,
    /// The probes that were hit while the unit ran, and by initialisers that ran before and that it would have run itself had it been
    /// alone: its row of the coverage.
    pub hits: Hits,
    /// Further probes that were hit on behalf of the unit at another time: outside all units, or by a unit around it or beside it.
    /// What ran there counts as what the unit ran, and is no coverage of it.
    pub inherited: Hits,
    /// Why the class counts; each kind of reason once, in the order of their kinds.
    pub reasons: Vec<Reason>,
}

impl ClassUse {
    /// Whether the class counts for a reason of this kind.
    #[must_use]
    pub fn is_there_because(&self, why: Why) -> bool {
        self.reasons.iter().any(|reason| reason.why == why)
    }

    /// All probes that count for the unit, whenever they were hit.
    #[must_use]
    pub fn all_hits(&self) -> Hits {
        let mut hits = self.hits.clone();
        hits.add(&self.inherited);
        hits
    }
}

/// A reason for which a class counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    /// The kind.
    pub why: Why,
    /// The class through which it counts, by internal name: that whose code uses it, whose supertype it is, whose
    /// initialiser ran it. The first that was found, where there are several.
    pub of: Option<Arc<str>>,
}

/// The kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    /// Code of it ran.
    Ran,
    /// Code that ran names it, without necessarily running code of it.
    Named(Use),
    /// It is a superclass or superinterface of a class that counts.
    Supertype,
    /// It was used while a class was initialised, or something else that happens once in a JVM.
    Once,
    /// It was looked at by reflection, serialisation, proxies or similar means: its structure counts.
    Inspected,
    /// It was looked for by name.
    LookedUp,
    /// The JVM linked it.
    Linked,
    /// It is named by the signature or the annotations of a class that was looked at.
    Signature,
    /// It is the host of the nest of a class that counts.
    NestHost,
    /// It is named by a class that was made while the program ran.
    Made,
    /// It was used outside all units of the JVM.
    Outside,
    /// It was used by a unit that ran around this one, such as a suite, at the same time, or before it and left state behind.
    OtherUnit,
}

impl Why {
    /// The number of the kind, for those who write traces down. Numbers never change their meaning.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Ran => 0,
            Self::Supertype => 1,
            Self::Once => 2,
            Self::Inspected => 3,
            Self::LookedUp => 4,
            Self::Linked => 5,
            Self::Signature => 6,
            Self::NestHost => 7,
            Self::Made => 8,
            Self::Outside => 9,
            Self::OtherUnit => 10,
            Self::Named(Use::New) => 16,
            Self::Named(Use::StaticField) => 17,
            Self::Named(Use::StaticCall) => 18,
            Self::Named(Use::Field) => 19,
            Self::Named(Use::Call) => 20,
            Self::Named(Use::InterfaceCall) => 21,
            Self::Named(Use::Literal) => 22,
            Self::Named(Use::Array) => 23,
            Self::Named(Use::Cast) => 24,
            Self::Named(Use::Bootstrap) => 25,
            Self::Named(Use::Catch) => 26,
        }
    }

    /// The kind of a number.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|why| why.code() == code)
    }

    /// All kinds.
    pub const ALL: [Self; 22] = [
        Self::Ran,
        Self::Supertype,
        Self::Once,
        Self::Inspected,
        Self::LookedUp,
        Self::Linked,
        Self::Signature,
        Self::NestHost,
        Self::Made,
        Self::Outside,
        Self::OtherUnit,
        Self::Named(Use::New),
        Self::Named(Use::StaticField),
        Self::Named(Use::StaticCall),
        Self::Named(Use::Field),
        Self::Named(Use::Call),
        Self::Named(Use::InterfaceCall),
        Self::Named(Use::Literal),
        Self::Named(Use::Array),
        Self::Named(Use::Cast),
        Self::Named(Use::Bootstrap),
        Self::Named(Use::Catch),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_kind_has_a_number_of_its_own() {
        let codes: HashSet<u8> = Why::ALL.into_iter().map(Why::code).collect();
        assert_eq!(codes.len(), Why::ALL.len());
        for why in Why::ALL {
            assert_eq!(Why::from_code(why.code()), Some(why));
        }
        assert_eq!(Why::from_code(200), None);
    }
}
