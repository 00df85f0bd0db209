//! The analysis of a class as bytes, to be kept from one run to the next.
//!
//! Only what cannot be counted again is written: a class is put together from its methods in the one way in which it is after an analysis.
//! The bytes have no version of their own; who keeps them must know by which program they were written. Reading never
//! panics and gives nothing for bytes that were not written here.

use crate::class::{ClassCoverage, Fragment, MethodCoverage, finish_class};
use crate::counter::{Counter, Counters};
use crate::lines::{LineSums, Lines};

/// Writes a class as it comes from an analysis. One that was put into a bundle may have changed there.
pub fn encode(class: &ClassCoverage, out: &mut Vec<u8>) {
    out.extend(class.id.to_be_bytes());
    text(&class.name, out);
    optional_text(class.super_name.as_deref(), out);
    number(class.interfaces.len() as u32, out);
    class.interfaces.iter().for_each(|interface| text(interface, out));
    optional_text(class.source_file.as_deref(), out);
    number(class.methods.len() as u32, out);
    for method in &class.methods {
        text(&method.name, out);
        text(&method.descriptor, out);
        lines(&method.lines, out);
        let Counters { instructions, branches, lines, complexity, methods, classes } = method.counters;
        for counter in [instructions, branches, lines, complexity, methods, classes] {
            counts(counter, out);
        }
    }
    number(class.fragments.len() as u32, out);
    for fragment in &class.fragments {
        text(&fragment.class, out);
        lines(&fragment.lines, out);
    }
}

/// Seven bits in a byte, the lowest first; the eighth says that there are more.
fn number(mut value: u32, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn text(text: &str, out: &mut Vec<u8>) {
    number(text.len() as u32, out);
    out.extend(text.as_bytes());
}

fn optional_text(optional: Option<&str>, out: &mut Vec<u8>) {
    out.push(u8::from(optional.is_some()));
    if let Some(value) = optional {
        text(value, out);
    }
}

fn counts(counter: Counter, out: &mut Vec<u8>) {
    number(counter.missed, out);
    number(counter.covered, out);
}

fn lines(lines: &Lines, out: &mut Vec<u8>) {
    number(lines.iter().count() as u32, out);
    let mut last = 0;
    for (line_number, line) in lines.iter() {
        number(line_number - last, out);
        last = line_number;
        counts(line.instructions, out);
        counts(line.branches, out);
    }
}

/// Reads a class that was written whole; nothing if the bytes are not exactly one.
#[must_use]
pub fn decode(bytes: &[u8]) -> Option<ClassCoverage> {
    let mut reader = Reader { rest: bytes };
    let (id, rest) = bytes.split_first_chunk()?;
    reader.rest = rest;
    let mut class = ClassCoverage {
        id: u64::from_be_bytes(*id),
        name: reader.text()?,
        super_name: reader.optional_text()?,
        interfaces: reader.list(Reader::text)?,
        source_file: reader.optional_text()?,
        methods: reader.list(Reader::method)?,
        lines: Lines::default(),
        counters: Counters::default(),
        fragments: Vec::new(),
    };
    finish_class(&mut class, &mut LineSums::default());
    class.fragments =
        reader.list(|reader| Some(Fragment { class: reader.text()?, lines: reader.lines()? }))?;
    reader.rest.is_empty().then_some(class)
}

struct Reader<'b> {
    rest: &'b [u8],
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn number(&mut self) -> Option<u32> {
        let mut value = 0_u32;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.byte()?;
            value |= u32::from(byte & 0x7F).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn text(&mut self) -> Option<String> {
        let length = self.number()? as usize;
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        String::from_utf8(text.to_vec()).ok()
    }

    fn optional_text(&mut self) -> Option<Option<String>> {
        if self.byte()? == 0 { Some(None) } else { self.text().map(Some) }
    }

    fn counts(&mut self) -> Option<Counter> {
        let counter = Counter { missed: self.number()?, covered: self.number()? };
        // Sums of such counters are taken without a second look.
        (counter.missed <= LARGEST && counter.covered <= LARGEST).then_some(counter)
    }

    fn lines(&mut self) -> Option<Lines> {
        let (mut sums, mut last) = (LineSums::default(), 0_u32);
        for _ in 0..self.number()? {
            last = last.checked_add(self.number()?).filter(|&number| number <= LARGEST)?;
            let (instructions, branches) = (self.counts()?, self.counts()?);
            sums.add(last, instructions, branches);
        }
        Some(sums.take())
    }

    fn method(&mut self) -> Option<MethodCoverage> {
        let (name, descriptor, lines) = (self.text()?, self.text()?, self.lines()?);
        let counters = Counters {
            instructions: self.counts()?,
            branches: self.counts()?,
            lines: self.counts()?,
            complexity: self.counts()?,
            methods: self.counts()?,
            classes: self.counts()?,
        };
        Some(MethodCoverage { name, descriptor, lines, counters })
    }

    fn list<T>(&mut self, one: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.number()?;
        (0..count).map(|_| one(self)).collect()
    }
}

/// No line and no count of a class file is larger: a method has at most 65,535 instructions, a line at most that number.
const LARGEST: u32 = 0xFF_FFFF;

#[cfg(test)]
mod tests {
    use super::*;

    fn class() -> ClassCoverage {
        let mut sums = LineSums::default();
        sums.add(7, Counter { missed: 1, covered: 300 }, Counter { missed: 2, covered: 0 });
        sums.add(9, Counter { missed: 0, covered: 1 }, Counter::default());
        let lines = sums.take();
        let counters = Counters { instructions: Counter { missed: 1, covered: 301 }, ..Counters::default() };
        let method = MethodCoverage {
            name: "é".to_owned(),
            descriptor: "()V".to_owned(),
            lines: lines.clone(),
            counters,
        };
        let mut class = ClassCoverage {
            id: u64::MAX - 1,
            name: "a/B".to_owned(),
            super_name: None,
            interfaces: vec!["I".to_owned(), String::new()],
            source_file: Some("B.kt".to_owned()),
            methods: vec![method.clone(), MethodCoverage { lines: Lines::default(), ..method }],
            lines: Lines::default(),
            counters: Counters::default(),
            fragments: vec![Fragment { class: "C".to_owned(), lines }],
        };
        finish_class(&mut class, &mut sums);
        class
    }

    #[test]
    fn a_class_comes_back_as_it_was() {
        let mut bytes = Vec::new();
        encode(&class(), &mut bytes);
        assert_eq!(decode(&bytes), Some(class()));
    }

    #[test]
    fn cut_or_longer_bytes_are_no_class() {
        let mut bytes = Vec::new();
        encode(&class(), &mut bytes);
        for length in 0..bytes.len() {
            assert_eq!(decode(&bytes[..length]), None, "{length}");
        }
        bytes.push(0);
        assert_eq!(decode(&bytes), None);
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let mut bytes = Vec::new();
        encode(&class(), &mut bytes);
        for at in 0..bytes.len() {
            for change in [1, 0x80, 0xFF] {
                let mut damaged = bytes.clone();
                damaged[at] ^= change;
                let _ = decode(&damaged);
            }
        }
        let huge = [&[0; 8][..], &[0, 0, 0], &[0xFF, 0xFF, 0xFF, 0xFF, 0x0F]].concat();
        assert_eq!(decode(&huge), None);
    }
}
