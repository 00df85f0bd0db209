//! Class files in a folder and in the folders below it.
//!
//! Real folders are walked first; folders behind symbolic links are walked after them, each only if nothing
//! walked so far is the same folder. So the walk ends whatever the links do, and a folder that is reachable
//! by its own path is always listed under that path. A folder that cannot be listed becomes an entry, never
//! an abort; nothing but regular files is opened.

use std::collections::HashSet;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};

use crate::error::{EntryErrorKind, OpenErrorKind};
use crate::format::{self, Format};
use crate::gzip;
use crate::limits::Limits;
use crate::names;
use crate::source::{Entry, EntryKind, OpenProblem, Place, Problem, ReadBuffer, Recognition};

/// A file below a folder, and how large it may be.
#[derive(Debug, Clone)]
pub(crate) struct FilePlace {
    path: PathBuf,
    limit: u64,
    /// Whether it was a regular file when it was listed; what a link leads to is looked at when it is read.
    is_regular: bool,
}

/// Lists the class files and archives below a folder, sorted by name. By content, files of other names are opened for
/// their first bytes.
pub(crate) fn list(
    root: &Path,
    limits: &Limits,
    recognition: Recognition,
) -> Result<Vec<Entry>, OpenProblem> {
    let canonical = fs::canonicalize(root)?;
    fs::read_dir(root)?;
    let mut walk = Walk {
        limits,
        recognition,
        entries: Vec::new(),
        walked: HashSet::new(),
        linked: Vec::new(),
        seen: 0,
    };
    walk.folders(Folder { path: root.to_owned(), canonical, name: String::new() })?;
    while let Some(folder) = walk.next_linked() {
        walk.folders(folder)?;
    }
    walk.entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(walk.entries)
}

/// Reads a file that was listed.
pub(crate) fn read(place: &FilePlace, buffer: &mut ReadBuffer) -> Result<(), Problem> {
    read_file(place, &mut buffer.bytes).map_err(|kind| Problem { offset: None, kind })
}

fn read_file(place: &FilePlace, bytes: &mut Vec<u8>) -> Result<(), EntryErrorKind> {
    bytes.clear();
    if !place.is_regular && !fs::metadata(&place.path)?.is_file() {
        return Err(EntryErrorKind::NotAFile);
    }
    File::open(&place.path)?.take(place.limit.saturating_add(1)).read_to_end(bytes)?;
    let (size, limit) = (bytes.len() as u64, place.limit);
    if size > limit { Err(EntryErrorKind::TooLarge { size, limit }) } else { Ok(()) }
}

/// What a file of any name is. What is no regular file is nothing; a file that cannot be read may have been a class.
fn recognise(path: &Path, metadata: Option<&Metadata>) -> io::Result<Option<Format>> {
    if metadata.is_none_or(|metadata| !metadata.is_file() || metadata.len() < format::SHORTEST) {
        return Ok(None);
    }
    let mut file = File::open(path)?;
    let mut start = Vec::with_capacity(format::START_LENGTH);
    (&file).take(format::START_LENGTH as u64).read_to_end(&mut start)?;
    let format = Format::of(&start);
    if format == Some(Format::Gzip) {
        file.rewind()?;
        return Ok(format.filter(|_| gzip::may_hold_classes(file)));
    }
    Ok(format)
}

/// A folder to be walked.
struct Folder {
    path: PathBuf,
    canonical: PathBuf,
    /// Its name below the root, with a `/` at the end unless it is the root.
    name: String,
}

struct Walk<'a> {
    limits: &'a Limits,
    recognition: Recognition,
    entries: Vec<Entry>,
    walked: HashSet<PathBuf>,
    linked: Vec<Folder>,
    seen: usize,
}

impl Walk<'_> {
    /// Walks a folder and all real folders below it.
    fn folders(&mut self, start: Folder) -> Result<(), OpenProblem> {
        let mut waiting = vec![start];
        while let Some(folder) = waiting.pop() {
            if !self.walked.insert(folder.canonical.clone()) {
                continue;
            }
            if let Err(error) = self.folder(&folder, &mut waiting) {
                match error {
                    Stop::Folder(error) => self.refuse_folder(&folder.name, error),
                    Stop::Everything(problem) => return Err(problem),
                }
            }
        }
        Ok(())
    }

    fn folder(&mut self, folder: &Folder, waiting: &mut Vec<Folder>) -> Result<(), Stop> {
        for item in fs::read_dir(&folder.path)? {
            let item = item?;
            self.count()?;
            let name = format!("{}{}", folder.name, item.file_name().to_string_lossy());
            let below = |canonical| Folder { path: item.path(), canonical, name: format!("{name}/") };
            let file_type = item.file_type()?;
            if file_type.is_dir() {
                waiting.push(below(folder.canonical.join(item.file_name())));
            } else if file_type.is_symlink() && item.path().is_dir() {
                match fs::canonicalize(item.path()) {
                    Ok(canonical) => self.linked.push(below(canonical)),
                    Err(error) => self.refuse_folder(&format!("{name}/"), error),
                }
            } else {
                self.file(name, item.path(), file_type.is_file());
            }
        }
        Ok(())
    }

    fn count(&mut self) -> Result<(), Stop> {
        self.seen += 1;
        let limit = self.limits.max_entries;
        if self.seen > limit {
            Err(Stop::Everything(OpenErrorKind::TooManyEntries { limit }.into()))
        } else {
            Ok(())
        }
    }

    fn file(&mut self, name: String, path: PathBuf, is_regular: bool) {
        let kind = names::kind_of(name.as_bytes());
        // Most files are classes, and there is nothing to ask about those.
        let is_plain_class = is_regular && kind == Some(EntryKind::Class);
        let metadata = if is_plain_class { None } else { fs::metadata(&path).ok() };
        let (kind, problem) = match (kind, self.recognition) {
            (Some(kind), _) => (kind, None),
            (None, Recognition::ByName) => return,
            (None, Recognition::Everything) => (EntryKind::Other, None),
            (None, Recognition::ByContent) => match recognise(&path, metadata.as_ref()) {
                Ok(Some(format)) => (format.entry_kind(), None),
                Ok(None) => return,
                Err(error) => (EntryKind::Class, Some(error.into())),
            },
        };
        let limit = self.limits.of(kind);
        let size = metadata.map_or(0, |metadata| metadata.len());
        self.entries.push(Entry {
            name,
            kind,
            size,
            place: Place::File(FilePlace { path, limit, is_regular }),
            problem,
        });
    }

    fn refuse_folder(&mut self, name: &str, error: io::Error) {
        self.entries.push(Entry {
            name: name.to_owned(),
            kind: EntryKind::Folder,
            size: 0,
            place: Place::Nowhere,
            problem: Some(error.into()),
        });
    }

    /// The linked folder with the first name among those that wait.
    fn next_linked(&mut self) -> Option<Folder> {
        let first = (0..self.linked.len()).min_by(|&a, &b| {
            let name = |index: usize| self.linked.get(index).map(|folder| &folder.name);
            name(a).cmp(&name(b))
        })?;
        Some(self.linked.swap_remove(first))
    }
}

/// How far an error reaches.
enum Stop {
    Folder(io::Error),
    Everything(OpenProblem),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Folder(error)
    }
}
