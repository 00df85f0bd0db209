//! Classes and archives under names that do not tell what they are, and other things under names of classes: what counts
//! must be what counts for JaCoCo's own command.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use probity_classpath::Source;
use probity_test_support::java::test_jdks;
use probity_test_support::tools::jacoco_command;

use crate::packed_archive::packed_archive;
use crate::{assert_same, sample_jar, text};

type Files = Vec<(String, Vec<u8>)>;

const TEXT: &[u8] = b"This is text, whatever it is called.\n";

/// What is nothing that JaCoCo looks into, and whether there is a warning because its name says something else.
const LEFT_OUT: [(&str, &[u8], bool); 11] = [
    ("Text.class", TEXT, true),
    ("Empty.class", b"", true),
    ("Short.class", b"\xCA\xFE\xBA", true),
    ("text.jar", TEXT, true),
    ("empty.war", b"", true),
    ("Library.class", b"\xCA\xFE\xBA\xBE\0\0\0\x02\x01\0\0\x07", true),
    ("library.dylib", b"\xCA\xFE\xBA\xBE\0\0\0\x02\x01\0\0\x07", false),
    ("no-entries.jar", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", false),
    ("short.gz", b"\x1F\x8B\x08", false),
    ("shorter.gz", b"\x1F\x8B", false),
    ("notes.txt", TEXT, false),
];

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("packs")
}

/// The classes of a jar.
fn classes(jar: &Path) -> Vec<Vec<u8>> {
    let mut classes = Vec::new();
    let source = Source::open(jar).expect("opens");
    source.visit_classes(|class| classes.push(class.expect("is read").bytes.to_vec()));
    classes
}

/// The same with a number and an ending as names.
fn named(classes: &[Vec<u8>], ending: &str) -> Files {
    let numbered = classes.iter().enumerate();
    numbered.map(|(number, class)| (format!("{number}{ending}"), class.clone())).collect()
}

/// Classes in all the ways in which JaCoCo finds them.
fn found() -> Files {
    let all = classes(&sample_jar("jython"));
    let chunks: Vec<&[Vec<u8>]> = all.chunks(all.len() / 12).collect();
    let file = |name: &str, content: Vec<u8>| (name.to_owned(), content);
    let mut inner = named(chunks[0], ".dat");
    inner.insert(3, file("deep/er.bin", packed_archive(&named(chunks[1], ".class"))));
    inner.insert(9, file("deep/er.gz", gzip(&packed_archive(&named(chunks[2], "")))));
    let mut files = named(chunks[3], ".bin");
    files.extend([
        file("inner.bin", packed_archive(&inner)),
        file("feature.kar", packed_archive(&named(chunks[4], ".class"))),
        file("app.aar", packed_archive(&named(chunks[5], ".txt"))),
        file("archive.class", packed_archive(&named(chunks[6], ".class"))),
        file("packed.class", gzip(&chunks[7][0])),
        file("class.jar", chunks[7][1].clone()),
        file("Class.class.gz", gzip(&chunks[7][2])),
        file("twice", gzip(&gzip(&chunks[7][3]))),
        file("two parts.gz", [gzip(&chunks[7][4][..50]), gzip(&chunks[7][4][50..])].concat()),
        file("coroutines", fs::read(sample_jar("coroutines")).expect("is there")),
        file("again.jar", packed_archive(&named(chunks[3], ".class"))),
    ]);
    files
}

/// Things that do not count.
fn left_out() -> Files {
    let mut files: Files =
        LEFT_OUT.iter().map(|(name, content, _)| ((*name).to_owned(), content.to_vec())).collect();
    let classes = packed_archive(&named(&classes(&sample_jar("jython"))[..1], ".class"));
    files.push(("run.ear".to_owned(), [b"#!/bin/sh\n", &classes[..]].concat()));
    files.push(("notes.gz".to_owned(), gzip(TEXT)));
    files.push(("zeros.bin".to_owned(), vec![0; 30 << 20]));
    files
}

/// Writes reports with both commands, `ours.xml` and so on; gives our messages.
fn report(folder: &Path, places: &[PathBuf]) -> String {
    let mut ours = Command::new(env!("CARGO_BIN_EXE_probity"));
    ours.args(["report", "--format", "xml=ours.xml", "csv=ours.csv"]).current_dir(folder);
    let mut theirs = Command::new(test_jdks()[0].java());
    theirs.arg("-jar").arg(jacoco_command().expect("is fetched")).current_dir(folder);
    theirs.args(["report", "--xml", "theirs.xml", "--csv", "theirs.csv"]);
    for place in places {
        ours.arg("--classes").arg(place);
        theirs.arg("--classfiles").arg(place);
    }
    let (ours, theirs) = (ours.output().expect("runs"), theirs.output().expect("runs"));
    assert!(theirs.status.success(), "{}", text(&theirs.stderr));
    let messages = text(&ours.stderr).to_owned();
    assert_eq!(ours.status.code(), Some(0), "{messages}");
    messages
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).expect("is there")
}

fn assert_same_reports(folder: &Path) {
    for format in ["xml", "csv"] {
        let (ours, theirs) =
            (read(folder, &format!("ours.{format}")), read(folder, &format!("theirs.{format}")));
        assert!(ours.len() > 50_000, "{} bytes", ours.len());
        assert_same(format, &ours, &theirs);
    }
    assert!(read(folder, "ours.csv").contains("kotlin.coroutines.jvm.internal,DebugProbesKt"));
}

/// There is one warning for each file with a name that is wrong, and no other message.
fn assert_misnamed_are_told(messages: &str) {
    let misnamed = LEFT_OUT.iter().filter(|(_, _, is_misnamed)| *is_misnamed).map(|(name, ..)| *name);
    let misnamed: Vec<&str> = misnamed.chain(["run.ear"]).collect();
    for name in &misnamed {
        let of_name = messages.lines().filter(|line| line.contains(&format!(": {name}: is ")));
        assert_eq!(of_name.filter(|line| line.starts_with("warning: ")).count(), 1, "{name} in {messages}");
    }
    assert_eq!(messages.lines().count(), misnamed.len(), "{messages}");
}

#[test]
fn an_archive_with_odd_names_is_reported_as_by_jacoco() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let mut files = found();
    for (at, file) in left_out().into_iter().enumerate() {
        files.insert(3 * at, file);
    }
    fs::write(folder.path().join("odd"), packed_archive(&files)).expect("writes");
    let messages = report(folder.path(), &[PathBuf::from("odd")]);
    assert_same_reports(folder.path());
    assert_misnamed_are_told(&messages);
}

#[test]
fn files_with_odd_names_are_reported_as_by_jacoco() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let classes = folder.path().join("classes");
    fs::create_dir(&classes).expect("creates");
    let write = |files: &Files| {
        for (name, content) in files {
            fs::write(classes.join(name), content).expect("writes");
        }
    };
    let found = found();
    write(&found);
    write(&left_out());

    let places: Vec<PathBuf> = found.iter().map(|(name, _)| Path::new("classes").join(name)).collect();
    assert_eq!(report(folder.path(), &places), "");
    assert_same_reports(folder.path());

    // JaCoCo lists files in the order of the file system, and with it some of the classes.
    let messages = report(folder.path(), &[PathBuf::from("classes")]);
    let sorted = |name: &str| {
        let text = read(folder.path(), name);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines.join("\n")
    };
    assert_same("sorted csv", &sorted("ours.csv"), &sorted("theirs.csv"));
    assert_misnamed_are_told(&messages);
}

#[test]
fn cut_classes_are_errors_for_both() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let class = classes(&sample_jar("jython")).remove(0);
    for length in [4, 7, 8, 100] {
        fs::write(folder.path().join("cut.bin"), &class[..length]).expect("writes");
        let ours = Command::new(env!("CARGO_BIN_EXE_probity"))
            .args(["report", "--classes", "."])
            .current_dir(folder.path())
            .output()
            .expect("runs");
        let theirs = Command::new(test_jdks()[0].java())
            .arg("-jar")
            .arg(jacoco_command().expect("is fetched"))
            .args(["report", "--classfiles", ".", "--csv", "/dev/null"])
            .current_dir(folder.path())
            .output()
            .expect("runs");
        assert!(!theirs.status.success(), "{length} bytes");
        assert_eq!(ours.status.code(), Some(1), "{length} bytes");
        assert!(text(&ours.stderr).starts_with("error: .: cut.bin: "), "{}", text(&ours.stderr));
    }
}
