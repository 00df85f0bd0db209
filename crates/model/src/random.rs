//! Chance that can be repeated.
//!
//! The same seed gives the same numbers on every machine and in every version: a result that is written down can be had again.
//! The generator is SplitMix64, which is small and good enough to choose by.

/// A source of chance.
#[derive(Clone, Debug)]
pub struct Chance {
    state: u64,
}

impl Chance {
    /// The source with this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A source for one of many tasks with a common seed, the same in whatever order they are done.
    #[must_use]
    pub fn of_task(seed: u64, task: u64) -> Self {
        let mut chance = Self::new(seed ^ task.wrapping_mul(0xd134_2543_de82_ef95));
        chance.number();
        chance
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound; 0 if there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = bound.max(1) as u64;
        ((u128::from(self.number()) * u128::from(bound)) >> 64) as usize
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let at = self.below(from.len());
        from.get(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_splitmix64() {
        let mut chance = Chance::new(1_234_567);
        let first: Vec<u64> = (0..3).map(|_| chance.number()).collect();
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }

    #[test]
    fn numbers_stay_below_their_bound_and_reach_all_of_it() {
        let mut chance = Chance::new(1);
        let mut seen = [0; 7];
        for _ in 0..1_000 {
            seen[chance.below(7)] += 1;
        }
        assert!(seen.iter().all(|count| *count > 90), "{seen:?}");
        assert_eq!((chance.below(0), chance.pick::<u8>(&[])), (0, None));
    }
}
