//! Annotations of all kinds: first with the indexes that stand in the file, then in the words of Java.
//!
//! Annotations nest and come as a stream of events. Both forms are written from the stream with a stack of their own, so
//! the nesting of the input never becomes recursion.

use std::fmt::{self, Write};

use super::Printer;
use crate::attribute::{
    AnnotationEvent, AnnotationEvents, ParameterAnnotations, TypeAnnotation, TypeAnnotations, TypeTarget,
};
use crate::pool::Constant;

/// What is open while annotations are written.
#[derive(Clone, Copy)]
enum Open {
    Annotation { pairs: u16, is_first: bool },
    Array { is_first: bool },
}

impl<'a> Printer<'_, 'a> {
    pub(super) fn annotations(&mut self, annotations: &AnnotationEvents<'a>) -> fmt::Result {
        self.indented(|printer| {
            for (position, annotation) in one_by_one(annotations).iter().enumerate() {
                write!(printer, "{position}: ")?;
                printer.with_indexes(annotation)?;
                writeln!(printer)?;
                printer.indented(|printer| printer.in_java(annotation))?;
            }
            Ok(())
        })
    }

    pub(super) fn parameter_annotations(&mut self, parameters: &ParameterAnnotations<'a>) -> fmt::Result {
        self.indented(|printer| {
            for (position, annotations) in parameters.iter().enumerate() {
                writeln!(printer, "parameter {position}:")?;
                printer.annotations(&annotations)?;
            }
            Ok(())
        })
    }

    pub(super) fn type_annotations(&mut self, annotations: &TypeAnnotations<'a>) -> fmt::Result {
        self.indented(|printer| {
            for (position, annotation) in annotations.iter().enumerate() {
                let events: Vec<_> = annotation.annotation.iter().collect();
                write!(printer, "{position}: ")?;
                printer.with_indexes(&events)?;
                write!(printer, ": ")?;
                printer.type_target(&annotation)?;
                writeln!(printer)?;
                printer.indented(|printer| printer.in_java(&events))?;
            }
            Ok(())
        })
    }

    pub(super) fn annotation_default(&mut self, value: &AnnotationEvents<'a>) -> fmt::Result {
        let events: Vec<_> = value.iter().collect();
        self.indented(|printer| {
            write!(printer, "default_value: ")?;
            printer.with_indexes(&events)?;
            writeln!(printer)?;
            printer.indented(|printer| printer.in_java(&events))
        })
    }

    /// One annotation or value on one line, as it stands in the file.
    fn with_indexes(&mut self, events: &[AnnotationEvent]) -> fmt::Result {
        let mut open = Vec::new();
        for event in events {
            if !matches!(event, AnnotationEvent::End) && needs_comma(&mut open, event) {
                write!(self, ",")?;
            }
            match *event {
                AnnotationEvent::Annotation { nested, type_descriptor, pairs } => {
                    let at = if nested { "@" } else { "" };
                    write!(self, "{at}#{type_descriptor}(")?;
                    open.push(Open::Annotation { pairs, is_first: true });
                }
                AnnotationEvent::Name(name) => write!(self, "#{name}=")?,
                AnnotationEvent::Constant { tag, value } => write!(self, "{}#{value}", char::from(tag))?,
                AnnotationEvent::Enum { type_descriptor, name } => {
                    write!(self, "e#{type_descriptor}.#{name}")?;
                }
                AnnotationEvent::Class(descriptor) => write!(self, "c#{descriptor}")?,
                AnnotationEvent::Array(_) => {
                    write!(self, "[")?;
                    open.push(Open::Array { is_first: true });
                }
                AnnotationEvent::End => match open.pop() {
                    Some(Open::Array { .. }) => write!(self, "]")?,
                    Some(Open::Annotation { .. }) | None => write!(self, ")")?,
                },
            }
        }
        Ok(())
    }

    /// One annotation or value in the words of Java, a line for each element.
    fn in_java(&mut self, events: &[AnnotationEvent]) -> fmt::Result {
        let mut open = Vec::new();
        for event in events {
            let in_array = matches!(open.last(), Some(Open::Array { .. }));
            if in_array && !matches!(event, AnnotationEvent::End) && needs_comma(&mut open, event) {
                write!(self, ",")?;
            }
            let is_whole_value = match *event {
                AnnotationEvent::Annotation { nested, type_descriptor, pairs } => {
                    let at = if nested { "@" } else { "" };
                    write!(self, "{at}{}", self.java_type(type_descriptor))?;
                    if pairs > 0 {
                        writeln!(self, "(")?;
                        self.lines.indent(1);
                    }
                    open.push(Open::Annotation { pairs, is_first: true });
                    false
                }
                AnnotationEvent::Array(_) => {
                    write!(self, "[")?;
                    open.push(Open::Array { is_first: true });
                    false
                }
                AnnotationEvent::Name(name) => {
                    write!(self, "{}=", self.value_text(name))?;
                    false
                }
                AnnotationEvent::End => {
                    self.end_in_java(open.pop())?;
                    true
                }
                _ => {
                    self.value_in_java(*event)?;
                    true
                }
            };
            if is_whole_value && matches!(open.last(), Some(Open::Annotation { .. })) {
                writeln!(self)?;
            }
        }
        writeln!(self)
    }

    fn end_in_java(&mut self, ended: Option<Open>) -> fmt::Result {
        match ended {
            Some(Open::Annotation { pairs: 1.., .. }) => {
                self.lines.outdent(1);
                write!(self, ")")
            }
            Some(Open::Array { .. }) => write!(self, "]"),
            Some(Open::Annotation { pairs: 0, .. }) | None => Ok(()),
        }
    }

    /// A value that holds no others.
    fn value_in_java(&mut self, event: AnnotationEvent) -> fmt::Result {
        let text = match event {
            AnnotationEvent::Constant { tag, value } => self.constant_in_java(tag, value),
            AnnotationEvent::Enum { type_descriptor, name } => {
                format!("{}.{}", self.value_text(type_descriptor), self.value_text(name))
            }
            AnnotationEvent::Class(descriptor) => format!("class {}", self.value_text(descriptor)),
            _ => return Ok(()),
        };
        write!(self, "{text}")
    }

    fn constant_in_java(&self, tag: u8, value: u16) -> String {
        let number = match self.class.pool().get(value) {
            Ok(Constant::Integer(number)) => Some(number),
            _ => None,
        };
        match (tag, number) {
            (b'B', _) => format!("(byte) {}", self.value_text(value)),
            (b'S', _) => format!("(short) {}", self.value_text(value)),
            (b's', _) => format!("\"{}\"", self.value_text(value)),
            (b'Z', Some(number @ 0..=1)) => (number == 1).to_string(),
            (b'C', Some(number)) => format!("'{}'", character(number)),
            (b'Z' | b'C', _) => format!("#{value}"),
            _ => self.value_text(value),
        }
    }

    fn type_target(&mut self, annotation: &TypeAnnotation<'a>) -> fmt::Result {
        write!(self, "{}", target_name(annotation.target_type))?;
        match annotation.target {
            TypeTarget::Empty => {}
            TypeTarget::TypeParameter(index) | TypeTarget::FormalParameter(index) => {
                write!(self, ", param_index={index}")?;
            }
            TypeTarget::TypeParameterBound { parameter, bound } => {
                write!(self, ", param_index={parameter}, bound_index={bound}")?;
            }
            TypeTarget::Supertype(index) | TypeTarget::Throws(index) => {
                write!(self, ", type_index={index}")?;
            }
            TypeTarget::Catch(index) => write!(self, ", exception_index={index}")?,
            TypeTarget::Offset(offset) => write!(self, ", offset={offset}")?,
            TypeTarget::TypeArgument { offset, argument } => {
                write!(self, ", offset={offset}, type_index={argument}")?;
            }
            TypeTarget::LocalVariable(ranges) => {
                let ranges = ranges.iter().map(|range| {
                    format!("start_pc={}, length={}, index={}", range.start_pc, range.length, range.index)
                });
                write!(self, ", {{{}}}", ranges.collect::<Vec<_>>().join("; "))?;
            }
        }
        if annotation.path.is_empty() {
            return Ok(());
        }
        write!(self, ", location=[{}]", path(annotation.path))
    }
}

/// The events of each annotation of a list.
fn one_by_one(annotations: &AnnotationEvents<'_>) -> Vec<Vec<AnnotationEvent>> {
    let mut all: Vec<Vec<AnnotationEvent>> = Vec::new();
    for event in annotations.iter() {
        let starts_another = matches!(event, AnnotationEvent::Annotation { nested: false, .. });
        match all.last_mut() {
            Some(last) if !starts_another => last.push(event),
            _ => all.push(vec![event]),
        }
    }
    all
}

/// Whether something stands in front of this element in the annotation or array that is open.
fn needs_comma(open: &mut [Open], event: &AnnotationEvent) -> bool {
    match open.last_mut() {
        // In an annotation, names separate: a value follows its name.
        Some(Open::Annotation { is_first, .. }) if matches!(event, AnnotationEvent::Name(_)) => {
            !std::mem::take(is_first)
        }
        Some(Open::Array { is_first }) => !std::mem::take(is_first),
        _ => false,
    }
}

/// The character that a `char` value stands for, as an escape if it has no picture.
fn character(number: i32) -> String {
    let unit = number as u16;
    match char::from_u32(u32::from(unit)) {
        Some(c) if !c.is_control() => c.to_string(),
        _ => format!("\\u{unit:04x}"),
    }
}

/// The names of target types (JVMS tables 4.7.20-A and 4.7.20-B).
fn target_name(target_type: u8) -> &'static str {
    match target_type {
        0x00 => "CLASS_TYPE_PARAMETER",
        0x01 => "METHOD_TYPE_PARAMETER",
        0x10 => "CLASS_EXTENDS",
        0x11 => "CLASS_TYPE_PARAMETER_BOUND",
        0x12 => "METHOD_TYPE_PARAMETER_BOUND",
        0x13 => "FIELD",
        0x14 => "METHOD_RETURN",
        0x15 => "METHOD_RECEIVER",
        0x16 => "METHOD_FORMAL_PARAMETER",
        0x17 => "THROWS",
        0x40 => "LOCAL_VARIABLE",
        0x41 => "RESOURCE_VARIABLE",
        0x42 => "EXCEPTION_PARAMETER",
        0x43 => "INSTANCEOF",
        0x44 => "NEW",
        0x45 => "CONSTRUCTOR_REFERENCE",
        0x46 => "METHOD_REFERENCE",
        0x47 => "CAST",
        0x48 => "CONSTRUCTOR_INVOCATION_TYPE_ARGUMENT",
        0x49 => "METHOD_INVOCATION_TYPE_ARGUMENT",
        0x4A => "CONSTRUCTOR_REFERENCE_TYPE_ARGUMENT",
        0x4B => "METHOD_REFERENCE_TYPE_ARGUMENT",
        _ => "UNKNOWN",
    }
}

/// The way to a part of a type (JVMS 4.7.20.2).
fn path(steps: &[u8]) -> String {
    let step = |step: &[u8]| match *step {
        [0, _] => "ARRAY".to_owned(),
        [1, _] => "INNER_TYPE".to_owned(),
        [2, _] => "WILDCARD".to_owned(),
        [3, argument] => format!("TYPE_ARGUMENT({argument})"),
        [kind, argument] => format!("{kind}({argument})"),
        _ => String::new(),
    };
    steps.chunks_exact(2).map(step).collect::<Vec<_>>().join(", ")
}
