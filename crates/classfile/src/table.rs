//! Count-prefixed tables of records, read in place.
//!
//! A table of fixed-size records is its bytes; a sequence of records of varying size is read one after the other.
//! Neither allocates, and neither trusts its count: the bytes decide.

use crate::cursor::Cursor;
use crate::error::Result;
use std::marker::PhantomData;

/// A record of fixed size.
pub trait Record: Copy {
    /// How many bytes it has in a class file.
    const SIZE: usize;
    /// Reads it; `None` if the bytes are not exactly [`Self::SIZE`].
    fn parse(bytes: &[u8]) -> Option<Self>;
    /// Writes it.
    fn write(&self, out: &mut Vec<u8>);
}

impl Record for u16 {
    const SIZE: usize = 2;
    #[inline]
    fn parse(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self::from_be_bytes)
    }
    fn write(&self, out: &mut Vec<u8>) {
        out.extend(self.to_be_bytes());
    }
}

/// Defines a record whose fields are all `u16`, in file order.
macro_rules! u2_record {
    ($(#[$meta:meta])* $name:ident { $($(#[$field_meta:meta])* $field:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name { $($(#[$field_meta])* pub $field: u16),+ }

        impl $crate::table::Record for $name {
            const SIZE: usize = [$(stringify!($field)),+].len() * 2;
            #[inline]
            fn parse(bytes: &[u8]) -> Option<Self> {
                let mut pairs = bytes.chunks_exact(2).filter_map(|pair| pair.try_into().ok().map(u16::from_be_bytes));
                Some(Self { $($field: pairs.next()?),+ })
            }
            fn write(&self, out: &mut Vec<u8>) {
                $(out.extend(self.$field.to_be_bytes());)+
            }
        }
    };
}
pub(crate) use u2_record;

/// A table of records of fixed size.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a, R> {
    bytes: &'a [u8],
    offset: u32,
    record: PhantomData<R>,
}

impl<'a, R: Record> Table<'a, R> {
    /// Reads a table with a two-byte count.
    pub fn read_u2(cursor: &mut Cursor<'a>) -> Result<Self> {
        let count = cursor.u2()?;
        Self::read(cursor, usize::from(count))
    }

    /// Reads a table whose count was read already.
    pub fn read(cursor: &mut Cursor<'a>, count: usize) -> Result<Self> {
        let offset = cursor.offset();
        Ok(Self { bytes: cursor.bytes(count.saturating_mul(R::SIZE))?, offset, record: PhantomData })
    }

    /// How many records there are.
    pub fn len(&self) -> usize {
        self.bytes.len() / R::SIZE
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Where the first record stands in the class file.
    pub fn offset(&self) -> u32 {
        self.offset
    }

    /// The record at a position.
    pub fn get(&self, position: usize) -> Option<R> {
        let start = position.checked_mul(R::SIZE)?;
        R::parse(self.bytes.get(start..start.checked_add(R::SIZE)?)?)
    }

    /// All records in order.
    pub fn iter(&self) -> impl Iterator<Item = R> + use<'a, R> {
        self.bytes.chunks_exact(R::SIZE).filter_map(R::parse)
    }

    /// Writes the records, without a count in front.
    pub fn write(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|record| record.write(out));
    }
}

/// Something of varying size that reads itself.
pub trait Decode<'a>: Sized {
    /// Reads one from the cursor.
    fn decode(cursor: &mut Cursor<'a>) -> Result<Self>;
}

/// A count and then as many things of varying size, whose end was found once.
#[derive(Clone, Copy, Debug)]
pub struct Sequence<'a, T> {
    count: u16,
    items: Cursor<'a>,
    item: PhantomData<T>,
}

impl<'a, T: Decode<'a>> Sequence<'a, T> {
    /// Reads a two-byte count and walks over the items.
    pub fn read_u2(cursor: &mut Cursor<'a>) -> Result<Self> {
        let count = cursor.u2()?;
        let items = *cursor;
        for _ in 0..count {
            T::decode(cursor)?;
        }
        Ok(Self { count, items, item: PhantomData })
    }

    /// How many items there are.
    pub fn len(&self) -> u16 {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// All items in order. They were decoded once when the sequence was read, so none is left out.
    pub fn iter(&self) -> impl Iterator<Item = T> + use<'a, T> {
        let mut cursor = self.items;
        (0..self.count).map_while(move |_| T::decode(&mut cursor).ok())
    }
}
