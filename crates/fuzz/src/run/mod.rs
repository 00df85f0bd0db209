//! Runs a target on damaged classes: several threads, a limit of time or cases, and a watch.
//!
//! A case that panics is a failure like any other. A case that does not end cannot be stopped from outside, so the watch
//! saves it and ends the process. Every failure is a file, and that file is all that is needed to see it again.

mod judge;

use std::any::Any;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use fastrand::Rng;

use crate::failure::Failure;
use crate::jury::Jury;
use crate::mutate::{Damager, Strength};
use crate::targets::{self, Verdict};
use judge::Judge;

/// How many cases a thread makes before it looks at the clock and asks a JVM.
const BATCH: u64 = 200;
/// How long a case may take. Real ones take less than a millisecond.
const CASE_LIMIT: Duration = Duration::from_secs(10);
/// How often the watch looks, and people hear of progress.
const WATCH_PAUSE: Duration = Duration::from_millis(200);
const PROGRESS_PAUSE: Duration = Duration::from_secs(30);

/// What can be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// See [`targets::roundtrip`].
    Roundtrip,
    /// See [`targets::hostile`].
    Hostile,
    /// See [`targets::accepts`].
    Accepts,
    /// See `targets::rewrite`.
    Rewrite,
    /// See [`targets::store`].
    Store,
}

impl Target {
    /// All targets.
    pub const ALL: [Self; 5] = [Self::Roundtrip, Self::Hostile, Self::Accepts, Self::Rewrite, Self::Store];

    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Roundtrip => "roundtrip",
            Self::Hostile => "hostile",
            Self::Accepts => "accepts",
            Self::Rewrite => "rewrite",
            Self::Store => "store",
        }
    }

    /// How files with inputs end.
    #[must_use]
    pub fn extension(self) -> &'static str {
        if self == Self::Store { "seg" } else { "class" }
    }

    /// Whether a JVM is the judge.
    #[must_use]
    pub fn needs_jvm(self) -> bool {
        matches!(self, Self::Accepts | Self::Rewrite)
    }
}

/// How long and how a target is run.
#[derive(Debug, Clone)]
pub struct Plan {
    /// For how long; no limit if none is given.
    pub time: Option<Duration>,
    /// How many cases, about; no limit if none is given.
    pub cases: Option<u64>,
    /// From which the random numbers come.
    pub seed: u64,
    /// How many threads.
    pub threads: usize,
    /// Where inputs are written that show a failure.
    pub failures: PathBuf,
}

/// What a run did.
#[derive(Debug, Default)]
pub struct Counts {
    /// How many cases there were.
    pub cases: u64,
    /// How many were judged and right.
    pub right: u64,
    /// How many were refused early.
    pub refused: u64,
    /// How often a JVM died or did not answer.
    pub crashes: u64,
    /// The files with what failed, and why.
    pub failures: Vec<(PathBuf, String)>,
}

/// Runs a target; `progress` hears a line from time to time. The jury is for targets whose judge is a JVM.
///
/// # Errors
///
/// Fails when a JVM cannot be started or a failure cannot be written.
pub fn run(
    target: Target,
    damager: &dyn Damager,
    jury: Option<&Jury>,
    plan: &Plan,
    progress: &(dyn Fn(&str) + Sync),
) -> Result<Counts, Failure> {
    let shared = Shared {
        target,
        plan,
        progress,
        start: Instant::now(),
        cases: AtomicU64::new(0),
        is_done: AtomicBool::new(false),
        counts: Mutex::new(Counts::default()),
        current: (0..plan.threads.max(1)).map(|_| Mutex::new(None)).collect(),
    };
    thread::scope(|scope| {
        scope.spawn(|| shared.watch());
        let workers: Vec<_> = (0..plan.threads.max(1))
            .map(|number| {
                let shared = &shared;
                scope.spawn(move || Worker { shared, damager, number }.work(jury))
            })
            .collect();
        let results: Vec<Result<(), Failure>> = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| Err(Failure(text_of(panic.as_ref())))))
            .collect();
        shared.is_done.store(true, Ordering::Relaxed);
        results.into_iter().collect::<Result<(), Failure>>()
    })?;
    Ok(shared.counts.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// Judges one input.
///
/// # Errors
///
/// Fails when a JVM is needed and cannot be started.
pub fn replay(target: Target, jury: Option<&Jury>, bytes: &[u8]) -> Result<Verdict, Failure> {
    let mut judge = Judge::start(target, jury)?;
    let verdicts = judge.judge(&[bytes.to_vec()], &|bytes, check| guarded(|| check(bytes)))?;
    Ok(verdicts.into_iter().next().unwrap_or(Verdict::Refused))
}

/// A case that is being worked on, and since when.
struct Case {
    since: Instant,
    bytes: Vec<u8>,
}

/// What the threads of a run share.
struct Shared<'r> {
    target: Target,
    plan: &'r Plan,
    progress: &'r (dyn Fn(&str) + Sync),
    start: Instant,
    cases: AtomicU64,
    is_done: AtomicBool,
    counts: Mutex<Counts>,
    /// What each thread is at.
    current: Vec<Mutex<Option<Case>>>,
}

impl Shared<'_> {
    fn is_over(&self) -> bool {
        self.plan.time.is_some_and(|time| self.start.elapsed() >= time)
            || self.plan.cases.is_some_and(|cases| self.cases.load(Ordering::Relaxed) >= cases)
    }

    /// Looks after the threads until they are done.
    fn watch(&self) {
        let mut told = Instant::now();
        while !self.is_done.load(Ordering::Relaxed) {
            thread::sleep(WATCH_PAUSE);
            for place in &self.current {
                let current = place.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(case) = &*current
                    && case.since.elapsed() > CASE_LIMIT
                {
                    self.end_the_process(&case.bytes);
                }
            }
            if told.elapsed() >= PROGRESS_PAUSE {
                told = Instant::now();
                let (cases, seconds) = (self.cases.load(Ordering::Relaxed), self.start.elapsed().as_secs());
                (self.progress)(&format!("{}: {cases} cases in {seconds} s", self.target.name()));
            }
        }
    }

    /// There is no other way to stop a thread.
    fn end_the_process(&self, bytes: &[u8]) {
        let place =
            self.save(bytes).map_or_else(|error| error.to_string(), |file| file.display().to_string());
        (self.progress)(&format!("{}: a case does not end: {place}", self.target.name()));
        std::process::abort();
    }

    fn save(&self, bytes: &[u8]) -> io::Result<PathBuf> {
        fs::create_dir_all(&self.plan.failures)?;
        let (target, end) = (self.target.name(), self.target.extension());
        let name = format!("{target}-{:016x}.{end}", targets::fingerprint(bytes));
        let file = self.plan.failures.join(name);
        fs::write(&file, bytes)?;
        Ok(file)
    }

    fn count(&self, batch: &[Vec<u8>], verdicts: Vec<Verdict>, crashes: u64) -> io::Result<()> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        counts.cases += batch.len() as u64;
        counts.crashes += crashes;
        for (bytes, verdict) in batch.iter().zip(verdicts) {
            match verdict {
                Verdict::Right => counts.right += 1,
                Verdict::Refused => counts.refused += 1,
                Verdict::Wrong(what) => {
                    let file = self.save(bytes)?;
                    (self.progress)(&format!("{}: {what}: {}", self.target.name(), file.display()));
                    counts.failures.push((file, what));
                }
            }
        }
        Ok(())
    }
}

/// A thread of a run.
struct Worker<'r> {
    shared: &'r Shared<'r>,
    damager: &'r dyn Damager,
    number: usize,
}

impl Worker<'_> {
    fn work(&self, jury: Option<&Jury>) -> Result<(), Failure> {
        let shared = self.shared;
        let mut judge = Judge::start(shared.target, jury)?;
        let seed = shared.plan.seed.wrapping_add((self.number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut rng = Rng::with_seed(seed);
        let strength = if shared.target.needs_jvm() { Strength::Light } else { Strength::Heavy };
        while !shared.is_over() {
            let batch: Vec<Vec<u8>> = (0..BATCH).map(|_| self.damager.damaged(strength, &mut rng)).collect();
            shared.cases.fetch_add(BATCH, Ordering::Relaxed);
            let before = judge.crashes();
            let verdicts = judge.judge(&batch, &|bytes, check| self.watched(bytes, check))?;
            shared.count(&batch, verdicts, judge.crashes() - before)?;
        }
        Ok(())
    }

    fn watched(&self, bytes: &[u8], check: &mut dyn FnMut(&[u8]) -> Verdict) -> Verdict {
        let place = self.shared.current.get(self.number);
        let set = |value| {
            if let Some(place) = place {
                *place.lock().unwrap_or_else(PoisonError::into_inner) = value;
            }
        };
        set(Some(Case { since: Instant::now(), bytes: bytes.to_vec() }));
        let verdict = guarded(|| check(bytes));
        set(None);
        verdict
    }
}

/// A panic is a verdict too.
fn guarded(check: impl FnOnce() -> Verdict) -> Verdict {
    catch_unwind(AssertUnwindSafe(check))
        .unwrap_or_else(|panic| Verdict::Wrong(format!("a panic: {}", text_of(panic.as_ref()))))
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

/// The file of a failure as it is given to `--replay`.
#[must_use]
pub fn replay_hint(target: Target, file: &Path) -> String {
    format!("cargo xtask fuzz {} --replay {}", target.name(), file.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure_with_its_message() {
        let verdict = guarded(|| panic!("broken at {}", 7));
        assert_eq!(verdict, Verdict::Wrong("a panic: broken at 7".to_owned()));
        assert_eq!(guarded(|| Verdict::Right), Verdict::Right);
    }

    #[test]
    fn a_target_that_needs_a_jvm_does_not_run_without() {
        let failure = replay(Target::Accepts, None, b"no class").expect_err("no JVM");
        assert_eq!(failure.to_string(), "accepts needs a JDK");
    }
}
