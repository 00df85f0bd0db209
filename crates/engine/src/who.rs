//! Which units cover a method or a line.
//!
//! Methods are known from stored shapes alone. Lines are not in shapes, so for a line the classes as they are now are analysed, with the hits of
//! each unit that ran exactly these bytes. Units that ran other bytes are named apart: nothing is guessed about them.

use crate::traces::newest;
use probity_classfile::ClassFile;
use probity_classpath::{EntryError, Source};
use probity_coverage::{Analyzer, ProbeHits};
use probity_instrument::Instrumenter;
use probity_shape::ContentId;
use probity_store::{ClassView, Shapes, Traces};
use std::collections::{BTreeSet, HashMap};

/// Who covers something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Who {
    /// The units that cover it.
    pub units: BTreeSet<String>,
    /// The units that used the class, but of which nobody knows whether they cover it: they ran another version of it, or its
    /// shape is not stored.
    pub unknown: BTreeSet<String>,
    /// Whether there is such a thing at all.
    pub is_known: bool,
}

/// A method: of a class, by name, and by descriptor where that is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodName {
    /// The internal name of the class.
    pub class: String,
    /// The name, and behind it the descriptor or nothing.
    pub method: String,
}

impl MethodName {
    /// `CLASS#METHOD`, where the class has dots or slashes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (class, method) = text.split_once('#')?;
        let is_whole = !class.is_empty() && !method.is_empty();
        is_whole.then(|| Self { class: class.replace('.', "/"), method: method.to_owned() })
    }

    fn is(&self, name: &str, descriptor: &str) -> bool {
        self.method == name || self.method.strip_prefix(name) == Some(descriptor)
    }
}

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineName {
    /// The path of the file, or the end of it.
    pub file: String,
    /// The line.
    pub line: u32,
}

impl LineName {
    /// `FILE:LINE`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (file, line) = text.rsplit_once(':')?;
        let line = line.parse().ok().filter(|line| *line > 0)?;
        (!file.is_empty()).then(|| Self { file: file.replace('\\', "/"), line })
    }

    /// Whether the file is that of a class in a package: one path is the end of the other.
    fn is_file_of(&self, class: &str, source_file: &str) -> bool {
        let package = class.rsplit_once('/').map_or("", |(package, _)| package);
        let path =
            if package.is_empty() { source_file.to_owned() } else { format!("{package}/{source_file}") };
        is_end_of(&path, &self.file) || is_end_of(&self.file, &path)
    }
}

fn is_end_of(end: &str, path: &str) -> bool {
    path.strip_suffix(end).is_some_and(|start| start.is_empty() || start.ends_with('/'))
}

/// The units that entered a method.
#[must_use]
pub fn who_entered(traces: &Traces, shapes: &Shapes, wanted: &MethodName) -> Who {
    let mut who = Who::default();
    let mut known = HashMap::new();
    for trace in newest(traces) {
        for class in trace.classes().filter(|class| class.name() == wanted.class) {
            let shape = known.entry(class.content()).or_insert_with(|| shapes.get(class.content()));
            let Some(shape) = shape else {
                who.unknown.insert(trace.unit().to_owned());
                continue;
            };
            let hits = class.hits();
            let methods = shape.methods.iter().filter(|method| wanted.is(&method.name, &method.descriptor));
            for method in methods {
                who.is_known = true;
                if hits.enter(method) {
                    who.units.insert(trace.unit().to_owned());
                }
            }
        }
    }
    who
}

/// The units that cover a line, and classes that cannot be read.
pub fn who_covers(traces: &Traces, classes: &[Source], wanted: &LineName) -> (Who, Vec<EntryError>) {
    let (found, errors) = classes_with(classes, wanted);
    let mut who = Who { is_known: !found.is_empty(), ..Who::default() };
    let mut analyzer = Analyzer::new();
    let mut answers: HashMap<(ContentId, &[u8]), bool> = HashMap::new();
    for trace in newest(traces) {
        for class in trace.classes() {
            let same_name = found.iter().filter(|now| now.name == class.name());
            for now in same_name {
                if now.content != class.content() {
                    who.unknown.insert(trace.unit().to_owned());
                    continue;
                }
                let covers = answers
                    .entry((now.content, class.hit_bytes()))
                    .or_insert_with(|| now.is_covered(&mut analyzer, class, wanted.line));
                if *covers {
                    who.units.insert(trace.unit().to_owned());
                }
            }
        }
    }
    (who, errors)
}

/// A class as it is now, with code on the line.
struct ClassNow {
    name: String,
    content: ContentId,
    bytes: Vec<u8>,
    probes: usize,
}

/// The hits of JaCoCo's probes, which come first.
pub(crate) struct FirstProbes {
    probes: usize,
    hits: probity_trace::Hits,
}

impl FirstProbes {
    /// The first so many of the probes whose hits are given as bits.
    pub(crate) fn new(probes: usize, hits: &[u8]) -> Self {
        Self { probes, hits: probity_trace::Hits::from_bytes(hits.to_vec()) }
    }
}

impl ProbeHits for FirstProbes {
    fn count(&self) -> usize {
        self.probes
    }

    fn is_hit(&self, number: usize) -> bool {
        u32::try_from(number).is_ok_and(|number| self.hits.has(number))
    }
}

impl ClassNow {
    fn is_covered(&self, analyzer: &mut Analyzer, class: ClassView<'_>, line: u32) -> bool {
        let hits = FirstProbes::new(self.probes, class.hit_bytes());
        let analyzed = analyzer.analyze(&self.bytes, |_| Some(&hits));
        analyzed.ok().flatten().is_some_and(|class| class.lines.get(line).instructions.covered > 0)
    }
}

fn classes_with(sources: &[Source], wanted: &LineName) -> (Vec<ClassNow>, Vec<EntryError>) {
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    let (mut analyzer, mut instrumenter) = (Analyzer::new(), Instrumenter::new());
    for source in sources {
        source.visit_classes(|class| match class {
            Ok(class) => found.extend(class_with(class.bytes, wanted, &mut analyzer, &mut instrumenter)),
            Err(error) => errors.push(error),
        });
    }
    (found, errors)
}

fn class_with(
    bytes: &[u8],
    wanted: &LineName,
    analyzer: &mut Analyzer,
    instrumenter: &mut Instrumenter,
) -> Option<ClassNow> {
    let class = analyzer.analyze(bytes, |_| None).ok().flatten()?;
    let is_of_file = wanted.is_file_of(&class.name, class.source_file.as_deref()?);
    if !is_of_file || class.lines.get(wanted.line).instructions.total() == 0 {
        return None;
    }
    let plan = instrumenter.plan(&ClassFile::read(bytes).ok()?).ok()?;
    let (content, probes) = (ContentId::of(bytes), plan.counts().jacoco as usize);
    Some(ClassNow { name: class.name, content, bytes: bytes.to_vec(), probes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_and_lines_are_named_as_people_write_them() {
        let method = MethodName::parse("shop.Cart#pay(I)V").expect("is one");
        assert_eq!(method.class, "shop/Cart");
        assert!(method.is("pay", "(I)V") && !method.is("pay", "()V"));
        assert!(MethodName::parse("shop/Cart#pay").expect("is one").is("pay", "(J)V"));
        assert_eq!(MethodName::parse("#pay").or(MethodName::parse("shop.Cart")), None);
        let line = LineName::parse("src/main/java/shop/Cart.java:12").expect("is one");
        assert!(line.is_file_of("shop/Cart$Item", "Cart.java"));
        assert!(!line.is_file_of("bank/Cart", "Cart.java"));
        assert!(LineName::parse("Cart.java:12").expect("is one").is_file_of("shop/Cart", "Cart.java"));
        assert!(!LineName::parse("art.java:12").expect("is one").is_file_of("shop/Cart", "Cart.java"));
        assert_eq!(LineName::parse("Cart.java:0").or(LineName::parse("Cart.java")), None);
    }
}
