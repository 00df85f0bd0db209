//! JaCoCo and this crate read each other's files alike, and refuse the same ones.
//!
//! JaCoCo's library is asked for everything; the data is random, from fixed seeds.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use fastrand::Rng;
use probity_execdata::store::Store;
use probity_execdata::utf;
use probity_test_support::java::test_jdks;
use probity_test_support::tools;
use tempfile::TempDir;

use crate::conversation::Conversation;
use crate::random;

/// JaCoCo, and a folder for the files that are shown to it.
struct Jacoco {
    program: Conversation,
    folder: TempDir,
}

impl Jacoco {
    fn start() -> Jacoco {
        let class_path = tools::jacoco_class_path().unwrap_or_else(|error| panic!("{error}"));
        let program = Conversation::start(&test_jdks()[0], "ExecData", &class_path, OsStr::new(""));
        Jacoco { program, folder: tempfile::tempdir().expect("temporary folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Files with these contents.
    fn files<const N: usize>(&self, contents: [&[u8]; N]) -> [PathBuf; N] {
        let mut number = 0;
        contents.map(|content| {
            number += 1;
            let path = self.path(&format!("{number}.exec"));
            fs::write(&path, content).expect("writes");
            path
        })
    }

    fn ask(&mut self, request: &str, files: &[PathBuf]) -> String {
        let names: Vec<_> = files.iter().map(|file| file.to_str().expect("a plain path")).collect();
        self.program.ask(&format!("{request} {}\n", names.join(" ")))
    }
}

/// The same description as that of the Java program.
fn describe(store: &Store) -> String {
    let mut description = String::new();
    for session in store.sessions() {
        let (start, dump) = (session.start_millis, session.dump_millis);
        let _ = write!(description, "session {} {start} {dump};", units(&session.id));
    }
    for class in store.classes().filter(|class| class.probes.hit_count() > 0) {
        let bits: String = class.probes.iter().map(|hit| if hit { '1' } else { '0' }).collect();
        let _ = write!(description, "class {:016x} {} {bits};", class.id, units(&class.name));
    }
    description
}

fn units(text: &[u8]) -> String {
    utf::utf16(text).fold("u".to_owned(), |hex, unit| format!("{hex}{unit:04x}"))
}

fn load(files: &[PathBuf]) -> String {
    let mut store = Store::default();
    let result = files.iter().try_for_each(|file: &PathBuf| store.load_file(Path::new(file)));
    result.map_or_else(|_| "refused".to_owned(), |()| describe(&store))
}

fn subtract(files: &[PathBuf; 2]) -> String {
    let [mut rest, mut taken] = [Store::default(), Store::default()];
    let loaded = rest.load_file(&files[0]).is_ok() && taken.load_file(&files[1]).is_ok();
    if loaded && rest.subtract(&taken).is_ok() { describe(&rest) } else { "refused".to_owned() }
}

#[test]
fn jacoco_reads_what_we_write() {
    let mut jacoco = Jacoco::start();
    for seed in 0..300 {
        let store = random::store(&mut Rng::with_seed(seed), random::Ids::All);
        let mut content = Vec::new();
        store.write(&mut content);
        let files = jacoco.files([&content]);
        assert_eq!(jacoco.ask("load", &files), describe(&store), "seed {seed}");
    }
}

#[test]
fn we_read_what_jacoco_writes() {
    let mut jacoco = Jacoco::start();
    for seed in 0..300 {
        let path = jacoco.path("java.exec");
        let written = jacoco.program.ask(&format!("write {} {seed}\n", path.display()));
        assert_eq!(load(&[path]), written, "seed {seed}");
    }
}

#[test]
fn several_files_are_added_up_alike() {
    let mut jacoco = Jacoco::start();
    let mut refused = 0;
    for seed in 0..300 {
        let rng = &mut Rng::with_seed(seed);
        let contents = [(); 3].map(|()| random::content(rng, random::Ids::Few));
        let files = jacoco.files([&contents[0], &contents[1], &contents[2]]);
        let sum = load(&files);
        assert_eq!(jacoco.ask("load", &files), sum, "seed {seed}");
        let [first, second, _] = files;
        let files = [first, second];
        assert_eq!(jacoco.ask("subtract", &files), subtract(&files), "seed {seed}");
        refused += usize::from(sum == "refused");
    }
    assert!((30..270).contains(&refused), "both outcomes should be frequent: {refused} of 300 refused");
}

#[test]
fn damaged_files_are_taken_and_refused_alike() {
    let mut jacoco = Jacoco::start();
    let mut refused = 0;
    for seed in 0..3000 {
        let rng = &mut Rng::with_seed(seed);
        let mut content = random::content(rng, random::Ids::All);
        random::damage(rng, &mut content);
        let files = jacoco.files([&content]);
        let ours = load(&files);
        assert_eq!(jacoco.ask("load", &files), ours, "seed {seed}: {content:02x?}");
        refused += usize::from(ours == "refused");
    }
    assert!((300..2700).contains(&refused), "both outcomes should be frequent: {refused} of 3000 refused");
}

#[test]
fn what_no_writer_writes_is_taken_and_refused_alike() {
    let header = [0x01, 0xC0, 0xC0, 0x10, 0x07];
    let class = |name: &[u8], rest: &[u8]| {
        let length = (name.len() as u16).to_be_bytes();
        [&header[..], &[0x11; 9], &length, name, rest].concat()
    };
    let cases: Vec<(&str, bool, Vec<u8>)> = vec![
        ("nothing", true, vec![]),
        ("only a header", true, header.to_vec()),
        ("two headers", true, [header, header].concat()),
        ("text", false, b"text".to_vec()),
        ("a session without header", false, vec![0x10, 0, 0]),
        ("an older version", false, vec![0x01, 0xC0, 0xC0, 0x10, 0x06]),
        (
            "an older version in a later header",
            false,
            [&header[..], &[0x01, 0xC0, 0xC0, 0x10, 0x06]].concat(),
        ),
        ("another magic", false, vec![0x01, 0xC0, 0xC1, 0x10, 0x07]),
        ("half a header", false, vec![0x01, 0xC0]),
        ("an ok", false, [&header[..], &[0x20]].concat()),
        ("a command", false, [&header[..], &[0x40, 1, 1]].concat()),
        ("no probes", true, class(b"A", &[0])),
        ("no hits", true, class(b"A", &[9, 0, 0])),
        ("bits beyond the last probe", true, class(b"A", &[1, 0xFF])),
        ("a long number", true, class(b"A", &[0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00, 1])),
        ("a number beyond 32 bits", true, class(b"A", &[0x81, 0x80, 0x80, 0x80, 0x70, 1])),
        ("the largest number", false, class(b"A", &[0xFF, 0xFF, 0xFF, 0xFF, 0x07, 1])),
        ("a negative number", false, class(b"A", &[0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 1])),
        ("a zero byte in a name", true, class(&[0], &[1, 1])),
        ("a name with needless bytes", true, class(&[0xC1, 0x81], &[1, 1])),
        ("half a surrogate pair", true, class(&[0xED, 0xA0, 0xBD], &[1, 1])),
        ("four bytes for a character", false, class(&[0xF0, 0x9F, 0x98, 0x80], &[1, 1])),
        ("half a character", false, class(&[0xC3], &[1, 1])),
        ("an end without start", false, class(&[0x80], &[1, 1])),
        ("a wrong end", false, class(&[0xE2, 0x82, 0x28], &[1, 1])),
        ("two spellings", true, [class(b"A", &[2, 1]), class(&[0xC1, 0x81], &[2, 2])].concat()),
        ("two names", false, [class(b"A", &[2, 1]), class(b"B", &[2, 2])].concat()),
        ("two lengths", false, [class(b"A", &[2, 1]), class(b"A", &[3, 2])].concat()),
    ];
    let mut jacoco = Jacoco::start();
    for (what, is_taken, content) in cases {
        let files = jacoco.files([&content]);
        let theirs = jacoco.ask("load", &files);
        assert_eq!(theirs != "refused", is_taken, "JaCoCo: {what}: {theirs}");
        assert_eq!(load(&files), theirs, "{what}");
    }
}
