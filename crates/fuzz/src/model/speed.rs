//! How many programs the model runs in a second on one core.

use std::hint::black_box;
use std::time::Instant;

use probity_model::collectors::Collector;
use probity_model::generate::{Subject, subject};
use probity_model::linked::Linked;
use probity_model::names::ClassSet;
use probity_model::random::Chance;
use probity_model::run::{run, test_program};
use probity_model::state::State;
use probity_model::step::Dialect;

const PROGRAMS: u64 = 2_000;
const BATCH: usize = 100;
const ROUNDS: usize = 40;

/// Runs random programs, each from its classes to its end with the smart set, on one thread. Programs are run in batches, as they are
/// by those who make and run them; of each batch the fastest round counts, since other programs can only slow one down.
#[must_use]
pub fn runs_per_second(seed: u64) -> f64 {
    let subjects: Vec<Subject> =
        (0..PROGRAMS).map(|task| subject(&mut Chance::of_task(seed, task))).collect();
    let round = |batch: &[Subject]| {
        let start = Instant::now();
        for subject in batch {
            black_box(run_one(subject));
        }
        start.elapsed().as_secs_f64()
    };
    let fastest = |batch| (0..ROUNDS).map(|_| round(batch)).fold(f64::INFINITY, f64::min);
    PROGRAMS as f64 / subjects.chunks(BATCH).map(fastest).sum::<f64>()
}

fn run_one(subject: &Subject) -> (bool, ClassSet) {
    let whole = test_program(&subject.program, &subject.test);
    let linked = Linked::new(&whole);
    let mut set = Collector::Smart.start(&linked);
    let end = run(&linked, State::start(&linked), Dialect::Theory, |state| {
        set = set.union(Collector::Smart.collect(&linked, state));
    });
    (end.is_ok(), set)
}
