//! Whether what a unit ran of a method is the same in another version of its body, and which probes it hits there.
//!
//! Both versions are walked together from the entry on, as DejaVOO does; where their instructions differ they part. A trace
//! whose hits allow for a run that came to such a place is stale. If no run did, all runs took ways on which the two
//! versions do the same, and each probe of the new version stands on a way of which the hits of the old version tell whether it was
//! taken, most often. Where they do not tell, nobody guesses: the row is unknown.
//!
//! Instructions are compared by what they do: neither the constant pool nor debug information nor distances count, nor do
//! jumps that only lead on. The exceptions that are caught around an instruction count if it can throw, the limits of the stack and frames
//! never.

mod pairs;
mod steps;
#[cfg(test)]
mod tests;

use pairs::{Meeting, Place};
pub use steps::BodySteps;

use crate::ways::{Places, Way, places_that_may_have_run};

/// Two versions of a body, walked together.
#[derive(Clone, Debug)]
pub struct BodyWalk {
    places: Vec<Place>,
    ways: Vec<Way>,
    /// How many probes the old version has.
    old_probes: u32,
    /// How to know of each probe of the new version whether it is hit.
    sources: Vec<Source>,
}

/// How to know whether a probe of the new version is hit by runs that meet no difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// It is on no way that both versions have.
    Never,
    /// It is on the same ways as a probe of the old version.
    Probe(u32),
    /// Other hits may tell.
    Others,
}

/// What hits of the old version say of the new version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A run may have met a difference, or the hits do not tell of runs from the entry on.
    Stale,
    /// All runs do the same in the new version, and these of its probes are hit then, by their numbers in the method.
    Fresh(Vec<bool>),
    /// All runs do the same in the new version, but of some of its probes nobody knows whether they are hit.
    FreshWithUnknownRow,
}

/// A place at which two versions part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Difference {
    /// The number of the old version's instruction.
    pub old: u32,
    /// The number of the new version's instruction.
    pub new: u32,
}

impl BodyWalk {
    /// Walks two versions of a body; nothing if they are too entangled. All that entered the method is stale then.
    #[must_use]
    pub fn between(old: &BodySteps, new: &BodySteps) -> Option<Self> {
        let (places, ways) = pairs::walk(old, new)?;
        let mut walk = Self { places, ways, old_probes: old.probes, sources: Vec::new() };
        walk.sources = walk.find_sources(new.probes);
        Some(walk)
    }

    /// What hits of the old version say, for one method in one trace. `entry_hit` is whether the entry probe was hit, if
    /// the old version has one, and `is_hit` tells it of its other probes, by their numbers in the method.
    #[must_use]
    pub fn verdict(&self, entry_hit: Option<bool>, is_hit: impl Fn(u32) -> bool) -> Verdict {
        let has_hits = (0..self.old_probes).any(&is_hit);
        match entry_hit {
            // Nobody entered it, so nobody does now.
            None | Some(false) if !has_hits => return Verdict::Fresh(vec![false; self.sources.len()]),
            // It was running already.
            Some(false) => return Verdict::Stale,
            None | Some(true) => {}
        }
        let Some(ran) = places_that_may_have_run(self, self.old_probes, &is_hit, |_| true) else {
            return Verdict::Stale;
        };
        let mut ran_places = self.places.iter().zip(&ran).filter(|(_, ran)| **ran).map(|(place, _)| place);
        if ran_places.any(|place| place.meeting == Meeting::Different) {
            return Verdict::Stale;
        }
        let probes = (0..).zip(&self.sources).map(|(probe, source)| match source {
            Source::Never => Some(false),
            Source::Probe(old) => Some(is_hit(*old)),
            Source::Others => self.derived(probe, &is_hit, &ran),
        });
        probes.collect::<Option<Vec<bool>>>().map_or(Verdict::FreshWithUnknownRow, Verdict::Fresh)
    }

    /// The part of a row that was hit in a part of what hit all of it, such as a stretch of time; nothing if that is not known of some probe.
    /// The part need not tell of runs from the entry on. `row` is what was said to be [`Verdict::Fresh`] of the whole, `is_hit`
    /// tells which probes of the old version were hit in the part.
    #[must_use]
    pub fn part_of_row(&self, row: &[bool], is_hit: impl Fn(u32) -> bool) -> Option<Vec<bool>> {
        let probes = self.sources.iter().zip(row).map(|(source, whole)| match source {
            Source::Probe(old) => Some(is_hit(*old)),
            Source::Others if *whole => None,
            Source::Others | Source::Never => Some(false),
        });
        probes.collect()
    }

    /// Whether a probe of the new version is hit, if that follows from hits of the old version. It is not if no way that it is on
    /// was taken; it is if without these ways not everything could have been hit that was.
    fn derived(&self, probe: u32, is_hit: &impl Fn(u32) -> bool, ran: &[bool]) -> Option<bool> {
        let ran_at = |place: usize| ran.get(place).copied().unwrap_or_default();
        let may_be_hit = (0..self.places.len()).filter(|&place| ran_at(place)).any(|place| {
            self.ways(place).any(|way| {
                way.new_probe == Some(probe)
                    && way.probe.is_none_or(is_hit)
                    && way.to.is_none_or(|to| ran_at(to as usize))
            })
        });
        if !may_be_hit {
            return Some(false);
        }
        let without = |way: &Way| way.new_probe != Some(probe);
        match places_that_may_have_run(self, self.old_probes, is_hit, without) {
            Some(_) => None,
            None => Some(true),
        }
    }

    /// Where the two versions part. Who came to none of these does the same in both.
    pub fn differences(&self) -> impl Iterator<Item = Difference> + '_ {
        self.met(Meeting::Different).map(|(old, new)| Difference { old, new })
    }

    /// The instructions of the old version and those of the new version that do the same in the same runs: RECOVER's map of
    /// entities.
    pub fn matches(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.met(Meeting::Same)
    }

    fn met(&self, meeting: Meeting) -> impl Iterator<Item = (u32, u32)> + '_ {
        let places = self.places.iter().filter(move |place| place.meeting == meeting);
        places.filter_map(|place| Some((place.old, place.new?)))
    }

    /// The ways that both versions have. Runs that meet no difference take no other.
    fn ways_of_both(&self) -> impl Iterator<Item = Way> + '_ {
        let of_both = |place: &Place| place.new.is_some() && place.meeting != Meeting::Different;
        let places = self.places.iter().enumerate().filter(move |(_, place)| of_both(place));
        places.flat_map(|(place, _)| self.ways(place))
    }

    fn find_sources(&self, new_probes: u32) -> Vec<Source> {
        let mut sources = vec![None; new_probes as usize];
        // Of each old probe, the one new probe that is on the same ways so far.
        let mut partners: Vec<Option<Option<u32>>> = vec![None; self.old_probes as usize];
        for way in self.ways_of_both() {
            let old = way.probe.and_then(|probe| partners.get_mut(probe as usize));
            old.into_iter().for_each(|partner| {
                if *partner.get_or_insert(way.new_probe) != way.new_probe {
                    *partner = Some(None);
                }
            });
            let new = way.new_probe.and_then(|probe| sources.get_mut(probe as usize));
            new.into_iter().for_each(|source| {
                let here = way.probe.map_or(Source::Others, Source::Probe);
                if *source.get_or_insert(here) != here {
                    *source = Some(Source::Others);
                }
            });
        }
        let is_partner = |old: u32, new: u32| partners.get(old as usize) == Some(&Some(Some(new)));
        (0..)
            .zip(sources)
            .map(|(new, source)| match source {
                None => Source::Never,
                Some(Source::Probe(old)) if !is_partner(old, new) => Source::Others,
                Some(source) => source,
            })
            .collect()
    }
}

impl Places for BodyWalk {
    fn count(&self) -> usize {
        self.places.len()
    }

    fn ways(&self, place: usize) -> impl Iterator<Item = Way> {
        let first = self.places.get(place).map_or(self.ways.len(), |place| place.first_way);
        let end = self.places.get(place + 1).map_or(self.ways.len(), |place| place.first_way);
        self.ways.get(first..end).unwrap_or_default().iter().copied()
    }
}
