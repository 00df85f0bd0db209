//! The order in which Java's hash maps give back their keys.
//!
//! JaCoCo's reports list classes, source files and packages in that order, so reports that are to be the same byte for
//! byte must know it. It depends on the keys, and among keys of one bucket on the order of insertion.

/// The hash of a text as `java.lang.String` computes it.
fn string_hash(text: &str) -> u32 {
    let add = |hash: u32, unit: u16| hash.wrapping_mul(31).wrapping_add(u32::from(unit));
    if text.is_ascii() { text.bytes().map(u16::from).fold(0, add) } else { text.encode_utf16().fold(0, add) }
}

/// The positions of keys, given in the order of insertion and all different, in the order of iteration.
pub(crate) fn iteration_order(keys: impl Iterator<Item = impl AsRef<str>>) -> Vec<usize> {
    let hashes: Vec<u32> =
        keys.map(|key| string_hash(key.as_ref())).map(|hash| hash ^ (hash >> 16)).collect();
    let mut capacity = 16_usize;
    while hashes.len() * 4 > capacity * 3 {
        capacity *= 2;
    }
    let bucket = |position: usize| hashes.get(position).map_or(0, |&hash| hash as usize & (capacity - 1));
    let mut order: Vec<usize> = (0..hashes.len()).collect();
    // Stable: a bucket keeps the order of insertion.
    order.sort_by_key(|&position| bucket(position));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_java() {
        assert_eq!(string_hash(""), 0);
        assert_eq!(string_hash("a"), 97);
        assert_eq!(string_hash("Aa"), string_hash("BB"));
        assert_eq!(string_hash("ä€"), 0xe4 * 31 + 0x20ac);
    }

    #[test]
    fn equal_buckets_keep_the_order_of_insertion() {
        assert_eq!(iteration_order(["BB", "Aa"].into_iter()), [0, 1]);
        assert_eq!(iteration_order(["Aa", "BB"].into_iter()), [0, 1]);
        assert_eq!(iteration_order(["b", "a"].into_iter()), [1, 0]);
    }
}
