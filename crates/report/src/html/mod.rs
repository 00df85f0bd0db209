//! A report for people: one folder of pages that opens from the file system and needs no network.
//!
//! Pages are whole without scripts, so that they can be read on servers that forbid them; scripts add sorting, search and
//! keys. There is one page for each group, bundle, package and source file; classes and their methods stand on the page
//! of their source file, at anchors that stay the same from report to report. Nothing here reads or writes files: a page is asked for
//! with the text of its source, so that pages can be made on all cores.

mod file_names;
mod file_page;
mod highlight;
mod layout;
mod overview;
mod search_index;
mod source;
mod table;

use crate::{LineUnits, Report, ReportNode, joined};
use file_names::FileNames;
use probity_coverage::names::{class_name, package_name};
use probity_coverage::{BundleCoverage, ClassCoverage, PackageCoverage, SourceFileCoverage};

/// The pages of a report.
#[derive(Debug)]
pub struct HtmlSite<'r> {
    report: &'r Report,
    notes: Vec<String>,
    pages: Vec<Page<'r>>,
    /// The units behind each line, if they are shown.
    units: Option<&'r LineUnits>,
}

/// One page.
#[derive(Debug)]
pub struct Page<'r> {
    /// Where it is in the folder of the report, with slashes.
    path: String,
    title: String,
    /// The pages above it, from the first.
    crumbs: Vec<Crumb>,
    contents: Contents<'r>,
}

/// A page above another.
#[derive(Clone, Debug)]
struct Crumb {
    name: String,
}

/// What is on a page.
#[derive(Debug)]
enum Contents<'r> {
    /// A group: its parts and their folders.
    Group(&'r ReportNode, Vec<String>),
    /// A bundle: its packages.
    Bundle(&'r BundleCoverage, Vec<PackagePlace<'r>>),
    /// All classes of a bundle.
    Classes(&'r BundleCoverage, Vec<PackagePlace<'r>>),
    Package(PackagePlace<'r>),
    File(FileView<'r>),
    Sessions,
}

/// A package with code, and where its pages are.
#[derive(Clone, Debug)]
struct PackagePlace<'r> {
    package: &'r PackageCoverage,
    folder: String,
    files: Vec<FileView<'r>>,
}

/// What is shown on one page: a source file and its classes, or a class of which the source file is not known.
#[derive(Clone, Debug)]
struct FileView<'r> {
    group: String,
    source: Option<&'r SourceFileCoverage>,
    /// The classes with code, in the order of their first lines.
    classes: Vec<&'r ClassCoverage>,
    /// The name of the page, in the folder of the package.
    page: String,
}

/// Which source file is shown on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceOfPage<'p> {
    /// The group of the bundle, as [`ReportNode::bundles`] gives it.
    pub group: &'p str,
    /// The package, with slashes.
    pub package: &'p str,
    /// The name of the file.
    pub file: &'p str,
}

impl Page<'_> {
    /// Where the page is in the folder of the report, with slashes.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The source file that is shown on the page.
    #[must_use]
    pub fn source(&self) -> Option<SourceOfPage<'_>> {
        let Contents::File(view) = &self.contents else { return None };
        let file = view.source?;
        Some(SourceOfPage { group: &view.group, package: &file.package, file: &file.name })
    }

    /// In how many folders the page is. Some pages are beside the one above them, others have a folder of their own.
    fn depth(&self) -> usize {
        let is_beside =
            matches!(self.contents, Contents::File(_) | Contents::Classes(..) | Contents::Sessions);
        self.crumbs.len().saturating_sub(usize::from(is_beside))
    }
}

/// Whether a page was made by this program.
#[must_use]
pub fn is_page(text: &str) -> bool {
    text.contains(layout::GENERATOR)
}

impl<'r> HtmlSite<'r> {
    /// The pages of a report. Notes are what its readers must know of what could not be used.
    #[must_use]
    pub fn new(report: &'r Report, notes: Vec<String>) -> Self {
        let mut site = Self { report, notes, pages: Vec::new(), units: None };
        let sessions = Crumb { name: report.root.name().to_owned() };
        site.add("sessions.html".to_owned(), "Sessions", &[sessions], Contents::Sessions);
        site.add_node(&report.root, "", "", &[]);
        site
    }

    /// The same pages, with the test units that cover each line.
    #[must_use]
    pub fn with_units(mut self, units: &'r LineUnits) -> Self {
        self.units = Some(units);
        self
    }

    /// All pages; the first page of the report is called `index.html`.
    #[must_use]
    pub fn pages(&self) -> &[Page<'r>] {
        &self.pages
    }

    /// The files that all pages share, by path.
    #[must_use]
    pub fn assets(&self) -> Vec<(&'static str, String)> {
        vec![
            ("assets/probity.css", include_str!("assets/probity.css").to_owned()),
            ("assets/probity.js", include_str!("assets/probity.js").to_owned()),
            ("assets/search-index.js", search_index::write(self)),
        ]
    }

    /// The text of a page. `source` is the text of the source file that it shows, if that was found.
    #[must_use]
    pub fn render(&self, page: &Page<'_>, source: Option<&str>) -> String {
        let notes = if page.crumbs.is_empty() { self.notes.as_slice() } else { &[] };
        layout::page(page, |out| match &page.contents {
            Contents::Group(node, folders) => overview::group(node, folders, notes, out),
            Contents::Bundle(bundle, packages) => overview::bundle(bundle, packages, notes, out),
            Contents::Classes(bundle, packages) => overview::classes(bundle, packages, out),
            Contents::Package(place) => overview::package(place, out),
            Contents::File(view) => file_page::write(view, source, self.units, out),
            Contents::Sessions => overview::sessions(self.report, &self.notes, out),
        })
    }

    fn add(&mut self, path: String, title: &str, crumbs: &[Crumb], contents: Contents<'r>) {
        self.pages.push(Page { path, title: title.to_owned(), crumbs: crumbs.to_vec(), contents });
    }

    fn add_node(&mut self, node: &'r ReportNode, folder: &str, group: &str, crumbs: &[Crumb]) {
        let mut names = FileNames::with_taken(&["assets", "index.html", "classes.html", "sessions.html"]);
        let below: Vec<Crumb> =
            crumbs.iter().cloned().chain([Crumb { name: node.name().to_owned() }]).collect();
        let index = format!("{folder}index.html");
        match node {
            ReportNode::Group { name, children } => {
                let folders: Vec<String> =
                    children.iter().map(|child| names.unique(child.name(), "")).collect();
                for (child, name) in children.iter().zip(&folders) {
                    let group =
                        if group.is_empty() { child.name().to_owned() } else { joined(group, child.name()) };
                    self.add_node(child, &format!("{folder}{name}/"), &group, &below);
                }
                self.add(index, name, crumbs, Contents::Group(node, folders));
            }
            ReportNode::Bundle(bundle) => {
                let with_code = bundle.packages.iter().filter(|package| package.counters.contains_code());
                let packages: Vec<PackagePlace<'r>> = with_code
                    .map(|package| {
                        let folder = names.unique(&package_name(&package.name), "");
                        PackagePlace { package, folder, files: files_of(package, group) }
                    })
                    .collect();
                packages.iter().for_each(|place| self.add_package(place, folder, &below));
                self.add(index, &bundle.name, crumbs, Contents::Bundle(bundle, packages.clone()));
                let contents = Contents::Classes(bundle, packages);
                self.add(format!("{folder}classes.html"), "All classes", &below, contents);
            }
        }
    }

    fn add_package(&mut self, place: &PackagePlace<'r>, folder: &str, crumbs: &[Crumb]) {
        let name = package_name(&place.package.name);
        let folder = format!("{folder}{}/", place.folder);
        let below: Vec<Crumb> = crumbs.iter().cloned().chain([Crumb { name: name.clone() }]).collect();
        for view in &place.files {
            self.add(format!("{folder}{}", view.page), &view.title(), &below, Contents::File(view.clone()));
        }
        self.add(format!("{folder}index.html"), &name, crumbs, Contents::Package(place.clone()));
    }
}

impl FileView<'_> {
    fn title(&self) -> String {
        match (self.source, self.classes.first()) {
            (Some(source), _) => source.name.clone(),
            (None, Some(class)) => display_name(class),
            (None, None) => String::new(),
        }
    }
}

/// The pages of a package: its source files, then the classes that name none.
fn files_of<'r>(package: &'r PackageCoverage, group: &str) -> Vec<FileView<'r>> {
    let mut names = FileNames::with_taken(&["index.html"]);
    let mut by_file: std::collections::HashMap<&str, Vec<&ClassCoverage>> = std::collections::HashMap::new();
    let mut alone = Vec::new();
    for class in package.classes.iter().filter(|class| class.counters.contains_code()) {
        match class.source_file.as_deref() {
            Some(file) => by_file.entry(file).or_default().push(class),
            None => alone.push(class),
        }
    }
    let mut views = Vec::new();
    for source in package.source_files.iter().filter(|source| source.counters.contains_code()) {
        let mut classes = by_file.remove(source.name.as_str()).unwrap_or_default();
        classes.sort_by_key(|class| (class.lines.first(), class.name.as_str()));
        let page = names.unique(&source.name, ".html");
        views.push(FileView { group: group.to_owned(), source: Some(source), classes, page });
    }
    for class in alone {
        let page = names.unique(&class_anchor(class), ".html");
        views.push(FileView { group: group.to_owned(), source: None, classes: vec![class], page });
    }
    views
}

/// Where a class is on its page.
fn class_anchor(class: &ClassCoverage) -> String {
    class.name.rsplit('/').next().unwrap_or(&class.name).to_owned()
}

/// A class as people call it in its package.
fn display_name(class: &ClassCoverage) -> String {
    class_name(&class.name, class.super_name.as_deref(), &class.interfaces)
}
