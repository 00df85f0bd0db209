//! Class files in a folder and in the folders below it.
//!
//! Real folders are walked first; folders behind symbolic links are walked after them, each only if nothing
//! walked so far is the same folder. So the walk ends whatever the links do, and a folder that is reachable
//! by its own path is always listed under that path. A folder that cannot be listed becomes an entry, never
//! an abort; nothing but regular files is opened.

use std::collections::HashSet;
use std::ffi::OsString;
use std::fs::{self, DirEntry, File, Metadata};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use crate::error::{EntryErrorKind, OpenErrorKind};
use crate::format::{self, Format};
use crate::gzip;
use crate::limits::Limits;
use crate::names;
use crate::source::{Entry, EntryKind, OpenProblem, Place, Problem, ReadBuffer, Recognition};

/// A file below a folder, and how large it may be.
#[derive(Debug, Clone)]
pub(crate) struct FilePlace {
    /// Its folder, which it shares with others.
    folder: Arc<Path>,
    file_name: OsString,
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
    walk.folders(Folder { path: root.into(), canonical, name: String::new() })?;
    while let Some(folder) = walk.next_linked() {
        walk.folders(folder)?;
    }
    // They are in order already, but for those behind links.
    walk.entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(walk.entries)
}

/// Reads a file that was listed.
pub(crate) fn read(place: &FilePlace, buffer: &mut ReadBuffer) -> Result<(), Problem> {
    read_file(place, &mut buffer.bytes).map_err(|kind| Problem { offset: None, kind })
}

fn read_file(place: &FilePlace, bytes: &mut Vec<u8>) -> Result<(), EntryErrorKind> {
    bytes.clear();
    let path = place.folder.join(&place.file_name);
    if !place.is_regular && !fs::metadata(&path)?.is_file() {
        return Err(EntryErrorKind::NotAFile);
    }
    File::open(&path)?.take(place.limit.saturating_add(1)).read_to_end(bytes)?;
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
    path: Arc<Path>,
    canonical: PathBuf,
    /// Its name below the root, with a `/` at the end unless it is the root.
    name: String,
}

/// What was found in a folder and was not looked at yet.
struct Item {
    folder: Rc<Folder>,
    file_name: OsString,
    /// Its name below the root, with a `/` at the end if it is a folder.
    name: String,
    kind: ItemKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ItemKind {
    Folder,
    LinkedFolder,
    RegularFile,
    /// A link, or something that is no file at all.
    Other,
}

impl Item {
    fn new(folder: &Rc<Folder>, item: &DirEntry) -> io::Result<Item> {
        let file_type = item.file_type()?;
        let kind = if file_type.is_dir() {
            ItemKind::Folder
        } else if file_type.is_file() {
            ItemKind::RegularFile
        } else if file_type.is_symlink() && item.path().is_dir() {
            ItemKind::LinkedFolder
        } else {
            ItemKind::Other
        };
        let file_name = item.file_name();
        let slash = if matches!(kind, ItemKind::Folder | ItemKind::LinkedFolder) { "/" } else { "" };
        let name = [&folder.name, &*file_name.to_string_lossy(), slash].concat();
        Ok(Item { folder: Rc::clone(folder), file_name, name, kind })
    }

    fn path(&self) -> PathBuf {
        self.folder.path.join(&self.file_name)
    }

    fn into_folder(self, canonical: PathBuf) -> Folder {
        Folder { path: self.path().into(), canonical, name: self.name }
    }
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
    /// Walks a folder and all real folders below it, in the order of names.
    fn folders(&mut self, start: Folder) -> Result<(), OpenProblem> {
        let mut waiting = Vec::new();
        self.folder(start, &mut waiting)?;
        while let Some(item) = waiting.pop() {
            match item.kind {
                ItemKind::RegularFile | ItemKind::Other => self.file(item),
                ItemKind::Folder => {
                    let canonical = item.folder.canonical.join(&item.file_name);
                    self.folder(item.into_folder(canonical), &mut waiting)?;
                }
                ItemKind::LinkedFolder => match fs::canonicalize(item.path()) {
                    Ok(canonical) => self.linked.push(item.into_folder(canonical)),
                    Err(error) => self.refuse_folder(&item.name, error),
                },
            }
        }
        Ok(())
    }

    /// Adds what is in a folder to what waits, the first name at the end. A folder that cannot be listed to its end is told
    /// as well as what was found in it.
    fn folder(&mut self, folder: Folder, waiting: &mut Vec<Item>) -> Result<(), OpenProblem> {
        if !self.walked.insert(folder.canonical.clone()) {
            return Ok(());
        }
        let (folder, start) = (Rc::new(folder), waiting.len());
        let limit = self.limits.max_entries;
        let listed = fs::read_dir(&folder.path).and_then(|items| {
            // One more than may be, and it is known that there are too many.
            items.take(limit.saturating_sub(self.seen).saturating_add(1)).try_for_each(|item| {
                waiting.push(Item::new(&folder, &item?)?);
                Ok(())
            })
        });
        self.seen += waiting.len() - start;
        if self.seen > limit {
            return Err(OpenErrorKind::TooManyEntries { limit }.into());
        }
        if let Err(error) = listed {
            self.refuse_folder(&folder.name, error);
        }
        if let Some(found) = waiting.get_mut(start..) {
            found.sort_unstable_by(|a, b| b.name.cmp(&a.name));
        }
        Ok(())
    }

    fn file(&mut self, item: Item) {
        let is_regular = item.kind == ItemKind::RegularFile;
        let kind = names::kind_of(item.name.as_bytes());
        // Most files are classes, and there is nothing to ask about those.
        let is_plain_class = is_regular && kind == Some(EntryKind::Class);
        let metadata = if is_plain_class { None } else { fs::metadata(item.path()).ok() };
        let (kind, problem) = match (kind, self.recognition) {
            (Some(kind), _) => (kind, None),
            (None, Recognition::ByName) => return,
            (None, Recognition::Everything) => (EntryKind::Other, None),
            (None, Recognition::ByContent) => match recognise(&item.path(), metadata.as_ref()) {
                Ok(Some(format)) => (format.entry_kind(), None),
                Ok(None) => return,
                Err(error) => (EntryKind::Class, Some(error.into())),
            },
        };
        let limit = self.limits.of(kind);
        let size = metadata.map_or(0, |metadata| metadata.len());
        let folder = Arc::clone(&item.folder.path);
        let place = FilePlace { folder, file_name: item.file_name, limit, is_regular };
        self.entries.push(Entry { name: item.name, kind, size, place: Place::File(place), problem });
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
