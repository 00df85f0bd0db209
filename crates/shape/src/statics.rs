//! The static fields that bodies read and write: the state that tests in one JVM share.

use probity_classfile::instruction::Instructions;
use probity_classfile::opcode::Opcode;
use probity_classfile::{ClassFile, access};

use crate::body::Places;
use crate::shape::ShapeError;

/// One access to a static field.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StaticAccess {
    /// The number of the instruction, in the order of the body.
    pub instruction: u32,
    /// Whether the field is written; otherwise it is read.
    pub writes: bool,
    /// The internal name of the class through which it is named.
    pub class: String,
    /// Its name.
    pub field: String,
}

/// The accesses of each method to static fields, by the position of the method. Fields of the class itself that are final are left
/// out, since only its initialiser writes them.
///
/// # Errors
///
/// Fails if something in the class cannot be understood.
pub fn static_accesses(bytes: &[u8]) -> Result<Vec<Vec<StaticAccess>>, ShapeError> {
    let class = ClassFile::read(bytes)?;
    let (pool, own) = (class.pool(), class.name()?);
    let is_own_constant = |name| {
        class.fields().iter().any(|field| {
            field.access & access::FINAL != 0 && pool.utf8(field.name).is_ok_and(|field| field == name)
        })
    };
    let mut methods = Vec::with_capacity(class.methods().len());
    for method in class.methods() {
        let mut accesses = Vec::new();
        if let Some(code) = class.code(method)? {
            let places = Places::of(&code)?;
            for instruction in Instructions::new(code.bytes, code.offset) {
                let instruction = instruction?;
                let writes = instruction.opcode == Opcode::PUTSTATIC;
                if !writes && instruction.opcode != Opcode::GETSTATIC {
                    continue;
                }
                let Some(index) = instruction.constant() else { continue };
                let field = pool.member(index)?;
                if field.class == own && is_own_constant(field.name) {
                    continue;
                }
                accesses.push(StaticAccess {
                    instruction: places.number(instruction.pc),
                    writes,
                    class: field.class.to_text().into_owned(),
                    field: field.name.to_text().into_owned(),
                });
            }
        }
        methods.push(accesses);
    }
    Ok(methods)
}
