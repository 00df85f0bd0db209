//! Which nodes of a body belong to the main code and which to each subroutine.
//!
//! A set is what can be reached from its start without following calls; a handler belongs to it if something that the
//! handler protects does. A node may belong to several.

use super::MAX_WORK;
use super::list::{Node, NodeList};
use crate::edit::EditError;
use crate::opcode::Flow;
use std::collections::HashMap;

pub(super) struct Reach {
    /// The main code first, then the subroutines.
    sets: Vec<Vec<bool>>,
    shared: Vec<bool>,
    /// The set of each subroutine by the label at which it starts.
    subroutines: HashMap<usize, usize>,
}

impl Reach {
    pub(super) fn find(list: &NodeList<'_>) -> Result<Self, EditError> {
        let mut reach =
            Self { sets: Vec::new(), shared: vec![false; list.nodes.len()], subroutines: HashMap::new() };
        let mut starts = vec![0];
        for node in &list.nodes {
            if let Node::Instruction(instruction) = node
                && instruction.flow() == Flow::Call
            {
                let target = instruction.targets().next().and_then(|pc| list.label_at(pc));
                let target = target.ok_or(EditError::Subroutines)?;
                reach.subroutines.entry(target).or_insert_with(|| {
                    starts.push(list.label_nodes.get(target).copied().unwrap_or(0));
                    starts.len() - 1
                });
            }
        }
        let mut visited = vec![false; list.nodes.len()];
        let mut work = 0;
        for start in starts {
            let set = reached_from(list, start, &mut work)?;
            for ((&here, visited), shared) in set.iter().zip(&mut visited).zip(&mut reach.shared) {
                *shared |= here && *visited;
                *visited |= here;
            }
            reach.sets.push(set);
        }
        Ok(reach)
    }

    pub(super) fn contains(&self, set: usize, node: usize) -> bool {
        self.sets.get(set).and_then(|set| set.get(node)) == Some(&true)
    }

    pub(super) fn is_shared(&self, node: usize) -> bool {
        self.shared.get(node) == Some(&true)
    }

    pub(super) fn subroutine(&self, label: usize) -> Option<usize> {
        self.subroutines.get(&label).copied()
    }
}

fn reached_from(list: &NodeList<'_>, start: usize, work: &mut usize) -> Result<Vec<bool>, EditError> {
    let mut set = vec![false; list.nodes.len()];
    walk(list, start, &mut set);
    loop {
        *work += list.nodes.len() + list.exceptions.len();
        if *work > MAX_WORK {
            return Err(EditError::Subroutines);
        }
        let handlers = handlers_of(list, &set);
        if handlers.is_empty() {
            return Ok(set);
        }
        handlers.iter().for_each(|&handler| walk(list, handler, &mut set));
    }
}

/// The handlers outside of the set that protect something inside.
fn handlers_of(list: &NodeList<'_>, set: &[bool]) -> Vec<usize> {
    let mut inside_before = Vec::with_capacity(set.len() + 1);
    inside_before.push(0_u32);
    for &inside in set {
        inside_before.push(inside_before.last().copied().unwrap_or(0) + u32::from(inside));
    }
    let node = |label: usize| list.label_nodes.get(label).copied().unwrap_or(0);
    let count = |label: usize| inside_before.get(node(label)).copied().unwrap_or(0);
    let protecting = list.exceptions.iter().filter(|entry| count(entry.end) > count(entry.start));
    protecting.map(|entry| node(entry.handler)).filter(|&handler| set.get(handler) == Some(&false)).collect()
}

fn walk(list: &NodeList<'_>, start: usize, set: &mut [bool]) {
    let mut pending = vec![start];
    while let Some(start) = pending.pop() {
        let mut index = start;
        while let Some(node) = list.nodes.get(index) {
            match set.get_mut(index) {
                Some(place) if !*place => *place = true,
                _ => break,
            }
            if let Node::Instruction(instruction) = node {
                let flow = instruction.flow();
                if flow != Flow::Call {
                    let targets = instruction.targets().filter_map(|pc| list.label_at(pc));
                    pending.extend(targets.filter_map(|label| list.label_nodes.get(label)));
                }
                if !matches!(flow, Flow::Next | Flow::Branch | Flow::Call) {
                    break;
                }
            }
            index += 1;
        }
    }
}
