//! Unpacks deflate data to exactly the size that was declared for it.
//!
//! Archives and images share it. It never writes more than one byte past the declared size, and never sets
//! aside more memory than the packed bytes could possibly unpack to, so a lie about the size costs nothing.

use flate2::{Decompress, FlushDecompress, Status};

use crate::error::EntryErrorKind;

/// One byte of deflate data can stand for at most this many bytes.
const MAX_RATIO: usize = 1032;

/// Whether the data has a zlib header (images) or none (archives).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrapping {
    None,
    Zlib,
}

/// A decompressor that is reused between entries.
#[derive(Debug)]
pub(crate) struct Inflater(Decompress);

impl Inflater {
    pub(crate) fn new() -> Inflater {
        Inflater(Decompress::new(false))
    }

    /// Replaces `output` with the first bytes that `packed` unpacks to, `wanted` of them or all there are. Tells whether
    /// this much of the packed data was enough for that.
    pub(crate) fn unpack_start(
        &mut self,
        packed: &[u8],
        wanted: usize,
        output: &mut Vec<u8>,
    ) -> Result<bool, EntryErrorKind> {
        output.clear();
        output.resize(wanted, 0);
        self.0.reset(false);
        let status = self.0.decompress(packed, output, FlushDecompress::Finish);
        output.truncate(usize::try_from(self.0.total_out()).unwrap_or(usize::MAX));
        match status {
            Ok(Status::StreamEnd) => Ok(true),
            _ if output.len() == wanted => Ok(true),
            Ok(Status::Ok | Status::BufError) => Ok(false),
            Err(_) => Err(EntryErrorKind::PackedDataCorrupt),
        }
    }

    /// Replaces `output` with what `packed` unpacks to, which must be `declared` bytes.
    pub(crate) fn unpack(
        &mut self,
        packed: &[u8],
        wrapping: Wrapping,
        declared: u64,
        output: &mut Vec<u8>,
    ) -> Result<(), EntryErrorKind> {
        let possible = packed.len().saturating_mul(MAX_RATIO);
        let room = usize::try_from(declared).unwrap_or(usize::MAX).min(possible).saturating_add(1);
        output.clear();
        output.resize(room, 0);
        self.0.reset(wrapping == Wrapping::Zlib);
        let status = self.0.decompress(packed, output, FlushDecompress::Finish);
        let unpacked = self.0.total_out();
        output.truncate(usize::try_from(unpacked).unwrap_or(usize::MAX));
        match status {
            _ if unpacked > declared => Err(EntryErrorKind::LongerThanDeclared { declared }),
            Ok(Status::StreamEnd) if unpacked == declared => Ok(()),
            Ok(Status::StreamEnd) => Err(EntryErrorKind::ShorterThanDeclared { declared, actual: unpacked }),
            Ok(Status::Ok | Status::BufError) => Err(EntryErrorKind::PackedDataEndsEarly),
            Err(_) => Err(EntryErrorKind::PackedDataCorrupt),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn pack(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("packs")
    }

    fn unpack(packed: &[u8], declared: u64) -> (Result<(), EntryErrorKind>, Vec<u8>) {
        let mut output = vec![1; 9];
        let result = Inflater::new().unpack(packed, Wrapping::None, declared, &mut output);
        (result, output)
    }

    #[test]
    fn the_declared_size_is_what_comes_out() {
        for text in [&b""[..], b"a", &[b'x'; 100_000]] {
            let (result, output) = unpack(&pack(text), text.len() as u64);
            assert!(result.is_ok(), "{result:?}");
            assert_eq!(output, text);
        }
    }

    #[test]
    fn a_start_needs_only_the_start_of_the_packed_data() {
        let text: Vec<u8> = (0..4096_u32).flat_map(|n| (n * n).to_le_bytes()).collect();
        let packed = pack(&text);
        let mut output = Vec::new();
        let mut start = |packed: &[u8], wanted| {
            Inflater::new()
                .unpack_start(packed, wanted, &mut output)
                .map(|is_enough| (is_enough, output.clone()))
        };
        assert_eq!(start(&packed[..1024], 8).expect("unpacks"), (true, text[..8].to_vec()));
        assert_eq!(start(&packed[..2], 8).expect("is cut"), (false, vec![]));
        assert_eq!(start(&pack(b"short"), 8).expect("unpacks"), (true, b"short".to_vec()));
        assert!(matches!(start(&[0xff; 40], 8), Err(EntryErrorKind::PackedDataCorrupt)));
    }

    #[test]
    fn a_bomb_stops_one_byte_past_the_declared_size() {
        let (result, output) = unpack(&pack(&vec![0; 10 << 20]), 100);
        assert!(matches!(result, Err(EntryErrorKind::LongerThanDeclared { declared: 100 })), "{result:?}");
        assert_eq!(output.len(), 101);
    }

    #[test]
    fn a_huge_declared_size_does_not_cost_memory() {
        let packed = pack(b"small");
        let (result, output) = unpack(&packed, u64::MAX);
        assert!(matches!(result, Err(EntryErrorKind::ShorterThanDeclared { actual: 5, .. })), "{result:?}");
        assert!(output.capacity() <= packed.len() * MAX_RATIO + 16);
    }

    #[test]
    fn cut_and_corrupt_data_are_told_apart() {
        let text: Vec<u8> = (0..4096_u32).flat_map(|n| (n * n).to_le_bytes()).collect();
        let packed = pack(&text);
        let (result, _) = unpack(&packed[..packed.len() / 2], text.len() as u64);
        assert!(matches!(result, Err(EntryErrorKind::PackedDataEndsEarly)), "{result:?}");
        let (result, _) = unpack(&[0xff; 40], 100);
        assert!(matches!(result, Err(EntryErrorKind::PackedDataCorrupt)), "{result:?}");
    }
}
