//! Where everything stands in the new body.
//!
//! One pass over the old body finds the places whose size depends on where they stand: insertions, jumps, switches. They
//! are then laid out one after the other; jumps that do not fit are widened and the layout is done again. The number
//! of rounds is bounded, so the time is linear in the size of the body.

use super::{BodyPatch, Piece, PieceKind};
use crate::attribute::{Code, MAX_CODE_LENGTH};
use crate::edit::EditError;
use crate::error::{Error, ErrorKind, Section};
use crate::instruction::{Leads, Step};
use crate::opcode::{Flow, Form, Opcode};

/// How often jumps are widened one by one before all that could be too long are.
const PATIENT_ROUNDS: usize = 4;
/// The longest way that a two-byte distance can say.
const REACH: u32 = 32_767;
/// How much longer a conditional jump becomes when it is widened: a condition over a `goto_w`.
const WIDE_BRANCH_LENGTH: u32 = 8;

/// The places of the new body.
#[derive(Debug, Default)]
pub(super) struct Layout {
    /// For each byte of the old body, and for its end: where it is now. For the first byte of an instruction this is
    /// where jumps to it lead: behind stubs, in front of code that runs on every way.
    moved: Vec<u32>,
    /// One bit for each byte of the old body that starts an instruction.
    starts: Vec<u64>,
    pub(super) groups: Vec<Group>,
    pub(super) sites: Vec<Site>,
    pub(super) pieces: Vec<PlacedPiece>,
    /// The pieces that stand on edges, by origin and target.
    edges: Vec<EdgeStub>,
    length: u32,
}

/// All that is inserted at one code offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) pc: u32,
    /// The range of its pieces.
    pub(super) first: usize,
    pub(super) last: usize,
    /// Whether execution can come here from the instruction before.
    pub(super) falls_through: bool,
    /// The length of the `goto` that leads fall-through around the stubs; 0 if there is none.
    pub(super) around: u32,
    /// Where the group starts.
    pub(super) before: u32,
    /// The length of the code that runs on every way.
    every_way: u32,
}

/// A piece of the patch with its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedPiece {
    pub(super) piece: Piece,
    /// Where it starts, for stubs.
    pub(super) at: u32,
    /// The length of the `goto` behind a stub that does not stand directly in front of the target; 0 if there is none.
    pub(super) onward: u32,
}

#[derive(Clone, Copy, Debug)]
struct EdgeStub {
    from: u32,
    to: u32,
    piece: usize,
}

/// A jump or a switch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) pc: u32,
    pub(super) length: u32,
    pub(super) opcode: Opcode,
    /// The target of a jump; a switch has none here.
    pub(super) target: Option<u32>,
    /// Where it stands now.
    pub(super) at: u32,
    pub(super) widened: bool,
}

impl Site {
    /// The length in the new body.
    fn new_length(&self) -> u32 {
        match (self.target, self.widened) {
            (None, _) => self.length - (3 - self.pc % 4) + (3 - self.at % 4),
            (Some(_), false) => self.length,
            (Some(_), true) if self.opcode.flow() == Flow::Branch => WIDE_BRANCH_LENGTH,
            (Some(_), true) => 5,
        }
    }
}

impl Layout {
    /// Lays a body out with the insertions of a patch.
    pub(super) fn arrange(&mut self, code: &Code<'_>, patch: &BodyPatch) -> Result<(), EditError> {
        self.collect_groups(patch);
        self.scan(code)?;
        self.check_targets(code)?;
        self.match_edges()?;
        self.settle(code.bytes.len() as u32);
        if self.length > MAX_CODE_LENGTH {
            return Err(EditError::BodyTooLarge { length: self.length });
        }
        Ok(())
    }

    /// The length of the new body.
    pub(super) fn length(&self) -> u32 {
        self.length
    }

    /// Where a code offset is now: the place that jumps to it lead to.
    pub(super) fn label(&self, pc: u32) -> u32 {
        self.moved.get(pc as usize).copied().unwrap_or_else(|| {
            // Tables may name offsets behind the body; they keep their distance from its end.
            let old_length = (self.moved.len() as u32).saturating_sub(1);
            self.length.saturating_add(pc.saturating_sub(old_length))
        })
    }

    /// Where the instruction itself is now, behind code that runs before it on every way.
    pub(super) fn instruction(&self, pc: u32) -> u32 {
        self.label(pc) + self.group(pc).map_or(0, |group| group.every_way)
    }

    /// Where all that was inserted at a code offset starts.
    pub(super) fn before(&self, pc: u32) -> u32 {
        self.group(pc).map_or_else(|| self.label(pc), |group| group.before)
    }

    /// What was inserted at a code offset.
    fn group(&self, pc: u32) -> Option<&Group> {
        self.groups.binary_search_by_key(&pc, |group| group.pc).ok().and_then(|at| self.groups.get(at))
    }

    /// Whether an instruction starts at a code offset.
    pub(super) fn is_start(&self, pc: u32) -> bool {
        self.starts.get(pc as usize / 64).is_some_and(|word| word >> (pc % 64) & 1 == 1)
    }

    /// Where the edge from a jump or switch to a target leads now: to its stub or to the target.
    pub(super) fn edge(&self, from: u32, to: u32) -> u32 {
        let stub = self.edges.binary_search_by_key(&(from, to), |edge| (edge.from, edge.to)).ok();
        let stub = stub.and_then(|at| self.pieces.get(self.edges.get(at)?.piece));
        stub.map_or_else(|| self.label(to), |stub| stub.at)
    }

    fn collect_groups(&mut self, patch: &BodyPatch) {
        self.pieces.clear();
        self.groups.clear();
        self.edges.clear();
        self.pieces.extend(patch.pieces.iter().map(|&piece| PlacedPiece { piece, at: 0, onward: 0 }));
        let order = |placed: &PlacedPiece| {
            let kind = match placed.piece.kind {
                PieceKind::FallThrough => 0,
                PieceKind::Edge { .. } => 1,
                PieceKind::EveryWay => 2,
            };
            (placed.piece.pc, kind)
        };
        if !self.pieces.is_sorted_by_key(order) {
            self.pieces.sort_by_key(order);
        }
        for (at, placed) in self.pieces.iter().enumerate() {
            let pc = placed.piece.pc;
            if let PieceKind::Edge { from } = placed.piece.kind {
                self.edges.push(EdgeStub { from, to: pc, piece: at });
            }
            match self.groups.last_mut() {
                Some(group) if group.pc == pc => group.last = at + 1,
                _ => self.groups.push(Group {
                    pc,
                    first: at,
                    last: at + 1,
                    falls_through: pc == 0,
                    around: 0,
                    before: 0,
                    every_way: 0,
                }),
            }
        }
        self.edges.sort_by_key(|edge| (edge.from, edge.to));
    }

    /// Finds instructions, jumps and switches, and which groups are reached by falling through.
    fn scan(&mut self, code: &Code<'_>) -> Result<(), EditError> {
        self.sites.clear();
        self.starts.clear();
        self.starts.resize(code.bytes.len() / 64 + 1, 0);
        let mut next_group = usize::from(self.groups.first().is_some_and(|group| group.pc == 0));
        code.instructions().walk(|step, leads| {
            let Step { pc, length, opcode } = step;
            if let Some(word) = self.starts.get_mut(pc as usize / 64) {
                *word |= 1 << (pc % 64);
            }
            let target = match leads {
                Leads::Nowhere => None,
                Leads::To(target) => Some(Some(*target)),
                Leads::Choice(_) => Some(None),
            };
            if let Some(target) = target {
                self.sites.push(Site { pc, length, opcode, target, at: 0, widened: false });
            }
            if let Some(group) = self.groups.get_mut(next_group) {
                let end = pc + length;
                if group.pc == end && end < code.bytes.len() as u32 {
                    // A subroutine comes back to the place behind its call.
                    group.falls_through = opcode.flow().falls_through() || opcode.flow() == Flow::Call;
                    next_group += 1;
                } else if group.pc < end {
                    return Err(EditError::BadPatch { pc: group.pc });
                }
            }
            Ok(())
        })?;
        match self.groups.get(next_group) {
            Some(group) => Err(EditError::BadPatch { pc: group.pc }),
            None => Ok(()),
        }
    }

    /// Jumps must lead to instructions, or the new body would lead somewhere else than the old one.
    fn check_targets(&self, code: &Code<'_>) -> Result<(), EditError> {
        for site in &self.sites {
            if let Some(target) = site.target {
                self.check_target(code, target)?;
            }
        }
        Ok(())
    }

    /// Fails unless an instruction starts at the target.
    pub(super) fn check_target(&self, code: &Code<'_>, target: u32) -> Result<(), EditError> {
        if self.is_start(target) {
            return Ok(());
        }
        let kind = ErrorKind::BadTarget { pc: i64::from(target) };
        Err(Error::new(code.offset.saturating_add(target), Section::CodeConstraints, kind).into())
    }

    /// Every stub must stand on an edge that is there, once. A subroutine must have one entry for all of its callers, so
    /// the edge to it can have none.
    fn match_edges(&self) -> Result<(), EditError> {
        for (at, edge) in self.edges.iter().enumerate() {
            let site = self.sites.binary_search_by_key(&edge.from, |site| site.pc).ok();
            let site = site.and_then(|at| self.sites.get(at));
            let leads_there = site.is_some_and(|site| {
                site.opcode.flow() != Flow::Call && site.target.is_none_or(|target| target == edge.to)
            });
            let doubled = at > 0
                && self.edges.get(at - 1).is_some_and(|other| (other.from, other.to) == (edge.from, edge.to));
            if !leads_there || doubled {
                return Err(EditError::BadPatch { pc: edge.from });
            }
        }
        Ok(())
    }

    /// Gives everything its place, widening jumps until all of them reach their targets.
    fn settle(&mut self, old_length: u32) {
        self.measure_groups();
        for round in 0.. {
            self.place(old_length);
            if self.length <= REACH || !self.widen(round) {
                return;
            }
        }
    }

    /// Finds the lengths inside each group, which do not depend on where it stands.
    fn measure_groups(&mut self) {
        for group in &mut self.groups {
            let pieces = self.pieces.get_mut(group.first..group.last).unwrap_or_default();
            let mut to_label = 0;
            group.every_way = 0;
            for placed in pieces.iter_mut().rev() {
                let length = placed.piece.end - placed.piece.start;
                match placed.piece.kind {
                    PieceKind::EveryWay => group.every_way += length,
                    PieceKind::Edge { .. } => {
                        placed.onward = goto_length(to_label);
                        to_label += length + placed.onward;
                    }
                    PieceKind::FallThrough => {}
                }
            }
            group.around = if group.falls_through { goto_length(to_label) } else { 0 };
        }
    }

    /// Lays out groups and sites in the order of the old body.
    fn place(&mut self, old_length: u32) {
        self.moved.clear();
        self.moved.reserve(old_length as usize + 1);
        let mut at = 0_u32;
        let mut groups = self.groups.iter_mut().peekable();
        let mut sites = self.sites.iter_mut().peekable();
        loop {
            let old = self.moved.len() as u32;
            let group_pc = groups.peek().map_or(u32::MAX, |group| group.pc);
            let site_pc = sites.peek().map_or(u32::MAX, |site| site.pc);
            let stop = group_pc.min(site_pc).min(old_length);
            self.moved.extend((old..stop).map(|pc| at + (pc - old)));
            at += stop.saturating_sub(old);
            if group_pc <= site_pc && group_pc < old_length {
                if let Some(group) = groups.next() {
                    at = place_group(group, &mut self.pieces, at);
                    self.moved.push(at);
                    at += group.every_way;
                    // The rest of the instruction: its first byte has its place already.
                    if site_pc == group_pc
                        && let Some(site) = sites.next()
                    {
                        site.at = at;
                        self.moved.extend((1..site.length).map(|byte| at + byte));
                        at += site.new_length();
                    } else {
                        at += 1;
                    }
                }
            } else if site_pc < old_length {
                if let Some(site) = sites.next() {
                    site.at = at;
                    self.moved.extend((0..site.length).map(|byte| at + byte));
                    at += site.new_length();
                }
            } else {
                break;
            }
        }
        self.moved.push(at);
        self.length = at;
    }

    /// Widens the jumps that do not reach their targets; says whether there were any.
    fn widen(&mut self, round: usize) -> bool {
        let short: usize = self.sites.iter().filter(|site| !site.widened && site.target.is_some()).count();
        // What the way to a target can still grow by, if everything on it grows.
        let slack = if round < PATIENT_ROUNDS { 0 } else { 5 * short as u32 + 3 * self.sites.len() as u32 };
        let mut any = false;
        for at in 0..self.sites.len() {
            let Some(&site) = self.sites.get(at) else { break };
            let Some(target) = site.target else { continue };
            if site.widened || site.opcode.form() == Form::Jump4 {
                continue;
            }
            let way = self.edge(site.pc, target).abs_diff(site.at);
            if way.saturating_add(slack) > REACH
                && let Some(site) = self.sites.get_mut(at)
            {
                site.widened = true;
                any = true;
            }
        }
        any
    }
}

/// The length of a `goto` over so many bytes; no `goto` is needed over none.
fn goto_length(over: u32) -> u32 {
    match over {
        0 => 0,
        _ if over + 3 <= REACH => 3,
        _ => 5,
    }
}

/// Places the pieces of a group in front of the label, whose place is returned.
fn place_group(group: &mut Group, pieces: &mut [PlacedPiece], mut at: u32) -> u32 {
    group.before = at;
    let mut around = group.around;
    for placed in pieces.get_mut(group.first..group.last).unwrap_or_default() {
        let length = placed.piece.end - placed.piece.start;
        match placed.piece.kind {
            PieceKind::FallThrough if group.falls_through => at += length,
            PieceKind::FallThrough => {}
            PieceKind::Edge { .. } => {
                at += std::mem::take(&mut around);
                placed.at = at;
                at += length + placed.onward;
            }
            PieceKind::EveryWay => break,
        }
    }
    at
}
