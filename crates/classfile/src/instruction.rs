//! Instructions (JVMS chapter 6): decoded one after the other, straight from the code array, and encoded again.
//!
//! What an instruction looks like comes from the table in [`crate::opcode`]. Decoding checks what a single instruction
//! can be checked for; whether a jump meets the start of an instruction is asked by those who follow jumps.

use crate::attribute::Code;
use crate::error::{Error, ErrorKind, Result, Section};
use crate::opcode::{Flow, Form, Opcode};

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub struct Instruction<'a> {
    /// Its offset in the code array.
    pub pc: u32,
    /// How many bytes it has.
    pub length: u32,
    /// The opcode; for a wide instruction the one that is widened.
    pub opcode: Opcode,
    /// Whether `wide` stands in front.
    pub wide: bool,
    /// The operands.
    pub operand: Operand<'a>,
}

/// The operands of an instruction.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// None.
    None,
    /// The number that `bipush` or `sipush` pushes.
    Number(i16),
    /// A local variable, named by an operand or by the opcode.
    Local(u16),
    /// A local variable and what is added to it.
    Increment {
        /// The local variable.
        local: u16,
        /// What is added.
        by: i16,
    },
    /// The index of a constant.
    Constant(u16),
    /// The operands of `invokeinterface`.
    InterfaceCall {
        /// The index of the method.
        method: u16,
        /// The number of argument slots.
        slots: u8,
    },
    /// The code of a primitive type.
    ArrayType(u8),
    /// The operands of `multianewarray`.
    MultiArray {
        /// The index of the array class.
        class: u16,
        /// The number of dimensions.
        dimensions: u8,
    },
    /// The code offset that is jumped to.
    Jump(u32),
    /// The operands of a switch.
    Switch(Switch<'a>),
}

/// The operands of `tableswitch` and `lookupswitch`.
#[derive(Clone, Copy, Debug)]
pub struct Switch<'a> {
    pc: u32,
    padding: &'a [u8],
    default: u32,
    keys: Keys,
    entries: &'a [u8],
}

#[derive(Clone, Copy, Debug)]
enum Keys {
    /// From this key on, one distance for each key.
    From(i32),
    /// Pairs of key and distance.
    Listed,
}

impl<'a> Switch<'a> {
    /// The code offset for all other keys.
    pub fn default(&self) -> u32 {
        self.default
    }

    /// The number of keys.
    pub fn len(&self) -> usize {
        self.entries.len() / self.entry_size()
    }

    /// Whether there are no keys.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The keys with their code offsets, in the order of the file.
    pub fn cases(&self) -> impl Iterator<Item = (i32, u32)> + use<'a> {
        let (pc, keys) = (self.pc, self.keys);
        self.entries.chunks_exact(self.entry_size()).enumerate().map(move |(position, entry)| {
            let number = |at: usize| entry.get(at..at + 4).and_then(|four| four.try_into().ok());
            let number = |at| number(at).map_or(0, i32::from_be_bytes);
            let (key, distance) = match keys {
                Keys::From(low) => (low.wrapping_add(position as i32), number(0)),
                Keys::Listed => (number(0), number(4)),
            };
            (key, pc.wrapping_add_signed(distance))
        })
    }

    fn entry_size(&self) -> usize {
        match self.keys {
            Keys::From(_) => 4,
            Keys::Listed => 8,
        }
    }

    /// Writes the operands behind the opcode, the last byte of `out`, which is the instruction at `pc` in the code that
    /// starts at `start`. `target` says where each code offset is now.
    pub(crate) fn write(&self, out: &mut Vec<u8>, start: usize, mut target: impl FnMut(u32) -> u32) {
        let pc = out.len() - 1 - start;
        let padding = 3 - pc % 4;
        if padding == self.padding.len() {
            out.extend(self.padding);
        } else {
            out.extend(std::iter::repeat_n(0, padding));
        }
        let mut push = |number: i32| out.extend(number.to_be_bytes());
        let pc = pc as u32;
        push(target(self.default).wrapping_sub(pc).cast_signed());
        match self.keys {
            Keys::From(low) => {
                push(low);
                push(low.wrapping_add(self.len() as i32).wrapping_sub(1));
            }
            Keys::Listed => push(self.len() as i32),
        }
        for (key, old) in self.cases() {
            if matches!(self.keys, Keys::Listed) {
                push(key);
            }
            push(target(old).wrapping_sub(pc).cast_signed());
        }
    }
}

impl<'a> Instruction<'a> {
    /// Where execution goes after it.
    pub fn flow(&self) -> Flow {
        self.opcode.flow()
    }

    /// The code offset of the instruction behind it.
    pub fn next_pc(&self) -> u32 {
        self.pc + self.length
    }

    /// The local variable that it reads or writes.
    pub fn local(&self) -> Option<u16> {
        match (self.operand, self.opcode.form()) {
            (Operand::Local(local) | Operand::Increment { local, .. }, _) => Some(local),
            (_, Form::ImplicitLocal(local)) => Some(u16::from(local)),
            _ => None,
        }
    }

    /// The constant that it names.
    pub fn constant(&self) -> Option<u16> {
        match self.operand {
            Operand::Constant(index)
            | Operand::InterfaceCall { method: index, .. }
            | Operand::MultiArray { class: index, .. } => Some(index),
            _ => None,
        }
    }

    /// The code offsets that it may jump to: none, one, or the default and the cases of a switch.
    pub fn targets(&self) -> impl Iterator<Item = u32> + use<'a> {
        let (single, switch) = match self.operand {
            Operand::Jump(target) => (Some(target), None),
            Operand::Switch(switch) => (Some(switch.default), Some(switch)),
            _ => (None, None),
        };
        single
            .into_iter()
            .chain(switch.into_iter().flat_map(|switch| switch.cases().map(|(_, target)| target)))
    }

    /// Writes the instruction as it stands, into code that starts at `start` in `out`.
    ///
    /// It must be written at its own `pc`: distances and padding stay what they are.
    #[inline(always)]
    pub fn write(&self, out: &mut Vec<u8>, start: usize) {
        if self.wide {
            out.push(Opcode::WIDE.0);
        }
        out.push(self.opcode.0);
        match self.operand {
            Operand::None => {}
            Operand::Number(number) if self.opcode.form() == Form::Byte => out.push(number as u8),
            Operand::Number(number) => out.extend(number.to_be_bytes()),
            Operand::Local(local) if self.wide => out.extend(local.to_be_bytes()),
            Operand::Local(local) => out.push(local as u8),
            Operand::Increment { local, by } if self.wide => {
                out.extend(local.to_be_bytes());
                out.extend(by.to_be_bytes());
            }
            Operand::Increment { local, by } => out.extend([local as u8, by as u8]),
            Operand::Constant(index) if self.opcode.form() == Form::Constant1 => out.push(index as u8),
            Operand::Constant(index) => {
                out.extend(index.to_be_bytes());
                if self.opcode.form() == Form::DynamicCall {
                    out.extend([0, 0]);
                }
            }
            Operand::InterfaceCall { method, slots } => {
                out.extend(method.to_be_bytes());
                out.extend([slots, 0]);
            }
            Operand::ArrayType(code) => out.push(code),
            Operand::MultiArray { class, dimensions } => {
                out.extend(class.to_be_bytes());
                out.push(dimensions);
            }
            Operand::Jump(target) => {
                let distance = target.wrapping_sub(self.pc).cast_signed();
                if self.opcode.form() == Form::Jump4 {
                    out.extend(distance.to_be_bytes());
                } else {
                    out.extend((distance as i16).to_be_bytes());
                }
            }
            Operand::Switch(switch) => switch.write(out, start, |target| target),
        }
    }
}

/// What there is to know of an instruction for those who only follow where execution goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its offset in the code array.
    pub pc: u32,
    /// How many bytes it has.
    pub length: u32,
    /// The opcode; for a wide instruction the one that is widened.
    pub opcode: Opcode,
}

/// The code offsets that an instruction names.
#[derive(Clone, Copy, Debug)]
pub enum Leads<'a> {
    /// None.
    Nowhere,
    /// That of a jump.
    To(u32),
    /// Those of a switch.
    Choice(Switch<'a>),
}

/// The instructions of a body in order; after an error there are no more.
#[derive(Clone, Debug)]
pub struct Instructions<'a> {
    code: &'a [u8],
    pc: usize,
    offset: u32,
}

impl<'a> Instructions<'a> {
    /// The instructions of a code array that starts at `offset` in the class file.
    pub fn new(code: &'a [u8], offset: u32) -> Self {
        Self { code, pc: 0, offset }
    }

    /// The instruction at a code offset of a body, if one can be read there.
    pub fn at(code: &Code<'a>, pc: u32) -> Option<Instruction<'a>> {
        Self::starting_at(code.bytes, code.offset, pc).next()?.ok()
    }

    /// The instructions from the one at `pc` on.
    pub(crate) fn starting_at(code: &'a [u8], offset: u32, pc: u32) -> Self {
        Self { code, pc: pc as usize, offset }
    }

    #[cold]
    fn error(&self, kind: ErrorKind) -> Error {
        Error::new(self.offset.wrapping_add(self.pc as u32), Section::Instructions, kind)
    }

    #[cold]
    fn truncated(&self, wanted: usize) -> Error {
        let left = self.code.len().saturating_sub(self.pc) as u32;
        self.error(ErrorKind::Truncated { wanted: u32::try_from(wanted).unwrap_or(u32::MAX), left })
    }

    /// The bytes of the instruction from its opcode on; at least `N`.
    #[inline]
    fn head<const N: usize>(&self) -> Result<&'a [u8; N]> {
        match self.code.get(self.pc..).and_then(|rest| rest.first_chunk::<N>()) {
            Some(head) => Ok(head),
            None => Err(self.truncated(N)),
        }
    }

    /// Shows every instruction and where it leads, without reading the operands that do not matter to that. The errors
    /// are those of decoding.
    #[inline]
    pub fn walk<E: From<Error>>(
        mut self,
        mut visit: impl FnMut(Step, &Leads<'a>) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        while let Some(&byte) = self.code.get(self.pc) {
            let (pc, opcode) = (self.pc as u32, Opcode(byte));
            let (step, leads) = match opcode.simple_length() {
                Some(length) if pc + length <= self.code.len() as u32 => {
                    (Step { pc, length, opcode }, Leads::Nowhere)
                }
                _ => self.look()?,
            };
            visit(step, &leads)?;
            self.pc += step.length as usize;
        }
        Ok(())
    }

    /// The instruction as [`Self::walk`] shows it, decoded as a whole.
    #[inline(never)]
    fn look(&self) -> Result<(Step, Leads<'a>)> {
        let Instruction { pc, length, opcode, operand, .. } = self.decode()?;
        let leads = match operand {
            Operand::Jump(target) => Leads::To(target),
            Operand::Switch(switch) => Leads::Choice(switch),
            _ => Leads::Nowhere,
        };
        Ok((Step { pc, length, opcode }, leads))
    }

    #[inline(always)]
    fn decode(&self) -> Result<Instruction<'a>> {
        let &[byte] = self.head::<1>()?;
        let opcode = Opcode(byte);
        let instruction =
            |length, operand| Ok(Instruction { pc: self.pc as u32, length, opcode, wide: false, operand });
        match opcode.form() {
            Form::Plain | Form::ImplicitLocal(_) => instruction(1, Operand::None),
            Form::Constant2 => {
                let &[_, high, low] = self.head()?;
                instruction(3, Operand::Constant(u16::from_be_bytes([high, low])))
            }
            Form::Local => {
                let &[_, local] = self.head()?;
                instruction(2, Operand::Local(u16::from(local)))
            }
            Form::Jump2 => {
                let &[_, high, low] = self.head()?;
                let distance = i32::from(i16::from_be_bytes([high, low]));
                instruction(3, Operand::Jump(self.target(distance)?))
            }
            Form::Byte => {
                let &[_, number] = self.head()?;
                instruction(2, Operand::Number(i16::from(number.cast_signed())))
            }
            Form::Constant1 => {
                let &[_, index] = self.head()?;
                instruction(2, Operand::Constant(u16::from(index)))
            }
            Form::Short => {
                let &[_, high, low] = self.head()?;
                instruction(3, Operand::Number(i16::from_be_bytes([high, low])))
            }
            Form::Increment => {
                let &[_, local, by] = self.head()?;
                let by = i16::from(by.cast_signed());
                instruction(3, Operand::Increment { local: u16::from(local), by })
            }
            _ => self.decode_rare(opcode),
        }
    }

    /// The forms that few instructions have.
    fn decode_rare(&self, opcode: Opcode) -> Result<Instruction<'a>> {
        let instruction =
            |length, operand| Ok(Instruction { pc: self.pc as u32, length, opcode, wide: false, operand });
        match opcode.form() {
            Form::InterfaceCall => match *self.head()? {
                [_, high, low, slots, 0] => {
                    let method = u16::from_be_bytes([high, low]);
                    instruction(5, Operand::InterfaceCall { method, slots })
                }
                _ => Err(self.error(ErrorKind::ReservedOperand)),
            },
            Form::DynamicCall => match *self.head()? {
                [_, high, low, 0, 0] => instruction(5, Operand::Constant(u16::from_be_bytes([high, low]))),
                _ => Err(self.error(ErrorKind::ReservedOperand)),
            },
            Form::ArrayType => {
                let &[_, code] = self.head()?;
                instruction(2, Operand::ArrayType(code))
            }
            Form::MultiArray => {
                let &[_, high, low, dimensions] = self.head()?;
                instruction(4, Operand::MultiArray { class: u16::from_be_bytes([high, low]), dimensions })
            }
            Form::Jump4 => {
                let &[_, a, b, c, d] = self.head()?;
                instruction(5, Operand::Jump(self.target(i32::from_be_bytes([a, b, c, d]))?))
            }
            Form::TableSwitch | Form::LookupSwitch => self.decode_switch(opcode),
            Form::Wide => self.decode_wide(),
            _ => Err(self.error(ErrorKind::BadOpcode(opcode.0))),
        }
    }

    fn decode_wide(&self) -> Result<Instruction<'a>> {
        let &[_, byte, high, low] = self.head()?;
        let (opcode, local) = (Opcode(byte), u16::from_be_bytes([high, low]));
        let (length, operand) = match opcode.form() {
            Form::Local => (4, Operand::Local(local)),
            Form::Increment => {
                let &[_, _, _, _, high, low] = self.head()?;
                (6, Operand::Increment { local, by: i16::from_be_bytes([high, low]) })
            }
            _ => return Err(self.error(ErrorKind::BadWide(byte))),
        };
        Ok(Instruction { pc: self.pc as u32, length, opcode, wide: true, operand })
    }

    fn decode_switch(&self, opcode: Opcode) -> Result<Instruction<'a>> {
        let pad = 3 - self.pc % 4;
        let rest = self.code.get(self.pc + 1..).unwrap_or_default();
        let (padding, rest) = rest.split_at_checked(pad).ok_or_else(|| self.truncated(1 + pad))?;
        let number = |at: usize| {
            let four = rest.get(at..at + 4).and_then(|four| four.try_into().ok());
            four.map(i32::from_be_bytes).ok_or_else(|| self.truncated(1 + pad + at + 4))
        };
        let default = number(0)?;
        let (keys, head, entry_size, count) = if opcode == Opcode::TABLESWITCH {
            let (low, high) = (number(4)?, number(8)?);
            (Keys::From(low), 12, 4, i64::from(high) - i64::from(low) + 1)
        } else {
            (Keys::Listed, 8, 8, i64::from(number(4)?))
        };
        let minimum = i64::from(opcode == Opcode::TABLESWITCH);
        let count = usize::try_from(count).ok().filter(|_| count >= minimum);
        let count = count.ok_or_else(|| self.error(ErrorKind::BadSwitch))?;
        let end = count.saturating_mul(entry_size).saturating_add(head);
        let entries = rest.get(head..end).ok_or_else(|| self.truncated(end.saturating_add(1 + pad)))?;
        let switch = Switch { pc: self.pc as u32, padding, default: self.target(default)?, keys, entries };
        for (_, target) in switch.cases() {
            if target as usize >= self.code.len() {
                let pc = i64::from(target.cast_signed());
                return Err(self.error(ErrorKind::BadTarget { pc }));
            }
        }
        let length = (1 + pad + end) as u32;
        let operand = Operand::Switch(switch);
        Ok(Instruction { pc: self.pc as u32, length, opcode, wide: false, operand })
    }

    /// The code offset at a distance from this instruction.
    #[inline]
    fn target(&self, distance: i32) -> Result<u32> {
        let pc = self.pc as i64 + i64::from(distance);
        if (0..self.code.len() as i64).contains(&pc) {
            Ok(pc as u32)
        } else {
            Err(self.error(ErrorKind::BadTarget { pc }))
        }
    }
}

impl<'a> Iterator for Instructions<'a> {
    type Item = Result<Instruction<'a>>;

    // Inlined, as is `Instruction::write`: where one follows the other the compiler then makes one jump by form of the
    // two, and the instruction stays in registers.
    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.pc >= self.code.len() {
            return None;
        }
        let decoded = Some(self.decode());
        // The length is looked at where it is: moving an instruction costs more than decoding it.
        self.pc = match &decoded {
            Some(Ok(instruction)) => self.pc + instruction.length as usize,
            _ => self.code.len(),
        };
        decoded
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What decoding says, and what walking says, in the same words; an error ends both.
    fn both(code: &[u8]) -> [Vec<String>; 2] {
        let shown = |pc: u32, length: u32, opcode: Opcode, targets: Vec<u32>| {
            format!("{pc} {length} {opcode:?} {targets:?}")
        };
        let decoded = Instructions::new(code, 7).map(|instruction| match instruction {
            Ok(one) => shown(one.pc, one.length, one.opcode, one.targets().collect()),
            Err(error) => error.to_string(),
        });
        let mut walked = Vec::new();
        let outcome = Instructions::new(code, 7).walk(|step, leads| {
            let targets = match leads {
                Leads::Nowhere => Vec::new(),
                Leads::To(target) => vec![*target],
                Leads::Choice(switch) => {
                    std::iter::once(switch.default()).chain(switch.cases().map(|(_, to)| to)).collect()
                }
            };
            walked.push(shown(step.pc, step.length, step.opcode, targets));
            Ok::<(), Error>(())
        });
        walked.extend(outcome.err().map(|error| error.to_string()));
        [decoded.collect(), walked]
    }

    #[test]
    fn walking_and_decoding_see_the_same() {
        // Each opcode in front of operands that suit some of them, whole and cut off.
        let operands = [
            [0; 20],
            [0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0],
            [0x15, 0, 2, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            [0x84, 0, 2, 0xff, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        ];
        let mut whole = 0;
        for opcode in 0..=u8::MAX {
            for operands in operands {
                let code = [&[opcode], &operands[..]].concat();
                for length in 1..=code.len() {
                    let [decoded, walked] = both(&code[..length]);
                    assert_eq!(decoded, walked, "{:?}", &code[..length]);
                    whole += usize::from(length == code.len() && decoded.len() > 1);
                }
            }
        }
        assert!(whole > 700, "{whole}");
    }
}
