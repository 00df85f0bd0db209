//! Filters leave out what a compiler added and nobody can test, exactly where JaCoCo leaves it out.
//!
//! Each filter is a file that knows one pattern of one compiler. Filters only look at a body and say what to ignore, to
//! merge or to replace; they never change counts themselves and never affect where probes stand.

mod annotation_generated;
mod assert;
pub(crate) mod body;
mod bridge;
mod enum_empty_constructor;
mod enums;
mod exhaustive_switch;
mod finally;
mod kotlin;
mod matcher;
pub(crate) mod output;
mod private_empty_constructor;
mod record_pattern;
mod records;
mod string_switch;
mod string_switch_javac;
mod synchronized;
mod synthetic;
mod synthetic_class;
#[cfg(test)]
mod test_method;
mod try_with_resources_ecj;
mod try_with_resources_javac;
mod try_with_resources_javac_11;

use body::{Body, ClassFacts};
use matcher::Matcher;
use output::{FilterOutput, Replacement};

/// The filters of one class. Methods must be given in the order of the file: some filters remember.
pub(crate) struct Filters {
    kotlin: Option<kotlin::KotlinFilters>,
}

impl Filters {
    pub(crate) fn new(class: &ClassFacts<'_, '_>) -> Self {
        Self { kotlin: class.is_kotlin().then(kotlin::KotlinFilters::default) }
    }

    /// Puts into `out` everything that the filters say of a body.
    pub(crate) fn apply(&mut self, body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
        out.start(body.len());
        for filter in COMMON {
            filter(body, out);
        }
        match &mut self.kotlin {
            Some(kotlin) => kotlin.apply(body, out),
            None => synthetic::apply(body, out),
        }
    }
}

type Filter = fn(&Body<'_, '_, '_>, &mut FilterOutput);

const COMMON: [Filter; 17] = [
    synthetic_class::apply,
    enums::apply,
    bridge::apply,
    synchronized::apply,
    try_with_resources_javac_11::apply,
    try_with_resources_javac::apply,
    try_with_resources_ecj::apply,
    finally::apply,
    private_empty_constructor::apply,
    assert::apply,
    string_switch_javac::apply,
    string_switch::apply,
    enum_empty_constructor::apply,
    records::apply,
    exhaustive_switch::apply,
    record_pattern::apply,
    annotation_generated::apply,
];

/// Steps back from a handler until a pattern fits right behind a node. Gives the first node behind that one and the node
/// where the pattern ends, where the matcher then stands.
fn search_back<'x, 'm, 'c, 'a>(
    matcher: &mut Matcher<'x, 'm, 'c, 'a>,
    handler: usize,
    pattern: impl Fn(&mut Matcher<'x, 'm, 'c, 'a>),
) -> Option<(usize, usize)> {
    let mut before = matcher.body.raw_previous(handler)?;
    loop {
        matcher.at = Some(before);
        pattern(matcher);
        if let Some(end) = matcher.at {
            return Some((before + 1, end));
        }
        before = matcher.body.raw_previous(before)?;
    }
}

/// The branches of a switch without its default.
fn without_default(body: &Body<'_, '_, '_>, switch: usize) -> Replacement {
    let mut replacement = Replacement::default();
    let targets = body.targets(switch);
    let Some((default, cases)) = targets.split_first() else { return replacement };
    let mut seen = std::collections::HashSet::from([*default]);
    let mut branch = 0;
    for &label in cases {
        if seen.insert(label)
            && let Some(node) = body.label_node(label)
        {
            branch += 1;
            replacement.add(node, switch, branch);
        }
    }
    replacement
}

#[cfg(test)]
mod tests {
    use super::Filters;
    use super::test_method::{TestMethod, method};
    use probity_classfile::access;

    fn check_all(method: &TestMethod) {
        method.check_ignored(|body, out| Filters::new(body.class).apply(body, out));
    }

    #[test]
    fn synthetic_methods_count_in_classes_of_kotlin_only() {
        let lambda = |text| method(text).named("f$lambda", "()V").access(access::SYNTHETIC);
        check_all(&lambda("- return"));
        check_all(&lambda("return").class_annotation("Lkotlin/Metadata;"));
    }

    #[test]
    fn filters_of_kotlin_leave_other_classes_alone() {
        let (ignored, kept) = (
            "aload 1
             - ifnonnull set
             - invokestatic kotlin/jvm/internal/Intrinsics.throwNpe()V
             set: return",
            "aload 1
             ifnonnull set
             invokestatic kotlin/jvm/internal/Intrinsics.throwNpe()V
             set: return",
        );
        check_all(&method(ignored).class_annotation("Lkotlin/Metadata;"));
        check_all(&method(kept));
    }
}
