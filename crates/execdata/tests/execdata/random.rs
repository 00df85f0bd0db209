//! Execution data made of random numbers, and damage to it.

use fastrand::Rng;
use probity_execdata::format::{ClassData, Probes, Session};
use probity_execdata::store::Store;

/// Which ids classes have.
#[derive(Clone, Copy)]
pub(crate) enum Ids {
    /// Any; two classes are all but never the same.
    All,
    /// Few, so that classes meet, and sometimes do not fit.
    Few,
}

/// Sessions and classes.
pub(crate) fn store(rng: &mut Rng, ids: Ids) -> Store {
    let mut store = Store::default();
    for _ in 0..rng.usize(..4) {
        let (start_millis, dump_millis) = (rng.i64(..), rng.i64(-1..2));
        store.add_session(&Session { id: text(rng), start_millis, dump_millis });
    }
    for _ in 0..rng.usize(..12) {
        // What does not fit into this file is left out; it may not fit into another.
        let _ = store.add_class(&class(rng, ids));
    }
    store
}

/// A file.
pub(crate) fn content(rng: &mut Rng, ids: Ids) -> Vec<u8> {
    let mut content = Vec::new();
    store(rng, ids).write(&mut content);
    content
}

/// Changes a file in one to three places.
pub(crate) fn damage(rng: &mut Rng, content: &mut Vec<u8>) {
    for _ in 0..rng.usize(1..4) {
        let place = rng.usize(..=content.len());
        match rng.u8(..6) {
            0 => content.truncate(place),
            1 => content.insert(place, rng.u8(..)),
            2 if place < content.len() => drop(content.remove(place)),
            3 if place < content.len() => {
                content[place] = [0, 1, 0x10, 0x11, 0x80, 0xFF][rng.usize(..6)];
            }
            4 => {
                let repeated = content[place..].to_vec();
                content.extend(repeated);
            }
            _ if place < content.len() => content[place] ^= 1 << rng.u8(..8),
            _ => {}
        }
    }
}

fn class(rng: &mut Rng, ids: Ids) -> ClassData<Vec<u8>> {
    match ids {
        Ids::All => {
            let most = if rng.u8(..10) == 0 { 20_000 } else { 40 };
            let count = rng.usize(..most);
            ClassData { id: rng.u64(..), name: text(rng), probes: probes(rng, count) }
        }
        Ids::Few => {
            let id = rng.u64(..8);
            let is_odd_one = rng.u8(..60) == 0;
            let name = format!("a/C{}", if is_odd_one { 9 } else { id }).into_bytes();
            let count = 5 + id as usize * 3 + usize::from(rng.u8(..60) == 0);
            ClassData { id, name, probes: probes(rng, count) }
        }
    }
}

fn probes(rng: &mut Rng, count: usize) -> Probes<Vec<u8>> {
    let bits = (0..count.div_ceil(8)).map(|_| rng.u8(..)).collect();
    Probes::packed(count, bits).expect("as many bytes as it takes")
}

/// Legal text, now and then with unpaired surrogates.
fn text(rng: &mut Rng) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..rng.usize(..10) {
        match rng.u8(..4) {
            0 => text.extend([0xC0 | rng.u8(..0x20), 0x80 | rng.u8(..0x40)]),
            1 => text.extend([0xE0 | rng.u8(..0x10), 0x80 | rng.u8(..0x40), 0x80 | rng.u8(..0x40)]),
            _ => text.push(rng.u8(..0x80)),
        }
    }
    text
}
