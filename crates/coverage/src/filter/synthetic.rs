//! Methods that a compiler made for itself, except the bodies of lambdas.

use super::body::Body;
use super::output::FilterOutput;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    let name = body.name.as_bytes();
    let lambda = name.starts_with(b"lambda$");
    let scala_lambda = body.class.is_scala && name.starts_with(b"$anonfun$");
    if body.is_synthetic() && !lambda && !scala_lambda {
        out.ignore_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_method::method;
    use probity_classfile::access;

    #[test]
    fn a_method_of_the_compiler_is_ignored() {
        method("- return").named("access$000", "()V").access(access::SYNTHETIC).check_ignored(super::apply);
    }

    #[test]
    fn the_body_of_a_lambda_is_not() {
        method("return").named("lambda$m$0", "()V").access(access::SYNTHETIC).check_ignored(super::apply);
    }

    #[test]
    fn the_body_of_a_lambda_of_scala_is_not() {
        method("return")
            .named("$anonfun$m$1", "()V")
            .access(access::SYNTHETIC)
            .class_attribute("ScalaSig")
            .check_ignored(super::apply);
    }

    #[test]
    fn elsewhere_that_name_means_nothing() {
        method("- return").named("$anonfun$m$1", "()V").access(access::SYNTHETIC).check_ignored(super::apply);
    }

    #[test]
    fn a_method_of_the_source_is_not() {
        method("return").named("access$000", "()V").check_ignored(super::apply);
    }
}
