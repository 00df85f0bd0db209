//! Puts the whole corpus, rewritten in every way, before the JVMs of all installed JDKs.
//!
//! The tests of the class-file crate do the same on a sample. This is the long form, whose result is kept in
//! `docs/results`. A JVM must say of each class what it said before it was rewritten.

mod subroutines;

use std::fmt::Write as _;

use probity_classpath::Source;
use probity_test_support::corpus::{self, Part};
use probity_test_support::java::installed_jdks;
use probity_toolchain::Jdk;

use crate::class_set::{ClassSet, NamedClass};
use crate::comparison::{Comparison, RewrittenSet, compare, link, rewrite_all};
use crate::failure::Failure;
use crate::insertions::Insertions;

/// From which the random places of insertions come.
const SEED: u64 = 2026;

/// What was found.
#[derive(Debug, Default)]
pub struct Report {
    /// Tables for people, in Markdown.
    pub tables: String,
    /// Everything that is not as it should be.
    pub differences: Vec<String>,
}

/// Rewrites and verifies everything; `progress` hears what is being done.
///
/// # Errors
///
/// Fails when a JDK or a jar is missing or cannot be read, or when a class cannot be rewritten.
pub fn verify_rewrite(progress: &dyn Fn(&str)) -> Result<Report, Failure> {
    let jdks = installed_jdks();
    let mut report = Report::default();
    report.tables += "| JDK | classes of | inserted | bodies | too large | classes | linked | refused as before \
                      | different |\n|---|---|---|---:|---:|---:|---:|---:|---:|\n";
    for jdk in &jdks {
        for (name, set) in [("the corpus", corpus_classes()?), ("the JDK itself", runtime_classes(jdk)?)] {
            progress(&format!("JDK {}: {} classes of {name}", jdk.version(), set.classes.len()));
            verify_set(jdk, name, &set.classes, &mut report, progress)?;
        }
    }
    subroutines::verify(&jdks, &mut report, progress)?;
    Ok(report)
}

/// The classes of the verifiable part of the corpus.
fn corpus_classes() -> Result<ClassSet, Failure> {
    let mut set = ClassSet::default();
    for jar in corpus::fetched(Part::Verifiable)? {
        set.add_jar(&jar.path).map_err(Failure)?;
    }
    Ok(set)
}

/// The classes of a JDK's runtime image that another loader may define.
fn runtime_classes(jdk: &Jdk) -> Result<ClassSet, Failure> {
    let mut set = ClassSet::default();
    let source = Source::open(format!("jrt:{}", jdk.home().display()))?;
    let name_of = |entry: &str| entry.split_once('/').map(|(module, _)| module.len() + 1);
    let may_be_defined = |name: &str| !name.starts_with("java/");
    set.add(&source, |entry| entry.get(name_of(entry)?..).filter(|name| may_be_defined(name)))
        .map_err(Failure)?;
    Ok(set)
}

fn verify_set(
    jdk: &Jdk,
    name: &str,
    classes: &[NamedClass],
    report: &mut Report,
    progress: &dyn Fn(&str),
) -> Result<(), Failure> {
    let before = link(jdk, classes).map_err(Failure)?;
    for insertions in Insertions::ALL {
        progress(insertions.name());
        let rewritten = rewrite_all(classes, insertions, SEED).map_err(Failure)?;
        let after = link(jdk, &rewritten.classes).map_err(Failure)?;
        let comparison = compare(classes, &before, &after);
        add_row(jdk, name, insertions, &rewritten, &comparison, &mut report.tables);
        let title = format!("JDK {}, {}", jdk.version(), insertions.name());
        report.differences.extend(comparison.differences.iter().map(|one| format!("{title}: {one}")));
    }
    Ok(())
}

fn add_row(
    jdk: &Jdk,
    name: &str,
    insertions: Insertions,
    rewritten: &RewrittenSet,
    comparison: &Comparison,
    table: &mut String,
) {
    // A string takes everything.
    let _ = writeln!(
        table,
        "| {} | {name} | {} | {} | {} | {} | {} | {} | {} |",
        jdk.version(),
        insertions.name(),
        rewritten.bodies,
        rewritten.too_large,
        comparison.classes,
        comparison.linked,
        comparison.refused_alike,
        comparison.differences.len()
    );
}
