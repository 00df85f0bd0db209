//! Inlined subroutines of the whole corpus: compared with ASM's, and put before JVMs.

use std::fmt::Write as _;

use probity_test_support::corpus::{self, FetchedJar, Part};
use probity_toolchain::Jdk;

use super::Report;
use crate::class_set::{ClassSet, NamedClass};
use crate::comparison::{compare, link};
use crate::failure::Failure;
use crate::inlined_listing::{asm_listing, differences, inline_all, own_listing};
use crate::insertions::Insertions;

/// Adds a table with the jars that have subroutines.
pub(super) fn verify(jdks: &[Jdk], report: &mut Report, progress: &dyn Fn(&str)) -> Result<(), Failure> {
    report.tables += "\n| jar | methods with subroutines | as ASM inlines them | inlined bodies |";
    for jdk in jdks {
        let _ = write!(report.tables, " as before on JDK {} |", jdk.version());
    }
    report.tables += "\n|---|---:|---:|---:|";
    report.tables += &"---:|".repeat(jdks.len());
    report.tables.push('\n');
    for jar in corpus::fetched(Part::All)? {
        progress(&format!("subroutines of {}", jar.jar.artifact));
        verify_jar(jdks, &jar, report)?;
    }
    Ok(())
}

fn verify_jar(jdks: &[Jdk], jar: &FetchedJar, report: &mut Report) -> Result<(), Failure> {
    let Some(newest) = jdks.last() else { return Ok(()) };
    let mut set = ClassSet::default();
    set.add_jar(&jar.path).map_err(Failure)?;
    let mut own = Vec::new();
    for class in &set.classes {
        own.extend(
            own_listing(&class.bytes).map_err(|problem| Failure(format!("{}: {problem}", class.name)))?,
        );
    }
    let asm = asm_listing(newest, std::slice::from_ref(&jar.path)).map_err(Failure)?;
    let found = differences(&own, &asm);
    let artifact = jar.jar.artifact;
    if !own.is_empty() {
        let (inlined, bodies) = inline_set(&set.classes)?;
        let _ = write!(
            report.tables,
            "| {artifact} | {} | {} | {bodies} |",
            own.len(),
            own.len().saturating_sub(found.len())
        );
        for jdk in jdks {
            verify_inlined(jdk, &set.classes, &inlined, report)?;
        }
        report.tables.push('\n');
    }
    report.differences.extend(found.iter().map(|one| format!("{artifact}: {one}")));
    Ok(())
}

/// All classes with their subroutines inlined, and how many bodies had some.
fn inline_set(classes: &[NamedClass]) -> Result<(Vec<NamedClass>, usize), Failure> {
    let mut inlined = Vec::with_capacity(classes.len());
    let mut bodies = 0;
    for class in classes {
        let (bytes, count) = inline_all(&class.bytes)?;
        bodies += count;
        inlined.push(NamedClass { name: class.name.clone(), bytes });
    }
    Ok((inlined, bodies))
}

/// Both the inlined classes and those with code on every edge must be what the original ones are to a JVM.
fn verify_inlined(
    jdk: &Jdk,
    classes: &[NamedClass],
    inlined: &[NamedClass],
    report: &mut Report,
) -> Result<(), Failure> {
    let before = link(jdk, classes).map_err(Failure)?;
    let with_code =
        crate::comparison::rewrite_all(inlined, Insertions::EveryEdge, super::SEED).map_err(Failure)?;
    let mut fewest = classes.len();
    for after in [inlined, &with_code.classes] {
        let comparison = compare(classes, &before, &link(jdk, after).map_err(Failure)?);
        fewest = fewest.min(comparison.linked + comparison.refused_alike);
        let title = format!("JDK {}, inlined", jdk.version());
        report.differences.extend(comparison.differences.iter().map(|one| format!("{title}: {one}")));
    }
    let _ = write!(report.tables, " {fewest} of {} |", classes.len());
    Ok(())
}
