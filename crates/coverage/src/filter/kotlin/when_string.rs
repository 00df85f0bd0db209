//! `when` over strings before Kotlin 1.5.

use super::super::body::Body;
use super::super::matcher::Matcher;
use super::super::output::{FilterOutput, Replacement};
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    for at in 0..body.len() {
        if body.is(at, Opcode::ALOAD)
            && let Some((switch, end, replacement)) = comparisons(body, at)
            && let Some(first) = body.raw_next(switch)
        {
            out.ignore(first, end);
            out.replace(switch, replacement);
        }
    }
}

fn comparisons(body: &Body<'_, '_, '_>, load: usize) -> Option<(usize, usize, Replacement)> {
    let mut matcher = Matcher::standing_at(body, load);
    matcher.bind_local("s");
    matcher.next_is_call(Opcode::INVOKEVIRTUAL, "java/lang/String", "hashCode", "()I");
    matcher.next_is_switch();
    let switch = matcher.at?;
    let default = body.target(switch)?;
    let cases = body.targets(switch).len() - 1;
    let mut replacement = Replacement::default();
    replacement.add(default, switch, 0);
    for hash in 1..=cases {
        loop {
            matcher.next_is_local(Opcode::ALOAD, "s");
            matcher.next_is(Opcode::LDC);
            matcher.next_is_call(
                Opcode::INVOKEVIRTUAL,
                "java/lang/String",
                "equals",
                "(Ljava/lang/Object;)Z",
            );
            matcher.next_is(Opcode::IFEQ);
            let jump = matcher.at?;
            let to_default = body.target(jump) == Some(default);
            matcher.next();
            let next = matcher.at?;
            if body.is(next, Opcode::GOTO) {
                replacement.add(body.target(next)?, next, 1);
                if to_default {
                    replacement.add(default, jump, 1);
                    break;
                }
            } else if hash == cases && to_default {
                replacement.add(default, jump, 1);
                replacement.add(next, jump, 0);
                return Some((switch, jump, replacement));
            } else {
                return None;
            }
        }
    }
    Some((switch, matcher.at?, replacement))
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;

    #[test]
    fn the_comparisons_become_branches_of_the_switch() {
        let said = method(
            "aload 1
             invokevirtual java/lang/String.hashCode()I
             lookupswitch default one two
             - one: aload 1
             - ldc \"a\"
             - invokevirtual java/lang/String.equals(Ljava/lang/Object;)Z
             - ifeq default
             - goto first
             - two: aload 1
             - ldc \"b\"
             - invokevirtual java/lang/String.equals(Ljava/lang/Object;)Z
             - ifeq default
             return
             first: return
             default: return",
        )
        .check(super::apply);
        let default = vec![(2, 0), (6, 1), (11, 1)];
        assert_eq!(said.replacements, [(2, vec![default, vec![(7, 1)], vec![(11, 0)]])]);
    }

    #[test]
    fn other_comparisons_are_the_sources() {
        method(
            "aload 1
             invokevirtual java/lang/String.hashCode()I
             lookupswitch default one two
             one: aload 1
             ldc \"a\"
             invokevirtual java/lang/String.contentEquals(Ljava/lang/Object;)Z
             ifeq default
             goto first
             two: aload 1
             ldc \"b\"
             invokevirtual java/lang/String.contentEquals(Ljava/lang/Object;)Z
             ifeq default
             return
             first: return
             default: return",
        )
        .check_ignored(super::apply);
    }
}
