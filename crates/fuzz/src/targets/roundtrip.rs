//! What is read and written again is the same; the judge is the input itself.

use probity_classfile::rewrite::rewrite_bodies;
use probity_classfile::{ClassFile, reencode};

use super::Verdict;

/// Encoding a class from its decoded parts, and rewriting its bodies with nothing to insert, must both give the class
/// back byte for byte, or refuse it.
#[must_use]
pub fn roundtrip(bytes: &[u8]) -> Verdict {
    let Ok(class) = ClassFile::read(bytes) else { return Verdict::Refused };
    let reencoded = reencode(&class);
    let rewritten = rewrite_bodies(&class, |_, _, _| {});
    if reencoded.is_err() && rewritten.is_err() {
        return Verdict::Refused;
    }
    if let Some(at) = reencoded.ok().and_then(|reencoded| first_difference(bytes, &reencoded)) {
        return Verdict::Wrong(format!("encoded again it differs from byte {at} on"));
    }
    if let Some(at) = rewritten.ok().and_then(|rewritten| first_difference(bytes, &rewritten)) {
        return Verdict::Wrong(format!("rewritten with nothing to insert it differs from byte {at} on"));
    }
    Verdict::Right
}

fn first_difference(one: &[u8], other: &[u8]) -> Option<usize> {
    if one == other {
        return None;
    }
    let same = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    Some(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_found_also_behind_the_end() {
        assert_eq!(first_difference(b"same", b"same"), None);
        assert_eq!(first_difference(b"same", b"some"), Some(1));
        assert_eq!(first_difference(b"same", b"same and more"), Some(4));
        assert_eq!(first_difference(b"same", b""), Some(0));
    }
}
