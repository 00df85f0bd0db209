//! The classes that a body uses without running code of theirs: whose change could alter what the body does.
//!
//! Each is at the instruction that uses it, so that code that did not run brings nothing in. Names stand for the element
//! types of arrays; primitive types are left out.

use probity_classfile::attribute::Code;
use probity_classfile::instruction::{Instruction, Instructions, Operand};
use probity_classfile::opcode::Opcode;
use probity_classfile::pool::Constant;
use probity_classfile::{ClassFile, Mutf8};

use crate::body::Places;
use crate::canonical::{MAX_CONSTANT_DEPTH, MAX_CONSTANTS, bootstrap_method};
use crate::shape::ShapeError;

/// How a class is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Use {
    /// An instance is made.
    New,
    /// The owner of a static field that is read or written.
    StaticField,
    /// The owner of a static method that is called.
    StaticCall,
    /// The owner of an instance field.
    Field,
    /// The owner of a method that is called on an instance.
    Call,
    /// The interface through which a method is called.
    InterfaceCall,
    /// A class literal, or another constant that names the class.
    Literal,
    /// The element type of an array that is made.
    Array,
    /// The type of a cast or an `instanceof`.
    Cast,
    /// Something that a bootstrap method is given, or its owner.
    Bootstrap,
    /// The type of exceptions that are caught.
    Catch,
}

/// One use of a class.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reference {
    /// The number of the instruction, in the order of the body. For a caught type, that of the handler.
    pub instruction: u32,
    /// How the class is used.
    pub usage: Use,
    /// The internal name of the class.
    pub class: String,
    /// The member of it that is meant, or one that is inherited by it.
    pub member: Option<MemberKey>,
}

/// A member by name and descriptor. Two members can share a key by chance, so it shows that a body does *not* name a member, and
/// never that it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MemberKey(pub u32);

impl MemberKey {
    /// The key of a field or method.
    #[must_use]
    pub fn of(name: &str, descriptor: &str) -> Self {
        // FNV-1a. No name has a byte of zero, so the two cannot run into each other.
        let bytes = name.bytes().chain([0]).chain(descriptor.bytes());
        Self(bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)))
    }
}

/// All uses in a body, in the order of its instructions.
pub(crate) fn references(
    class: &ClassFile<'_>,
    code: &Code<'_>,
    places: &Places,
) -> Result<Vec<Reference>, ShapeError> {
    let mut found = Found { class, instruction: 0, constants: 0, references: Vec::new() };
    for instruction in Instructions::new(code.bytes, code.offset) {
        let instruction = instruction?;
        found.instruction = places.number(instruction.pc);
        found.constants = 0;
        found.add_instruction(&instruction)?;
    }
    for entry in code.exceptions.iter().filter(|entry| entry.catch_type != 0) {
        found.instruction = places.number(u32::from(entry.handler_pc));
        found.add_class(entry.catch_type, Use::Catch)?;
    }
    found.references.sort_unstable();
    found.references.dedup();
    Ok(found.references)
}

struct Found<'c, 'a> {
    class: &'c ClassFile<'a>,
    instruction: u32,
    /// How many constants were looked at for the instruction.
    constants: usize,
    references: Vec<Reference>,
}

impl Found<'_, '_> {
    fn add_instruction(&mut self, instruction: &Instruction<'_>) -> Result<(), ShapeError> {
        let index = match instruction.operand {
            Operand::Constant(index) => index,
            Operand::InterfaceCall { method, .. } => method,
            Operand::MultiArray { class, .. } => class,
            _ => return Ok(()),
        };
        match instruction.opcode {
            Opcode::NEW => self.add_class(index, Use::New),
            Opcode::GETSTATIC | Opcode::PUTSTATIC => self.add_member(index, Use::StaticField),
            Opcode::GETFIELD | Opcode::PUTFIELD => self.add_member(index, Use::Field),
            Opcode::INVOKESTATIC => self.add_member(index, Use::StaticCall),
            Opcode::INVOKEVIRTUAL | Opcode::INVOKESPECIAL => self.add_member(index, Use::Call),
            Opcode::INVOKEINTERFACE => self.add_member(index, Use::InterfaceCall),
            Opcode::ANEWARRAY | Opcode::MULTIANEWARRAY => self.add_class(index, Use::Array),
            Opcode::CHECKCAST | Opcode::INSTANCEOF => self.add_class(index, Use::Cast),
            Opcode::INVOKEDYNAMIC => self.add_constant(index, Use::Bootstrap, 0),
            _ => self.add_constant(index, Use::Literal, 0),
        }
    }

    fn add_member(&mut self, index: u16, usage: Use) -> Result<(), ShapeError> {
        let member = self.class.pool().member(index)?;
        let key = MemberKey::of(&member.name.to_text(), &member.descriptor.to_text());
        self.add(member.class, usage, Some(key));
        Ok(())
    }

    fn add_class(&mut self, index: u16, usage: Use) -> Result<(), ShapeError> {
        let name = self.class.pool().class_name(index)?;
        self.add_name(name, usage);
        Ok(())
    }

    fn add_name(&mut self, name: Mutf8<'_>, usage: Use) {
        self.add(name, usage, None);
    }

    /// A class by its name, which for an array is a descriptor.
    fn add(&mut self, name: Mutf8<'_>, usage: Use, member: Option<MemberKey>) {
        let text = name.to_text();
        let class = match text.strip_prefix('[') {
            None => Some(text.as_ref()),
            Some(array) => {
                array.trim_start_matches('[').strip_prefix('L').and_then(|rest| rest.strip_suffix(';'))
            }
        };
        if let Some(class) = class {
            let class = class.to_owned();
            self.references.push(Reference { instruction: self.instruction, usage, class, member });
        }
    }

    /// The classes in a descriptor of a method or a field.
    fn add_descriptor(&mut self, descriptor: Mutf8<'_>, usage: Use) {
        let text = descriptor.to_text();
        let mut rest = text.as_ref();
        while let Some(start) = rest.find('L') {
            let Some((class, after)) = rest.split_at(start + 1).1.split_once(';') else { break };
            let class = class.to_owned();
            self.references.push(Reference { instruction: self.instruction, usage, class, member: None });
            rest = after;
        }
    }

    fn add_constant(&mut self, index: u16, usage: Use, depth: usize) -> Result<(), ShapeError> {
        self.constants += 1;
        if depth > MAX_CONSTANT_DEPTH || self.constants > MAX_CONSTANTS {
            return Err(ShapeError::ConstantsTooDeep);
        }
        let pool = self.class.pool();
        match pool.get(index)? {
            Constant::Class { name } => {
                let name = pool.utf8(name)?;
                self.add_name(name, usage);
            }
            Constant::MethodType { descriptor } => {
                let descriptor = pool.utf8(descriptor)?;
                self.add_descriptor(descriptor, usage);
            }
            Constant::MethodHandle { reference, .. } => {
                self.add_member(reference, usage)?;
                self.add_descriptor(pool.member(reference)?.descriptor, usage);
            }
            Constant::Dynamic { bootstrap, name_and_type }
            | Constant::InvokeDynamic { bootstrap, name_and_type } => {
                let (_, descriptor) = pool.name_and_type(name_and_type)?;
                self.add_descriptor(descriptor, Use::Bootstrap);
                let (method, arguments) = bootstrap_method(self.class, bootstrap)?;
                self.add_constant(method, Use::Bootstrap, depth + 1)?;
                for argument in arguments {
                    self.add_constant(argument, Use::Bootstrap, depth + 1)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}
