//! JaCoCo's XML, byte for byte: one line, no white space between elements.

use crate::xml_text::escaped;
use crate::{Report, ReportNode, named};
use probity_coverage::{ClassCoverage, Counters, PackageCoverage, SourceFileCoverage, Status};

/// The report as XML, written on some threads; their number changes only into how many parts the text is cut, to be
/// written one behind the other.
#[must_use]
pub fn write_xml(report: &Report, threads: usize) -> Vec<String> {
    let mut xml = Xml { parts: Vec::new(), out: String::new(), threads };
    xml.out.push_str(concat!(
        r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
        r#"<!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd">"#
    ));
    xml.element("report", &[("name", report.root.name())], |xml| {
        for session in &report.sessions {
            let (start, dump) = (session.start_millis.to_string(), session.dump_millis.to_string());
            xml.element("sessioninfo", &[("id", &session.id), ("start", &start), ("dump", &dump)], |_| {});
        }
        xml.contents(&report.root);
    });
    xml.parts.push(xml.out);
    xml.parts
}

/// About how long the text of some packages gets; to make room once is faster than to move what was written.
fn expected_size(packages: &[PackageCoverage]) -> usize {
    let size = |package: &PackageCoverage| {
        let methods: usize = package.classes.iter().map(|class| class.methods.len()).sum();
        let lines: u32 = package.source_files.iter().map(|file| file.counters.lines.total()).sum();
        let elements = package.classes.len() + package.source_files.len() + 1;
        methods * 340 + lines as usize * 46 + elements * 420
    };
    packages.iter().map(size).sum()
}

/// The packages in parts of about the same number of classes, in order.
fn shares(packages: &[PackageCoverage], threads: usize) -> Vec<&[PackageCoverage]> {
    let classes: usize = packages.iter().map(|package| package.classes.len()).sum();
    let wanted = classes.div_ceil(threads.max(1)).max(1);
    let (mut shares, mut start, mut count) = (Vec::new(), 0, 0);
    for (at, package) in packages.iter().enumerate() {
        count += package.classes.len();
        if count >= wanted {
            shares.extend(packages.get(start..=at));
            (start, count) = (at + 1, 0);
        }
    }
    shares.extend(packages.get(start..));
    shares
}

struct Xml {
    /// What is written before the current part.
    parts: Vec<String>,
    out: String,
    threads: usize,
}

impl Xml {
    /// An element; without contents it is closed at once.
    fn element(&mut self, name: &str, attributes: &[(&str, &str)], contents: impl FnOnce(&mut Self)) {
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
        let open = (self.parts.len(), self.out.len());
        contents(self);
        if (self.parts.len(), self.out.len()) == open {
            self.out.pop();
            self.out.push_str("/>");
        } else {
            self.out.push_str("</");
            self.out.push_str(name);
            self.out.push('>');
        }
    }

    fn contents(&mut self, node: &ReportNode) {
        match node {
            ReportNode::Bundle(bundle) => self.packages(&bundle.packages),
            ReportNode::Group { children, .. } => {
                for child in children {
                    self.element("group", &[("name", child.name())], |xml| xml.contents(child));
                }
            }
        }
        self.counters(&node.counters());
    }

    /// Each thread takes the packages up to its share of the classes, and writes a part.
    fn packages(&mut self, packages: &[PackageCoverage]) {
        let shares = shares(packages, self.threads);
        let Some((last, others)) = shares.split_last() else { return };
        let write = |share: &[PackageCoverage], out: String| {
            let mut xml = Xml { parts: Vec::new(), out, threads: 1 };
            xml.out.reserve(expected_size(share));
            share.iter().for_each(|package| xml.package(package));
            xml.out
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> =
                others.iter().map(|share| scope.spawn(move || write(share, String::new()))).collect();
            if threads.is_empty() {
                self.out = write(last, std::mem::take(&mut self.out));
                return;
            }
            let last = write(last, String::new());
            self.parts.push(std::mem::take(&mut self.out));
            for thread in threads {
                match thread.join() {
                    Ok(part) => self.parts.push(part),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            self.out = last;
        });
    }

    fn package(&mut self, package: &PackageCoverage) {
        self.element("package", &[("name", &package.name)], |xml| {
            package.classes.iter().for_each(|class| xml.class(class));
            package.source_files.iter().for_each(|file| xml.source_file(file));
            xml.counters(&package.counters);
        });
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
            let mut xml = Xml { parts: Vec::new(), out: String::new(), threads: 1 };
            xml.numbers(&[("<a b=\"", number)]);
            assert_eq!(xml.out, format!("<a b=\"{number}\"/>"));
        }
    }
}
