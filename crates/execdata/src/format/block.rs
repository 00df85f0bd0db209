//! What blocks hold: sessions, classes and their probes.
//!
//! The values are generic over their bytes, so that a file is read without copying and a connection into memory of its
//! own, by the same code.

/// One run of a program with an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Session<B> {
    /// Its id, in modified UTF-8.
    pub id: B,
    /// When it started, in milliseconds since 1970.
    pub start_millis: i64,
    /// When its data was written, in milliseconds since 1970.
    pub dump_millis: i64,
}

/// What was hit of one class.
#[derive(Debug, Clone, Copy)]
pub struct ClassData<B> {
    /// The checksum that identifies the class.
    pub id: u64,
    /// Its name, in modified UTF-8 and with slashes.
    pub name: B,
    /// Its probes.
    pub probes: Probes<B>,
}

/// The probes of a class, eight in a byte, the first in the lowest bit.
#[derive(Debug, Clone, Copy)]
pub struct Probes<B> {
    count: usize,
    bits: B,
}

impl<B: AsRef<[u8]>> Probes<B> {
    /// Probes packed already: none when it takes another number of bytes to hold them.
    ///
    /// Bits of the last byte beyond the last probe mean nothing.
    pub fn packed(count: usize, bits: B) -> Option<Self> {
        (bits.as_ref().len() == count.div_ceil(8)).then_some(Probes { count, bits })
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether each was hit.
    pub fn iter(&self) -> impl Iterator<Item = bool> {
        let bits_of = |byte: &u8| {
            (0..8).map({
                let byte = *byte;
                move |bit| byte >> bit & 1 == 1
            })
        };
        self.bits.as_ref().iter().flat_map(bits_of).take(self.count)
    }

    /// Whether the probe of a number was hit; one that there is not was not.
    pub fn is_hit(&self, number: usize) -> bool {
        number < self.count
            && self.bits.as_ref().get(number / 8).is_some_and(|byte| byte >> (number % 8) & 1 == 1)
    }

    /// How many were hit.
    pub fn hit_count(&self) -> usize {
        self.bytes().map(|byte| byte.count_ones() as usize).sum()
    }

    /// The packed bytes, with zeros where no probe is.
    pub fn bytes(&self) -> impl Iterator<Item = u8> {
        let full_bytes = self.count / 8;
        let rest_mask = (1_u8 << (self.count % 8)) - 1;
        let cleaned =
            move |(index, byte): (usize, &u8)| if index < full_bytes { *byte } else { byte & rest_mask };
        self.bits.as_ref().iter().enumerate().map(cleaned)
    }

    /// A copy that owns its bits.
    pub fn to_owned(&self) -> Probes<Vec<u8>> {
        Probes { count: self.count, bits: self.bytes().collect() }
    }
}

impl Probes<Vec<u8>> {
    /// Changes each byte by one of other probes. Where there are none it is left alone.
    pub(crate) fn combine<B: AsRef<[u8]>>(&mut self, other: &Probes<B>, change: impl Fn(u8, u8) -> u8) {
        for (byte, other_byte) in self.bits.iter_mut().zip(other.bytes()) {
            *byte = change(*byte, other_byte);
        }
    }
}

impl<B: AsRef<[u8]>> PartialEq for Probes<B> {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count && self.bytes().eq(other.bytes())
    }
}

impl<B: AsRef<[u8]>> Eq for Probes<B> {}

impl<B: AsRef<[u8]>> PartialEq for ClassData<B> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.name.as_ref() == other.name.as_ref() && self.probes == other.probes
    }
}

impl<B: AsRef<[u8]>> Eq for ClassData<B> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_probe_is_in_the_lowest_bit() {
        let probes = Probes::packed(10, [0b0001_0010, 0b1111_1110]).expect("two bytes hold ten probes");
        let hit: Vec<usize> =
            probes.iter().enumerate().filter(|(_, hit)| *hit).map(|(index, _)| index).collect();
        assert_eq!(hit, [1, 4, 9]);
        assert_eq!(probes.iter().count(), 10);
        assert_eq!(probes.hit_count(), 3);
        assert_eq!(probes.bytes().collect::<Vec<_>>(), [0b0001_0010, 0b10]);
    }

    #[test]
    fn bits_beyond_the_last_probe_mean_nothing() {
        assert_eq!(Probes::packed(1, [0xFF]), Probes::packed(1, [0x01]));
        assert_ne!(Probes::packed(2, [0xFF]), Probes::packed(2, [0x01]));
        assert_ne!(Probes::packed(1, [0x01]), Probes::packed(2, [0x01]));
        assert_eq!(Probes::packed(8, [0xFF]).expect("fits").hit_count(), 8);
    }

    #[test]
    fn the_number_of_bytes_must_fit() {
        assert_eq!(Probes::packed(9, [0xFF]), None);
        assert_eq!(Probes::packed(8, [0xFF, 0]), None);
        assert!(Probes::packed(0, []).expect("nothing holds no probes").is_empty());
    }
}
