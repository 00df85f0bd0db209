//! What all files of a store have in common: a head that says what they are and of which version, then sections, each with its
//! length and a checksum.
//!
//! Every bit of a file is covered: by the head, by a checksum, or by being one. Nothing is read past what is there.

use crate::bytes::{Malformed, Reader};
use crate::error::{Damage, DamageKind};
use probity_shape::ContentId;

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    /// What it starts with.
    pub(crate) magic: [u8; MAGIC],
    /// The version of its format; a file of another one is not read.
    pub(crate) version: u32,
}

const MAGIC: usize = 12;
const CHECKSUM: usize = 8;

/// Writes a file.
#[derive(Debug)]
pub(crate) struct FileWriter {
    out: Vec<u8>,
}

impl FileWriter {
    pub(crate) fn new(kind: Kind) -> Self {
        let mut out = kind.magic.to_vec();
        out.extend(kind.version.to_be_bytes());
        Self { out }
    }

    pub(crate) fn section(&mut self, contents: &[u8]) {
        self.out.extend((contents.len() as u64).to_be_bytes());
        self.out.extend(checksum(contents));
        self.out.extend_from_slice(contents);
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.out
    }
}

/// Reads a file, section by section, to its end.
#[derive(Debug)]
pub(crate) struct FileReader<'a> {
    whole: usize,
    rest: &'a [u8],
}

impl<'a> FileReader<'a> {
    /// Reads the head.
    pub(crate) fn new(bytes: &'a [u8], kind: Kind) -> Result<Self, Damage> {
        let damage = |offset, kind| Err(Damage { offset, kind });
        let Some((magic, rest)) = bytes.split_first_chunk::<MAGIC>() else {
            let is_begun = kind.magic.starts_with(bytes);
            return damage(0, if is_begun { DamageKind::CutOff } else { DamageKind::NotOne });
        };
        if *magic != kind.magic {
            return damage(0, DamageKind::NotOne);
        }
        let Some((version, rest)) = rest.split_first_chunk() else {
            return damage(MAGIC as u64, DamageKind::CutOff);
        };
        match u32::from_be_bytes(*version) {
            found if found != kind.version => {
                damage(MAGIC as u64, DamageKind::OtherVersion { found, known: kind.version })
            }
            _ => Ok(Self { whole: bytes.len(), rest }),
        }
    }

    fn offset(&self, left: usize) -> u64 {
        (self.whole - left) as u64
    }

    /// The contents of the next section.
    fn section(&mut self) -> Result<&'a [u8], Damage> {
        let at = self.offset(self.rest.len());
        let cut_off = Damage { offset: at, kind: DamageKind::CutOff };
        let Some((length, rest)) = self.rest.split_first_chunk() else { return Err(cut_off) };
        let Some((sum, rest)) = rest.split_first_chunk::<CHECKSUM>() else { return Err(cut_off) };
        let length = usize::try_from(u64::from_be_bytes(*length)).unwrap_or(usize::MAX);
        let Some((contents, rest)) = rest.split_at_checked(length) else { return Err(cut_off) };
        if checksum(contents) != *sum {
            return Err(Damage { offset: at, kind: DamageKind::Checksum });
        }
        self.rest = rest;
        Ok(contents)
    }

    /// Reads the next section, which must be read to its end.
    pub(crate) fn read<T>(
        &mut self,
        read: impl FnOnce(&mut Reader<'a>) -> Result<T, Malformed>,
    ) -> Result<T, Damage> {
        let mut reader = Reader::new(self.section()?);
        let behind = self.rest.len();
        let value = read(&mut reader).and_then(|value| reader.end().map(|()| value));
        value.map_err(|malformed| Damage {
            offset: self.offset(behind + reader.left()),
            kind: DamageKind::Malformed(malformed),
        })
    }

    /// Whether nothing is left.
    pub(crate) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Nothing may be left.
    pub(crate) fn end(&self) -> Result<(), Damage> {
        let offset = self.offset(self.rest.len());
        if self.is_at_end() { Ok(()) } else { Err(Damage { offset, kind: DamageKind::TooLong }) }
    }
}

fn checksum(contents: &[u8]) -> [u8; CHECKSUM] {
    ContentId::of(contents).0.first_chunk().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: Kind = Kind { magic: *b"a test\0\0\0\0\0\0", version: 3 };

    fn file() -> Vec<u8> {
        let mut writer = FileWriter::new(KIND);
        writer.section(b"one");
        writer.section(b"");
        writer.section(b"three");
        writer.finish()
    }

    fn read(bytes: &[u8]) -> Result<Vec<Vec<u8>>, Damage> {
        let mut file = FileReader::new(bytes, KIND)?;
        let mut sections = Vec::new();
        for _ in 0..3 {
            sections.push(file.read(|reader| reader.take(reader.left()).map(<[u8]>::to_vec))?);
        }
        file.end()?;
        Ok(sections)
    }

    #[test]
    fn sections_come_back() {
        assert_eq!(read(&file()), Ok(vec![b"one".to_vec(), Vec::new(), b"three".to_vec()]));
    }

    #[test]
    fn no_flipped_bit_and_no_length_goes_unnoticed() {
        let whole = file();
        for bit in 0..whole.len() * 8 {
            let mut broken = whole.clone();
            broken[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&broken).is_err(), "bit {bit}");
        }
        for length in 0..whole.len() {
            let damage = read(&whole[..length]).expect_err("is cut off");
            assert_eq!(damage.kind, DamageKind::CutOff, "{length}");
        }
        let longer = [&whole[..], b"x"].concat();
        let offset = whole.len() as u64;
        assert_eq!(read(&longer), Err(Damage { offset, kind: DamageKind::TooLong }));
    }

    #[test]
    fn other_versions_and_files_are_told_apart() {
        let newer = FileWriter::new(Kind { version: 4, ..KIND }).finish();
        let damage = read(&newer).expect_err("is newer");
        assert!(damage.kind.is_newer(), "{damage}");
        let other = FileWriter::new(Kind { magic: [7; 12], ..KIND }).finish();
        assert_eq!(read(&other).expect_err("is another").kind, DamageKind::NotOne);
    }

    #[test]
    fn what_is_malformed_is_told_with_its_place() {
        let file = file();
        let mut reader = FileReader::new(&file, KIND).expect("has a head");
        let damage = reader.read(|reader| reader.byte().map(|_| ())).expect_err("is not read to its end");
        assert_eq!(damage, Damage { offset: 33, kind: DamageKind::Malformed(Malformed::TooLong) });
    }
}
