//! Numbers for what traces name, in the order in which it is met.
//!
//! A large run names millions of things, most of them again and again. So texts that are shared are known by where they are, versions by the last
//! one of their name, and uses are compared as bytes that stand one behind the other.

use super::tables::Version;
use crate::quick_hash::QuickMap;
use std::hash::Hash;
use std::sync::Arc;

/// Numbers for things in the order in which they are met.
#[derive(Debug)]
pub(super) struct Interner<K> {
    pub(super) numbers: QuickMap<K, u32>,
}

impl<K> Default for Interner<K> {
    fn default() -> Self {
        Self { numbers: QuickMap::default() }
    }
}

impl<K: Hash + Eq> Interner<K> {
    /// The number of a thing, and whether it is new.
    pub(super) fn number(&mut self, key: K) -> (u32, bool) {
        let next = self.numbers.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        (number, number == next)
    }

    /// All things sorted after a change of the numbers in them, and for each old number the new one.
    pub(super) fn sorted<T: Ord>(self, mut change: impl FnMut(K) -> T) -> (Vec<T>, Vec<u32>) {
        sorted(self.numbers.into_iter().map(|(key, number)| (change(key), number)).collect())
    }
}

/// Rows in order, and for each old number the new one.
fn sorted<T: Ord>(mut rows: Vec<(T, u32)>) -> (Vec<T>, Vec<u32>) {
    rows.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    let mut new_numbers = vec![0; rows.len()];
    for (position, (_, old)) in rows.iter().enumerate() {
        if let Some(number) = new_numbers.get_mut(*old as usize) {
            *number = position as u32;
        }
    }
    (rows.into_iter().map(|(row, _)| row).collect(), new_numbers)
}

/// Numbers for texts. Those that traces share are known by where they are in memory, which takes no look at the text.
#[derive(Debug, Default)]
pub(super) struct TextInterner {
    pub(super) texts: Interner<Arc<str>>,
    by_place: QuickMap<usize, u32>,
    /// What is known by its place must stay there.
    kept: Vec<Arc<str>>,
}

impl TextInterner {
    pub(super) fn number(&mut self, text: &str) -> u32 {
        match self.texts.numbers.get(text) {
            Some(number) => *number,
            None => self.texts.number(text.into()).0,
        }
    }

    /// The number of a text that may be shared.
    pub(super) fn shared(&mut self, text: &Arc<str>) -> u32 {
        let place = Arc::as_ptr(text).cast::<u8>().addr();
        if let Some(number) = self.by_place.get(&place) {
            return *number;
        }
        let number = match self.texts.numbers.get(text) {
            Some(number) => *number,
            None => self.texts.number(Arc::clone(text)).0,
        };
        // A text that nobody shares is met once.
        if Arc::strong_count(text) > 1 {
            self.by_place.insert(place, number);
            self.kept.push(Arc::clone(text));
        }
        number
    }
}

/// Numbers for versions. Most classes have one, so that the last of a name is looked at first.
#[derive(Debug, Default)]
pub(super) struct VersionInterner {
    pub(super) versions: Interner<Version>,
    last_of_name: Vec<Option<(Version, u32)>>,
}

impl VersionInterner {
    pub(super) fn number(&mut self, version: Version) -> u32 {
        let name = version.name as usize;
        if let Some(Some((last, number))) = self.last_of_name.get(name)
            && *last == version
        {
            return *number;
        }
        let number = self.versions.number(version).0;
        if self.last_of_name.len() <= name {
            self.last_of_name.resize(name + 1, None);
        }
        if let Some(last) = self.last_of_name.get_mut(name) {
            *last = Some((version, number));
        }
        number
    }
}
