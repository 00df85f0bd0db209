//! Classes and methods with an annotation that says that they were generated.

use super::body::{Body, INVISIBLE, VISIBLE};
use super::output::FilterOutput;
use probity_classfile::Mutf8;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.class.annotations.iter().copied().any(says_generated)
        || body.has_annotation(&[VISIBLE, INVISIBLE], says_generated)
    {
        out.ignore_all();
    }
}

/// Whether the simple name of an annotation says so.
fn says_generated(descriptor: Mutf8<'_>) -> bool {
    let name = descriptor.as_bytes();
    let start = name.iter().rposition(|byte| matches!(byte, b'/' | b'$')).map_or(0, |at| at + 1);
    name.get(start..).unwrap_or_default().windows(9).any(|part| part == b"Generated")
}

#[cfg(test)]
mod tests {
    use super::super::test_method::method;
    use super::*;

    #[test]
    fn the_simple_name_decides() {
        let says = |text: &'static str| says_generated(Mutf8::new(text.as_bytes()));
        assert!(says("Llombok/Generated;"));
        assert!(says("Lx/Outer$MyGenerated;"));
        assert!(says("LGeneratedByMe;"));
        assert!(!says("Lx/Generated/Other;"));
        assert!(!says("Lx/Gen;"));
    }

    #[test]
    fn a_method_that_is_said_to_be_generated_is_ignored() {
        method("- return").invisible("Llombok/Generated;").check_ignored(super::apply);
    }

    #[test]
    fn a_class_that_is_said_to_be_generated_is_ignored() {
        method("- return").class_annotation("Lx/ImmutablesGenerated;").check_ignored(super::apply);
    }

    #[test]
    fn other_annotations_mean_nothing() {
        method("return").visible("Ljava/lang/Deprecated;").check_ignored(super::apply);
    }
}
