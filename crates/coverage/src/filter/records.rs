//! The methods that javac writes for records: `equals`, `hashCode`, `toString` and the accessors.

use super::body::Body;
use super::matcher::Matcher;
use super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.class.super_name.is_none_or(|name| name != "java/lang/Record") {
        return;
    }
    let generated = match (&*body.name.to_text(), &*body.descriptor.to_text()) {
        ("equals", "(Ljava/lang/Object;)Z") => is_object_method(body, true, Opcode::IRETURN),
        ("hashCode", "()I") => is_object_method(body, false, Opcode::IRETURN),
        ("toString", "()Ljava/lang/String;") => is_object_method(body, false, Opcode::ARETURN),
        _ => false,
    };
    if generated || is_accessor(body) {
        out.ignore_all();
    }
}

fn is_object_method(body: &Body<'_, '_, '_>, has_argument: bool, returns: Opcode) -> bool {
    let mut matcher = Matcher::new(body);
    matcher.first_is_load_0();
    if has_argument {
        matcher.next_is(Opcode::ALOAD);
    }
    matcher.next_is(Opcode::INVOKEDYNAMIC);
    matcher.require(|body, at| {
        body.dynamic_call(at).is_some_and(|(name, linked_by)| {
            name == body.name
                && linked_by.class == "java/lang/runtime/ObjectMethods"
                && linked_by.name == "bootstrap"
        })
    });
    matcher.next_is(returns);
    matcher.holds()
}

fn is_accessor(body: &Body<'_, '_, '_>) -> bool {
    if !body.descriptor.as_bytes().starts_with(b"()") {
        return false;
    }
    let mut matcher = Matcher::new(body);
    matcher.first_is_load_0();
    matcher.next_is(Opcode::GETFIELD);
    matcher.require(|body, at| body.member(at).is_some_and(|field| field.name == body.name));
    matcher.next();
    matcher.require(|body, at| {
        matches!(
            body.opcode(at),
            Some(Opcode::IRETURN | Opcode::LRETURN | Opcode::FRETURN | Opcode::DRETURN | Opcode::ARETURN)
        )
    });
    matcher.holds()
}

#[cfg(test)]
mod tests {
    use super::super::test_method::method;

    #[test]
    fn equals_is_ignored() {
        method(
            "- aload 0
             - aload 1
             - invokedynamic equals(La/B;Ljava/lang/Object;)Z java/lang/runtime/ObjectMethods.bootstrap
             - ireturn",
        )
        .of("a/B", "java/lang/Record")
        .named("equals", "(Ljava/lang/Object;)Z")
        .check_ignored(super::apply);
    }

    #[test]
    fn to_string_is_ignored() {
        method(
            "- aload 0
             - invokedynamic toString(La/B;)Ljava/lang/String; java/lang/runtime/ObjectMethods.bootstrap
             - areturn",
        )
        .of("a/B", "java/lang/Record")
        .named("toString", "()Ljava/lang/String;")
        .check_ignored(super::apply);
    }

    #[test]
    fn hash_code_is_ignored() {
        method(
            "- aload 0
             - invokedynamic hashCode(La/B;)I java/lang/runtime/ObjectMethods.bootstrap
             - ireturn",
        )
        .of("a/B", "java/lang/Record")
        .named("hashCode", "()I")
        .check_ignored(super::apply);
    }

    #[test]
    fn a_hash_code_that_others_link_is_not() {
        method(
            "aload 0
             invokedynamic hashCode(La/B;)I x/Y.bootstrap
             ireturn",
        )
        .of("a/B", "java/lang/Record")
        .named("hashCode", "()I")
        .check_ignored(super::apply);
    }

    #[test]
    fn a_hash_code_of_the_source_is_not() {
        method(
            "iconst_1
             ireturn",
        )
        .of("a/B", "java/lang/Record")
        .named("hashCode", "()I")
        .check_ignored(super::apply);
    }

    #[test]
    fn an_accessor_is_ignored() {
        method(
            "- aload 0
             - getfield a/B.x I
             - ireturn",
        )
        .of("a/B", "java/lang/Record")
        .named("x", "()I")
        .check_ignored(super::apply);
    }

    #[test]
    fn a_getter_of_another_name_is_not() {
        method(
            "aload 0
             getfield a/B.x I
             ireturn",
        )
        .of("a/B", "java/lang/Record")
        .named("getX", "()I")
        .check_ignored(super::apply);
    }

    #[test]
    fn a_getter_of_a_class_is_not() {
        method(
            "aload 0
             getfield a/B.x I
             ireturn",
        )
        .named("x", "()I")
        .check_ignored(super::apply);
    }
}
