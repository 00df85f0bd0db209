//! Writes the new code array once everything has its place.

use super::layout::{Group, Layout, Site};
use super::{BodyPatch, PieceKind};
use crate::attribute::Code;
use crate::edit::EditError;
use crate::instruction::{Instructions, Operand};
use crate::opcode::{Flow, Opcode};

pub(super) fn write_code(
    code: &Code<'_>,
    patch: &BodyPatch,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> Result<(), EditError> {
    let start = out.len();
    out.reserve(layout.length() as usize);
    let mut groups = layout.groups.iter().peekable();
    let mut copied = 0;
    for site in &layout.sites {
        while let Some(group) = groups.next_if(|group| group.pc <= site.pc) {
            out.extend(old_bytes(code, copied, group.pc));
            copied = group.pc;
            write_group(group, patch, layout, out);
        }
        out.extend(old_bytes(code, copied, site.pc));
        copied = site.pc + site.length;
        match site.target {
            Some(target) => write_jump(site, layout.edge(site.pc, target), out),
            None => write_switch(code, site, layout, out, start)?,
        }
    }
    for group in groups {
        out.extend(old_bytes(code, copied, group.pc));
        copied = group.pc;
        write_group(group, patch, layout, out);
    }
    out.extend(old_bytes(code, copied, code.bytes.len() as u32));
    debug_assert_eq!(out.len() - start, layout.length() as usize);
    Ok(())
}

fn old_bytes<'a>(code: &Code<'a>, from: u32, to: u32) -> &'a [u8] {
    code.bytes.get(from as usize..to as usize).unwrap_or_default()
}

fn write_group(group: &Group, patch: &BodyPatch, layout: &Layout, out: &mut Vec<u8>) {
    let pieces = layout.pieces.get(group.first..group.last).unwrap_or_default();
    let mut at = group.before;
    let label = layout.label(group.pc);
    let mut around = group.around;
    for placed in pieces {
        let bytes = patch.bytes(&placed.piece);
        match placed.piece.kind {
            PieceKind::FallThrough if !group.falls_through => continue,
            PieceKind::FallThrough | PieceKind::EveryWay => out.extend(bytes),
            PieceKind::Edge { .. } => {
                write_goto(label - at, around, out);
                at += std::mem::take(&mut around);
                out.extend(bytes);
                write_goto(label - (at + bytes.len() as u32), placed.onward, out);
            }
        }
        at += bytes.len() as u32 + placed.onward;
    }
}

/// Writes a `goto` of the given length, or none if that is 0.
fn write_goto(way: u32, length: u32, out: &mut Vec<u8>) {
    match length {
        0 => {}
        3 => write_short_jump(Opcode::GOTO, way.cast_signed(), out),
        _ => write_wide_jump(Opcode::GOTO_W, way.cast_signed(), out),
    }
}

fn write_short_jump(opcode: Opcode, way: i32, out: &mut Vec<u8>) {
    out.push(opcode.0);
    out.extend((way as i16).to_be_bytes());
}

fn write_wide_jump(opcode: Opcode, way: i32, out: &mut Vec<u8>) {
    out.push(opcode.0);
    out.extend(way.to_be_bytes());
}

fn write_jump(site: &Site, target: u32, out: &mut Vec<u8>) {
    let way = target.wrapping_sub(site.at).cast_signed();
    match (site.widened, site.opcode.inverted()) {
        (true, Some(inverted)) if site.opcode.flow() == Flow::Branch => {
            write_short_jump(inverted, 8, out);
            write_wide_jump(Opcode::GOTO_W, way - 3, out);
        }
        (true, _) => write_wide_jump(site.opcode.widened().unwrap_or(site.opcode), way, out),
        (false, _) if site.length == 3 => write_short_jump(site.opcode, way, out),
        (false, _) => write_wide_jump(site.opcode, way, out),
    }
}

fn write_switch(
    code: &Code<'_>,
    site: &Site,
    layout: &Layout,
    out: &mut Vec<u8>,
    start: usize,
) -> Result<(), EditError> {
    let instruction = Instructions::starting_at(code.bytes, code.offset, site.pc).next();
    let Some(Operand::Switch(switch)) = instruction.transpose()?.map(|instruction| instruction.operand)
    else {
        return Ok(());
    };
    out.push(site.opcode.0);
    let mut wrong = Ok(());
    switch.write(out, start, |target| {
        if wrong.is_ok() {
            wrong = layout.check_target(code, target);
        }
        layout.edge(site.pc, target)
    });
    wrong
}
