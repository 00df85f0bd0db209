//! Sources opened by content: what is a class or an archive is found under any name, and nothing else is unpacked.

use std::io::Write;

use probity_classpath::{
    Entry, EntryErrorKind, EntryKind, Limits, NameProblem, OpenErrorKind, Recognition, Source, SourceKind,
};

use crate::zip_builder::{ENCRYPTED_FLAG, Member, archive, archive_after};
use crate::{SMALL_LIMITS, only_content, read_all};

const CLASS: &[u8] = b"\xCA\xFE\xBA\xBE\0\0\0\x3D class content, class content, class content";
const FOR_MACOS: &[u8] = b"\xCA\xFE\xBA\xBE\0\0\0\x02 a program for two processors";
const LONG_NAME: &str = "a name in the header of a file packed by gzip";

fn open_as(name: &str, bytes: Vec<u8>) -> Result<Source, probity_classpath::OpenError> {
    Source::from_bytes(name, bytes, SMALL_LIMITS, Recognition::ByContent)
}

fn open(members: &[Member]) -> Source {
    open_as("test.jar", archive(members)).expect("opens")
}

fn listed(source: &Source) -> Vec<(&str, EntryKind)> {
    source.entries().iter().map(|entry| (entry.name(), entry.kind())).collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder =
        flate2::GzBuilder::new().filename(LONG_NAME).write(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("packs")
}

fn noise(length: u32) -> Vec<u8> {
    (0..length).flat_map(|number| (number.wrapping_mul(number) ^ 0x5A5A).to_le_bytes()).collect()
}

#[test]
fn entries_of_an_archive_are_what_they_are_whatever_they_are_called() {
    let inner = archive(&[Member::deflated("A.class", CLASS)]);
    let members = [
        Member::stored("a/", b""),
        Member::deflated("Probes.bin", CLASS),
        Member::stored("stored", CLASS),
        Member::deflated("notes.txt", b"CAFEBABE, as text"),
        Member::deflated("library.so", FOR_MACOS),
        Member::deflated("feature.kar", &inner),
        Member::stored("A.class.gz", &gzip(CLASS)),
        Member::deflated("notes.gz", &gzip(&noise(50_000))),
        Member::deflated("cut.gz", &gzip(CLASS)[..70]),
        Member::stored("short", &CLASS[..3]),
        Member::deflated("text.class", b"text"),
        Member::stored("empty.jar", b""),
    ];
    let source = open(&members);
    assert_eq!(
        listed(&source),
        [
            ("Probes.bin", EntryKind::Class),
            ("stored", EntryKind::Class),
            ("feature.kar", EntryKind::NestedArchive),
            ("A.class.gz", EntryKind::NestedArchive),
            ("cut.gz", EntryKind::NestedArchive),
            ("text.class", EntryKind::Class),
            ("empty.jar", EntryKind::NestedArchive),
        ]
    );
    let nested = |at: usize| source.open_nested(&source.entries()[at]);
    assert_eq!(only_content(&nested(2).expect("opens")), CLASS);
    let packed = nested(3).expect("opens");
    assert_eq!((packed.kind(), packed.name()), (SourceKind::Gzip, "test.jar!/A.class.gz"));
    assert_eq!(listed(&packed), [("A.class", EntryKind::Class)]);
    assert_eq!(only_content(&packed), CLASS);
    assert!(matches!(nested(4).expect_err("is cut").kind, OpenErrorKind::GzipDamaged(_)));
    assert!(matches!(nested(6).expect_err("is empty").kind, OpenErrorKind::NotRecognised));

    let by_name = Source::from_bytes("test.jar", archive(&members), SMALL_LIMITS, Recognition::ByName);
    let by_name = by_name.expect("opens");
    assert_eq!(listed(&by_name), [("text.class", EntryKind::Class), ("empty.jar", EntryKind::NestedArchive)]);
}

#[test]
fn files_in_a_folder_are_what_they_are_whatever_they_are_called() {
    let root = tempfile::tempdir().expect("temporary folder");
    let inner = archive(&[Member::deflated("A.class", CLASS)]);
    for (name, content) in [
        ("Probes.bin", CLASS),
        ("app.aar", &inner),
        ("class.gz", &gzip(CLASS)),
        ("notes.gz", &gzip(b"notes and notes")),
        ("notes.txt", b"notes and notes"),
        ("library.so", FOR_MACOS),
        ("short", &CLASS[..3]),
        ("text.class", b"text"),
    ] {
        std::fs::write(root.path().join(name), content).expect("writes");
    }
    let source = Source::open_by_content(root.path()).expect("opens");
    assert_eq!(
        listed(&source),
        [
            ("Probes.bin", EntryKind::Class),
            ("app.aar", EntryKind::NestedArchive),
            ("class.gz", EntryKind::NestedArchive),
            ("text.class", EntryKind::Class),
        ]
    );
    for name in ["Probes.bin", "app.aar", "class.gz"] {
        let single = Source::open_by_content(root.path().join(name)).expect("opens");
        assert_eq!(only_content(&single), CLASS);
    }
    assert_eq!(Source::open(root.path()).expect("opens").entries().len(), 1);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_is_nothing() {
    let root = tempfile::tempdir().expect("temporary folder");
    std::os::unix::fs::symlink("nowhere", root.path().join("link.bin")).expect("links");
    let _socket = std::os::unix::net::UnixListener::bind(root.path().join("socket")).expect("binds");
    let source = Source::open_by_content(root.path()).expect("opens");
    assert_eq!(listed(&source), []);
}

#[test]
fn a_large_entry_is_not_unpacked_to_see_what_it_is() {
    let mut damaged = Member::deflated("data.bin", &noise(1 << 20));
    let length = damaged.packed.len();
    assert!(length > 1 << 20, "{length} bytes");
    damaged.packed[64 << 10..].fill(0xFF);
    let mut bomb = Member::deflated("zeros.bin", &vec![0; 64 << 20]);
    bomb.size = u32::MAX - 1;
    let source = open(&[damaged, bomb, Member::deflated("Probes.bin", CLASS)]);
    assert_eq!(listed(&source), [("Probes.bin", EntryKind::Class)]);
}

#[test]
fn damage_past_the_start_of_a_class_is_found_on_reading() {
    let mut damaged = Member::deflated("Probes.bin", CLASS);
    damaged.checksum ^= 1;
    let read = read_all(&open(&[damaged, Member::deflated("Other.bin", CLASS)]));
    assert!(matches!(read[0].1, Err(EntryErrorKind::Checksum { .. })), "{read:?}");
    assert_eq!(read[1].1.as_ref().expect("is read"), CLASS);
}

#[test]
fn what_cannot_be_looked_at_is_told() {
    let mut encrypted = Member::deflated("secret", CLASS);
    encrypted.flags = ENCRYPTED_FLAG;
    let mut unknown = Member::stored("bzip", CLASS);
    unknown.method = 12;
    let mut corrupt = Member::deflated("corrupt.txt", CLASS);
    corrupt.packed.fill(0xFF);
    let mut cut = Member::deflated("cut.txt", CLASS);
    cut.packed.truncate(3);
    cut.packed_size = 3;
    let mut empty_blocks = Member::deflated("blocks", CLASS);
    empty_blocks.packed = [&[0, 0, 0, 0xFF, 0xFF].repeat(20_000)[..], &empty_blocks.packed].concat();
    empty_blocks.packed_size = empty_blocks.packed.len() as u32;
    let read = read_all(&open(&[encrypted, unknown, corrupt, cut, empty_blocks, Member::stored("A", CLASS)]));
    assert!(matches!(read[0].1, Err(EntryErrorKind::Encrypted)), "{:?}", read[0]);
    assert!(matches!(read[1].1, Err(EntryErrorKind::UnknownMethod { method: 12, .. })), "{:?}", read[1]);
    assert!(matches!(read[2].1, Err(EntryErrorKind::PackedDataCorrupt)), "{:?}", read[2]);
    assert!(matches!(read[3].1, Err(EntryErrorKind::PackedDataEndsEarly)), "{:?}", read[3]);
    assert!(matches!(read[4].1, Err(EntryErrorKind::PackedDataCorrupt)), "{:?}", read[4]);
    assert_eq!(read[5].1.as_ref().expect("is read"), CLASS);
}

#[test]
fn hostile_names_and_duplicates_are_refused_only_for_classes() {
    let source = open(&[
        Member::stored("../notes.txt", b"text"),
        Member::stored("../Probes.bin", CLASS),
        Member::stored("NOTICE", b"text"),
        Member::stored("NOTICE", b"text"),
        Member::stored("Probes.bin", CLASS),
        Member::stored("Probes.bin", CLASS),
    ]);
    let read = read_all(&source);
    assert_eq!(read.len(), 3, "{read:?}");
    assert!(matches!(read[0].1, Err(EntryErrorKind::HostileName(NameProblem::ParentFolder))));
    assert!(read[1].1.is_ok());
    assert!(matches!(read[2].1, Err(EntryErrorKind::Duplicate)));
}

#[test]
fn limits_hold_for_what_is_found_by_content() {
    let large = [CLASS, &vec![0; SMALL_LIMITS.max_class_bytes as usize]].concat();
    let read = read_all(&open(&[Member::deflated("large.bin", &large)]));
    assert!(matches!(read[0].1, Err(EntryErrorKind::TooLarge { .. })), "{:?}", read[0]);

    let read = read_all(&open_as("large.gz", gzip(&large)).expect("opens"));
    let limit = SMALL_LIMITS.max_class_bytes;
    assert!(
        matches!(read[0].1, Err(EntryErrorKind::TooLarge { size, .. }) if size == limit + 1),
        "{:?}",
        read[0]
    );

    let limits = Limits { max_total_bytes: 100, ..SMALL_LIMITS };
    let members = [
        Member::deflated("notes.txt", &[b'x'; 5000]),
        Member::stored("A", CLASS),
        Member::stored("B", CLASS),
    ];
    let source =
        Source::from_bytes("test.jar", archive(&members), limits, Recognition::ByContent).expect("opens");
    let read = read_all(&source);
    assert!(read[0].1.is_ok());
    assert!(matches!(read[1].1, Err(EntryErrorKind::OverTotal { limit: 100 })), "{:?}", read[1]);
}

#[test]
fn packed_data_that_is_damaged_is_told() {
    let whole = gzip(CLASS);
    let mut wrong_sum = whole.clone();
    let sum_at = whole.len() - 8;
    wrong_sum[sum_at] ^= 1;
    let read = read_all(&open_as("A.gz", wrong_sum).expect("opens"));
    assert!(matches!(read[0].1, Err(EntryErrorKind::PackedDataCorrupt)), "{:?}", read[0]);
    let read = read_all(&open_as("A.gz", whole[..sum_at].to_vec()).expect("opens"));
    assert!(matches!(read[0].1, Err(EntryErrorKind::PackedDataEndsEarly)), "{:?}", read[0]);
    let no_gzip = open_as("A.gz", b"\x1F\x8Bnothing of the sort".to_vec()).expect_err("is refused");
    assert!(matches!(no_gzip.kind, OpenErrorKind::GzipDamaged(_)), "{no_gzip}");
    assert!(no_gzip.hint().is_some());
    assert_eq!(listed(&open_as("notes.gz", gzip(b"notes")).expect("opens")), []);
}

#[test]
fn packed_files_in_packed_files_are_opened_one_by_one() {
    let mut source = open_as("A.gz", gzip(&gzip(&gzip(CLASS)))).expect("opens");
    for _ in 0..2 {
        assert_eq!(listed(&source), [("A", EntryKind::NestedArchive)]);
        let entry: Entry = source.entries()[0].clone();
        source = source.open_nested(&entry).expect("opens");
    }
    assert_eq!(only_content(&source), CLASS);
}

#[test]
fn a_script_in_front_hides_an_archive_unless_it_is_given_by_itself() {
    let with_script = archive_after(b"#!/bin/sh\n", &[Member::stored("A.class", CLASS)]);
    assert_eq!(only_content(&open_as("run.jar", with_script.clone()).expect("opens")), CLASS);
    let outer = open(&[Member::stored("run.jar", &with_script), Member::stored("run", &with_script)]);
    assert_eq!(listed(&outer), [("run.jar", EntryKind::NestedArchive)]);
    let error = outer.open_nested(&outer.entries()[0]).expect_err("starts with a script");
    assert!(matches!(error.kind, OpenErrorKind::NotRecognised), "{error}");
}

#[test]
fn what_is_called_a_class_can_be_opened_as_the_archive_that_it_is() {
    let inner = archive(&[Member::deflated("A.class", CLASS)]);
    let outer = open(&[Member::deflated("archive.class", &inner), Member::stored("class.jar", CLASS)]);
    for entry in outer.entries() {
        assert_eq!(only_content(&outer.open_nested(entry).expect("opens")), CLASS);
    }
    let empty = open(&[Member::stored("empty.jar", &archive(&[]))]);
    assert_eq!(listed(&empty.open_nested(&empty.entries()[0]).expect("opens")), []);
}
