//! Classes that a compiler made for itself, such as javac's maps from enum constants to numbers.

use super::body::Body;
use super::output::FilterOutput;
use probity_classfile::access;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.class.access & access::SYNTHETIC != 0 {
        out.ignore_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_method::method;
    use probity_classfile::access;

    #[test]
    fn a_class_of_the_compiler_is_ignored() {
        method("- return").class_access(access::SYNTHETIC).check_ignored(super::apply);
    }

    #[test]
    fn a_synthetic_method_does_not_make_its_class_synthetic() {
        method("return").access(access::SYNTHETIC).check_ignored(super::apply);
    }
}
