//! The state machine that a suspending function becomes.

use super::super::body::Body;
use super::super::matcher::Matcher;
use super::super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if let Some(parts) = state_machine(body) {
        for (from, to) in parts {
            out.ignore(from, to);
        }
    }
    for at in 0..body.len() {
        tail_call(body, out, at);
        suspend_without_state(body, out, at);
    }
}

const INTRINSICS: &str = "kotlin/coroutines/intrinsics/IntrinsicsKt";

fn next_is_suspended(matcher: &mut Matcher<'_, '_, '_, '_>) {
    matcher.next_is_call(Opcode::INVOKESTATIC, INTRINSICS, "getCOROUTINE_SUSPENDED", "()Ljava/lang/Object;");
}

fn is_suspended(body: &Body<'_, '_, '_>, at: usize) -> bool {
    body.is(at, Opcode::INVOKESTATIC)
        && body.member(at).is_some_and(|member| {
            member.class == INTRINSICS
                && member.name == "getCOROUTINE_SUSPENDED"
                && member.descriptor == "()Ljava/lang/Object;"
        })
}

/// All parts of the state machine, or nothing if it is not one.
fn state_machine(body: &Body<'_, '_, '_>) -> Option<Vec<(usize, usize)>> {
    let start = (0..body.len()).find(|&at| is_suspended(body, at))?;
    let mut matcher = Matcher::standing_at(body, start);
    let no_states = body.next_instruction(start).is_some_and(|next| body.is(next, Opcode::POP));
    if no_states {
        matcher.next_is(Opcode::POP);
    } else {
        matcher.next_is_local(Opcode::ASTORE, "COROUTINE_SUSPENDED");
    }
    matcher.next_is_local(Opcode::ALOAD, "this");
    matcher.next_is(Opcode::GETFIELD);
    matcher.next_is(Opcode::TABLESWITCH);
    let switch = matcher.at?;
    let targets = body.targets(switch);
    if no_states && targets.len() != 2 {
        return None;
    }
    next_is_throw_on_failure(&mut matcher);
    let mut parts = vec![(0, matcher.at?)];
    let mut state = 1;
    let mut at = matcher.at?;
    while state + 1 < targets.len() && at < body.len() {
        if let Some(end) = suspension(body, &mut matcher, at, body.label_node(*targets.get(state + 1)?)?) {
            parts.push((at, end));
            state += 1;
        }
        at += 1;
    }
    parts.push((body.target(switch)?, throwing_default(body, body.target(switch)?)?));
    Some(parts)
}

fn next_is_throw_on_failure(matcher: &mut Matcher<'_, '_, '_, '_>) {
    matcher.next_is(Opcode::ALOAD);
    let load = matcher.at;
    matcher.next_is_call(Opcode::INVOKESTATIC, "kotlin/ResultKt", "throwOnFailure", "(Ljava/lang/Object;)V");
    if matcher.holds() {
        return;
    }
    // Before Kotlin 1.3.
    matcher.at = load;
    matcher.next_is(Opcode::DUP);
    matcher.next_is_type(Opcode::INSTANCEOF, "kotlin/Result$Failure");
    matcher.next_is(Opcode::IFEQ);
    matcher.next_is_type(Opcode::CHECKCAST, "kotlin/Result$Failure");
    matcher.next_is(Opcode::GETFIELD);
    matcher.next_is(Opcode::ATHROW);
    matcher.next_is(Opcode::POP);
}

/// A place where the function suspends, which resumes at the label of the next state. Gives the last node to ignore.
fn suspension(
    body: &Body<'_, '_, '_>,
    matcher: &mut Matcher<'_, '_, '_, '_>,
    at: usize,
    resume: usize,
) -> Option<usize> {
    matcher.at = Some(at);
    matcher.next_is_local(Opcode::ALOAD, "COROUTINE_SUSPENDED");
    matcher.next_is(Opcode::IF_ACMPNE);
    let jump = matcher.at?;
    matcher.next_is_local(Opcode::ALOAD, "COROUTINE_SUSPENDED");
    matcher.next_is(Opcode::ARETURN);
    let next = body.next_instruction(matcher.at?)?;
    if body.instruction_from(resume) != Some(next) {
        return None;
    }
    body.raw_previous(body.target(jump)?)
}

fn throwing_default(body: &Body<'_, '_, '_>, default: usize) -> Option<usize> {
    let exception = "java/lang/IllegalStateException";
    let mut matcher = Matcher::standing_at(body, default);
    matcher.next_is_type(Opcode::NEW, exception);
    matcher.next_is(Opcode::DUP);
    matcher.next_is(Opcode::LDC);
    matcher.require(|body, at| {
        body.loaded_text(at).is_some_and(|text| text == "call to 'resume' before 'invoke' with coroutine")
    });
    matcher.next_is_call(Opcode::INVOKESPECIAL, exception, "<init>", "(Ljava/lang/String;)V");
    matcher.next_is(Opcode::ATHROW);
    matcher.at
}

fn tail_call(body: &Body<'_, '_, '_>, out: &mut FilterOutput, start: usize) {
    let mut matcher = Matcher::standing_at(body, start);
    matcher.next_is(Opcode::DUP);
    next_is_suspended(&mut matcher);
    matcher.next_is(Opcode::IF_ACMPNE);
    matcher.next_is(Opcode::ARETURN);
    matcher.next_is(Opcode::POP);
    if let (Some(end), Some(from)) = (matcher.at, body.raw_next(start)) {
        out.ignore(from, end);
    }
}

/// `suspendCoroutineUninterceptedOrReturn`: the probe for debuggers.
fn suspend_without_state(body: &Body<'_, '_, '_>, out: &mut FilterOutput, start: usize) {
    if !body.is(start, Opcode::DUP) {
        return;
    }
    let mut matcher = Matcher::standing_at(body, start);
    next_is_suspended(&mut matcher);
    matcher.next_is(Opcode::IF_ACMPNE);
    let Some(jump) = matcher.at else { return };
    matcher.next_is(Opcode::ALOAD);
    let next = matcher.at.and_then(|at| body.raw_next(at));
    if next.is_some_and(|next| body.is(next, Opcode::CHECKCAST)) {
        matcher.next_is_type(Opcode::CHECKCAST, "kotlin/coroutines/Continuation");
    }
    matcher.next_is_call(
        Opcode::INVOKESTATIC,
        "kotlin/coroutines/jvm/internal/DebugProbesKt",
        "probeCoroutineSuspended",
        "(Lkotlin/coroutines/Continuation;)V",
    );
    if let Some(end) = matcher.at
        && body.raw_next(end) == body.target(jump)
    {
        out.ignore(jump, end);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;

    #[test]
    fn the_state_machine_is_ignored() {
        method(
            "- invokestatic kotlin/coroutines/intrinsics/IntrinsicsKt.getCOROUTINE_SUSPENDED()Ljava/lang/Object;
             - astore 3
             - aload 2
             - getfield a/B$f$1.label I
             - tableswitch default zero one
             - zero: aload 1
             - invokestatic kotlin/ResultKt.throwOnFailure(Ljava/lang/Object;)V
             invokestatic a/B.suspend()Ljava/lang/Object;
             - dup
             - aload 3
             - if_acmpne resumed
             - aload 3
             - areturn
             - one: aload 1
             - invokestatic kotlin/ResultKt.throwOnFailure(Ljava/lang/Object;)V
             - aload 1
             resumed: pop
             aconst_null
             areturn
             - default: new java/lang/IllegalStateException
             - dup
             - ldc \"call to 'resume' before 'invoke' with coroutine\"
             - invokespecial java/lang/IllegalStateException.<init>(Ljava/lang/String;)V
             - athrow",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn what_ends_otherwise_is_no_state_machine() {
        method(
            "invokestatic kotlin/coroutines/intrinsics/IntrinsicsKt.getCOROUTINE_SUSPENDED()Ljava/lang/Object;
             astore 3
             aload 2
             getfield a/B$f$1.label I
             tableswitch default zero one
             zero: aload 1
             invokestatic kotlin/ResultKt.throwOnFailure(Ljava/lang/Object;)V
             invokestatic a/B.suspend()Ljava/lang/Object;
             dup
             aload 3
             if_acmpne resumed
             aload 3
             areturn
             one: aload 1
             invokestatic kotlin/ResultKt.throwOnFailure(Ljava/lang/Object;)V
             aload 1
             resumed: pop
             aconst_null
             areturn
             default: new java/lang/IllegalStateException
             dup
             ldc \"something else\"
             invokespecial java/lang/IllegalStateException.<init>(Ljava/lang/String;)V
             athrow",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn the_question_behind_a_tail_call_is_ignored() {
        method(
            "invokestatic a/B.suspend()Ljava/lang/Object;
             - dup
             - invokestatic kotlin/coroutines/intrinsics/IntrinsicsKt.getCOROUTINE_SUSPENDED()Ljava/lang/Object;
             - if_acmpne go
             - areturn
             - go: pop
             aconst_null
             areturn",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn a_result_that_is_used_is_the_sources() {
        method(
            "invokestatic a/B.suspend()Ljava/lang/Object;
             dup
             invokestatic kotlin/coroutines/intrinsics/IntrinsicsKt.getCOROUTINE_SUSPENDED()Ljava/lang/Object;
             if_acmpne go
             areturn
             go: nop
             aconst_null
             areturn",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn the_probe_for_debuggers_is_ignored() {
        method(
            "invokestatic a/B.suspend()Ljava/lang/Object;
             dup
             invokestatic kotlin/coroutines/intrinsics/IntrinsicsKt.getCOROUTINE_SUSPENDED()Ljava/lang/Object;
             - if_acmpne go
             - aload 1
             - checkcast kotlin/coroutines/Continuation
             - invokestatic kotlin/coroutines/jvm/internal/DebugProbesKt.probeCoroutineSuspended(Lkotlin/coroutines/Continuation;)V
             go: areturn",
        )
        .check_ignored(super::apply);
    }
}
