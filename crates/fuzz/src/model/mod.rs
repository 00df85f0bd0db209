//! The executable model by the million: random programs, all programs of a small space, and programs on real JVMs.
//!
//! The tests of the model's crate do the same on a sample. This is the long form, whose result is kept in `docs/results`. What was tried
//! depends on the seed alone and not on the number of threads.

mod agent;
mod hotspot;
mod report;
mod speed;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use probity_model::campaign::{Plan, Tally, campaign};
use probity_model::enumerate::{Space, TestReport};

use crate::failure::Failure;

pub use agent::{AgentReport, under_agent};
pub use hotspot::{HotSpotReport, hotspot};
pub use report::Report;
pub use speed::runs_per_second;

/// How many cases a thread takes at once.
const CHUNK: u64 = 500;

/// Tries this many random programs.
#[must_use]
pub fn random(plan: &Plan, programs: u64, threads: usize, progress: &(dyn Fn(&str) + Sync)) -> Tally {
    let next = AtomicU64::new(0);
    let all = Mutex::new(Tally::default());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let start = next.fetch_add(CHUNK, Ordering::Relaxed);
                    if start >= programs {
                        break;
                    }
                    let tally = campaign(plan, start..programs.min(start + CHUNK));
                    if let Ok(mut all) = all.lock() {
                        all.add(tally);
                    }
                    if start.is_multiple_of(50_000) {
                        progress(&format!("{start} random programs"));
                    }
                }
            });
        }
    });
    all.into_inner().unwrap_or_default()
}

/// What came of a whole space.
#[derive(Debug, Default)]
pub struct SpaceReport {
    /// The number of classes.
    pub classes: u8,
    /// All programs.
    pub programs: usize,
    /// Those that are well-formed.
    pub well_formed: usize,
    /// The tests that each is run with.
    pub tests: usize,
    /// The sum over all tests.
    pub sum: TestReport,
}

/// Tries all programs of the rich space.
#[must_use]
pub fn space(classes: u8, threads: usize, progress: &(dyn Fn(&str) + Sync)) -> SpaceReport {
    let space = Space::rich(classes);
    let well_formed = well_formed(&space, threads);
    let count = well_formed.iter().filter(|is| **is).count();
    progress(&format!("{count} of {} programs are well-formed; {} tests", space.len(), space.tests.len()));
    let next = AtomicUsize::new(0);
    let sum = Mutex::new(TestReport::default());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(test) = space.tests.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let report = space.try_test(test, &well_formed);
                    if let Ok(mut sum) = sum.lock() {
                        sum.add(&report);
                        progress(&format!("{} runs", sum.runs));
                    }
                }
            });
        }
    });
    let sum = sum.into_inner().unwrap_or_default();
    SpaceReport { classes, programs: space.len(), well_formed: count, tests: space.tests.len(), sum }
}

fn well_formed(space: &Space, threads: usize) -> Vec<bool> {
    let part = space.len().div_ceil(threads.max(1)).max(1);
    let starts: Vec<usize> = (0..space.len()).step_by(part).collect();
    std::thread::scope(|scope| {
        let check = |start: usize| space.well_formed(start..space.len().min(start + part));
        let running: Vec<_> = starts.into_iter().map(|start| scope.spawn(move || check(start))).collect();
        running.into_iter().flat_map(|part| part.join().unwrap_or_default()).collect()
    })
}

/// A failure with this text.
fn failed(text: String) -> Failure {
    Failure(text)
}
