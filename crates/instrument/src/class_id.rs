//! JaCoCo's class id: a checksum of the class file as the JVM got it.
//!
//! It decides which execution data belongs to which class, so it must be computed before anything is changed, and
//! exactly as JaCoCo does. It is CRC-64 with the polynomial of ISO 3309, and no proof of identity: what must not be
//! confused is told apart by other means.

/// The polynomial, bits in reverse order.
const POLYNOMIAL: u64 = 0xD800_0000_0000_0000;

/// For each of eight positions in a word, what each value of the byte there contributes.
static TABLES: [[u64; 256]; 8] = tables();

#[allow(clippy::indexing_slicing, reason = "computed by the compiler, which would refuse")]
const fn tables() -> [[u64; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut value = byte as u64;
        let mut bit = 0;
        while bit < 8 {
            value = if value & 1 == 1 { (value >> 1) ^ POLYNOMIAL } else { value >> 1 };
            bit += 1;
        }
        tables[0][byte] = value;
        byte += 1;
    }
    let mut position = 1;
    while position < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[position - 1][byte];
            tables[position][byte] = (before >> 8) ^ tables[0][(before & 0xFF) as usize];
            byte += 1;
        }
        position += 1;
    }
    tables
}

/// The id of a class file.
///
/// A class file of Java 9 counts as one of Java 8; for other versions the bytes are taken as they are.
#[must_use]
pub fn class_id(class_file: &[u8]) -> u64 {
    match class_file {
        [m0, m1, m2, m3, n0, n1, 0, 53, rest @ ..] => {
            update(update(0, &[*m0, *m1, *m2, *m3, *n0, *n1, 0, 52]), rest)
        }
        _ => update(0, class_file),
    }
}

#[allow(clippy::indexing_slicing, reason = "a byte is always inside a table of 256 rows")]
fn update(mut sum: u64, bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        let mixed = (sum ^ u64::from_le_bytes(*word)).to_le_bytes();
        sum = TABLES[7][usize::from(mixed[0])]
            ^ TABLES[6][usize::from(mixed[1])]
            ^ TABLES[5][usize::from(mixed[2])]
            ^ TABLES[4][usize::from(mixed[3])]
            ^ TABLES[3][usize::from(mixed[4])]
            ^ TABLES[2][usize::from(mixed[5])]
            ^ TABLES[1][usize::from(mixed[6])]
            ^ TABLES[0][usize::from(mixed[7])];
    }
    for byte in rest {
        sum = (sum >> 8) ^ TABLES[0][usize::from(sum as u8 ^ byte)];
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_sums() {
        assert_eq!(class_id(b""), 0);
        assert_eq!(class_id(b"a"), 0x5bb0_0000_0000_0000);
        assert_eq!(class_id(b"123456789"), 0x46a5_a938_8a5b_effe);
        assert_eq!(class_id(b"\xCA\xFE\xBA\xBE\0\0\0\x34"), 0xa9c0_0000_fddb_719a);
        assert_eq!(class_id(b"\xCA\xFE\xBA\xBE\0\0\0\x36"), 0xaaa0_0000_fddb_719a);
    }

    #[test]
    fn java_9_counts_as_java_8() {
        assert_eq!(class_id(b"\xCA\xFE\xBA\xBE\0\0\0\x35"), 0xa9c0_0000_fddb_719a);
        assert_eq!(class_id(b"\xCA\xFE\xBA\xBE\0\0\0\x35\0"), 0xcd49_c000_00fd_db71);
    }
}
