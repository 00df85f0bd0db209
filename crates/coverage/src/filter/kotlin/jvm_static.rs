//! Static methods that only call the companion.

use super::super::body::{Body, VISIBLE};
use super::super::output::FilterOutput;
use probity_classfile::access;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    let delegates = || {
        body.is(0, Opcode::GETSTATIC)
            && body.member(0).is_some_and(|field| field.class == body.class.name && field.name == "Companion")
    };
    if body.access & access::STATIC != 0
        && body.has_annotation(&[VISIBLE], |annotation| annotation == "Lkotlin/jvm/JvmStatic;")
        && delegates()
    {
        out.ignore_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;
    use probity_classfile::access;

    #[test]
    fn a_call_of_the_companion_is_ignored() {
        method(
            "- getstatic a/B.Companion La/B$Companion;
             - invokevirtual a/B$Companion.f()V
             - return",
        )
        .access(access::STATIC)
        .visible("Lkotlin/jvm/JvmStatic;")
        .check_ignored(super::apply);
    }

    #[test]
    fn another_field_is_not_the_companion() {
        method(
            "getstatic a/B.Other La/B$Companion;
             invokevirtual a/B$Companion.f()V
             return",
        )
        .access(access::STATIC)
        .visible("Lkotlin/jvm/JvmStatic;")
        .check_ignored(super::apply);
    }

    #[test]
    fn without_the_annotation_it_is_the_sources() {
        method(
            "getstatic a/B.Companion La/B$Companion;
             invokevirtual a/B$Companion.f()V
             return",
        )
        .access(access::STATIC)
        .check_ignored(super::apply);
    }
}
