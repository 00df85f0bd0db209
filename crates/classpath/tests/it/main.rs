//! Tests of the whole crate, through its public face only.
//!
//! Containers are built here byte by byte, so that each can lie in exactly one way; the JDK's own tools are
//! the reference for real ones. No test may need the network or a checked-in binary.

mod archives;
mod by_content;
mod folders;
mod image_builder;
mod images;
mod jdk;
mod mutations;
mod zip_builder;

use probity_classpath::{EntryErrorKind, Limits, Source};

/// Small enough that a test notices when they are not kept.
const SMALL_LIMITS: Limits = Limits {
    max_class_bytes: 1 << 16,
    max_nested_bytes: 1 << 17,
    max_total_bytes: 1 << 20,
    max_entries: 100,
};

/// What every class of a source reads as, in order.
fn read_all(source: &Source) -> Vec<(String, Result<Vec<u8>, EntryErrorKind>)> {
    let mut all = Vec::new();
    source.visit_classes(|class| {
        all.push(match class {
            Ok(class) => (class.name.to_owned(), Ok(class.bytes.to_vec())),
            Err(error) => {
                assert_eq!(&*error.container, source.name());
                (error.name, Err(error.kind))
            }
        });
    });
    all
}

/// The content of the only class that can be read.
fn only_content(source: &Source) -> Vec<u8> {
    let mut contents = read_all(source).into_iter().filter_map(|(_, content)| content.ok());
    let content = contents.next().expect("a class that can be read");
    assert_eq!(contents.next(), None);
    content
}
