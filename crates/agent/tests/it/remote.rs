//! Execution data over connections: JaCoCo's own client and a server made with its library.

use crate::execution_data::{names, the_class};
use crate::harness::{compile_with, one_jdk, our_argument, read};
use probity_execdata::store::Store;
use probity_test_support::java::{Compilation, CompiledClasses};
use probity_test_support::tools;
use probity_toolchain::Jdk;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A Java program that is running.
struct Running {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Running {
    fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("a JVM");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { child, output }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("text");
        line.trim_end().to_owned()
    }

    fn say(&mut self, line: &str) {
        let input = self.child.stdin.as_mut().expect("it is open");
        writeln!(input, "{line}").expect("the program listens");
    }

    /// Closes the input and waits for the end.
    fn end(mut self) -> Option<i32> {
        drop(self.child.stdin.take());
        self.child.wait().expect("it was started").code()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // A test that failed must not leave a JVM behind; one that ended is not harmed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn waiting(jdk: &Jdk) -> CompiledClasses {
    Compilation::with(jdk)
        .source("Target.java", include_str!("java/Target.java"))
        .source("Waiting.java", include_str!("java/Waiting.java"))
        .compile()
        .unwrap_or_else(|error| panic!("{error}"))
}

fn start_waiting(jdk: &Jdk, classes: &CompiledClasses, options: &str) -> Running {
    let mut running = Running::start(
        Command::new(jdk.java()).arg(our_argument(options)).arg("-cp").arg(classes.folder()).arg("Waiting"),
    );
    assert_eq!(running.line(), "10");
    running
}

/// A port at which nobody listens.
fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// Asks with JaCoCo's command.
fn dump(jdk: &Jdk, port: u16, file: &Path, more: &[&str]) -> Store {
    let output = Command::new(jdk.java())
        .arg("-jar")
        .arg(tools::jacoco_command().unwrap_or_else(|error| panic!("{error}")))
        .args(["dump", "--address", "127.0.0.1", "--port", &port.to_string(), "--destfile"])
        .arg(file)
        .args(more)
        .output()
        .expect("a JVM");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let store = read(file);
    std::fs::remove_file(file).expect("it was written");
    store
}

fn hits(data: &Store) -> Vec<bool> {
    the_class(data, "Target").probes.iter().collect()
}

#[test]
fn jacocos_client_asks_the_agent() {
    let jdk = one_jdk();
    let classes = waiting(&jdk);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("dumped.exec");
    let port = free_port();
    let mut running =
        start_waiting(&jdk, &classes, &format!("output=tcpserver,port={port},sessionid=served"));
    let first = dump(&jdk, port, &file, &[]);
    assert_eq!(names(&first), ["Target", "Waiting"]);
    assert_eq!(first.sessions()[0].id, b"served");
    let reset = dump(&jdk, port, &file, &["--reset"]);
    assert_eq!(hits(&reset), hits(&first), "nothing happened in between");
    running.say("2");
    assert_eq!(running.line(), "20");
    let after = dump(&jdk, port, &file, &[]);
    assert_eq!(hits(&after).iter().filter(|hit| **hit).count(), 1, "only the second way");
    assert_ne!(hits(&after), hits(&first));
    assert!(after.sessions()[0].start_millis >= first.sessions()[0].start_millis);
    assert_eq!(running.end(), Some(0));
}

#[test]
fn a_port_in_use_or_no_server_costs_a_message_only() {
    let jdk = one_jdk();
    let classes = waiting(&jdk);
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    for options in [format!("output=tcpserver,port={port}"), format!("output=tcpclient,port={}", free_port())]
    {
        let output = Command::new(jdk.java())
            .arg(our_argument(&options))
            .arg("-cp")
            .arg(classes.folder())
            .arg("Waiting")
            .stdin(Stdio::null())
            .output()
            .expect("a JVM");
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{stderr}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "10\n");
        assert!(stderr.starts_with("probity: no connection at") && stderr.lines().count() == 1, "{stderr}");
    }
}

#[test]
fn the_agent_connects_to_a_server_of_jacocos_library() {
    let jdk = one_jdk();
    let classes = waiting(&jdk);
    let jacoco = tools::jacoco_class_path().unwrap_or_else(|error| panic!("{error}"));
    let server_class = compile_with(&jdk, "CollectServer", include_str!("java/CollectServer.java"), &jacoco);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (asked, at_exit) = (folder.path().join("asked.exec"), folder.path().join("exit.exec"));
    let class_path =
        std::env::join_paths(jacoco.iter().chain([&server_class.folder()])).expect("no separators");
    let mut server = Running::start(
        Command::new(jdk.java()).arg("-cp").arg(class_path).arg("CollectServer").args([&asked, &at_exit]),
    );
    let port = server.line();
    let mut running = start_waiting(&jdk, &classes, &format!("output=tcpclient,port={port},includes=T*"));
    assert_eq!(server.line(), "asked");
    assert!(read(&asked).sessions().len() == 1);
    running.say("3");
    assert_eq!(running.line(), "30");
    assert_eq!(running.end(), Some(0));
    assert_eq!(server.line(), "end false");
    assert_eq!(names(&read(&at_exit)), ["Target"], "what happened after the reset came at the end");
    assert_eq!(server.end(), Some(0));
}

#[test]
fn a_program_ends_while_somebody_is_connected_and_silent() {
    let jdk = one_jdk();
    let classes = waiting(&jdk);
    let port = free_port();
    let running = start_waiting(&jdk, &classes, &format!("output=tcpserver,port={port}"));
    let silent = std::net::TcpStream::connect(("127.0.0.1", port)).expect("the agent listens");
    assert_eq!(running.end(), Some(0));
    drop(silent);
}
