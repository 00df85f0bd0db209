//! What the plugin for Compose adds to composable functions.

use super::super::body::{Body, INVISIBLE};
use super::super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if body.has_annotation(&[INVISIBLE], |annotation| annotation == "Landroidx/compose/runtime/Composable;") {
        for at in 0..body.len() {
            look_at(body, out, at);
        }
    }
}

fn look_at(body: &Body<'_, '_, '_>, out: &mut FilterOutput, at: usize) -> Option<()> {
    let opcode = body
        .opcode(at)
        .filter(|opcode| (Opcode::INVOKEVIRTUAL..=Opcode::INVOKEINTERFACE).contains(opcode))?;
    let called = body.member(at)?;
    let is = |owner: &str, name: &str, descriptor: &str| {
        called.class == owner && called.name == name && called.descriptor == descriptor
    };
    let next = body.raw_next(at)?;
    let composer = "androidx/compose/runtime/Composer";
    let on_composer = opcode == Opcode::INVOKEINTERFACE;
    if on_composer && is(composer, "shouldExecute", "(ZI)Z") && body.is(next, Opcode::IFEQ) {
        out.ignore(0, next);
    } else if on_composer && is(composer, "getSkipping", "()Z") && body.is(next, Opcode::IFNE) {
        out.ignore(0, next);
        out.ignore(body.target(next)?, body.len() - 1);
    } else if on_composer && is(composer, "endRestartGroup", "()Landroidx/compose/runtime/ScopeUpdateScope;")
    {
        let jump = body.raw_next(next).filter(|_| body.is(next, Opcode::DUP))?;
        let pop = body.instruction_from(body.target(jump).filter(|_| body.is(jump, Opcode::IFNULL))?)?;
        if body.is(pop, Opcode::POP) {
            out.ignore(jump, pop);
        }
    } else if opcode == Opcode::INVOKESTATIC
        && is("androidx/compose/runtime/ComposerKt", "isTraceInProgress", "()Z")
        && body.is(next, Opcode::IFEQ)
    {
        out.ignore(next, body.target(next)?);
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;

    #[test]
    fn the_question_whether_to_skip_is_ignored_with_what_skips() {
        method(
            "- aload 0
             - invokeinterface androidx/compose/runtime/Composer.getSkipping()Z
             - ifne skip
             invokestatic a/B.content()V
             goto end
             - skip: aload 0
             - invokeinterface androidx/compose/runtime/Composer.skipToGroupEnd()V
             - end: return",
        )
        .invisible("Landroidx/compose/runtime/Composable;")
        .check_ignored(super::apply);
    }

    #[test]
    fn the_question_whether_to_execute_is_ignored() {
        method(
            "- aload 0
             - invokeinterface androidx/compose/runtime/Composer.shouldExecute(ZI)Z
             - ifeq skip
             invokestatic a/B.content()V
             skip: return",
        )
        .invisible("Landroidx/compose/runtime/Composable;")
        .check_ignored(super::apply);
    }

    #[test]
    fn tracing_is_ignored() {
        method(
            "nop
             invokestatic androidx/compose/runtime/ComposerKt.isTraceInProgress()Z
             - ifeq quiet
             - invokestatic a/B.trace()V
             quiet: return",
        )
        .invisible("Landroidx/compose/runtime/Composable;")
        .check_ignored(super::apply);
    }

    #[test]
    fn the_scope_is_ignored() {
        method(
            "aload 0
             invokeinterface androidx/compose/runtime/Composer.endRestartGroup()Landroidx/compose/runtime/ScopeUpdateScope;
             dup
             - ifnull none
             - invokestatic a/B.update(Ljava/lang/Object;)V
             - goto end
             - none: pop
             end: return",
        )
        .invisible("Landroidx/compose/runtime/Composable;")
        .check_ignored(super::apply);
    }

    #[test]
    fn without_the_annotation_it_is_the_sources() {
        method(
            "invokestatic androidx/compose/runtime/ComposerKt.isTraceInProgress()Z
             ifeq quiet
             invokestatic a/B.trace()V
             quiet: return",
        )
        .check_ignored(super::apply);
    }
}
