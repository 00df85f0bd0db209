//! Runs variants of the same work in turn, in one process.
//!
//! The work is cut into portions. Every round goes through all portions, and for each portion every variant is run once,
//! beginning with another one each time: what the machine does meanwhile, and what one variant leaves in the caches for
//! the next, is shared out among all. No variant may be timed alone.

use std::time::Duration;

use crate::clock::Moment;
use crate::failure::Failure;

/// One way to do the work.
pub(crate) struct Variant<'a> {
    pub(crate) name: &'static str,
    run: Run<'a>,
}

/// Does one portion and returns a count of what was done, which must be the same in every round.
type Run<'a> = Box<dyn Fn(usize) -> u64 + 'a>;

impl<'a> Variant<'a> {
    pub(crate) fn new(name: &'static str, run: impl Fn(usize) -> u64 + 'a) -> Self {
        Variant { name, run: Box::new(run) }
    }
}

/// What one variant did and how long each round took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Measured {
    pub(crate) name: &'static str,
    pub(crate) count: u64,
    pub(crate) times: Vec<Duration>,
}

impl Measured {
    /// How much was done per second in each round, of something of which the whole work has this much.
    pub(crate) fn speeds(&self, work: f64) -> Vec<f64> {
        self.times.iter().map(|time| work / time.as_secs_f64()).collect()
    }
}

/// Runs every variant once over all portions to warm up, and then as many rounds as asked for.
pub(crate) fn interleaved(
    variants: &[Variant<'_>],
    portions: usize,
    rounds: usize,
) -> Result<Vec<Measured>, Failure> {
    let mut measured: Vec<Measured> =
        variants.iter().map(|variant| Measured { name: variant.name, count: 0, times: Vec::new() }).collect();
    for round in 0..=rounds {
        let done = one_round(variants, portions, round);
        for (measured, (count, time)) in measured.iter_mut().zip(done) {
            if round == 0 {
                measured.count = count;
            } else if measured.count == count {
                measured.times.push(time);
            } else {
                return Err(Failure::Unsteady { variant: measured.name, counts: [measured.count, count] });
            }
        }
    }
    Ok(measured)
}

/// What each variant counted in one round, and how long it took.
fn one_round(variants: &[Variant<'_>], portions: usize, round: usize) -> Vec<(u64, Duration)> {
    let mut done = vec![(0, Duration::ZERO); variants.len()];
    for portion in 0..portions {
        for turn in 0..variants.len() {
            let position = (round + portion + turn) % variants.len();
            let start = Moment::now();
            let count = (variants[position].run)(portion);
            let (total, time) = &mut done[position];
            *time += start.elapsed();
            *total += count;
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn every_portion_begins_with_another_variant() {
        let order = RefCell::new(String::new());
        let variant = |name: &'static str| {
            let order = &order;
            Variant::new(name, move |portion| {
                order.borrow_mut().push_str(&format!("{name}{portion} "));
                7
            })
        };
        let measured = interleaved(&[variant("a"), variant("b"), variant("c")], 2, 1).expect("steady");
        assert_eq!(*order.borrow(), "a0 b0 c0 b1 c1 a1 ".to_owned() + "b0 c0 a0 c1 a1 b1 ");
        assert!(measured.iter().all(|one| one.times.len() == 1 && one.count == 14));
    }

    #[test]
    fn a_variant_that_counts_differently_is_found() {
        let calls = RefCell::new(0);
        let variant = Variant::new("odd", |_| {
            *calls.borrow_mut() += 1;
            *calls.borrow() / 3
        });
        let failure = interleaved(&[variant], 1, 5).expect_err("counts change");
        assert_eq!(failure.to_string(), "`odd` counted 0 in one round and 1 in another");
    }
}
