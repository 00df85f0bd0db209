//! Reads blocks, without copying where they are in memory.
//!
//! What JaCoCo takes is taken and what it refuses is refused, also in what no writer would write. A number in the data
//! never decides how much memory is used: bytes are taken only if they are there.

use super::block::{ClassData, Probes, Session};
use super::error::{ReadError, ReadErrorKind};
use super::{BLOCK_CLASS, BLOCK_DUMP_COMMAND, BLOCK_HEADER, BLOCK_OK, BLOCK_SESSION, FORMAT_VERSION, MAGIC};
use crate::utf;

/// A block of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Block<'a> {
    /// A session.
    Session(Session<&'a [u8]>),
    /// What was hit of a class.
    Class(ClassData<&'a [u8]>),
}

/// The blocks of a file in their order, until its end or the first error.
///
/// Headers are checked and passed over. An empty file has no blocks and is valid.
#[derive(Debug, Clone)]
pub struct Blocks<'a> {
    input: Slice<'a>,
    state: State,
    failed: bool,
}

impl<'a> Blocks<'a> {
    /// The blocks of a file with this content.
    #[must_use]
    pub fn new(content: &'a [u8]) -> Self {
        Blocks { input: Slice { rest: content, offset: 0 }, state: State::default(), failed: false }
    }

    /// Where the block starts that came last.
    #[must_use]
    pub fn last_offset(&self) -> u64 {
        self.state.last_offset
    }
}

impl<'a> Iterator for Blocks<'a> {
    type Item = Result<Block<'a>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let block = match next_block(&mut self.input, &mut self.state, Commands::Refused) {
            Ok(None | Some(AnyBlock::Ok | AnyBlock::DumpCommand { .. })) => return None,
            Ok(Some(AnyBlock::Session(session))) => Ok(Block::Session(session)),
            Ok(Some(AnyBlock::Class(class))) => Ok(Block::Class(class)),
            Err(error) => Err(error),
        };
        self.failed = block.is_err();
        Some(block)
    }
}

/// Where blocks come from.
pub(crate) trait Input {
    /// Bytes taken from it.
    type Bytes: AsRef<[u8]>;
    /// What can go wrong.
    type Error: From<ReadError>;

    /// How many bytes were taken.
    fn offset(&self) -> u64;

    /// Takes one byte, if there is one.
    fn next_byte(&mut self) -> Result<Option<u8>, Self::Error>;

    /// Takes that many bytes; not to have them is an error.
    fn take(&mut self, length: usize) -> Result<Self::Bytes, Self::Error>;
}

#[derive(Debug, Clone)]
struct Slice<'a> {
    rest: &'a [u8],
    offset: u64,
}

impl<'a> Input for Slice<'a> {
    type Bytes = &'a [u8];
    type Error = ReadError;

    fn offset(&self) -> u64 {
        self.offset
    }

    fn next_byte(&mut self) -> Result<Option<u8>, ReadError> {
        let Some((first, rest)) = self.rest.split_first() else { return Ok(None) };
        (self.rest, self.offset) = (rest, self.offset + 1);
        Ok(Some(*first))
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], ReadError> {
        let taken = self.rest.split_at_checked(length);
        let (taken, rest) = taken.ok_or_else(|| ReadErrorKind::Truncated.at(self.offset))?;
        (self.rest, self.offset) = (rest, self.offset + length as u64);
        Ok(taken)
    }
}

/// What reading has seen so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct State {
    started: bool,
    last_offset: u64,
}

/// Whether blocks that only the remote protocol has are read too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Commands {
    Refused,
    Taken,
}

/// A block of a file or a connection; headers are checked and passed over.
#[derive(Debug)]
pub(crate) enum AnyBlock<B> {
    Session(Session<B>),
    Class(ClassData<B>),
    DumpCommand { dump: bool, reset: bool },
    Ok,
}

/// The next block, if there is one.
pub(crate) fn next_block<I: Input>(
    input: &mut I,
    state: &mut State,
    commands: Commands,
) -> Result<Option<AnyBlock<I::Bytes>>, I::Error> {
    loop {
        let start = input.offset();
        state.last_offset = start;
        let Some(block_type) = input.next_byte()? else { return Ok(None) };
        if !state.started && block_type != BLOCK_HEADER {
            return Err(ReadErrorKind::NotExecutionData.at(start).into());
        }
        state.started = true;
        let block = match block_type {
            BLOCK_HEADER => {
                check_header(input, start)?;
                continue;
            }
            BLOCK_SESSION => AnyBlock::Session(read_session(input)?),
            BLOCK_CLASS => AnyBlock::Class(read_class(input)?),
            BLOCK_OK if commands == Commands::Taken => AnyBlock::Ok,
            BLOCK_DUMP_COMMAND if commands == Commands::Taken => read_dump_command(input)?,
            _ => return Err(ReadErrorKind::UnknownBlock { block_type }.at(start).into()),
        };
        return Ok(Some(block));
    }
}

fn check_header<I: Input>(input: &mut I, start: u64) -> Result<(), I::Error> {
    let magic = u16::from_be_bytes(take_array(input)?);
    if magic != MAGIC {
        return Err(ReadErrorKind::BadMagic { found: magic }.at(start).into());
    }
    let version = u16::from_be_bytes(take_array(input)?);
    if version != FORMAT_VERSION {
        return Err(ReadErrorKind::IncompatibleVersion { found: version }.at(start).into());
    }
    Ok(())
}

fn read_session<I: Input>(input: &mut I) -> Result<Session<I::Bytes>, I::Error> {
    Ok(Session {
        id: take_text(input)?,
        start_millis: i64::from_be_bytes(take_array(input)?),
        dump_millis: i64::from_be_bytes(take_array(input)?),
    })
}

fn read_class<I: Input>(input: &mut I) -> Result<ClassData<I::Bytes>, I::Error> {
    let id = u64::from_be_bytes(take_array(input)?);
    let name = take_text(input)?;
    Ok(ClassData { id, name, probes: take_probes(input)? })
}

fn read_dump_command<I: Input>(input: &mut I) -> Result<AnyBlock<I::Bytes>, I::Error> {
    let [dump, reset] = take_array(input)?;
    Ok(AnyBlock::DumpCommand { dump: dump != 0, reset: reset != 0 })
}

fn take_probes<I: Input>(input: &mut I) -> Result<Probes<I::Bytes>, I::Error> {
    let start = input.offset();
    let count = take_varint(input)?;
    let too_many = || ReadErrorKind::TooManyProbes { count }.at(start);
    if i32::try_from(count).is_err() {
        return Err(too_many().into());
    }
    let bits = input.take(count.div_ceil(8) as usize)?;
    Probes::packed(count as usize, bits).ok_or_else(|| too_many().into())
}

fn take_text<I: Input>(input: &mut I) -> Result<I::Bytes, I::Error> {
    let length = u16::from_be_bytes(take_array(input)?);
    let start = input.offset();
    let text = input.take(usize::from(length))?;
    if utf::is_legal(text.as_ref()) { Ok(text) } else { Err(ReadErrorKind::MalformedText.at(start).into()) }
}

/// Takes a number of any length and keeps its lowest 32 bits, as JaCoCo does.
fn take_varint<I: Input>(input: &mut I) -> Result<u32, I::Error> {
    let (mut value, mut shift) = (0, 0_u32);
    loop {
        let [byte] = take_array(input)?;
        value |= u32::from(byte & 0x7F).checked_shl(shift).unwrap_or(0);
        if byte & 0x80 == 0 {
            return Ok(value);
        }
        shift = shift.saturating_add(7);
    }
}

fn take_array<const N: usize, I: Input>(input: &mut I) -> Result<[u8; N], I::Error> {
    let mut array = [0; N];
    for slot in &mut array {
        let truncated = ReadErrorKind::Truncated.at(input.offset());
        *slot = input.next_byte()?.ok_or(truncated)?;
    }
    Ok(array)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{write_class, write_header, write_session};

    fn sample() -> Vec<u8> {
        let mut out = Vec::new();
        write_header(&mut out);
        write_session(&mut out, "s", 1, -2);
        write_header(&mut out);
        write_class(&mut out, 7, b"a/B", &[1, 0, 0, 0, 0, 0, 0, 0, 1]);
        out
    }

    fn error_of(content: &[u8]) -> ReadError {
        Blocks::new(content).find_map(Result::err).expect("refused")
    }

    fn after_header(rest: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        write_header(&mut out);
        out.extend(rest);
        out
    }

    #[test]
    fn blocks_come_in_their_order_and_headers_may_be_anywhere() {
        let content = sample();
        let blocks: Vec<_> = Blocks::new(&content).collect::<Result<_, _>>().expect("well formed");
        let session = Session { id: &b"s"[..], start_millis: 1, dump_millis: -2 };
        let probes = Probes::packed(9, &[1, 1][..]).expect("fits");
        let class = ClassData { id: 7, name: &b"a/B"[..], probes };
        assert_eq!(blocks, [Block::Session(session), Block::Class(class)]);
    }

    #[test]
    fn an_empty_file_and_one_with_a_header_only_are_valid() {
        assert_eq!(Blocks::new(&[]).count(), 0);
        assert_eq!(Blocks::new(&after_header(&[])).count(), 0);
    }

    #[test]
    fn each_way_to_cut_a_block_is_found_at_its_place() {
        let content = sample();
        let ends_of_blocks = [0, 5, 25, 30, content.len()];
        for length in 0..=content.len() {
            let cut = &content[..length];
            let error = Blocks::new(cut).find_map(Result::err);
            assert_eq!(error.is_none(), ends_of_blocks.contains(&length), "cut at {length}: {error:?}");
            if let Some(error) = error {
                assert_eq!(error.kind, ReadErrorKind::Truncated);
                assert!(error.offset <= length as u64);
            }
        }
    }

    #[test]
    fn what_is_no_execution_data_is_told_as_such() {
        assert_eq!(error_of(b"text"), ReadErrorKind::NotExecutionData.at(0));
        assert_eq!(error_of(&[1, 2, 3, 4, 5]), ReadErrorKind::BadMagic { found: 0x0203 }.at(0));
        let old = [1, 0xC0, 0xC0, 0x10, 0x06];
        assert_eq!(error_of(&old), ReadErrorKind::IncompatibleVersion { found: 0x1006 }.at(0));
        assert_eq!(error_of(&after_header(&old)), ReadErrorKind::IncompatibleVersion { found: 0x1006 }.at(5));
    }

    #[test]
    fn commands_of_the_protocol_are_unknown_in_a_file() {
        for block_type in [0x20, 0x40, 0x00, 0xFF] {
            let content = after_header(&[block_type, 0, 0]);
            assert_eq!(error_of(&content), ReadErrorKind::UnknownBlock { block_type }.at(5));
        }
    }

    #[test]
    fn nothing_follows_an_error() {
        let mut blocks = Blocks::new(b"text");
        assert!(blocks.next().is_some_and(|block| block.is_err()));
        assert_eq!(blocks.next(), None);
    }

    #[test]
    fn a_number_of_probes_that_is_not_there_costs_nothing() {
        let class = |count: &[u8]| after_header(&[&[0x11; 9][..], &[0, 1, b'A'], count].concat());
        let most = class(&[0xFF, 0xFF, 0xFF, 0xFF, 0x07]);
        assert_eq!(error_of(&most).kind, ReadErrorKind::Truncated);
        let negative = class(&[0xFF, 0xFF, 0xFF, 0xFF, 0x0F]);
        assert_eq!(error_of(&negative), ReadErrorKind::TooManyProbes { count: u32::MAX }.at(17));
    }

    #[test]
    fn a_number_may_be_longer_than_it_needs_to_be() {
        let count = [&[0x81][..], &[0x80; 100], &[0x7F]].concat();
        let content = after_header(&[&[0x11; 9][..], &[0, 1, b'A'], &count, &[1]].concat());
        let blocks: Vec<_> = Blocks::new(&content).collect::<Result<_, _>>().expect("one class");
        assert!(matches!(blocks[..], [Block::Class(class)] if class.probes.len() == 1));
    }

    #[test]
    fn a_name_that_is_not_text_is_refused() {
        let content = after_header(&[0x10, 0, 1, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(error_of(&content), ReadErrorKind::MalformedText.at(8));
    }
}
