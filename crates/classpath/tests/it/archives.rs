//! Archives: what is read, and what each sort of lie is answered with.

use probity_classpath::{
    EntryErrorKind, EntryKind, Limits, NameProblem, OpenErrorKind, ReadBuffer, Recognition, Source,
    SourceKind,
};

use crate::zip_builder::{DEFLATED, ENCRYPTED_FLAG, Member, archive, archive_after};
use crate::{SMALL_LIMITS, only_content, read_all};

const CONTENT: &[u8] = b"\xCA\xFE\xBA\xBE class content, class content, class content";

fn open(bytes: Vec<u8>) -> Source {
    Source::from_bytes("test.jar", bytes, SMALL_LIMITS, Recognition::ByName).expect("opens")
}

fn refusal(bytes: Vec<u8>) -> OpenErrorKind {
    let error =
        Source::from_bytes("test.jar", bytes, SMALL_LIMITS, Recognition::ByName).expect_err("is refused");
    assert_eq!(error.container, "test.jar");
    assert!(error.hint().is_some());
    error.kind
}

/// Puts a member between two good ones, checks that those are still read, and gives what became of it.
fn outcome_between_good_ones(member: Member) -> Result<Vec<u8>, EntryErrorKind> {
    let source = open(archive(&[
        Member::deflated("a/First.class", CONTENT),
        member,
        Member::stored("z/Last.class", CONTENT),
    ]));
    let mut all = read_all(&source);
    assert_eq!(all.len(), 3, "{all:?}");
    let (_, outcome) = all.remove(1);
    for (name, content) in all {
        assert_eq!(content.expect(&name), CONTENT);
    }
    outcome
}

fn problem_between_good_ones(member: Member) -> EntryErrorKind {
    outcome_between_good_ones(member).expect_err("is refused")
}

#[test]
fn classes_are_read_in_the_order_of_the_directory() {
    let source = open(archive(&[
        Member::stored("META-INF/MANIFEST.MF", b"x"),
        Member::deflated("b/B.class", CONTENT),
        Member::stored("META-INF/versions/17/a/A.class", b"seventeen"),
        Member::stored("a/", b""),
        Member::stored("a/A.class", b""),
        Member::stored("BOOT-INF/lib/x.jar", b"x"),
    ]));
    assert_eq!(source.kind(), SourceKind::Archive);
    let listed: Vec<_> = source.entries().iter().map(|entry| (entry.name(), entry.kind())).collect();
    assert_eq!(
        listed,
        [
            ("b/B.class", EntryKind::Class),
            ("META-INF/versions/17/a/A.class", EntryKind::Class),
            ("a/A.class", EntryKind::Class),
            ("BOOT-INF/lib/x.jar", EntryKind::NestedArchive),
        ]
    );
    let contents: Vec<_> =
        read_all(&source).into_iter().map(|(_, content)| content.expect("is read")).collect();
    assert_eq!(contents, [CONTENT, b"seventeen", b""]);
}

#[test]
fn everything_is_listed_if_that_is_asked_for() {
    let members = [
        Member::deflated("META-INF/MANIFEST.MF", CONTENT),
        Member::stored("a/", b""),
        Member::stored("a/A.class", b"class"),
    ];
    let source = Source::from_bytes("test.jar", archive(&members), SMALL_LIMITS, Recognition::Everything);
    let source = source.expect("opens");
    let listed: Vec<_> = source.entries().iter().map(|entry| (entry.name(), entry.kind())).collect();
    assert_eq!(listed, [("META-INF/MANIFEST.MF", EntryKind::Other), ("a/A.class", EntryKind::Class)]);
    let mut buffer = ReadBuffer::new();
    assert_eq!(source.read(&source.entries()[0], &mut buffer).expect("is read").bytes, CONTENT);
    assert_eq!(only_content(&source), b"class");
}

#[test]
fn the_offset_is_where_the_data_starts() {
    let bytes = archive(&[Member::deflated("First.class", CONTENT), Member::stored("Second.class", CONTENT)]);
    let source = open(bytes.clone());
    let mut offsets = Vec::new();
    source.visit_classes(|class| offsets.push(class.expect("is read").offset as usize));
    assert_eq!(offsets[0], 30 + "First.class".len());
    assert_eq!(&bytes[offsets[1]..offsets[1] + CONTENT.len()], CONTENT);
}

#[test]
fn something_in_front_of_the_archive_does_no_harm() {
    for prefix in [&b"JM\x01\x00"[..], b"#!/bin/sh\nexec java -jar \"$0\"\n"] {
        let source = open(archive_after(prefix, &[Member::deflated("classes/A.class", CONTENT)]));
        assert_eq!(only_content(&source), CONTENT);
    }
}

#[test]
fn sizes_in_the_wide_form_are_understood() {
    let mut member = Member::deflated("A.class", CONTENT);
    member.wide = true;
    assert_eq!(only_content(&open(archive(&[member]))), CONTENT);
}

#[test]
fn an_empty_archive_has_no_entries() {
    assert!(open(archive(&[])).entries().is_empty());
}

#[test]
fn hostile_names_are_refused_one_by_one() {
    let cases: [(&[u8], NameProblem); 7] = [
        (b"/etc/A.class", NameProblem::Absolute),
        (b"\\A.class", NameProblem::Absolute),
        (b"C:\\A.class", NameProblem::Absolute),
        (b"a/../../A.class", NameProblem::ParentFolder),
        (b"a\\..\\A.class", NameProblem::ParentFolder),
        (b"A.class\0.txt", NameProblem::Nul),
        (b"\xff\xfe.class", NameProblem::NotUtf8),
    ];
    for (name, expected) in cases {
        let problem = problem_between_good_ones(Member::stored("", CONTENT).named(name));
        assert!(matches!(problem, EntryErrorKind::HostileName(found) if found == expected), "{problem:?}");
    }
}

#[test]
fn the_second_class_of_a_name_is_refused_and_the_first_is_read() {
    let source = open(archive(&[
        Member::stored("A.class", CONTENT),
        Member::stored("x.txt", b"1"),
        Member::stored("x.txt", b"2"),
        Member::stored("A.class", b"other"),
        Member::stored("A.class", b"third"),
    ]));
    let all = read_all(&source);
    assert_eq!(all.len(), 3);
    assert_eq!(only_content(&source), CONTENT);
    for (_, outcome) in &all[1..] {
        assert!(matches!(outcome, Err(EntryErrorKind::Duplicate)), "{outcome:?}");
    }
}

#[test]
fn a_bomb_that_declares_its_size_is_refused_unread() {
    let problem = problem_between_good_ones(Member::deflated("B.class", &vec![0; (1 << 16) + 1]));
    assert!(matches!(problem, EntryErrorKind::TooLarge { size: 65_537, limit: 65_536 }), "{problem:?}");
}

#[test]
fn a_bomb_that_lies_about_its_size_stops_at_the_declared_size() {
    let mut member = Member::deflated("B.class", &vec![0; 50 << 20]);
    member.size = 1000;
    member.packed_size = u32::try_from(member.packed.len()).expect("small");
    assert!(member.packed.len() < 1 << 16, "the bomb must pass the limit on packed bytes");
    let problem = problem_between_good_ones(member);
    assert!(matches!(problem, EntryErrorKind::LongerThanDeclared { declared: 1000 }), "{problem:?}");
}

#[test]
fn a_small_class_in_much_packed_data_is_refused_unread() {
    let mut member = Member::deflated("B.class", CONTENT);
    member.packed.resize((1 << 16) + 1, 0);
    member.packed_size = (1 << 16) + 1;
    let problem = problem_between_good_ones(member);
    assert!(matches!(problem, EntryErrorKind::TooLarge { size: 65_537, limit: 65_536 }), "{problem:?}");
}

#[test]
fn an_entry_shorter_than_declared_is_refused() {
    let mut member = Member::deflated("B.class", CONTENT);
    member.size += 1;
    let problem = problem_between_good_ones(member);
    let (declared, actual) = (CONTENT.len() as u64 + 1, CONTENT.len() as u64);
    assert!(
        matches!(problem, EntryErrorKind::ShorterThanDeclared { declared: d, actual: a } if (d, a) == (declared, actual)),
        "{problem:?}"
    );
}

#[test]
fn entries_past_the_total_are_refused_and_those_before_are_read() {
    let members: Vec<_> =
        (0..20).map(|n| Member::deflated(&format!("C{n}.class"), &vec![n; 1 << 16])).collect();
    let outcomes: Vec<_> =
        read_all(&open(archive(&members))).into_iter().map(|(_, outcome)| outcome).collect();
    let (read, refused) = outcomes.split_at(16);
    assert!(read.iter().all(Result::is_ok));
    assert_eq!(refused.len(), 4);
    assert!(
        refused.iter().all(|outcome| matches!(outcome, Err(EntryErrorKind::OverTotal { limit: 1_048_576 })))
    );
}

#[test]
fn entries_that_share_their_data_are_held_to_the_total() {
    let mut members = vec![Member::deflated("C0.class", &vec![0; 1 << 16])];
    let first_length = 30 + "C0.class".len() + members[0].packed.len();
    let mut offset = first_length;
    for n in 1..50 {
        let mut member = Member::deflated(&format!("C{n}.class"), &vec![0; 1 << 16]);
        member.packed.clear();
        member.offset_error = 0_u32.wrapping_sub(u32::try_from(offset).expect("small"));
        offset += 30 + member.name.len();
        members.push(member);
    }
    let read = read_all(&open(archive(&members))).into_iter().filter(|(_, outcome)| outcome.is_ok()).count();
    assert_eq!(read, 16);
}

#[test]
fn too_many_entries_refuse_the_archive() {
    let members: Vec<_> = (0..101).map(|n| Member::stored(&format!("{n}.txt"), b"")).collect();
    assert!(matches!(refusal(archive(&members)), OpenErrorKind::TooManyEntries { limit: 100 }));
    assert!(open(archive(&members[..100])).entries().is_empty());
}

#[test]
fn a_wrong_checksum_is_refused() {
    for mut member in [Member::stored("B.class", CONTENT), Member::deflated("B.class", CONTENT)] {
        let actual_checksum = member.checksum;
        member.checksum ^= 1;
        let problem = problem_between_good_ones(member);
        assert!(
            matches!(problem, EntryErrorKind::Checksum { declared, actual } if declared == actual ^ 1 && actual == actual_checksum),
            "{problem:?}"
        );
    }
}

#[test]
fn encrypted_entries_and_unknown_methods_are_named() {
    let mut member = Member::stored("B.class", CONTENT);
    member.flags = ENCRYPTED_FLAG;
    assert!(matches!(problem_between_good_ones(member), EntryErrorKind::Encrypted));

    for (method, name) in [(12, Some("BZIP2")), (93, Some("ZSTD")), (4711, None)] {
        let mut member = Member::stored("B.class", CONTENT);
        member.method = method;
        let problem = problem_between_good_ones(member);
        assert!(
            matches!(problem, EntryErrorKind::UnknownMethod { method: m, name: n } if (m, n) == (method, name)),
            "{problem:?}"
        );
    }
}

#[test]
fn packed_data_that_is_cut_or_corrupt_is_refused() {
    let text: Vec<u8> = (0..4000_u32).flat_map(|n| (n * n).to_le_bytes()).collect();
    let mut cut = Member::deflated("B.class", &text);
    cut.packed_size /= 2;
    let problem = problem_between_good_ones(cut);
    assert!(matches!(problem, EntryErrorKind::PackedDataEndsEarly), "{problem:?}");

    let mut corrupt = Member::stored("B.class", &[0xff; 40]);
    corrupt.method = DEFLATED;
    let problem = problem_between_good_ones(corrupt);
    assert!(matches!(problem, EntryErrorKind::PackedDataCorrupt), "{problem:?}");
}

#[test]
fn a_stored_entry_must_have_one_size() {
    let mut member = Member::stored("B.class", CONTENT);
    member.size -= 1;
    let problem = problem_between_good_ones(member);
    assert!(matches!(problem, EntryErrorKind::StoredSizesDiffer { .. }), "{problem:?}");
}

#[test]
fn an_entry_that_ends_past_the_file_is_refused() {
    let mut member = Member::stored("B.class", CONTENT);
    (member.packed_size, member.size) = (60_000, 60_000);
    let problem = problem_between_good_ones(member);
    assert!(matches!(problem, EntryErrorKind::CutShort { end, available } if end > available), "{problem:?}");
}

#[test]
fn an_entry_that_is_not_where_the_directory_says_is_refused() {
    for offset_error in [1, 1_000_000, u32::MAX] {
        let mut member = Member::stored("B.class", CONTENT);
        member.offset_error = offset_error;
        let problem = problem_between_good_ones(member);
        assert!(matches!(problem, EntryErrorKind::NoEntryHere), "{problem:?}");
    }
}

#[test]
fn errors_say_where_in_the_archive() {
    let mut member = Member::stored("B.class", CONTENT);
    member.checksum ^= 1;
    let source = open(archive(&[Member::stored("A.class", b"1234"), member]));
    let mut text = Vec::new();
    source.visit_classes(|class| text.extend(class.err().map(|error| error.to_string())));
    let start = 2 * (30 + "A.class".len()) + 4;
    assert_eq!(text.len(), 1);
    assert!(text[0].starts_with("test.jar: B.class: its checksum is "), "{text:?}");
    assert!(text[0].ends_with(&format!(" (byte {start})")), "{text:?}");
}

#[test]
fn an_archive_without_its_end_is_cut_short_and_other_bytes_are_not_recognised() {
    let whole = archive(&[Member::deflated("A.class", CONTENT)]);
    for length in [4, 40, whole.len() - 23] {
        assert!(matches!(refusal(whole[..length].to_vec()), OpenErrorKind::ArchiveCutShort), "{length}");
    }
    assert!(matches!(refusal(whole[..whole.len() - 1].to_vec()), OpenErrorKind::ArchiveDirectoryDamaged(_)));
    for other in [&b""[..], b"P", b"hello, world", b"\x7fELF"] {
        assert!(matches!(refusal(other.to_vec()), OpenErrorKind::NotRecognised));
    }
}

#[test]
fn a_directory_with_bytes_missing_or_in_two_places_refuses_the_archive() {
    let whole = archive(&[Member::deflated("A.class", CONTENT), Member::deflated("B.class", CONTENT)]);
    let end_record = whole.len() - 22;
    let without_last_byte = [&whole[..end_record - 1], &whole[end_record..]].concat();
    let kind = refusal(without_last_byte);
    assert!(
        matches!(
            kind,
            OpenErrorKind::ArchiveDirectoryDamaged(_) | OpenErrorKind::ArchiveDirectoryAmbiguous { .. }
        ),
        "{kind:?}"
    );

    let mut two_places = whole.clone();
    let record = 46 + "A.class".len() as u32;
    two_places[end_record + 12..end_record + 16].copy_from_slice(&record.to_le_bytes());
    let kind = refusal(two_places);
    assert!(
        matches!(kind, OpenErrorKind::ArchiveDirectoryAmbiguous { by_offset, by_size } if by_size - by_offset == u64::from(record)),
        "{kind:?}"
    );
}

#[test]
fn a_nested_archive_can_be_opened_on_request() {
    let inner = archive(&[Member::deflated("A.class", CONTENT)]);
    let outer = open(archive(&[
        Member::deflated("BOOT-INF/lib/inner.jar", &inner),
        Member::stored("BOOT-INF/lib/broken.jar", b"PK\x03\x04"),
        Member::deflated("BOOT-INF/lib/huge.jar", &vec![0; (1 << 17) + 1]),
    ]));
    let nested: Vec<_> = outer.entries().iter().map(|entry| outer.open_nested(entry)).collect();
    let inner = nested[0].as_ref().expect("opens");
    assert_eq!(inner.name(), "test.jar!/BOOT-INF/lib/inner.jar");
    assert_eq!(only_content(inner), CONTENT);
    let broken = nested[1].as_ref().expect_err("is cut short");
    assert!(matches!(broken.kind, OpenErrorKind::ArchiveCutShort));
    let huge = nested[2].as_ref().expect_err("is too large");
    assert!(
        matches!(&huge.kind, OpenErrorKind::Nested(error) if matches!(error.kind, EntryErrorKind::TooLarge { .. })),
        "{huge}"
    );
}

#[test]
fn an_entry_of_another_source_is_an_error() {
    let archive_source = open(archive(&[Member::stored("A.class", CONTENT)]));
    let class = Source::from_bytes("A.class", CONTENT.to_vec(), Limits::STANDARD, Recognition::ByName)
        .expect("opens");
    let entry = archive_source.entries().first().expect("has one");
    let mut buffer = probity_classpath::ReadBuffer::new();
    let error = class.read(entry, &mut buffer).expect_err("is refused");
    assert!(matches!(error.kind, EntryErrorKind::OfAnotherSource));
}

#[test]
fn one_archive_is_read_by_many_threads() {
    let members: Vec<_> = (0..64_u8).map(|n| Member::deflated(&format!("C{n}.class"), &[n; 5000])).collect();
    let file = tempfile::NamedTempFile::new().expect("temporary file");
    std::fs::write(file.path(), archive(&members)).expect("writes");
    let source = Source::open(file.path()).expect("opens");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for (number, (_, content)) in read_all(&source).into_iter().enumerate() {
                    assert_eq!(content.expect("is read"), [u8::try_from(number).expect("small"); 5000]);
                }
            });
        }
    });
}
