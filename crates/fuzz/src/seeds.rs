//! Real classes, small and varied, as the ground for damaged ones.
//!
//! They come from the runtime images of the installed JDKs and from the sample of the corpus, evenly spread over their
//! names, so that every package and compiler has its share. Small ones, because each byte of theirs is then hit more
//! often and each case takes less time.

use std::ops::RangeInclusive;

use probity_classpath::{Entry, EntryKind, ReadBuffer, Source};
use probity_test_support::corpus::{self, Part};
use probity_toolchain::Jdk;

use crate::failure::Failure;

/// The sizes of class files that are taken.
const SIZES: RangeInclusive<u64> = 150..=5_000;

/// Classes of the JDKs' images and of the sample of the corpus, about so many of each.
///
/// # Errors
///
/// Fails when an image or a jar is missing or cannot be read.
pub fn load(jdks: &[Jdk], of_each: usize) -> Result<Vec<Vec<u8>>, Failure> {
    let mut seeds = Vec::new();
    for jdk in jdks {
        take(&Source::open(format!("jrt:{}", jdk.home().display()))?, of_each, &mut seeds)?;
    }
    for jar in corpus::fetched(Part::Sample)? {
        take(&Source::open(&jar.path)?, of_each, &mut seeds)?;
    }
    Ok(seeds)
}

fn take(source: &Source, count: usize, seeds: &mut Vec<Vec<u8>>) -> Result<(), Failure> {
    let mut entries: Vec<&Entry> = source.entries().iter().filter(|entry| is_suitable(entry)).collect();
    entries.sort_by_key(|entry| entry.name());
    let mut buffer = ReadBuffer::new();
    for entry in entries.iter().step_by(entries.len().div_ceil(count.max(1)).max(1)) {
        seeds.push(source.read(entry, &mut buffer)?.bytes.to_vec());
    }
    Ok(())
}

/// Classes in `java` packages are left out: no JVM lets others define them.
fn is_suitable(entry: &Entry) -> bool {
    let name = entry.name();
    entry.kind() == EntryKind::Class
        && SIZES.contains(&entry.declared_size())
        && !name.starts_with("META-INF/")
        && !name.starts_with("java/")
        && !name.contains("/java/")
}
