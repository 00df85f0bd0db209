//! Chains of safe calls, `a?.b?.c`: one null or another makes no difference.

use super::super::body::Body;
use super::super::output::{FilterOutput, Replacement};
use probity_classfile::opcode::{Flow, Opcode};
use probity_instrument::list::Label;

pub(super) fn apply(body: &Body<'_, '_, '_>, out: &mut FilterOutput) {
    for (label, chain) in chains(body) {
        let Some(label_node) = body.label_node(label) else { continue };
        let Some(target) = body.instruction_from(label_node) else { continue };
        let last = body.raw_previous(label_node);
        let elvis = last.filter(|&last| body.is(last, Opcode::IFNONNULL));
        if chain.len() == 1 && elvis.is_none() {
            continue;
        }
        for &jump in &chain {
            let mut replacement = Replacement::default();
            replacement.add(jump, jump, 0);
            replacement.add(target, target, 0);
            out.replace(jump, replacement);
        }
        if let Some(last) = elvis {
            let mut replacement = Replacement::default();
            replacement.add(target, target, 0);
            replacement.add(last, last, 1);
            out.replace(last, replacement);
        }
    }
}

/// The jumps on null, by where they lead, in the order of their first ones.
fn chains(body: &Body<'_, '_, '_>) -> Vec<(Label, Vec<usize>)> {
    let mut chains: Vec<(Label, Vec<usize>)> = Vec::new();
    for at in 0..body.len() {
        if !body.is(at, Opcode::IFNULL) {
            continue;
        }
        let Some(label) = body.target_label(at) else { continue };
        let known = chains.iter().position(|(found, _)| *found == label);
        let members =
            known.and_then(|known| chains.get(known)).map(|(_, chain)| chain.as_slice()).unwrap_or_default();
        if belongs(body, at, label, members) != Some(true) {
            continue;
        }
        match known.and_then(|known| chains.get_mut(known)) {
            Some((_, chain)) => chain.push(at),
            None => chains.push((label, vec![at])),
        }
    }
    chains
}

fn belongs(body: &Body<'_, '_, '_>, jump: usize, label: Label, members: &[usize]) -> Option<bool> {
    let label_node = body.label_node(label)?;
    let target = body.instruction_from(label_node)?;
    let load = body.previous_instruction(jump)?;
    if body.is(target, Opcode::POP) {
        return Some(body.is(body.raw_previous(jump)?, Opcode::DUP));
    }
    if body.is(target, Opcode::ACONST_NULL) {
        if !body.is(load, Opcode::ALOAD) {
            return Some(false);
        }
        return Some(members.is_empty() || stores_what_is_loaded(body, load)?);
    }
    let flow = body.opcode(target)?.flow();
    if matches!(flow, Flow::Branch | Flow::Goto | Flow::Switch) || !body.is(load, Opcode::ALOAD) {
        return Some(false);
    }
    if !members.is_empty() {
        return stores_what_is_loaded(body, load);
    }
    is_first_before_elvis(body, label, label_node)
}

/// The instruction before a load stores the same local variable.
fn stores_what_is_loaded(body: &Body<'_, '_, '_>, load: usize) -> Option<bool> {
    let store = body.previous_instruction(load)?;
    Some(body.is(store, Opcode::ASTORE) && body.local(store) == body.local(load))
}

/// In front of the label stand, backwards: `goto`, `aload a`, `ifnull label`, `aload a`, `astore a`.
fn is_first_before_elvis(body: &Body<'_, '_, '_>, label: Label, label_node: usize) -> Option<bool> {
    let goto = body.previous_instruction(label_node)?;
    let second_load = body.previous_instruction(goto)?;
    let check = body.previous_instruction(second_load)?;
    let first_load = body.previous_instruction(check)?;
    let store = body.previous_instruction(first_load)?;
    Some(
        body.is(goto, Opcode::GOTO)
            && body.is(second_load, Opcode::ALOAD)
            && body.is(check, Opcode::IFNULL)
            && body.target_label(check) == Some(label)
            && body.is(first_load, Opcode::ALOAD)
            && body.local(first_load) == body.local(second_load)
            && body.is(store, Opcode::ASTORE)
            && body.local(store) == body.local(first_load),
    )
}

#[cfg(test)]
mod tests {
    use super::super::super::test_method::method;

    #[test]
    fn a_chain_of_calls_has_the_branches_of_one() {
        let said = method(
            "aload 1
             dup
             ifnull null
             invokevirtual a/B.b()La/B;
             dup
             ifnull null
             invokevirtual a/B.c()La/B;
             goto end
             null: pop
             aconst_null
             end: areturn",
        )
        .check(super::apply);
        let branches = |jump| vec![vec![(jump, 0)], vec![(8, 0)]];
        assert_eq!(said.replacements, [(2, branches(2)), (5, branches(5))]);
    }

    #[test]
    fn one_safe_call_keeps_its_branches() {
        method(
            "aload 1
             dup
             ifnull null
             invokevirtual a/B.b()La/B;
             goto end
             null: pop
             aconst_null
             end: areturn",
        )
        .check_ignored(super::apply);
    }

    #[test]
    fn checks_for_null_of_the_source_keep_their_branches() {
        method(
            "aload 1
             ifnull null
             aload 2
             ifnull null
             aload 1
             areturn
             null: aload 3
             areturn",
        )
        .check_ignored(super::apply);
    }
}
