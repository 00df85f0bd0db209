//! Classes put together: source files, packages, bundles and groups.

use crate::class::ClassCoverage;
use crate::counter::Counters;
use crate::java_order::iteration_order;
use crate::lines::{LineSums, Lines};
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
        let ordered: Vec<&ClassCoverage> = order.iter().filter_map(|&at| classes.get(at)).collect();
        let source_files = source_files(&ordered);
        let mut packages = empty_packages(&ordered, &source_files);
        // A class is large: it is moved once, to where it stays.
        let mut classes: Vec<Option<ClassCoverage>> = classes.into_iter().map(Some).collect();
        for class in order.into_iter().filter_map(|at| classes.get_mut(at).and_then(Option::take)) {
            if let Some(package) = packages.get_mut(package_of(&class.name)) {
                package.add_class(class);
            }
        }
        for file in source_files {
            if let Some(package) = packages.get_mut(&file.package) {
                package.add_source_file(file);
            }
        }
        let packages = packages.packages;
        let mut counters = Counters::default();
        packages.iter().for_each(|package| counters += package.counters);
        Self { name: name.to_owned(), packages, counters }
    }
}

impl PackageCoverage {
    fn add_class(&mut self, class: ClassCoverage) {
        if class.source_file.is_none() {
            self.counters += class.counters;
        }
        self.classes.push(class);
    }

    fn add_source_file(&mut self, file: SourceFileCoverage) {
        self.counters += file.counters;
        self.source_files.push(file);
    }
}

/// The source files of the classes, which are in the order of reports.
fn source_files(classes: &[&ClassCoverage]) -> Vec<SourceFileCoverage> {
    let mut names: Vec<(&str, &str)> = Vec::new();
    let mut by_name: HashMap<(&str, &str), usize> = HashMap::new();
    let mut classes_by_file: Vec<(usize, &ClassCoverage)> = Vec::with_capacity(classes.len());
    for class in classes {
        let Some(file) = &class.source_file else { continue };
        let name = (package_of(&class.name), file.as_str());
        let at = *by_name.entry(name).or_insert_with(|| {
            names.push(name);
            names.len() - 1
        });
        classes_by_file.push((at, class));
    }
    classes_by_file.sort_by_key(|(at, _)| *at);
    let classes_of_file = classes_by_file.chunk_by(|(one, _), (other, _)| one == other);
    let mut sums = LineSums::default();
    let files =
        names.iter().zip(classes_of_file).map(|(name, classes)| source_file(*name, classes, &mut sums));
    let mut files: Vec<Option<SourceFileCoverage>> = files.map(Some).collect();
    let keys: Vec<String> = names.iter().map(|(package, name)| format!("{package}/{name}")).collect();
    let order = iteration_order(keys.iter().map(String::as_str));
    order.into_iter().filter_map(|at| files.get_mut(at).and_then(Option::take)).collect()
}

/// A source file from its classes.
fn source_file(
    (package, name): (&str, &str),
    classes: &[(usize, &ClassCoverage)],
    sums: &mut LineSums,
) -> SourceFileCoverage {
    let mut counters = Counters::default();
    for (_, class) in classes {
        sums.add_all(&class.lines);
        counters += class.counters;
    }
    let lines = sums.take();
    counters.lines = lines.counter();
    SourceFileCoverage { package: package.to_owned(), name: name.to_owned(), lines, counters }
}

/// The different values in the order in which they are met first.
fn distinct<'v>(values: impl Iterator<Item = &'v str>) -> Vec<&'v str> {
    let mut seen = std::collections::HashSet::new();
    values.filter(|value| seen.insert(*value)).collect()
}

fn in_java_order<'k>(keys: &[&'k str]) -> Vec<&'k str> {
    let order = iteration_order(keys.iter().copied());
    order.into_iter().filter_map(|at| keys.get(at).copied()).collect()
}

/// Packages that are found by name.
struct Packages {
    packages: Vec<PackageCoverage>,
    by_name: HashMap<String, usize>,
}

impl Packages {
    fn get_mut(&mut self, name: &str) -> Option<&mut PackageCoverage> {
        self.by_name.get(name).and_then(|&at| self.packages.get_mut(at))
    }
}

/// The packages of classes and source files, with room for them but without them.
fn empty_packages(classes: &[&ClassCoverage], source_files: &[SourceFileCoverage]) -> Packages {
    let mut class_counts: HashMap<&str, usize> = HashMap::new();
    let mut of_classes = Vec::new();
    for class in classes {
        let name = package_of(&class.name);
        let count = class_counts.entry(name).or_insert_with(|| {
            of_classes.push(name);
            0
        });
        *count += 1;
    }
    let of_files = distinct(source_files.iter().map(|file| file.package.as_str()));
    let all = distinct(in_java_order(&of_classes).into_iter().chain(in_java_order(&of_files)));
    let names = in_java_order(&all);
    let empty = |name: &&str| PackageCoverage {
        name: (*name).to_owned(),
        classes: Vec::with_capacity(class_counts.get(name).copied().unwrap_or_default()),
        source_files: Vec::new(),
        counters: Counters::default(),
    };
    Packages {
        packages: names.iter().map(empty).collect(),
        by_name: names.iter().map(|name| (*name).to_owned()).zip(0..).collect(),
    }
}
