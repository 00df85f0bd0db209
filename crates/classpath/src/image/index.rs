//! The index of a runtime image: header, table, locations, strings.
//!
//! The layout, in the byte order that the first four bytes tell: seven words of header; a table of redirects
//! (used only for look-ups by name, so skipped here); a table of offsets into the locations; the locations;
//! the strings; and after the index the contents. A location is a list of attributes: one byte with the kind
//! in its upper five bits and the length less one in its lower three, then the value, always with its highest
//! byte first; kind 0 ends the list.
//!
//! The index is held as one block of bytes, whose size was checked against the file. No access is unchecked,
//! and no list is followed further than a real one can be long.

use crate::error::{EntryErrorKind, OpenErrorKind};
use crate::source::{OpenProblem, Problem};
use crate::storage::Storage;

const MAGIC: u32 = 0xCAFE_DADA;
const HEADER_BYTES: usize = 28;
const KNOWN_MAJOR_VERSION: u16 = 1;
const VERSION_OFFSET: u64 = 4;
/// A location has each of the seven kinds at most once.
const MAX_ATTRIBUTES: usize = 7;
/// Far longer than any module, package or class is called.
const MAX_STRING_BYTES: usize = 4096;

/// The order of bytes in an image: that of the machine it was linked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ByteOrder {
    LittleEndian,
    BigEndian,
}

impl ByteOrder {
    fn of(magic: &[u8]) -> Option<ByteOrder> {
        if magic == MAGIC.to_le_bytes() {
            Some(ByteOrder::LittleEndian)
        } else if magic == MAGIC.to_be_bytes() {
            Some(ByteOrder::BigEndian)
        } else {
            None
        }
    }

    pub(super) fn u32(self, bytes: [u8; 4]) -> u32 {
        match self {
            ByteOrder::LittleEndian => u32::from_le_bytes(bytes),
            ByteOrder::BigEndian => u32::from_be_bytes(bytes),
        }
    }

    pub(super) fn u64(self, bytes: [u8; 8]) -> u64 {
        match self {
            ByteOrder::LittleEndian => u64::from_le_bytes(bytes),
            ByteOrder::BigEndian => u64::from_be_bytes(bytes),
        }
    }

    fn u32_at(self, bytes: &[u8], offset: usize) -> Option<u32> {
        bytes.get(offset..)?.first_chunk().map(|chunk| self.u32(*chunk))
    }
}

/// Whether these first bytes are those of an image.
pub(crate) fn is_image(magic: &[u8]) -> bool {
    magic.first_chunk::<4>().is_some_and(|magic| ByteOrder::of(magic).is_some())
}

/// The header, which gives the sizes of everything else in the index.
#[derive(Debug, Clone, Copy)]
pub(super) struct Header {
    order: ByteOrder,
    table_length: u32,
    locations_bytes: u32,
    strings_bytes: u32,
}

impl Header {
    pub(super) fn read(storage: &Storage) -> Result<Header, OpenProblem> {
        let (needed, available) = (HEADER_BYTES as u64, storage.length());
        if available < needed {
            return Err(OpenErrorKind::ImageCutShort { needed, available }.into());
        }
        let mut bytes = Vec::new();
        storage.read_range(0, needed, &mut bytes)?;
        let magic = bytes.first_chunk::<4>().copied().unwrap_or_default();
        let order = ByteOrder::of(&magic).ok_or(OpenErrorKind::NotRecognised)?;
        let word = |number: usize| order.u32_at(&bytes, number * 4).unwrap_or_default();
        check_version(word(1))?;
        Ok(Header { order, table_length: word(4), locations_bytes: word(5), strings_bytes: word(6) })
    }

    pub(super) fn table_length(&self) -> usize {
        usize::try_from(self.table_length).unwrap_or(usize::MAX)
    }

    /// The sum of four 32-bit sizes: it cannot overflow.
    fn index_bytes(&self) -> u64 {
        self.strings_start() + u64::from(self.strings_bytes)
    }

    fn offsets_start(&self) -> u64 {
        HEADER_BYTES as u64 + u64::from(self.table_length) * 4
    }

    fn locations_start(&self) -> u64 {
        self.offsets_start() + u64::from(self.table_length) * 4
    }

    fn strings_start(&self) -> u64 {
        self.locations_start() + u64::from(self.locations_bytes)
    }
}

fn check_version(version: u32) -> Result<(), OpenProblem> {
    let [major_high, major_low, minor_high, minor_low] = version.to_be_bytes();
    let major = u16::from_be_bytes([major_high, major_low]);
    let minor = u16::from_be_bytes([minor_high, minor_low]);
    if major == KNOWN_MAJOR_VERSION {
        return Ok(());
    }
    Err(OpenProblem { offset: Some(VERSION_OFFSET), kind: OpenErrorKind::ImageVersion { major, minor } })
}

/// The whole index, in memory.
#[derive(Debug)]
pub(super) struct Index {
    header: Header,
    bytes: Vec<u8>,
}

/// What the index says of one resource.
#[derive(Debug, Default)]
pub(super) struct Location<'a> {
    /// Where in the file the location itself is.
    pub(super) index_offset: u64,
    pub(super) module: &'a [u8],
    pub(super) parent: &'a [u8],
    pub(super) base: &'a [u8],
    pub(super) extension: &'a [u8],
    pub(super) content_offset: u64,
    pub(super) compressed: u64,
    pub(super) uncompressed: u64,
}

impl Location<'_> {
    /// `module/parent/base.extension`; the root folder has no parent.
    pub(super) fn full_name(&self) -> Vec<u8> {
        let mut name = Vec::new();
        for (part, separator) in [(self.module, &b"/"[..]), (self.parent, b"/"), (self.base, b"")] {
            if !part.is_empty() {
                name.extend_from_slice(part);
                name.extend_from_slice(separator);
            }
        }
        name.push(b'.');
        name.extend_from_slice(self.extension);
        name
    }
}

impl Index {
    pub(super) fn read(header: Header, storage: &Storage) -> Result<Index, OpenProblem> {
        let (needed, available) = (header.index_bytes(), storage.length());
        if needed > available {
            return Err(OpenErrorKind::ImageCutShort { needed, available }.into());
        }
        let mut bytes = Vec::new();
        storage.read_range(0, needed, &mut bytes)?;
        Ok(Index { header, bytes })
    }

    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    pub(super) fn order(&self) -> ByteOrder {
        self.header.order
    }

    /// Where in the file a content is, given its offset after the index.
    pub(super) fn content_offset(&self, after_index: u64) -> Option<u64> {
        self.header.index_bytes().checked_add(after_index)
    }

    /// The location in a slot of the table; `None` if the slot is free.
    pub(super) fn location(&self, slot: usize) -> Option<Result<Location<'_>, Problem>> {
        let table = self.part(self.header.offsets_start(), self.header.locations_start());
        let offset = self.order().u32_at(table, slot.checked_mul(4)?)?;
        if offset == 0 {
            return None;
        }
        let index_offset = self.header.locations_start() + u64::from(offset);
        Some(self.attributes(offset, index_offset).map_err(|what| Problem {
            offset: Some(index_offset),
            kind: EntryErrorKind::ImageLocation(what),
        }))
    }

    fn attributes(&self, offset: u32, index_offset: u64) -> Result<Location<'_>, &'static str> {
        let locations = self.part(self.header.locations_start(), self.header.strings_start());
        let mut rest = usize::try_from(offset)
            .ok()
            .and_then(|offset| locations.get(offset..))
            .ok_or("it is outside the locations")?;
        let mut location = Location { index_offset, ..Location::default() };
        for _ in 0..=MAX_ATTRIBUTES {
            let (kind, value, after) = attribute(rest)?;
            match kind {
                0 => return Ok(location),
                1 => location.module = self.string(value)?,
                2 => location.parent = self.string(value)?,
                3 => location.base = self.string(value)?,
                4 => location.extension = self.string(value)?,
                5 => location.content_offset = value,
                6 => location.compressed = value,
                7 => location.uncompressed = value,
                _ => return Err("it has an attribute of an unknown kind"),
            }
            rest = after;
        }
        Err("it has too many attributes")
    }

    /// The string at an offset into the strings, without the NUL that ends it.
    pub(super) fn string(&self, offset: u64) -> Result<&[u8], &'static str> {
        let strings = self.part(self.header.strings_start(), self.header.index_bytes());
        let from = usize::try_from(offset).ok().and_then(|offset| strings.get(offset..));
        let from = from.ok_or("one of its names is outside the strings")?;
        let within = from.get(..MAX_STRING_BYTES).unwrap_or(from);
        let length = within.iter().position(|&byte| byte == 0).ok_or("one of its names has no end")?;
        Ok(within.get(..length).unwrap_or_default())
    }

    fn part(&self, start: u64, end: u64) -> &[u8] {
        let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        range.and_then(|(start, end)| self.bytes.get(start..end)).unwrap_or_default()
    }
}

/// Takes one attribute off the front: its kind, its value, and what follows it.
fn attribute(bytes: &[u8]) -> Result<(u8, u64, &[u8]), &'static str> {
    const CUT_OFF: &str = "its attributes are cut off";
    let (&tag, rest) = bytes.split_first().ok_or(CUT_OFF)?;
    let kind = tag >> 3;
    if kind == 0 {
        return Ok((kind, 0, rest));
    }
    let length = usize::from(tag & 7) + 1;
    let (value, rest) = rest.split_at_checked(length).ok_or(CUT_OFF)?;
    Ok((kind, value.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_is_a_tag_and_a_value_with_its_highest_byte_first() {
        assert_eq!(attribute(&[5 << 3 | 1, 0x12, 0x34, 9]), Ok((5, 0x1234, &[9][..])));
        assert_eq!(attribute(&[7 << 3 | 7, 1, 0, 0, 0, 0, 0, 0, 0]), Ok((7, 1 << 56, &[][..])));
        assert_eq!(attribute(&[0, 9]), Ok((0, 0, &[9][..])));
        assert!(attribute(&[]).is_err());
        assert!(attribute(&[5 << 3 | 2, 1, 2]).is_err());
    }

    #[test]
    fn names_are_put_together_without_empty_parts() {
        let mut location =
            Location { module: b"m", base: b"module-info", extension: b"class", ..Location::default() };
        assert_eq!(location.full_name(), b"m/module-info.class");
        location.parent = b"a/b";
        assert_eq!(location.full_name(), b"m/a/b/module-info.class");
    }

    #[test]
    fn both_byte_orders_are_known() {
        assert_eq!(ByteOrder::of(&[0xDA, 0xDA, 0xFE, 0xCA]), Some(ByteOrder::LittleEndian));
        assert_eq!(ByteOrder::of(&[0xCA, 0xFE, 0xDA, 0xDA]), Some(ByteOrder::BigEndian));
        assert_eq!(ByteOrder::of(&[0xCA, 0xFE, 0xBA, 0xBE]), None);
        assert_eq!(ByteOrder::BigEndian.u64([0, 0, 0, 0, 0, 0, 1, 2]), 258);
    }
}
