//! Order independence: whether the traces of a unit agree that were made from the same versions of classes, in other orders, alone
//! or in other JVMs.
//!
//! They may differ for reasons that are known: initialisers run once, the JVM links a class once, code outside all units differs.
//! What one order ran and another did not, with no such reason, is state that units share: the unit does something else
//! depending on who ran before. [`audit`] lists all differences with their causes, and the [`union`](crate::union::union) of the
//! traces is what counts.

mod causes;
mod classes;
mod facts;
mod trees;

pub use causes::{Cause, Verdict};
pub use trees::{Tree, trees};

use crate::trace_description::outcome_in_words;
use probity_store::{Shapes, Traces};

/// What a comparison of all traces came to.
#[derive(Clone, Debug, Default)]
pub struct Audit {
    /// A comparison for each unit and tree with several traces, the most suspicious first.
    pub comparisons: Vec<Comparison>,
    /// How many units have nothing to compare: what was recorded of them was always the same, or only once.
    pub single: usize,
}

/// The traces of a unit for one tree, compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The unit.
    pub unit: String,
    /// The traces, the newest first.
    pub traces: Vec<ComparedTrace>,
    /// The differences, the most suspicious first.
    pub differences: Vec<Difference>,
}

/// A trace that was compared with others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedTrace {
    /// Its identity.
    pub id: String,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    /// How it ended.
    pub outcome: &'static str,
}

/// Something that is in some traces and not in others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Why that can be.
    pub cause: Cause,
    /// What sort of thing.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// Whether it is a class of an archive, or in one: rather a library than the project.
    pub is_library: bool,
    /// The traces that have it, by position.
    pub with: Vec<usize>,
    /// The traces that do not, by position.
    pub without: Vec<usize>,
    /// Why the traces that have it have it, as it was recorded.
    pub reasons: Vec<String>,
}

/// The sorts of things that can be different.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A method that was entered.
    Method,
    /// Parts of a method that all entered.
    Path,
    /// A class.
    Class,
    /// A class that was looked for and not there.
    Absent,
    /// A file or folder.
    File,
    /// A resource on the class path.
    Resource,
    /// A system property.
    Property,
    /// An environment variable.
    Variable,
    /// Stack traces were read.
    StackTraces,
    /// Processes were started.
    Processes,
    /// Threads outlived the unit.
    Threads,
    /// Another unit ran at the same time.
    Overlap,
    /// The trace is not trusted.
    Distrust,
}

impl Kind {
    /// The sort in a word or two.
    #[must_use]
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Method => "method",
            Self::Path => "part of method",
            Self::Class => "class",
            Self::Absent => "absent class",
            Self::File => "file",
            Self::Resource => "resource",
            Self::Property => "property",
            Self::Variable => "variable",
            Self::StackTraces => "stack traces",
            Self::Processes => "processes",
            Self::Threads => "threads",
            Self::Overlap => "overlap",
            Self::Distrust => "distrust",
        }
    }
}

impl Comparison {
    /// How many differences there are of a verdict.
    #[must_use]
    pub fn count(&self, verdict: Verdict) -> usize {
        self.differences.iter().filter(|one| one.cause.verdict() == verdict).count()
    }
}

impl Audit {
    /// In how many comparisons there is such a difference.
    #[must_use]
    pub fn with(&self, verdict: Verdict) -> usize {
        self.comparisons.iter().filter(|one| one.count(verdict) > 0).count()
    }
}

/// Compares the traces of some units.
#[must_use]
pub fn audit<'u>(traces: &Traces, shapes: &Shapes, units: impl IntoIterator<Item = &'u str>) -> Audit {
    let mut audit = Audit::default();
    for unit in units {
        let mut is_single = true;
        for tree in trees(traces.of_unit(unit)) {
            if tree.traces.len() > 1 {
                is_single = false;
                audit.comparisons.push(compare(unit, &tree, shapes));
            }
        }
        audit.single += usize::from(is_single);
    }
    let suspicion = |one: &Comparison| Verdict::ALL.map(|verdict| one.count(verdict));
    audit
        .comparisons
        .sort_by(|one, other| suspicion(other).cmp(&suspicion(one)).then_with(|| one.unit.cmp(&other.unit)));
    audit
}

/// Compares the traces of a unit for one tree.
#[must_use]
pub fn compare(unit: &str, tree: &Tree, shapes: &Shapes) -> Comparison {
    let mut differences = classes::differences(&tree.traces, shapes);
    let has_run_differently =
        differences.iter().any(|difference| difference.cause.verdict() == Verdict::Unexplained);
    differences.extend(facts::differences(&tree.traces, has_run_differently));
    let order = |one: &Difference| (one.cause, one.is_library, one.kind, one.name.clone());
    differences.sort_by_cached_key(order);
    let compared = tree.ids.iter().zip(&tree.traces).map(|(id, trace)| ComparedTrace {
        id: id.clone(),
        began: trace.began,
        outcome: outcome_in_words(trace.outcome()),
    });
    Comparison { unit: unit.to_owned(), traces: compared.collect(), differences }
}

/// Which traces have something and which do not.
fn split(has: impl IntoIterator<Item = bool>) -> (Vec<usize>, Vec<usize>) {
    let (with, without): (Vec<_>, Vec<_>) = has.into_iter().enumerate().partition(|(_, has)| *has);
    let positions = |some: Vec<(usize, bool)>| some.into_iter().map(|(position, _)| position).collect();
    (positions(with), positions(without))
}
