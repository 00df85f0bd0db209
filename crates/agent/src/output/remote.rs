//! Sends execution data over a connection: the agent listens or connects, and answers requests.
//!
//! One connection is served at a time. When the JVM ends, whoever is connected gets the data without asking.

use super::DataSource;
use crate::messages::say;
use crate::options::{Options, Output};
use probity_execdata::remote::{Block, Reader, write_ok};
use probity_execdata::write_header;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug)]
pub(crate) struct Remote {
    end: Mutex<Option<End>>,
    /// The connection that is open, for writing.
    connection: Mutex<Option<TcpStream>>,
}

/// How connections come about.
#[derive(Debug)]
enum End {
    Server(TcpListener),
    Client(TcpStream),
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Remote {
    /// Listens or connects.
    pub(super) fn new(options: &Options) -> Self {
        let end = match options.output {
            Output::TcpClient => connect(options).map(End::Client),
            _ => listen(options).map(End::Server),
        };
        let end = end.map_err(|error| {
            let address = options.address.as_deref().unwrap_or("localhost");
            say(&format_args!(
                "no connection at {address} port {}: {error}; nothing will be sent",
                options.port
            ));
        });
        Self { end: Mutex::new(end.ok()), connection: Mutex::new(None) }
    }

    /// Serves connections on a thread of its own.
    pub(super) fn start(self: &Arc<Self>, source: &Arc<dyn DataSource>) {
        let Some(end) = locked(&self.end).take() else { return };
        let (remote, source) = (Arc::clone(self), Arc::clone(source));
        let serve = move || match end {
            End::Client(stream) => remote.serve(stream, &*source),
            End::Server(listener) => {
                for stream in listener.incoming().flatten() {
                    remote.serve(stream, &*source);
                }
            }
        };
        if let Err(error) = std::thread::Builder::new().name("probity".to_owned()).spawn(serve) {
            say(&format_args!("no thread for connections: {error}; nothing will be sent"));
        }
    }

    /// Answers requests until the other side closes the connection.
    fn serve(&self, stream: TcpStream, source: &dyn DataSource) {
        let Ok(reading) = stream.try_clone() else { return };
        *locked(&self.connection) = Some(stream);
        if let Err(error) = self.answer_all(reading, source) {
            say(&format_args!("a connection broke: {error}"));
        }
        *locked(&self.connection) = None;
    }

    fn answer_all(
        &self,
        reading: TcpStream,
        source: &dyn DataSource,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let mut header = Vec::new();
        write_header(&mut header);
        self.send(&header)?;
        let mut requests = Reader::new(reading);
        while let Some(block) = requests.next_block()? {
            if let Block::DumpCommand { dump, reset } = block {
                let mut answer = Vec::new();
                if dump {
                    answer = source.data(reset).unwrap_or_default();
                } else if reset {
                    source.reset();
                }
                write_ok(&mut answer);
                self.send(&answer)?;
            }
        }
        Ok(())
    }

    fn send(&self, bytes: &[u8]) -> std::io::Result<()> {
        match &mut *locked(&self.connection) {
            Some(stream) => stream.write_all(bytes).and_then(|()| stream.flush()),
            None => Ok(()),
        }
    }

    /// Sends data that nobody asked for; if nobody is connected, it is lost.
    pub(super) fn send_at_exit(&self, data: &[u8]) {
        let mut answer = data.to_vec();
        write_ok(&mut answer);
        if let Err(error) = self.send(&answer) {
            say(&format_args!("execution data was not sent: {error}"));
        }
        if let Some(stream) = &*locked(&self.connection) {
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
    }
}

fn listen(options: &Options) -> std::io::Result<TcpListener> {
    match options.address.as_deref() {
        None => TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)),
        Some("*") => {
            let any = [IpAddr::from(Ipv6Addr::UNSPECIFIED), IpAddr::from(Ipv4Addr::UNSPECIFIED)];
            TcpListener::bind(any.map(|address| SocketAddr::new(address, options.port)).as_slice())
        }
        Some(address) => TcpListener::bind((address, options.port)),
    }
}

fn connect(options: &Options) -> std::io::Result<TcpStream> {
    let address = options.address.as_deref().unwrap_or("localhost");
    let addresses: Vec<SocketAddr> = (address, options.port).to_socket_addrs()?.collect();
    TcpStream::connect(addresses.as_slice())
}
