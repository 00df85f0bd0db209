//! Classes put together: source files, packages, bundles and groups.

use crate::class::ClassCoverage;
use crate::counter::Counters;
use crate::java_order::iteration_order;
use crate::lines::Lines;
use std::collections::HashMap;
use std::fmt;

/// What a project, or a module of one, consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BundleCoverage {
    /// The name.
    pub name: String,
    /// The packages.
    pub packages: Vec<PackageCoverage>,
    /// The counters.
    pub counters: Counters,
}

/// A package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageCoverage {
    /// The name, with slashes.
    pub name: String,
    /// The classes.
    pub classes: Vec<ClassCoverage>,
    /// The source files.
    pub source_files: Vec<SourceFileCoverage>,
    /// The counters.
    pub counters: Counters,
}

/// A source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFileCoverage {
    /// The name of the package, with slashes.
    pub package: String,
    /// The name of the file.
    pub name: String,
    /// The lines of all its classes.
    pub lines: Lines,
    /// The counters.
    pub counters: Counters,
}

/// Two different classes of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateClass {
    /// The internal name.
    pub name: String,
    /// The position of the one that was added first, in [`BundleBuilder::classes`].
    pub first: usize,
}

impl fmt::Display for DuplicateClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "two different classes have the name {}", self.name)
    }
}

impl std::error::Error for DuplicateClass {}

/// The name of the package of a class.
#[must_use]
pub fn package_of(class: &str) -> &str {
    class.rsplit_once('/').map_or("", |(package, _)| package)
}

/// Collects classes and puts them together.
#[derive(Debug, Default)]
pub struct BundleBuilder {
    classes: Vec<ClassCoverage>,
    by_name: HashMap<String, usize>,
}

impl BundleBuilder {
    /// A builder with no classes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a class. The same class again takes the place of the first.
    ///
    /// # Errors
    ///
    /// Fails if another class of the same name is there.
    pub fn add(&mut self, class: ClassCoverage) -> Result<(), DuplicateClass> {
        let known = self.by_name.get(&class.name).copied();
        match known.and_then(|at| self.classes.get_mut(at).map(|known| (at, known))) {
            Some((_, known)) if known.id == class.id => *known = class,
            Some((first, _)) => return Err(DuplicateClass { name: class.name, first }),
            None => {
                self.by_name.insert(class.name.clone(), self.classes.len());
                self.classes.push(class);
            }
        }
        Ok(())
    }

    /// The classes in the order in which they were added, without what was executed of them elsewhere.
    #[must_use]
    pub fn classes(&self) -> &[ClassCoverage] {
        &self.classes
    }

    /// The bundle of all classes, everything in the order of JaCoCo's reports.
    #[must_use]
    pub fn build(mut self, name: &str) -> BundleCoverage {
        self.apply_fragments();
        BundleCoverage::of(self.classes, name)
    }

    /// Adds what was executed of inlined code to the classes from which it comes.
    fn apply_fragments(&mut self) {
        let mut fragments = Vec::new();
        for class in &mut self.classes {
            fragments.append(&mut class.fragments);
        }
        for fragment in fragments {
            if let Some(class) = self.by_name.get(&fragment.class).and_then(|&at| self.classes.get_mut(at)) {
                class.apply_fragment(&fragment.lines);
            }
        }
    }
}

impl BundleCoverage {
    /// The bundle of some classes of different names, everything in the order of JaCoCo's reports.
    pub(crate) fn of(classes: Vec<ClassCoverage>, name: &str) -> Self {
        let order = iteration_order(classes.iter().map(|class| class.name.as_str()));
        let mut by_position: Vec<Option<ClassCoverage>> = classes.into_iter().map(Some).collect();
        let classes: Vec<ClassCoverage> =
            order.into_iter().filter_map(|at| by_position.get_mut(at).and_then(Option::take)).collect();
        let source_files = source_files(&classes);
        let packages = packages(classes, source_files);
        let mut counters = Counters::default();
        packages.iter().for_each(|package| counters += package.counters);
        Self { name: name.to_owned(), packages, counters }
    }
}

fn source_files(classes: &[ClassCoverage]) -> Vec<SourceFileCoverage> {
    let mut files: Vec<SourceFileCoverage> = Vec::new();
    let mut keys: Vec<String> = Vec::new();
    let mut by_key: HashMap<String, usize> = HashMap::new();
    for class in classes {
        let Some(name) = &class.source_file else { continue };
        let package = package_of(&class.name);
        let key = format!("{package}/{name}");
        let at = *by_key.entry(key.clone()).or_insert_with(|| {
            keys.push(key);
            files.push(SourceFileCoverage {
                package: package.to_owned(),
                name: name.clone(),
                lines: Lines::default(),
                counters: Counters::default(),
            });
            files.len() - 1
        });
        if let Some(file) = files.get_mut(at) {
            file.lines.add_all(&class.lines);
            file.counters += class.counters;
        }
    }
    for file in &mut files {
        file.counters.lines = file.lines.counter();
    }
    let mut files: Vec<Option<SourceFileCoverage>> = files.into_iter().map(Some).collect();
    let order = iteration_order(keys.iter().map(String::as_str));
    order.into_iter().filter_map(|at| files.get_mut(at).and_then(Option::take)).collect()
}

/// The different values in the order in which they are met first.
fn distinct<'v>(values: impl Iterator<Item = &'v str>) -> Vec<&'v str> {
    let mut seen = std::collections::HashSet::new();
    values.filter(|value| seen.insert(*value)).collect()
}

fn in_java_order(keys: &[&str]) -> Vec<String> {
    let order = iteration_order(keys.iter().copied());
    order.into_iter().filter_map(|at| keys.get(at).map(|key| (*key).to_owned())).collect()
}

fn packages(classes: Vec<ClassCoverage>, source_files: Vec<SourceFileCoverage>) -> Vec<PackageCoverage> {
    let of_classes = in_java_order(&distinct(classes.iter().map(|class| package_of(&class.name))));
    let of_files = in_java_order(&distinct(source_files.iter().map(|file| file.package.as_str())));
    let all = distinct(of_classes.iter().chain(&of_files).map(String::as_str));
    let names = in_java_order(&all);
    let mut packages: Vec<PackageCoverage> = names
        .iter()
        .map(|name| PackageCoverage {
            name: name.clone(),
            classes: Vec::new(),
            source_files: Vec::new(),
            counters: Counters::default(),
        })
        .collect();
    let by_name: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
    for class in classes {
        if let Some(package) = by_name.get(package_of(&class.name)).and_then(|&at| packages.get_mut(at)) {
            if class.source_file.is_none() {
                package.counters += class.counters;
            }
            package.classes.push(class);
        }
    }
    for file in source_files {
        if let Some(package) = by_name.get(file.package.as_str()).and_then(|&at| packages.get_mut(at)) {
            package.counters += file.counters;
            package.source_files.push(file);
        }
    }
    packages
}
