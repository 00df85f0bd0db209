//! What may have run of a body, given the probes that were hit.
//!
//! Hits say that a way was taken at least once, in one of many runs of the body. A way with a probe that was not hit was never taken;
//! a way without a probe may always have been. A run goes on until it leaves the body: a place from which no way may have
//! been taken was not reached either. Whoever lists the ways of a place must therefore list all of them, those by which an
//! exception leaves it included. Ways too many make the answer less exact, never wrong.

/// A way on from a place of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Way {
    /// The place that it leads to; nothing if it leaves the body.
    pub(crate) to: Option<u32>,
    /// The probe on it, counted in the method.
    pub(crate) probe: Option<u32>,
    /// The probe of the new version on it, where two versions are walked together.
    pub(crate) new_probe: Option<u32>,
}

impl Way {
    /// A way to a place, past a probe if there is one.
    pub(crate) fn to(place: u32, probe: Option<u32>) -> Self {
        Self { to: Some(place), probe, new_probe: None }
    }

    /// A way out of the body, past a probe if there is one.
    pub(crate) fn out(probe: Option<u32>) -> Self {
        Self { to: None, probe, new_probe: None }
    }
}

/// Places and the ways between them; the first place is entered when the method is.
pub(crate) trait Places {
    /// How many places there are.
    fn count(&self) -> usize;

    /// All ways on from a place.
    fn ways(&self, place: usize) -> impl Iterator<Item = Way>;
}

/// For each place whether it may have run, in runs that took no other ways than some; nothing if such runs cannot have hit
/// all that was hit, or cannot have been at all.
pub(crate) fn places_that_may_have_run(
    places: &impl Places,
    probes: u32,
    is_hit: impl Fn(u32) -> bool,
    may_take: impl Fn(&Way) -> bool,
) -> Option<Vec<bool>> {
    let is_open = |way: &Way| way.probe.is_none_or(&is_hit) && may_take(way);
    let is_dead_end = dead_ends(places, &is_open);
    let mut ran = vec![false; places.count()];
    let mut pending = vec![0];
    while let Some(place) = pending.pop() {
        let Some(seen) = ran.get_mut(place as usize).filter(|_| !is(&is_dead_end, place)) else { continue };
        if !std::mem::replace(seen, true) {
            pending.extend(places.ways(place as usize).filter(is_open).filter_map(|way| way.to));
        }
    }
    let mut is_explained = vec![false; probes as usize];
    for place in (0..ran.len()).filter(|&place| is(&ran, place as u32)) {
        for way in places.ways(place).filter(is_open) {
            let goes_on = way.to.is_none_or(|to| is(&ran, to));
            let explained = way.probe.and_then(|probe| is_explained.get_mut(probe as usize));
            explained.into_iter().for_each(|explained| *explained |= goes_on);
        }
    }
    let explains_all = (0..probes).all(|probe| is(&is_explained, probe) || !is_hit(probe));
    (is(&ran, 0) && explains_all).then_some(ran)
}

/// For each place whether a run that comes there can neither go on nor leave the body. A run may go round for ever.
fn dead_ends(places: &impl Places, is_open: &impl Fn(&Way) -> bool) -> Vec<bool> {
    let open = |place: usize| places.ways(place).filter(is_open);
    let mut ways_left: Vec<usize> = (0..places.count()).map(|place| open(place).count()).collect();
    let mut pending: Vec<u32> =
        (0..).zip(&ways_left).filter(|(_, left)| **left == 0).map(|(at, _)| at).collect();
    if !pending.is_empty() {
        let ways_from = |from: u32| open(from as usize).filter_map(move |way| Some((way.to?, from)));
        let mut into: Vec<(u32, u32)> = (0..places.count() as u32).flat_map(ways_from).collect();
        into.sort_unstable();
        while let Some(dead) = pending.pop() {
            let first = into.partition_point(|(to, _)| *to < dead);
            for &(_, from) in into.get(first..).unwrap_or_default().iter().take_while(|(to, _)| *to == dead) {
                if let Some(left) = ways_left.get_mut(from as usize) {
                    *left -= 1;
                    pending.extend((*left == 0).then_some(from));
                }
            }
        }
    }
    ways_left.into_iter().map(|left| left == 0).collect()
}

fn is(set: &[bool], place: u32) -> bool {
    set.get(place as usize).copied().unwrap_or_default()
}
