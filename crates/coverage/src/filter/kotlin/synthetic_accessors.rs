//! Methods through which inner code reaches private members.

use super::super::body::Body;
use super::super::output::FilterOutput;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.is_synthetic() && body.name.as_bytes().starts_with(b"access$") {
        out.ignore_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;
    use probity_classfile::access;

    #[test]
    fn an_accessor_is_ignored() {
        method("- return").named("access$f", "()V").access(access::SYNTHETIC).check_ignored(super::apply);
    }

    #[test]
    fn a_method_of_the_source_is_not() {
        method("return").named("access$f", "()V").check_ignored(super::apply);
    }

    #[test]
    fn another_synthetic_method_is_not() {
        method("return").named("f$lambda", "()V").access(access::SYNTHETIC).check_ignored(super::apply);
    }
}
