//! The walk: two versions of a body, step by step, from the entry on.
//!
//! A place of the walk is a step of the old version and the step of the new version at which a run is that took the same
//! ways so far. Steps that do the same lead to further places; where they differ the walk ends, and from there on only the
//! old version goes on, for its hits are what is known. Steps that do nothing are passed by each version on its own.
//!
//! A step may be met together with several, if code was copied or copies were made one. That is the same, except for calls that are linked
//! on their own: two of them are linked twice, and a lambda that one makes is never that of the other.

use std::collections::HashMap;

use super::steps::{BodySteps, Role, Step};
use crate::ways::Way;

/// Where the two versions are at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The number of the old version's instruction.
    pub(super) old: u32,
    /// That of the new version's; nothing behind a difference.
    pub(super) new: Option<u32>,
    pub(super) meeting: Meeting,
    /// Where the ways on from here start.
    pub(super) first_way: usize,
}

/// How two steps compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meeting {
    /// They do the same.
    Same,
    /// They do not.
    Different,
    /// One of them does nothing, or there is only one.
    Alone,
}

/// How many places there may be for each step. Nearly always there is one; a body in which the same steps come again and again
/// could have as many as the product of the two lengths.
const PLACES_PER_STEP: usize = 8;

/// Walks two bodies; nothing if they are entangled beyond measure.
pub(super) fn walk(old: &BodySteps, new: &BodySteps) -> Option<(Vec<Place>, Vec<Way>)> {
    let mut walk = Walk { old, new, numbers: HashMap::new(), met: Vec::new() };
    let limit = (old.steps.len() + new.steps.len()) * PLACES_PER_STEP;
    let (mut places, mut ways) = (Vec::new(), Vec::new());
    walk.number(0, Some(0));
    while let Some(&(at_old, at_new)) = walk.met.get(places.len()) {
        let first_way = ways.len();
        let meeting = walk.follow(at_old, at_new, &mut ways)?;
        // Keys of a switch that lead to the same place are one way.
        ways.get_mut(first_way..)?.sort_unstable();
        remove_repeated(&mut ways, first_way);
        places.push(Place { old: at_old, new: at_new, meeting, first_way });
        if walk.met.len() > limit {
            return None;
        }
    }
    for place in linked_elsewhere(old, &places) {
        places.get_mut(place)?.meeting = Meeting::Different;
    }
    Some((places, ways))
}

/// The places of calls that are linked on their own and have been met together with several of the other version.
fn linked_elsewhere(old: &BodySteps, places: &[Place]) -> Vec<usize> {
    let is_linked = |place: &Place| {
        place.meeting == Meeting::Same && old.step(place.old).is_some_and(|step| step.is_linked)
    };
    let linked: Vec<(usize, &Place)> =
        places.iter().enumerate().filter(|(_, place)| is_linked(place)).collect();
    let mut times: HashMap<(bool, Option<u32>), u32> = HashMap::new();
    for (_, place) in &linked {
        *times.entry((false, Some(place.old))).or_default() += 1;
        *times.entry((true, place.new)).or_default() += 1;
    }
    let is_alone = |place: &Place| {
        [(false, Some(place.old)), (true, place.new)].iter().all(|step| times.get(step) == Some(&1))
    };
    linked.into_iter().filter(|(_, place)| !is_alone(place)).map(|(at, _)| at).collect()
}

fn remove_repeated(ways: &mut Vec<Way>, first: usize) {
    let mut rest = ways.split_off(first);
    rest.dedup();
    ways.append(&mut rest);
}

struct Walk<'b> {
    old: &'b BodySteps,
    new: &'b BodySteps,
    numbers: HashMap<(u32, Option<u32>), u32>,
    /// The places in the order of their numbers.
    met: Vec<(u32, Option<u32>)>,
}

impl Walk<'_> {
    /// The number of a place, which is new if nobody came there yet.
    fn number(&mut self, old: u32, new: Option<u32>) -> u32 {
        let next = self.met.len() as u32;
        let number = *self.numbers.entry((old, new)).or_insert(next);
        if number == next {
            self.met.push((old, new));
        }
        number
    }

    /// Finds the ways on from a place. Nothing if a way leads to where no step is.
    fn follow(&mut self, at_old: u32, at_new: Option<u32>, ways: &mut Vec<Way>) -> Option<Meeting> {
        let (of_old, of_new) = (self.old, self.new);
        let old = of_old.step(at_old)?;
        let new = match at_new {
            Some(number) => Some(of_new.step(number)?),
            None => None,
        };
        match new {
            Some(new) if old.is_empty && new.is_empty => {
                self.add_pairs(&paired(old, new)?, ways);
                Some(Meeting::Alone)
            }
            // The new version waits.
            _ if old.is_empty => {
                self.add_alone(old, at_new, ways);
                Some(Meeting::Alone)
            }
            Some(new) if new.is_empty => {
                for (_, way) in &new.ways {
                    let to = self.number(at_old, Some(way.to?));
                    ways.push(Way { to: Some(to), probe: None, new_probe: way.probe });
                }
                Some(Meeting::Alone)
            }
            Some(new) => {
                let does_same = of_old.form(old) == of_new.form(new);
                Some(match paired(old, new).filter(|_| does_same) {
                    Some(pairs) => {
                        self.add_pairs(&pairs, ways);
                        Meeting::Same
                    }
                    None => {
                        self.add_alone(old, None, ways);
                        Meeting::Different
                    }
                })
            }
            None => {
                self.add_alone(old, None, ways);
                Some(Meeting::Alone)
            }
        }
    }

    /// Both versions go on.
    fn add_pairs(&mut self, pairs: &[(Way, Way)], ways: &mut Vec<Way>) {
        for (old, new) in pairs {
            let to = old.to.map(|to| self.number(to, new.to));
            ways.push(Way { to, probe: old.probe, new_probe: new.probe });
        }
    }

    /// The old version goes on, the new one stays where it is, or is no longer there.
    fn add_alone(&mut self, old: &Step, new: Option<u32>, ways: &mut Vec<Way>) {
        for (_, way) in &old.ways {
            let to = way.to.map(|to| self.number(to, new));
            ways.push(Way { to, probe: way.probe, new_probe: None });
        }
    }
}

/// The ways of two steps that are taken at the same time; nothing if one has a way that the other has not. A key that a switch does
/// not have takes its default.
fn paired(old: &Step, new: &Step) -> Option<Vec<(Way, Way)>> {
    let mut pairs = Vec::with_capacity(old.ways.len());
    for &(role, way) in &old.ways {
        pairs.push((way, partner(new, role)?));
    }
    for &(role, way) in &new.ways {
        if find(old, role).is_none() {
            pairs.push((partner(old, role)?, way));
        }
    }
    // One version cannot leave the method where the other goes on.
    pairs.iter().all(|(old, new)| old.to.is_some() == new.to.is_some()).then_some(pairs)
}

fn partner(step: &Step, role: Role) -> Option<Way> {
    let default = || find(step, Role::Default).filter(|_| matches!(role, Role::Key(_)));
    find(step, role).or_else(default)
}

fn find(step: &Step, role: Role) -> Option<Way> {
    let found = step.ways.binary_search_by_key(&role, |(role, _)| *role).ok()?;
    step.ways.get(found).map(|(_, way)| *way)
}
