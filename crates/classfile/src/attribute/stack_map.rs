//! `StackMapTable` (JVMS 4.7.4): the frames that the verifier is given.
//!
//! Frames are relative to the one before. They are read as they stand, so that they can be written back as they stood,
//! and it is left to [`crate::frame`] to say what they mean.

use crate::cursor::Cursor;
use crate::error::{ErrorKind, Result};
use crate::table::Record;

/// The frame types whose numbers matter.
pub(crate) mod frame_type {
    /// The last `same_frame`.
    pub(crate) const SAME_MAX: u8 = 63;
    /// The first `same_locals_1_stack_item_frame`.
    pub(crate) const SAME_LOCALS_1: u8 = 64;
    /// The last `same_locals_1_stack_item_frame`.
    pub(crate) const SAME_LOCALS_1_MAX: u8 = 127;
    /// `same_locals_1_stack_item_frame_extended`.
    pub(crate) const SAME_LOCALS_1_EXTENDED: u8 = 247;
    /// `chop_frame` of three locals.
    pub(crate) const CHOP_3: u8 = 248;
    /// `chop_frame` of one local.
    pub(crate) const CHOP_1: u8 = 250;
    /// `same_frame_extended`.
    pub(crate) const SAME_EXTENDED: u8 = 251;
    /// `append_frame` of one local.
    pub(crate) const APPEND_1: u8 = 252;
    /// `append_frame` of three locals.
    pub(crate) const APPEND_3: u8 = 254;
    /// `full_frame`.
    pub(crate) const FULL: u8 = 255;
}

/// The contents of `StackMapTable`.
#[derive(Clone, Copy, Debug)]
pub struct StackMapTable<'a> {
    count: u16,
    frames: Cursor<'a>,
}

/// One frame as it stands.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The code offset to which it applies.
    pub pc: u32,
    /// The frame type.
    pub frame_type: u8,
    /// The offset delta, explicit or from the frame type.
    pub delta: u16,
    /// The locals that an `append_frame` adds or a `full_frame` lists.
    pub locals: VerificationTypes<'a>,
    /// The operand stack, if the frame lists one.
    pub stack: VerificationTypes<'a>,
}

/// A list of verification types.
#[derive(Clone, Copy, Debug)]
pub struct VerificationTypes<'a> {
    count: u16,
    types: Cursor<'a>,
}

/// A verification type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of JVMS 4.7.4")]
pub enum VerificationType {
    Top,
    Integer,
    Float,
    Double,
    Long,
    Null,
    UninitializedThis,
    /// The index of a class.
    Object(u16),
    /// The code offset of the `new` that made the object.
    Uninitialized(u16),
}

impl VerificationType {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self> {
        let at_tag = *cursor;
        Ok(match cursor.u1()? {
            0 => Self::Top,
            1 => Self::Integer,
            2 => Self::Float,
            3 => Self::Double,
            4 => Self::Long,
            5 => Self::Null,
            6 => Self::UninitializedThis,
            7 => Self::Object(cursor.u2()?),
            8 => Self::Uninitialized(cursor.u2()?),
            other => return Err(at_tag.error(ErrorKind::BadVerificationType(other))),
        })
    }

    /// Writes the type as it stands in a class file.
    pub fn write(self, out: &mut Vec<u8>) {
        let (tag, operand) = match self {
            Self::Top => (0, None),
            Self::Integer => (1, None),
            Self::Float => (2, None),
            Self::Double => (3, None),
            Self::Long => (4, None),
            Self::Null => (5, None),
            Self::UninitializedThis => (6, None),
            Self::Object(class) => (7, Some(class)),
            Self::Uninitialized(pc) => (8, Some(pc)),
        };
        out.push(tag);
        if let Some(operand) = operand {
            operand.write(out);
        }
    }
}

impl<'a> VerificationTypes<'a> {
    fn read(cursor: &mut Cursor<'a>, count: u16) -> Result<Self> {
        let types = *cursor;
        for _ in 0..count {
            VerificationType::read(cursor)?;
        }
        Ok(Self { count, types })
    }

    /// How many there are.
    pub fn len(&self) -> u16 {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// All types in order. They were read once already, so none is left out.
    pub fn iter(&self) -> impl Iterator<Item = VerificationType> + use<'a> {
        let mut cursor = self.types;
        (0..self.count).map_while(move |_| VerificationType::read(&mut cursor).ok())
    }
}

impl<'a> Frame<'a> {
    fn read(cursor: &mut Cursor<'a>, previous: Option<u32>) -> Result<Self> {
        use frame_type::{
            APPEND_1, APPEND_3, CHOP_3, FULL, SAME_EXTENDED, SAME_LOCALS_1, SAME_LOCALS_1_EXTENDED,
        };
        let at_type = *cursor;
        let kind = cursor.u1()?;
        let delta = match kind {
            0..SAME_LOCALS_1 => u16::from(kind),
            SAME_LOCALS_1..=frame_type::SAME_LOCALS_1_MAX => u16::from(kind - SAME_LOCALS_1),
            SAME_LOCALS_1_EXTENDED..=FULL => cursor.u2()?,
            reserved => return Err(at_type.error(ErrorKind::BadFrame(reserved))),
        };
        let locals = match kind {
            APPEND_1..=APPEND_3 => u16::from(kind - SAME_EXTENDED),
            FULL => cursor.u2()?,
            _ => 0,
        };
        let locals = VerificationTypes::read(cursor, locals)?;
        let stack = match kind {
            0..SAME_LOCALS_1 | CHOP_3..=APPEND_3 => 0,
            FULL => cursor.u2()?,
            _ => 1,
        };
        let stack = VerificationTypes::read(cursor, stack)?;
        let pc = previous.map_or(0, |previous| previous.saturating_add(1)).saturating_add(u32::from(delta));
        Ok(Self { pc, frame_type: kind, delta, locals, stack })
    }

    /// Whether the frame lists all locals.
    pub fn is_full(&self) -> bool {
        self.frame_type == frame_type::FULL
    }

    /// How many locals a `chop_frame` takes away.
    pub fn chopped(&self) -> usize {
        match self.frame_type {
            kind @ frame_type::CHOP_3..=frame_type::CHOP_1 => usize::from(frame_type::SAME_EXTENDED - kind),
            _ => 0,
        }
    }

    /// Writes the frame in its own form for another delta, in the longer form where the delta asks for it.
    ///
    /// `move_new` says where the `new` of an uninitialised object is now.
    pub fn write_moved(&self, delta: u16, out: &mut Vec<u8>, move_new: impl Fn(u16) -> u16) {
        use frame_type::{FULL, SAME_EXTENDED, SAME_LOCALS_1, SAME_LOCALS_1_EXTENDED, SAME_MAX};
        let short = u8::try_from(delta).ok().filter(|&delta| delta <= SAME_MAX);
        match (self.frame_type, short) {
            (0..SAME_LOCALS_1, Some(delta)) => out.push(delta),
            (0..SAME_LOCALS_1, None) => write_extended(SAME_EXTENDED, delta, out),
            (SAME_LOCALS_1..=frame_type::SAME_LOCALS_1_MAX, Some(delta)) => out.push(SAME_LOCALS_1 + delta),
            (SAME_LOCALS_1..=frame_type::SAME_LOCALS_1_MAX, None) => {
                write_extended(SAME_LOCALS_1_EXTENDED, delta, out);
            }
            (kind, _) => write_extended(kind, delta, out),
        }
        for types in [self.locals, self.stack] {
            if self.frame_type == FULL {
                types.len().write(out);
            }
            write_types(types.iter(), out, &move_new);
        }
    }
}

/// Writes verification types, without a count in front.
pub(crate) fn write_types(
    types: impl Iterator<Item = VerificationType>,
    out: &mut Vec<u8>,
    move_new: impl Fn(u16) -> u16,
) {
    for one in types {
        match one {
            VerificationType::Uninitialized(pc) => VerificationType::Uninitialized(move_new(pc)).write(out),
            other => other.write(out),
        }
    }
}

pub(crate) fn write_extended(frame_type: u8, delta: u16, out: &mut Vec<u8>) {
    out.push(frame_type);
    delta.write(out);
}

impl<'a> StackMapTable<'a> {
    pub(crate) fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
        let count = cursor.u2()?;
        let frames = *cursor;
        let mut previous = None;
        for _ in 0..count {
            previous = Some(Frame::read(cursor, previous)?.pc);
        }
        Ok(Self { count, frames })
    }

    /// How many frames there are.
    pub fn len(&self) -> u16 {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// All frames in order. They were read once already, so none is left out.
    pub fn iter(&self) -> impl Iterator<Item = Frame<'a>> + use<'a> {
        let mut cursor = self.frames;
        let mut previous = None;
        (0..self.count).map_while(move |_| {
            let frame = Frame::read(&mut cursor, previous).ok()?;
            previous = Some(frame.pc);
            Some(frame)
        })
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) {
        self.count.write(out);
        self.iter().for_each(|frame| frame.write_moved(frame.delta, out, |pc| pc));
    }
}
