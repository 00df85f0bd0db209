//! Keeps what was counted for classes from one run to the next.
//!
//! What is counted for a class depends on its bytes, its probes and the program that counts; a result is found by the hash of all three, so
//! it is either right or not there. All results are in one file, which is replaced whole: several processes can use it at
//! once, and the last one to end decides what is kept. A file that is damaged, or of another version of the program, is as if it were empty.

use probity_coverage::{ClassCoverage, codec};
use probity_execdata::format::Probes;
use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::{fs, io};

/// The file in the folder that the user names.
const FILE: &str = "analyses.bin";
/// Of the code that counts: made when the program is built.
const PROGRAM: &str = env!("PROBITY_ANALYSIS_FINGERPRINT");
const MAGIC: &[u8; 8] = b"probity1";
/// Results that this run did not ask for are kept up to this size.
const MOST_BYTES: usize = 256 << 20;

/// By what a result is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key([u8; 16]);

/// Results of earlier runs, and of this one.
#[derive(Debug)]
pub struct AnalysisCache {
    /// Where they are kept; nowhere if they serve this run only.
    file: Option<PathBuf>,
    stored: Vec<u8>,
    places: HashMap<Key, StoredPlace>,
    fresh: Mutex<HashMap<Key, Vec<u8>>>,
}

/// Where a stored result is.
#[derive(Debug)]
struct StoredPlace {
    data: Range<usize>,
    checksum: [u8; 8],
    is_used: AtomicBool,
}

impl Key {
    /// Of a class and what was executed of it.
    #[must_use]
    pub fn of(class: &[u8], probes: Option<&Probes<Vec<u8>>>) -> Self {
        let mut hasher = blake3::Hasher::new();
        hasher.update(PROGRAM.as_bytes());
        hasher.update(&(class.len() as u64).to_be_bytes());
        hasher.update(class);
        if let Some(probes) = probes {
            hasher.update(&(probes.len() as u64).to_be_bytes());
            hasher.update(&probes.bytes().collect::<Vec<u8>>());
        }
        Self(hasher.finalize().as_bytes().first_chunk().copied().unwrap_or_default())
    }
}

fn checksum(data: &[u8]) -> [u8; 8] {
    blake3::hash(data).as_bytes().first_chunk().copied().unwrap_or_default()
}

/// What stands in front of each result: key, length, checksum.
const HEAD: usize = 16 + 4 + 8;

impl AnalysisCache {
    /// For one run alone: a class that is in several groups is analysed once.
    #[must_use]
    pub fn for_this_run() -> Self {
        Self { file: None, stored: Vec::new(), places: HashMap::new(), fresh: Mutex::default() }
    }

    /// The results in a folder. What cannot be read is not there.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        let file = folder.join(FILE);
        let stored = fs::read(&file).unwrap_or_default();
        let places = places(&stored);
        Self { file: Some(file), stored, places, fresh: Mutex::default() }
    }

    /// What was counted under a key.
    #[must_use]
    pub fn get(&self, key: &Key) -> Option<ClassCoverage> {
        if let Some(place) = self.places.get(key) {
            let data = self.stored.get(place.data.clone())?;
            if checksum(data) == place.checksum
                && let Some(class) = codec::decode(data)
            {
                place.is_used.store(true, Ordering::Relaxed);
                return Some(class);
            }
        }
        codec::decode(self.fresh.lock().unwrap_or_else(PoisonError::into_inner).get(key)?)
    }

    /// Keeps what was counted.
    pub fn put(&self, key: Key, class: &ClassCoverage) {
        let mut data = Vec::new();
        codec::encode(class, &mut data);
        self.fresh.lock().unwrap_or_else(PoisonError::into_inner).insert(key, data);
    }

    /// Writes all results for the next run, if there are new ones.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written; the old one is then as it was.
    pub fn save(self) -> io::Result<()> {
        let fresh = self.fresh.into_inner().unwrap_or_else(PoisonError::into_inner);
        let Some(file) = self.file.filter(|_| !fresh.is_empty()) else { return Ok(()) };
        let mut out = header();
        for (key, data) in &fresh {
            write_result(key, data, &mut out);
        }
        let replaced = |key: &Key| fresh.contains_key(key);
        let mut old: Vec<_> = self.places.iter().filter(|(key, _)| !replaced(key)).collect();
        old.sort_by_key(|(_, place)| (!place.is_used.load(Ordering::Relaxed), place.data.start));
        for (key, place) in old {
            let Some(data) = self.stored.get(place.data.clone()) else { continue };
            if place.is_used.load(Ordering::Relaxed) || out.len() + data.len() < MOST_BYTES {
                write_result(key, data, &mut out);
            }
        }
        write_beside(&file, &out)
    }
}

fn header() -> Vec<u8> {
    [MAGIC.as_slice(), &checksum(PROGRAM.as_bytes())].concat()
}

fn write_result(key: &Key, data: &[u8], out: &mut Vec<u8>) {
    out.extend(key.0);
    out.extend((data.len() as u32).to_be_bytes());
    out.extend(checksum(data));
    out.extend(data);
}

/// Where each result is, up to where the file is not one of ours.
fn places(stored: &[u8]) -> HashMap<Key, StoredPlace> {
    let mut places = HashMap::new();
    let header = header();
    if !stored.starts_with(&header) {
        return places;
    }
    let mut at = header.len();
    while let Some((key, length, checksum)) = stored.get(at..).and_then(head) {
        let data = at + HEAD..(at + HEAD).saturating_add(length);
        if data.end > stored.len() {
            break;
        }
        at = data.end;
        places.insert(Key(key), StoredPlace { data, checksum, is_used: AtomicBool::new(false) });
    }
    places
}

fn head(bytes: &[u8]) -> Option<([u8; 16], usize, [u8; 8])> {
    let (key, rest) = bytes.split_first_chunk()?;
    let (length, rest) = rest.split_first_chunk()?;
    let (checksum, _) = rest.split_first_chunk()?;
    Some((*key, u32::from_be_bytes(*length) as usize, *checksum))
}

/// Nobody ever reads a part of the file.
fn write_beside(file: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    let beside = file.with_extension(format!("{}.partial", std::process::id()));
    let written = fs::write(&beside, content).and_then(|()| fs::rename(&beside, file));
    if written.is_err() {
        // The first error is the one to tell.
        let _: io::Result<()> = fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;
    use probity_coverage::Analyzer;

    /// The smallest class: no methods, only a name.
    fn class() -> ClassCoverage {
        let bytes = [
            &[0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, 52, 0, 3][..],
            &[1, 0, 1, b'A', 7, 0, 1],
            &[0, 0x20, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        ];
        Analyzer::new().analyze(&bytes.concat(), |_| None).expect("is well-formed").expect("is a class")
    }

    fn key(number: u8) -> Key {
        Key([number; 16])
    }

    #[test]
    fn what_was_put_is_there_in_the_next_run() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = folder.path().join("new/folder");
        for known in 0..3 {
            let cache = AnalysisCache::in_folder(&place);
            for number in 0..=known {
                assert_eq!(cache.get(&key(number)).is_some(), number < known, "{number} of {known}");
            }
            cache.put(key(known), &class());
            assert_eq!(cache.get(&key(known)), Some(class()));
            cache.save().expect("writes");
        }
        let names: Vec<_> = fs::read_dir(&place).expect("is there").collect();
        assert_eq!(names.len(), 1, "nothing is left behind: {names:?}");
    }

    #[test]
    fn damage_is_as_if_nothing_were_there() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let cache = AnalysisCache::in_folder(folder.path());
        (0..4).for_each(|number| cache.put(key(number), &class()));
        cache.save().expect("writes");
        let file = folder.path().join(FILE);
        let whole = fs::read(&file).expect("is there");
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x41;
            fs::write(&file, &damaged).expect("writes");
            let cache = AnalysisCache::in_folder(folder.path());
            for number in 0..4 {
                assert!(cache.get(&key(number)).is_none_or(|found| found == class()), "byte {at}");
            }
            fs::write(&file, &whole[..at]).expect("writes");
            let cache = AnalysisCache::in_folder(folder.path());
            assert!((0..4).filter(|&number| cache.get(&key(number)).is_some()).count() < 4, "{at} bytes");
        }
    }

    #[test]
    fn a_key_is_of_the_class_and_its_probes() {
        let probes = |bits: u8| Probes::packed(3, vec![bits]).expect("is well-formed");
        let keys = [
            Key::of(b"class", None),
            Key::of(b"clasS", None),
            Key::of(b"class", Some(&probes(0))),
            Key::of(b"class", Some(&probes(1))),
        ];
        for (at, key) in keys.iter().enumerate() {
            assert_eq!(keys.iter().position(|other| other == key), Some(at));
        }
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_an_error_and_no_loss() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let taken = folder.path().join("taken");
        fs::write(&taken, "a file").expect("writes");
        let cache = AnalysisCache::in_folder(&taken);
        cache.put(key(1), &class());
        assert!(cache.save().is_err());
        assert_eq!(fs::read_to_string(&taken).expect("is there"), "a file");
    }
}
