//! Recordings in a folder become traces: classes in folders and jars, class paths in manifests, damage, JaCoCo's data.

use probity_engine::recording::{Recorded, RecordingProblemKind, read_recordings};
use probity_shape::{ContentId, ShapeReader, class_id};
use probity_test_support::java::{Compilation, CompiledClasses, test_jdks};
use probity_trace::{FileState, Problem, Trace};
use probity_wire::{
    ClassMessage, Fact, HEADER, Message, Origin, StartMessage, UnitMessage, Used, write_frame,
};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const SOURCE: &str = "
package app;
class User { static int get() { return Lib.x + Lib.call(); } }
class Lib { static int x; static int call() { return x; } }
class Missing { static int x; }
class Unused { static int x; }
class Refers { static int get(int i) { return i > 0 ? Missing.x : Unused.x; } }
";

/// A project with classes in a folder and in jars.
struct Project {
    folder: TempDir,
    compiled: CompiledClasses,
}

impl Project {
    fn new() -> Self {
        let jdk = test_jdks().remove(0);
        let compiled = Compilation::with(&jdk).release(17).source("User.java", SOURCE).compile();
        let project = Self { folder: TempDir::new().unwrap(), compiled: compiled.expect("compiles") };
        for folder in ["classes/app", "recordings", "lib"] {
            fs::create_dir_all(project.path(folder)).unwrap();
        }
        for class in ["User", "Refers", "Unused"] {
            let name = format!("classes/app/{class}.class");
            fs::write(project.path(&name), project.bytes(class)).unwrap();
        }
        project
    }

    fn root(&self) -> PathBuf {
        fs::canonicalize(self.folder.path()).unwrap()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    fn bytes(&self, class: &str) -> Vec<u8> {
        fs::read(self.compiled.class_file(&format!("app/{class}"))).unwrap()
    }

    fn class(&self, number: u32, class: &str, location: &str) -> Message {
        let bytes = self.bytes(class);
        let shape = ShapeReader::new().read(&bytes).unwrap();
        let bodies = || shape.methods.iter().filter_map(|method| method.body.as_ref());
        Message::Class(ClassMessage {
            number,
            name: format!("app/{class}").into_bytes(),
            id: class_id(&bytes),
            length: bytes.len() as u32,
            probes: bodies().map(|body| body.probes.end).max().unwrap_or_default(),
            entry_probes: bodies().filter(|body| body.entry_probe.is_some()).count() as u32,
            not_recorded: None,
            origin: Origin::Location(location.as_bytes().to_vec()),
        })
    }

    fn start(&self, class_path: &str) -> Message {
        let text = |text: &str| text.as_bytes().to_vec();
        Message::Start(StartMessage {
            agent: text("1"),
            started: 1000,
            process: 7,
            directory: self.root().to_str().unwrap().as_bytes().to_vec(),
            arguments: vec![text("java"), text("Main")],
            properties: vec![(text("java.class.path"), text(class_path))],
            variables: Vec::new(),
        })
    }

    fn record(&self, name: &str, messages: &[Message]) -> Vec<u8> {
        let mut out = HEADER.to_vec();
        messages.iter().for_each(|message| write_frame(&mut out, message));
        fs::write(self.path(&format!("recordings/{name}.recording")), &out).unwrap();
        out
    }

    fn read(&self) -> (Vec<Trace>, Recorded) {
        let mut traces = Vec::new();
        let recorded =
            read_recordings(&self.path("recordings"), &self.root(), |trace| traces.push(trace)).unwrap();
        (traces, recorded)
    }
}

fn url(path: &Path) -> String {
    format!("file:{}", path.display())
}

/// The second method of each class is the one that is not the constructor.
fn ran(numbers: &[u32]) -> Used {
    Used { hits: numbers.iter().map(|&number| (number, vec![0xFF])).collect(), ..Used::default() }
}

fn unit(number: u32, name: &str, used: Used) -> [Message; 2] {
    let unit =
        UnitMessage { number, name: name.as_bytes().to_vec(), used, has_run: true, ..UnitMessage::default() };
    [Message::Unit(unit), Message::Done { units: vec![number] }]
}

/// An archive in which nothing is packed.
fn jar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    for (name, bytes) in files {
        let offset = out.len() as u32;
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        common.extend(crc(bytes).to_le_bytes());
        common.extend((bytes.len() as u32).to_le_bytes());
        common.extend((bytes.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&common);
        out.extend(name.as_bytes());
        out.extend(*bytes);
        directory.extend(b"PK\x01\x02\x14\x00");
        directory.extend(&common);
        directory.extend([0; 10]);
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
    }
    let start = out.len() as u32;
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend((files.len() as u16).to_le_bytes());
    out.extend((files.len() as u16).to_le_bytes());
    out.extend((directory.len() as u32).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
    out
}

fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0_u32, |sum, byte| {
        (0..8).fold(
            sum ^ u32::from(*byte),
            |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 },
        )
    })
}

fn names(trace: &Trace) -> Vec<(&str, &str)> {
    trace.classes.iter().map(|class| (&*class.name, &*class.place)).collect()
}

#[test]
fn classes_are_found_in_folders_jars_and_jars_in_jars() {
    let project = Project::new();
    let lib = jar(&[("app/Lib.class", &project.bytes("Lib"))]);
    let versioned = jar(&[
        ("app/Lib.class", b"an older version"),
        ("META-INF/versions/17/app/Lib.class", &project.bytes("Lib")),
    ]);
    fs::write(project.path("lib/a lib.jar"), &lib).unwrap();
    fs::write(project.path("lib/versioned.jar"), &versioned).unwrap();
    fs::write(project.path("lib/app.jar"), jar(&[("BOOT-INF/lib/lib.jar", &lib)])).unwrap();
    let root = project.root().display().to_string();
    let classes = format!("file:{root}/classes/");
    for (index, location) in [
        format!("file:{root}/lib/a%20lib.jar"),
        format!("jar:file:{root}/lib/a%20lib.jar!/"),
        format!("file:{root}/lib/versioned.jar"),
        format!("jar:file:{root}/lib/app.jar!/BOOT-INF/lib/lib.jar!/"),
        format!("jar:nested:{root}/lib/app.jar/!BOOT-INF/lib/lib.jar!/"),
    ]
    .iter()
    .enumerate()
    {
        let mut messages = vec![
            project.start("classes:lib/a lib.jar"),
            project.class(1, "User", &classes),
            project.class(2, "Lib", location),
        ];
        messages.extend(unit(1, "T", ran(&[1])));
        project.record("one", &messages);
        let (traces, recorded) = project.read();
        assert!(recorded.problems.is_empty(), "{location}: {:?}", recorded.problems);
        let used = names(&traces[0]);
        assert_eq!(used.len(), 2, "{location}: {used:?}");
        assert_eq!(used[1], ("app/User", "classes"));
        if index < 2 {
            assert_eq!(used[0], ("app/Lib", "lib/a lib.jar"));
        }
        assert!(traces[0].distrust.iter().all(|why| why.contains("has hits")), "{:?}", traces[0].distrust);
        assert_eq!(recorded.shapes.len(), 2);
    }
}

#[test]
fn jars_that_only_name_others_stand_for_those() {
    let project = Project::new();
    let manifest = "Manifest-Version: 1.0\r\nClass-Path: ../classes/ real.jar gone.jar\r\n\r\n";
    let services = ("META-INF/services/x", &b"provider"[..]);
    fs::write(project.path("lib/booter.jar"), jar(&[("META-INF/MANIFEST.MF", manifest.as_bytes())])).unwrap();
    fs::write(project.path("lib/real.jar"), jar(&[services])).unwrap();
    let mut messages =
        vec![project.start("lib/booter.jar"), project.class(1, "Refers", &url(&project.path("classes")))];
    let resource = |name: &str| Fact::Resource(name.as_bytes().to_vec());
    messages.push(Message::Fact { number: 1, fact: resource("META-INF/services/x") });
    messages.push(Message::Fact { number: 2, fact: resource("META-INF/services/y") });
    messages.push(Message::Fact { number: 3, fact: resource("META-INF/services") });
    let booter = project.path("lib/booter.jar").to_str().unwrap().as_bytes().to_vec();
    messages.push(Message::Fact { number: 4, fact: Fact::FileRead(booter) });
    messages.extend(unit(1, "T", Used { facts: vec![1, 2, 3, 4], ..ran(&[1]) }));
    project.record("one", &messages);
    let (traces, _) = project.read();
    assert_eq!(traces[0].environment.class_path, ["classes", "lib/real.jar", "lib/gone.jar"]);
    assert_eq!(traces[0].absent_classes, ["app/Missing"]);
    assert!(traces[0].files.is_empty(), "{:?}", traces[0].files);
    let found: Vec<_> = traces[0].resources.iter().map(|resource| resource.found.is_some()).collect();
    assert_eq!(found, [true, true, false]);
    let before = traces[0].resources.clone();
    fs::write(project.path("lib/real.jar"), jar(&[services, ("META-INF/services/z", b"")])).unwrap();
    let (traces, _) = project.read();
    assert_ne!(traces[0].resources[0], before[0], "the folder has another entry");
    assert_eq!(traces[0].resources[1..], before[1..]);
}

#[test]
fn files_and_folders_are_hashed() {
    let project = Project::new();
    fs::write(project.path("data.txt"), "data").unwrap();
    let text = |text: &str| text.as_bytes().to_vec();
    let facts = [
        Fact::FileRead(text("data.txt")),
        Fact::FileTested(text("classes")),
        Fact::FileTested(text("data.txt/below")),
        Fact::FolderListed(text("lib")),
    ];
    let mut messages = vec![project.start("")];
    messages.extend((0..).zip(facts).map(|(number, fact)| Message::Fact { number, fact }));
    messages.extend(unit(1, "T", Used { facts: vec![0, 1, 2, 3], ..Used::default() }));
    project.record("one", &messages);
    let (traces, _) = project.read();
    let files: Vec<_> = traces[0].files.iter().map(|file| (file.path.as_str(), file.state)).collect();
    let Some(&(_, listing)) = files.last() else { panic!("{files:?}") };
    assert_eq!(
        files[..3],
        [
            ("classes", FileState::Exists { is_folder: true }),
            ("data.txt", FileState::File(ContentId::of(b"data"))),
            ("data.txt/below", FileState::Absent),
        ]
    );
    fs::write(project.path("lib/new"), "").unwrap();
    let (traces, _) = project.read();
    assert_ne!(traces[0].files[3].state, listing);
}

#[test]
fn damage_is_told_and_what_stands_before_it_counts() {
    let project = Project::new();
    let classes = url(&project.path("classes"));
    let mut messages = vec![project.start("classes"), project.class(1, "Unused", &classes)];
    messages.extend(unit(1, "First", Used::default()));
    messages.extend(unit(2, "Second", Used::default()));
    let whole = project.record("cut", &messages);
    fs::write(project.path("recordings/cut.recording"), &whole[..whole.len() - 3]).unwrap();
    fs::write(project.path("recordings/other.recording"), b"something else").unwrap();
    fs::create_dir(project.path("recordings/folder.recording")).unwrap();
    fs::write(project.path("recordings/note.txt"), b"not a recording").unwrap();
    let (traces, recorded) = project.read();
    assert_eq!(traces.iter().map(|trace| trace.unit.as_str()).collect::<Vec<_>>(), ["First"]);
    assert_eq!(recorded.jvms, 1);
    let kinds: Vec<_> = recorded.problems.iter().map(|problem| &problem.kind).collect();
    let [
        RecordingProblemKind::Damaged(cut),
        RecordingProblemKind::Said(Problem::NotDone { unit }),
        RecordingProblemKind::Unreadable(_),
        RecordingProblemKind::Damaged(_),
    ] = kinds[..]
    else {
        panic!("{kinds:?}")
    };
    assert!(cut.offset > 0);
    assert_eq!(unit, "Second");
    assert!(recorded.problems[0].to_string().contains("cut.recording: it ends in the middle of a frame"));
}

#[test]
fn all_rows_together_are_jacocos_data() {
    let project = Project::new();
    let classes = url(&project.path("classes"));
    let used = |bits: u8| Used { hits: vec![(1, vec![bits])], ..Used::default() };
    let shape = ShapeReader::new().read(&project.bytes("Refers")).unwrap();
    let probes =
        shape.methods.iter().filter_map(|method| Some(method.body.as_ref()?.probes.end)).max().unwrap();
    let class = project.class(1, "Refers", &classes);
    let mut first = vec![project.start("classes"), class.clone()];
    first.extend(unit(1, "T", used(1)));
    let second = [project.start("classes"), class, Message::Outside(used(4 | 1 << probes))];
    project.record("a", &first);
    project.record("b", &second);
    let (traces, recorded) = project.read();
    assert_eq!((traces.len(), recorded.jvms, recorded.outside[1].len()), (1, 2, 1));
    let data = recorded.hits.class(class_id(&project.bytes("Refers"))).expect("is there");
    assert_eq!(data.name, b"app/Refers");
    assert_eq!(data.probes.len(), probes as usize);
    let hit: Vec<usize> = (0..probes as usize).filter(|&probe| data.probes.is_hit(probe)).collect();
    assert_eq!(hit, [0, 2]);
    assert_eq!(recorded.hits.sessions().len(), 2);
    let mut out = Vec::new();
    recorded.hits.write(&mut out);
    let mut again = probity_execdata::store::Store::default();
    again.load(&out).expect("is execution data");
    assert_eq!(again, recorded.hits);
}
