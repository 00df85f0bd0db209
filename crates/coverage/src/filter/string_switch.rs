//! What ECJ, and Kotlin from 1.5 on, make of a switch on strings: comparisons that jump to the cases.

use super::body::Body;
use super::matcher::Matcher;
use super::output::{FilterOutput, Replacement};
use probity_classfile::opcode::Opcode;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    if !body.has_switch() {
        return;
    }
    for at in 0..body.len() {
        if body.is(at, Opcode::ASTORE)
            && let Some((last, replacement)) = comparisons(body, at)
            && let Some(first) = body.raw_next(at)
        {
            out.ignore(first, last);
            out.replace(at, replacement);
        }
    }
}

/// The last node of the comparisons behind a store, and the branches that they stand for.
fn comparisons(body: &Body<'_, '_, '_>, store: usize) -> Option<(usize, Replacement)> {
    let mut matcher = Matcher::standing_at(body, store);
    matcher.bind_local("s");
    let null_check = next_is_value(&mut matcher)?;
    matcher.next_is_call(Opcode::INVOKEVIRTUAL, "java/lang/String", "hashCode", "()I");
    matcher.next_is_switch();
    let switch = matcher.at?;
    let default = body.target(switch)?;
    let cases = body.targets(switch).len() - 1;
    if cases == 0 {
        return None;
    }
    let mut replacement = Replacement::default();
    replacement.add(default, switch, 0);
    let mut hash = 1;
    while hash <= cases {
        matcher.next_is_local(Opcode::ALOAD, "s");
        matcher.next_is(Opcode::LDC);
        matcher.next_is_call(Opcode::INVOKEVIRTUAL, "java/lang/String", "equals", "(Ljava/lang/Object;)Z");
        let jump = body.raw_next(matcher.at?)?;
        let target = body.target(jump)?;
        if body.is(jump, Opcode::IFNE) {
            matcher.at = Some(jump);
            replacement.add(target, jump, 1);
            let next = body.raw_next(jump)?;
            if body.is(next, Opcode::GOTO) {
                matcher.at = Some(next);
                replacement.add(default, next, 1);
                hash += 1;
            } else if next == default {
                replacement.add(default, jump, 0);
                hash += 1;
            }
        } else if body.is(jump, Opcode::IFEQ) && target == default && hash == cases {
            matcher.at = Some(jump);
            replacement.add(default, jump, 1);
            replacement.add(body.raw_next(jump)?, jump, 0);
            hash += 1;
        } else {
            return None;
        }
    }
    if let Some(check) = null_check {
        replacement.add(body.target(check)?, check, 1);
    }
    Some((matcher.at?, replacement))
}

/// The value that is switched on, with the check for null that Kotlin puts in front. Fails with `None`.
fn next_is_value(matcher: &mut Matcher<'_, '_, '_, '_>) -> Option<Option<usize>> {
    let body = matcher.body;
    let mut null_check = None;
    let mut next = body.raw_next(matcher.at?)?;
    if body.is(next, Opcode::ALOAD) {
        matcher.next_is_local(Opcode::ALOAD, "s");
        next = body.raw_next(matcher.at?)?;
        if body.is(next, Opcode::DUP) {
            // Kotlin 1.5 to 1.9.
            matcher.next_is(Opcode::DUP);
            matcher.next_is(Opcode::IFNULL);
            null_check = matcher.at;
        } else if body.is(next, Opcode::IFNULL) {
            // Kotlin 2.
            matcher.next_is(Opcode::IFNULL);
            null_check = matcher.at;
            matcher.next_is_local(Opcode::ALOAD, "s");
        }
    }
    matcher.at.map(|_| null_check)
}

#[cfg(test)]
mod tests {
    use super::super::test_method::method;

    #[test]
    fn the_comparisons_become_branches_of_the_store() {
        let said = method(
            "aload 1
             astore 2
             - aload 2
             - invokevirtual java/lang/String.hashCode()I
             - lookupswitch default one
             - one: aload 2
             - ldc \"a\"
             - invokevirtual java/lang/String.equals(Ljava/lang/Object;)Z
             - ifne first
             - goto default
             first: return
             default: return",
        )
        .check(super::apply);
        assert_eq!(said.replacements, [(1, vec![vec![(4, 0), (9, 1)], vec![(8, 1)]])]);
    }

    #[test]
    fn a_switch_on_the_length_is_not_one_on_strings() {
        method(
            "aload 1
             astore 2
             aload 2
             invokevirtual java/lang/String.length()I
             lookupswitch default one
             one: aload 2
             ldc \"a\"
             invokevirtual java/lang/String.equals(Ljava/lang/Object;)Z
             ifne first
             goto default
             first: return
             default: return",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn the_check_for_null_of_kotlin_leads_to_a_branch_too() {
        let said = method(
            "aload 1
             astore 2
             - aload 2
             - ifnull default
             - aload 2
             - invokevirtual java/lang/String.hashCode()I
             - lookupswitch default one
             - one: aload 2
             - ldc \"a\"
             - invokevirtual java/lang/String.equals(Ljava/lang/Object;)Z
             - ifeq default
             return
             default: return",
        )
        .check(super::apply);
        assert_eq!(said.replacements, [(1, vec![vec![(6, 0), (10, 1), (3, 1)], vec![(10, 0)]])]);
    }
}
