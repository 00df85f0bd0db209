//! The protocol between an agent and those who ask it for its data.
//!
//! Both sides send a header first and then blocks as in a file. The one that asks sends a dump command; the other
//! answers with its data and an ok. A header may arrive only with the first answer, so nobody may wait for one before
//! sending. Nothing here opens a connection, apart from [`client`].

pub mod client;

use std::error::Error;
use std::fmt;
use std::io::{self, BufReader, Read};

use crate::format::{self, BLOCK_DUMP_COMMAND, BLOCK_OK, ClassData, ReadError, ReadErrorKind, Session};
use crate::store::MergeError;

/// Bytes to make room for before any has arrived; more is made as they come.
const FIRST_ROOM: usize = 1 << 12;

/// Writes the command that asks for the data, or to forget it, or both.
pub fn write_dump_command(out: &mut Vec<u8>, dump: bool, reset: bool) {
    out.extend([BLOCK_DUMP_COMMAND, u8::from(dump), u8::from(reset)]);
}

/// Writes that a command was carried out.
pub fn write_ok(out: &mut Vec<u8>) {
    out.push(BLOCK_OK);
}

/// A block that came over a connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A session.
    Session(Session<Vec<u8>>),
    /// What was hit of a class.
    Class(ClassData<Vec<u8>>),
    /// The other side asks for the data, or to forget it, or both.
    DumpCommand {
        /// Whether to send it.
        dump: bool,
        /// Whether to forget it afterwards.
        reset: bool,
    },
    /// The other side has done what it was asked for.
    Ok,
}

/// Reads blocks from a connection.
#[derive(Debug)]
pub struct Reader<R> {
    input: Stream<R>,
    state: format::State,
}

impl<R: Read> Reader<R> {
    /// Reads from this stream, which may be read further than the last block returned.
    pub fn new(stream: R) -> Self {
        Reader {
            input: Stream { reader: BufReader::new(stream), offset: 0 },
            state: format::State::default(),
        }
    }

    /// Waits for the next block. None when the other side closed the connection between blocks.
    ///
    /// Headers are checked and passed over.
    ///
    /// # Errors
    ///
    /// Fails when the connection does, or when something else arrives. The reader is of no use then.
    pub fn next_block(&mut self) -> Result<Option<Block>, RemoteError> {
        let block = format::next_block(&mut self.input, &mut self.state, format::Commands::Taken)?;
        Ok(block.map(|block| match block {
            format::AnyBlock::Session(session) => Block::Session(session),
            format::AnyBlock::Class(class) => Block::Class(class),
            format::AnyBlock::DumpCommand { dump, reset } => Block::DumpCommand { dump, reset },
            format::AnyBlock::Ok => Block::Ok,
        }))
    }
}

#[derive(Debug)]
struct Stream<R> {
    reader: BufReader<R>,
    offset: u64,
}

impl<R: Read> format::Input for Stream<R> {
    type Bytes = Vec<u8>;
    type Error = RemoteError;

    fn offset(&self) -> u64 {
        self.offset
    }

    fn next_byte(&mut self) -> Result<Option<u8>, RemoteError> {
        let mut byte = [0];
        match self.reader.read_exact(&mut byte) {
            Ok(()) => {
                self.offset += 1;
                Ok(Some(byte[0]))
            }
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
            Err(error) => Err(RemoteError::Connection(error)),
        }
    }

    fn take(&mut self, length: usize) -> Result<Vec<u8>, RemoteError> {
        let mut bytes = Vec::with_capacity(length.min(FIRST_ROOM));
        let mut limited = (&mut self.reader).take(length as u64);
        limited.read_to_end(&mut bytes).map_err(RemoteError::Connection)?;
        if bytes.len() < length {
            return Err(ReadErrorKind::Truncated.at(self.offset).into());
        }
        self.offset += length as u64;
        Ok(bytes)
    }
}

/// What can go wrong on a connection.
#[derive(Debug)]
#[non_exhaustive]
pub enum RemoteError {
    /// The name of the host is not known.
    UnknownHost(io::Error),
    /// Nobody answers.
    NotConnected(io::Error),
    /// The connection failed.
    Connection(io::Error),
    /// What arrived is not what it should be.
    Data(ReadError),
    /// What arrived does not belong together.
    Merge(MergeError),
    /// The other side asks for data instead of sending it.
    NoAnswer,
    /// The connection was closed before the answer was complete.
    Closed,
}

impl RemoteError {
    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            RemoteError::UnknownHost(_) => "check the address",
            RemoteError::NotConnected(_) => {
                "is the program running, with an agent whose options have output=tcpserver and this port?"
            }
            RemoteError::Connection(_) | RemoteError::Closed => {
                "did the program end, or is something else listening there?"
            }
            RemoteError::Merge(error) => error.hint(),
            RemoteError::Data(_) | RemoteError::NoAnswer => {
                "is something else than a coverage agent listening there?"
            }
        }
    }
}

impl fmt::Display for RemoteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RemoteError::UnknownHost(error) => write!(f, "unknown host: {error}"),
            RemoteError::NotConnected(error) => write!(f, "cannot connect: {error}"),
            RemoteError::Connection(error) => write!(f, "the connection failed: {error}"),
            RemoteError::Data(error) => write!(f, "{error}"),
            RemoteError::Merge(error) => write!(f, "{error}"),
            RemoteError::NoAnswer => write!(f, "the other side asks for data instead of sending it"),
            RemoteError::Closed => write!(f, "socket closed unexpectedly"),
        }
    }
}

impl Error for RemoteError {}

impl From<ReadError> for RemoteError {
    fn from(error: ReadError) -> RemoteError {
        RemoteError::Data(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{Probes, write_class, write_header, write_session};

    /// Gives one byte at a time, and is interrupted before each.
    struct Slow<'a> {
        rest: &'a [u8],
        interrupted: bool,
    }

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.interrupted = !self.interrupted;
            if self.interrupted {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let length = buffer.len().min(1);
            self.rest.read(&mut buffer[..length])
        }
    }

    fn conversation() -> Vec<u8> {
        let mut out = Vec::new();
        write_header(&mut out);
        write_dump_command(&mut out, true, false);
        write_session(&mut out, "s", 1, 2);
        write_class(&mut out, 7, b"a/B", &[0, 1]);
        write_ok(&mut out);
        write_dump_command(&mut out, false, true);
        out
    }

    fn read_all(stream: impl Read) -> Result<Vec<Block>, RemoteError> {
        let mut reader = Reader::new(stream);
        std::iter::from_fn(|| reader.next_block().transpose()).collect()
    }

    #[test]
    fn blocks_are_read_however_they_arrive() {
        let sent = conversation();
        let probes = Probes::packed(2, vec![2]).expect("fits");
        let expected = [
            Block::DumpCommand { dump: true, reset: false },
            Block::Session(Session { id: b"s".to_vec(), start_millis: 1, dump_millis: 2 }),
            Block::Class(ClassData { id: 7, name: b"a/B".to_vec(), probes }),
            Block::Ok,
            Block::DumpCommand { dump: false, reset: true },
        ];
        assert_eq!(read_all(&sent[..]).expect("well formed"), expected);
        assert_eq!(read_all(Slow { rest: &sent, interrupted: false }).expect("well formed"), expected);
    }

    #[test]
    fn a_connection_closed_inside_a_block_is_an_error() {
        let sent = conversation();
        let error = read_all(&sent[..sent.len() - 1]).expect_err("a byte is missing");
        let RemoteError::Data(error) = error else { panic!("{error}") };
        assert_eq!(error, ReadErrorKind::Truncated.at(sent.len() as u64 - 1));
    }

    #[test]
    fn a_number_of_probes_that_never_arrive_costs_nothing() {
        let mut sent = Vec::new();
        write_header(&mut sent);
        sent.extend([0x11; 9]);
        sent.extend([0, 1, b'A', 0xFF, 0xFF, 0xFF, 0xFF, 0x07]);
        assert!(matches!(read_all(&sent[..]), Err(RemoteError::Data(_))));
    }

    #[test]
    fn who_does_not_start_with_a_header_is_somebody_else() {
        let error = read_all(&b"HTTP/1.1 400 Bad Request"[..]).expect_err("not an agent");
        assert!(matches!(error, RemoteError::Data(error) if error == ReadErrorKind::NotExecutionData.at(0)));
    }
}
