//! The hashes of this crate: 128 bits, so that two different things never share one by chance.

use std::fmt;

const BYTES: usize = 16;

/// The bytes of a class file, whole.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ContentId(pub [u8; BYTES]);

/// One aspect of a class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ShapeHash(pub [u8; BYTES]);

impl ContentId {
    /// Of the bytes of a class file, or of any other file.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(first_bytes(bytes))
    }
}

impl ShapeHash {
    /// Of a canonical form.
    pub(crate) fn of(canonical: &[u8]) -> Self {
        Self(first_bytes(canonical))
    }
}

fn first_bytes(bytes: &[u8]) -> [u8; BYTES] {
    let whole = blake3::hash(bytes);
    whole.as_bytes().first_chunk().copied().unwrap_or_default()
}

fn write_hex(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

impl fmt::Display for ContentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, f)
    }
}

impl fmt::Debug for ContentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, f)
    }
}

impl fmt::Display for ShapeHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, f)
    }
}

impl fmt::Debug for ShapeHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_hex(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ids are kept on disk and exchanged between machines: they may never change.
    #[test]
    fn ids_are_the_first_half_of_blake3() {
        assert_eq!(ContentId::of(b"").to_string(), "af1349b9f5f9a1a6a0404dea36dcc949");
        assert_ne!(ContentId::of(b"a"), ContentId::of(b"b"));
    }
}
