//! Laws that follow from the general definitions alone, for any semantics.

use super::ensure;
use crate::semantics::{
    CollectionSelection, NotSafe, after_from_back, after_from_front, big, collecting_big, collecting_small,
    ends_of_test, is_existence_safe,
};

/// A general law: its name, what it says, and how often it was put to the test or what went wrong.
pub type Generic = (&'static str, &'static str, Result<u64, String>);

/// Puts the general laws to the test on some revisions, each made from the one before, and a test.
pub fn generic_laws<S: CollectionSelection>(
    semantics: &S,
    revisions: &[S::Program],
    test: &S::Test,
    fuel: u32,
) -> Vec<Generic> {
    let [old, new, ..] = revisions else { return Vec::new() };
    let given =
        Given { semantics, revisions, old, new, test, fuel, whole: semantics.test_program(old, test) };
    vec![
        ("G1", "end states have no successor under any program", given.g1()),
        ("G2", "steps can be counted from the front and from the back", given.g2()),
        ("G3", "collections can be combined in any grouping, and nothing is neutral", given.g3()),
        ("G4", "collecting does not change what is run", given.g4()),
        ("G5", "where there is one successor there is one end, after one number of steps", given.g5()),
        (
            "G6",
            "the outcomes of a test are the ends of its program with what is known at the start",
            given.g6(),
        ),
        ("G7", "the selection is existence-safe", given.g7(2)),
        ("G8", "the selection is safe for chains, always with the first outcome", given.g7(revisions.len())),
    ]
}

struct Given<'g, S: CollectionSelection> {
    semantics: &'g S,
    revisions: &'g [S::Program],
    old: &'g S::Program,
    new: &'g S::Program,
    test: &'g S::Test,
    fuel: u32,
    whole: S::Program,
}

/// How many steps are unfolded in both ways.
const UNFOLDED: u32 = 5;

impl<S: CollectionSelection> Given<'_, S> {
    fn ends(&self) -> Vec<(S::State, u32)> {
        let start = self.semantics.start(&self.whole);
        big(self.semantics, &self.whole, &start, self.fuel).unwrap_or_default()
    }

    fn g1(&self) -> Result<u64, String> {
        let other = self.semantics.test_program(self.new, self.test);
        let ends = self.ends();
        for (end, _) in &ends {
            let next = [&self.whole, &other].map(|program| self.semantics.small(program, end).len());
            ensure(next == [0, 0], || format!("an end state has {next:?} successors"))?;
        }
        Ok(ends.len() as u64)
    }

    fn g2(&self) -> Result<u64, String> {
        let start = self.semantics.start(&self.whole);
        for steps in 0..UNFOLDED {
            let front = after_from_front(self.semantics, &self.whole, &start, steps);
            let back = after_from_back(self.semantics, &self.whole, &start, steps);
            ensure(same_members(&front, &back), || {
                format!("after {steps} steps: {} or {}", front.len(), back.len())
            })?;
        }
        Ok(u64::from(UNFOLDED))
    }

    fn g3(&self) -> Result<u64, String> {
        let start = self.semantics.start(&self.whole);
        let mut known = vec![self.semantics.nothing()];
        known.extend(
            self.semantics
                .outputs(self.old, self.test, self.fuel)
                .unwrap_or_default()
                .into_iter()
                .map(|o| o.1),
        );
        known.extend(
            collecting_small(self.semantics, &self.whole, &start).into_iter().map(|(_, learnt)| learnt),
        );
        known.truncate(6);
        let combine = |one: &S::Collection, two: &S::Collection| self.semantics.combine(one, two);
        let mut checks = 0;
        for one in &known {
            let nothing = self.semantics.nothing();
            let is_neutral = combine(one, &nothing) == *one && combine(&nothing, one) == *one;
            ensure(is_neutral, || "nothing is not neutral".to_owned())?;
            for two in &known {
                for three in &known {
                    let same = combine(&combine(one, two), three) == combine(one, &combine(two, three));
                    ensure(same, || "grouping matters".to_owned())?;
                    checks += 1;
                }
            }
        }
        Ok(checks)
    }

    fn g4(&self) -> Result<u64, String> {
        let start = self.semantics.start(&self.whole);
        let plain = self.semantics.small(&self.whole, &start);
        let collecting: Vec<_> = collecting_small(self.semantics, &self.whole, &start)
            .into_iter()
            .map(|(state, _)| state)
            .collect();
        ensure(same_members(&plain, &collecting), || "a step differs".to_owned())?;
        let Ok(collecting) = collecting_big(self.semantics, &self.whole, &start, self.fuel) else {
            return Ok(1);
        };
        let plain: Vec<_> = self.ends().into_iter().map(|(state, _)| state).collect();
        let collecting: Vec<_> = collecting.into_iter().map(|(state, _)| state).collect();
        ensure(same_members(&plain, &collecting), || "an end differs".to_owned())?;
        Ok(2)
    }

    fn g5(&self) -> Result<u64, String> {
        let mut state = self.semantics.start(&self.whole);
        for _ in 0..self.fuel {
            match self.semantics.small(&self.whole, &state).as_slice() {
                [] => break,
                [next] => state = next.clone(),
                _ => return Ok(0),
            }
        }
        let ends = self.ends();
        if ends.is_empty() {
            return Ok(0);
        }
        ensure(ends.len() == 1, || format!("{} ends", ends.len()))?;
        Ok(1)
    }

    fn g6(&self) -> Result<u64, String> {
        let Ok(found) = self.semantics.outputs(self.old, self.test, self.fuel) else { return Ok(0) };
        let Ok(wanted) = ends_of_test(self.semantics, self.old, self.test, self.fuel) else { return Ok(0) };
        ensure(same_members(&found, &wanted), || "outcomes differ from ends".to_owned())?;
        Ok(found.len() as u64)
    }

    /// For the first so many revisions.
    fn g7(&self, count: usize) -> Result<u64, String> {
        let revisions = self.revisions.get(..count).unwrap_or_default();
        if !revisions.iter().all(|revision| self.semantics.is_valid(revision, self.test)) {
            return Ok(0);
        }
        match is_existence_safe(self.semantics, revisions, self.test, self.fuel) {
            Ok(skipped) => Ok(skipped),
            Err(NotSafe::OutOfFuel) => Ok(0),
            Err(NotSafe::Lost(_)) => Err("an outcome that was skipped is none any more".to_owned()),
        }
    }
}

fn same_members<T: Eq>(one: &[T], two: &[T]) -> bool {
    one.iter().all(|item| two.contains(item)) && two.iter().all(|item| one.contains(item))
}
