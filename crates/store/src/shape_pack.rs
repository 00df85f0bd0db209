//! The file with shapes of classes: tables of texts and hashes, then one shape after the other, each found by the bytes of its class.

mod write;

use crate::bytes::{Malformed, Reader};
use crate::container::{FileReader, Kind};
use crate::error::Damage;
use crate::strings::Strings;
use probity_shape::{
    BodyShape, ClassPart, ContentId, FieldShape, MemberKey, MethodShape, Reference, Shape, ShapeHash, Use,
};
use probity_trace::Why;
use std::ops::Range;

pub(crate) use write::write;

/// What such a file starts with.
pub(crate) const KIND: Kind = Kind { magic: *b"probityshape", version: 2 };

/// A file that was read: shapes are taken apart when they are asked for.
#[derive(Debug)]
pub(crate) struct Pack {
    strings: Strings,
    hashes: Vec<ShapeHash>,
    bodies: Vec<u8>,
    /// Where each shape is.
    pub(crate) places: Vec<(ContentId, Range<usize>)>,
}

impl Pack {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Damage> {
        let mut file = FileReader::new(bytes, KIND)?;
        let strings = file.read(Strings::read)?;
        let hashes = file.read(|reader| reader.list(|reader| Ok(ShapeHash(reader.array()?))))?;
        let (bodies, places) = file.read(|reader| {
            let whole = reader.take(reader.left())?;
            let mut reader = Reader::new(whole);
            let places = reader.list(|reader| {
                let content = ContentId(reader.array()?);
                let length = reader.bytes()?.len();
                let end = whole.len() - reader.left();
                Ok((content, end - length..end))
            })?;
            reader.end()?;
            Ok((whole.to_vec(), places))
        })?;
        file.end()?;
        Ok(Self { strings, hashes, bodies, places })
    }

    /// A shape that is there; nothing if it cannot be read.
    pub(crate) fn shape(&self, content: ContentId, place: Range<usize>) -> Option<Shape> {
        let mut reader = Reader::new(self.bodies.get(place)?);
        let shape = self.read_shape(content, &mut reader).ok()?;
        reader.end().ok().map(|()| shape)
    }

    fn string(&self, reader: &mut Reader<'_>) -> Result<String, Malformed> {
        Ok(self.strings.get(reader.row(self.strings.len())?).to_owned())
    }

    fn hash(&self, reader: &mut Reader<'_>) -> Result<ShapeHash, Malformed> {
        self.hashes.get(reader.small()? as usize).copied().ok_or(Malformed::TooLarge)
    }

    fn read_shape(&self, content: ContentId, reader: &mut Reader<'_>) -> Result<Shape, Malformed> {
        let super_name = |reader: &mut Reader<'_>| reader.optional_row(self.strings.len());
        Ok(Shape {
            content,
            class_id: u64::from_be_bytes(reader.array()?),
            name: self.string(reader)?,
            super_name: super_name(reader)?.map(|number| self.strings.get(number).to_owned()),
            interfaces: reader.list(|reader| self.string(reader))?,
            access: read_access(reader)?,
            parts: reader.list(|reader| Ok((class_part(reader.byte()?)?, self.hash(reader)?)))?,
            debug: self.hash(reader)?,
            fields: reader.list(|reader| self.read_field(reader))?,
            methods: reader.list(|reader| self.read_method(reader))?,
        })
    }

    fn read_field(&self, reader: &mut Reader<'_>) -> Result<FieldShape, Malformed> {
        Ok(FieldShape {
            name: self.string(reader)?,
            descriptor: self.string(reader)?,
            access: read_access(reader)?,
            declaration: self.hash(reader)?,
            constant: self.optional_hash(reader)?,
        })
    }

    fn optional_hash(&self, reader: &mut Reader<'_>) -> Result<Option<ShapeHash>, Malformed> {
        match reader.byte()? {
            0 => Ok(None),
            1 => Ok(Some(self.hash(reader)?)),
            other => Err(Malformed::UnknownKind(other)),
        }
    }

    fn read_method(&self, reader: &mut Reader<'_>) -> Result<MethodShape, Malformed> {
        Ok(MethodShape {
            name: self.string(reader)?,
            descriptor: self.string(reader)?,
            access: read_access(reader)?,
            declaration: self.hash(reader)?,
            body: match reader.byte()? {
                0 => None,
                1 => Some(self.read_body(reader)?),
                other => return Err(Malformed::UnknownKind(other)),
            },
        })
    }

    fn read_body(&self, reader: &mut Reader<'_>) -> Result<BodyShape, Malformed> {
        let (code, debug, probe_places) = (self.hash(reader)?, self.hash(reader)?, self.hash(reader)?);
        let (start, count) = (reader.small()?, reader.small()?);
        let end = start.checked_add(count).ok_or(Malformed::TooLarge)?;
        let entry_probe = reader.small()?.checked_sub(1);
        let mut instruction = 0u32;
        let references = reader.list(|reader| {
            instruction = instruction.checked_add(reader.small()?).ok_or(Malformed::TooLarge)?;
            let (usage, class) = (usage(reader.byte()?)?, self.string(reader)?);
            let member = match reader.byte()? {
                0 => None,
                1 => Some(MemberKey(u32::from_be_bytes(reader.array()?))),
                other => return Err(Malformed::UnknownKind(other)),
            };
            Ok(Reference { instruction, usage, class, member })
        })?;
        Ok(BodyShape { code, debug, probe_places, probes: start..end, entry_probe, references })
    }
}

fn read_access(reader: &mut Reader<'_>) -> Result<u16, Malformed> {
    u16::try_from(reader.number()?).map_err(|_| Malformed::TooLarge)
}

/// A use has the number that it has as a reason.
fn usage(code: u8) -> Result<Use, Malformed> {
    match Why::from_code(code) {
        Some(Why::Named(usage)) => Ok(usage),
        _ => Err(Malformed::UnknownKind(code)),
    }
}

const PARTS: [ClassPart; 11] = [
    ClassPart::Header,
    ClassPart::Generics,
    ClassPart::Annotations,
    ClassPart::InvisibleAnnotations,
    ClassPart::Nesting,
    ClassPart::Record,
    ClassPart::PermittedSubclass,
    ClassPart::Module,
    ClassPart::Other,
    ClassPart::NestHost,
    ClassPart::NestMember,
];

/// The number of a part: its place in the list, to which others may only be appended.
fn part_code(part: ClassPart) -> u8 {
    PARTS.iter().position(|other| *other == part).unwrap_or_default() as u8
}

fn class_part(code: u8) -> Result<ClassPart, Malformed> {
    PARTS.get(usize::from(code)).copied().ok_or(Malformed::UnknownKind(code))
}
