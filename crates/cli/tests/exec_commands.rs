//! `execinfo`, `merge` and `dump` beside JaCoCo's own command and agent.
//!
//! All connections stay on this machine.

#[path = "inputs/exec_files.rs"]
mod exec_files;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use probity_execdata::remote::{Block, Reader, write_ok};
use probity_test_support::java::{Compilation, CompiledClasses, test_jdks};
use probity_test_support::tools;
use tempfile::TempDir;

fn probity(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_probity"));
    command.args(arguments).current_dir(folder).output().expect("runs")
}

/// JaCoCo's command, in UTC.
fn jacoco(folder: &Path, arguments: &[&str]) -> Output {
    let jar = tools::jacoco_command().unwrap_or_else(|error| panic!("{error}"));
    let mut command = Command::new(test_jdks()[0].java());
    command.args(["-Duser.timezone=UTC", "-Dfile.encoding=UTF-8", "-jar"]).arg(jar).args(arguments);
    command.current_dir(folder).output().expect("runs")
}

/// What a command prints that does its work.
fn printed(output: &Output) -> &str {
    let text = |bytes| std::str::from_utf8(bytes).expect("is text");
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("temporary folder");
    exec_files::write_all(&|name, content| fs::write(folder.path().join(name), content).expect("writes"));
    folder
}

#[test]
fn execinfo_prints_what_jacocos_command_prints() {
    let folder = folder();
    let arguments = ["execinfo", "first.exec", "second.exec", "empty.exec"];
    let ours = probity(folder.path(), &arguments);
    assert_eq!(printed(&ours), printed(&jacoco(folder.path(), &arguments)));
    assert!(printed(&ours).contains("1000 of 1000"));
}

#[test]
fn merge_writes_what_jacocos_command_writes() {
    let folder = folder();
    for _ in ["creates", "appends"] {
        for (command, destination) in [(probity as fn(&Path, &[&str]) -> Output, "ours"), (jacoco, "theirs")]
        {
            let arguments = ["merge", "first.exec", "second.exec", "--destfile", destination];
            printed(&command(folder.path(), &arguments));
        }
        // JaCoCo's order of classes is that of a hash table, so the blocks are compared in another order.
        let lines = |file| {
            let output = probity(folder.path(), &["execinfo", file]);
            let mut lines: Vec<_> = printed(&output).lines().skip(1).map(str::to_owned).collect();
            lines.sort_unstable();
            lines
        };
        assert_eq!(lines("ours"), lines("theirs"));
    }
}

/// The file may only grow to a few blocks of the file system; a part of the data is written, and must be taken back.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_written_to_the_end_is_as_it_was() {
    let folder = folder();
    let mut big = exec_files::first();
    for id in 0..1000 {
        probity_execdata::write_class(&mut big, id, format!("p/Class{id}").as_bytes(), &[1; 100]);
    }
    fs::write(folder.path().join("big.exec"), &big).expect("writes");
    fs::write(folder.path().join("x.exec"), exec_files::first()).expect("writes");
    let script = "ulimit -f 8 && trap '' XFSZ && exec \"$0\" merge big.exec --destfile x.exec";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_probity")]).current_dir(folder.path());
    let output = command.output().expect("runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.starts_with("error: x.exec: cannot write: ") && message.contains("hint: make room"),
        "{message}"
    );
    assert_eq!(fs::read(folder.path().join("x.exec")).expect("is there"), exec_files::first());
}

/// A program with JaCoCo's agent, which listens.
struct Listening {
    child: Child,
    port: u16,
    _classes: CompiledClasses,
}

const TARGET: &str = r#"
public class Target {
    public static void main(String[] arguments) throws Exception {
        System.out.println("ready");
        for (int input = System.in.read(); input != -1; input = System.in.read()) {
            System.out.println(input == 'a' ? "an a" : "something else");
        }
    }
}
"#;

impl Listening {
    fn start() -> Listening {
        let jdk = &test_jdks()[0];
        let agent = tools::jacoco_agent().unwrap_or_else(|error| panic!("{error}"));
        let classes = Compilation::with(jdk).source("Target.java", TARGET).compile();
        let classes = classes.unwrap_or_else(|error| panic!("{error}"));
        let port = free_port();
        let options = format!("output=tcpserver,address=127.0.0.1,port={port},sessionid=of-the-test");
        let child = Command::new(jdk.java())
            .arg(format!("-javaagent:{}={options}", agent.display()))
            .arg("-classpath")
            .arg(classes.folder())
            .arg("Target")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("starts");
        let mut listening = Listening { child, port, _classes: classes };
        assert_eq!(listening.line(), "ready");
        listening
    }

    /// Gives the program a byte, and waits for its answer.
    fn step(&mut self, input: &str) -> String {
        let mut stdin = self.child.stdin.as_ref().expect("is piped");
        stdin.write_all(input.as_bytes()).and_then(|()| stdin.flush()).expect("listens");
        self.line()
    }

    fn line(&mut self) -> String {
        let stdout = self.child.stdout.as_mut().expect("is piped");
        let byte_by_byte = BufReader::with_capacity(1, stdout);
        byte_by_byte.lines().next().expect("answers").expect("is text")
    }

    fn dump(&self, folder: &Path, destination: &str, more: &[&str]) -> Output {
        let port = self.port.to_string();
        let arguments = [&["dump", "--destfile", destination, "--port", &port], more].concat();
        probity(folder, &arguments)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("binds");
    listener.local_addr().expect("is bound").port()
}

/// The lines of `execinfo` about classes.
fn class_lines(folder: &Path, file: &str) -> Vec<String> {
    let output = probity(folder, &["execinfo", file]);
    let is_class = |line: &&str| line.contains(" of ");
    printed(&output).lines().filter(is_class).map(str::to_owned).collect()
}

#[test]
fn dump_gets_the_data_of_jacocos_agent() {
    let folder = folder();
    let folder = folder.path();
    let mut program = Listening::start();
    assert_eq!(program.step("x"), "something else");

    let output = program.dump(folder, "ours.exec", &["--json"]);
    assert_eq!(printed(&output), "{\"sessions\":1,\"classes\":1}\n");
    let port = program.port.to_string();
    printed(&jacoco(folder, &["dump", "--destfile", "theirs.exec", "--port", &port]));
    let lines = class_lines(folder, "ours.exec");
    assert_eq!(lines, class_lines(folder, "theirs.exec"));
    assert!(matches!(&lines[..], [line] if line.ends_with("   Target")), "{lines:?}");
    let sessions = probity(folder, &["execinfo", "--json", "ours.exec"]);
    assert!(printed(&sessions).contains(r#""id":"of-the-test""#));

    assert_eq!(program.step("a"), "an a");
    assert_eq!(
        printed(&program.dump(folder, "ours.exec", &["--reset", "--address", "127.0.0.1"])),
        "ours.exec: 1 session and 1 class appended\n"
    );
    assert_eq!(program.step("a"), "an a");
    assert_eq!(printed(&program.dump(folder, "ours.exec", &["--quiet"])), "");
    let hits: Vec<usize> = class_lines(folder, "ours.exec").iter().map(|line| hit_count(line)).collect();
    let [first, more, after_reset] = hits[..] else { panic!("{hits:?}") };
    assert!(first < more && after_reset < first, "{hits:?}");
    printed(&jacoco(folder, &["execinfo", "ours.exec"]));
}

fn hit_count(line: &str) -> usize {
    line.split_whitespace().nth(1).expect("has hits").parse().expect("is a number")
}

/// Waits for one connection and gives an answer, after a time in which nobody listens.
fn answer_late(address: SocketAddr, after: Duration, answer: Vec<u8>) -> thread::JoinHandle<Option<Block>> {
    thread::spawn(move || {
        thread::sleep(after);
        let (mut connection, _) = TcpListener::bind(address).expect("binds").accept().expect("accepts");
        let command = Reader::new(&connection).next_block().expect("is asked");
        connection.write_all(&answer).expect("sends");
        command
    })
}

fn local(port: u16) -> SocketAddr {
    (Ipv4Addr::LOCALHOST, port).into()
}

#[test]
fn dump_tries_again_until_somebody_listens() {
    let folder = folder();
    let port = free_port();
    let mut answer = exec_files::first();
    write_ok(&mut answer);
    let agent = answer_late(local(port), Duration::from_millis(500), answer);
    let port = port.to_string();
    let output = probity(folder.path(), &["dump", "--destfile", "late/x.exec", "--port", &port]);
    assert_eq!(printed(&output), "late/x.exec: 1 session and 2 classes appended\n");
    let warnings = String::from_utf8_lossy(&output.stderr);
    assert!(warnings.starts_with("warning: localhost:") && warnings.contains("trying again"), "{warnings}");
    assert_eq!(agent.join().expect("no panic"), Some(Block::DumpCommand { dump: true, reset: false }));
    assert_eq!(fs::read(folder.path().join("late/x.exec")).expect("is there"), exec_files::first());
}

#[test]
fn an_answer_that_is_not_complete_is_not_written() {
    let folder = folder();
    for (answer, message) in [
        (exec_files::first(), "socket closed unexpectedly"),
        (exec_files::first()[..30].to_vec(), "socket closed unexpectedly"),
        (b"HTTP/1.1 400 Bad Request".to_vec(), "not execution data"),
        (vec![0x01, 0xC0, 0xC0, 0x10, 0x06], "incompatible version 0x1006"),
    ] {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("binds");
        let port = listener.local_addr().expect("is bound").port().to_string();
        let agent = thread::spawn(move || {
            let (mut connection, _) = listener.accept().expect("accepts");
            connection.read_exact(&mut [0; 8]).expect("is asked");
            connection.write_all(&answer).expect("sends");
        });
        let output =
            probity(folder.path(), &["dump", "--destfile", "x.exec", "--port", &port, "--retry", "0"]);
        agent.join().expect("no panic");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(message) && text.contains("hint: "), "{text}");
        assert_eq!(fs::read(folder.path().join("x.exec")).expect("is there"), b"");
    }
}

#[test]
fn a_destination_that_cannot_be_written_is_found_before_the_agent_is_asked() {
    let folder = folder();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("binds");
    let port = listener.local_addr().expect("is bound").port().to_string();
    let destination = PathBuf::from("first.exec").join("x.exec");
    let destination = destination.to_str().expect("is text");
    let output = probity(folder.path(), &["dump", "--reset", "--destfile", destination, "--port", &port]);
    assert_eq!(output.status.code(), Some(2));
    let (mut connection, _) = listener.accept().expect("accepts");
    let mut received = Vec::new();
    connection.read_to_end(&mut received).expect("is closed");
    assert_eq!(received, b"");
}
