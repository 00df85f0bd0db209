//! `values` and `valueOf`, which compilers add to enums.

use super::body::Body;
use super::output::FilterOutput;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.class.super_name.is_none_or(|name| name != "java/lang/Enum") {
        return;
    }
    let own = body.class.name.as_bytes();
    let values = [b"()[L", own, b";"].concat();
    let value_of = [b"(Ljava/lang/String;)L", own, b";"].concat();
    let descriptor = body.descriptor.as_bytes();
    if (body.name == "values" && descriptor == values) || (body.name == "valueOf" && descriptor == value_of) {
        out.ignore_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_method::method;

    #[test]
    fn values_are_ignored() {
        method(
            "- aconst_null
             - areturn",
        )
        .of("a/B", "java/lang/Enum")
        .named("values", "()[La/B;")
        .check_ignored(super::apply);
    }

    #[test]
    fn value_of_is_ignored() {
        method(
            "- aconst_null
             - areturn",
        )
        .of("a/B", "java/lang/Enum")
        .named("valueOf", "(Ljava/lang/String;)La/B;")
        .check_ignored(super::apply);
    }

    #[test]
    fn values_of_another_type_are_not() {
        method(
            "aconst_null
             areturn",
        )
        .of("a/B", "java/lang/Enum")
        .named("values", "()[La/C;")
        .check_ignored(super::apply);
    }

    #[test]
    fn values_of_a_class_are_not() {
        method(
            "aconst_null
             areturn",
        )
        .named("values", "()[La/B;")
        .check_ignored(super::apply);
    }
}
