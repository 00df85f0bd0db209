//! A target together with the JVM that judges it.

use probity_test_support::link::{LinkResult, LinkServer};

use super::Target;
use crate::failure::Failure;
use crate::jury::Jury;
use crate::targets::{self, Verdict};

/// Runs a check on an input in such a way that a panic and endless work are noticed.
pub(super) type Guard<'g> = &'g dyn Fn(&[u8], &mut dyn FnMut(&[u8]) -> Verdict) -> Verdict;

pub(super) struct Judge {
    target: Target,
    server: Option<LinkServer>,
}

impl Judge {
    pub(super) fn start(target: Target, jury: Option<&Jury>) -> Result<Self, Failure> {
        let server = match (target.needs_jvm(), jury) {
            (true, Some(jury)) => Some(jury.start()?),
            (true, None) => return Err(Failure(format!("{} needs a JDK", target.name()))),
            (false, _) => None,
        };
        Ok(Self { target, server })
    }

    /// How often the JVM died so far.
    pub(super) fn crashes(&self) -> u64 {
        self.server.as_ref().map_or(0, |server| server.restarts() as u64)
    }

    /// Judges a batch of inputs.
    pub(super) fn judge(&mut self, batch: &[Vec<u8>], guard: Guard<'_>) -> Result<Vec<Verdict>, Failure> {
        let Some(server) = &mut self.server else {
            let check = match self.target {
                Target::Roundtrip => targets::roundtrip,
                Target::Store => targets::store,
                _ => targets::hostile,
            };
            return Ok(batch.iter().map(|bytes| guard(bytes, &mut |bytes| check(bytes))).collect());
        };
        let linked = server.link_alone(batch)?;
        if self.target == Target::Accepts {
            let judged = batch.iter().zip(&linked);
            let judge = |(bytes, linked): (&Vec<u8>, &LinkResult)| {
                guard(bytes, &mut |bytes| targets::accepts(bytes, linked))
            };
            return Ok(judged.map(judge).collect());
        }
        judge_rewriting(server, batch, &linked, guard)
    }
}

/// Asks about all rewritten classes of a batch at once.
fn judge_rewriting(
    server: &mut LinkServer,
    batch: &[Vec<u8>],
    linked: &[LinkResult],
    guard: Guard<'_>,
) -> Result<Vec<Verdict>, Failure> {
    let mut verdicts = Vec::with_capacity(batch.len());
    let mut rewritten = Vec::new();
    for (bytes, _) in batch.iter().zip(linked).filter(|(_, linked)| linked.is_linked()) {
        let mut class = None;
        let verdict = guard(bytes, &mut |bytes| match targets::rewritten(bytes) {
            Ok(found) => {
                class = found;
                Verdict::Refused
            }
            Err(wrong) => wrong,
        });
        verdicts.push((verdict, class.is_some()));
        rewritten.extend(class);
    }
    let mut answers = server.link_alone(&rewritten)?.into_iter();
    let mut verdicts = verdicts.into_iter();
    let judged = linked.iter().map(|linked| match linked.is_linked().then(|| verdicts.next()).flatten() {
        Some((_, true)) => {
            answers.next().map_or(Verdict::Refused, |answer| targets::judge_rewritten(&answer))
        }
        Some((verdict, false)) => verdict,
        None => Verdict::Refused,
    });
    Ok(judged.collect())
}
