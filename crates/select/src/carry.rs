//! The row of a unit that need not run, in terms of today's probes.
//!
//! A method that did not change, and whose probes stand where they stood, has the same row; one that the unit did not enter has none.
//! Where a body is different somewhere that the unit did not come to, or its probes stand elsewhere, the walk of both versions tells the
//! row. Everything else is an error: coverage is exact or the unit runs.

use probity_shape::{BodyShape, BodyWalk, Shape, Verdict};
use probity_trace::{ClassUse, Hits};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

/// A method of which it is not known what of it is covered now, by name and descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotExact(pub String);

impl fmt::Display for NotExact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it is not known what of {} is covered", self.0)
    }
}

impl std::error::Error for NotExact {}

/// What hits say of a body that was walked with a newer version of it.
pub(crate) fn verdict(walk: &BodyWalk, before: &BodyShape, hits: &Hits) -> Verdict {
    let entry_hit = before.entry_probe.map(|probe| hits.has(probe));
    walk.verdict(entry_hit, |probe| hits.has(before.probes.start + probe))
}

/// The row of a body in a newer version of it, if it is known: all hits say whether it does the same, and some of them are the row.
pub(crate) fn row(walk: &BodyWalk, before: &BodyShape, all: &Hits, own: &Hits) -> Option<Vec<bool>> {
    match verdict(walk, before, all) {
        Verdict::Fresh(row) => walk.part_of_row(&row, |probe| own.has(before.probes.start + probe)),
        Verdict::Stale | Verdict::FreshWithUnknownRow => None,
    }
}

/// The hits of JaCoCo's probes in a newer version of a class that did the same.
///
/// # Errors
///
/// Fails if it is not known what of a method is covered.
pub fn carry(
    used: &ClassUse,
    old: &Shape,
    new: &Shape,
    walk: impl Fn(usize, usize) -> Option<Arc<BodyWalk>>,
) -> Result<Hits, NotExact> {
    let (carried, first_lost) = carry_methods(used, old, new, walk);
    first_lost.map_or(Ok(carried), Err)
}

/// The same without methods of which it is not known what of them is covered. It is for what no unit covers.
#[must_use]
pub fn carry_what_is_known(used: &ClassUse, old: &Shape, new: &Shape) -> Hits {
    carry_methods(used, old, new, |_, _| None).0
}

fn carry_methods(
    used: &ClassUse,
    old: &Shape,
    new: &Shape,
    walk: impl Fn(usize, usize) -> Option<Arc<BodyWalk>>,
) -> (Hits, Option<NotExact>) {
    let mut first_lost = None;
    let all = used.all_hits();
    let methods = new.methods.iter().enumerate();
    let bodies: HashMap<(&str, &str), (usize, &BodyShape)> = methods
        .filter_map(|(position, method)| {
            Some(((method.name.as_str(), method.descriptor.as_str()), (position, method.body.as_ref()?)))
        })
        .collect();
    let mut carried: Vec<u32> = Vec::new();
    for (position, method) in old.methods.iter().enumerate().filter(|(_, method)| used.hits.enter(method)) {
        let Some(before) = &method.body else { continue };
        let now = bodies.get(&(method.name.as_str(), method.descriptor.as_str()));
        let row = now.and_then(|&(place, now)| {
            if now.code == before.code && now.probe_places == before.probe_places {
                return Some(before.probes.clone().map(|probe| used.hits.has(probe)).collect());
            }
            row(&*walk(position, place)?, before, &all, &used.hits)
        });
        match (now, row) {
            (Some((_, now)), Some(row)) => {
                let hit = now.probes.clone().zip(row).filter(|(_, is_hit)| *is_hit);
                carried.extend(hit.map(|(probe, _)| probe));
            }
            _ => {
                first_lost.get_or_insert_with(|| NotExact(format!("{}{}", method.name, method.descriptor)));
            }
        }
    }
    (carried.into_iter().collect(), first_lost)
}
