//! Tables of a body that make no sense must not keep a class from being rewritten if the JVM does not look at them.

use probity_classfile::edit::ClassEditor;
use probity_classfile::opcode::Opcode;
use probity_classfile::rewrite::rewrite_bodies;
use probity_classfile::{ClassFile, Member};
use probity_test_support::java::test_jdks;
use probity_test_support::link::{LinkResult, LinkServer};

use crate::hand_made::{Body, class_of};

/// The first attribute of the only body: where it starts, and its contents.
fn first_table(class: &[u8]) -> (usize, Vec<u8>) {
    let class = ClassFile::read(class).expect("a class");
    let method: &Member<'_> = &class.methods()[0];
    let code = class.code(method).expect("a body").expect("a body");
    let table = code.attributes.iter().next().expect("an attribute");
    (table.offset as usize, table.info.to_vec())
}

/// A class whose lines were given another name.
fn with_lines_as(name: &str) -> Vec<u8> {
    let body = Body { code: vec![Opcode::RETURN.0], lines: vec![(0, 7), (0, 8)], ..Body::default() };
    let original = class_of(&[body]);
    let class = ClassFile::read(&original).expect("a class");
    let mut editor = ClassEditor::new(&class);
    let name = editor.pool().text(name).expect("room in the pool");
    let mut bytes = editor.finish();
    let (at, _) = first_table(&bytes);
    bytes[at..at + 2].copy_from_slice(&name.to_be_bytes());
    // In older class files no type annotations are known.
    bytes[6..8].copy_from_slice(&52_u16.to_be_bytes());
    bytes
}

fn with_a_nop(class: &[u8]) -> Vec<u8> {
    let class = ClassFile::read(class).expect("a class");
    rewrite_bodies(&class, |_, _, patch| patch.before(0, &[Opcode::NOP.0])).expect("it can be done")
}

#[test]
fn type_annotations_that_are_none_are_kept_and_the_class_is_linked() {
    let class = with_lines_as("RuntimeVisibleTypeAnnotations");
    let rewritten = with_a_nop(&class);
    assert_eq!(first_table(&rewritten).1, first_table(&class).1);
    for jdk in test_jdks() {
        let mut server = LinkServer::start(&jdk).expect("a JVM");
        let answers = server.link_alone(&[&class, &rewritten]).expect("answers");
        assert!(answers.iter().all(LinkResult::is_linked), "{jdk}: {answers:?}");
    }
}

#[test]
fn bytes_behind_a_table_are_not_dropped() {
    let mut class = with_lines_as("LineNumberTable");
    let (at, whole) = first_table(&class);
    let moved = first_table(&with_a_nop(&class)).1;
    assert_eq!(moved, whole, "a line at the start stays there");
    // One line less than there is room for.
    class[at + 7] = 1;
    let (_, damaged) = first_table(&class);
    assert_eq!(damaged.len(), 10);
    assert_eq!(first_table(&with_a_nop(&class)).1, damaged);
}
