//! What is looked at in one class.
//!
//! This is the only file of the command that knows the class file format. It must not read files, print, or
//! know where the bytes come from; it runs on many threads at once.

use probity_classfile::edit::EditError;
use probity_classfile::print::listing;
use probity_classfile::rewrite::rewrite_bodies;
use probity_classfile::subroutine::inline_subroutines;
use probity_classfile::{ClassFile, Error, ErrorKind, Version, reencode};

/// What to do with each class, besides reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Options {
    /// Make a text of it.
    pub(super) print: bool,
    /// Write it again and compare.
    pub(super) roundtrip: bool,
}

/// What came of one class.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The version of the class file; `None` if the class could not be read.
    pub(super) version: Option<Version>,
    /// The text, if one was asked for.
    pub(super) printed: Option<String>,
    /// Written again from what was decoded, it is the same byte for byte.
    pub(super) identical: bool,
    /// Its bodies went through the rewriter with nothing to insert.
    pub(super) rewritten: bool,
    /// What the rewriter wrote is the same class, or one that means the same.
    pub(super) rewritten_ok: bool,
    /// Everything that is wrong.
    pub(super) failures: Vec<Failure>,
}

/// Something that is wrong with a class.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// Where: in the class file, or in the container if the class could not be got out of it.
    pub(super) offset: Option<u64>,
    /// What, without the place.
    pub(super) error: String,
    /// What to do about it.
    pub(super) hint: Option<&'static str>,
}

impl Outcome {
    /// The outcome of a class that could not be read.
    pub(super) fn failed(failure: Failure) -> Outcome {
        Outcome { failures: vec![failure], ..Outcome::default() }
    }

    /// Notes a failure, once: several steps stumble over the same byte.
    fn fail(&mut self, failure: Failure) {
        if !self.failures.contains(&failure) {
            self.failures.push(failure);
        }
    }
}

/// Examines one class.
pub(super) fn examine(bytes: &[u8], options: Options) -> Outcome {
    let class = match ClassFile::read(bytes) {
        Ok(class) => class,
        Err(error) => return Outcome::failed(Failure::of_class(&error)),
    };
    let mut outcome = Outcome {
        version: Some(class.version()),
        printed: options.print.then(|| listing(&class)),
        ..Outcome::default()
    };
    if options.roundtrip {
        write_from_decoded(&class, &mut outcome);
        rewrite_bodies_unchanged(&class, &mut outcome);
        inline_all_subroutines(&class, &mut outcome);
    }
    outcome
}

/// Writes the class from what was decoded; the same bytes must come out.
fn write_from_decoded(class: &ClassFile<'_>, outcome: &mut Outcome) {
    match reencode(class) {
        Ok(written) => match first_difference(class.bytes(), &written) {
            None => outcome.identical = true,
            Some(offset) => outcome.fail(Failure {
                offset: Some(offset),
                error: "written again from what was read, the class differs".to_owned(),
                hint: None,
            }),
        },
        Err(error) => outcome.fail(Failure::of_class(&error)),
    }
}

/// Sends every body through the rewriter with nothing to insert; the same class must come out.
fn rewrite_bodies_unchanged(class: &ClassFile<'_>, outcome: &mut Outcome) {
    outcome.rewritten = true;
    match rewrite_bodies(class, |_, _, _| {}) {
        Ok(written) if means_the_same(class, &written) => outcome.rewritten_ok = true,
        Ok(written) => outcome.fail(Failure {
            offset: first_difference(class.bytes(), &written),
            error: "with its bodies laid out anew, the class means something else".to_owned(),
            hint: None,
        }),
        Err(error) => outcome.fail(Failure::of_edit(&error)),
    }
}

/// Old class files must give bodies without subroutines, which can be read again.
fn inline_all_subroutines(class: &ClassFile<'_>, outcome: &mut Outcome) {
    for method in class.methods() {
        let inlined = class.code(method).map_err(EditError::from).and_then(|code| match code {
            Some(code) => inline_subroutines(class, &code),
            None => Ok(None),
        });
        let read = inlined.and_then(|body| match body {
            Some(body) => body.code().map(|_| ()).map_err(EditError::from),
            None => Ok(()),
        });
        if let Err(error) = read {
            outcome.fail(Failure::of_edit(&error));
        }
    }
}

/// Whether the bytes are those of the class, or those of a class with the same listing. The bytes between an opcode and
/// the operands of a switch have no meaning and are in no listing.
fn means_the_same(class: &ClassFile<'_>, written: &[u8]) -> bool {
    written == class.bytes() || ClassFile::read(written).is_ok_and(|other| listing(&other) == listing(class))
}

fn first_difference(old: &[u8], new: &[u8]) -> Option<u64> {
    let common = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    (common < old.len() || common < new.len()).then_some(common as u64)
}

impl Failure {
    fn of_class(error: &Error) -> Failure {
        let hint = match error.kind {
            ErrorKind::BadMagic(_) => Some("only compiled classes can be read; compile the source first"),
            ErrorKind::UnsupportedVersion { .. } => Some("a newer probity may know this version of Java"),
            ErrorKind::Truncated { .. } => Some("the file may have been cut off; build or fetch it again"),
            _ => None,
        };
        let error_text = format!("{} (JVMS {})", error.kind, error.section);
        Failure { offset: Some(u64::from(error.offset)), error: error_text, hint }
    }

    fn of_edit(error: &EditError) -> Failure {
        match error {
            EditError::Class(error) => Failure::of_class(error),
            other => Failure { offset: None, error: other.to_string(), hint: None },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const READ_ONLY: Options = Options { print: false, roundtrip: false };

    #[test]
    fn other_bytes_are_failures_with_a_place() {
        for bytes in [&b""[..], b"\xCA\xFE\xBA", b"\xCA\xFE\xBA\xBE\x00\x00\x00", b"class A {}"] {
            let outcome = examine(bytes, READ_ONLY);
            assert_eq!(outcome.version, None);
            assert_eq!(outcome.failures.len(), 1);
            assert!(outcome.failures[0].offset.is_some());
        }
    }

    #[test]
    fn the_same_failure_is_told_once() {
        let failure = |offset| Failure { offset: Some(offset), error: "bad".to_owned(), hint: None };
        let mut outcome = Outcome::failed(failure(1));
        outcome.fail(failure(1));
        outcome.fail(failure(2));
        assert_eq!(outcome.failures, [failure(1), failure(2)]);
    }

    #[test]
    fn the_first_differing_byte_is_found_also_behind_the_end() {
        assert_eq!(first_difference(b"abc", b"abc"), None);
        assert_eq!(first_difference(b"abc", b"axc"), Some(1));
        assert_eq!(first_difference(b"abc", b"abcd"), Some(3));
        assert_eq!(first_difference(b"abc", b"ab"), Some(2));
    }
}
