//! Files with one thing wrong with each of them.

use super::archives::{Field, archive, with_field};
use super::classes::{class, class_with_annotations, class_with_code, class_with_stack_map};
use super::packed_archive::packed_archive;

const RETURN: u8 = 0xb1;

/// Files that must be refused, by name.
pub(crate) fn bad_files() -> Vec<(&'static str, Vec<u8>)> {
    [bad_classes(), bad_bodies(), bad_archives()].concat()
}

/// Classes whose parts cannot be found.
fn bad_classes() -> Vec<(&'static str, Vec<u8>)> {
    let good = class("a/Bad", 61);
    let changed = |at: usize, bytes: &[u8]| {
        let mut class = good.clone();
        class[at..at + bytes.len()].copy_from_slice(bytes);
        class
    };
    let end = good.len();
    vec![
        ("bad/Empty.class", Vec::new()),
        ("bad/Truncated.class", good[..30].to_vec()),
        ("bad/Trailing.class", [&good[..], b"more"].concat()),
        ("bad/Future.class", changed(6, &[0, 200])),
        ("bad/NoPool.class", changed(8, &[0, 0])),
        ("bad/PoolTag.class", changed(10, &[2])),
        ("bad/ManyMethods.class", changed(end - 4, &[0xFF, 0xFF])),
        ("bad/ManyAttributes.class", changed(end - 2, &[0xFF, 0xFF])),
        ("bad/LongText.class", changed(14, &[0xFF, 0xFF])),
        (
            "bad/LongAttribute.class",
            [&changed(end - 2, &[0, 1])[..], &[0, 2, 0xFF, 0xFF, 0xFF, 0xFF]].concat(),
        ),
    ]
}

/// Classes whose parts are found, but one of them makes no sense when it is decoded.
fn bad_bodies() -> Vec<(&'static str, Vec<u8>)> {
    let table_switch = |low: i32, high: i32| {
        let numbers = [0, low, high].map(i32::to_be_bytes).concat();
        class_with_code(&[&[0xaa, 0, 0, 0][..], &numbers, &[RETURN]].concat())
    };
    let annotation_in_annotation = [0, 5, 0, 1, 0, 5, b'@'].repeat(10_000);
    vec![
        ("bad/NoCode.class", class_with_code(&[])),
        ("bad/Opcode.class", class_with_code(&[0xfe, RETURN])),
        ("bad/CutInstruction.class", class_with_code(&[0xb8])),
        ("bad/Jump.class", class_with_code(&[0xa7, 0x7F, 0xFF, RETURN])),
        ("bad/Wide.class", class_with_code(&[0xc4, 0, 0, 0, RETURN])),
        ("bad/Switch.class", table_switch(1, 0)),
        ("bad/HugeSwitch.class", table_switch(i32::MIN, i32::MAX)),
        ("bad/Frame.class", class_with_stack_map(&[RETURN], &[0, 1, 200])),
        ("bad/FrameType.class", class_with_stack_map(&[RETURN], &[0, 1, 64, 99])),
        (
            "bad/DeepAnnotation.class",
            class_with_annotations(&[&[0, 1][..], &annotation_in_annotation].concat()),
        ),
    ]
}

/// Archives that would fill the memory, leave a folder, or show one class to us and another to a JVM.
fn bad_archives() -> Vec<(&'static str, Vec<u8>)> {
    let good = class("a/Bad", 61);
    let bomb = packed_archive(&[("a/Bomb.class", vec![0; (64 << 20) + 1])]);
    let packed = packed_archive(&[("a/Bad.class", &good)]);
    let mut corrupt = packed.clone();
    let data = corrupt.windows(11).position(|name| name == b"a/Bad.class").expect("has a header") + 11;
    corrupt[data] = 0xFF;
    vec![
        ("bad/bomb.jar", bomb.clone()),
        ("bad/lying-bomb.jar", with_field(bomb, Field::Size, 1000)),
        ("bad/absolute.jar", archive(&[("/etc/Bad.class", &good)])),
        ("bad/drive.jar", archive(&[("C:\\Bad.class", &good)])),
        ("bad/parent.jar", archive(&[("a/../../Bad.class", &good)])),
        ("bad/twice.jar", archive(&[("a/Bad.class", &good), ("a/Bad.class", &good)])),
        ("bad/checksum.jar", with_field(packed, Field::Checksum, 1)),
        ("bad/corrupt.jar", corrupt),
    ]
}

/// Every proper beginning of a class with a method, as members of one archive.
pub(crate) fn beginnings() -> (usize, Vec<u8>) {
    let whole = class_with_code(&[RETURN]);
    let members: Vec<(String, &[u8])> =
        (0..whole.len()).map(|length| (format!("a/Cut{length}.class"), &whole[..length])).collect();
    let members: Vec<(&str, &[u8])> = members.iter().map(|(name, bytes)| (name.as_str(), *bytes)).collect();
    (members.len(), archive(&members))
}
