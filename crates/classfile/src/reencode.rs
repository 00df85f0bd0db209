//! Writes a class again from everything that was decoded.
//!
//! This is the proof that reading loses nothing: constants, members, attributes and instructions all go through their
//! decoded form. Those who change a class use [`crate::edit`], which copies what it does not change.

use crate::attribute::write_attributes;
use crate::class::{ClassFile, MAGIC, Member};
use crate::error::Result;
use crate::table::Record;

/// Decodes every part of a class and writes it again; the result equals the input byte for byte.
pub fn reencode(class: &ClassFile<'_>) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(class.bytes().len());
    out.extend(MAGIC.to_be_bytes());
    let pool = class.pool();
    [class.version().minor, class.version().major, pool.count()]
        .iter()
        .for_each(|value| value.write(&mut out));
    pool.write(&mut out)?;
    [class.access(), class.this_class(), class.super_class()].iter().for_each(|value| value.write(&mut out));
    (class.interfaces().len() as u16).write(&mut out);
    class.interfaces().write(&mut out);
    for members in [class.fields(), class.methods()] {
        (members.len() as u16).write(&mut out);
        members.iter().try_for_each(|member| write_member(class, member, &mut out))?;
    }
    write_attributes(&class.attributes(), pool, &mut out)?;
    Ok(out)
}

fn write_member<'a>(class: &ClassFile<'a>, member: &Member<'a>, out: &mut Vec<u8>) -> Result<()> {
    [member.access, member.name, member.descriptor].iter().for_each(|value| value.write(out));
    write_attributes(&member.attributes, class.pool(), out)
}
