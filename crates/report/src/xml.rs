//! JaCoCo's XML, byte for byte: one line, no white space between elements.

use crate::xml_text::escaped;
use crate::{Report, ReportNode, named};
use probity_coverage::{
    ClassCoverage, Counters, Line, MethodCoverage, PackageCoverage, SourceFileCoverage, Status,
};
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
    xml.open("report", |xml| xml.attribute("name", report.root.name()));
    for session in &report.sessions {
        let attributes = |xml: &mut Xml| {
            xml.attribute("id", &session.id);
            xml.attribute("start", &session.start_millis.to_string());
            xml.attribute("dump", &session.dump_millis.to_string());
        };
        xml.element("sessioninfo", attributes, |_| {});
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
    fn element(&mut self, name: &str, attributes: impl FnOnce(&mut Self), contents: impl FnOnce(&mut Self)) {
        self.open(name, attributes);
        let open = self.out.len();
        contents(self);
        self.close(name, self.out.len() == open);
    }

    #[inline]
    fn open(&mut self, name: &str, attributes: impl FnOnce(&mut Self)) {
        self.out.push('<');
        self.out.push_str(name);
        attributes(self);
        self.out.push('>');
    }

    #[inline]
    fn attribute(&mut self, name: &str, value: &str) {
        self.out.push(' ');
        self.out.push_str(name);
        self.out.push_str("=\"");
        self.out.push_str(&escaped(value));
        self.out.push('"');
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
                    self.open("group", |xml| xml.attribute("name", child.name()));
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
            Unit::Open(package) => self.open("package", |xml| xml.attribute("name", &package.name)),
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
        let attributes = |xml: &mut Self| {
            xml.attribute("name", &class.name);
            if let Some(file) = &class.source_file {
                xml.attribute("sourcefilename", file);
            }
        };
        self.element("class", attributes, |xml| {
            class.methods.iter().for_each(|method| xml.method(method));
            xml.counters(&class.counters);
        });
    }

    fn method(&mut self, method: &MethodCoverage) {
        let attributes = |xml: &mut Self| {
            xml.attribute("name", &method.name);
            xml.attribute("desc", &method.descriptor);
            if let Some(line) = method.lines.first() {
                xml.out.push_str(r#" line=""#);
                xml.number(line);
                xml.out.push('"');
            }
        };
        self.element("method", attributes, |xml| xml.counters(&method.counters));
    }

    fn source_file(&mut self, file: &SourceFileCoverage) {
        let attributes = |xml: &mut Self| xml.attribute("name", &file.name);
        self.element("sourcefile", attributes, |xml| {
            for (number, line) in file.lines.iter().filter(|(_, line)| line.status() != Status::Empty) {
                xml.line(number, line);
            }
            xml.counters(&file.counters);
        });
    }

    // Most of a report are lines and counters.

    fn line(&mut self, number: u32, Line { instructions, branches }: &Line) {
        self.out.push_str(r#"<line nr=""#);
        self.number(number);
        self.out.push_str(r#"" mi=""#);
        self.number(instructions.missed);
        self.out.push_str(r#"" ci=""#);
        self.number(instructions.covered);
        self.out.push_str(r#"" mb=""#);
        self.number(branches.missed);
        self.out.push_str(r#"" cb=""#);
        self.number(branches.covered);
        self.out.push_str(r#""/>"#);
    }

    fn counters(&mut self, counters: &Counters) {
        for (name, counter) in named(counters).into_iter().filter(|(_, counter)| counter.total() > 0) {
            self.out.push_str(r#"<counter type=""#);
            self.out.push_str(name);
            self.out.push_str(r#"" missed=""#);
            self.number(counter.missed);
            self.out.push_str(r#"" covered=""#);
            self.number(counter.covered);
            self.out.push_str(r#""/>"#);
        }
    }

    fn number(&mut self, number: u32) {
        if number > 9 {
            self.number(number / 10);
        }
        self.out.push(char::from(b'0' + (number % 10) as u8));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_full() {
        for number in [0, 1, 9, 10, 19, 100, 12_345, 1_000_000_000, u32::MAX] {
            let mut xml = Xml { out: String::new() };
            xml.number(number);
            assert_eq!(xml.out, number.to_string());
        }
    }
}
