//! Annotations (JVMS 4.7.16 to 4.7.22), read as a stream of events.
//!
//! Annotations nest. A stream over an explicit stack reads each byte once, whatever the nesting, and no input can make
//! it recurse; nesting beyond [`MAX_ANNOTATION_DEPTH`] is an error.

use crate::cursor::Cursor;
use crate::error::{ErrorKind, Result};
use crate::table::{Decode, Record, Sequence, Table, u2_record};

/// How deep annotations and arrays may nest. Java's own reflection gives up far earlier.
pub const MAX_ANNOTATION_DEPTH: u16 = 1024;

/// One step through annotations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnnotationEvent {
    /// An annotation begins; as many pairs of name and value follow, then [`Self::End`].
    Annotation {
        /// Whether it is a value of another annotation.
        nested: bool,
        /// The index of its type's descriptor.
        type_descriptor: u16,
        /// The number of pairs.
        pairs: u16,
    },
    /// The index of an element's name; its value follows.
    Name(u16),
    /// A number, character, boolean or string.
    Constant {
        /// The tag: one of `BCDFIJSZs`.
        tag: u8,
        /// The index of the value.
        value: u16,
    },
    /// A constant of an enum.
    Enum {
        /// The index of the enum's descriptor.
        type_descriptor: u16,
        /// The index of the constant's name.
        name: u16,
    },
    /// The index of a class literal's descriptor.
    Class(u16),
    /// An array begins; as many values follow, then [`Self::End`].
    Array(u16),
    /// The innermost annotation or array ends.
    End,
}

impl AnnotationEvent {
    fn write(self, out: &mut Vec<u8>) {
        match self {
            Self::Annotation { nested, type_descriptor, pairs } => {
                if nested {
                    out.push(b'@');
                }
                type_descriptor.write(out);
                pairs.write(out);
            }
            Self::Name(name) => name.write(out),
            Self::Constant { tag, value } => {
                out.push(tag);
                value.write(out);
            }
            Self::Enum { type_descriptor, name } => {
                out.push(b'e');
                type_descriptor.write(out);
                name.write(out);
            }
            Self::Class(descriptor) => {
                out.push(b'c');
                descriptor.write(out);
            }
            Self::Array(count) => {
                out.push(b'[');
                count.write(out);
            }
            Self::End => {}
        }
    }
}

/// Annotations one after the other, or a single value, whose end was found once.
#[derive(Clone, Copy, Debug)]
pub struct AnnotationEvents<'a> {
    start: Cursor<'a>,
    what: Outermost,
}

#[derive(Clone, Copy, Debug)]
enum Outermost {
    Annotations(u16),
    Value,
}

impl<'a> AnnotationEvents<'a> {
    /// Reads a two-byte count and then annotations.
    pub(super) fn read_list(cursor: &mut Cursor<'a>) -> Result<Self> {
        let count = cursor.u2()?;
        Self::read(cursor, Outermost::Annotations(count))
    }

    /// Reads one value.
    pub(super) fn read_value(cursor: &mut Cursor<'a>) -> Result<Self> {
        Self::read(cursor, Outermost::Value)
    }

    fn read(cursor: &mut Cursor<'a>, what: Outermost) -> Result<Self> {
        let events = Self { start: *cursor, what };
        let mut walk = events.walk();
        while walk.step()?.is_some() {}
        *cursor = walk.cursor;
        Ok(events)
    }

    fn walk(&self) -> Walk<'a> {
        Walk { cursor: self.start, what: self.what, open: Vec::new(), value_is_next: false }
    }

    /// All events in order. They were read once already, so none is left out.
    pub fn iter(&self) -> impl Iterator<Item = AnnotationEvent> + use<'a> {
        let mut walk = self.walk();
        std::iter::from_fn(move || walk.step().ok().flatten())
    }

    pub(super) fn write_list(&self, out: &mut Vec<u8>) -> Result<()> {
        if let Outermost::Annotations(count) = self.what {
            count.write(out);
        }
        self.write_value(out)
    }

    pub(super) fn write_value(&self, out: &mut Vec<u8>) -> Result<()> {
        let mut walk = self.walk();
        while let Some(event) = walk.step()? {
            event.write(out);
        }
        Ok(())
    }
}

struct Walk<'a> {
    cursor: Cursor<'a>,
    what: Outermost,
    open: Vec<Open>,
    value_is_next: bool,
}

#[derive(Clone, Copy)]
enum Open {
    Annotation { pairs_left: u16 },
    Array { values_left: u16 },
}

impl Walk<'_> {
    fn step(&mut self) -> Result<Option<AnnotationEvent>> {
        if std::mem::take(&mut self.value_is_next) {
            return self.value().map(Some);
        }
        match self.open.last_mut() {
            Some(Open::Annotation { pairs_left: 0 } | Open::Array { values_left: 0 }) => {
                self.open.pop();
                Ok(Some(AnnotationEvent::End))
            }
            Some(Open::Annotation { pairs_left }) => {
                *pairs_left -= 1;
                self.value_is_next = true;
                self.cursor.u2().map(|name| Some(AnnotationEvent::Name(name)))
            }
            Some(Open::Array { values_left }) => {
                *values_left -= 1;
                self.value().map(Some)
            }
            None => self.outermost(),
        }
    }

    fn outermost(&mut self) -> Result<Option<AnnotationEvent>> {
        match self.what {
            Outermost::Annotations(0) => Ok(None),
            Outermost::Annotations(left) => {
                self.what = Outermost::Annotations(left - 1);
                self.annotation(false).map(Some)
            }
            Outermost::Value => {
                self.what = Outermost::Annotations(0);
                self.value().map(Some)
            }
        }
    }

    fn annotation(&mut self, nested: bool) -> Result<AnnotationEvent> {
        let (type_descriptor, pairs) = (self.cursor.u2()?, self.cursor.u2()?);
        self.enter(Open::Annotation { pairs_left: pairs })?;
        Ok(AnnotationEvent::Annotation { nested, type_descriptor, pairs })
    }

    fn value(&mut self) -> Result<AnnotationEvent> {
        let at_tag = self.cursor;
        match self.cursor.u1()? {
            tag @ (b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' | b's') => {
                Ok(AnnotationEvent::Constant { tag, value: self.cursor.u2()? })
            }
            b'e' => Ok(AnnotationEvent::Enum { type_descriptor: self.cursor.u2()?, name: self.cursor.u2()? }),
            b'c' => self.cursor.u2().map(AnnotationEvent::Class),
            b'@' => self.annotation(true),
            b'[' => {
                let count = self.cursor.u2()?;
                self.enter(Open::Array { values_left: count })?;
                Ok(AnnotationEvent::Array(count))
            }
            other => Err(at_tag.error(ErrorKind::BadElementValue(other))),
        }
    }

    fn enter(&mut self, open: Open) -> Result<()> {
        if self.open.len() >= usize::from(MAX_ANNOTATION_DEPTH) {
            return Err(self.cursor.error(ErrorKind::TooDeep { limit: MAX_ANNOTATION_DEPTH }));
        }
        self.open.push(open);
        Ok(())
    }
}

/// The annotations of each parameter in order.
#[derive(Clone, Copy, Debug)]
pub struct ParameterAnnotations<'a> {
    count: u8,
    start: Cursor<'a>,
}

impl<'a> ParameterAnnotations<'a> {
    pub(super) fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
        let count = cursor.u1()?;
        let start = *cursor;
        for _ in 0..count {
            AnnotationEvents::read_list(cursor)?;
        }
        Ok(Self { count, start })
    }

    /// One list of annotations for each parameter. They were read once already, so none is left out.
    pub fn iter(&self) -> impl Iterator<Item = AnnotationEvents<'a>> + use<'a> {
        let mut cursor = self.start;
        (0..self.count).map_while(move |_| AnnotationEvents::read_list(&mut cursor).ok())
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        out.push(self.count);
        self.iter().try_for_each(|annotations| annotations.write_list(out))
    }
}

/// The contents of `RuntimeVisibleTypeAnnotations` and its invisible twin.
#[derive(Clone, Copy, Debug)]
pub struct TypeAnnotations<'a>(Sequence<'a, TypeAnnotation<'a>>);

/// An annotation of a type.
#[derive(Clone, Copy, Debug)]
pub struct TypeAnnotation<'a> {
    /// The byte that says what kind of type use is annotated.
    pub target_type: u8,
    /// Which type use is annotated.
    pub target: TypeTarget<'a>,
    /// The way to a part of that type, two bytes a step.
    pub path: &'a [u8],
    /// The annotation.
    pub annotation: AnnotationEvents<'a>,
}

u2_record! {
    /// A range in which an annotated local variable lives.
    VariableRange {
        /// Where it starts in the code.
        start_pc,
        /// How many bytes of code it spans.
        length,
        /// The slot.
        index,
    }
}

/// Which type use is annotated (JVMS 4.7.20.1).
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the names are those of JVMS 4.7.20.1")]
pub enum TypeTarget<'a> {
    TypeParameter(u8),
    Supertype(u16),
    TypeParameterBound { parameter: u8, bound: u8 },
    Empty,
    FormalParameter(u8),
    Throws(u16),
    LocalVariable(Table<'a, VariableRange>),
    Catch(u16),
    Offset(u16),
    TypeArgument { offset: u16, argument: u8 },
}

impl<'a> TypeTarget<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<(u8, Self)> {
        let at_type = *cursor;
        let target_type = cursor.u1()?;
        let target = match target_type {
            0x00 | 0x01 => Self::TypeParameter(cursor.u1()?),
            0x10 => Self::Supertype(cursor.u2()?),
            0x11 | 0x12 => Self::TypeParameterBound { parameter: cursor.u1()?, bound: cursor.u1()? },
            0x13..=0x15 => Self::Empty,
            0x16 => Self::FormalParameter(cursor.u1()?),
            0x17 => Self::Throws(cursor.u2()?),
            0x40 | 0x41 => Self::LocalVariable(Table::read_u2(cursor)?),
            0x42 => Self::Catch(cursor.u2()?),
            0x43..=0x46 => Self::Offset(cursor.u2()?),
            0x47..=0x4B => Self::TypeArgument { offset: cursor.u2()?, argument: cursor.u1()? },
            other => return Err(at_type.error(ErrorKind::BadTypeAnnotationTarget(other))),
        };
        Ok((target_type, target))
    }

    /// Writes the target, without its type in front.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        match *self {
            Self::TypeParameter(index) | Self::FormalParameter(index) => out.push(index),
            Self::Supertype(index) | Self::Throws(index) | Self::Catch(index) | Self::Offset(index) => {
                index.write(out);
            }
            Self::TypeParameterBound { parameter, bound } => out.extend([parameter, bound]),
            Self::Empty => {}
            Self::LocalVariable(ranges) => super::write_table(&ranges, out),
            Self::TypeArgument { offset, argument } => {
                offset.write(out);
                out.push(argument);
            }
        }
    }
}

impl<'a> Decode<'a> for TypeAnnotation<'a> {
    fn decode(cursor: &mut Cursor<'a>) -> Result<Self> {
        let (target_type, target) = TypeTarget::read(cursor)?;
        let steps = cursor.u1()?;
        let path = cursor.bytes(usize::from(steps) * 2)?;
        let annotation = AnnotationEvents::read(cursor, Outermost::Annotations(1))?;
        Ok(Self { target_type, target, path, annotation })
    }
}

impl TypeAnnotation<'_> {
    fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        out.push(self.target_type);
        self.target.write(out);
        self.write_rest(out)
    }

    /// Writes what follows the target: the path and the annotation.
    pub(crate) fn write_rest(&self, out: &mut Vec<u8>) -> Result<()> {
        out.push((self.path.len() / 2) as u8);
        out.extend(self.path);
        self.annotation.write_value(out)
    }
}

impl<'a> TypeAnnotations<'a> {
    pub(crate) fn read(cursor: &mut Cursor<'a>) -> Result<Self> {
        Sequence::read_u2(cursor).map(Self)
    }

    /// How many there are.
    pub fn len(&self) -> u16 {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them in order.
    pub fn iter(&self) -> impl Iterator<Item = TypeAnnotation<'a>> + use<'a> {
        self.0.iter()
    }

    pub(super) fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        self.len().write(out);
        self.iter().try_for_each(|annotation| annotation.write(out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Section;

    fn cursor(bytes: &[u8]) -> Cursor<'_> {
        Cursor::new(bytes, 0, Section::Attribute(16))
    }

    #[test]
    fn nested_annotations_come_as_events_and_go_back_as_they_were() {
        // @A(x = {1, @B}) and @C
        let bytes = [
            0, 2, 0, 1, 0, 1, 0, 9, b'[', 0, 2, b'I', 0, 7, b'@', 0, 2, 0, 0, //
            0, 3, 0, 0,
        ];
        let events = AnnotationEvents::read_list(&mut cursor(&bytes)).unwrap();
        use AnnotationEvent::{Annotation, Array, Constant, End, Name};
        let expected = [
            Annotation { nested: false, type_descriptor: 1, pairs: 1 },
            Name(9),
            Array(2),
            Constant { tag: b'I', value: 7 },
            Annotation { nested: true, type_descriptor: 2, pairs: 0 },
            End,
            End,
            End,
            Annotation { nested: false, type_descriptor: 3, pairs: 0 },
            End,
        ];
        assert_eq!(events.iter().collect::<Vec<_>>(), expected);
        let mut out = Vec::new();
        events.write_list(&mut out).unwrap();
        assert_eq!(out, bytes);
    }

    #[test]
    fn hostile_nesting_is_refused() {
        let deep = [b'[', 0, 1].repeat(5000);
        let error = AnnotationEvents::read_value(&mut cursor(&deep)).unwrap_err();
        assert_eq!(error.kind, ErrorKind::TooDeep { limit: MAX_ANNOTATION_DEPTH });
    }

    #[test]
    fn an_unknown_value_tag_is_named_with_its_place() {
        let error = AnnotationEvents::read_value(&mut cursor(b"?")).unwrap_err();
        assert_eq!(error.to_string(), "unknown annotation value tag 63 at byte 0 (JVMS 4.7.16)");
    }
}
