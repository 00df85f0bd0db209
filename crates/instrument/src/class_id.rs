//! JaCoCo's class id: a checksum of the class file as the JVM got it.
//!
//! It decides which execution data belongs to which class, so it must be computed before anything is changed, and
//! exactly as JaCoCo does. It is CRC-64 with the polynomial of ISO 3309, and no proof of identity: what must not be
//! confused is told apart by other means.

/// The polynomial, bits in reverse order.
const POLYNOMIAL: u64 = 0xD800_0000_0000_0000;

/// How many bytes are taken at once. The sum so far is mixed into the first eight; the others do not wait for it.
const STRIDE: usize = 16;

/// For each position in a stride, what each value of the byte there contributes.
static TABLES: [[u64; 256]; STRIDE] = tables();

#[allow(clippy::indexing_slicing, reason = "computed by the compiler, which would refuse")]
const fn tables() -> [[u64; 256]; STRIDE] {
    let mut tables = [[0; 256]; STRIDE];
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
    while position < STRIDE {
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
    let (strides, rest) = bytes.as_chunks::<STRIDE>();
    for stride in strides {
        let (words, _) = stride.as_chunks::<8>();
        sum = contribution(u64::from_le_bytes(words[1]), 0)
            ^ contribution(sum ^ u64::from_le_bytes(words[0]), 8);
    }
    for byte in rest {
        sum = (sum >> 8) ^ TABLES[0][usize::from(sum as u8 ^ byte)];
    }
    sum
}

/// What eight bytes contribute that have `behind` bytes of their stride behind them.
#[inline(always)]
#[allow(
    clippy::indexing_slicing,
    reason = "a byte is always inside a table of 256 rows, and a position in a stride"
)]
fn contribution(word: u64, behind: usize) -> u64 {
    let bytes = word.to_le_bytes();
    TABLES[behind + 7][usize::from(bytes[0])]
        ^ TABLES[behind + 6][usize::from(bytes[1])]
        ^ TABLES[behind + 5][usize::from(bytes[2])]
        ^ TABLES[behind + 4][usize::from(bytes[3])]
        ^ TABLES[behind + 3][usize::from(bytes[4])]
        ^ TABLES[behind + 2][usize::from(bytes[5])]
        ^ TABLES[behind + 1][usize::from(bytes[6])]
        ^ TABLES[behind][usize::from(bytes[7])]
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
    fn many_bytes_at_once_give_the_sum_of_one_by_one() {
        let bytes: Vec<u8> = (0..100_u8).map(|byte| byte.wrapping_mul(37)).collect();
        for length in 0..bytes.len() {
            let one_by_one = bytes[..length].iter().fold(0, |sum, byte| update(sum, &[*byte]));
            assert_eq!(update(0, &bytes[..length]), one_by_one, "{length} bytes");
        }
    }

    #[test]
    fn java_9_counts_as_java_8() {
        assert_eq!(class_id(b"\xCA\xFE\xBA\xBE\0\0\0\x35"), 0xa9c0_0000_fddb_719a);
        assert_eq!(class_id(b"\xCA\xFE\xBA\xBE\0\0\0\x35\0"), 0xcd49_c000_00fd_db71);
    }
}
