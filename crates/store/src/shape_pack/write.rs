//! Makes a file of shapes.
//!
//! Shapes are walked twice, by the same code: first to find which texts and hashes there are, then to write them by the numbers that they have in
//! their tables. What was found is kept in the order in which it was met, so that nothing is looked up a second time.

use super::{KIND, part_code};
use crate::bytes::{put_bytes, put_count, put_number, put_optional};
use crate::container::FileWriter;
use crate::quick_hash::QuickMap;
use crate::strings::write_strings;
use probity_shape::{BodyShape, FieldShape, MethodShape, Reference, Shape, ShapeHash};
use probity_trace::Why;
use std::hash::Hash;

/// The file with some shapes.
pub(crate) fn write<'s>(shapes: impl Iterator<Item = &'s Shape>) -> Vec<u8> {
    let mut sorted: Vec<&Shape> = shapes.collect();
    sorted.sort_unstable_by_key(|shape| shape.content);
    sorted.dedup_by_key(|shape| shape.content);
    let mut found = Found::default();
    sorted.iter().for_each(|shape| walk(shape, &mut found));
    let (strings, mut texts) = found.texts.sorted();
    let (hashes, mut hash_numbers) = found.hashes.sorted();

    let mut file = FileWriter::new(KIND);
    let mut out = Vec::new();
    write_strings(&strings, &mut out);
    file.section(&out);
    out.clear();
    put_count(&mut out, hashes.len());
    hashes.iter().for_each(|hash| out.extend(hash.0));
    file.section(&out);
    out.clear();
    let mut body = Vec::new();
    put_count(&mut out, sorted.len());
    for shape in sorted {
        body.clear();
        walk(shape, &mut Writer { texts: &mut texts, hashes: &mut hash_numbers, out: &mut body });
        out.extend(shape.content.0);
        put_bytes(&mut out, &body);
    }
    file.section(&out);
    file.finish()
}

/// What is done with the parts of a shape, in the order in which they are written.
trait Visitor<'s> {
    fn text(&mut self, text: &'s str);
    fn optional_text(&mut self, text: Option<&'s str>);
    fn hash(&mut self, hash: ShapeHash);
    fn number(&mut self, number: u64);
    fn optional_number(&mut self, number: Option<u32>);
    fn bytes(&mut self, bytes: &[u8]);

    fn count(&mut self, count: usize) {
        self.number(count as u64);
    }
}

fn walk<'s>(shape: &'s Shape, visitor: &mut impl Visitor<'s>) {
    visitor.bytes(&shape.class_id.to_be_bytes());
    visitor.text(&shape.name);
    visitor.optional_text(shape.super_name.as_deref());
    visitor.count(shape.interfaces.len());
    shape.interfaces.iter().for_each(|name| visitor.text(name));
    visitor.number(shape.access.into());
    visitor.count(shape.parts.len());
    for (part, hash) in &shape.parts {
        visitor.bytes(&[part_code(*part)]);
        visitor.hash(*hash);
    }
    visitor.hash(shape.debug);
    visitor.count(shape.fields.len());
    for FieldShape { name, descriptor, access, constant, declaration } in &shape.fields {
        walk_declared([name, descriptor], *access, *declaration, visitor);
        visitor.bytes(&[u8::from(constant.is_some())]);
        constant.iter().for_each(|constant| visitor.hash(*constant));
    }
    visitor.count(shape.methods.len());
    for MethodShape { name, descriptor, access, declaration, body } in &shape.methods {
        walk_declared([name, descriptor], *access, *declaration, visitor);
        visitor.bytes(&[u8::from(body.is_some())]);
        if let Some(body) = body {
            walk_body(body, visitor);
        }
    }
}

fn walk_declared<'s>(texts: [&'s str; 2], access: u16, hash: ShapeHash, visitor: &mut impl Visitor<'s>) {
    texts.into_iter().for_each(|text| visitor.text(text));
    visitor.number(access.into());
    visitor.hash(hash);
}

fn walk_body<'s>(body: &'s BodyShape, visitor: &mut impl Visitor<'s>) {
    visitor.hash(body.code);
    visitor.hash(body.debug);
    visitor.hash(body.probe_places);
    visitor.number(body.probes.start.into());
    visitor.number(body.probes.end.saturating_sub(body.probes.start).into());
    visitor.optional_number(body.entry_probe);
    visitor.count(body.references.len());
    let mut before = 0;
    for Reference { instruction, usage, class, member } in &body.references {
        visitor.number(instruction.saturating_sub(before).into());
        before = *instruction;
        visitor.bytes(&[Why::Named(*usage).code()]);
        visitor.text(class);
        visitor.bytes(&[u8::from(member.is_some())]);
        member.iter().for_each(|member| visitor.bytes(&member.0.to_be_bytes()));
    }
}

/// Things, each once, and which of them was met one after the other.
struct Met<K> {
    numbers: QuickMap<K, u32>,
    sequence: Vec<u32>,
}

impl<K> Default for Met<K> {
    fn default() -> Self {
        Self { numbers: QuickMap::default(), sequence: Vec::new() }
    }
}

impl<K: Copy + Ord + Hash> Met<K> {
    fn add(&mut self, thing: K) {
        let next = self.numbers.len() as u32;
        self.sequence.push(*self.numbers.entry(thing).or_insert(next));
    }

    /// The things in order, and their places in that order, one after the other as they were met.
    fn sorted(self) -> (Vec<K>, std::vec::IntoIter<u32>) {
        let mut things: Vec<(K, u32)> = self.numbers.into_iter().collect();
        things.sort_unstable();
        let mut places = vec![0; things.len()];
        for (place, (_, number)) in (0..).zip(&things) {
            if let Some(at) = places.get_mut(*number as usize) {
                *at = place;
            }
        }
        let mut sequence = self.sequence;
        for number in &mut sequence {
            *number = places.get(*number as usize).copied().unwrap_or_default();
        }
        (things.into_iter().map(|(thing, _)| thing).collect(), sequence.into_iter())
    }
}

/// The texts and hashes of shapes.
#[derive(Default)]
struct Found<'s> {
    texts: Met<&'s str>,
    hashes: Met<ShapeHash>,
}

impl<'s> Visitor<'s> for Found<'s> {
    fn text(&mut self, text: &'s str) {
        self.texts.add(text);
    }

    fn optional_text(&mut self, text: Option<&'s str>) {
        text.into_iter().for_each(|text| self.texts.add(text));
    }

    fn hash(&mut self, hash: ShapeHash) {
        self.hashes.add(hash);
    }

    fn number(&mut self, _: u64) {}

    fn optional_number(&mut self, _: Option<u32>) {}

    fn bytes(&mut self, _: &[u8]) {}
}

/// Writes a shape, with the numbers that come next.
struct Writer<'w> {
    texts: &'w mut std::vec::IntoIter<u32>,
    hashes: &'w mut std::vec::IntoIter<u32>,
    out: &'w mut Vec<u8>,
}

impl<'s> Visitor<'s> for Writer<'_> {
    fn text(&mut self, _: &'s str) {
        put_number(self.out, self.texts.next().unwrap_or_default());
    }

    fn optional_text(&mut self, text: Option<&'s str>) {
        let number = text.and_then(|_| self.texts.next());
        put_optional(self.out, number);
    }

    fn hash(&mut self, _: ShapeHash) {
        put_number(self.out, self.hashes.next().unwrap_or_default());
    }

    fn number(&mut self, number: u64) {
        put_number(self.out, number);
    }

    fn optional_number(&mut self, number: Option<u32>) {
        put_optional(self.out, number);
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }
}
