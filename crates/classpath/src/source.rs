//! One container of classes: how it is recognised, what it lists, how an entry is read.
//!
//! This is the face of the crate; the formats behind it are in modules of their own. Formats are told apart
//! by their first bytes, never by the name of the file alone. Reading never changes a source, so one source
//! serves all threads.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::archive::{self, Archive, ArchivePlace};
use crate::error::{EntryError, EntryErrorKind, OpenError, OpenErrorKind};
use crate::folder::{self, FilePlace};
use crate::format::{self, Format};
use crate::gzip;
use crate::image::{self, Image, ImagePlace};
use crate::inflate::Inflater;
use crate::limits::Limits;
use crate::storage::Storage;

/// A container of classes: a class file, a folder, an archive or a runtime image.
#[derive(Debug)]
pub struct Source {
    name: Arc<str>,
    limits: Limits,
    recognition: Recognition,
    content: Content,
    entries: Vec<Entry>,
}

/// How a source knows what is a class and what is an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Recognition {
    /// By the endings of names: `.class`, and `.jar`, `.war` and `.ear`. Nothing else is listed or looked at.
    ByName,
    /// By first bytes, as [`Format::of`] does. Whatever has one of the endings above is listed as with `ByName`, and the
    /// reader finds out what it is; of everything else the first bytes are looked at when the source is opened. What
    /// cannot be looked at is listed as a class that cannot be read.
    ByContent,
    /// By the endings of names, and everything else is listed as [`EntryKind::Other`].
    Everything,
}

/// Where the bytes of a source come from.
#[derive(Debug)]
enum Content {
    ClassFile(Storage),
    Folder,
    Archive(Archive),
    Gzip(Storage),
    Image(Image),
}

/// What sort of container a source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SourceKind {
    /// A single class file.
    ClassFile,
    /// A folder with class files in it.
    Folder,
    /// A jar, war, jmod or any other zip file.
    Archive,
    /// One file packed by gzip; only by content.
    Gzip,
    /// The runtime image of a JDK, `lib/modules`.
    RuntimeImage,
}

/// One thing a source holds; its content is read by [`Source::read`].
#[derive(Debug, Clone)]
pub struct Entry {
    pub(crate) name: String,
    pub(crate) kind: EntryKind,
    pub(crate) size: u64,
    pub(crate) place: Place,
    pub(crate) problem: Option<Problem>,
}

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EntryKind {
    /// A class file.
    Class,
    /// An archive, or by content a file packed by gzip, inside this container. Its classes are not listed here; see [`Source::open_nested`].
    NestedArchive,
    /// A folder that could not be listed. Reading it tells why.
    Folder,
    /// Any other file; only with [`Recognition::Everything`].
    Other,
}

/// How to get at the bytes of an entry.
#[derive(Debug, Clone)]
pub(crate) enum Place {
    WholeFile,
    File(FilePlace),
    Archive(ArchivePlace),
    Image(ImagePlace),
    Nowhere,
}

/// What was found wrong with an entry while listing it, and where.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) offset: Option<u64>,
    pub(crate) kind: EntryErrorKind,
}

impl Entry {
    /// The name in the container, with `/` between folders: `java.base/java/lang/Object.class` in a runtime
    /// image.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the entry is.
    pub fn kind(&self) -> EntryKind {
        self.kind
    }

    /// The unpacked size that the container states, 0 for one packed by gzip and for a class file in a folder, of which nobody
    /// asked. It may not be true; reading finds out.
    pub fn declared_size(&self) -> u64 {
        self.size
    }
}

/// The content of one entry.
#[derive(Debug, Clone, Copy)]
pub struct ClassEntry<'a> {
    /// The container, as it was named.
    pub container: &'a str,
    /// The name of the entry in the container.
    pub name: &'a str,
    /// Where its data, packed or not, starts in the container; 0 for a file in a folder.
    pub offset: u64,
    /// The unpacked bytes.
    pub bytes: &'a [u8],
}

/// Memory that reading needs, kept between reads. One per thread.
#[derive(Debug)]
pub struct ReadBuffer {
    pub(crate) packed: Vec<u8>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) inflater: Inflater,
}

impl ReadBuffer {
    /// An empty buffer.
    pub fn new() -> ReadBuffer {
        ReadBuffer { packed: Vec::new(), bytes: Vec::new(), inflater: Inflater::new() }
    }
}

impl Default for ReadBuffer {
    fn default() -> Self {
        ReadBuffer::new()
    }
}

impl Source {
    /// Opens a class file, a folder, an archive, or `jrt:` followed by the home folder of a JDK.
    pub fn open(spec: impl AsRef<OsStr>) -> Result<Source, OpenError> {
        Source::open_with(spec, Limits::STANDARD, Recognition::ByName)
    }

    /// As [`Source::open`], or a file packed by gzip; lists what is a class or an archive whatever it is called.
    pub fn open_by_content(spec: impl AsRef<OsStr>) -> Result<Source, OpenError> {
        Source::open_with(spec, Limits::STANDARD, Recognition::ByContent)
    }

    /// As [`Source::open`], with limits of one's own.
    pub fn open_with(
        spec: impl AsRef<OsStr>,
        limits: Limits,
        recognition: Recognition,
    ) -> Result<Source, OpenError> {
        let spec = spec.as_ref();
        let name: Arc<str> = Arc::from(spec.to_string_lossy());
        let opened = match spec.to_str().and_then(|spec| spec.strip_prefix("jrt:")) {
            Some(home) => open_runtime(Path::new(home), &limits),
            None => open_path(Path::new(spec), &limits, recognition),
        };
        Source::assemble(name, limits, recognition, opened)
    }

    /// Opens bytes that are already in memory: a class file, an archive or a runtime image.
    pub fn from_bytes(
        name: &str,
        bytes: Vec<u8>,
        limits: Limits,
        recognition: Recognition,
    ) -> Result<Source, OpenError> {
        let opened = open_storage(Storage::Memory(bytes), Path::new(name), &limits, recognition);
        Source::assemble(Arc::from(name), limits, recognition, opened)
    }

    fn assemble(
        name: Arc<str>,
        limits: Limits,
        recognition: Recognition,
        opened: Result<Opened, OpenProblem>,
    ) -> Result<Source, OpenError> {
        match opened {
            Ok(Opened { content, entries }) => Ok(Source { name, limits, recognition, content, entries }),
            Err(OpenProblem { offset, kind }) => Err(OpenError { container: name.to_string(), offset, kind }),
        }
    }

    /// The source as it was named on opening.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What sort of container this is.
    pub fn kind(&self) -> SourceKind {
        match self.content {
            Content::ClassFile(_) => SourceKind::ClassFile,
            Content::Folder => SourceKind::Folder,
            Content::Archive(_) => SourceKind::Archive,
            Content::Gzip(_) => SourceKind::Gzip,
            Content::Image(_) => SourceKind::RuntimeImage,
        }
    }

    /// Everything the source holds, in a fixed order: that of an archive's directory, else by name.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Reads one entry. Any number of threads may do so at the same time, each with a buffer of its own.
    pub fn read<'a>(
        &'a self,
        entry: &'a Entry,
        buffer: &'a mut ReadBuffer,
    ) -> Result<ClassEntry<'a>, EntryError> {
        if let Some(problem) = &entry.problem {
            return Err(self.entry_error(entry, problem.clone()));
        }
        let offset = self.read_place(entry, buffer).map_err(|problem| self.entry_error(entry, problem))?;
        Ok(ClassEntry { container: &self.name, name: &entry.name, offset, bytes: &buffer.bytes })
    }

    /// Reads every class in order and hands it, or what is wrong with it, to `visit`.
    pub fn visit_classes(&self, mut visit: impl FnMut(Result<ClassEntry<'_>, EntryError>)) {
        let mut buffer = ReadBuffer::new();
        let is_no_class = |kind| matches!(kind, EntryKind::NestedArchive | EntryKind::Other);
        for entry in self.entries.iter().filter(|entry| !is_no_class(entry.kind)) {
            visit(self.read(entry, &mut buffer));
        }
    }

    /// Opens an archive that this source lists as [`EntryKind::NestedArchive`], or an entry of any kind that was found to
    /// be one, with the limits of this source.
    ///
    /// By content it is what its first bytes say, and an error of the kind [`OpenErrorKind::NotRecognised`] if they say
    /// nothing: an archive with a script in front is only opened by name.
    ///
    /// It goes one level down. The caller decides how far to go: archives may be nested without end.
    pub fn open_nested(&self, entry: &Entry) -> Result<Source, OpenError> {
        let name = format!("{}!/{}", self.name, entry.name);
        let mut buffer = ReadBuffer::new();
        match self.read(entry, &mut buffer) {
            Ok(content) if self.recognition == Recognition::ByContent && !is_container(content.bytes) => {
                Err(OpenError { container: name, offset: None, kind: OpenErrorKind::NotRecognised })
            }
            Ok(_) => Source::from_bytes(&name, buffer.bytes, self.limits, self.recognition),
            Err(error) => Err(OpenError {
                container: name,
                offset: error.offset,
                kind: OpenErrorKind::Nested(Box::new(error)),
            }),
        }
    }

    fn read_place(&self, entry: &Entry, buffer: &mut ReadBuffer) -> Result<u64, Problem> {
        match (&self.content, &entry.place) {
            (Content::ClassFile(storage), Place::WholeFile) => {
                storage.read_range(0, storage.length(), &mut buffer.bytes).map_err(Problem::from)?;
                Ok(0)
            }
            (Content::Folder, Place::File(place)) => folder::read(place, buffer).map(|()| 0),
            (Content::Archive(archive), Place::Archive(place)) => archive.read(place, entry.size, buffer),
            (Content::Gzip(storage), Place::WholeFile) => {
                gzip::read(storage, entry.kind, &self.limits, &mut buffer.bytes)
                    .map(|()| 0)
                    .map_err(|kind| Problem { offset: None, kind })
            }
            (Content::Image(image), Place::Image(place)) => {
                image.read(place, entry.size, &self.limits, buffer)
            }
            _ => Err(Problem { offset: None, kind: EntryErrorKind::OfAnotherSource }),
        }
    }

    fn entry_error(&self, entry: &Entry, problem: Problem) -> EntryError {
        EntryError {
            container: Arc::clone(&self.name),
            name: entry.name.clone(),
            offset: problem.offset,
            kind: problem.kind,
        }
    }
}

impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Problem {
        Problem { offset: None, kind: error.into() }
    }
}

/// A container that was recognised and listed, before it gets its name.
struct Opened {
    content: Content,
    entries: Vec<Entry>,
}

/// Why a container cannot be used, before it gets its name.
#[derive(Debug)]
pub(crate) struct OpenProblem {
    pub(crate) offset: Option<u64>,
    pub(crate) kind: OpenErrorKind,
}

impl From<OpenErrorKind> for OpenProblem {
    fn from(kind: OpenErrorKind) -> OpenProblem {
        OpenProblem { offset: None, kind }
    }
}

impl From<std::io::Error> for OpenProblem {
    fn from(error: std::io::Error) -> OpenProblem {
        OpenErrorKind::Unreadable(error).into()
    }
}

fn open_runtime(home: &Path, limits: &Limits) -> Result<Opened, OpenProblem> {
    let path = home.join("lib").join("modules");
    let storage = Storage::open(&path).map_err(OpenErrorKind::NoRuntimeImage)?;
    let (image, entries) = image::open(storage, limits)?;
    Ok(Opened { content: Content::Image(image), entries })
}

/// Whether an entry is something that can be opened, by its content.
fn is_container(bytes: &[u8]) -> bool {
    Format::of(bytes).is_some() || format::is_archive_without_entries(bytes)
}

fn open_path(path: &Path, limits: &Limits, recognition: Recognition) -> Result<Opened, OpenProblem> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        Ok(Opened { content: Content::Folder, entries: folder::list(path, limits, recognition)? })
    } else if metadata.is_file() {
        open_storage(Storage::open(path)?, path, limits, recognition)
    } else {
        Err(OpenErrorKind::NotAFileOrFolder.into())
    }
}

/// Tells formats apart. A file that starts with something else may still be an archive: some have a script in
/// front.
fn open_storage(
    storage: Storage,
    path: &Path,
    limits: &Limits,
    recognition: Recognition,
) -> Result<Opened, OpenProblem> {
    let magic = storage.first_bytes()?;
    if is_class_file(&magic, path, recognition) {
        let entries = vec![class_file_entry(path, &storage, limits)];
        Ok(Opened { content: Content::ClassFile(storage), entries })
    } else if recognition == Recognition::ByContent && Format::of(&magic) == Some(Format::Gzip) {
        let entries = gzip::list(&storage, path)?;
        Ok(Opened { content: Content::Gzip(storage), entries })
    } else if image::is_image(&magic) {
        let (image, entries) = image::open(storage, limits)?;
        Ok(Opened { content: Content::Image(image), entries })
    } else {
        let (archive, entries) = archive::open(storage, &magic, limits, recognition)?;
        Ok(Opened { content: Content::Archive(archive), entries })
    }
}

/// What is called a class counts as one, unless it is something else that is known by its content.
fn is_class_file(magic: &[u8], path: &Path, recognition: Recognition) -> bool {
    let is_called_class = path.extension().is_some_and(|extension| extension == "class");
    match recognition {
        Recognition::ByName | Recognition::Everything => {
            magic.starts_with(&format::CLASS_MAGIC) || is_called_class
        }
        Recognition::ByContent => Format::of(magic).map_or(is_called_class, |format| format == Format::Class),
    }
}

fn class_file_entry(path: &Path, storage: &Storage, limits: &Limits) -> Entry {
    let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let (size, limit) = (storage.length(), limits.max_class_bytes);
    let problem =
        (size > limit).then_some(Problem { offset: None, kind: EntryErrorKind::TooLarge { size, limit } });
    Entry { name, kind: EntryKind::Class, size, place: Place::WholeFile, problem }
}
