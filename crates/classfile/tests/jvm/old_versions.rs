//! Class files of the oldest versions are read as today's JVMs read them.

use probity_classfile::opcode::Opcode;
use probity_classfile::{ClassFile, Version};
use probity_test_support::java::test_jdks;
use probity_test_support::link::{LinkResult, LinkServer};

use crate::hand_made::{Body, class_of};

/// Before version 45.3 the fields in front of the code were shorter once. No JVM that is tested reads them like that.
#[test]
fn bodies_have_the_same_layout_in_all_versions() {
    let body = Body { code: vec![Opcode::NOP.0, Opcode::RETURN.0], ..Body::default() };
    let versions = [(45, 0), (45, 2), (45, 3), (45, 65_535), (46, 0), (48, 0), (49, 0)];
    let classes: Vec<Vec<u8>> = versions
        .iter()
        .map(|&(major, minor): &(u16, u16)| {
            let mut class = class_of(std::slice::from_ref(&body));
            class[4..6].copy_from_slice(&minor.to_be_bytes());
            class[6..8].copy_from_slice(&major.to_be_bytes());
            class
        })
        .collect();
    for jdk in test_jdks() {
        let answers = LinkServer::start(&jdk).expect("a JVM").link_alone(&classes).expect("answers");
        assert!(answers.iter().all(LinkResult::is_linked), "{jdk}: {answers:?}");
    }
    for (class, (major, minor)) in classes.iter().zip(versions) {
        let class = ClassFile::read(class).expect("a class");
        assert_eq!(class.version(), Version { major, minor });
        let code = class.code(&class.methods()[0]).expect("a body").expect("a body");
        assert_eq!(code.bytes, body.code);
    }
}
