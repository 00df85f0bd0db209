//! The two rows of hits of a class as one run of bytes: how long the first is, the first, and then the second.
//!
//! A class that was only named has neither and takes no byte at all.

use crate::bytes::put_number;
use probity_trace::Hits;

/// Puts the hits of a unit itself and those that it inherited together, in place of what is in the bytes.
pub(crate) fn pack(bytes: &mut Vec<u8>, own: &Hits, inherited: &Hits) {
    bytes.clear();
    if !(own.is_empty() && inherited.is_empty()) {
        put_number(bytes, own.as_bytes().len() as u32);
        bytes.extend_from_slice(own.as_bytes());
        bytes.extend_from_slice(inherited.as_bytes());
    }
}

/// Takes them apart: the bytes of both. Bytes that were never put together so give none.
pub(crate) fn unpacked(bytes: &[u8]) -> (&[u8], &[u8]) {
    let mut length = 0_usize;
    for (byte, at) in bytes.iter().zip(0..4) {
        length |= usize::from(byte & 0x7F) << (7 * at);
        if byte & 0x80 == 0 {
            let rest = bytes.get(at as usize + 1..).unwrap_or_default();
            return rest.split_at_checked(length).unwrap_or_default();
        }
    }
    (&[], &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_rows_come_back() {
        let mut bytes = vec![7];
        let rows = [vec![], vec![3], vec![0, 200, 1700]];
        for own in &rows {
            for inherited in &rows {
                let (own, inherited) =
                    (Hits::from_iter(own.iter().copied()), Hits::from_iter(inherited.iter().copied()));
                pack(&mut bytes, &own, &inherited);
                assert_eq!(unpacked(&bytes), (own.as_bytes(), inherited.as_bytes()));
            }
        }
        pack(&mut bytes, &Hits::default(), &Hits::default());
        assert_eq!(bytes, [] as [u8; 0]);
        assert_eq!(unpacked(&[5, 1]), (&[] as &[u8], &[] as &[u8]), "too short");
    }
}
