//! Examines all classes of a source on several threads, and hands on what came of them in order.
//!
//! Entries are taken in batches, so that the texts of only one batch are in memory; within a batch each
//! thread takes the next entry that nobody has. What is handed on, and its order, never depends on the number
//! of threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use probity_classpath::{Entry, EntryKind, ReadBuffer, Source};

use crate::error::CliError;

use super::examine::{Failure, Options, Outcome, examine};

const BATCH: usize = 1024;

/// Examines every class of the source and calls `sink` for each, in the order of the source.
pub(super) fn survey(
    source: &Source,
    options: Options,
    threads: NonZeroUsize,
    mut sink: impl FnMut(&Entry, Outcome) -> Result<(), CliError>,
) -> Result<(), CliError> {
    for batch in source.entries().chunks(BATCH) {
        for (index, outcome) in examine_batch(source, batch, options, threads)? {
            if let Some(entry) = batch.get(index) {
                sink(entry, outcome)?;
            }
        }
    }
    Ok(())
}

/// The outcomes of a batch with the places of their entries in it, sorted by place.
fn examine_batch(
    source: &Source,
    batch: &[Entry],
    options: Options,
    threads: NonZeroUsize,
) -> Result<Vec<(usize, Outcome)>, CliError> {
    let next = AtomicUsize::new(0);
    let mut outcomes = Vec::with_capacity(batch.len());
    thread::scope(|scope| {
        let work = || take_entries(source, batch, options, &next);
        let workers: Vec<_> = (0..threads.get().min(batch.len())).map(|_| scope.spawn(work)).collect();
        for worker in workers {
            outcomes.extend(
                worker.join().map_err(|_| CliError::Internal("examining a class panicked".to_owned()))?,
            );
        }
        Ok::<(), CliError>(())
    })?;
    outcomes.sort_by_key(|(index, _)| *index);
    Ok(outcomes)
}

fn take_entries(
    source: &Source,
    batch: &[Entry],
    options: Options,
    next: &AtomicUsize,
) -> Vec<(usize, Outcome)> {
    let mut buffer = ReadBuffer::new();
    let mut outcomes = Vec::new();
    loop {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(entry) = batch.get(index) else { return outcomes };
        if entry.kind() != EntryKind::NestedArchive {
            outcomes.push((index, examine_entry(source, entry, options, &mut buffer)));
        }
    }
}

fn examine_entry(source: &Source, entry: &Entry, options: Options, buffer: &mut ReadBuffer) -> Outcome {
    match source.read(entry, buffer) {
        Ok(class) => examine(class.bytes, options),
        Err(error) => Outcome::failed(Failure {
            offset: error.offset,
            error: error.kind.to_string(),
            hint: error.hint(),
        }),
    }
}
