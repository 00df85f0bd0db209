//! Asks an agent for its data.
//!
//! The program under test may still be starting, so connecting is tried several times. Once connected nothing is tried
//! twice: the agent may have forgotten what it sent.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::Duration;

use super::{Block, Reader, RemoteError, write_dump_command};
use crate::format::{ReadErrorKind, write_header};
use crate::store::Store;

/// The port on which agents listen unless told otherwise.
pub const DEFAULT_PORT: u16 = 6300;

/// Where an agent is, and how patiently to try it.
#[derive(Debug, Clone)]
pub struct Target<'a> {
    /// The name or number of the host; this machine if none.
    pub host: Option<&'a str>,
    /// The port.
    pub port: u16,
    /// How often to try again.
    pub retries: u32,
    /// How long to wait before that.
    pub pause: Duration,
}

/// Connects, and tells of each failure after which it is tried again.
///
/// # Errors
///
/// Fails when the host is not known, or when no attempt was successful; the error is that of the last.
pub fn connect(
    target: &Target<'_>,
    mut on_failure: impl FnMut(&io::Error),
) -> Result<TcpStream, RemoteError> {
    let addresses = addresses(target.host, target.port).map_err(RemoteError::UnknownHost)?;
    let mut failures = 0;
    loop {
        match TcpStream::connect(&addresses[..]) {
            Ok(stream) => return Ok(stream),
            Err(error) if failures >= target.retries => return Err(RemoteError::NotConnected(error)),
            Err(error) => on_failure(&error),
        }
        failures += 1;
        thread::sleep(target.pause);
    }
}

fn addresses(host: Option<&str>, port: u16) -> io::Result<Vec<SocketAddr>> {
    match host {
        Some(host) => Ok((host, port).to_socket_addrs()?.collect()),
        None => Ok(vec![(Ipv4Addr::LOCALHOST, port).into(), (Ipv6Addr::LOCALHOST, port).into()]),
    }
}

/// Asks for the data, and to forget it afterwards if so wanted, and waits until all has arrived.
///
/// # Errors
///
/// Fails when the connection does, or when something else arrives.
pub fn request_dump(mut connection: impl Read + Write, reset: bool) -> Result<Store, RemoteError> {
    let mut request = Vec::new();
    write_header(&mut request);
    write_dump_command(&mut request, true, reset);
    connection.write_all(&request).map_err(RemoteError::Connection)?;
    connection.flush().map_err(RemoteError::Connection)?;
    read_answer(connection)
}

fn read_answer(connection: impl Read) -> Result<Store, RemoteError> {
    let mut store = Store::default();
    let mut reader = Reader::new(connection);
    loop {
        match reader.next_block().map_err(closed_if_cut)? {
            Some(Block::Session(session)) => store.add_session(&session),
            Some(Block::Class(class)) => store.add_class(&class).map_err(RemoteError::Merge)?,
            Some(Block::Ok) => return Ok(store),
            Some(Block::DumpCommand { .. }) => return Err(RemoteError::NoAnswer),
            None => return Err(RemoteError::Closed),
        }
    }
}

/// An answer that ends inside a block was cut by the end of the connection.
fn closed_if_cut(error: RemoteError) -> RemoteError {
    match error {
        RemoteError::Data(error) if error.kind == ReadErrorKind::Truncated => RemoteError::Closed,
        error => error,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::net::TcpListener;

    use super::*;
    use crate::format::{write_class, write_session};
    use crate::remote::write_ok;

    /// A connection whose answer is there already, and that keeps what is sent.
    struct Prepared {
        answer: Cursor<Vec<u8>>,
        sent: Vec<u8>,
    }

    impl Read for Prepared {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.answer.read(buffer)
        }
    }

    impl Write for Prepared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.sent.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn answer() -> Vec<u8> {
        let mut answer = Vec::new();
        write_header(&mut answer);
        write_session(&mut answer, "s", 1, 2);
        write_class(&mut answer, 7, b"A", &[1]);
        answer
    }

    fn ask(answer: Vec<u8>) -> (Vec<u8>, Result<Store, RemoteError>) {
        let mut connection = Prepared { answer: Cursor::new(answer), sent: Vec::new() };
        let result = request_dump(&mut connection, true);
        (connection.sent, result)
    }

    #[test]
    fn the_answer_is_everything_up_to_the_ok() {
        let mut complete = answer();
        write_ok(&mut complete);
        let (sent, store) = ask(complete);
        assert_eq!(sent, [0x01, 0xC0, 0xC0, 0x10, 0x07, 0x40, 1, 1]);
        let store = store.expect("answers");
        assert_eq!((store.sessions().len(), store.classes().len()), (1, 1));
    }

    #[test]
    fn an_answer_without_the_ok_is_none() {
        let without_ok = answer();
        for length in 0..=without_ok.len() {
            let (_, result) = ask(without_ok[..length].to_vec());
            assert!(matches!(result, Err(RemoteError::Closed)), "{length}: {result:?}");
        }
    }

    #[test]
    fn a_question_is_no_answer() {
        let mut question = answer();
        write_dump_command(&mut question, true, false);
        assert!(matches!(ask(question).1, Err(RemoteError::NoAnswer)));
        assert!(matches!(ask(b"HTTP/1.1 400".to_vec()).1, Err(RemoteError::Data(_))));
    }

    #[test]
    fn connecting_is_tried_as_often_as_asked_for() {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|listener| listener.local_addr());
        let port = port.expect("a free port").port();
        let target = Target { host: Some("127.0.0.1"), port, retries: 3, pause: Duration::from_millis(1) };
        let mut failures = 0;
        let result = connect(&target, |_| failures += 1);
        assert!(matches!(result, Err(RemoteError::NotConnected(_))));
        assert_eq!(failures, 3);
    }

    #[test]
    fn who_listens_late_is_reached() {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("binds");
        let address = listener.local_addr().expect("is bound");
        drop(listener);
        let target = Target { host: None, port: address.port(), retries: 5, pause: Duration::from_millis(1) };
        let mut late = None;
        connect(&target, |_| late = Some(TcpListener::bind(address).expect("binds again"))).expect("reached");
        assert!(late.is_some());
    }
}
