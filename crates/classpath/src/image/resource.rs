//! Compressed contents of a runtime image.
//!
//! Such a content starts with a header that names the compression; the unpacked bytes may start with such a
//! header again, since compressions can be stacked. Only `zip` is known here. This module never unpacks to
//! more than the limit for a class, whatever the headers state.

use crate::error::EntryErrorKind;
use crate::inflate::Wrapping;
use crate::limits::Limits;
use crate::source::ReadBuffer;

use super::index::{ByteOrder, Index};

const MAGIC: u32 = 0xCAFE_FAFA;
const HEADER_BYTES: usize = 29;
/// The linker stacks at most two compressions.
const MAX_STACKED: usize = 4;

/// What precedes compressed bytes.
struct ResourceHeader {
    compressed: u64,
    uncompressed: u64,
    method_name_offset: u32,
}

/// Replaces `buffer.bytes`, a content as it is in the file, with the class it stands for, of `size` bytes.
pub(super) fn unpack(
    index: &Index,
    size: u64,
    limits: &Limits,
    buffer: &mut ReadBuffer,
) -> Result<(), EntryErrorKind> {
    for _ in 0..MAX_STACKED {
        let Some(header) = ResourceHeader::parse(&buffer.bytes, index.order()) else {
            return check_size(size, buffer.bytes.len() as u64);
        };
        std::mem::swap(&mut buffer.bytes, &mut buffer.packed);
        unpack_once(index, &header, limits, buffer)?;
    }
    Err(EntryErrorKind::ImageResource("it is compressed too many times over"))
}

fn check_size(declared: u64, actual: u64) -> Result<(), EntryErrorKind> {
    match actual.cmp(&declared) {
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Less => Err(EntryErrorKind::ShorterThanDeclared { declared, actual }),
        std::cmp::Ordering::Greater => Err(EntryErrorKind::LongerThanDeclared { declared }),
    }
}

fn unpack_once(
    index: &Index,
    header: &ResourceHeader,
    limits: &Limits,
    buffer: &mut ReadBuffer,
) -> Result<(), EntryErrorKind> {
    let method = index.string(header.method_name_offset.into()).map_err(EntryErrorKind::ImageResource)?;
    if method != b"zip" {
        return Err(EntryErrorKind::ImageCompression { name: String::from_utf8_lossy(method).into_owned() });
    }
    let (size, limit) = (header.uncompressed, limits.max_class_bytes);
    if size > limit {
        return Err(EntryErrorKind::TooLarge { size, limit });
    }
    let packed = usize::try_from(header.compressed)
        .ok()
        .and_then(|length| buffer.packed.get(HEADER_BYTES..)?.get(..length))
        .ok_or(EntryErrorKind::ImageResource("it is longer than its place in the file"))?;
    buffer.inflater.unpack(packed, Wrapping::Zlib, size, &mut buffer.bytes)
}

impl ResourceHeader {
    fn parse(bytes: &[u8], order: ByteOrder) -> Option<ResourceHeader> {
        let (magic, rest) = bytes.get(..HEADER_BYTES)?.split_first_chunk()?;
        let (compressed, rest) = rest.split_first_chunk()?;
        let (uncompressed, rest) = rest.split_first_chunk()?;
        let (method_name_offset, _) = rest.split_first_chunk()?;
        (order.u32(*magic) == MAGIC).then(|| ResourceHeader {
            compressed: order.u64(*compressed),
            uncompressed: order.u64(*uncompressed),
            method_name_offset: order.u32(*method_name_offset),
        })
    }
}
