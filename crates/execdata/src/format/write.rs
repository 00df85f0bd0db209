//! Writes blocks at the end of a buffer.
//!
//! A block is written whole or not at all, and always such that JaCoCo reads it.

use super::{BLOCK_CLASS, BLOCK_HEADER, BLOCK_SESSION, FORMAT_VERSION, MAGIC, Probes};
use crate::utf;

/// Writes the header that starts a file, or a part appended to one.
pub fn write_header(out: &mut Vec<u8>) {
    out.push(BLOCK_HEADER);
    out.extend(MAGIC.to_be_bytes());
    out.extend(FORMAT_VERSION.to_be_bytes());
}

/// Writes a session: its id, when it started and when its data was written, in milliseconds since 1970.
///
/// The format has two bytes for the id's length; a longer one is cut after its last whole character that fits.
pub fn write_session(out: &mut Vec<u8>, id: &str, start_millis: i64, dump_millis: i64) {
    write_session_raw(out, &utf::encode_shortened(id), start_millis, dump_millis);
}

/// As [`write_session`], with an id that is modified UTF-8 already. Writes nothing when it is too long for the format.
pub fn write_session_raw(out: &mut Vec<u8>, id: &[u8], start_millis: i64, dump_millis: i64) {
    let Ok(id_length) = u16::try_from(id.len()) else { return };
    out.push(BLOCK_SESSION);
    out.extend(id_length.to_be_bytes());
    out.extend(id);
    out.extend(start_millis.to_be_bytes());
    out.extend(dump_millis.to_be_bytes());
}

/// Writes what was hit of a class, one byte for each probe, where anything but zero is a hit.
///
/// The name is modified UTF-8 as in the class file, with slashes. Writes nothing when no probe is hit, as JaCoCo does,
/// and nothing when the name or the probes are more than the format can say, which no class file can bring about.
pub fn write_class(out: &mut Vec<u8>, class_id: u64, name: &[u8], probes: &[u8]) {
    if probes.iter().any(|&probe| probe != 0) && write_class_head(out, class_id, name, probes.len()) {
        out.extend(probes.chunks(8).map(packed));
    }
}

/// As [`write_class`], with the probes packed already.
pub fn write_class_packed<B: AsRef<[u8]>>(out: &mut Vec<u8>, class_id: u64, name: &[u8], probes: &Probes<B>) {
    if probes.hit_count() > 0 && write_class_head(out, class_id, name, probes.len()) {
        out.extend(probes.bytes());
    }
}

/// Writes all of a class up to its probes, or nothing when it cannot be expressed; tells which.
fn write_class_head(out: &mut Vec<u8>, class_id: u64, name: &[u8], probe_count: usize) -> bool {
    let (Ok(name_length), Ok(probe_count)) = (u16::try_from(name.len()), i32::try_from(probe_count)) else {
        return false;
    };
    out.push(BLOCK_CLASS);
    out.extend(class_id.to_be_bytes());
    out.extend(name_length.to_be_bytes());
    out.extend(name);
    write_varint(out, probe_count.unsigned_abs());
    true
}

fn packed(eight_probes: &[u8]) -> u8 {
    eight_probes.iter().rev().fold(0, |bits, &probe| bits << 1 | u8::from(probe != 0))
}

fn write_varint(out: &mut Vec<u8>, mut value: u32) {
    while value > 0x7F {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the format's description.
    #[test]
    fn a_file_with_one_session_and_one_class() {
        let mut out = Vec::new();
        write_header(&mut out);
        write_session(&mut out, "s", 1, 2);
        write_class(&mut out, 0xE731_3B45_802B_E212, b"Ex", &[0, 1, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0]);
        let expected = [
            &[0x01, 0xC0, 0xC0, 0x10, 0x07][..],
            &[0x10, 0, 1, b's', 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2],
            &[0x11, 0xE7, 0x31, 0x3B, 0x45, 0x80, 0x2B, 0xE2, 0x12, 0, 2, b'E', b'x', 0x0C, 0x12, 0],
        ];
        assert_eq!(out, expected.concat());
    }

    #[test]
    fn the_number_of_probes_takes_as_many_bytes_as_it_needs() {
        let mut out = Vec::new();
        for value in [0, 0x7F, 0x80, 0x3FFF, 0x4000, u32::MAX] {
            write_varint(&mut out, value);
        }
        let expected: [&[u8]; 6] = [
            &[0],
            &[0x7F],
            &[0x80, 0x01],
            &[0xFF, 0x7F],
            &[0x80, 0x80, 0x01],
            &[0xFF, 0xFF, 0xFF, 0xFF, 0x0F],
        ];
        assert_eq!(out, expected.concat());
    }

    #[test]
    fn a_class_without_hits_is_left_out() {
        let mut out = Vec::new();
        write_class(&mut out, 1, b"A", &[0, 0, 0]);
        write_class(&mut out, 1, b"A", &[]);
        assert_eq!(out, []);
    }

    #[test]
    fn what_the_format_cannot_say_is_left_out_or_cut_and_never_half_written() {
        let mut out = Vec::new();
        write_class(&mut out, 1, &[b'a'; 65536], &[1]);
        write_session_raw(&mut out, &[b'a'; 65536], 1, 2);
        assert_eq!(out, []);
        write_session(&mut out, &"a".repeat(65536), 1, 2);
        assert_eq!(out.len(), 1 + 2 + 65535 + 16);
    }
}
