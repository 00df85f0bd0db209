//! Where a JVM could find classes and resources: its class path and its module path, as far as the recording tells.
//!
//! Jars can name others in their manifests; those that do nothing else, as build tools make them for each run, are replaced by
//! what they name.

use super::places::{Place, Places};
use probity_trace::Recording;
use probity_wire::StartMessage;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Where manifests are in jars.
pub(crate) const MANIFEST: &str = "META-INF/MANIFEST.MF";

/// The class path of one JVM.
#[derive(Debug, Default)]
pub(crate) struct ClassPath {
    /// Its entries in order, as absolute paths, also those that are not there.
    pub(crate) paths: Vec<String>,
    /// All of them, also those that only name others.
    seen: BTreeSet<PathBuf>,
    /// The entries that are there.
    pub(crate) entries: Vec<Place>,
    /// Further places from which classes were loaded, by loaders of the program's own.
    pub(crate) further: Vec<Place>,
    /// The home of the JDK.
    pub(crate) java_home: Option<PathBuf>,
    /// The entries that cannot be read, in words.
    pub(crate) broken: Vec<String>,
    /// Whether a jar is gone, and with it perhaps the names of others.
    pub(crate) is_incomplete: bool,
}

impl ClassPath {
    /// The class path that a recording tells.
    pub(crate) fn of(recording: &Recording, places: &Places) -> Self {
        let mut class_path = Self::default();
        let Some(start) = recording.start() else { return class_path };
        let directory = PathBuf::from(String::from_utf8_lossy(&start.directory).into_owned());
        let separator = property(start, "path.separator").unwrap_or_else(|| ":".to_owned());
        let entries = property(start, "java.class.path").unwrap_or_default();
        for entry in entries.split(&separator).filter(|entry| !entry.is_empty()) {
            class_path.add(&plain(&directory.join(entry)), places);
        }
        let modules = property(start, "jdk.module.path").unwrap_or_default();
        for entry in modules.split(&separator).filter(|entry| !entry.is_empty()) {
            class_path.add_modules(&plain(&directory.join(entry)), places);
        }
        class_path.java_home = property(start, "java.home").map(PathBuf::from);
        for location in recording.locations().into_iter().filter(|location| !location.starts_with("jrt:")) {
            let path = probity_trace::paths::path_of_url(&location);
            if path.is_none_or(|path| !class_path.has(Path::new(&path)))
                && let Ok(place) = places.of_url(&location)
            {
                class_path.further.push(place);
            }
        }
        class_path
    }

    /// A class path of these entries, and the home of the JDK.
    pub(crate) fn of_entries<'p>(
        entries: impl IntoIterator<Item = &'p Path>,
        java_home: Option<PathBuf>,
        places: &Places,
    ) -> Self {
        let mut class_path = Self { java_home, ..Self::default() };
        for entry in entries {
            class_path.add(&plain(entry), places);
            // A folder of modules.
            let modules = fs::read_dir(entry).into_iter().flatten().flatten().map(|item| item.path());
            let mut jars: Vec<PathBuf> =
                modules.filter(|path| path.extension().is_some_and(|end| end == "jar")).collect();
            jars.sort_unstable();
            jars.iter().for_each(|jar| class_path.add(&plain(jar), places));
        }
        class_path
    }

    /// Whether a path is an entry, or one that only names others.
    pub(crate) fn has(&self, path: &Path) -> bool {
        self.seen.contains(path)
    }

    fn add(&mut self, path: &Path, places: &Places) {
        if !self.seen.insert(path.to_owned()) {
            return;
        }
        let place = match places.at(path) {
            Ok(place) => place,
            Err(error) => {
                let is_jar = path.extension().is_some_and(|extension| extension == "jar");
                if path.exists() {
                    self.broken.push(format!("{}: {error}", path.display()));
                } else {
                    self.is_incomplete |= is_jar;
                }
                self.paths.push(path.to_string_lossy().into_owned());
                return;
            }
        };
        let named = named_in_manifest(&place, path);
        if !place.is_only_manifest() || named.is_empty() {
            self.paths.push(path.to_string_lossy().into_owned());
            self.entries.push(place);
        }
        for path in named {
            self.add(&path, places);
        }
    }

    /// A module, or a folder of modules.
    fn add_modules(&mut self, path: &Path, places: &Places) {
        let is_folder_of_modules = path.is_dir() && !path.join("module-info.class").exists();
        if !is_folder_of_modules {
            return self.add(path, places);
        }
        self.paths.push(path.to_string_lossy().into_owned());
        let items = fs::read_dir(path).into_iter().flatten().flatten();
        let mut modules: Vec<PathBuf> = items.map(|item| item.path()).collect();
        modules.sort_unstable();
        for module in modules {
            let is_jar = module.extension().is_some_and(|extension| extension == "jar");
            if is_jar || module.join("module-info.class").exists() {
                self.add(&module, places);
            }
        }
    }
}

fn property(start: &StartMessage, name: &str) -> Option<String> {
    let found = start.properties.iter().find(|(key, _)| key == name.as_bytes());
    found.map(|(_, value)| String::from_utf8_lossy(value).into_owned())
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// The entries that the manifest of an archive adds to the class path.
fn named_in_manifest(place: &Place, path: &Path) -> Vec<PathBuf> {
    let Place::Archive(..) = place else { return Vec::new() };
    let Some(Ok(manifest)) = place.read(MANIFEST) else { return Vec::new() };
    let folder = path.parent().unwrap_or(Path::new("/"));
    let class_path = manifest_value(&String::from_utf8_lossy(&manifest), "class-path").unwrap_or_default();
    let urls = class_path.split_whitespace();
    urls.filter_map(|url| {
        let path = match url.strip_prefix("file:") {
            Some(_) => probity_trace::paths::path_of_url(url)?,
            None => probity_trace::paths::percent_decoded(url)?,
        };
        Some(plain(&folder.join(path)))
    })
    .collect()
}

/// A value of the main section, whose lines go on in lines that start with a space.
pub(crate) fn manifest_value(manifest: &str, wanted: &str) -> Option<String> {
    let mut value: Option<String> = None;
    for line in manifest.lines() {
        if let (Some(value), Some(more)) = (&mut value, line.strip_prefix(' ')) {
            value.push_str(more);
        } else if value.is_some() || line.is_empty() {
            break;
        } else if let Some((name, start)) = line.split_once(':')
            && name.eq_ignore_ascii_case(wanted)
        {
            value = Some(start.trim_start().to_owned());
        }
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_manifests_can_take_several_lines() {
        let manifest =
            "Manifest-Version: 1.0\r\nClass-Path: file:/a/b.j\r\n ar c\r\n .jar\r\nX: y\r\n\r\nName: z\r\n";
        assert_eq!(manifest_value(manifest, "class-path").as_deref(), Some("file:/a/b.jar c.jar"));
        assert_eq!(manifest_value(manifest, "name"), None);
    }
}
