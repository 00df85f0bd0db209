//! `entries` of an enum.

use super::super::body::Body;
use super::super::output::FilterOutput;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.class.super_name.is_some_and(|name| name == "java/lang/Enum")
        && body.name == "getEntries"
        && body.descriptor == "()Lkotlin/enums/EnumEntries;"
    {
        out.ignore_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;

    #[test]
    fn entries_are_ignored() {
        method(
            "- aconst_null
             - areturn",
        )
        .of("a/B", "java/lang/Enum")
        .named("getEntries", "()Lkotlin/enums/EnumEntries;")
        .check_ignored(super::apply);
    }

    #[test]
    fn entries_of_a_class_are_not() {
        method(
            "aconst_null
             areturn",
        )
        .named("getEntries", "()Lkotlin/enums/EnumEntries;")
        .check_ignored(super::apply);
    }
}
