//! Writes coverage in every format that tools read.
//!
//! Formats take what was counted and write text into memory; they count nothing themselves and open no files. XML and CSV
//! are JaCoCo's, byte for byte.

mod annotations;
mod cobertura;
mod csv;
mod html;
mod java_date;
mod json;
mod junit;
mod lcov;
mod line_units;
mod markdown;
mod missed;
mod patch_markdown;
mod paths;
mod sonar;
mod summary;
mod table;
mod xml;
mod xml_text;

pub use annotations::write_annotations;
pub use cobertura::write_cobertura;
pub use csv::write_csv;
pub use html::{HtmlSite, Page, SourceOfPage, is_page};
pub use java_date::JavaDate;
pub use json::write_json;
pub use junit::{TestCaseResult, TestSuiteResult, test_suite_xml};
pub use lcov::write_lcov;
pub use line_units::{FileUnits, LineUnits};
pub use markdown::write_markdown;
pub use patch_markdown::write_patch_markdown;
pub use paths::{PackagePaths, SourcePaths};
pub use sonar::write_sonar;
pub use table::{TableOptions, TableStyles, write_table};
pub use xml::{write_xml, xml_text};

use probity_coverage::{BundleCoverage, Counter, Counters};

/// A report: what was executed when, and the coverage that came of it.
#[derive(Clone, Debug)]
pub struct Report {
    /// The sessions, in the order of their dump times.
    pub sessions: Vec<SessionInfo>,
    /// A bundle, or groups of bundles.
    pub root: ReportNode,
}

/// When something was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionInfo {
    /// The name of the session.
    pub id: String,
    /// When it started, in milliseconds since 1970.
    pub start_millis: i64,
    /// When its data was written.
    pub dump_millis: i64,
}

/// A bundle, or a group of bundles and groups.
#[derive(Clone, Debug)]
pub enum ReportNode {
    /// A bundle.
    Bundle(BundleCoverage),
    /// A group.
    Group {
        /// The name.
        name: String,
        /// What it consists of.
        children: Vec<ReportNode>,
    },
}

impl ReportNode {
    /// A group of bundles, each with the names of the groups between, joined by `/`: empty for none. Groups are in the
    /// order in which they are first named.
    #[must_use]
    pub fn grouped(name: &str, bundles: impl IntoIterator<Item = (String, BundleCoverage)>) -> Self {
        let mut children = Vec::new();
        for (path, bundle) in bundles {
            add_below(&mut children, &path, bundle);
        }
        Self::Group { name: name.to_owned(), children }
    }

    /// The counters of all that it consists of.
    #[must_use]
    pub fn counters(&self) -> Counters {
        match self {
            Self::Bundle(bundle) => bundle.counters,
            Self::Group { children, .. } => {
                let mut counters = Counters::default();
                children.iter().for_each(|child| counters += child.counters());
                counters
            }
        }
    }

    /// All bundles, in order, each with the groups that lead to it from the root, joined by `/`: empty for a root that is
    /// a bundle.
    #[must_use]
    pub fn bundles(&self) -> Vec<(String, &BundleCoverage)> {
        match self {
            Self::Bundle(bundle) => vec![(String::new(), bundle)],
            Self::Group { children, .. } => {
                let below = children.iter().flat_map(|child| {
                    let bundles = child.bundles().into_iter();
                    bundles.map(|(path, bundle)| (joined(child.name(), &path), bundle))
                });
                below.collect()
            }
        }
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Bundle(bundle) => &bundle.name,
            Self::Group { name, .. } => name,
        }
    }
}

/// Adds a bundle to the group of a path; groups that are not there yet are made.
fn add_below(children: &mut Vec<ReportNode>, path: &str, bundle: BundleCoverage) {
    if path.is_empty() {
        children.push(ReportNode::Bundle(bundle));
        return;
    }
    let (first, below) = path.split_once('/').unwrap_or((path, ""));
    for child in children.iter_mut() {
        if let ReportNode::Group { name, children } = child
            && name == first
        {
            return add_below(children, below, bundle);
        }
    }
    let mut inner = Vec::new();
    add_below(&mut inner, below, bundle);
    children.push(ReportNode::Group { name: first.to_owned(), children: inner });
}

/// A path below another; nothing below it is the path itself.
fn joined(path: &str, below: &str) -> String {
    if below.is_empty() { path.to_owned() } else { format!("{path}/{below}") }
}

/// The counters with their names, in the order of JaCoCo's reports.
fn named(counters: &Counters) -> [(&'static str, Counter); 6] {
    [
        ("INSTRUCTION", counters.instructions),
        ("BRANCH", counters.branches),
        ("LINE", counters.lines),
        ("COMPLEXITY", counters.complexity),
        ("METHOD", counters.methods),
        ("CLASS", counters.classes),
    ]
}
