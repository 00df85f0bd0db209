//! The test classes in folders of classes, by what JUnit and TestNG look for.
//!
//! It only tells people which units are new. Whether a test is run is never decided by it: a class that was not recorded runs.

use probity_classfile::ClassFile;
use probity_classfile::attribute::{AnnotationEvent, Attribute, Attributes};
use probity_classpath::Source;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Annotations that make a class or a method a test.
const ANNOTATIONS: [&str; 10] = [
    "Lorg/junit/Test;",
    "Lorg/junit/runner/RunWith;",
    "Lorg/junit/jupiter/api/Test;",
    "Lorg/junit/jupiter/api/RepeatedTest;",
    "Lorg/junit/jupiter/api/TestFactory;",
    "Lorg/junit/jupiter/api/TestTemplate;",
    "Lorg/junit/jupiter/params/ParameterizedTest;",
    "Lorg/junit/platform/suite/api/Suite;",
    "Lorg/testng/annotations/Test;",
    "Lorg/testng/annotations/Factory;",
];

/// The superclass that makes a class a test.
const TEST_CASE: &str = "junit/framework/TestCase";

const ACC_INTERFACE: u16 = 0x200;
const ACC_ABSTRACT: u16 = 0x400;

/// What is known of a class.
struct Class {
    super_name: Option<String>,
    has_tests: bool,
    is_abstract: bool,
}

/// The names of the top-level test classes in some folders, with dots.
pub(crate) fn in_folders(folders: &[PathBuf]) -> BTreeSet<String> {
    let mut classes: BTreeMap<String, Class> = BTreeMap::new();
    for folder in folders {
        let Ok(source) = Source::open(folder) else { continue };
        source.visit_classes(|entry| {
            let class = entry.ok().and_then(|entry| understand(entry.bytes));
            if let Some((name, class)) = class {
                classes.entry(name).or_insert(class);
            }
        });
    }
    let is_test = |name: &String, class: &Class| !class.is_abstract && has_tests(&classes, name);
    let tests = classes.iter().filter(|(name, class)| is_test(name, class));
    tests.map(|(name, _)| name.split('$').next().unwrap_or(name).replace('/', ".")).collect()
}

/// Whether a class has tests, or inherits some.
fn has_tests(classes: &BTreeMap<String, Class>, name: &str) -> bool {
    let mut name = Some(name);
    let mut steps = 0..=classes.len();
    while let (Some(class), Some(_)) = (name, steps.next()) {
        let Some(known) = classes.get(class) else { return class == TEST_CASE };
        if known.has_tests {
            return true;
        }
        name = known.super_name.as_deref();
    }
    false
}

fn understand(bytes: &[u8]) -> Option<(String, Class)> {
    let class = ClassFile::read(bytes).ok()?;
    let mut has_tests = has_annotation(&class, &class.attributes());
    has_tests |= class.methods().iter().any(|method| has_annotation(&class, &method.attributes));
    let super_name = class.super_name().ok()?.map(|name| name.to_text().into_owned());
    let is_abstract = class.access() & (ACC_INTERFACE | ACC_ABSTRACT) != 0;
    Some((class.name().ok()?.to_text().into_owned(), Class { super_name, has_tests, is_abstract }))
}

fn has_annotation<'a>(class: &ClassFile<'a>, attributes: &Attributes<'a>) -> bool {
    let is_one = |event| match event {
        AnnotationEvent::Annotation { type_descriptor, .. } => class
            .pool()
            .utf8(type_descriptor)
            .is_ok_and(|descriptor| ANNOTATIONS.contains(&descriptor.to_text().as_ref())),
        _ => false,
    };
    attributes.iter().any(|attribute| match attribute.decode(class.pool()) {
        Ok(Attribute::Annotations(events)) => events.iter().any(is_one),
        _ => false,
    })
}
