//! The file: a header with a version, then frames, each with its length and a checksum.

use crate::bytes::Malformed;
use crate::message::Message;
use std::fmt;

/// The version of the format. A file of another version is not read.
pub const VERSION: u8 = 3;

/// What a file starts with.
pub const HEADER: [u8; 8] = *b"PROBITY\x03";

/// Length and checksum of a frame, four bytes each, highest byte first.
const FRAME_HEAD: usize = 8;

/// Appends a frame with a message.
pub fn write_frame(out: &mut Vec<u8>, message: &Message) {
    let start = out.len();
    out.extend([0; FRAME_HEAD]);
    message.write(out);
    let contents = out.get(start + FRAME_HEAD..).unwrap_or_default();
    let (length, sum) = ((contents.len() as u32).to_be_bytes(), checksum(contents).to_be_bytes());
    if let Some(head) = out.get_mut(start..start + FRAME_HEAD) {
        head.copy_from_slice(&[length, sum].concat());
    }
}

/// Why a file cannot be read, or not to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Where the frame starts that is wrong.
    pub offset: u64,
    /// What is wrong.
    pub kind: DamageKind,
}

/// What is wrong with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DamageKind {
    /// It does not start as such a file does.
    NotOne,
    /// It was written by another version.
    OtherVersion(u8),
    /// It ends in the middle of a frame, as when a JVM was killed.
    CutOff,
    /// The checksum of a frame is not that of its contents.
    Checksum,
    /// The contents of a frame are no message.
    Message(Malformed),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            DamageKind::NotOne => f.write_str("it is no recording of a JVM")?,
            DamageKind::OtherVersion(version) => {
                write!(f, "its format is version {version}, and this is version {VERSION}")?;
            }
            DamageKind::CutOff => f.write_str("it ends in the middle of a frame")?,
            DamageKind::Checksum => f.write_str("a checksum is wrong")?,
            DamageKind::Message(malformed) => write!(f, "a frame is malformed: {malformed}")?,
        }
        write!(f, " (offset {})", self.offset)
    }
}

impl std::error::Error for Damage {}

/// The messages of a file, up to its end or to the first damage.
#[derive(Clone, Debug)]
pub struct Frames<'a> {
    bytes: &'a [u8],
    offset: usize,
    is_damaged: bool,
}

impl<'a> Frames<'a> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// Fails if the bytes are not such a file or of another version.
    pub fn new(bytes: &'a [u8]) -> Result<Self, Damage> {
        let kind = match bytes.get(..HEADER.len()) {
            Some(header) if header == HEADER => {
                return Ok(Self { bytes, offset: HEADER.len(), is_damaged: false });
            }
            Some([name @ .., version]) if HEADER.starts_with(name) => DamageKind::OtherVersion(*version),
            None if HEADER.starts_with(bytes) => DamageKind::CutOff,
            _ => DamageKind::NotOne,
        };
        Err(Damage { offset: 0, kind })
    }

    fn next_frame(&mut self) -> Result<Message, DamageKind> {
        let rest = self.bytes.get(self.offset..).unwrap_or_default();
        let (length, rest) = rest.split_first_chunk::<4>().ok_or(DamageKind::CutOff)?;
        let (sum, rest) = rest.split_first_chunk::<4>().ok_or(DamageKind::CutOff)?;
        let length = u32::from_be_bytes(*length) as usize;
        let contents = rest.get(..length).ok_or(DamageKind::CutOff)?;
        if checksum(contents) != u32::from_be_bytes(*sum) {
            return Err(DamageKind::Checksum);
        }
        self.offset += FRAME_HEAD + length;
        Message::read(contents).map_err(DamageKind::Message)
    }
}

impl Iterator for Frames<'_> {
    type Item = Result<Message, Damage>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_damaged || self.offset == self.bytes.len() {
            return None;
        }
        let offset = self.offset as u64;
        let message = self.next_frame().map_err(|kind| Damage { offset, kind });
        self.is_damaged = message.is_err();
        Some(message)
    }
}

/// The CRC-32 that Ethernet and many file formats use.
fn checksum(bytes: &[u8]) -> u32 {
    let step = |sum: u32, &byte: &u8| {
        let entry = TABLE.get(((sum ^ u32::from(byte)) & 0xFF) as usize).copied().unwrap_or_default();
        entry ^ sum >> 8
    };
    !bytes.iter().fold(!0, step)
}

const TABLE: [u32; 256] = table();

#[allow(clippy::indexing_slicing, reason = "evaluated while compiling")]
const fn table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut index = 0;
    while index < 256 {
        let mut entry = index as u32;
        let mut bit = 0;
        while bit < 8 {
            entry = if entry & 1 == 1 { entry >> 1 ^ 0xEDB8_8320 } else { entry >> 1 };
            bit += 1;
        }
        table[index] = entry;
        index += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(messages: &[Message]) -> Vec<u8> {
        let mut out = HEADER.to_vec();
        for message in messages {
            write_frame(&mut out, message);
        }
        out
    }

    fn ends() -> [Message; 3] {
        [Message::Done { units: vec![1, 2] }, Message::End, Message::Done { units: vec![] }]
    }

    #[test]
    fn the_checksum_is_the_usual_one() {
        assert_eq!(checksum(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn frames_come_back_in_order() {
        let read: Vec<_> = Frames::new(&file(&ends())).unwrap().map(Result::unwrap).collect();
        assert_eq!(read, ends());
    }

    #[test]
    fn a_file_that_is_cut_off_gives_what_is_whole_and_says_where_it_ends() {
        let whole = file(&ends());
        for length in 0..whole.len() {
            let Ok(frames) = Frames::new(&whole[..length]) else {
                assert!(length < HEADER.len());
                continue;
            };
            let read: Vec<_> = frames.collect();
            let good = read.iter().filter(|message| message.is_ok()).count();
            assert!(good < 3);
            if let Some(Err(damage)) = read.last() {
                assert_eq!(damage.kind, DamageKind::CutOff, "{length}");
            }
        }
    }

    #[test]
    fn no_flipped_bit_goes_unnoticed() {
        let whole = file(&ends());
        for bit in 0..whole.len() * 8 {
            let mut broken = whole.clone();
            broken[bit / 8] ^= 1 << (bit % 8);
            let noticed = match Frames::new(&broken) {
                Err(_) => true,
                Ok(mut frames) => frames.any(|message| message.is_err()),
            };
            assert!(noticed, "bit {bit}");
        }
    }

    #[test]
    fn other_files_and_versions_are_told_apart() {
        let kind = |bytes: &[u8]| Frames::new(bytes).unwrap_err().kind;
        assert_eq!(kind(b"PROBITY\x01"), DamageKind::OtherVersion(1));
        assert_eq!(kind(b"PROBABLY"), DamageKind::NotOne);
        assert_eq!(kind(b"PROB"), DamageKind::CutOff);
    }
}
