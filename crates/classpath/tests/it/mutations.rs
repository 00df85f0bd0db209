//! Thousands of damaged containers: none may crash, hang, or take memory, and none may give wrong bytes.
//!
//! The oracle for archives is strict: their checksums mean that whatever is still read must be something that
//! was put in. Images have no checksums; there the sizes are held against the limits.

use std::time::{Duration, Instant};

use fastrand::Rng;
use probity_classpath::{Recognition, Source};

use crate::image_builder::{Order, Resource, image};
use crate::zip_builder::{Member, archive};
use crate::{SMALL_LIMITS, read_all};

const MUTATIONS: usize = 20_000;
const LONGEST: Duration = Duration::from_secs(120);
const MOST_MEMORY_KIB: u64 = 512 << 10;

/// Changes a few bytes, and sometimes the length.
fn damage(bytes: &mut Vec<u8>, random: &mut Rng) {
    for _ in 0..random.usize(1..=4) {
        let at = random.usize(..bytes.len());
        match random.u8(..6) {
            0 => bytes[at] ^= 1 << random.u8(..8),
            1 => bytes[at] = *random.choice(&[0, 1, 0x7f, 0x80, 0xff]).expect("not empty"),
            2 => bytes[at] = random.u8(..),
            3 => bytes.truncate(at.max(1)),
            4 => {
                let end = (at + random.usize(1..=8)).min(bytes.len());
                bytes[at..end].fill(0xff);
            }
            _ => {
                let from = random.usize(..bytes.len());
                let piece = bytes[from..(from + 16).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
        }
    }
}

/// Reads `MUTATIONS` damaged copies and hands on what was still read. Tells how many copies were opened.
fn survive(
    name: &str,
    original: &[u8],
    recognition: Recognition,
    mut check: impl FnMut(&[u8], &[u8]),
) -> usize {
    let mut random = Rng::with_seed(0x70726f62);
    let start = Instant::now();
    let mut opened = 0;
    for number in 0..MUTATIONS {
        let mut bytes = original.to_vec();
        damage(&mut bytes, &mut random);
        if let Ok(source) = Source::from_bytes(name, bytes.clone(), SMALL_LIMITS, recognition) {
            opened += 1;
            assert!(source.entries().len() <= SMALL_LIMITS.max_entries);
            for (_, outcome) in read_all(&source) {
                outcome.iter().for_each(|content| check(&bytes, content));
            }
        }
        assert!(start.elapsed() < LONGEST, "mutation {number} of {name} came after {:?}", start.elapsed());
    }
    opened
}

#[test]
fn damaged_archives_give_errors_or_the_right_bytes() {
    let class = [b"\xCA\xFE\xBA\xBE\0\0\0\x3D".as_slice(), &[b'c'; 500]].concat();
    let contents: [&[u8]; 5] = [b"", b"stored as it is", &[b'd'; 9000], b"inner \xCA\xFE\xBA\xBE", &class];
    let mut wide = Member::deflated("d/Wide.class", contents[3]);
    wide.wide = true;
    let original = archive(&[
        Member::stored("a/Empty.class", contents[0]),
        Member::stored("b/Stored.class", contents[1]),
        Member::deflated("c/Deflated.class", contents[2]),
        wide,
        Member::stored("lib/x.jar", b"PK"),
        Member::deflated("e/class.bin", contents[4]),
        Member::stored("e/packed.gz", b"\x1F\x8B\x08\0\0\0\0\0"),
        Member::deflated("f/notes.txt", b"notes and other text"),
    ]);
    for recognition in [Recognition::ByName, Recognition::ByContent] {
        let mut read = 0;
        let opened = survive("damaged.jar", &original, recognition, |_, content| {
            read += 1;
            assert!(contents.contains(&content), "{:?} was never put in", String::from_utf8_lossy(content));
        });
        assert!(
            opened > MUTATIONS / 10,
            "only {opened} were opened: the mutations are too rough to test reading"
        );
        assert!(read > MUTATIONS / 10, "only {read} classes were read");
    }
    check_memory();
}

#[test]
fn damaged_images_give_errors_or_bytes_within_limits() {
    let resources = [
        Resource::class("java/lang", "Object", b"object"),
        Resource::class("java/lang", "String", &[b's'; 3000]).compressed(&["zip"]),
        Resource::class("java/util", "List", &[b'l'; 3000]).compressed(&["zip", "zip"]),
        Resource { extension: "txt", ..Resource::class("a", "notes", b"notes") },
    ];
    for order in [Order::Little, Order::Big] {
        let mut read = 0;
        let opened =
            survive("modules", &image(order, &resources), Recognition::ByName, |container, content| {
                read += 1;
                let inflated_at_most = container.len() * 1032;
                assert!(
                    content.len() as u64 <= SMALL_LIMITS.max_class_bytes && content.len() <= inflated_at_most
                );
            });
        assert!(opened > MUTATIONS / 10, "only {opened} were opened");
        assert!(read > MUTATIONS / 10, "only {read} classes were read");
    }
    check_memory();
}

/// The most memory this process ever had, where the operating system tells.
fn check_memory() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    assert!(peak.unwrap_or_default() < MOST_MEMORY_KIB, "the tests took {peak:?} KiB");
}
