//! The constructor of an enum that has none of its own.

use super::body::Body;
use super::matcher::Matcher;
use super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    let of_enum = body.class.super_name.is_some_and(|name| name == "java/lang/Enum");
    if !of_enum || body.name != "<init>" || body.descriptor != "(Ljava/lang/String;I)V" {
        return;
    }
    let mut matcher = Matcher::new(body);
    matcher.first_is_load_0();
    matcher.next_is(Opcode::ALOAD);
    matcher.next_is(Opcode::ILOAD);
    matcher.next_is_call(Opcode::INVOKESPECIAL, "java/lang/Enum", "<init>", "(Ljava/lang/String;I)V");
    matcher.next_is(Opcode::RETURN);
    if matcher.holds() {
        out.ignore_all();
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_method::method;

    #[test]
    fn a_constructor_that_does_nothing_is_ignored() {
        method(
            "- aload 0
             - aload 1
             - iload 2
             - invokespecial java/lang/Enum.<init>(Ljava/lang/String;I)V
             - return",
        )
        .of("a/B", "java/lang/Enum")
        .named("<init>", "(Ljava/lang/String;I)V")
        .check_ignored(super::apply);
    }

    #[test]
    fn one_that_does_something_is_not() {
        method(
            "aload 0
             aload 1
             iload 2
             invokespecial java/lang/Enum.<init>(Ljava/lang/String;I)V
             invokestatic a/B.more()V
             return",
        )
        .of("a/B", "java/lang/Enum")
        .named("<init>", "(Ljava/lang/String;I)V")
        .check_ignored(super::apply);
    }

    #[test]
    fn one_with_a_parameter_of_its_own_is_not() {
        method(
            "aload 0
             aload 1
             iload 2
             invokespecial java/lang/Enum.<init>(Ljava/lang/String;I)V
             return",
        )
        .of("a/B", "java/lang/Enum")
        .named("<init>", "(Ljava/lang/String;IZ)V")
        .check_ignored(super::apply);
    }
}
