//! The row of a unit that need not run, in terms of today's probes.
//!
//! A method that did not change, and whose probes stand where they stood, has the same row; one that the unit did not enter has none.
//! Everything else is an error: coverage is exact or the unit runs.

use probity_shape::Shape;
use probity_trace::Hits;
use std::collections::HashMap;
use std::fmt;

/// A method of which it is not known what of it is covered now, by name and descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotExact(pub String);

impl fmt::Display for NotExact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it is not known what of {} is covered", self.0)
    }
}

impl std::error::Error for NotExact {}

/// The hits of JaCoCo's probes in a newer version of a class that did the same.
///
/// # Errors
///
/// Fails if a method that was entered is not the same or has its probes elsewhere.
pub fn carry(hits: &Hits, old: &Shape, new: &Shape) -> Result<Hits, NotExact> {
    let (carried, first_lost) = carry_methods(hits, old, new);
    first_lost.map_or(Ok(carried), Err)
}

/// The same without methods of which it is not known what of them is covered. It is for what no unit covers.
#[must_use]
pub fn carry_what_is_known(hits: &Hits, old: &Shape, new: &Shape) -> Hits {
    carry_methods(hits, old, new).0
}

fn carry_methods(hits: &Hits, old: &Shape, new: &Shape) -> (Hits, Option<NotExact>) {
    let mut first_lost = None;
    let bodies: HashMap<(&str, &str), _> = new
        .methods
        .iter()
        .filter_map(|method| {
            Some(((method.name.as_str(), method.descriptor.as_str()), method.body.as_ref()?))
        })
        .collect();
    let mut carried = Vec::new();
    for method in old.methods.iter().filter(|method| hits.enter(method)) {
        let Some(before) = &method.body else { continue };
        let now = bodies.get(&(method.name.as_str(), method.descriptor.as_str()));
        let same = now.filter(|now| now.code == before.code && now.probe_places == before.probe_places);
        let Some(now) = same else {
            first_lost.get_or_insert_with(|| NotExact(format!("{}{}", method.name, method.descriptor)));
            continue;
        };
        let hit = before.probes.clone().filter(|&probe| hits.has(probe));
        carried.extend(hit.map(|probe| probe - before.probes.start + now.probes.start));
    }
    (carried.into_iter().collect(), first_lost)
}
