//! Walks two bodies together along what was run.
//!
//! The walk starts at the first instruction of both and follows the ways that control went in the old body. It ends well if the new body
//! has the same instruction at every place and leads to a matching place wherever the old one did; then the same calls do
//! the same in both, at places that may have moved.

use std::collections::BTreeSet;

use super::BodyTrace;
use crate::program::{Body, Instruction};

/// Whether what was run of the old body would run in the same way in the new one.
pub(super) fn holds(trace: &BodyTrace, old: &Body, new: &Body, with_exceptions: bool) -> bool {
    if new.locals < old.locals {
        return false;
    }
    let mut pairs = BTreeSet::from([(0, 0)]);
    let mut waiting = vec![(0, 0)];
    while let Some((in_old, in_new)) = waiting.pop() {
        if !trace.run.contains(&in_old) {
            continue;
        }
        let Some(next) = step(trace, old, new, (in_old, in_new), with_exceptions) else { return false };
        waiting.extend(next.into_iter().filter(|pair| pairs.insert(*pair)));
    }
    true
}

/// The places that match because two places do; none if these two do not.
fn step(
    trace: &BodyTrace,
    old: &Body,
    new: &Body,
    (in_old, in_new): (u16, u16),
    with_exceptions: bool,
) -> Option<Vec<(u16, u16)>> {
    let before = *old.instructions.get(usize::from(in_old))?;
    let behind = *new.instructions.get(usize::from(in_new))?;
    let offsets: Vec<(i16, i16)> = match (before, behind) {
        (Instruction::Goto(one), Instruction::Goto(two)) => vec![(one, two)],
        (Instruction::IfFalse(one), Instruction::IfFalse(two)) => vec![(1, 1), (one, two)],
        _ if before == behind => vec![(1, 1)],
        _ => return None,
    };
    let mut next = Vec::new();
    for (one, two) in offsets {
        let Some(to) = in_old.checked_add_signed(one) else { continue };
        if trace.ways.contains(&(in_old, to)) {
            next.push((to, in_new.checked_add_signed(two)?));
        }
    }
    let exceptions = trace.exceptions.range((in_old, None)..=(in_old, Some(u16::MAX)));
    for (_, target) in exceptions.filter(|_| with_exceptions) {
        handlers(old, new, (in_old, in_new), *target, &mut next)?;
    }
    Some(next)
}

/// An exception came up: the same handlers must be there, and the one that was taken must lead to a matching place.
fn handlers(
    old: &Body,
    new: &Body,
    (in_old, in_new): (u16, u16),
    target: Option<u16>,
    next: &mut Vec<(u16, u16)>,
) -> Option<()> {
    let mut before = old.handlers.iter().filter(|handler| handler.covers(in_old));
    let mut behind = new.handlers.iter().filter(|handler| handler.covers(in_new));
    loop {
        match (before.next(), behind.next()) {
            (None, None) => return Some(()),
            (Some(one), Some(two)) if (one.class, one.depth) == (two.class, two.depth) => {
                if target == Some(one.target) {
                    next.push((one.target, two.target));
                }
            }
            _ => return None,
        }
    }
}
