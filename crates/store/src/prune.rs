//! Keeps a store small: the newest traces of each unit and the shapes that they need, in few files.
//!
//! What is kept is written anew before anything is removed, so that a process that is killed in between leaves too much and never too
//! little. Files of versions that are not known here are not touched.

use crate::class_pack::{self, Classes};
use crate::error::{DamageKind, Problem, StoreError};
use crate::folder::{self, Lock, Part, Read};
use crate::segment::build::{Builder, Renumbered};
use crate::shape_pack;
use crate::shapes::Shapes;
use crate::store::{Loaded, load};
use crate::traces::{TraceView, Traces};
use probity_shape::ContentId;
use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

/// What is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retention {
    /// How many traces of each unit, the newest.
    pub traces_per_unit: usize,
    /// How many runs, the newest.
    pub runs: usize,
}

impl Retention {
    /// Enough for the branches that somebody works on.
    pub const USUAL: Self = Self { traces_per_unit: 8, runs: 100 };
}

/// So many traces or shapes are in one file at the most, so that damage to one does not cost all.
const MOST_IN_A_FILE: usize = 1000;

/// How many files so many traces need.
pub(crate) fn files_needed(traces: usize) -> usize {
    traces.div_ceil(MOST_IN_A_FILE)
}

/// What a prune came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// How many traces there were, and are.
    pub traces: [usize; 2],
    /// How many shapes there were, and are.
    pub shapes: [usize; 2],
    /// How many runs there were, and are.
    pub runs: [usize; 2],
    /// How many files there were, and are.
    pub files: [usize; 2],
    /// How many bytes there were, and are.
    pub bytes: [u64; 2],
    /// What cannot be used, and stays or was removed.
    pub problems: Vec<Problem>,
}

pub(crate) fn prune(folder: &Path, retention: &Retention, lock: &Lock) -> Result<Pruned, StoreError> {
    let Loaded { segments, files: trace_files, problems } = load(folder);
    let (shape_files, unreadable) = folder::read_all(folder, Part::Shapes);
    let shapes = Shapes::of(&shape_files, unreadable);
    let traces = Traces::of(&segments, problems);
    let kept = kept(&traces, retention.traces_per_unit);
    let mut old = trace_files;
    let (class_files, unreadable) = folder::read_all(folder, Part::Classes);
    let classes = Classes::of(&class_files, unreadable);
    let files = shape_files.into_iter().chain(class_files);
    old.extend(files.map(|Read { path, bytes }| (path, bytes.len() as u64)));
    let mut pruned = Pruned {
        traces: [traces.len(), kept.len()],
        shapes: [shapes.len(), 0],
        runs: [traces.runs().len(), traces.runs().len().min(retention.runs)],
        files: [old.len(), 0],
        bytes: [old.iter().map(|(_, length)| length).sum(), 0],
        problems: traces
            .problems()
            .iter()
            .chain(shapes.problems())
            .chain(classes.problems())
            .cloned()
            .collect(),
    };
    let mut new = HashSet::new();
    let named = named(&kept);
    pruned.shapes[1] = write_shapes(folder, &shapes, &named, &mut new)?;
    write_classes(folder, &classes, &named, &mut new)?;
    write_traces(folder, &traces, &kept, retention, &mut new)?;
    remove_old(folder, old, &new, &mut pruned, lock)?;
    Ok(pruned)
}

fn kept(traces: &Traces, of_each: usize) -> Vec<TraceView<'_>> {
    let mut kept: Vec<TraceView<'_>> = Vec::new();
    let mut count = 0;
    for trace in traces.iter() {
        count = if kept.last().is_some_and(|last| last.unit() == trace.unit()) { count + 1 } else { 1 };
        if count <= of_each.max(1) {
            kept.push(trace);
        }
    }
    kept
}

/// The bytes of the classes that traces name.
fn named(kept: &[TraceView<'_>]) -> BTreeSet<ContentId> {
    // Of a version, which many traces name, the bytes are looked at once.
    let mut is_met = vec![false; kept.first().map_or(0, |trace| trace.tables().versions.len())];
    let mut named = BTreeSet::new();
    for class in kept.iter().flat_map(TraceView::classes) {
        if let Some(is_met @ false) = is_met.get_mut(class.version() as usize) {
            *is_met = true;
            named.insert(class.content());
        }
    }
    named
}

/// Writes the bytes that are kept of the classes that traces name.
fn write_classes(
    folder: &Path,
    classes: &Classes,
    named: &BTreeSet<ContentId>,
    new: &mut HashSet<PathBuf>,
) -> Result<(), StoreError> {
    let wanted: Vec<(ContentId, Vec<u8>)> =
        named.iter().filter_map(|content| Some((*content, classes.get(*content)?))).collect();
    for some in wanted.chunks(MOST_IN_A_FILE) {
        let some = some.iter().map(|(content, bytes)| (*content, bytes.as_slice()));
        write(folder, Part::Classes, &class_pack::write(some), new)?;
    }
    Ok(())
}

/// Writes the shapes of the classes that traces name; gives how many they are.
fn write_shapes(
    folder: &Path,
    shapes: &Shapes,
    named: &BTreeSet<ContentId>,
    new: &mut HashSet<PathBuf>,
) -> Result<usize, StoreError> {
    let wanted: Vec<_> = named.iter().filter_map(|content| shapes.get(*content)).collect();
    for some in wanted.chunks(MOST_IN_A_FILE) {
        write(folder, Part::Shapes, &shape_pack::write(some.iter()), new)?;
    }
    Ok(wanted.len())
}

fn write_traces(
    folder: &Path,
    traces: &Traces,
    kept: &[TraceView<'_>],
    retention: &Retention,
    new: &mut HashSet<PathBuf>,
) -> Result<(), StoreError> {
    let mut runs = traces.runs().iter().rev().take(retention.runs).cloned().peekable();
    let mut chunks = kept.chunks(MOST_IN_A_FILE).peekable();
    while chunks.peek().is_some() || runs.peek().is_some() {
        let mut builder = Builder::default();
        let mut renumbered = Renumbered::default();
        for trace in chunks.next().unwrap_or_default() {
            builder.add_loaded(*trace, &mut renumbered);
        }
        runs.by_ref().for_each(|run| builder.add_run(run));
        write(folder, Part::Traces, &builder.finish(), new)?;
    }
    Ok(())
}

fn write(folder: &Path, part: Part, bytes: &[u8], new: &mut HashSet<PathBuf>) -> Result<(), StoreError> {
    folder::write(folder, part, bytes)?;
    new.insert(folder.join(part.folder()).join(folder::name_of(bytes)));
    Ok(())
}

/// Removes what was written anew, and what nobody can ever read; says what is left.
fn remove_old(
    folder: &Path,
    old: Vec<(PathBuf, u64)>,
    new: &HashSet<PathBuf>,
    pruned: &mut Pruned,
    lock: &Lock,
) -> Result<(), StoreError> {
    let stays = |path: &PathBuf| {
        new.contains(path)
            || pruned.problems.iter().any(|one| one.file == *path && is_left_alone(&one.damage.kind))
    };
    let mut gone: Vec<PathBuf> = old.into_iter().map(|(path, _)| path).filter(|path| !stays(path)).collect();
    gone.extend(folder::left_behind(folder, lock));
    folder::remove(&gone, lock)?;
    for part in Part::ALL {
        let (files, _) = folder::read_all(folder, part);
        pruned.files[1] += files.len();
        pruned.bytes[1] += files.iter().map(|file| file.bytes.len() as u64).sum::<u64>();
    }
    Ok(())
}

/// What others may be able to read.
fn is_left_alone(kind: &DamageKind) -> bool {
    matches!(kind, DamageKind::OtherVersion { .. } | DamageKind::Unreadable(_) | DamageKind::TooMuch)
}
