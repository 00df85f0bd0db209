//! What the verifier knows at a point of a body (JVMS 4.10.1): the types of locals and operand stack.
//!
//! Frames are given by `StackMapTable` at jump targets. Between them the types follow from the instructions alone, with
//! no look at other classes; that is all that is needed to write a frame behind an instruction that had none. The
//! method is assumed to be one that the JVM accepts: for others the result is some frame, never a panic.

use crate::attribute::{Code, Frame, StackMapTable, VerificationType};
use crate::class::{ClassFile, Member};
use crate::descriptor::{FieldType, MethodType};
use crate::edit::{EditError, PoolAppender};
use crate::error::{ErrorKind, Result, Section};
use crate::instruction::{Instruction, Operand};
use crate::mutf8::Mutf8;
use crate::opcode::{Effect, Flow, Opcode};
use crate::pool::{Constant, ConstantPool};
use std::borrow::Cow;

/// The type of one slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SlotType<'a> {
    /// A type as frames write it. The second slot of a `long` or `double` is `Top`.
    Plain(VerificationType),
    /// A class or array by internal name, which the pool may not have yet.
    Named(Cow<'a, [u8]>),
}

use SlotType::{Named, Plain};

/// The types of all slots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameState<'a> {
    /// The local variables.
    pub locals: Vec<SlotType<'a>>,
    /// The operand stack, the top last.
    pub stack: Vec<SlotType<'a>>,
}

const TOP: SlotType<'static> = Plain(VerificationType::Top);

fn push_field_type<'a>(to: &mut Vec<SlotType<'a>>, found: FieldType<'a>) {
    match found {
        FieldType::Int => to.push(Plain(VerificationType::Integer)),
        FieldType::Float => to.push(Plain(VerificationType::Float)),
        FieldType::Long => to.extend([Plain(VerificationType::Long), TOP]),
        FieldType::Double => to.extend([Plain(VerificationType::Double), TOP]),
        FieldType::Object(name) | FieldType::Array(name) => to.push(Named(Cow::Borrowed(name.as_bytes()))),
    }
}

fn push_verification_type(to: &mut Vec<SlotType<'_>>, found: VerificationType) {
    to.push(Plain(found));
    if matches!(found, VerificationType::Long | VerificationType::Double) {
        to.push(TOP);
    }
}

impl<'a> FrameState<'a> {
    /// The state at the start of a method.
    pub fn at_entry(class: &ClassFile<'a>, method: &Member<'a>) -> Result<Self> {
        let mut locals = Vec::new();
        if method.access & crate::access::STATIC == 0 {
            let constructor = class.pool().utf8(method.name)? == "<init>" && class.super_class() != 0;
            locals.push(Plain(if constructor {
                VerificationType::UninitializedThis
            } else {
                VerificationType::Object(class.this_class())
            }));
        }
        let descriptor = MethodType::read(class.pool().utf8(method.descriptor)?)?;
        descriptor.parameters().for_each(|parameter| push_field_type(&mut locals, parameter));
        Ok(Self { locals, stack: Vec::new() })
    }

    /// Goes from the frame before to this one.
    pub fn apply(&mut self, frame: &Frame<'_>) {
        if frame.is_full() {
            self.locals.clear();
        }
        for _ in 0..frame.chopped() {
            // A `long` or `double` is one entry of a frame and two slots.
            if self.locals.pop() == Some(TOP) && self.locals.last().is_some_and(takes_two_slots) {
                self.locals.pop();
            }
        }
        frame.locals.iter().for_each(|one| push_verification_type(&mut self.locals, one));
        self.stack.clear();
        frame.stack.iter().for_each(|one| push_verification_type(&mut self.stack, one));
    }

    /// Writes the state as a `full_frame`.
    pub fn write_full(
        &self,
        delta: u16,
        pool: &mut PoolAppender,
        out: &mut Vec<u8>,
        move_new: impl Fn(u16) -> u16,
    ) -> std::result::Result<(), EditError> {
        crate::attribute::write_extended(crate::attribute::frame_type::FULL, delta, out);
        let known = self.locals.iter().rposition(|one| *one != TOP).map_or(0, |last| {
            // The second slot of a `long` at the end belongs to it.
            if self.locals.get(last).is_some_and(takes_two_slots) { last + 2 } else { last + 1 }
        });
        write_slots(self.locals.get(..known).unwrap_or(&self.locals), pool, out, &move_new)?;
        write_slots(&self.stack, pool, out, &move_new)
    }

    fn set_local(&mut self, local: u16, value: &[SlotType<'a>]) {
        let at = usize::from(local);
        if self.locals.len() < at + value.len() {
            self.locals.resize(at + value.len(), TOP);
        }
        if let Some(before) = at.checked_sub(1).and_then(|before| self.locals.get_mut(before))
            && takes_two_slots(before)
        {
            *before = TOP;
        }
        if let Some(after) = self.locals.get_mut(at + value.len() - 1)
            && takes_two_slots(after)
            && let Some(second) = self.locals.get_mut(at + value.len())
        {
            *second = TOP;
        }
        if let Some(place) = self.locals.get_mut(at..at + value.len()) {
            place.clone_from_slice(value);
        }
    }

    fn initialise(&mut self, old: &SlotType<'a>, new: &SlotType<'a>) {
        for slot in self.locals.iter_mut().chain(&mut self.stack) {
            if slot == old {
                *slot = new.clone();
            }
        }
    }

    fn pop(&mut self, slots: usize) {
        self.stack.truncate(self.stack.len().saturating_sub(slots));
    }
}

fn takes_two_slots(slot: &SlotType<'_>) -> bool {
    matches!(slot, Plain(VerificationType::Long | VerificationType::Double))
}

/// Writes a count and then the types; two slots of one value are one entry.
fn write_slots(
    slots: &[SlotType<'_>],
    pool: &mut PoolAppender,
    out: &mut Vec<u8>,
    move_new: &impl Fn(u16) -> u16,
) -> std::result::Result<(), EditError> {
    let at = out.len();
    out.extend([0, 0]);
    let mut count = 0_u16;
    let mut rest = slots.iter();
    while let Some(slot) = rest.next() {
        let one = match slot {
            Plain(VerificationType::Uninitialized(pc)) => VerificationType::Uninitialized(move_new(*pc)),
            Plain(one) => *one,
            Named(name) => VerificationType::Object(pool.class(Mutf8::new(name))?),
        };
        one.write(out);
        count = count.checked_add(1).ok_or(EditError::TableTooLarge)?;
        if takes_two_slots(slot) {
            rest.next();
        }
    }
    if let Some(place) = out.get_mut(at..at + 2) {
        place.copy_from_slice(&count.to_be_bytes());
    }
    Ok(())
}

/// How much may be looked at and copied while states are found: slots, and bytes of names and descriptors. A frame of a
/// few bytes can repeat thousands of slots, and an instruction can name a long text. No method of a compiler comes near.
const MAX_WORK: usize = 1 << 25;

/// The states directly behind the instructions at the given code offsets, which are in ascending order.
///
/// `None` for an offset that no frame or fall-through reaches.
pub fn states_behind<'a>(
    class: &ClassFile<'a>,
    method: &Member<'a>,
    code: &Code<'a>,
    frames: &StackMapTable<'a>,
    wanted: &[u32],
) -> std::result::Result<Vec<Option<FrameState<'a>>>, EditError> {
    let mut given = FrameState::at_entry(class, method)?;
    let mut frames = frames.iter().peekable();
    let mut state = Some(given.clone());
    let mut states = Vec::with_capacity(wanted.len());
    let mut work = 0_usize;
    for instruction in code.instructions() {
        let instruction = instruction?;
        while let Some(frame) = frames.next_if(|frame| frame.pc <= instruction.pc) {
            given.apply(&frame);
            work += given.weight();
            check_work(work)?;
            state = Some(given.clone());
        }
        if let Some(state) = &mut state {
            work += state.cost(class.pool(), &instruction);
            check_work(work)?;
            state.execute(class, code, &instruction)?;
            work += state.pushed_weight();
        }
        if wanted.get(states.len()) == Some(&instruction.pc) {
            work += state.as_ref().map_or(0, FrameState::weight);
            check_work(work)?;
            states.push(state.clone());
        }
        if !matches!(instruction.flow(), Flow::Next | Flow::Branch) {
            state = None;
        }
    }
    states.resize(wanted.len(), None);
    Ok(states)
}

fn check_work(work: usize) -> std::result::Result<(), EditError> {
    if work > MAX_WORK { Err(EditError::FrameTooLarge) } else { Ok(()) }
}

impl FrameState<'_> {
    /// How much a copy of the state takes.
    fn weight(&self) -> usize {
        self.locals.iter().chain(&self.stack).map(slot_weight).sum()
    }

    /// How much an instruction looks at: its descriptor, and for an object that is initialised all slots.
    fn cost(&self, pool: &ConstantPool<'_>, instruction: &Instruction<'_>) -> usize {
        let descriptor = instruction.constant().and_then(|index| pool.descriptor(index).ok());
        let everywhere = instruction.opcode == Opcode::INVOKESPECIAL;
        descriptor.map_or(0, |descriptor| descriptor.as_bytes().len())
            + if everywhere { self.locals.len() + self.stack.len() } else { 0 }
    }

    /// How much an instruction can have copied: at most this many slots were pushed.
    fn pushed_weight(&self) -> usize {
        self.stack.iter().rev().take(6).map(slot_weight).sum()
    }
}

fn slot_weight(slot: &SlotType<'_>) -> usize {
    match slot {
        Named(Cow::Owned(name)) => 1 + name.len(),
        _ => 1,
    }
}

impl<'a> FrameState<'a> {
    fn execute(
        &mut self,
        class: &ClassFile<'a>,
        code: &Code<'a>,
        instruction: &Instruction<'a>,
    ) -> Result<()> {
        match instruction.opcode.info().effect {
            Effect::Fixed { pops, pushes } if pops.bytes().any(|slot| slot.is_ascii_lowercase()) => {
                self.shuffle(pops, pushes);
                Ok(())
            }
            Effect::Fixed { pops, pushes } => self.execute_typed(class, instruction, pops, pushes),
            Effect::ByConstant => self.execute_by_constant(class, code, instruction),
        }
    }

    /// The instructions that move slots whatever they hold.
    fn shuffle(&mut self, pops: &str, pushes: &str) {
        let popped = self.stack.split_off(self.stack.len().saturating_sub(pops.len()));
        let slot = |name| popped.get(pops.bytes().position(|other| other == name)?).cloned();
        self.stack.extend(pushes.bytes().map(|name| slot(name).unwrap_or(TOP)));
    }

    fn execute_typed(
        &mut self,
        class: &ClassFile<'a>,
        instruction: &Instruction<'a>,
        pops: &str,
        pushes: &str,
    ) -> Result<()> {
        let result = if pushes == "A" { Some(self.reference(class.pool(), instruction)?) } else { None };
        let slots = pops.bytes().map(|letter| if matches!(letter, b'J' | b'D') { 2 } else { 1 }).sum();
        let popped = self.stack.split_off(self.stack.len().saturating_sub(slots));
        if let (Some(local), false) = (instruction.local(), popped.is_empty()) {
            self.set_local(local, &popped);
        }
        match pushes.as_bytes() {
            b"A" => self.stack.push(result.unwrap_or(TOP)),
            b"I" => self.stack.push(Plain(VerificationType::Integer)),
            b"F" => self.stack.push(Plain(VerificationType::Float)),
            b"J" => self.stack.extend([Plain(VerificationType::Long), TOP]),
            b"D" => self.stack.extend([Plain(VerificationType::Double), TOP]),
            _ => {}
        }
        Ok(())
    }

    /// What an instruction pushes that pushes a reference.
    fn reference(&self, pool: &ConstantPool<'a>, instruction: &Instruction<'a>) -> Result<SlotType<'a>> {
        Ok(match (instruction.opcode, instruction.operand) {
            (Opcode::ACONST_NULL, _) => Plain(VerificationType::Null),
            (Opcode::NEW, _) => Plain(VerificationType::Uninitialized(instruction.pc as u16)),
            (Opcode::CHECKCAST, Operand::Constant(class)) => Plain(VerificationType::Object(class)),
            (Opcode::ANEWARRAY, Operand::Constant(class)) => Named(array_of(pool.class_name(class)?).into()),
            (Opcode::NEWARRAY, Operand::ArrayType(code)) => Named(Cow::Borrowed(primitive_array(code))),
            (Opcode::AALOAD, _) => {
                let array = self.stack.len().checked_sub(2).and_then(|at| self.stack.get(at));
                element_type(pool, array.unwrap_or(&TOP))?
            }
            _ => {
                let local = instruction.local().and_then(|local| self.locals.get(usize::from(local)));
                local.cloned().unwrap_or(TOP)
            }
        })
    }

    fn execute_by_constant(
        &mut self,
        class: &ClassFile<'a>,
        code: &Code<'a>,
        instruction: &Instruction<'a>,
    ) -> Result<()> {
        let pool = class.pool();
        let Some(index) = instruction.constant() else { return Ok(()) };
        match instruction.opcode {
            Opcode::LDC | Opcode::LDC_W | Opcode::LDC2_W => self.load_constant(pool, index),
            Opcode::MULTIANEWARRAY => {
                if let Operand::MultiArray { dimensions, .. } = instruction.operand {
                    self.pop(usize::from(dimensions));
                }
                self.stack.push(Plain(VerificationType::Object(index)));
                Ok(())
            }
            Opcode::GETSTATIC | Opcode::GETFIELD | Opcode::PUTSTATIC | Opcode::PUTFIELD => {
                let field = FieldType::read(pool.descriptor(index)?)?;
                let receiver = matches!(instruction.opcode, Opcode::GETFIELD | Opcode::PUTFIELD);
                let put = matches!(instruction.opcode, Opcode::PUTSTATIC | Opcode::PUTFIELD);
                self.pop(usize::from(receiver) + if put { field.slots() } else { 0 });
                if !put {
                    push_field_type(&mut self.stack, field);
                }
                Ok(())
            }
            _ => self.call(class, code, instruction, index),
        }
    }

    fn call(
        &mut self,
        class: &ClassFile<'a>,
        code: &Code<'a>,
        instruction: &Instruction<'a>,
        index: u16,
    ) -> Result<()> {
        let pool = class.pool();
        let method = MethodType::read(pool.descriptor(index)?)?;
        self.pop(method.argument_slots());
        if !matches!(instruction.opcode, Opcode::INVOKESTATIC | Opcode::INVOKEDYNAMIC) {
            let receiver = self.stack.pop().unwrap_or(TOP);
            if instruction.opcode == Opcode::INVOKESPECIAL && pool.member(index)?.name == "<init>" {
                let initialised = match receiver {
                    Plain(VerificationType::UninitializedThis) => class.this_class(),
                    Plain(VerificationType::Uninitialized(pc)) => class_of_new(code, pc)?,
                    _ => 0,
                };
                self.initialise(&receiver, &Plain(VerificationType::Object(initialised)));
            }
        }
        if let Some(returned) = method.returns {
            push_field_type(&mut self.stack, returned);
        }
        Ok(())
    }

    fn load_constant(&mut self, pool: &ConstantPool<'a>, index: u16) -> Result<()> {
        let mut named = |name: &'static str| self.stack.push(Named(Cow::Borrowed(name.as_bytes())));
        match pool.get(index)? {
            Constant::Integer(_) => self.stack.push(Plain(VerificationType::Integer)),
            Constant::Float(_) => self.stack.push(Plain(VerificationType::Float)),
            Constant::Long(_) => push_verification_type(&mut self.stack, VerificationType::Long),
            Constant::Double(_) => push_verification_type(&mut self.stack, VerificationType::Double),
            Constant::String { .. } => named("java/lang/String"),
            Constant::Class { .. } => named("java/lang/Class"),
            Constant::MethodType { .. } => named("java/lang/invoke/MethodType"),
            Constant::MethodHandle { .. } => named("java/lang/invoke/MethodHandle"),
            _ => push_field_type(&mut self.stack, FieldType::read(pool.descriptor(index)?)?),
        }
        Ok(())
    }
}

/// The class that the `new` at a code offset makes an object of.
fn class_of_new(code: &Code<'_>, pc: u16) -> Result<u16> {
    match code.bytes.get(usize::from(pc)..) {
        Some([opcode, high, low, ..]) if *opcode == Opcode::NEW.0 => Ok(u16::from_be_bytes([*high, *low])),
        _ => {
            let kind = ErrorKind::BadTarget { pc: i64::from(pc) };
            Err(crate::Error::new(code.offset, Section::Attribute(4), kind))
        }
    }
}

fn array_of(element: Mutf8<'_>) -> Vec<u8> {
    match element.as_bytes() {
        array @ [b'[', ..] => [b"[", array].concat(),
        class => [b"[L", class, b";"].concat(),
    }
}

fn primitive_array(code: u8) -> &'static [u8] {
    match code {
        4 => b"[Z",
        5 => b"[C",
        6 => b"[F",
        7 => b"[D",
        8 => b"[B",
        9 => b"[S",
        11 => b"[J",
        _ => b"[I",
    }
}

/// The type of the elements of an array of references.
fn element_type<'a>(pool: &ConstantPool<'a>, array: &SlotType<'a>) -> Result<SlotType<'a>> {
    let name: Cow<'a, [u8]> = match array {
        Plain(VerificationType::Object(class)) => Cow::Borrowed(pool.class_name(*class)?.as_bytes()),
        Named(name) => name.clone(),
        other @ Plain(_) => return Ok(other.clone()),
    };
    Ok(Named(match &*name {
        [b'[', b'L', class @ .., b';'] => class.to_vec().into(),
        [b'[', array @ ..] => array.to_vec().into(),
        _ => name,
    }))
}
