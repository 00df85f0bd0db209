//! Bridge methods, which only call the method that they stand for.

use super::body::Body;
use super::output::FilterOutput;
use probity_classfile::access;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.access & access::BRIDGE != 0 {
        out.ignore_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_method::method;
    use probity_classfile::access;

    #[test]
    fn a_bridge_is_ignored() {
        method("- return").access(access::BRIDGE).check_ignored(super::apply);
    }

    #[test]
    fn a_synthetic_method_is_no_bridge() {
        method("return").access(access::SYNTHETIC).check_ignored(super::apply);
    }
}
