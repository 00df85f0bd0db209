//! What ECJ makes of a `try` with resources.

use super::body::Body;
use super::matcher::Matcher;
use super::output::FilterOutput;
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    for entry in body.list().exceptions() {
        if entry.catch_type != 0 {
            continue;
        }
        if let Some(handler) = body.label_node(entry.handler)
            && !with_flow_out(body, out, handler)
        {
            without_flow_out(body, out, handler);
        }
    }
}

/// The body of the statement can be left normally.
fn with_flow_out(body: &Body<'_, '_, '_>, out: &mut FilterOutput, handler: usize) -> bool {
    let mut matcher = Matcher::standing_at(body, handler);
    matcher.next_is_local(Opcode::ASTORE, "primary");
    next_is_close_and_throw(&mut matcher, "r0");
    if !matcher.holds() {
        return false;
    }
    let mut last = "r0".to_owned();
    let mut end_of_last = matcher.at;
    for number in 1.. {
        let resource = format!("r{number}");
        next_is_close(&mut matcher, &resource);
        matcher.next_is_jump(Opcode::GOTO, &format!("{resource}.end"));
        next_is_suppress(&mut matcher, &last);
        next_is_close_and_throw(&mut matcher, &resource);
        if !matcher.holds() {
            break;
        }
        end_of_last = matcher.at;
        last = resource;
    }
    matcher.at = end_of_last;
    next_is_suppress(&mut matcher, &last);
    matcher.next_is_local(Opcode::ALOAD, "primary");
    matcher.next_is(Opcode::ATHROW);
    let Some(end) = matcher.at else { return false };
    let Some((from, _)) = super::search_back(&mut matcher, handler, |matcher| next_is_close(matcher, "r0"))
    else {
        return false;
    };
    matcher.next();
    let Some(to) = matcher.at.filter(|&at| body.is(at, Opcode::GOTO)) else { return false };
    out.ignore(from, to);
    out.ignore(handler, end);
    true
}

/// The body of the statement always returns or throws.
fn without_flow_out(body: &Body<'_, '_, '_>, out: &mut FilterOutput, handler: usize) {
    let mut matcher = Matcher::standing_at(body, handler);
    matcher.next_is_local(Opcode::ASTORE, "primary");
    let mut end_of_last = matcher.at;
    let mut resources = 0;
    while matcher.holds() {
        let resource = format!("r{resources}");
        next_is_close_and_throw(&mut matcher, &resource);
        next_is_suppress(&mut matcher, &resource);
        if matcher.holds() {
            end_of_last = matcher.at;
            resources += 1;
        }
    }
    matcher.at = end_of_last;
    matcher.next_is_local(Opcode::ALOAD, "primary");
    matcher.next_is(Opcode::ATHROW);
    let Some(end) = matcher.at else { return };
    let Some((from, _)) = super::search_back(&mut matcher, handler, |matcher| next_is_close(matcher, "r0"))
    else {
        return;
    };
    for number in 1..resources {
        next_is_close(&mut matcher, &format!("r{number}"));
    }
    if let Some(to) = matcher.at {
        out.ignore(from, to);
        out.ignore(handler, end);
    }
}

fn next_is_close(matcher: &mut Matcher<'_, '_, '_, '_>, resource: &str) {
    matcher.next_is_local(Opcode::ALOAD, resource);
    matcher.next_is_jump(Opcode::IFNULL, &format!("{resource}.end"));
    matcher.next_is_close(resource);
}

fn next_is_close_and_throw(matcher: &mut Matcher<'_, '_, '_, '_>, resource: &str) {
    matcher.next_is_local(Opcode::ALOAD, resource);
    matcher.next_is_jump(Opcode::IFNULL, resource);
    matcher.next_is_close(resource);
    matcher.next_is_label(resource);
    matcher.next_is_local(Opcode::ALOAD, "primary");
    matcher.next_is(Opcode::ATHROW);
}

fn next_is_suppress(matcher: &mut Matcher<'_, '_, '_, '_>, resource: &str) {
    let suppressed = format!("{resource}.t");
    let start = format!("{resource}.suppressStart");
    let end = format!("{resource}.suppressEnd");
    matcher.next_is_local(Opcode::ASTORE, &suppressed);
    matcher.next_is_local(Opcode::ALOAD, "primary");
    matcher.next_is_jump(Opcode::IFNONNULL, &start);
    matcher.next_is_local(Opcode::ALOAD, &suppressed);
    matcher.next_is_local(Opcode::ASTORE, "primary");
    matcher.next_is_jump(Opcode::GOTO, &end);
    matcher.next_is_label(&start);
    matcher.next_is_local(Opcode::ALOAD, "primary");
    matcher.next_is_local(Opcode::ALOAD, &suppressed);
    matcher.next_is_jump(Opcode::IF_ACMPEQ, &end);
    matcher.next_is_local(Opcode::ALOAD, "primary");
    matcher.next_is_local(Opcode::ALOAD, &suppressed);
    matcher.next_is_add_suppressed();
    matcher.next_is_label(&end);
}

#[cfg(test)]
mod tests {
    use super::super::test_method::method;

    #[test]
    fn closing_is_ignored() {
        method(
            "- close: aload 1
             - ifnull closed
             - aload 1
             - invokevirtual a/R.close()V
             closed: return
             - handler: astore 2
             - aload 1
             - ifnull skip
             - aload 1
             - invokevirtual a/R.close()V
             - skip: aload 2
             - athrow
             - outer: astore 3
             - aload 2
             - ifnonnull suppress
             - aload 3
             - astore 2
             - goto thrown
             - suppress: aload 2
             - aload 3
             - if_acmpeq thrown
             - aload 2
             - aload 3
             - invokevirtual java/lang/Throwable.addSuppressed(Ljava/lang/Throwable;)V
             - thrown: aload 2
             - athrow
             catch close closed handler any",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn throwing_something_else_is_the_sources() {
        method(
            "close: aload 1
             ifnull closed
             aload 1
             invokevirtual a/R.close()V
             closed: return
             handler: astore 2
             aload 1
             ifnull skip
             aload 1
             invokevirtual a/R.close()V
             skip: aload 2
             athrow
             outer: astore 3
             aload 2
             ifnonnull suppress
             aload 3
             astore 2
             goto thrown
             suppress: aload 2
             aload 3
             if_acmpeq thrown
             aload 2
             aload 3
             invokevirtual java/lang/Throwable.addSuppressed(Ljava/lang/Throwable;)V
             thrown: aload 3
             athrow
             catch close closed handler any",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn closing_is_ignored_where_the_body_goes_on() {
        method(
            "- close: aload 1
             - ifnull closed
             - aload 1
             - invokevirtual a/R.close()V
             - goto closed
             - handler: astore 2
             - aload 1
             - ifnull skip
             - aload 1
             - invokevirtual a/R.close()V
             - skip: aload 2
             - athrow
             - outer: astore 3
             - aload 2
             - ifnonnull suppress
             - aload 3
             - astore 2
             - goto thrown
             - suppress: aload 2
             - aload 3
             - if_acmpeq thrown
             - aload 2
             - aload 3
             - invokevirtual java/lang/Throwable.addSuppressed(Ljava/lang/Throwable;)V
             - thrown: aload 2
             - athrow
             closed: return
             catch close handler handler any",
        )
        .check_ignored(super::apply);
    }
}
