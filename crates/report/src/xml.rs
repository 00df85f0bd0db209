//! JaCoCo's XML, byte for byte: one line, no white space between elements.

use crate::xml_text::escaped;
use crate::{Report, ReportNode, named};
use probity_coverage::{ClassCoverage, Counters, PackageCoverage, SourceFileCoverage, Status};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};

/// Writes the report as XML, piece by piece, to `sink`. Pieces are made on some threads; their number changes nothing.
///
/// # Errors
///
/// Fails as soon as the sink does.
pub fn write_xml<E>(
    report: &Report,
    threads: usize,
    sink: &mut dyn FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    let mut xml = Xml { out: String::new() };
    xml.out.push_str(concat!(
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
        r#"<!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">"#
    ));
    xml.open("report", &[("name", report.root.name())]);
    for session in &report.sessions {
        let (start, dump) = (session.start_millis.to_string(), session.dump_millis.to_string());
        xml.element("sessioninfo", &[("id", &session.id), ("start", &start), ("dump", &dump)], |_| {});
    }
    let is_empty = report.sessions.is_empty() && is_empty(&report.root);
    xml.contents(&report.root, threads, sink)?;
    xml.close("report", is_empty);
    sink(&xml.out)
}

/// The report as XML, in memory.
#[must_use]
pub fn xml_text(report: &Report, threads: usize) -> String {
    let mut text = String::new();
    let written: Result<(), std::convert::Infallible> = write_xml(report, threads, &mut |piece| {
        text.push_str(piece);
        Ok(())
    });
    let Ok(()) = written;
    text
}

/// Whether nothing is written of a node.
fn is_empty(node: &ReportNode) -> bool {
    let is_without_parts = match node {
        ReportNode::Bundle(bundle) => bundle.packages.is_empty(),
        ReportNode::Group { children, .. } => children.is_empty(),
    };
    is_without_parts && named(&node.counters()).iter().all(|(_, counter)| counter.total() == 0)
}

/// What is written at a time; a package can be far larger than all others together.
#[derive(Clone, Copy)]
enum Unit<'r> {
    Open(&'r PackageCoverage),
    Class(&'r ClassCoverage),
    SourceFile(&'r SourceFileCoverage),
    Close(&'r PackageCoverage),
}

/// How many units a piece has: enough to be worth a call of the system, few enough that threads end together.
const UNITS_PER_PIECE: usize = 128;
/// How many pieces may wait to be written.
const WAITING_PIECES: usize = 8;

fn units_of(packages: &[PackageCoverage]) -> Vec<Unit<'_>> {
    let mut units = Vec::new();
    for package in packages {
        units.push(Unit::Open(package));
        units.extend(package.classes.iter().map(Unit::Class));
        units.extend(package.source_files.iter().map(Unit::SourceFile));
        units.push(Unit::Close(package));
    }
    units
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Xml {
    /// What was not given to the sink yet.
    out: String,
}

impl Xml {
    /// An element; without contents it is closed at once.
    fn element(&mut self, name: &str, attributes: &[(&str, &str)], contents: impl FnOnce(&mut Self)) {
        self.open(name, attributes);
        let open = self.out.len();
        contents(self);
        self.close(name, self.out.len() == open);
    }

    fn open(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.out.push('<');
        self.out.push_str(name);
        for (attribute, value) in attributes {
            self.out.push(' ');
            self.out.push_str(attribute);
            self.out.push_str("=\"");
            self.out.push_str(&escaped(value));
            self.out.push('"');
        }
        self.out.push('>');
    }

    fn close(&mut self, name: &str, is_empty: bool) {
        if is_empty {
            self.out.pop();
            self.out.push_str("/>");
        } else {
            self.out.push_str("</");
            self.out.push_str(name);
            self.out.push('>');
        }
    }

    fn contents<E>(
        &mut self,
        node: &ReportNode,
        threads: usize,
        sink: &mut dyn FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        match node {
            ReportNode::Bundle(bundle) => self.packages(&bundle.packages, threads, sink)?,
            ReportNode::Group { children, .. } => {
                for child in children {
                    self.open("group", &[("name", child.name())]);
                    self.contents(child, threads, sink)?;
                    self.close("group", is_empty(child));
                }
            }
        }
        self.counters(&node.counters());
        Ok(())
    }

    /// Makes pieces on threads and gives them to the sink in order. What was written is used again.
    fn packages<E>(
        &mut self,
        packages: &[PackageCoverage],
        threads: usize,
        sink: &mut dyn FnMut(&str) -> Result<(), E>,
    ) -> Result<(), E> {
        let units = units_of(packages);
        let pieces: Vec<&[Unit<'_>]> = units.chunks(UNITS_PER_PIECE).collect();
        if threads < 2 || pieces.len() < 2 {
            units.iter().for_each(|unit| self.unit(unit));
            return Ok(());
        }
        sink(&self.out)?;
        self.out.clear();
        let next = AtomicUsize::new(0);
        let written = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::sync_channel(WAITING_PIECES);
            for _ in 0..threads.min(pieces.len()) {
                let (sender, next, pieces, written) = (sender.clone(), &next, &pieces, &written);
                scope.spawn(move || {
                    loop {
                        let at = next.fetch_add(1, Ordering::Relaxed);
                        let Some(piece) = pieces.get(at) else { break };
                        let mut xml = Xml { out: lock(written).pop().unwrap_or_default() };
                        piece.iter().for_each(|unit| xml.unit(unit));
                        // Nobody listens any more if the sink has failed.
                        if sender.send((at, xml.out)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let (mut waiting, mut wanted) = (BTreeMap::new(), 0);
            for (at, text) in receiver {
                waiting.insert(at, text);
                while let Some(mut text) = waiting.remove(&wanted) {
                    sink(&text)?;
                    wanted += 1;
                    text.clear();
                    lock(&written).push(text);
                }
            }
            Ok(())
        })
    }

    fn unit(&mut self, unit: &Unit<'_>) {
        match unit {
            Unit::Open(package) => self.open("package", &[("name", &package.name)]),
            Unit::Class(class) => self.class(class),
            Unit::SourceFile(file) => self.source_file(file),
            // A package has at least one class.
            Unit::Close(package) => {
                self.counters(&package.counters);
                self.close("package", false);
            }
        }
    }

    fn class(&mut self, class: &ClassCoverage) {
        let mut attributes = vec![("name", class.name.as_str())];
        attributes.extend(class.source_file.as_deref().map(|file| ("sourcefilename", file)));
        self.element("class", &attributes, |xml| {
            for method in &class.methods {
                let line = method.lines.first().map(|line| line.to_string());
                let mut attributes =
                    vec![("name", method.name.as_str()), ("desc", method.descriptor.as_str())];
                attributes.extend(line.as_deref().map(|line| ("line", line)));
                xml.element("method", &attributes, |xml| xml.counters(&method.counters));
            }
            xml.counters(&class.counters);
        });
    }

    fn source_file(&mut self, file: &SourceFileCoverage) {
        self.element("sourcefile", &[("name", &file.name)], |xml| {
            for (number, line) in file.lines.iter().filter(|(_, line)| line.status() != Status::Empty) {
                let (instructions, branches) = (line.instructions, line.branches);
                xml.numbers(&[
                    (r#"<line nr=""#, number),
                    (r#"" mi=""#, instructions.missed),
                    (r#"" ci=""#, instructions.covered),
                    (r#"" mb=""#, branches.missed),
                    (r#"" cb=""#, branches.covered),
                ]);
            }
            xml.counters(&file.counters);
        });
    }

    fn counters(&mut self, counters: &Counters) {
        for (name, counter) in named(counters).into_iter().filter(|(_, counter)| counter.total() > 0) {
            self.out.push_str(r#"<counter type=""#);
            self.out.push_str(name);
            self.numbers(&[(r#"" missed=""#, counter.missed), (r#"" covered=""#, counter.covered)]);
        }
    }

    /// Numbers with the text in front of each, and the end of an element. Most of a report is made here, so it is written
    /// digit by digit.
    fn numbers(&mut self, numbers: &[(&str, u32)]) {
        for &(text, number) in numbers {
            self.out.push_str(text);
            let mut unit = 1;
            while number / unit > 9 {
                unit *= 10;
            }
            while unit > 0 {
                self.out.push(char::from_digit(number / unit % 10, 10).unwrap_or('0'));
                unit /= 10;
            }
        }
        self.out.push_str(r#""/>"#);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_full() {
        for number in [0, 1, 9, 10, 19, 100, 12_345, 1_000_000_000, u32::MAX] {
            let mut xml = Xml { out: String::new() };
            xml.numbers(&[("<a b=\"", number)]);
            assert_eq!(xml.out, format!("<a b=\"{number}\"/>"));
        }
    }
}
