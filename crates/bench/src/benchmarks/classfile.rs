//! Class files: reading beside the reader `noak`, writing again, copying, and laying bodies out anew.
//!
//! Reading means the same for both readers: the class, all members, every `Code` attribute, and every instruction with
//! its operands. Each reader is used in the way that is fastest for it: ours gives instructions by reference, noak by
//! value. Classes that some variant cannot take are left out for all, and it is said how many.

use std::fmt::Write as _;
use std::hint::black_box;

use noak::error::DecodeError;
use noak::reader::AttributeContent;
use probity_classfile::edit::{ClassEditor, EditError};
use probity_classfile::opcode::Opcode;
use probity_classfile::rewrite::rewrite_bodies;
use probity_classfile::{ClassFile, Error, reencode};

use crate::failure::Failure;
use crate::inputs::Classes;
use crate::measure::{Measured, Variant, interleaved};
use crate::statistics::Spread;
use crate::table::markdown;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// How many times each variant is measured.
    #[arg(long, default_value_t = 21)]
    rounds: usize,
}

/// How many classes are read by one variant before it is the turn of the next.
const PORTION: usize = 256;

const READ: &str = "read";
const NOAK: &str = "read by noak";
const REENCODE: &str = "reencode";
const COPY: &str = "copy by the editor";
const REWRITE: &str = "rewrite, nothing inserted";
const REWRITE_NOPS: &str = "rewrite, nop before every instruction";

pub(crate) fn run(arguments: &Arguments) -> Result<String, Failure> {
    let mut classes = Classes::of_jdk_and_sample()?;
    let all = classes.files.len();
    classes.files.retain(|bytes| can_be_measured(bytes));
    if classes.files.is_empty() {
        return Err(Failure::NoInput);
    }
    let portions: Vec<&[Vec<u8>]> = classes.files.chunks(PORTION).collect();
    let measured = interleaved(&variants(&portions), portions.len(), arguments.rounds)?;
    check_same_work(&measured)?;
    Ok(report(&classes, all, arguments.rounds, &measured))
}

fn variants<'a>(portions: &'a [&'a [Vec<u8>]]) -> Vec<Variant<'a>> {
    vec![
        over_all(READ, portions, read),
        over_all(NOAK, portions, read_by_noak),
        over_all(REENCODE, portions, |bytes| Ok::<u64, Error>(length(&reencode(&ClassFile::read(bytes)?)?))),
        over_all(COPY, portions, |bytes| {
            Ok::<u64, Error>(length(&ClassEditor::new(&ClassFile::read(bytes)?).finish()))
        }),
        over_all(REWRITE, portions, |bytes| {
            Ok::<u64, EditError>(length(&rewrite_bodies(&ClassFile::read(bytes)?, |_, _, _| {})?))
        }),
        over_all(REWRITE_NOPS, portions, insert_nops),
    ]
}

/// A variant that does the same with every class. What fails counts for nothing, and so is seen in the count.
fn over_all<'a, E>(
    name: &'static str,
    portions: &'a [&'a [Vec<u8>]],
    one: impl Fn(&[u8]) -> Result<u64, E> + 'a,
) -> Variant<'a> {
    Variant::new(name, move |portion| {
        portions[portion].iter().map(|bytes| one(bytes).unwrap_or_default()).sum()
    })
}

/// Reads a class with all its instructions, and counts them.
fn read(bytes: &[u8]) -> Result<u64, Error> {
    let class = ClassFile::read(bytes)?;
    black_box((class.pool(), class.fields(), class.attributes()));
    let mut instructions = 0;
    for method in class.methods() {
        let Some(code) = class.code(method)? else { continue };
        black_box((code.exceptions, code.attributes));
        let mut decoded = code.instructions();
        while let Some(instruction) = &decoded.next() {
            black_box(instruction).as_ref().map_err(|error| *error)?;
            instructions += 1;
        }
    }
    Ok(instructions)
}

/// As [`read`], by noak.
fn read_by_noak(bytes: &[u8]) -> Result<u64, DecodeError> {
    let class = noak::reader::Class::new(bytes)?;
    black_box((class.pool(), class.fields(), class.attributes()));
    let mut instructions = 0;
    for method in class.methods() {
        for attribute in method?.attributes() {
            let attribute = attribute?;
            if class.pool().get(attribute.name())?.content.as_bytes() != b"Code" {
                continue;
            }
            let AttributeContent::Code(code) = attribute.read_content(class.pool())? else { continue };
            black_box((code.exception_handlers(), code.attributes()));
            for instruction in code.raw_instructions() {
                black_box(instruction?);
                instructions += 1;
            }
        }
    }
    Ok(instructions)
}

fn insert_nops(bytes: &[u8]) -> Result<u64, EditError> {
    let written = rewrite_bodies(&ClassFile::read(bytes)?, |_, code, patch| {
        for instruction in code.instructions().map_while(Result::ok) {
            patch.before(instruction.pc, &[Opcode::NOP.0]);
        }
    })?;
    Ok(length(&written))
}

fn length(written: &Vec<u8>) -> u64 {
    black_box(written).len() as u64
}

fn can_be_measured(bytes: &[u8]) -> bool {
    let copied = |written: &[u8]| written == bytes;
    let readers_agree = matches!((read(bytes), read_by_noak(bytes)), (Ok(ours), Ok(noaks)) if ours == noaks);
    readers_agree
        && ClassFile::read(bytes).is_ok_and(|class| {
            reencode(&class).is_ok_and(|written| copied(&written))
                && copied(&ClassEditor::new(&class).finish())
                && rewrite_bodies(&class, |_, _, _| {}).is_ok()
        })
        && insert_nops(bytes).is_ok()
}

/// Both readers must have seen the same instructions, and both copies must have the same length.
fn check_same_work(measured: &[Measured]) -> Result<(), Failure> {
    for (one, other) in [(READ, NOAK), (REENCODE, COPY)] {
        let (one, other) = (row(measured, one)?, row(measured, other)?);
        if one.count != other.count {
            let (variants, counts) = ([one.name, other.name], [one.count, other.count]);
            return Err(Failure::DifferentWork { variants, counts });
        }
    }
    Ok(())
}

fn row<'m>(measured: &'m [Measured], name: &str) -> Result<&'m Measured, Failure> {
    measured.iter().find(|one| one.name == name).ok_or(Failure::NoInput)
}

fn report(classes: &Classes, all: usize, rounds: usize, measured: &[Measured]) -> String {
    let mut text = String::new();
    let (count, megabytes) = (classes.files.len(), classes.bytes() as f64 / 1e6);
    let instructions = row(measured, READ).map_or(0, |read| read.count);
    let _ = writeln!(text, "Input: {}.", classes.origins.join(", "));
    let _ = writeln!(
        text,
        "Measured on {count} classes ({megabytes:.1} MB, {instructions} instructions); {} left out because a variant \
         cannot take them. {rounds} rounds, variants in turn every {PORTION} classes. Median (smallest..largest).\n",
        all - count
    );
    let rows: Vec<Vec<String>> =
        measured.iter().map(|one| speed_cells(one, count as f64, megabytes)).collect();
    text += &markdown(&["variant", "seconds of processor time", "classes/s", "MB/s"], &rows);
    text.push('\n');
    let ratios: Vec<Vec<String>> = RATIOS.iter().filter_map(|ratio| ratio.cells(measured)).collect();
    text += &markdown(&["speed of ... in relation to ...", "ratio", "wanted"], &ratios);
    text
}

fn speed_cells(measured: &Measured, classes: f64, megabytes: f64) -> Vec<String> {
    let seconds = Spread::of(measured.times.iter().map(std::time::Duration::as_secs_f64));
    let speed = |work| Spread::of(measured.speeds(work)).map(|spread| format!("{spread:.0}"));
    let cells = [seconds.map(|spread| format!("{spread:.3}")), speed(classes), speed(megabytes)];
    std::iter::once(measured.name.to_owned())
        .chain(cells.into_iter().map(Option::unwrap_or_default))
        .collect()
}

/// Two variants whose speeds are compared, and what is wanted of the quotient.
struct Ratio {
    of: &'static str,
    to: &'static str,
    wanted: &'static str,
}

const RATIOS: &[Ratio] = &[
    Ratio { of: READ, to: NOAK, wanted: "at least 1" },
    Ratio { of: REENCODE, to: READ, wanted: "at least 0.5" },
    Ratio { of: COPY, to: READ, wanted: "" },
    Ratio { of: REWRITE, to: READ, wanted: "" },
    Ratio { of: REWRITE_NOPS, to: READ, wanted: "" },
];

impl Ratio {
    fn cells(&self, measured: &[Measured]) -> Option<Vec<String>> {
        let speeds = |name| row(measured, name).ok().map(|one| one.speeds(1.0));
        let spread = Spread::of_quotients(&speeds(self.of)?, &speeds(self.to)?)?;
        Some(vec![format!("{} to {}", self.of, self.to), spread.to_string(), self.wanted.to_owned()])
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn measured(name: &'static str, count: u64, milliseconds: u64) -> Measured {
        Measured { name, count, times: vec![Duration::from_millis(milliseconds)] }
    }

    #[test]
    fn readers_that_see_different_instructions_are_no_result() {
        let copies = [measured(REENCODE, 9, 1), measured(COPY, 9, 1)];
        let readers =
            |ours, noaks| [&copies[..], &[measured(READ, ours, 1), measured(NOAK, noaks, 1)]].concat();
        assert!(check_same_work(&readers(5, 5)).is_ok());
        let failure = check_same_work(&readers(5, 6)).expect_err("they differ");
        assert!(failure.to_string().contains("not the same work"), "{failure}");
    }

    #[test]
    fn ratios_are_of_speeds_and_not_of_times() {
        let cells = RATIOS[0].cells(&[measured(READ, 1, 10), measured(NOAK, 1, 20)]).expect("both are there");
        assert_eq!(cells, ["read to read by noak", "2.00 (2.00..2.00)", "at least 1"]);
    }

    #[test]
    fn bytes_that_are_no_class_are_left_out() {
        assert!(!can_be_measured(b"no class"));
    }
}
