//! Classes of jars and of runtime images, in memory and each name once, as a JVM would find them on a class path.
//!
//! It must never leave a class out silently: what cannot be read is an error.

use std::collections::HashSet;
use std::path::Path;

use probity_classpath::{EntryKind, ReadBuffer, Source};
use probity_test_support::link::GivenClass;

/// A class and its internal name.
#[derive(Debug, Clone)]
pub(crate) struct NamedClass {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// Classes with different names, in a fixed order.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClassSet {
    names: HashSet<String>,
    pub(crate) classes: Vec<NamedClass>,
}

impl ClassSet {
    /// Adds the classes of a jar, other than copies for newer Java versions. Of equal names the first one stays.
    pub(crate) fn add_jar(&mut self, path: &Path) -> Result<(), String> {
        let source = Source::open(path).map_err(|error| error.to_string())?;
        self.add(&source, |entry| (!entry.starts_with("META-INF/")).then_some(entry))
    }

    /// Adds the classes of a source that have a name, which is made from that of the entry. Modules have none.
    pub(crate) fn add(
        &mut self,
        source: &Source,
        name_of: impl Fn(&str) -> Option<&str>,
    ) -> Result<(), String> {
        let mut buffer = ReadBuffer::new();
        for entry in source.entries().iter().filter(|entry| entry.kind() == EntryKind::Class) {
            let name = name_of(entry.name()).and_then(|name| name.strip_suffix(".class"));
            let Some(name) = name.filter(|name| !name.ends_with("module-info")) else { continue };
            if self.names.insert(name.to_owned()) {
                let class = source.read(entry, &mut buffer).map_err(|error| error.to_string())?;
                self.classes.push(NamedClass { name: name.to_owned(), bytes: class.bytes.to_vec() });
            }
        }
        Ok(())
    }
}

/// The classes in the form in which a JVM is asked about them.
pub(crate) fn given(classes: &[NamedClass]) -> Vec<GivenClass<'_>> {
    classes.iter().map(|class| GivenClass { name: &class.name, bytes: &class.bytes }).collect()
}
