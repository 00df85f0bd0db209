//! Private constructors without parameters that do nothing: they keep a class from being instantiated.

use super::body::Body;
use super::matcher::Matcher;
use super::output::FilterOutput;
use probity_classfile::access;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    let candidate = body.access & access::PRIVATE != 0 && body.name == "<init>" && body.descriptor == "()V";
    let Some(super_name) = body.class.super_name.filter(|_| candidate) else { return };
    let mut matcher = Matcher::new(body);
    matcher.first_is_load_0();
    matcher.next_is_field(Opcode::INVOKESPECIAL, super_name.as_bytes(), "<init>", "()V");
    matcher.next_is(Opcode::RETURN);
    if matcher.holds() {
        out.ignore_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_method::method;
    use probity_classfile::access;

    #[test]
    fn a_private_constructor_that_does_nothing_is_ignored() {
        method(
            "- aload 0
             - invokespecial java/lang/Object.<init>()V
             - return",
        )
        .named("<init>", "()V")
        .access(access::PRIVATE)
        .check_ignored(super::apply);
    }

    #[test]
    fn a_public_one_is_not() {
        method(
            "aload 0
             invokespecial java/lang/Object.<init>()V
             return",
        )
        .named("<init>", "()V")
        .access(access::PUBLIC)
        .check_ignored(super::apply);
    }

    #[test]
    fn one_that_does_something_is_not() {
        method(
            "aload 0
             invokespecial java/lang/Object.<init>()V
             nop
             return",
        )
        .named("<init>", "()V")
        .access(access::PRIVATE)
        .check_ignored(super::apply);
    }

    #[test]
    fn one_that_calls_another_of_its_class_is_not() {
        method(
            "aload 0
             invokespecial a/B.<init>()V
             return",
        )
        .named("<init>", "()V")
        .access(access::PRIVATE)
        .check_ignored(super::apply);
    }
}
