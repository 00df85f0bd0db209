//! The listing of one class as a whole, and what it does with classes that are broken or hostile.
//!
//! The class is put together by hand, so that it is the same whatever compiler is installed. The expected text stands
//! in a file beside this one; a listing that is meant to change is copied there from the failed test's message.

mod assemble;
mod small_class;

use std::fmt::{self, Write};
use std::time::{Duration, Instant};

use assemble::{Parts, Pool, class_file, list, numbers};
use probity_classfile::{ClassFile, print};

const EXPECTED: &str = include_str!("small_class.txt");

fn listing(bytes: &[u8]) -> String {
    print::listing(&ClassFile::read(bytes).expect("a class that can be read"))
}

#[test]
fn the_listing_of_a_small_class_is_the_one_in_the_file() {
    let actual = listing(&small_class::bytes());
    let (mut expected_lines, mut actual_lines) = (EXPECTED.lines(), actual.lines());
    for number in 1.. {
        let (expected, actual_line) = (expected_lines.next(), actual_lines.next());
        assert_eq!(expected, actual_line, "line {number} differs; the whole listing is:\n{actual}");
        if expected.is_none() {
            break;
        }
    }
}

#[test]
fn no_change_of_a_byte_stops_the_listing() {
    let whole = small_class::bytes();
    let mut listed = 0;
    for position in 10..whole.len() {
        for change in [0x01, 0x40, 0xFF] {
            let mut bytes = whole.clone();
            bytes[position] ^= change;
            // Most changes leave a class that can be read; its listing must have an end.
            if let Ok(class) = ClassFile::read(&bytes) {
                let text = print::listing(&class);
                assert!(text.contains("\n}\n"), "byte {position} changed by {change}");
                assert!(!text.contains('\u{1b}'), "byte {position} changed by {change}");
                listed += 1;
            }
        }
    }
    assert!(listed > whole.len(), "only {listed} changed classes could be read");
}

#[test]
fn constants_that_refer_in_circles_are_errors() {
    let mut pool = Pool::default();
    let this_class = pool.add(7, &[&2_u16.to_be_bytes()]);
    pool.add(7, &[&1_u16.to_be_bytes()]);
    pool.handle(5, 3);
    pool.pair(12, 4, 4);
    pool.pair(10, 5, 5);
    let text = listing(&class_file(&pool, &bare(this_class)));
    let errors = text.lines().filter(|line| line.starts_with("  #") && line.contains("// error: ")).count();
    assert_eq!(errors, 5, "{text}");
}

#[test]
fn a_class_that_repeats_a_long_text_has_a_listing_of_bounded_length() {
    let bytes = class_that_repeats("a\u{e9}".repeat(20_000).as_str());
    let class = ClassFile::read(&bytes).expect("a class that can be read");
    let mut out = Length(0);
    let start = Instant::now();
    print::write_listing(&class, &mut out).expect("the length takes everything");
    // Written out in full, the text alone would take four thousand million bytes.
    assert!(out.0 < bytes.len() * 600, "{} bytes of {}", out.0, bytes.len());
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_listing_says_when_it_has_cut_texts() {
    let cut = listing(&class_that_repeats("a".repeat(60_000).as_str()));
    assert!(cut.ends_with("note: the listing is very long: later texts were cut to 64 bytes\n"));
    let whole = listing(&class_that_repeats("a"));
    assert!(!whole.contains("note:"));
}

#[test]
fn what_the_output_refuses_is_passed_on() {
    struct Full;
    impl Write for Full {
        fn write_str(&mut self, _: &str) -> fmt::Result {
            Err(fmt::Error)
        }
    }
    let bytes = small_class::bytes();
    let class = ClassFile::read(&bytes).expect("a class that can be read");
    assert!(print::write_listing(&class, &mut Full).is_err());
}

/// Counts bytes.
struct Length(usize);

impl Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

fn bare(this_class: u16) -> Parts {
    Parts {
        access: 0x0021,
        this_class,
        super_class: 0,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: Vec::new(),
        attributes: Vec::new(),
    }
}

/// Names one text in every way that is small in the file: constants, instructions, frames, variables, members.
fn class_that_repeats(text: &str) -> Vec<u8> {
    let mut pool = Pool::default();
    let this_class = pool.class(text);
    let name = this_class - 1;
    for _ in 0..20_000 {
        pool.add(7, &[&name.to_be_bytes()]);
    }
    let variables: Vec<Vec<u8>> = (0..20_000).map(|_| numbers(&[0, 1, name, name, 0])).collect();
    let class_entry = [&[7][..], &this_class.to_be_bytes()].concat();
    let frame = [vec![255, 0, 0], list(&vec![class_entry; 20_000]), list(&[])].concat();
    let tables = [
        pool.attribute("LocalVariableTable", &list(&variables)),
        pool.attribute("StackMapTable", &list(&[frame])),
    ];
    let body = pool.code(&[0x12, this_class as u8].repeat(30_000), &[], &tables);
    let code = pool.attribute("Code", &body);
    let methods = vec![pool.declare(0x0009, "m", "()V", &[code])];
    let fields = vec![numbers(&[0, name, name, 0]); 20_000];
    class_file(&pool, &Parts { methods, fields, ..bare(this_class) })
}
