//! Writes the tables of the new body: all that points into the code.

use super::layout::Layout;
use super::{Body, PieceKind};
use crate::attribute::{
    ExceptionEntry, Frame, LineNumber, LocalVariable, RawAttribute, TypeAnnotations, TypeTarget,
    VariableRange, frame_type, with_length, write_extended, write_types,
};
use crate::cursor::Cursor;
use crate::edit::{EditError, PoolAppender};
use crate::error::{Error, Section};
use crate::frame::{FrameState, SlotType, states_behind};
use crate::opcode::Flow;
use crate::table::{Record, Table};
use std::borrow::Cow;

/// The exception table. What is inserted at the start of a range is inside of it, what is inserted at its end outside,
/// so that locking stays structured: nothing comes between `monitorenter` and the range that protects it.
///
/// The handler for what leaves the method comes last, so that all others come before it.
pub(super) fn write_exceptions(
    body: &Body<'_, '_>,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> Result<(), EditError> {
    let code = body.code;
    let count = code.exceptions.len() + usize::from(body.has_escape);
    u16::try_from(count).map_err(|_| EditError::TableTooLarge)?.write(out);
    for entry in code.exceptions.iter() {
        let (start, end) = (u32::from(entry.start_pc), u32::from(entry.end_pc));
        layout.check_target(code, start)?;
        layout.check_target(code, u32::from(entry.handler_pc))?;
        if end as usize != code.bytes.len() {
            layout.check_target(code, end)?;
        }
        ExceptionEntry {
            start_pc: layout.before(start) as u16,
            end_pc: layout.before(end) as u16,
            handler_pc: layout.label(u32::from(entry.handler_pc)) as u16,
            catch_type: entry.catch_type,
        }
        .write(out);
    }
    if body.has_escape {
        let end = layout.length() as u16;
        ExceptionEntry { start_pc: layout.label(0) as u16, end_pc: end, handler_pc: end, catch_type: 0 }
            .write(out);
    }
    Ok(())
}

pub(super) fn write_attributes(
    body: &Body<'_, '_>,
    layout: &Layout,
    pool: &mut PoolAppender,
    out: &mut Vec<u8>,
) -> Result<(), EditError> {
    let needs_frames = body.needs_new_frames();
    let count = body.code.attributes.len().checked_add(u16::from(needs_frames));
    count.ok_or(EditError::TableTooLarge)?.write(out);
    for attribute in body.code.attributes.iter() {
        attribute.name.write(out);
        with_length(out, |out| write_attribute(body, &attribute, layout, pool, out))?;
    }
    if needs_frames {
        pool.text("StackMapTable")?.write(out);
        with_length(out, |out| {
            1_u16.write(out);
            write_escape_frame(layout.length() as u16, pool, out)
        })?;
    }
    Ok(())
}

/// The frame of the handler for what leaves the method: the exception and nothing else.
fn write_escape_frame(delta: u16, pool: &mut PoolAppender, out: &mut Vec<u8>) -> Result<(), EditError> {
    let exception = SlotType::Named(Cow::Borrowed(b"java/lang/Throwable".as_slice()));
    FrameState { locals: Vec::new(), stack: vec![exception] }.write_full(delta, pool, out, |pc| pc)
}

/// Attributes that are unknown are copied, and so is what the JVM ignores in a class file of this version.
///
/// What cannot be read is copied, too. A JVM that looks at it refuses the class, rewritten or not; one that does not must
/// not be kept from it.
fn write_attribute<'a>(
    body: &Body<'_, 'a>,
    attribute: &RawAttribute<'a>,
    layout: &Layout,
    pool: &mut PoolAppender,
    out: &mut Vec<u8>,
) -> Result<(), EditError> {
    let start = out.len();
    let moved = match body.class.pool().utf8(attribute.name)?.as_bytes() {
        b"LineNumberTable" => move_lines(attribute, layout, out),
        b"LocalVariableTable" | b"LocalVariableTypeTable" => move_variables(attribute, layout, out),
        b"StackMapTable" if body.frames.is_some() => return write_frames(body, layout, pool, out),
        b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
            move_type_annotations(attribute, layout, out)
        }
        _ => {
            out.extend(attribute.info);
            Ok(())
        }
    };
    if moved.is_err() {
        out.truncate(start);
        out.extend(attribute.info);
    }
    Ok(())
}

/// Reads something that fills its attribute: bytes that follow would be lost.
fn read_whole<'a, T>(
    attribute: &RawAttribute<'a>,
    section: Section,
    read: impl FnOnce(&mut Cursor<'a>) -> Result<T, Error>,
) -> Result<T, Error> {
    let mut cursor = attribute.cursor().within(section);
    let found = read(&mut cursor)?;
    cursor.finish()?;
    Ok(found)
}

fn move_lines(attribute: &RawAttribute<'_>, layout: &Layout, out: &mut Vec<u8>) -> Result<(), Error> {
    let table = read_whole(attribute, Section::Attribute(12), Table::read_u2)?;
    move_table(table, out, |line: LineNumber| LineNumber {
        start_pc: layout.label(u32::from(line.start_pc)) as u16,
        ..line
    });
    Ok(())
}

fn move_variables(attribute: &RawAttribute<'_>, layout: &Layout, out: &mut Vec<u8>) -> Result<(), Error> {
    let table = read_whole(attribute, Section::Attribute(13), Table::read_u2)?;
    move_table(table, out, |variable: LocalVariable| {
        let (start_pc, length) = move_range(layout, variable.start_pc, variable.length);
        LocalVariable { start_pc, length, ..variable }
    });
    Ok(())
}

fn move_table<R: Record>(table: Table<'_, R>, out: &mut Vec<u8>, move_one: impl Fn(R) -> R) {
    (table.len() as u16).write(out);
    table.iter().for_each(|record| move_one(record).write(out));
}

fn move_range(layout: &Layout, start: u16, length: u16) -> (u16, u16) {
    let end = layout.label(u32::from(start) + u32::from(length));
    let start = layout.label(u32::from(start));
    (start as u16, end.saturating_sub(start) as u16)
}

fn move_type_annotations(
    attribute: &RawAttribute<'_>,
    layout: &Layout,
    out: &mut Vec<u8>,
) -> Result<(), Error> {
    let annotations = read_whole(attribute, Section::Attribute(20), TypeAnnotations::read)?;
    let moved = |offset: u16| layout.instruction(u32::from(offset)) as u16;
    annotations.len().write(out);
    for annotation in annotations.iter() {
        out.push(annotation.target_type);
        match annotation.target {
            TypeTarget::LocalVariable(ranges) => move_table(ranges, out, |range: VariableRange| {
                let (start_pc, length) = move_range(layout, range.start_pc, range.length);
                VariableRange { start_pc, length, ..range }
            }),
            TypeTarget::Offset(offset) => moved(offset).write(out),
            TypeTarget::TypeArgument { offset, argument } => {
                moved(offset).write(out);
                out.push(argument);
            }
            other => other.write(out),
        }
        annotation.write_rest(out)?;
    }
    Ok(())
}

/// How long the new frames may be together. A frame with very many locals could be copied to thousands of stubs; those of
/// compilers stay below a hundredth of this.
const MAX_FRAMES_LENGTH: usize = 1 << 24;

/// A frame of the new body.
#[derive(Clone, Copy)]
struct NewFrame {
    at: u32,
    source: Source,
}

/// Where a new frame comes from.
#[derive(Clone, Copy)]
enum Source {
    /// The frame that was there, or a copy of it in front of it, by position in the old table.
    Old(usize),
    /// What holds behind a conditional jump that was widened, by position among those.
    Behind(usize),
    /// The handler for what leaves the method, behind everything.
    Escape,
}

fn write_frames(
    body: &Body<'_, '_>,
    layout: &Layout,
    pool: &mut PoolAppender,
    out: &mut Vec<u8>,
) -> Result<(), EditError> {
    let Some(table) = body.frames else { return Ok(()) };
    let old: Vec<Frame<'_>> = table.iter().collect();
    let mut frames = moved_frames(body, &old, layout)?;
    add_stub_frames(&old, layout, &mut frames);
    let inferred = add_frames_behind_widened_jumps(&old, layout, &mut frames);
    let states = if inferred.is_empty() {
        Vec::new()
    } else {
        states_behind(body.class, body.method, body.code, &table, &inferred)?
    };
    frames.sort_by_key(|frame| frame.at);
    // A jump in dead code has no state behind it, and no frame is needed there.
    frames.retain(
        |frame| !matches!(frame.source, Source::Behind(at) if states.get(at).is_none_or(Option::is_none)),
    );
    if body.has_escape {
        frames.push(NewFrame { at: layout.length(), source: Source::Escape });
    }
    u16::try_from(frames.len()).map_err(|_| EditError::TableTooLarge)?.write(out);
    FrameWriter { old: &old, states: &states, layout, pool, out }.write_all(body, &frames)
}

fn moved_frames(body: &Body<'_, '_>, old: &[Frame<'_>], layout: &Layout) -> Result<Vec<NewFrame>, EditError> {
    let mut frames = Vec::with_capacity(old.len() + layout.pieces.len());
    for (position, frame) in old.iter().enumerate() {
        layout.check_target(body.code, frame.pc)?;
        frames.push(NewFrame { at: layout.label(frame.pc), source: Source::Old(position) });
    }
    Ok(frames)
}

/// Each stub starts with a copy of its target's frame.
fn add_stub_frames(old: &[Frame<'_>], layout: &Layout, frames: &mut Vec<NewFrame>) {
    for placed in &layout.pieces {
        if matches!(placed.piece.kind, PieceKind::Edge { .. })
            && let Ok(position) = old.binary_search_by_key(&placed.piece.pc, |frame| frame.pc)
        {
            frames.push(NewFrame { at: placed.at, source: Source::Old(position) });
        }
    }
}

/// A widened conditional jump leads around a `goto_w`, and a frame is needed behind that. Returns the jumps behind
/// which there was none.
fn add_frames_behind_widened_jumps(
    old: &[Frame<'_>],
    layout: &Layout,
    frames: &mut Vec<NewFrame>,
) -> Vec<u32> {
    let mut inferred = Vec::new();
    for site in layout.sites.iter().filter(|site| site.widened && site.opcode.flow() == Flow::Branch) {
        let next = site.pc + site.length;
        let at = layout.before(next);
        match old.binary_search_by_key(&next, |frame| frame.pc) {
            Ok(_) if at == layout.label(next) => {}
            Ok(position) => frames.push(NewFrame { at, source: Source::Old(position) }),
            Err(_) => {
                frames.push(NewFrame { at, source: Source::Behind(inferred.len()) });
                inferred.push(site.pc);
            }
        }
    }
    inferred
}

struct FrameWriter<'w, 'a> {
    old: &'w [Frame<'a>],
    states: &'w [Option<FrameState<'a>>],
    layout: &'w Layout,
    pool: &'w mut PoolAppender,
    out: &'w mut Vec<u8>,
}

impl FrameWriter<'_, '_> {
    /// Writes the frames, each relative to the one before as the format wants it.
    fn write_all(&mut self, body: &Body<'_, '_>, frames: &[NewFrame]) -> Result<(), EditError> {
        // Only after a frame that was inferred do the old frames' own forms not fit, and the whole state is needed.
        let mut state =
            if self.states.is_empty() { None } else { Some(FrameState::at_entry(body.class, body.method)?) };
        let mut previous: Option<u32> = None;
        let mut written: Option<Source> = None;
        let start = self.out.len();
        for frame in frames {
            if self.out.len() - start > MAX_FRAMES_LENGTH {
                return Err(EditError::TableTooLarge);
            }
            let next = previous.map_or(0, |previous| previous + 1);
            let delta = frame.at.checked_sub(next).and_then(|delta| u16::try_from(delta).ok());
            let delta = delta.ok_or(EditError::BadPatch { pc: frame.at })?;
            previous = Some(frame.at);
            match (frame.source, written) {
                (Source::Old(position), Some(Source::Old(before))) if position == before => {
                    self.write_same(position, delta);
                }
                (Source::Old(position), _) => {
                    let Some(old) = self.old.get(position) else { continue };
                    if let Some(state) = &mut state {
                        state.apply(old);
                    }
                    match (&state, written) {
                        (Some(state), Some(Source::Behind(_))) => {
                            let layout = self.layout;
                            state.write_full(delta, self.pool, self.out, |pc| move_new(layout, pc))?;
                        }
                        _ => old.write_moved(delta, self.out, |pc| move_new(self.layout, pc)),
                    }
                }
                (Source::Escape, _) => write_escape_frame(delta, self.pool, self.out)?,
                (Source::Behind(at), _) => {
                    if let Some(Some(inferred)) = self.states.get(at) {
                        let layout = self.layout;
                        inferred.write_full(delta, self.pool, self.out, |pc| move_new(layout, pc))?;
                    }
                }
            }
            written = Some(frame.source);
        }
        Ok(())
    }

    /// Writes a frame directly behind a copy of itself: the locals are the same.
    fn write_same(&mut self, position: usize, delta: u16) {
        let Some(frame) = self.old.get(position) else { return };
        match frame.stack.len() {
            0 if delta <= u16::from(frame_type::SAME_MAX) => self.out.push(delta as u8),
            0 => write_extended(frame_type::SAME_EXTENDED, delta, self.out),
            1 => {
                if delta <= u16::from(frame_type::SAME_MAX) {
                    self.out.push(frame_type::SAME_LOCALS_1 + delta as u8);
                } else {
                    write_extended(frame_type::SAME_LOCALS_1_EXTENDED, delta, self.out);
                }
                write_types(frame.stack.iter(), self.out, |pc| move_new(self.layout, pc));
            }
            _ => frame.write_moved(delta, self.out, |pc| move_new(self.layout, pc)),
        }
    }
}

/// Where the `new` of an uninitialised object is now.
fn move_new(layout: &Layout, pc: u16) -> u16 {
    layout.instruction(u32::from(pc)) as u16
}
