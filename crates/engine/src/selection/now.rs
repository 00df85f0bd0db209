//! The tree as it is now, for the units that ran in one environment.
//!
//! Everything is looked up when it is asked for and kept. No time stamp is trusted: what counts is what is read.

use crate::recording::class_path::ClassPath;
use crate::recording::outside::Files;
use crate::recording::places::{Place, Places};
use crate::selection::jdk_classes::JdkClasses;
use probity_select::{Found, Tree};
use probity_shape::{BodyWalk, ContentId, Shape, ShapeReader};
use probity_store::{Classes, Shapes};
use probity_trace::paths::relative;
use probity_trace::{Asked, Environment, FileSource, FileState, hash_of_variables};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is there now.
pub(crate) struct Now<'a> {
    project: &'a Path,
    /// The same as text, as paths are made relative to it.
    project_text: Option<String>,
    places: &'a Places,
    class_path: ClassPath,
    /// The entries of the class path of before, as traces name them.
    entries_before: HashSet<String>,
    /// The feature version of the JDK, if it is known.
    feature_version: Option<u32>,
    jdk: Option<&'a JdkClasses>,
    stored: &'a Shapes,
    stored_classes: &'a Classes,
    environment: Option<Environment>,
    variables: &'a BTreeMap<OsString, OsString>,
    classes: RefCell<HashMap<String, Located>>,
    /// Where classes with these bytes are.
    contents: RefCell<HashMap<ContentId, (Place, String)>>,
    shapes: RefCell<HashMap<ContentId, Option<Arc<Shape>>>>,
    reader: RefCell<ShapeReader>,
    walks: RefCell<HashMap<[Body; 2], Option<Arc<BodyWalk>>>>,
}

/// A body: the bytes of its class, and the position of its method there.
type Body = (ContentId, usize);

/// What a name leads to: nothing, or bytes at a place.
type Located = Result<Option<(ContentId, Place)>, String>;

/// What a tree is made of.
pub(crate) struct Parts<'a> {
    pub(crate) project: &'a Path,
    pub(crate) places: &'a Places,
    pub(crate) stored: &'a Shapes,
    pub(crate) stored_classes: &'a Classes,
    /// The JDKs of this machine.
    pub(crate) jdks: &'a [JdkClasses],
    /// The JVM in which the units ran.
    pub(crate) before: &'a Environment,
    /// The class path as it is now.
    pub(crate) class_path: Vec<PathBuf>,
    /// The JVM in which they would run.
    pub(crate) environment: Option<Environment>,
    pub(crate) variables: &'a BTreeMap<OsString, OsString>,
}

impl<'a> Now<'a> {
    pub(crate) fn new(parts: Parts<'a>) -> Self {
        let Parts {
            project,
            places,
            stored,
            stored_classes,
            jdks,
            before,
            class_path,
            environment,
            variables,
        } = parts;
        let feature_version = feature_version(&environment.as_ref().unwrap_or(before).jdk);
        let jdk = jdks.iter().find(|jdk| Some(jdk.feature_version()) == feature_version);
        let java_home = jdk.map(|jdk| jdk.home().to_owned());
        Self {
            project,
            project_text: project.to_str().map(str::to_owned),
            places,
            class_path: ClassPath::of_entries(class_path.iter().map(PathBuf::as_path), java_home, places),
            entries_before: before.class_path.iter().cloned().collect(),
            feature_version,
            jdk,
            stored,
            stored_classes,
            environment,
            variables,
            classes: RefCell::default(),
            contents: RefCell::default(),
            shapes: RefCell::default(),
            reader: RefCell::default(),
            walks: RefCell::default(),
        }
    }

    /// The class of a name that the class path has first.
    fn on_class_path(&self, name: &str) -> Located {
        if let Some(known) = self.classes.borrow().get(name) {
            return known.clone();
        }
        let found = self.look_for(name);
        self.classes.borrow_mut().insert(name.to_owned(), found.clone());
        found
    }

    fn look_for(&self, name: &str) -> Located {
        if let Some(broken) = self.class_path.broken.first() {
            return Err(broken.clone());
        }
        for place in &self.class_path.entries {
            if let Some(content) = self.content_at(place, name)? {
                return Ok(Some((content, place.clone())));
            }
        }
        Ok(None)
    }

    fn content_at(&self, place: &Place, name: &str) -> Result<Option<ContentId>, String> {
        let file = format!("{name}.class");
        if !place.has(&file) {
            return Ok(None);
        }
        let version = self.feature_version.ok_or_else(|| "the version of the JDK is not known".to_owned())?;
        let Some(file) = place.name_for(&file, version) else { return Ok(None) };
        let Some(bytes) = place.read(&file) else { return Ok(None) };
        let content = ContentId::of(&bytes.map_err(|error| format!("{}: {error}", place.path().display()))?);
        self.contents.borrow_mut().entry(content).or_insert_with(|| (place.clone(), file));
        Ok(Some(content))
    }

    /// The shape of the class of a name that the class path has first.
    pub(crate) fn shape_of(&self, name: &str) -> Option<Arc<Shape>> {
        let (content, _) = self.on_class_path(name).ok()??;
        self.shape(content)
    }

    fn find_shape(&self, content: ContentId) -> Option<Shape> {
        if let Some(shape) = self.stored.get(content) {
            return Some(shape);
        }
        let shape = self.reader.borrow_mut().read(&self.bytes_now(content)?).ok()?;
        Some(shape)
    }

    /// The bytes of a class that is there now.
    fn bytes_now(&self, content: ContentId) -> Option<Vec<u8>> {
        let (place, file) = self.contents.borrow().get(&content).cloned()?;
        let bytes = place.read(&file)?.ok()?;
        (ContentId::of(&bytes) == content).then_some(bytes)
    }

    fn find_walk(&self, old: (ContentId, usize), new: (ContentId, usize)) -> Option<BodyWalk> {
        let bytes = |content| self.bytes_now(content).or_else(|| self.stored_classes.get(content));
        let (old_bytes, new_bytes) = (bytes(old.0)?, bytes(new.0)?);
        self.reader.borrow_mut().body_walk((&old_bytes, old.1), (&new_bytes, new.1)).ok()?
    }

    fn relative(&self, path: &Path) -> String {
        relative(&path.to_string_lossy(), self.project_text.as_deref())
    }

    /// Where a class comes from now, if that is elsewhere in a way that a program may see. An archive that took the place of another is
    /// not, since that is what a new version of a library does, nor is a folder that took the place of another.
    fn moved(&self, before: &str, now: &Place) -> Option<String> {
        let place = self.relative(now.path());
        let is_still_there = self.class_path.has(&self.project.join(before));
        let was_archive = [".jar", ".zip", ".war"].iter().any(|end| before.ends_with(end));
        let is_replaced = was_archive == now.is_archive() && !is_still_there;
        (place != before && !is_replaced).then_some(place)
    }
}

impl Tree for Now<'_> {
    fn class(&self, name: &str, place: &str) -> Found {
        let found = if self.entries_before.contains(place) {
            self.on_class_path(name)
        } else {
            // A class loader of the program's own brought it from there.
            self.places
                .at(&self.project.join(place))
                .map_or(Ok(None), |at| Ok(self.content_at(&at, name)?.map(|content| (content, at))))
        };
        match found {
            Ok(Some((content, at))) => Found::Class { content, moved_to: self.moved(place, &at) },
            Ok(None) => Found::Absent,
            Err(why) => Found::Unreadable(why),
        }
    }

    fn has_class(&self, name: &str) -> Result<bool, String> {
        Ok(self.on_class_path(name)?.is_some())
    }

    fn shape(&self, content: ContentId) -> Option<Arc<Shape>> {
        if let Some(known) = self.shapes.borrow().get(&content) {
            return known.clone();
        }
        let shape = self.find_shape(content).map(Arc::new);
        self.shapes.borrow_mut().insert(content, shape.clone());
        shape
    }

    fn body_walk(&self, old: (ContentId, usize), new: (ContentId, usize)) -> Option<Arc<BodyWalk>> {
        if let Some(known) = self.walks.borrow().get(&[old, new]) {
            return known.clone();
        }
        let walk = self.find_walk(old, new).map(Arc::new);
        self.walks.borrow_mut().insert([old, new], walk.clone());
        walk
    }

    fn jdk_has_method(&self, class: &str, name: &str, descriptor: &str) -> Option<bool> {
        self.jdk?.has_method(class, name, descriptor)
    }

    fn file(&self, path: &str, was: FileState) -> Result<FileState, String> {
        let asked = match was {
            FileState::Absent | FileState::Exists { .. } => Asked::Tested,
            FileState::File(_) => Asked::Read,
            FileState::Listing(_) => Asked::Listed,
        };
        let path = self.project.join(path);
        let path = path.to_str().ok_or_else(|| format!("{} is no text", path.display()))?;
        Files::new(self.places, &self.class_path).file(path, asked)
    }

    fn resource(&self, name: &str) -> Result<Option<ContentId>, String> {
        Files::new(self.places, &self.class_path).resource(name)
    }

    fn variable(&self, name: &str) -> Option<ContentId> {
        self.variables.get(OsStr::new(name)).map(|value| ContentId::of(value.as_encoded_bytes()))
    }

    fn all_variables(&self) -> ContentId {
        hash_of_variables(
            self.variables.iter().map(|(name, value)| (name.as_encoded_bytes(), value.as_encoded_bytes())),
        )
    }

    fn environment(&self) -> Option<&Environment> {
        self.environment.as_ref()
    }
}

/// The feature version in what a JDK tells of itself, as in `17.0.1+12, 17.0.1+12, Somebody`.
fn feature_version(jdk: &str) -> Option<u32> {
    let version = jdk.strip_prefix("1.").unwrap_or(jdk);
    let end = version.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(version.len());
    version.get(..end)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_feature_version_is_told_first() {
        assert_eq!(feature_version("17.0.1+12, x, y"), Some(17));
        assert_eq!(feature_version("25+36-LTS"), Some(25));
        assert_eq!(feature_version("1.8.0_402-b06, x"), Some(8));
        assert_eq!(feature_version(""), None);
    }
}
