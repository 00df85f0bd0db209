//! The boxed form of an inline class: its methods only call the static ones.

use super::super::body::Body;
use super::super::output::FilterOutput;
use probity_classfile::access;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.class.has_annotation("Lkotlin/jvm/JvmInline;") && body.access & access::STATIC == 0 {
        out.ignore_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;
    use probity_classfile::access;

    #[test]
    fn the_methods_of_the_boxed_form_are_ignored() {
        method("- return").class_annotation("Lkotlin/jvm/JvmInline;").check_ignored(super::apply);
    }

    #[test]
    fn the_static_ones_are_not() {
        method("return")
            .class_annotation("Lkotlin/jvm/JvmInline;")
            .access(access::STATIC)
            .check_ignored(super::apply);
    }

    #[test]
    fn other_classes_are_not() {
        method("return").check_ignored(super::apply);
    }
}
