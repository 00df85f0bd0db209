//! Writes archives, honest and lying ones.
//!
//! Every field of a member can be set apart from its data. The builder checks nothing: that is the reader's
//! task.

use std::io::Write;

pub(crate) const STORED: u16 = 0;
pub(crate) const DEFLATED: u16 = 8;
pub(crate) const ENCRYPTED_FLAG: u16 = 1;

/// One member of an archive, as the directory shall describe it.
#[derive(Debug, Clone)]
pub(crate) struct Member {
    pub(crate) name: Vec<u8>,
    pub(crate) method: u16,
    pub(crate) flags: u16,
    pub(crate) checksum: u32,
    pub(crate) packed: Vec<u8>,
    pub(crate) packed_size: u32,
    pub(crate) size: u32,
    /// Sizes go to an extra field of 64-bit values instead.
    pub(crate) wide: bool,
    /// Added to the true offset of the member.
    pub(crate) offset_error: u32,
}

impl Member {
    pub(crate) fn stored(name: &str, bytes: &[u8]) -> Member {
        Member::new(name, STORED, bytes, bytes.to_vec())
    }

    pub(crate) fn deflated(name: &str, bytes: &[u8]) -> Member {
        let mut encoder = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::best());
        let packed = encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("packs");
        Member::new(name, DEFLATED, bytes, packed)
    }

    fn new(name: &str, method: u16, bytes: &[u8], packed: Vec<u8>) -> Member {
        let mut crc = flate2::Crc::new();
        crc.update(bytes);
        Member {
            name: name.as_bytes().to_vec(),
            method,
            flags: 0,
            checksum: crc.sum(),
            packed_size: u32::try_from(packed.len()).expect("small"),
            size: u32::try_from(bytes.len()).expect("small"),
            packed,
            wide: false,
            offset_error: 0,
        }
    }

    pub(crate) fn named(mut self, name: &[u8]) -> Member {
        self.name = name.to_vec();
        self
    }
}

/// The archive with these members, in this order.
pub(crate) fn archive(members: &[Member]) -> Vec<u8> {
    archive_after(b"", members)
}

/// The archive with something in front of it, whose offsets do not count what is in front.
pub(crate) fn archive_after(prefix: &[u8], members: &[Member]) -> Vec<u8> {
    let mut file = prefix.to_vec();
    let mut directory = Vec::new();
    for member in members {
        let offset = u32::try_from(file.len() - prefix.len()).expect("small");
        write_local(&mut file, member);
        write_record(&mut directory, member, offset.wrapping_add(member.offset_error));
    }
    let directory_offset = u32::try_from(file.len() - prefix.len()).expect("small");
    let directory_size = u32::try_from(directory.len()).expect("small");
    file.extend(directory);
    if members.iter().any(|member| member.wide) {
        write_wide_end(&mut file, members.len() as u64, directory_size.into(), directory_offset.into());
    }
    let count = u16::try_from(members.len()).unwrap_or(u16::MAX);
    file.extend(b"PK\x05\x06\0\0\0\0");
    file.extend(count.to_le_bytes());
    file.extend(count.to_le_bytes());
    file.extend(directory_size.to_le_bytes());
    file.extend(directory_offset.to_le_bytes());
    file.extend(0_u16.to_le_bytes());
    file
}

fn write_local(file: &mut Vec<u8>, member: &Member) {
    file.extend(b"PK\x03\x04\x14\0");
    write_common(file, member);
    file.extend(u16::try_from(member.name.len()).expect("short").to_le_bytes());
    file.extend(0_u16.to_le_bytes());
    file.extend(&member.name);
    file.extend(&member.packed);
}

fn write_record(directory: &mut Vec<u8>, member: &Member, offset: u32) {
    directory.extend(b"PK\x01\x02\x14\0\x14\0");
    write_common(directory, member);
    let extra = wide_extra(member);
    directory.extend(u16::try_from(member.name.len()).expect("short").to_le_bytes());
    directory.extend(u16::try_from(extra.len()).expect("short").to_le_bytes());
    directory.extend([0; 10]);
    directory.extend(offset.to_le_bytes());
    directory.extend(&member.name);
    directory.extend(extra);
}

fn write_common(out: &mut Vec<u8>, member: &Member) {
    out.extend(member.flags.to_le_bytes());
    out.extend(member.method.to_le_bytes());
    out.extend([0; 4]);
    out.extend(member.checksum.to_le_bytes());
    let (packed_size, size) =
        if member.wide { (u32::MAX, u32::MAX) } else { (member.packed_size, member.size) };
    out.extend(packed_size.to_le_bytes());
    out.extend(size.to_le_bytes());
}

fn wide_extra(member: &Member) -> Vec<u8> {
    let mut extra = Vec::new();
    if member.wide {
        extra.extend([1, 0, 16, 0]);
        extra.extend(u64::from(member.size).to_le_bytes());
        extra.extend(u64::from(member.packed_size).to_le_bytes());
    }
    extra
}

fn write_wide_end(file: &mut Vec<u8>, count: u64, directory_size: u64, directory_offset: u64) {
    let record_offset = file.len() as u64;
    file.extend(b"PK\x06\x06");
    file.extend(44_u64.to_le_bytes());
    file.extend([45, 0, 45, 0]);
    file.extend([0; 8]);
    for value in [count, count, directory_size, directory_offset] {
        file.extend(value.to_le_bytes());
    }
    file.extend(b"PK\x06\x07\0\0\0\0");
    file.extend(record_offset.to_le_bytes());
    file.extend(1_u32.to_le_bytes());
}
