//! The store: a folder, and what can be asked of it.

use crate::bundle;
use crate::class_pack::{self, Classes};
use crate::error::{Damage, DamageKind, Problem, StoreError, StoreErrorKind};
use crate::folder::{self, Part};
use crate::prune::{self, Pruned, Retention};
use crate::run::Run;
use crate::segment::Segment;
use crate::segment::build::Builder;
use crate::segment::read::read as read_segment;
use crate::shape_pack;
use crate::shapes::Shapes;
use crate::traces::Traces;
use crate::verify::{self, Verified};
use probity_shape::{ContentId, Shape};
use probity_trace::{OUTSIDE, Trace};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::thread::{self, ScopedJoinHandle};

/// Numbers of tables have 32 bits, so this much is loaded at the most; what is more counts as absent.
const MOST_LOADED: usize = 1 << 31;

/// Each file has tables of its own, so many files take longer to load than one with the same traces.
const MANY_FILES: usize = 64;

/// A store in a folder, which may not be there yet.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

/// What adding a run came to.
#[derive(Clone, Debug, Default)]
pub struct Added {
    /// How many traces of units are new.
    pub traces: usize,
    /// How many traces were there already; only when they were recorded, how long they took and how their tests ended is new.
    pub seen_again: usize,
    /// How many shapes are new.
    pub shapes: usize,
    /// How many bytes were written.
    pub bytes: u64,
    /// How many files with traces there are now.
    pub trace_files: usize,
    /// How many files would be enough for them.
    pub needed_files: usize,
    /// The files of the store that could not be used; their traces count as new.
    pub problems: Vec<Problem>,
}

impl Added {
    /// Whether there are so many files that loading them takes longer than it need: time for a [prune](Store::prune).
    #[must_use]
    pub fn wants_prune(&self) -> bool {
        self.trace_files > self.needed_files + MANY_FILES
    }
}

/// How much a store holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// How many units have traces.
    pub units: usize,
    /// How many traces there are.
    pub traces: usize,
    /// How many pairs of a trace and a class there are.
    pub pairs: usize,
    /// How many shapes there are.
    pub shapes: usize,
    /// The runs, the oldest first.
    pub runs: Vec<Run>,
    /// How many files have traces, and how many bytes.
    pub trace_files: (usize, u64),
    /// How many files have shapes, and how many bytes.
    pub shape_files: (usize, u64),
    /// What cannot be used.
    pub problems: Vec<Problem>,
}

/// What an import came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Imported {
    /// How many files were in it.
    pub files: usize,
    /// How many of them were not in the store.
    pub new_files: usize,
}

impl Store {
    /// The store in a folder. Nothing is looked at or made.
    #[must_use]
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// All traces. Whatever cannot be used is in their [problems](Traces::problems) and counts as absent; where there is no store
    /// there are no traces.
    #[must_use]
    pub fn load(&self) -> Traces {
        let _lock = folder::lock_to_read(&self.folder);
        let Loaded { segments, problems, .. } = load(&self.folder);
        Traces::of(&segments, problems)
    }

    /// All shapes.
    #[must_use]
    pub fn shapes(&self) -> Shapes {
        let _lock = folder::lock_to_read(&self.folder);
        load_shapes(&self.folder)
    }

    /// The classes whose bytes are kept.
    #[must_use]
    pub fn classes(&self) -> Classes {
        let _lock = folder::lock_to_read(&self.folder);
        load_classes(&self.folder)
    }

    /// Keeps the bytes of classes, those that are not kept yet. Can be done by several processes at once.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be written; what was in the store stays as it was.
    pub fn add_classes<'c>(
        &self,
        classes: impl IntoIterator<Item = (ContentId, &'c [u8])>,
    ) -> Result<(), StoreError> {
        let _lock = folder::lock_to_add(&self.folder)?;
        let known = load_classes(&self.folder);
        let mut new = classes.into_iter().filter(|(content, _)| !known.contains(*content)).peekable();
        if new.peek().is_some() {
            self.write(Part::Classes, &class_pack::write(new), &mut Added::default())?;
        }
        Ok(())
    }

    /// Adds what a run recorded: its traces, and the shapes of the classes in them. Can be done by several processes at once and
    /// again after a failure.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be written; what was in the store stays as it was.
    pub fn add_run(&self, traces: &[Trace], shapes: &[Shape], run: &Run) -> Result<Added, StoreError> {
        let _lock = folder::lock_to_add(&self.folder)?;
        let mut added = Added::default();
        let known_shapes = load_shapes(&self.folder);
        let mut met = HashSet::new();
        let is_new = |shape: &&Shape| !known_shapes.contains(shape.content) && met.insert(shape.content);
        let new_shapes: Vec<&Shape> = shapes.iter().filter(is_new).collect();
        added.shapes = new_shapes.len();
        added.problems.extend_from_slice(known_shapes.problems());
        let write_shapes = || shape_pack::write(new_shapes.iter().copied());
        let (shapes, traces) = thread::scope(|scope| {
            let beside =
                (!new_shapes.is_empty()).then(|| thread::Builder::new().spawn_scoped(scope, write_shapes));
            let traces = self.new_segment(traces, run, &mut added);
            // Where there can be no other thread this one does it.
            let shapes = beside.map(|beside| match beside.map(ScopedJoinHandle::join) {
                Ok(Ok(shapes)) => shapes,
                _ => write_shapes(),
            });
            (shapes, traces)
        });
        // Whoever sees a trace also finds the shapes of its classes.
        if let Some(shapes) = shapes {
            self.write(Part::Shapes, &shapes, &mut added)?;
        }
        self.write(Part::Traces, &traces, &mut added)?;
        Ok(added)
    }

    fn new_segment(&self, traces: &[Trace], run: &Run, added: &mut Added) -> Vec<u8> {
        let Loaded { segments, problems, files } = load(&self.folder);
        added.problems.extend(problems);
        added.trace_files = files.len() + 1;
        let known: HashSet<_> =
            segments.iter().flat_map(|segment| &segment.traces).map(|trace| trace.id).collect();
        let mut builder = Builder::default();
        let ids: Vec<_> = traces.iter().map(|trace| builder.add(trace)).collect();
        let of_units = ids.iter().zip(traces).filter(|(_, trace)| trace.unit != OUTSIDE);
        let (again, new): (Vec<_>, Vec<_>) = of_units.partition(|(id, _)| known.contains(id));
        (added.seen_again, added.traces) = (again.len(), new.len());
        added.needed_files = prune::files_needed(known.len() + ids.len());
        if ids.iter().any(|id| known.contains(id)) {
            // The tables must not have what only known traces need.
            builder = Builder::default();
            for (id, trace) in ids.iter().zip(traces) {
                if known.contains(id) {
                    builder.see(*id, trace);
                } else {
                    builder.add(trace);
                }
            }
        }
        builder.add_run(run.clone());
        builder.finish()
    }

    fn write(&self, part: Part, bytes: &[u8], added: &mut Added) -> Result<(), StoreError> {
        if bytes.len() >= MOST_LOADED {
            return Err(StoreError { path: self.folder.clone(), kind: StoreErrorKind::TooLarge });
        }
        if folder::write(&self.folder, part, bytes)? {
            added.bytes += bytes.len() as u64;
        }
        Ok(())
    }

    /// How much there is.
    #[must_use]
    pub fn contents(&self) -> Contents {
        let _lock = folder::lock_to_read(&self.folder);
        let loaded = load(&self.folder);
        let (shape_files, _) = folder::read_all(&self.folder, Part::Shapes);
        let shapes = load_shapes(&self.folder);
        let traces = Traces::of(&loaded.segments, loaded.problems);
        let bytes = shape_files.iter().map(|file| file.bytes.len() as u64).sum();
        Contents {
            units: traces.units().filter(|unit| *unit != OUTSIDE).count(),
            traces: traces.len(),
            pairs: traces.iter().map(|trace| trace.classes().len()).sum(),
            shapes: shapes.len(),
            runs: traces.runs().to_vec(),
            trace_files: (loaded.files.len(), loaded.files.iter().map(|(_, length)| length).sum()),
            shape_files: (shape_files.len(), bytes),
            problems: traces.problems().iter().chain(shapes.problems()).cloned().collect(),
        }
    }

    /// Looks at every bit: names, checksums, contents, and the identities of traces.
    #[must_use]
    pub fn verify(&self) -> Verified {
        let _lock = folder::lock_to_read(&self.folder);
        verify::verify(&self.folder)
    }

    /// Keeps what is to be kept, in as few files as possible, and removes the rest: older traces, shapes of classes that no trace names,
    /// damaged files, and what killed processes left behind. Files of newer versions stay.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be locked or written; nothing that is to be kept is lost.
    pub fn prune(&self, retention: &Retention) -> Result<Pruned, StoreError> {
        let lock = folder::lock_to_remove(&self.folder)?;
        prune::prune(&self.folder, retention, &lock)
    }

    /// Prunes unless somebody uses the store at this moment; then nothing is done. For those to whom it is not important.
    ///
    /// # Errors
    ///
    /// As [`Store::prune`].
    pub fn prune_if_free(&self, retention: &Retention) -> Result<Option<Pruned>, StoreError> {
        let lock = folder::try_lock_to_remove(&self.folder)?;
        lock.map(|lock| prune::prune(&self.folder, retention, &lock)).transpose()
    }

    /// Everything in the store as one file, and what could not be used and is not in it.
    #[must_use]
    pub fn export(&self) -> (Vec<u8>, Vec<Problem>) {
        let _lock = folder::lock_to_read(&self.folder);
        bundle::export(&self.folder)
    }

    /// Adds everything in a file that was exported.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is damaged, and then nothing is imported; or if the folder cannot be written.
    pub fn import(&self, file: &Path) -> Result<Imported, StoreError> {
        let exported = std::fs::read(file).map_err(StoreError::unreadable(file))?;
        let damaged = |damage| StoreError { path: file.to_owned(), kind: StoreErrorKind::Damaged(damage) };
        let files = bundle::read(&exported).map_err(damaged)?;
        let _lock = folder::lock_to_add(&self.folder)?;
        let mut imported = Imported { files: files.len(), new_files: 0 };
        for (part, bytes) in files {
            imported.new_files += usize::from(folder::write(&self.folder, part, bytes)?);
        }
        Ok(imported)
    }
}

/// The files with traces.
pub(crate) struct Loaded {
    pub(crate) segments: Vec<Segment>,
    /// All files that could be read, also the damaged ones, and their lengths.
    pub(crate) files: Vec<(PathBuf, u64)>,
    pub(crate) problems: Vec<Problem>,
}

pub(crate) fn load(folder: &Path) -> Loaded {
    let (files, problems) = folder::read_all(folder, Part::Traces);
    let mut loaded = Loaded { segments: Vec::new(), files: Vec::new(), problems };
    let mut size = 0usize;
    for file in files {
        loaded.files.push((file.path.clone(), file.bytes.len() as u64));
        let mut problem = |damage| loaded.problems.push(Problem { file: file.path.clone(), damage });
        match read_segment(&file.bytes) {
            Ok(segment) => {
                size = size.saturating_add(file.bytes.len()).saturating_add(segment.tables.strings.size());
                if size < MOST_LOADED {
                    loaded.segments.push(segment);
                } else {
                    problem(Damage { offset: 0, kind: DamageKind::TooMuch });
                }
            }
            Err(damage) => problem(damage),
        }
    }
    loaded
}

pub(crate) fn load_classes(folder: &Path) -> Classes {
    let (files, problems) = folder::read_all(folder, Part::Classes);
    Classes::of(&files, problems)
}

pub(crate) fn load_shapes(folder: &Path) -> Shapes {
    let (files, problems) = folder::read_all(folder, Part::Shapes);
    Shapes::of(&files, problems)
}
