//! From the recordings that agents left in a folder to traces.
//!
//! Each JVM has a file of its own. A file that is damaged counts up to the damage, and the damage is told; a file that cannot be
//! read at all never hides the others. What the files name is looked up where it is now: `places` knows archives and folders,
//! `class_path` what a JVM could load, `outside` answers the questions of the closure.

pub(crate) mod class_path;
pub(crate) mod folder;
pub(crate) mod outside;
pub(crate) mod places;

pub use folder::remove_left_behind;
use probity_execdata::format::{ClassData, Probes, Session};
use probity_execdata::store::{MergeError, Store};
use probity_execdata::utf;
use probity_shape::{ContentId, Shape};
use probity_trace::{ClassCache, ClassHits, Environment, Ingest, Recording, Trace};
use probity_wire::{Damage, Frames, Message};
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use class_path::ClassPath;
use outside::{Classes, Files};
use places::Places;

/// How the names of recordings end.
pub const EXTENSION: &str = "recording";

/// How the name of the jar ends that the agent keeps beside a recording.
const KEPT_EXTENSION: &str = "jar";

/// What came of a folder of recordings, beside the traces.
#[derive(Debug, Default)]
pub struct Recorded {
    /// How many JVMs were recorded.
    pub jvms: usize,
    /// The shapes of the classes that were loaded, by their bytes.
    pub shapes: BTreeMap<ContentId, Shape>,
    /// The bytes of the classes that came from folders, which are those of the project.
    pub classes: BTreeMap<ContentId, Vec<u8>>,
    /// What was hit outside all units, for each JVM.
    pub outside: Vec<Vec<ClassHits>>,
    /// In what environment each JVM ran.
    pub environments: Vec<Environment>,
    /// What was hit and is in no trace and not outside, for each JVM: by units that did not end, for example.
    pub leftover: Vec<Vec<ClassHits>>,
    /// Everything that was hit, as JaCoCo would have recorded it.
    pub hits: Store,
    /// What is to be told, in the order of the files.
    pub problems: Vec<RecordingProblem>,
}

/// Something about a recording that people should know.
#[derive(Debug)]
pub struct RecordingProblem {
    /// The file.
    pub file: PathBuf,
    /// What it is.
    pub kind: RecordingProblemKind,
}

/// What is the matter with a recording.
#[derive(Debug)]
#[non_exhaustive]
pub enum RecordingProblemKind {
    /// It cannot be read.
    Unreadable(io::Error),
    /// It is damaged, and counts up to there.
    Damaged(Damage),
    /// What it says of its units and classes.
    Said(probity_trace::Problem),
    /// Two classes have one id, so that only one of them is among the hits.
    Hits(MergeError),
}

impl fmt::Display for RecordingProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file.display())?;
        match &self.kind {
            RecordingProblemKind::Unreadable(error) => error.fmt(f),
            RecordingProblemKind::Damaged(damage) => damage.fmt(f),
            RecordingProblemKind::Said(problem) => problem.fmt(f),
            RecordingProblemKind::Hits(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RecordingProblem {}

/// Reads all recordings of a folder and hands out the traces of their units. Paths inside the project are made relative to it.
///
/// # Errors
///
/// Fails if the folder cannot be listed.
pub fn read_recordings(folder: &Path, project: &Path, mut each: impl FnMut(Trace)) -> io::Result<Recorded> {
    let files = recordings(folder)?;
    let mut reader = Reader {
        project: absolute_text(project),
        places: Places::default(),
        cache: ClassCache::default(),
        recorded: Recorded::default(),
    };
    for file in files {
        if let Err(error) = reader.read(&file, &mut each) {
            reader.tell(&file, RecordingProblemKind::Unreadable(error));
        }
    }
    reader.recorded.classes = reader.places.classes_of_folders();
    Ok(reader.recorded)
}

/// The recordings in a folder, by name.
fn recordings(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for item in fs::read_dir(folder)? {
        let path = item?.path();
        if path.extension() == Some(OsStr::new(EXTENSION)) {
            files.push(path);
        }
    }
    files.sort_unstable();
    Ok(files)
}

/// Removes the recordings of a folder, so that nobody reads them again.
pub(crate) fn remove_recordings(folder: &Path) {
    for file in recordings(folder).into_iter().flatten() {
        // The folder goes away at the end of the run in any case.
        let _: io::Result<()> = fs::remove_file(file);
    }
}

struct Reader {
    project: Option<String>,
    places: Places,
    cache: ClassCache,
    recorded: Recorded,
}

impl Reader {
    fn tell(&mut self, file: &Path, kind: RecordingProblemKind) {
        self.recorded.problems.push(RecordingProblem { file: file.to_owned(), kind });
    }

    fn read(&mut self, file: &Path, each: &mut impl FnMut(Trace)) -> io::Result<()> {
        let bytes = fs::read(file)?;
        let recording = Recording::new(self.messages(file, &bytes));
        if recording.start().is_none() && recording.is_empty() {
            return Ok(());
        }
        self.recorded.jvms += 1;
        let class_path = ClassPath::of(&recording, &file.with_extension(KEPT_EXTENSION), &self.places);
        let mut classes = Classes::new(&self.places, &class_path);
        let mut files = Files::new(&self.places, &class_path);
        let ingest =
            Ingest::new(&recording, &mut classes, &mut files, self.project.as_deref(), &mut self.cache);
        ingest.traces(&mut classes, &mut files, &mut *each);
        for shape in ingest.shapes() {
            self.recorded.shapes.entry(shape.content).or_insert_with(|| shape.clone());
        }
        self.recorded.outside.push(ingest.outside());
        self.recorded.environments.push(ingest.environment().clone());
        self.recorded.leftover.push(ingest.leftover());
        let (rows, problems) = (ingest.all_hits(), ingest.problems());
        self.add_session(&recording);
        for row in rows {
            if let Err(error) = add_row(&mut self.recorded.hits, &row) {
                self.tell(file, RecordingProblemKind::Hits(error));
            }
        }
        for problem in problems {
            self.tell(file, RecordingProblemKind::Said(problem));
        }
        Ok(())
    }

    /// The messages up to the first damage, which is told.
    fn messages(&mut self, file: &Path, bytes: &[u8]) -> Vec<Message> {
        let mut messages = Vec::new();
        let frames = match Frames::new(bytes) {
            Ok(frames) => frames,
            Err(damage) => {
                self.tell(file, RecordingProblemKind::Damaged(damage));
                return messages;
            }
        };
        for frame in frames {
            match frame {
                Ok(message) => messages.push(message),
                Err(damage) => self.tell(file, RecordingProblemKind::Damaged(damage)),
            }
        }
        messages
    }

    fn add_session(&mut self, recording: &Recording) {
        let Some(start) = recording.start() else { return };
        let started = i64::try_from(start.started).unwrap_or_default();
        let id = format!("probity-{}", start.process);
        self.recorded.hits.add_session(&Session { id, start_millis: started, dump_millis: started });
    }
}

/// Adds the hits of a class, without those of entry probes, which JaCoCo does not know.
pub(crate) fn add_row(store: &mut Store, row: &ClassHits) -> Result<(), MergeError> {
    let count = row.probes as usize;
    let mut bits = row.hits.first(row.probes).as_bytes().to_vec();
    if bits.is_empty() {
        return Ok(());
    }
    bits.resize(count.div_ceil(8), 0);
    match Probes::packed(count, bits) {
        Some(probes) => {
            store.add_class(&ClassData { id: row.class_id, name: utf::encode(&row.name), probes })
        }
        None => Ok(()),
    }
}

/// A path as the JVM would name it.
fn absolute_text(path: &Path) -> Option<String> {
    let path = fs::canonicalize(path).ok().unwrap_or_else(|| path.to_owned());
    path.to_str().map(str::to_owned)
}
