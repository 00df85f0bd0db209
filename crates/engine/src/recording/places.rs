//! Archives and folders, opened once and asked often.
//!
//! It reads what is there now. Whether that is what a JVM saw is for others to find out.

use probity_classpath::{Limits, ReadBuffer, Recognition, Source};
use probity_shape::{ContentId, class_id};
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Everything that was opened. Many JVMs ask for the same, so answers are kept.
#[derive(Debug, Default)]
pub(crate) struct Places {
    archives: RefCell<HashMap<String, Opened>>,
    /// The places of URLs.
    of_urls: RefCell<HashMap<String, Result<Place, String>>>,
    /// The classes at URLs, by JaCoCo's id.
    classes: RefCell<HashMap<(String, String, u64), Vec<u8>>>,
    /// The hashes of files.
    hashes: RefCell<HashMap<String, Result<ContentId, String>>>,
    /// The classes of JDKs, by their homes.
    jdks: RefCell<HashMap<PathBuf, Rc<HashSet<String>>>>,
}

/// An archive, or why it cannot be used.
type Opened = Result<Rc<Archive>, String>;

/// A place in which files are found by name.
#[derive(Clone, Debug)]
pub(crate) enum Place {
    /// A folder.
    Folder(PathBuf),
    /// An archive, and the folder in it below which names are.
    Archive(Rc<Archive>, String),
}

/// An archive with an index of its names.
#[derive(Debug)]
pub(crate) struct Archive {
    source: Source,
    index: HashMap<String, usize>,
    /// For each class the names of its other versions, for later JDKs.
    versions: HashMap<String, Vec<String>>,
    /// The names right below each folder, whose own name ends with a slash; made when somebody asks.
    folders: OnceCell<HashMap<String, BTreeSet<String>>>,
}

impl Places {
    /// The place at a path; an error in words if there is none.
    pub(crate) fn at(&self, path: &Path) -> Result<Place, String> {
        if path.is_dir() {
            return Ok(Place::Folder(path.to_owned()));
        }
        let name = path.to_string_lossy().into_owned();
        let archive = self.archive(&name, || {
            let source = Source::open_with(path, Limits::STANDARD, Recognition::Everything);
            source.map_err(|error| error.to_string())
        })?;
        Ok(Place::Archive(archive, String::new()))
    }

    /// The place that a URL of a class names: a folder, an archive, an archive or a folder in an archive.
    pub(crate) fn of_url(&self, url: &str) -> Result<Place, String> {
        if let Some(place) = self.of_urls.borrow().get(url) {
            return place.clone();
        }
        let place = self.find_url(url);
        self.of_urls.borrow_mut().insert(url.to_owned(), place.clone());
        place
    }

    /// The bytes of a class with an id; if there is no such, those that are there in its stead, if any.
    pub(crate) fn class(&self, url: &str, name: &str, id: u64) -> Result<Option<Vec<u8>>, String> {
        let key = (url.to_owned(), name.to_owned(), id);
        if let Some(bytes) = self.classes.borrow().get(&key) {
            return Ok(Some(bytes.clone()));
        }
        let place = match self.of_url(url) {
            Err(_) if is_nowhere(url) => return Ok(None),
            place => place?,
        };
        let mut found = None;
        // Which version of several a JDK takes is seen by the bytes that it took.
        for name in place.versions(&format!("{name}.class")) {
            let Some(bytes) = place.read(&name) else { continue };
            if let Ok(bytes) = &bytes
                && class_id(bytes) == id
            {
                self.classes.borrow_mut().insert(key, bytes.clone());
                return Ok(Some(bytes.clone()));
            }
            found = found.or(Some(bytes));
        }
        found.transpose()
    }

    /// Whether the class of a name at a URL is surely what it was at a time, in milliseconds since 1970, and ever since.
    pub(crate) fn is_unchanged_since(&self, url: &str, name: &str, millis: u64) -> bool {
        let Some((outer, inner)) = split_url(url) else { return false };
        let outer = PathBuf::from(outer);
        if !outer.is_dir() {
            return is_older(&outer, millis);
        }
        let file = inner.iter().fold(outer, |path, part| path.join(part)).join(format!("{name}.class"));
        is_older(&file, millis)
    }

    /// The bytes of all classes that were asked for and came from folders.
    pub(crate) fn classes_of_folders(&self) -> BTreeMap<ContentId, Vec<u8>> {
        let classes = self.classes.borrow();
        let of_folders = classes.iter().filter(|((url, ..), _)| url.ends_with('/'));
        of_folders.map(|(_, bytes)| (ContentId::of(bytes), bytes.clone())).collect()
    }

    /// The hash of a file, found once.
    pub(crate) fn hash(
        &self,
        path: &str,
        find: impl FnOnce() -> Result<ContentId, String>,
    ) -> Result<ContentId, String> {
        self.hashes.borrow_mut().entry(path.to_owned()).or_insert_with(find).clone()
    }

    /// The classes of a JDK, found once.
    pub(crate) fn jdk(&self, home: &Path, find: impl FnOnce() -> HashSet<String>) -> Rc<HashSet<String>> {
        Rc::clone(self.jdks.borrow_mut().entry(home.to_owned()).or_insert_with(|| Rc::new(find())))
    }

    fn find_url(&self, url: &str) -> Result<Place, String> {
        let (outer, inner) = split_url(url).ok_or_else(|| "nobody knows where that is".to_owned())?;
        let mut place = self.at(Path::new(&outer))?;
        for part in inner {
            place = self.inside(place, &part)?;
        }
        Ok(place)
    }

    fn inside(&self, place: Place, part: &str) -> Result<Place, String> {
        match place {
            Place::Folder(folder) => Ok(Place::Folder(folder.join(part))),
            Place::Archive(archive, folder) => {
                let name = format!("{folder}{part}");
                let Some(&entry) = archive.index.get(&name) else {
                    return Ok(Place::Archive(archive, format!("{name}/")));
                };
                let place = format!("{}!/{name}", archive.source.name());
                let nested = self.archive(&place, || {
                    let entry = archive.source.entries().get(entry).ok_or("it is not there")?;
                    archive.source.open_nested(entry).map_err(|error| error.to_string())
                })?;
                Ok(Place::Archive(nested, String::new()))
            }
        }
    }

    fn archive(&self, name: &str, open: impl FnOnce() -> Result<Source, String>) -> Opened {
        if let Some(opened) = self.archives.borrow().get(name) {
            return opened.clone();
        }
        let opened = open().map(|source| Rc::new(Archive::new(source)));
        self.archives.borrow_mut().insert(name.to_owned(), opened.clone());
        opened
    }
}

impl Archive {
    fn new(source: Source) -> Self {
        let mut archive =
            Self { source, index: HashMap::new(), versions: HashMap::new(), folders: OnceCell::new() };
        for (position, entry) in archive.source.entries().iter().enumerate() {
            let name = entry.name();
            archive.index.entry(name.to_owned()).or_insert(position);
            let versioned = name.strip_prefix("META-INF/versions/").and_then(|rest| rest.split_once('/'));
            if let Some((_, base)) = versioned {
                archive.versions.entry(base.to_owned()).or_default().push(name.to_owned());
            }
        }
        archive
    }

    fn folders(&self) -> &HashMap<String, BTreeSet<String>> {
        self.folders.get_or_init(|| {
            let mut folders: HashMap<String, BTreeSet<String>> = HashMap::new();
            for name in self.index.keys() {
                let mut name = name.as_str();
                while !name.is_empty() {
                    let start = name.rfind('/').map_or(0, |slash| slash + 1);
                    let (folder, item) = name.split_at(start);
                    let is_new = folders.entry(folder.to_owned()).or_default().insert(item.to_owned());
                    name = if is_new { folder.trim_end_matches('/') } else { "" };
                }
            }
            folders
        })
    }

    fn read(&self, name: &str) -> Option<Result<Vec<u8>, String>> {
        let entry = self.source.entries().get(*self.index.get(name)?)?;
        let mut buffer = ReadBuffer::new();
        let read = self.source.read(entry, &mut buffer);
        Some(read.map(|entry| entry.bytes.to_vec()).map_err(|error| error.to_string()))
    }
}

impl Place {
    /// The bytes of a file; nothing if it is not there.
    pub(crate) fn read(&self, name: &str) -> Option<Result<Vec<u8>, String>> {
        match self {
            Self::Archive(archive, folder) => archive.read(&format!("{folder}{name}")),
            Self::Folder(folder) => {
                let path = folder.join(name);
                let metadata = fs::metadata(&path).ok()?;
                metadata.is_file().then(|| fs::read(&path).map_err(|error| error.to_string()))
            }
        }
    }

    /// The path of the folder or of the outermost archive.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Folder(folder) => folder,
            Self::Archive(archive, _) => Path::new(archive.source.name()),
        }
    }

    /// Whether it is an archive.
    pub(crate) fn is_archive(&self) -> bool {
        matches!(self, Self::Archive(..))
    }

    /// The name under which a JVM of a feature version finds a file, if it is there: archives can have others for later ones.
    pub(crate) fn name_for(&self, name: &str, feature_version: u32) -> Option<String> {
        let newest = self.versions(name).into_iter().filter_map(|versioned| {
            let version =
                versioned.strip_prefix("META-INF/versions/")?.split('/').next()?.parse::<u32>().ok()?;
            (9..=feature_version).contains(&version).then_some((version, versioned))
        });
        match newest.max().filter(|_| self.is_multi_release()) {
            Some((_, versioned)) => Some(versioned),
            None => self.has_plain(name).then(|| name.to_owned()),
        }
    }

    /// Whether its manifest says that there are versions for later JDKs.
    fn is_multi_release(&self) -> bool {
        let manifest = self.read(super::class_path::MANIFEST).and_then(Result::ok).unwrap_or_default();
        let value = super::class_path::manifest_value(&String::from_utf8_lossy(&manifest), "multi-release");
        value.is_some_and(|value| value.trim().eq_ignore_ascii_case("true"))
    }

    fn has_plain(&self, name: &str) -> bool {
        match self {
            Self::Folder(folder) => folder.join(name).is_file(),
            Self::Archive(archive, folder) => archive.index.contains_key(&format!("{folder}{name}")),
        }
    }

    /// The names under which a file and its versions for other JDKs stand.
    pub(crate) fn versions(&self, name: &str) -> Vec<String> {
        let mut names = vec![name.to_owned()];
        if let Self::Archive(archive, folder) = self
            && folder.is_empty()
        {
            names.extend(archive.versions.get(name).into_iter().flatten().cloned());
        }
        names
    }

    /// Whether a file is there, under its name or as a version for other JDKs.
    pub(crate) fn has(&self, name: &str) -> bool {
        let has_version = match self {
            Self::Archive(archive, folder) => folder.is_empty() && archive.versions.contains_key(name),
            Self::Folder(_) => false,
        };
        has_version || self.has_plain(name)
    }

    /// The names right below a folder, sorted; nothing if there is no such folder.
    pub(crate) fn list(&self, name: &str) -> Option<BTreeSet<String>> {
        let name = name.trim_end_matches('/');
        match self {
            Self::Folder(folder) => {
                let items = fs::read_dir(folder.join(name)).ok()?;
                Some(items.flatten().map(|item| item.file_name().to_string_lossy().into_owned()).collect())
            }
            Self::Archive(archive, folder) => {
                let folder = if name.is_empty() { folder.clone() } else { format!("{folder}{name}/") };
                archive.folders().get(&folder).cloned()
            }
        }
    }

    /// Whether there is nothing but a manifest, whose only use is to name other places.
    pub(crate) fn is_only_manifest(&self) -> bool {
        let Self::Archive(archive, _) = self else { return false };
        !archive.index.is_empty() && archive.index.keys().all(|name| name == super::class_path::MANIFEST)
    }
}

/// Whether a URL is of a file or folder that is surely not there.
fn is_nowhere(url: &str) -> bool {
    split_url(url).is_some_and(|(outer, _)| matches!(Path::new(&outer).try_exists(), Ok(false)))
}

/// Whether a file was last changed before a time, in milliseconds since 1970. Other than the time of its contents, that of its
/// status cannot be set by anybody.
#[cfg(unix)]
fn is_older(path: &Path, millis: u64) -> bool {
    use std::os::unix::fs::MetadataExt;
    let seconds = fs::metadata(path).ok().and_then(|metadata| u64::try_from(metadata.ctime()).ok());
    // A second that has begun may not be over.
    seconds.is_some_and(|seconds| seconds.saturating_add(1).saturating_mul(1000) <= millis)
}

#[cfg(not(unix))]
fn is_older(_: &Path, _: u64) -> bool {
    false
}

/// The path of a URL and what is inside, without the empty last part.
fn split_url(url: &str) -> Option<(String, Vec<String>)> {
    let nested = url.strip_prefix("jar:nested:").or_else(|| url.strip_prefix("nested:"));
    let decoded = |text: &str| probity_trace::paths::percent_decoded(text);
    let (outer, rest) = match nested {
        Some(nested) => {
            let (outer, rest) = nested.split_once("/!").unwrap_or((nested, ""));
            (decoded(outer)?, rest)
        }
        None => {
            let rest = url.split_once("!/").map_or("", |(_, rest)| rest);
            (probity_trace::paths::path_of_url(url)?, rest)
        }
    };
    let inner = rest.split("!/").map(|part| part.trim_matches('/')).filter(|part| !part.is_empty());
    Some((outer, inner.map(decoded).collect::<Option<Vec<_>>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_taken_apart() {
        let split = |url: &str| {
            let (outer, inner) = split_url(url).unwrap();
            [vec![outer], inner].concat()
        };
        assert_eq!(split("file:/a/classes/"), ["/a/classes"]);
        assert_eq!(split("file:/a/b%20c.jar"), ["/a/b c.jar"]);
        assert_eq!(split("jar:file:/a/b.jar!/"), ["/a/b.jar"]);
        assert_eq!(split("jar:file:/a.jar!/BOOT-INF/lib/c.jar!/"), ["/a.jar", "BOOT-INF/lib/c.jar"]);
        assert_eq!(split("jar:file:/a.jar!/BOOT-INF/classes!/"), ["/a.jar", "BOOT-INF/classes"]);
        assert_eq!(split("jar:nested:/a.jar/!BOOT-INF/lib/c.jar!/"), ["/a.jar", "BOOT-INF/lib/c.jar"]);
        assert_eq!(split_url("http://host/a.jar"), None);
    }
}
