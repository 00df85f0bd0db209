//! What counts beside classes: files, resources, settings; and what is told of a whole recording.

use crate::made::{World, Writer, both, bytes_of, hits_of, traces_of};
use probity_shape::ContentId;
use probity_trace::{
    ClassCache, ClassHits, FileState, FileUse, Hits, Ingest, Outcome, Problem, Recording, ResourceUse,
    SettingUse,
};
use probity_wire::{Fact, Message, Origin, TestMessage, TestOutcome, Used};

fn text(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

fn file(path: &str, state: FileState) -> FileUse {
    FileUse { path: path.to_owned(), state }
}

#[test]
fn files_are_told_with_what_they_are() {
    let content = FileState::File(ContentId::of(b"data"));
    let mut world = World::default();
    world.files.insert("/project/data.txt".to_owned(), content);
    world.files.insert("/project/folder".to_owned(), FileState::Exists { is_folder: true });
    world.class_path = vec!["/project/classes".to_owned()];
    let mut writer = Writer::new();
    let used = writer.met([
        Fact::FileRead(text("sub/../data.txt")),
        Fact::FileTested(text("/project/data.txt")),
        Fact::FileTested(text("folder")),
        Fact::FileTested(text("/elsewhere/x")),
        Fact::FileRead(text("/jdk/lib/tzdb.dat")),
        Fact::FileRead(text("/proc/self/maps")),
        Fact::FileTested(text("/project/classes")),
        Fact::FileRead(text("/project/classes/data.bin")),
    ]);
    writer.unit(1, "T", used);
    let trace = &writer.traces_in(&mut world)[0];
    assert_eq!(
        trace.files,
        [
            file("/elsewhere/x", FileState::Absent),
            file("classes/data.bin", FileState::Absent),
            file("data.txt", FileState::Absent),
            file("data.txt", content),
            file("folder", FileState::Exists { is_folder: true }),
        ]
        .into_iter()
        .filter(|file| file.path != "data.txt" || file.state != FileState::Absent)
        .collect::<Vec<_>>()
    );
    assert!(trace.distrust.is_empty());
}

#[test]
fn what_a_unit_writes_itself_is_no_dependency_and_what_others_write_cannot_be_trusted() {
    let mut writer = Writer::new();
    let (read, written) =
        (|path: &str| Fact::FileRead(text(path)), |path: &str| Fact::FileWritten(text(path)));
    let used = writer.met([written("own"), read("own"), written("shared")]);
    writer.unit(1, "Writes", used);
    let used = writer.met([read("shared"), read("from-outside"), read("quiet")]);
    writer.unit(2, "Reads", used);
    let used = writer.met([written("from-outside"), written("log"), read("log")]);
    writer.outside(used);
    let traces = writer.traces();
    assert!(traces[0].files.is_empty(), "{:?}", traces[0].files);
    assert!(traces[0].distrust.is_empty(), "{:?}", traces[0].distrust);
    assert_eq!(
        traces[1].distrust,
        [
            "it reads /project/from-outside, which code outside all units writes",
            "it reads /project/shared, which Writes writes"
        ]
    );
    assert!(traces[1].files.contains(&file("quiet", FileState::Absent)));
}

#[test]
fn what_an_initialiser_writes_is_made_by_those_who_use_the_class() {
    let mut writer = Writer::new();
    writer.load_all(&["UsesHolder", "Holder", "Deep", "Deeper"]);
    let initialiser = both(writer.ran(&["Holder.<clinit>"]), writer.met([Fact::FileWritten(text("cache"))]));
    writer.once("Holder", initialiser.clone());
    let first = both(writer.ran(&["UsesHolder.id"]), initialiser);
    writer.unit(1, "First", first);
    let read = writer.met([Fact::FileRead(text("cache"))]);
    let used = both(writer.ran(&["UsesHolder.id"]), read.clone());
    writer.unit(2, "Uses", used);
    writer.unit(3, "DoesNotUse", read);
    let traces = writer.traces();
    assert!(traces[1].distrust.is_empty() && traces[1].files.is_empty(), "{:?}", traces[1].distrust);
    assert_eq!(traces[2].distrust.len(), 1);
}

#[test]
fn a_folder_that_is_listed_while_the_run_writes_into_it_cannot_be_trusted() {
    let mut writer = Writer::new();
    let used = writer.met([Fact::FileWritten(text("out/x")), Fact::FolderListed(text("out"))]);
    writer.unit(1, "T", used);
    let used = writer.met([Fact::FolderListed(text("in")), Fact::FileRead(text("unreadable"))]);
    writer.unit(2, "U", used);
    let traces = writer.traces();
    assert_eq!(traces[0].distrust, ["it lists the folder /project/out, into which T writes"]);
    assert_eq!(traces[1].distrust, ["/project/unreadable cannot be read: permission denied"]);
    assert_eq!(traces[1].files, [file("in", FileState::Absent)]);
}

#[test]
fn settings_and_resources_are_told_by_hash() {
    let mut world = World::default();
    world.resources.insert("a.properties".to_owned(), ContentId::of(b"x"));
    let mut writer = Writer::new();
    let used = writer.met([
        Fact::Property { name: text("mine"), value: Some(text("1")) },
        Fact::Property { name: text("other"), value: None },
        Fact::Property { name: text("java.version"), value: Some(text("17")) },
        Fact::Variable { name: text("HOME"), value: Some(text("/home")) },
        Fact::AllVariables,
        Fact::AllProperties,
        Fact::Resource(text("a.properties")),
        Fact::Resource(text("b.properties")),
        Fact::ChildProcess,
        Fact::StackTrace,
        Fact::Unknown(text("it did something odd")),
    ]);
    writer.unit(1, "T", used);
    let trace = &writer.traces_in(&mut world)[0];
    let setting = |name: &str, value: Option<&str>| SettingUse {
        name: Some(name.to_owned()),
        value: value.map(|value| ContentId::of(value.as_bytes())),
    };
    assert_eq!(trace.properties[1..], [setting("mine", Some("1")), setting("other", None)]);
    assert!(trace.properties[0].name.is_none() && trace.properties[0].value.is_some());
    let all = probity_trace::hash_of_variables([]);
    assert_eq!(
        trace.variables,
        [SettingUse { name: None, value: Some(all) }, setting("HOME", Some("/home"))]
    );
    assert_eq!(
        trace.resources,
        [
            ResourceUse { name: "a.properties".to_owned(), found: Some(ContentId::of(b"x")) },
            ResourceUse { name: "b.properties".to_owned(), found: None },
        ]
    );
    assert!(trace.starts_processes && trace.reads_stack_traces);
    assert_eq!(trace.distrust, ["it did something odd"]);
}

#[test]
fn parts_of_a_unit_are_one_unit_and_a_unit_that_is_not_done_is_told() {
    let test = |id: &str, outcome| TestMessage { id: text(id), outcome, micros: 5 };
    let mut writer = Writer::new();
    let used = writer.ran(&["Left.make"]);
    let part = writer.part(1, "T", used);
    (part.began, part.micros, part.threads_left) = (100, 10, 1);
    part.tests = vec![test("a", TestOutcome::Passed)];
    let used = writer.ran(&["Right.make"]);
    let part = writer.part(1, "T", used);
    (part.began, part.micros) = (200, 20);
    part.tests = vec![test("b", TestOutcome::Failed), test("c", TestOutcome::Skipped)];
    writer.done(&[1]);
    writer.unit(2, "Reopened", Used::default());
    writer.part(2, "Reopened", Used::default());
    let traces = writer.traces();
    assert_eq!(traces.len(), 1);
    let trace = &traces[0];
    assert_eq!((trace.began, trace.micros, trace.threads_left), (100, 30, 1));
    assert_eq!(trace.tests.iter().map(|test| test.id.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(trace.outcome(), Outcome::Failed);
    assert_eq!(trace.classes.len(), 2);
    let recording = Recording::new(writer.messages.clone());
    let ingest = Ingest::new(
        &recording,
        &mut World::default(),
        &mut World::default(),
        None,
        &mut ClassCache::default(),
    );
    assert_eq!(ingest.problems(), [Problem::NotDone { unit: "Reopened".to_owned() }]);
}

/// As when a class is in two suites, or failed and is run again.
#[test]
fn a_class_that_ran_twice_is_one_unit() {
    let mut writer = Writer::new();
    let used = writer.ran(&["Left.make"]);
    writer.unit(1, "T", used);
    let used = writer.ran(&["Right.make"]);
    writer.part(2, "T", used);
    assert!(writer.traces().is_empty(), "the second time did not end");
    writer.done(&[2]);
    let traces = writer.traces();
    assert_eq!(traces.len(), 1);
    assert_eq!(traces[0].classes.len(), 2);
    assert!(traces[0].distrust.is_empty());
    let used = Used::default();
    writer.unit(2, "Other", used);
    assert_eq!(writer.traces()[0].distrust, ["the recording has two units with the number 2"]);
}

#[test]
fn a_recording_that_does_not_fit_together_is_distrusted_as_a_whole() {
    let mut writer = Writer::new();
    let used = writer.ran(&["Left.make"]);
    writer.unit(1, "T", used);
    let without_start = &traces_of(&writer.messages[1..], &mut World::default())[0];
    assert_eq!(without_start.distrust, ["the recording does not say what JVM it is of"]);
    let mut twice = writer.messages.clone();
    twice.insert(1, twice[1].clone());
    let twice = &traces_of(&twice, &mut World::default())[0];
    assert!(twice.distrust[0].contains("two classes with the number"), "{:?}", twice.distrust);
    let mut lost = writer.messages.clone();
    lost.push(Message::Once { class: 4711, used: Used::default() });
    assert!(!traces_of(&lost, &mut World::default())[0].distrust.is_empty());
}

/// Rows of units that ended, of those that did not, of initialisers and of what was outside make up the whole.
#[test]
fn the_union_of_all_rows_is_what_ran_in_the_jvm() {
    let mut writer = Writer::new();
    let used = writer.ran(&["Left.make"]);
    writer.unit(1, "T", used);
    let used = writer.ran(&["Right.make"]);
    writer.part(2, "Killed", used);
    let used = writer.ran(&["Holder.<clinit>"]);
    writer.once("Holder", used);
    let used = writer.ran(&["Library.call", "Left.<init>"]);
    writer.outside(used);
    let made = bytes_of("MadeOne");
    let number = writer.load_with("MadeOne", |message| message.origin = Origin::Made(made));
    writer.outside(Used { hits: vec![(number, vec![1])], ..Used::default() });
    let recording = Recording::new(writer.messages.clone());
    let ingest = Ingest::new(
        &recording,
        &mut World::default(),
        &mut World::default(),
        None,
        &mut ClassCache::default(),
    );
    let hits = |rows: Vec<ClassHits>| -> Vec<(String, Hits)> {
        rows.into_iter().map(|row| (row.name, row.hits)).collect()
    };
    let mut left = hits_of("Left", "make");
    left.add(&hits_of("Left", "<init>"));
    let row = |class: &str, method: &str| (class.to_owned(), hits_of(class, method));
    assert_eq!(
        hits(ingest.all_hits()),
        [row("Holder", "<clinit>"), ("Left".to_owned(), left), row("Library", "call"), row("Right", "make"),]
    );
    assert_eq!(hits(ingest.outside()), [row("Left", "<init>"), row("Library", "call")]);
    assert_eq!(hits(ingest.leftover()), [row("Holder", "<clinit>"), row("Right", "make")]);
}
