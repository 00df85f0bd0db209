//! The tables by which traces are written in numbers; in a file, and in memory for all files together.

use crate::fact::Fact;
use crate::identity::{PartHash, hash_environment, hash_fact, hash_use};
use crate::strings::{StringId, Strings};
use probity_shape::ContentId;
use probity_trace::{Environment, Why};

/// Everything that traces name by number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tables {
    pub(crate) strings: Strings,
    pub(crate) versions: Vec<Version>,
    pub(crate) environments: Vec<Environment>,
    pub(crate) uses: Uses,
    pub(crate) facts: Vec<Fact<StringId>>,
    /// The numbers of uses and facts of one trace after the other.
    pub(crate) lists: Vec<u32>,
}

/// A class with its bytes and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Version {
    pub(crate) name: StringId,
    pub(crate) content: ContentId,
    pub(crate) place: StringId,
}

/// A reason, its text as a number.
pub(crate) type ReasonRow = (Why, Option<StringId>);

/// The ways in which classes were used: each is a version of a class, the probes that were hit, and reasons.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses {
    rows: Vec<UseRow>,
    hits: Vec<u8>,
    reasons: Vec<ReasonRow>,
}

/// What is hit starts where that of the row before ends; so do reasons.
#[derive(Clone, Copy, Debug)]
struct UseRow {
    version: u32,
    hits_end: u32,
    reasons_end: u32,
}

/// A use, looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UseView<'a> {
    pub(crate) version: u32,
    pub(crate) hits: &'a [u8],
    pub(crate) reasons: &'a [ReasonRow],
}

impl Uses {
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn reserve(&mut self, rows: usize, bytes: usize) {
        self.rows.reserve(rows);
        self.hits.reserve(bytes);
    }

    /// Appends a use; reasons are those that were pushed before.
    pub(crate) fn push(&mut self, version: u32, hits: &[u8]) {
        self.hits.extend_from_slice(hits);
        let (hits_end, reasons_end) = (self.hits.len() as u32, self.reasons.len() as u32);
        self.rows.push(UseRow { version, hits_end, reasons_end });
    }

    /// Appends a reason of the use that is pushed next.
    pub(crate) fn push_reason(&mut self, reason: ReasonRow) {
        self.reasons.push(reason);
    }

    /// A use; numbers are checked when they are read, so there is always one.
    pub(crate) fn get(&self, number: u32) -> UseView<'_> {
        const NONE: UseRow = UseRow { version: 0, hits_end: 0, reasons_end: 0 };
        let number = number as usize;
        let before = number.checked_sub(1).and_then(|before| self.rows.get(before)).unwrap_or(&NONE);
        let row = self.rows.get(number).unwrap_or(before);
        let hits = self.hits.get(before.hits_end as usize..row.hits_end as usize);
        let reasons = self.reasons.get(before.reasons_end as usize..row.reasons_end as usize);
        UseView { version: row.version, hits: hits.unwrap_or_default(), reasons: reasons.unwrap_or_default() }
    }

    /// Appends all uses of another table, with its versions and texts under new numbers.
    pub(crate) fn append(&mut self, other: &Self, versions: &[u32], strings: &[u32]) {
        let (hits, reasons) = (self.hits.len() as u32, self.reasons.len() as u32);
        let renumber = |number: u32, to: &[u32]| to.get(number as usize).copied().unwrap_or_default();
        self.rows.extend(other.rows.iter().map(|row| UseRow {
            version: renumber(row.version, versions),
            hits_end: hits + row.hits_end,
            reasons_end: reasons + row.reasons_end,
        }));
        self.hits.extend_from_slice(&other.hits);
        self.reasons
            .extend(other.reasons.iter().map(|&(why, of)| (why, of.map(|number| renumber(number, strings)))));
    }
}

impl Tables {
    /// A version; there is always one.
    pub(crate) fn version(&self, number: u32) -> Version {
        const NONE: Version = Version { name: 0, content: ContentId([0; 16]), place: 0 };
        self.versions.get(number as usize).copied().unwrap_or(NONE)
    }

    pub(crate) fn use_hash(&self, number: u32) -> PartHash {
        let UseView { version, hits, reasons } = self.uses.get(number);
        let Version { name, content, place } = self.version(version);
        let texts = [name, place].map(|number| self.strings.get(number));
        hash_use(texts, content, hits, reasons.iter().map(|(why, _)| *why), &mut Vec::new())
    }

    pub(crate) fn fact(&self, number: u32) -> Fact<&str> {
        let fact = self.facts.get(number as usize).copied().unwrap_or(Fact::ReadsStackTraces);
        fact.map(|number| self.strings.get(number))
    }

    pub(crate) fn fact_hash(&self, number: u32) -> PartHash {
        hash_fact(self.fact(number))
    }

    pub(crate) fn environment_hash(&self, number: u32) -> PartHash {
        self.environments.get(number as usize).map_or([0; 16], hash_environment)
    }
}
