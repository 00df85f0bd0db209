//! Answers the questions of the closure: the bytes of classes, whether a class is there, what files and resources are.
//!
//! Files are asked for once and the answer is kept. What cannot be found out is an error, and never "not there".

use super::class_path::ClassPath;
use super::places::Places;
use probity_classpath::Source;
use probity_shape::ContentId;
use probity_trace::{Asked, ClassSource, FileSource, FileState, Presence};
use probity_wire::{ClassMessage, Origin};
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// The classes of one JVM.
pub(crate) struct Classes<'a> {
    places: &'a Places,
    class_path: &'a ClassPath,
}

impl<'a> Classes<'a> {
    pub(crate) fn new(places: &'a Places, class_path: &'a ClassPath) -> Self {
        Self { places, class_path }
    }

    fn is_of_jdk(&self, name: &str) -> bool {
        let home = self.class_path.java_home.as_deref();
        home.is_some_and(|home| self.places.jdk(home, || classes_of_jdk(home)).contains(name))
    }
}

/// The internal names of the classes of a JDK; none if it cannot be read.
fn classes_of_jdk(home: &Path) -> HashSet<String> {
    let mut names = HashSet::new();
    let mut image = std::ffi::OsString::from("jrt:");
    image.push(home);
    if let Ok(source) = Source::open(&image) {
        let entries = source.entries().iter();
        let classes = entries.filter_map(|entry| entry.name().split_once('/')?.1.strip_suffix(".class"));
        names.extend(classes.map(str::to_owned));
    } else if let Ok(source) = Source::open(home.join("lib").join("rt.jar")) {
        let classes = source.entries().iter().filter_map(|entry| entry.name().strip_suffix(".class"));
        names.extend(classes.map(str::to_owned));
    }
    names
}

impl ClassSource for Classes<'_> {
    fn class_bytes(&mut self, class: &ClassMessage) -> Result<Option<Vec<u8>>, String> {
        let url = url_of(class)?;
        self.places.class(url, &probity_shape::Mutf8::new(&class.name).to_text(), class.id)
    }

    fn is_unchanged_since(&mut self, class: &ClassMessage, millis: u64) -> bool {
        let name = probity_shape::Mutf8::new(&class.name).to_text().into_owned();
        url_of(class).is_ok_and(|url| self.places.is_unchanged_since(url, &name, millis))
    }

    fn presence(&mut self, name: &str) -> Presence {
        let file = format!("{name}.class");
        let class_path = self.class_path;
        // Without the names of all entries, what classes came from is the best that is known of them.
        let further = if class_path.is_incomplete { &class_path.further[..] } else { &[] };
        if class_path.entries.iter().chain(further).any(|place| place.has(&file)) {
            Presence::Present
        } else if self.is_of_jdk(name) {
            Presence::Jdk
        } else {
            Presence::Absent
        }
    }
}

/// The place of a class.
fn url_of(class: &ClassMessage) -> Result<&str, String> {
    let (Origin::Location(location) | Origin::Claimed { location, .. }) = &class.origin else {
        return Err("it was made while the program ran".to_owned());
    };
    std::str::from_utf8(location).map_err(|_| "its place is no text".to_owned())
}

/// The files and resources of one JVM.
pub(crate) struct Files<'a> {
    places: &'a Places,
    class_path: &'a ClassPath,
}

impl<'a> Files<'a> {
    pub(crate) fn new(places: &'a Places, class_path: &'a ClassPath) -> Self {
        Self { places, class_path }
    }

    /// Whether a file is a class in a folder of the class path.
    fn is_class_in_folder(&self, path: &str) -> bool {
        path.ends_with(".class") && Path::new(path).ancestors().any(|folder| self.class_path.has(folder))
    }

    /// The contents of a regular file. Others are never opened: reading a pipe would wait for ever.
    fn contents(&self, path: &str) -> Result<FileState, String> {
        let hash = self.places.hash(path, || hash_of(Path::new(path)).map_err(|error| error.to_string()));
        hash.map(FileState::File)
    }
}

impl FileSource for Files<'_> {
    /// Of a file that was asked for an attribute the contents count as well: nobody recorded which attribute it was, and
    /// the length is one.
    fn file(&mut self, path: &str, asked: Asked) -> Result<FileState, String> {
        let metadata = match fs::metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if is_absence(&error) => return Ok(FileState::Absent),
            Err(error) => return Err(error.to_string()),
        };
        let is_file = metadata.is_file();
        match asked {
            // Class loaders ask where a class is, and the class itself is told elsewhere.
            Asked::Tested if is_file && self.is_class_in_folder(path) => {
                Ok(FileState::Exists { is_folder: false })
            }
            _ if is_file => self.contents(path),
            Asked::Listed if metadata.is_dir() => {
                listing(Path::new(path)).map(FileState::Listing).map_err(|error| error.to_string())
            }
            _ => Ok(FileState::Exists { is_folder: metadata.is_dir() }),
        }
    }

    fn resource(&mut self, name: &str) -> Result<Option<ContentId>, String> {
        let name = name.trim_start_matches('/');
        // What cannot be read could have the resource.
        if let Some(broken) = self.class_path.broken.first() {
            return Err(broken.clone());
        }
        let mut all = Vec::new();
        for place in self.class_path.entries.iter().chain(&self.class_path.further) {
            for name in place.versions(name) {
                if let Some(bytes) = place.read(&name) {
                    append(&mut all, b'f', &bytes?);
                }
            }
            if let Some(names) = place.list(name) {
                append(&mut all, b'd', names.into_iter().collect::<Vec<_>>().join("\n").as_bytes());
            }
        }
        Ok((!all.is_empty()).then(|| ContentId::of(&all)))
    }

    fn class_path(&mut self) -> Vec<String> {
        self.class_path.paths.clone()
    }

    fn is_on_class_path(&mut self, path: &str) -> bool {
        self.class_path.has(Path::new(path))
    }
}

fn append(all: &mut Vec<u8>, kind: u8, bytes: &[u8]) {
    all.push(kind);
    all.extend((bytes.len() as u64).to_be_bytes());
    all.extend(bytes);
}

/// A path through a file, as through a missing folder, leads nowhere.
fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidInput
    )
}

/// The hash of a file of any size: the same as [`ContentId::of`] of its bytes.
fn hash_of(path: &Path) -> io::Result<ContentId> {
    let mut file = File::open(path)?;
    let mut hasher = blake3::Hasher::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let length = match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hasher.update(buffer.get(..length).unwrap_or_default());
    }
    let whole = hasher.finalize();
    Ok(ContentId(whole.as_bytes().first_chunk().copied().unwrap_or_default()))
}

/// The hash of the names in a folder, and of which of them are folders.
fn listing(folder: &Path) -> io::Result<ContentId> {
    let mut names = Vec::new();
    for item in fs::read_dir(folder)? {
        let item = item?;
        let mut name = item.file_name().into_encoded_bytes();
        name.push(if item.path().is_dir() { b'/' } else { 0 });
        names.push(name);
    }
    names.sort_unstable();
    Ok(ContentId::of(&names.concat()))
}
