//! Folders and single files.

use std::fs;
use std::path::Path;

use probity_classpath::{EntryErrorKind, EntryKind, Limits, OpenErrorKind, Recognition, Source, SourceKind};

use crate::{SMALL_LIMITS, only_content, read_all};

fn write(root: &Path, name: &str, content: &[u8]) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().expect("below the root")).expect("creates folders");
    fs::write(path, content).expect("writes");
}

fn names(source: &Source) -> Vec<&str> {
    source.entries().iter().map(probity_classpath::Entry::name).collect()
}

#[test]
fn a_folder_lists_classes_and_archives_sorted_by_name() {
    let root = tempfile::tempdir().expect("temporary folder");
    for name in
        ["b/B.class", "a/A.class", "a/b/C.class", "Z.class", "lib/x.jar", "a/notes.txt", "D.class/E.class"]
    {
        write(root.path(), name, name.as_bytes());
    }
    let source = Source::open(root.path()).expect("opens");
    assert_eq!(source.kind(), SourceKind::Folder);
    assert_eq!(
        names(&source),
        ["D.class/E.class", "Z.class", "a/A.class", "a/b/C.class", "b/B.class", "lib/x.jar"]
    );
    assert_eq!(source.entries().last().map(probity_classpath::Entry::kind), Some(EntryKind::NestedArchive));
    for (name, content) in read_all(&source) {
        assert_eq!(content.expect("is read"), name.as_bytes());
    }
}

#[test]
fn a_single_class_file_is_a_source_whatever_it_is_called() {
    let root = tempfile::tempdir().expect("temporary folder");
    write(root.path(), "A.class", b"not even a class");
    write(root.path(), "renamed.bin", b"\xCA\xFE\xBA\xBE and so on");
    for (name, content) in
        [("A.class", &b"not even a class"[..]), ("renamed.bin", b"\xCA\xFE\xBA\xBE and so on")]
    {
        let source = Source::open(root.path().join(name)).expect("opens");
        assert_eq!(source.kind(), SourceKind::ClassFile);
        assert_eq!(names(&source), [name]);
        assert_eq!(only_content(&source), content);
    }
}

#[test]
fn classes_above_the_limit_are_refused() {
    let root = tempfile::tempdir().expect("temporary folder");
    write(root.path(), "Large.class", &vec![0; (1 << 16) + 1]);
    write(root.path(), "Small.class", &vec![0; 1 << 16]);
    for spec in [root.path().to_owned(), root.path().join("Large.class")] {
        let source = Source::open_with(&spec, SMALL_LIMITS, Recognition::ByName).expect("opens");
        let (name, outcome) = read_all(&source).remove(0);
        assert_eq!(name, "Large.class");
        assert!(
            matches!(outcome, Err(EntryErrorKind::TooLarge { size: 65_537, limit: 65_536 })),
            "{outcome:?}"
        );
    }
    let source = Source::open_with(root.path(), SMALL_LIMITS, Recognition::ByName).expect("opens");
    assert_eq!(only_content(&source).len(), 1 << 16);
}

#[test]
fn a_folder_with_too_many_files_is_refused() {
    let root = tempfile::tempdir().expect("temporary folder");
    for number in 0..6 {
        write(root.path(), &format!("{number}.txt"), b"");
    }
    let limits = Limits { max_entries: 5, ..SMALL_LIMITS };
    let error = Source::open_with(root.path(), limits, Recognition::ByName).expect_err("is refused");
    assert!(matches!(error.kind, OpenErrorKind::TooManyEntries { limit: 5 }));
}

#[test]
fn what_is_not_there_is_an_error_with_a_hint() {
    let root = tempfile::tempdir().expect("temporary folder");
    let missing = root.path().join("missing.jar");
    let error = Source::open(&missing).expect_err("is not there");
    assert!(
        matches!(&error.kind, OpenErrorKind::Unreadable(error) if error.kind() == std::io::ErrorKind::NotFound)
    );
    assert_eq!(error.to_string(), format!("{}: no such file or folder", missing.display()));
    assert!(error.hint().is_some());

    let spec = format!("jrt:{}", root.path().display());
    let error = Source::open(&spec).expect_err("is not a JDK");
    assert!(matches!(error.kind, OpenErrorKind::NoRuntimeImage(_)));
    assert_eq!(error.container, spec);
}

#[test]
fn a_file_that_vanishes_after_listing_is_an_error_of_that_entry() {
    let root = tempfile::tempdir().expect("temporary folder");
    write(root.path(), "A.class", b"a");
    write(root.path(), "B.class", b"b");
    let source = Source::open(root.path()).expect("opens");
    fs::remove_file(root.path().join("A.class")).expect("removes");
    let (name, outcome) = read_all(&source).remove(0);
    assert_eq!(name, "A.class");
    assert!(matches!(outcome, Err(EntryErrorKind::Unreadable(_))), "{outcome:?}");
    assert_eq!(only_content(&source), b"b");
}

#[cfg(unix)]
mod links {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn links_to_files_are_read() {
        let root = tempfile::tempdir().expect("temporary folder");
        write(root.path(), "outside/A.class", b"a");
        fs::create_dir(root.path().join("tree")).expect("creates");
        symlink(root.path().join("outside/A.class"), root.path().join("tree/Link.class")).expect("links");
        let source = Source::open(root.path().join("tree")).expect("opens");
        assert_eq!(names(&source), ["Link.class"]);
        assert_eq!(only_content(&source), b"a");
    }

    #[test]
    fn cycles_end_and_real_paths_win() {
        let root = tempfile::tempdir().expect("temporary folder");
        write(root.path(), "z/deep/A.class", b"a");
        symlink(root.path().join("z"), root.path().join("a")).expect("links");
        symlink(root.path(), root.path().join("z/deep/up")).expect("links");
        symlink("self", root.path().join("self")).expect("links");
        let source = Source::open(root.path()).expect("opens");
        assert_eq!(names(&source), ["z/deep/A.class"]);
    }

    #[test]
    fn a_linked_folder_outside_is_walked_once_under_its_first_name() {
        let root = tempfile::tempdir().expect("temporary folder");
        write(root.path(), "outside/p/A.class", b"a");
        fs::create_dir(root.path().join("tree")).expect("creates");
        for name in ["two", "one"] {
            symlink(root.path().join("outside"), root.path().join("tree").join(name)).expect("links");
        }
        symlink(root.path().join("tree"), root.path().join("outside/back")).expect("links");
        let source = Source::open(root.path().join("tree")).expect("opens");
        assert_eq!(names(&source), ["one/p/A.class"]);
    }

    #[test]
    fn links_to_nothing_and_to_devices_are_errors_of_that_entry() {
        let root = tempfile::tempdir().expect("temporary folder");
        symlink("nowhere", root.path().join("A.class")).expect("links");
        symlink("/dev/null", root.path().join("B.class")).expect("links");
        write(root.path(), "C.class", b"c");
        let source = Source::open(root.path()).expect("opens");
        let outcomes = read_all(&source);
        assert!(matches!(outcomes[0].1, Err(EntryErrorKind::Unreadable(_))), "{outcomes:?}");
        assert!(matches!(outcomes[1].1, Err(EntryErrorKind::NotAFile)), "{outcomes:?}");
        assert_eq!(only_content(&source), b"c");
        let error = Source::open("/dev/null").expect_err("is a device");
        assert!(matches!(error.kind, OpenErrorKind::NotAFileOrFolder));
    }
}
