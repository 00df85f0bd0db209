//! Runtime images that the builder made: what is listed, and what damage is answered with.

use probity_classpath::{EntryErrorKind, Limits, OpenErrorKind, Recognition, Source, SourceKind};

use crate::image_builder::{Order, Resource, image};
use crate::{SMALL_LIMITS, only_content, read_all};

const HEADER_BYTES: usize = 28;

fn open(bytes: Vec<u8>) -> Source {
    Source::from_bytes("modules", bytes, SMALL_LIMITS, Recognition::ByName).expect("opens")
}

fn refusal(bytes: Vec<u8>) -> OpenErrorKind {
    Source::from_bytes("modules", bytes, SMALL_LIMITS, Recognition::ByName).expect_err("is refused").kind
}

fn only_problem(bytes: Vec<u8>) -> EntryErrorKind {
    let mut outcomes = read_all(&open(bytes));
    assert_eq!(outcomes.len(), 1, "{outcomes:?}");
    outcomes.remove(0).1.expect_err("is refused")
}

#[test]
fn classes_of_an_image_are_listed_by_name_in_either_byte_order() {
    let pseudo = Resource { module: "packages", ..Resource::class("", "x", b"") };
    let text = Resource { extension: "txt", ..Resource::class("a", "notes", b"") };
    let other = Resource { module: "m", ..Resource::class("", "module-info", b"info") };
    let object = Resource::class("java/lang", "Object", b"object");
    for order in [Order::Little, Order::Big] {
        let source = open(image(order, &[pseudo.clone(), text.clone(), other.clone(), object.clone()]));
        assert_eq!(source.kind(), SourceKind::RuntimeImage);
        let contents: Vec<_> =
            read_all(&source).into_iter().map(|(name, content)| (name, content.expect("is read"))).collect();
        assert_eq!(
            contents,
            [
                ("java.base/java/lang/Object.class".to_owned(), b"object".to_vec()),
                ("m/module-info.class".to_owned(), b"info".to_vec()),
            ]
        );
    }
}

#[test]
fn compressed_classes_are_unpacked_in_either_byte_order() {
    let content = [7; 5000];
    for order in [Order::Little, Order::Big] {
        for methods in [&["zip"][..], &["zip", "zip"]] {
            let source = open(image(order, &[Resource::class("a", "A", &content).compressed(methods)]));
            assert_eq!(only_content(&source), content);
        }
    }
}

#[test]
fn compressions_that_are_not_known_are_named() {
    let problem =
        only_problem(image(Order::Little, &[Resource::class("a", "A", b"x").compressed(&["compact-cp"])]));
    assert!(
        matches!(&problem, EntryErrorKind::ImageCompression { name } if name == "compact-cp"),
        "{problem:?}"
    );
}

#[test]
fn compressions_stacked_without_end_are_refused() {
    let problem =
        only_problem(image(Order::Little, &[Resource::class("a", "A", b"x").compressed(&["zip"; 9])]));
    assert!(matches!(problem, EntryErrorKind::ImageResource(_)), "{problem:?}");
}

#[test]
fn a_compressed_class_must_have_its_declared_size() {
    let mut resource = Resource::class("a", "A", &[0; 1000]).compressed(&["zip"]);
    resource.size_error = 1;
    let problem = only_problem(image(Order::Little, std::slice::from_ref(&resource)));
    assert!(
        matches!(problem, EntryErrorKind::ShorterThanDeclared { declared: 1001, actual: 1000 }),
        "{problem:?}"
    );
    resource.size_error = 0_u64.wrapping_sub(1);
    let problem = only_problem(image(Order::Little, &[resource]));
    assert!(matches!(problem, EntryErrorKind::LongerThanDeclared { declared: 999 }), "{problem:?}");
}

#[test]
fn a_compressed_bomb_is_refused() {
    let bomb = Resource::class("a", "A", &vec![0; 1 << 20]).compressed(&["zip"]);
    let problem = only_problem(image(Order::Little, std::slice::from_ref(&bomb)));
    assert!(matches!(problem, EntryErrorKind::TooLarge { size: 1_048_576, limit: 65_536 }), "{problem:?}");
    let lying = Resource { size_error: 10_u64.wrapping_sub(1 << 20), ..bomb };
    let problem = only_problem(image(Order::Little, &[lying]));
    assert!(matches!(problem, EntryErrorKind::TooLarge { size: 1_048_576, limit: 65_536 }), "{problem:?}");
}

#[test]
fn contents_past_the_end_of_the_file_are_refused_and_others_read() {
    let mut bytes =
        image(Order::Little, &[Resource::class("a", "A", b"first"), Resource::class("b", "B", b"second")]);
    bytes.pop();
    let source = open(bytes);
    assert_eq!(only_content(&source), b"first");
    let (name, outcome) = read_all(&source).remove(1);
    assert_eq!(name, "java.base/b/B.class");
    assert!(
        matches!(outcome, Err(EntryErrorKind::CutShort { end, available }) if end == available + 1),
        "{outcome:?}"
    );
}

#[test]
fn hostile_and_duplicate_names_are_refused() {
    let problem = only_problem(image(Order::Little, &[Resource::class("../a", "A", b"x")]));
    assert!(matches!(problem, EntryErrorKind::HostileName(_)), "{problem:?}");
    let twice = [Resource::class("a", "A", b"x"), Resource::class("a", "A", b"y")];
    let source = open(image(Order::Little, &twice));
    assert_eq!(only_content(&source), b"x");
    assert!(matches!(read_all(&source)[1].1, Err(EntryErrorKind::Duplicate)));
}

#[test]
fn classes_past_the_total_are_refused() {
    let bases: Vec<&'static str> = (0..20).map(|n| &*format!("C{n:02}").leak()).collect();
    let resources: Vec<_> = bases.iter().map(|base| Resource::class("a", base, &[0; 1 << 16])).collect();
    let outcomes = read_all(&open(image(Order::Little, &resources)));
    assert_eq!(outcomes.iter().filter(|(_, outcome)| outcome.is_ok()).count(), 16);
    assert!(matches!(outcomes[16].1, Err(EntryErrorKind::OverTotal { .. })));
}

#[test]
fn damage_to_the_index_is_told_apart() {
    let whole = image(Order::Little, &[Resource::class("a", "A", b"x")]);
    let location_offset = HEADER_BYTES + 4;
    let locations = HEADER_BYTES + 8;
    let edited = |at: usize, value: &[u8]| {
        let mut bytes = whole.clone();
        bytes[at..at + value.len()].copy_from_slice(value);
        bytes
    };

    let problem = only_problem(edited(location_offset, &u32::MAX.to_le_bytes()));
    assert!(matches!(problem, EntryErrorKind::ImageLocation("it is outside the locations")), "{problem:?}");
    let problem = only_problem(edited(locations + 1, &[9 << 3]));
    assert!(
        matches!(problem, EntryErrorKind::ImageLocation("it has an attribute of an unknown kind")),
        "{problem:?}"
    );
    let problem = only_problem(edited(locations + 2, &[200]));
    assert!(
        matches!(problem, EntryErrorKind::ImageLocation("one of its names is outside the strings")),
        "{problem:?}"
    );
    assert!(open(edited(location_offset, &[0; 4])).entries().is_empty());
}

#[test]
fn a_location_with_more_attributes_than_there_are_kinds_is_refused() {
    let with_repeated = |repeated_sizes| Resource { repeated_sizes, ..Resource::class("a", "A", b"x") };
    assert_eq!(only_content(&open(image(Order::Little, &[with_repeated(1)]))), b"x");
    let problem = only_problem(image(Order::Little, &[with_repeated(2)]));
    assert!(matches!(problem, EntryErrorKind::ImageLocation("it has too many attributes")), "{problem:?}");
}

#[test]
fn names_longer_than_any_real_one_are_refused() {
    let problem = only_problem(image(Order::Little, &[Resource::class("a", "A".repeat(4096).leak(), b"x")]));
    assert!(matches!(problem, EntryErrorKind::ImageLocation("one of its names has no end")), "{problem:?}");
}

#[test]
fn an_index_that_asks_for_endless_names_is_refused() {
    let (parent, base): (&str, &str) = ("p".repeat(4000).leak(), "B".repeat(4000).leak());
    let bytes = image(Order::Little, &vec![Resource::class(parent, base, b""); 10_000]);
    assert!(bytes.len() < 1 << 20);
    let error =
        Source::from_bytes("modules", bytes, Limits::STANDARD, Recognition::ByName).expect_err("is refused");
    assert!(matches!(error.kind, OpenErrorKind::ImageNamesTooLong));
}

#[test]
fn an_image_that_is_cut_or_of_another_version_is_refused() {
    let whole = image(Order::Little, &[Resource::class("a", "A", b"x")]);
    for length in [4, 27, 28, 60] {
        let kind = refusal(whole[..length].to_vec());
        assert!(
            matches!(kind, OpenErrorKind::ImageCutShort { needed, available } if needed > available),
            "{length}: {kind:?}"
        );
    }
    let mut newer = whole.clone();
    newer[6] = 2;
    assert!(matches!(refusal(newer), OpenErrorKind::ImageVersion { major: 2, minor: 0 }));
    let mut crowded = whole.clone();
    crowded[16..20].copy_from_slice(&101_u32.to_le_bytes());
    assert!(matches!(refusal(crowded), OpenErrorKind::TooManyEntries { limit: 100 }));
    let mut endless = whole;
    endless[20..24].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(matches!(refusal(endless), OpenErrorKind::ImageCutShort { .. }));
}
