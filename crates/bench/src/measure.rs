//! Runs variants of the same work in turn, in one process.
//!
//! Every round runs every variant once, and each round begins with another one: what the machine does meanwhile, and
//! what one variant leaves in the caches for the next, is shared out among all. No variant may be timed alone.

use std::time::{Duration, Instant};

use crate::failure::Failure;

/// One way to do the work.
pub(crate) struct Variant<'a> {
    pub(crate) name: &'static str,
    /// Does all of the work once and returns a count of what was done, which must always be the same.
    pub(crate) run: Box<dyn Fn() -> u64 + 'a>,
}

impl<'a> Variant<'a> {
    pub(crate) fn new(name: &'static str, run: impl Fn() -> u64 + 'a) -> Self {
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

/// Runs every variant once to warm up, and then as many rounds as asked for.
pub(crate) fn interleaved(variants: &[Variant<'_>], rounds: usize) -> Result<Vec<Measured>, Failure> {
    let warm_up = |variant: &Variant<'_>| Measured {
        name: variant.name,
        count: (variant.run)(),
        times: Vec::with_capacity(rounds),
    };
    let mut measured: Vec<Measured> = variants.iter().map(warm_up).collect();
    for round in 0..rounds {
        for turn in 0..variants.len() {
            let position = (round + turn) % variants.len();
            time_once(&variants[position], &mut measured[position])?;
        }
    }
    Ok(measured)
}

fn time_once(variant: &Variant<'_>, measured: &mut Measured) -> Result<(), Failure> {
    let start = Instant::now();
    let count = (variant.run)();
    measured.times.push(start.elapsed());
    if count == measured.count {
        Ok(())
    } else {
        Err(Failure::Unsteady { variant: variant.name, counts: [measured.count, count] })
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    #[test]
    fn every_round_begins_with_another_variant() {
        let order = RefCell::new(String::new());
        let variant = |name: &'static str| {
            let order = &order;
            Variant::new(name, move || {
                order.borrow_mut().push_str(name);
                7
            })
        };
        let measured = interleaved(&[variant("a"), variant("b"), variant("c")], 3).expect("steady");
        assert_eq!(*order.borrow(), "abc".to_owned() + "abc" + "bca" + "cab");
        assert!(measured.iter().all(|one| one.times.len() == 3 && one.count == 7));
    }

    #[test]
    fn a_variant_that_counts_differently_is_found() {
        let calls = RefCell::new(0);
        let variant = Variant::new("odd", || {
            *calls.borrow_mut() += 1;
            *calls.borrow() / 3
        });
        let failure = interleaved(&[variant], 5).expect_err("counts change");
        assert_eq!(failure.to_string(), "`odd` counted 0 in one round and 1 in another");
    }
}
