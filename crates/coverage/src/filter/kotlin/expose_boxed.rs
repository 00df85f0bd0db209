//! Methods that show inline classes to Java in their boxed form.

use super::super::body::{Body, INVISIBLE};
use super::super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.has_annotation(&[INVISIBLE], |annotation| annotation == "Lkotlin/jvm/JvmExposeBoxed;")
        && first_boxing_call(body) == Some(true)
    {
        out.ignore_all();
    }
}

/// Whether the first call that boxes or unboxes stands where the compiler puts it.
fn first_boxing_call(body: &Body<'_, '_, '_>) -> Option<bool> {
    (0..body.len()).find_map(|at| {
        let name = || body.member(at).map(|member| member.name);
        if body.is(at, Opcode::INVOKEVIRTUAL) && name()? == "unbox-impl" {
            return Some(body.raw_previous(at).is_some_and(|before| body.is(before, Opcode::ALOAD)));
        }
        if body.is(at, Opcode::INVOKESTATIC) && name()? == "box-impl" {
            return Some(body.raw_next(at).is_some_and(|next| body.is(next, Opcode::ARETURN)));
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;

    #[test]
    fn a_method_that_unboxes_its_argument_is_ignored() {
        method(
            "- aload 1
             - invokevirtual a/V.unbox-impl()I
             - invokestatic a/B.f-x(I)V
             - return",
        )
        .invisible("Lkotlin/jvm/JvmExposeBoxed;")
        .check_ignored(super::apply);
    }

    #[test]
    fn a_method_that_boxes_its_result_is_ignored() {
        method(
            "- invokestatic a/B.f-x()I
             - invokestatic a/V.box-impl(I)La/V;
             - areturn",
        )
        .invisible("Lkotlin/jvm/JvmExposeBoxed;")
        .check_ignored(super::apply);
    }

    #[test]
    fn boxing_in_the_middle_is_the_sources() {
        method(
            "invokestatic a/B.f-x()I
             invokestatic a/V.box-impl(I)La/V;
             pop
             return",
        )
        .invisible("Lkotlin/jvm/JvmExposeBoxed;")
        .check_ignored(super::apply);
    }

    #[test]
    fn without_the_annotation_it_is_the_sources() {
        method(
            "aload 1
             invokevirtual a/V.unbox-impl()I
             pop
             return",
        )
        .check_ignored(super::apply);
    }
}
