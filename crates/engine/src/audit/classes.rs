//! Differences in classes, methods that were entered, and parts of methods.
//!
//! What counts is what ran on behalf of the unit, at whatever time: an initialiser that ran in another unit is inherited, and then there
//! is no difference. Differences that follow from others have their cause.

use super::causes::{Cause, Verdict};
use super::{Difference, Kind, split};
use crate::traces::{in_words, with_dots};
use crate::union::union_of_uses;
use probity_shape::{ContentId, MethodShape, Shape};
use probity_store::Shapes;
use probity_trace::{ClassUse, Hits, Reason, Trace, Why};
use std::collections::{BTreeMap, HashMap, HashSet};

/// How the names of classes begin that run tests.
const FRAMEWORKS: [&str; 6] =
    ["org/junit/", "junit/", "org/testng/", "org/apiguardian/", "org/opentest4j/", "com/beust/"];

/// All differences of this sort.
pub(super) fn differences(traces: &[Trace], shapes: &Shapes) -> Vec<Difference> {
    let rows = rows(traces);
    let mut differences = Vec::new();
    let mut ran_differently = HashSet::new();
    for row in &rows {
        let found = row.in_methods(shapes);
        if found.iter().any(|one| one.cause.verdict() == Verdict::Unexplained) {
            ran_differently.insert(row.name);
        }
        differences.extend(found);
    }
    let partial: Vec<&Row<'_>> = rows.iter().filter(|row| row.uses.contains(&None)).collect();
    let causes = Causes::find(&partial, &ran_differently, shapes);
    differences.extend(partial.iter().map(|row| row.difference(causes.of(row.name))));
    differences
}

/// A class in all traces.
struct Row<'t> {
    name: &'t str,
    content: ContentId,
    /// How each trace used it.
    uses: Vec<Option<&'t ClassUse>>,
    /// How all of them used it.
    all: ClassUse,
}

fn rows(traces: &[Trace]) -> Vec<Row<'_>> {
    let mut found: BTreeMap<(&str, ContentId), Vec<Option<&ClassUse>>> = BTreeMap::new();
    for (position, trace) in traces.iter().enumerate() {
        for used in &trace.classes {
            let uses = found.entry((&used.name, used.content)).or_insert_with(|| vec![None; traces.len()]);
            if let Some(place) = uses.get_mut(position) {
                *place = Some(used);
            }
        }
    }
    let mut rows = Vec::with_capacity(found.len());
    for ((name, content), uses) in found {
        if let Some(all) = union_of_uses(uses.iter().copied().flatten()) {
            rows.push(Row { name, content, uses, all });
        }
    }
    rows
}

impl Row<'_> {
    fn difference(&self, cause: Cause) -> Difference {
        let (with, without) = split(self.uses.iter().map(Option::is_some));
        let name = with_dots(self.name);
        Difference {
            cause,
            kind: Kind::Class,
            name,
            is_library: self.is_library(),
            with,
            without,
            reasons: self.reasons(),
        }
    }

    fn reasons(&self) -> Vec<String> {
        self.all.reasons.iter().map(|reason| in_words(reason.why, reason.of.as_deref())).collect()
    }

    fn has(&self, why: Why) -> bool {
        self.all.is_there_because(why)
    }

    /// The differences between the traces that have the class.
    fn in_methods(&self, shapes: &Shapes) -> Vec<Difference> {
        let hits: Vec<Option<Hits>> = self.uses.iter().map(|used| used.map(ClassUse::all_hits)).collect();
        let mut some = hits.iter().flatten();
        let first = some.next();
        if self.is_made() || some.all(|hits| Some(hits) == first) {
            return Vec::new();
        }
        match shapes.get(self.content) {
            Some(shape) => {
                shape.methods.iter().filter_map(|method| self.in_method(&shape, method, &hits)).collect()
            }
            None => {
                let all = self.all.all_hits();
                let has_all = |hits: &Hits| *hits == all;
                let cause = self.cause_of_code(!self.all.hits.is_empty(), false);
                vec![self.method_difference(Kind::Path, with_dots(self.name), cause, &hits, has_all)]
            }
        }
    }

    fn in_method(&self, shape: &Shape, method: &MethodShape, hits: &[Option<Hits>]) -> Option<Difference> {
        let name = format!("{}.{}{}", with_dots(&shape.name), method.name, method.descriptor);
        let own = self.uses.iter().flatten().map(|used| &used.hits);
        let is_initialiser = method.name == "<clinit>";
        let entered = |hits: &Hits| hits.enter(method);
        let count = hits.iter().flatten().filter(|hits| entered(hits)).count();
        if count < hits.iter().flatten().count() {
            let is_own = own.clone().any(entered);
            let cause = self.cause_of_code(is_own, is_initialiser);
            return (count > 0).then(|| self.method_difference(Kind::Method, name, cause, hits, entered));
        }
        let body = method.body.as_ref()?;
        let probes: Vec<u32> = body.probes.clone().chain(body.entry_probe).collect();
        let differs = |probe: &u32| {
            let mut some = hits.iter().flatten().map(|hits| hits.has(*probe));
            let first = some.next();
            some.any(|has| Some(has) != first)
        };
        let different: Vec<u32> = probes.into_iter().filter(differs).collect();
        if different.is_empty() {
            return None;
        }
        let is_own = own.clone().any(|own| different.iter().any(|&probe| own.has(probe)));
        let cause = self.cause_of_code(is_own, is_initialiser);
        let has_all = |hits: &Hits| different.iter().all(|&probe| hits.has(probe));
        Some(self.method_difference(Kind::Path, name, cause, hits, has_all))
    }

    fn method_difference(
        &self,
        kind: Kind,
        name: String,
        cause: Cause,
        hits: &[Option<Hits>],
        has: impl Fn(&Hits) -> bool,
    ) -> Difference {
        let (with, without) = split(hits.iter().map(|hits| hits.as_ref().is_some_and(&has)));
        let without = without.into_iter().filter(|&one| hits.get(one).is_some_and(Option::is_some));
        Difference {
            cause,
            kind,
            name,
            is_library: self.is_library(),
            with,
            without: without.collect(),
            reasons: self.reasons(),
        }
    }

    /// Why code of the class ran for some and not for others.
    fn cause_of_code(&self, is_own: bool, is_initialiser: bool) -> Cause {
        if is_initialiser {
            Cause::Once
        } else if is_own && self.is_framework() {
            Cause::Framework
        } else if is_own {
            Cause::Ran
        } else if self.has(Why::OtherUnit) {
            Cause::OtherUnit
        } else if self.has(Why::Once) {
            Cause::Once
        } else {
            Cause::Outside
        }
    }

    /// Whether it is of a test framework. Its version is in the class path, which is the same for all.
    fn is_framework(&self) -> bool {
        self.is_library() && FRAMEWORKS.iter().any(|start| self.name.starts_with(start))
    }

    fn is_library(&self) -> bool {
        std::path::Path::new(&*self.all.place).extension().is_some_and(|extension| extension == "jar")
    }

    fn is_made(&self) -> bool {
        self.all.place.is_empty()
    }

    /// Whether nothing of it ran but its initialiser.
    fn is_only_initialised(&self, shapes: &Shapes) -> bool {
        shapes.get(self.content).is_some_and(|shape| {
            let mut entered = shape.methods.iter().filter(|method| self.all.hits.enter(method));
            entered.all(|method| method.name == "<clinit>")
        })
    }
}

/// The cause of each class that is not in all traces.
struct Causes<'t> {
    found: HashMap<&'t str, Cause>,
}

impl<'t> Causes<'t> {
    /// Finds causes by themselves first, and then those that follow from others, until there is no more.
    fn find(rows: &[&Row<'t>], ran_differently: &HashSet<&str>, shapes: &Shapes) -> Self {
        let mut causes = Self { found: HashMap::new() };
        let mut open: Vec<&Row<'_>> = Vec::new();
        for row in rows {
            match alone(row, shapes) {
                Some(cause) => causes.set(row.name, cause),
                None => open.push(row),
            }
        }
        let partial: HashSet<&str> = rows.iter().map(|row| row.name).collect();
        loop {
            let before = open.len();
            open.retain(|row| match causes.through(row, &partial, ran_differently) {
                Some(cause) => {
                    causes.set(row.name, cause);
                    false
                }
                None => true,
            });
            if open.len() == before {
                return causes.with_the_rest(&open);
            }
        }
    }

    /// What is reached only through what ran in some and not in others, or is known only by means that remember.
    fn with_the_rest(mut self, open: &[&Row<'t>]) -> Self {
        for row in open {
            let own = row.all.reasons.iter().filter_map(|reason| Cause::of_reason(reason.why)).min();
            let cause = if row.all.hits.is_empty() { own.unwrap_or(Cause::Follows) } else { Cause::Ran };
            self.set(row.name, cause);
        }
        self
    }

    fn set(&mut self, name: &'t str, cause: Cause) {
        self.found.insert(name, cause);
    }

    fn of(&self, name: &str) -> Cause {
        self.found.get(name).copied().unwrap_or(Cause::Follows)
    }

    /// The best cause that a class has through others.
    fn through(
        &self,
        row: &Row<'_>,
        partial: &HashSet<&str>,
        ran_differently: &HashSet<&str>,
    ) -> Option<Cause> {
        let reasons = row.all.reasons.iter().filter(|reason| Cause::of_reason(reason.why).is_none());
        let through = |reason: &Reason| {
            let of = reason.of.as_deref()?;
            if partial.contains(of) && of != row.name {
                return self.found.get(of).copied().filter(|cause| cause.verdict() != Verdict::Unexplained);
            }
            match reason.why {
                Why::Ran => None,
                Why::Once => Some(Cause::Once),
                _ if !row.all.hits.is_empty() => None,
                Why::Named(_) if ran_differently.contains(of) => None,
                _ => Some(Cause::NotLoaded),
            }
        };
        reasons.filter_map(through).max()
    }
}

/// The cause of a class that needs no other to be told.
fn alone(row: &Row<'_>, shapes: &Shapes) -> Option<Cause> {
    if row.is_made() {
        return Some(Cause::Made);
    }
    if row.is_framework() {
        return Some(Cause::Framework);
    }
    if !row.all.hits.is_empty() {
        return row.is_only_initialised(shapes).then_some(Cause::Once);
    }
    [Why::OtherUnit, Why::Outside].into_iter().find(|why| row.has(*why)).and_then(Cause::of_reason)
}
