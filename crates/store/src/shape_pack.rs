//! The file with shapes of classes: tables of texts and hashes, then one shape after the other, each found by the bytes of its class.

use crate::bytes::{Malformed, Reader, put_bytes, put_count, put_number, put_optional};
use crate::container::{FileReader, FileWriter, Kind};
use crate::error::Damage;
use crate::quick_hash::QuickMap;
use crate::strings::{Strings, write_strings};
use probity_shape::{
    BodyShape, ClassPart, ContentId, FieldShape, MemberKey, MethodShape, Reference, Shape, ShapeHash, Use,
};
use probity_trace::Why;
use std::ops::Range;

/// What such a file starts with.
pub(crate) const KIND: Kind = Kind { magic: *b"probityshape", version: 2 };

/// The file with some shapes.
pub(crate) fn write<'s>(shapes: impl Iterator<Item = &'s Shape> + Clone) -> Vec<u8> {
    let mut found = Found::default();
    shapes.clone().for_each(|shape| found.collect(shape));
    let tables = Tables::of(found);
    let mut sorted: Vec<&Shape> = shapes.collect();
    sorted.sort_unstable_by_key(|shape| shape.content);
    sorted.dedup_by_key(|shape| shape.content);

    let mut file = FileWriter::new(KIND);
    let mut out = Vec::new();
    write_strings(&tables.strings, &mut out);
    file.section(&out);
    out.clear();
    put_count(&mut out, tables.hashes.len());
    tables.hashes.iter().for_each(|hash| out.extend(hash.0));
    file.section(&out);
    out.clear();
    let mut body = Vec::new();
    put_count(&mut out, sorted.len());
    for shape in sorted {
        body.clear();
        tables.write_shape(shape, &mut body);
        out.extend(shape.content.0);
        put_bytes(&mut out, &body);
    }
    file.section(&out);
    file.finish()
}

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

/// The texts and hashes that shapes need.
#[derive(Default)]
struct Found<'s> {
    strings: QuickMap<&'s str, u32>,
    hashes: Vec<ShapeHash>,
}

impl<'s> Found<'s> {
    fn string(&mut self, text: &'s str) {
        self.strings.insert(text, 0);
    }

    fn collect(&mut self, shape: &'s Shape) {
        self.string(&shape.name);
        shape.super_name.iter().chain(&shape.interfaces).for_each(|name| self.string(name));
        self.hashes.extend(shape.parts.iter().map(|(_, hash)| *hash));
        self.hashes.push(shape.debug);
        for FieldShape { name, descriptor, declaration, constant, .. } in &shape.fields {
            [name, descriptor].into_iter().for_each(|text| self.string(text));
            self.hashes.extend([*declaration].into_iter().chain(*constant));
        }
        for MethodShape { name, descriptor, declaration, body, .. } in &shape.methods {
            [name, descriptor].into_iter().for_each(|text| self.string(text));
            self.hashes.push(*declaration);
            if let Some(body) = body {
                self.hashes.extend([body.code, body.debug, body.probe_places]);
                body.references.iter().for_each(|reference| self.string(&reference.class));
            }
        }
    }
}

/// Sorted tables, for writing, and the number of each text.
struct Tables<'s> {
    strings: Vec<&'s str>,
    numbers: QuickMap<&'s str, u32>,
    hashes: Vec<ShapeHash>,
}

impl<'s> Tables<'s> {
    fn of(found: Found<'s>) -> Self {
        let Found { strings: mut numbers, mut hashes } = found;
        let mut strings: Vec<&str> = numbers.keys().copied().collect();
        strings.sort_unstable();
        for (number, text) in (0..).zip(&strings) {
            numbers.insert(text, number);
        }
        hashes.sort_unstable();
        hashes.dedup();
        Self { strings, numbers, hashes }
    }
}

impl Tables<'_> {
    fn string(&self, text: &str) -> u32 {
        self.numbers.get(text).copied().unwrap_or_default()
    }

    fn put_string(&self, text: &str, out: &mut Vec<u8>) {
        put_number(out, self.string(text));
    }

    fn put_hash(&self, hash: ShapeHash, out: &mut Vec<u8>) {
        put_count(out, self.hashes.binary_search(&hash).unwrap_or_default());
    }

    fn write_shape(&self, shape: &Shape, out: &mut Vec<u8>) {
        out.extend(shape.class_id.to_be_bytes());
        self.put_string(&shape.name, out);
        put_optional(out, shape.super_name.as_deref().map(|name| self.string(name)));
        put_count(out, shape.interfaces.len());
        shape.interfaces.iter().for_each(|name| self.put_string(name, out));
        put_number(out, shape.access);
        put_count(out, shape.parts.len());
        for (part, hash) in &shape.parts {
            out.push(part_code(*part));
            self.put_hash(*hash, out);
        }
        self.put_hash(shape.debug, out);
        put_count(out, shape.fields.len());
        for FieldShape { name, descriptor, access, constant, declaration } in &shape.fields {
            self.write_declared([name, descriptor], *access, *declaration, out);
            out.push(u8::from(constant.is_some()));
            constant.iter().for_each(|constant| self.put_hash(*constant, out));
        }
        put_count(out, shape.methods.len());
        for MethodShape { name, descriptor, access, declaration, body } in &shape.methods {
            self.write_declared([name, descriptor], *access, *declaration, out);
            out.push(u8::from(body.is_some()));
            if let Some(body) = body {
                self.write_body(body, out);
            }
        }
    }

    fn write_declared(&self, texts: [&str; 2], access: u16, declaration: ShapeHash, out: &mut Vec<u8>) {
        texts.into_iter().for_each(|text| self.put_string(text, out));
        put_number(out, access);
        self.put_hash(declaration, out);
    }

    fn write_body(&self, body: &BodyShape, out: &mut Vec<u8>) {
        self.put_hash(body.code, out);
        self.put_hash(body.debug, out);
        self.put_hash(body.probe_places, out);
        put_number(out, body.probes.start);
        put_number(out, body.probes.end.saturating_sub(body.probes.start));
        put_optional(out, body.entry_probe);
        put_count(out, body.references.len());
        let mut before = 0;
        for Reference { instruction, usage, class, member } in &body.references {
            put_number(out, instruction.saturating_sub(before));
            before = *instruction;
            out.push(Why::Named(*usage).code());
            self.put_string(class, out);
            out.push(u8::from(member.is_some()));
            member.iter().for_each(|member| out.extend(member.0.to_be_bytes()));
        }
    }
}
