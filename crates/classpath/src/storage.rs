//! The bytes of one container, readable at any place from any thread.
//!
//! Containers are read where they are asked for instead of being loaded: a JDK's image is far too large for
//! that. This module knows nothing of formats, and never hands out a byte past the length that it found on
//! opening.

use std::fs::File;
use std::io;
use std::path::Path;

use rawzip::{FileReader, ReaderAt};

use crate::format::START_LENGTH;

#[derive(Debug)]
pub(crate) enum Storage {
    File { reader: FileReader, length: u64 },
    Memory(Vec<u8>),
}

impl Storage {
    pub(crate) fn open(path: &Path) -> io::Result<Storage> {
        let file = File::open(path)?;
        let length = file.metadata()?.len();
        Ok(Storage::File { reader: FileReader::from(file), length })
    }

    pub(crate) fn length(&self) -> u64 {
        match self {
            Storage::File { length, .. } => *length,
            Storage::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// The first bytes, up to eight of them: what tells formats apart.
    pub(crate) fn first_bytes(&self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.read_range(0, self.length().min(START_LENGTH as u64), &mut bytes)?;
        Ok(bytes)
    }

    /// Replaces `into` with the bytes of a range. A range that ends past the end is an error, found before
    /// any memory is set aside for it.
    pub(crate) fn read_range(&self, offset: u64, length: u64, into: &mut Vec<u8>) -> io::Result<()> {
        into.clear();
        let inside = offset.checked_add(length).is_some_and(|end| end <= self.length());
        let length = usize::try_from(length).ok().filter(|_| inside);
        let length = length.ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof))?;
        into.resize(length, 0);
        self.read_exact_at(into, offset)
    }
}

impl ReaderAt for Storage {
    fn read_at(&self, buf: &mut [u8], offset: u64) -> io::Result<usize> {
        let available = usize::try_from(self.length().saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buf.len().min(available);
        let Some(target) = buf.get_mut(..wanted).filter(|target| !target.is_empty()) else { return Ok(0) };
        match self {
            Storage::File { reader, .. } => reader.read_at(target, offset),
            Storage::Memory(bytes) => {
                let from = usize::try_from(offset).unwrap_or(usize::MAX);
                let source = bytes.get(from..).and_then(|rest| rest.get(..wanted)).unwrap_or_default();
                target.copy_from_slice(source);
                Ok(wanted)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_inside_are_read_and_ranges_outside_are_refused() {
        let storage = Storage::Memory(b"0123456789".to_vec());
        let mut buffer = vec![7; 3];
        storage.read_range(2, 5, &mut buffer).expect("inside");
        assert_eq!(buffer, b"23456");
        storage.read_range(10, 0, &mut buffer).expect("empty range at the end");
        assert!(buffer.is_empty());
        for (offset, length) in [(0, 11), (11, 0), (9, 2), (u64::MAX, 2), (2, u64::MAX)] {
            let error = storage.read_range(offset, length, &mut buffer).expect_err("outside");
            assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        }
    }

    #[test]
    fn reads_stop_at_the_end() {
        let storage = Storage::Memory(b"0123".to_vec());
        let mut buffer = [0; 8];
        assert_eq!(storage.read_at(&mut buffer, 2).expect("reads"), 2);
        assert_eq!(&buffer[..2], b"23");
        assert_eq!(storage.read_at(&mut buffer, 4).expect("at the end"), 0);
        assert_eq!(storage.read_at(&mut buffer, u64::MAX).expect("past the end"), 0);
    }
}
