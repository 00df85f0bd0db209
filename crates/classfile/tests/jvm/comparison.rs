//! Compares what a JVM says about classes and about what they were rewritten to, class by class.

use probity_test_support::link::{LinkResult, link_together};
use probity_toolchain::Jdk;

use crate::class_set::{NamedClass, given};
use crate::insertions::Insertions;

/// Classes that were rewritten in one way.
#[derive(Debug)]
pub(crate) struct RewrittenSet {
    pub(crate) classes: Vec<NamedClass>,
    /// How many bodies were rewritten.
    pub(crate) bodies: usize,
    /// How many stayed as they were because they would have become too large.
    pub(crate) too_large: usize,
}

/// Rewrites all classes in one way.
pub(crate) fn rewrite_all(
    classes: &[NamedClass],
    insertions: Insertions,
    seed: u64,
) -> Result<RewrittenSet, String> {
    let mut set = RewrittenSet { classes: Vec::with_capacity(classes.len()), bodies: 0, too_large: 0 };
    for (position, class) in classes.iter().enumerate() {
        let rewritten = insertions
            .rewrite(&class.bytes, seed.wrapping_add(position as u64))
            .map_err(|error| format!("{}: {error}", class.name))?;
        set.bodies += rewritten.bodies;
        set.too_large += rewritten.too_large;
        set.classes.push(NamedClass { name: class.name.clone(), bytes: rewritten.bytes });
    }
    Ok(set)
}

/// How the answers about two forms of the same classes relate.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// How many classes there are.
    pub(crate) classes: usize,
    /// How many were linked in both forms.
    pub(crate) linked: usize,
    /// How many were refused in both forms, with the same exception.
    pub(crate) refused_alike: usize,
    /// What was said about the others.
    pub(crate) differences: Vec<String>,
}

/// Compares answers about the same classes, in the same order. Only what both were asked about counts.
pub(crate) fn compare(classes: &[NamedClass], before: &[LinkResult], after: &[LinkResult]) -> Comparison {
    let mut comparison = Comparison::default();
    for ((class, before), after) in classes.iter().zip(before).zip(after) {
        comparison.classes += 1;
        match (before, after) {
            (LinkResult::Linked, LinkResult::Linked) => comparison.linked += 1,
            (LinkResult::Refused { .. }, _) if before.agrees_with(after) => comparison.refused_alike += 1,
            _ => comparison.differences.push(format!("{}\n  was: {before}\n  is: {after}", class.name)),
        }
    }
    comparison
}

/// What a JVM says about classes.
pub(crate) fn link(jdk: &Jdk, classes: &[NamedClass]) -> Result<Vec<LinkResult>, String> {
    link_together(jdk, &given(classes)).map_err(|error| format!("{jdk}: {error}"))
}
