//! Classes put together: source files, packages, bundles and groups.

use crate::class::ClassCoverage;
use crate::counter::Counters;
use crate::java_order::iteration_order;
use crate::lines::{LineSums, Lines};
use std::collections::HashMap;
use std::fmt;
use std::hash::Hash;

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
    classes: BoxedClasses,
    by_name: HashMap<String, usize>,
    has_fragments: bool,
}

/// Classes that stay where they are until they are put into their packages: they are large, and there are many.
#[allow(clippy::vec_box, reason = "what is in the boxes is not moved with the list")]
type BoxedClasses = Vec<Box<ClassCoverage>>;

impl BundleBuilder {
    /// A builder with no classes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes room for more classes.
    pub fn reserve(&mut self, classes: usize) {
        self.classes.reserve(classes);
        self.by_name.reserve(classes);
    }

    /// Adds a class. The same class again takes the place of the first.
    ///
    /// # Errors
    ///
    /// Fails if another class of the same name is there.
    pub fn add(&mut self, class: impl Into<Box<ClassCoverage>>) -> Result<(), DuplicateClass> {
        let class = class.into();
        self.has_fragments |= !class.fragments.is_empty();
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
    pub fn classes(&self) -> impl ExactSizeIterator<Item = &ClassCoverage> {
        self.classes.iter().map(Box::as_ref)
    }

    /// The bundle of all classes, everything in the order of JaCoCo's reports.
    #[must_use]
    pub fn build(mut self, name: &str) -> BundleCoverage {
        if self.has_fragments {
            self.apply_fragments();
        }
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
    pub(crate) fn of(classes: BoxedClasses, name: &str) -> Self {
        let order = iteration_order(classes.iter().map(|class| class.name.as_str()));
        let membership = Membership::of(&classes);
        let source_files = membership.source_files(&classes, &order);
        let (mut packages, package_order) = (membership.empty_packages(), membership.package_order(&order));
        let package_of_class = membership.package_of_class;
        let mut classes: Vec<Option<Box<ClassCoverage>>> = classes.into_iter().map(Some).collect();
        for at in order {
            let package = package_of_class.get(at).and_then(|&number| packages.get_mut(number));
            if let (Some(package), Some(class)) = (package, classes.get_mut(at).and_then(Option::take)) {
                package.add_class(*class);
            }
        }
        for (number, file) in source_files {
            if let Some(package) = packages.get_mut(number) {
                package.add_source_file(file);
            }
        }
        let packages = rearranged(packages, &package_order);
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

/// To which packages and source files classes belong. Packages and files have numbers, in the order in which the classes name
/// them, so that names are compared here and nowhere else.
struct Membership<'c> {
    packages: Vec<&'c str>,
    /// The numbers of their packages, and their names.
    files: Vec<(usize, &'c str)>,
    package_of_class: Vec<usize>,
    file_of_class: Vec<Option<usize>>,
}

impl<'c> Membership<'c> {
    fn of(classes: &'c [Box<ClassCoverage>]) -> Self {
        let (mut packages, mut files) = (Numbers::default(), Numbers::default());
        let (mut package_of_class, mut file_of_class) = (Vec::new(), Vec::new());
        for class in classes {
            let package = packages.number_of(package_of(&class.name));
            package_of_class.push(package);
            file_of_class.push(class.source_file.as_deref().map(|file| files.number_of((package, file))));
        }
        Self { packages: packages.values, files: files.values, package_of_class, file_of_class }
    }

    fn package_name(&self, number: usize) -> &'c str {
        self.packages.get(number).copied().unwrap_or_default()
    }

    /// The source files with the numbers of their packages, in the order that follows from that of the classes.
    fn source_files(
        &self,
        classes: &[Box<ClassCoverage>],
        order: &[usize],
    ) -> Vec<(usize, SourceFileCoverage)> {
        let of_files = self.file_of_class.iter().zip(classes);
        let mut of_files: Vec<(usize, &ClassCoverage)> =
            of_files.filter_map(|(file, class)| Some(((*file)?, class.as_ref()))).collect();
        of_files.sort_by_key(|(file, _)| *file);
        let mut sums = LineSums::default();
        let classes_of_file = of_files.chunk_by(|(one, _), (other, _)| one == other);
        let files = self.files.iter().zip(classes_of_file).map(|(&(package, name), classes)| {
            (package, source_file(self.package_name(package), name, classes, &mut sums))
        });
        let named_by = order.iter().filter_map(|&class| self.file_of_class.get(class).copied().flatten());
        let order = in_java_order(first_of_each(named_by, self.files.len()), |number| {
            let (package, name) = self.files.get(number).copied().unwrap_or_default();
            format!("{}/{name}", self.package_name(package))
        });
        rearranged(files.collect(), &order)
    }

    /// The packages by number, with nothing in them yet.
    fn empty_packages(&self) -> Vec<PackageCoverage> {
        let mut class_counts = vec![0; self.packages.len()];
        for &number in &self.package_of_class {
            if let Some(count) = class_counts.get_mut(number) {
                *count += 1;
            }
        }
        let empty = |(name, class_count): (&&str, usize)| PackageCoverage {
            name: (*name).to_owned(),
            classes: Vec::with_capacity(class_count),
            source_files: Vec::new(),
            counters: Counters::default(),
        };
        self.packages.iter().zip(class_counts).map(empty).collect()
    }

    /// The numbers of the packages in the order that follows from that of the classes.
    fn package_order(&self, order: &[usize]) -> Vec<usize> {
        let named_by = order.iter().filter_map(|&class| self.package_of_class.get(class).copied());
        in_java_order(first_of_each(named_by, self.packages.len()), |number| self.package_name(number))
    }
}

/// Numbers for values, from 0 on, in the order in which they are asked for first.
struct Numbers<T> {
    values: Vec<T>,
    numbers: HashMap<T, usize>,
    last: usize,
}

impl<T> Default for Numbers<T> {
    fn default() -> Self {
        Self { values: Vec::new(), numbers: HashMap::new(), last: 0 }
    }
}

impl<T: Copy + Eq + Hash> Numbers<T> {
    fn number_of(&mut self, value: T) -> usize {
        // Classes of a package and of a source file mostly follow each other.
        if self.values.get(self.last) != Some(&value) {
            self.last = *self.numbers.entry(value).or_insert_with(|| {
                self.values.push(value);
                self.values.len() - 1
            });
        }
        self.last
    }
}

/// A source file from its classes.
fn source_file(
    package: &str,
    name: &str,
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

/// Each of some numbers below a limit once, where it comes first.
fn first_of_each(numbers: impl Iterator<Item = usize>, limit: usize) -> Vec<usize> {
    let mut seen = vec![false; limit];
    let is_first = |&number: &usize| seen.get_mut(number).is_some_and(|seen| !std::mem::replace(seen, true));
    numbers.filter(is_first).collect()
}

/// Numbers in the order in which a Java map has their keys, if they are put there in the order in which they come.
fn in_java_order<K: AsRef<str>>(numbers: Vec<usize>, key: impl Fn(usize) -> K) -> Vec<usize> {
    let order = iteration_order(numbers.iter().map(|&number| key(number)));
    rearranged(numbers, &order)
}

/// Values in the order of some positions.
fn rearranged<T>(values: Vec<T>, order: &[usize]) -> Vec<T> {
    let mut values: Vec<Option<T>> = values.into_iter().map(Some).collect();
    order.iter().filter_map(|&at| values.get_mut(at).and_then(Option::take)).collect()
}
