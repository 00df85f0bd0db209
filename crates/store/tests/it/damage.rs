//! Stores that are cut off, flipped, of another version, or out of reach: noticed, told, and as if they were not there.

use crate::roundtrip::{empty, loaded, run};
use crate::synthetic::Project;
use probity_store::{DamageKind, Retention, Store, StoreErrorKind};
use probity_trace::Trace;
use std::fs;
use std::path::{Path, PathBuf};

/// Two runs, and the files with the traces and shapes of the second.
fn two_runs() -> (tempfile::TempDir, Store, Vec<Trace>, [PathBuf; 2]) {
    let (folder, store) = empty();
    let project = Project { classes_per_unit: 3, ..Project::SMALL };
    let first: Vec<Trace> = vec![project.trace(1, 0), project.trace(2, 0)];
    store.add_run(&first, &project.shapes(0)[..3], &run(1)).expect("adds");
    let known: Vec<PathBuf> = files(&store);
    store.add_run(&[project.trace(3, 1)], &project.shapes(1)[4..6], &run(2)).expect("adds");
    let new: Vec<PathBuf> = files(&store).into_iter().filter(|file| !known.contains(file)).collect();
    (folder, store, first, new.try_into().expect("two files"))
}

/// All files, those with shapes first.
fn files(store: &Store) -> Vec<PathBuf> {
    let of = |part: &str| -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(store.folder().join(part)) else { return Vec::new() };
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("is listed").path()).collect();
        files.sort();
        files
    };
    [of("shapes"), of("traces")].concat()
}

/// The rest is as it was, and the file is told about.
fn check(store: &Store, first: &[Trace], file: &Path, what: &str) {
    let (traces, shapes) = (store.load(), store.shapes());
    let problems: Vec<_> = traces.problems().iter().chain(shapes.problems()).collect();
    assert_eq!(problems.len(), 1, "{what}");
    assert_eq!(problems[0].file, file, "{what}");
    assert!(problems[0].damage.offset <= fs::metadata(file).expect("is there").len(), "{what}");
    let kept: Vec<Trace> = traces.iter().map(|trace| trace.to_trace()).collect();
    assert!(first.iter().all(|trace| kept.contains(trace)), "{what}");
    let is_of_traces = file.parent().is_some_and(|folder| folder.ends_with("traces"));
    assert_eq!((kept.len(), shapes.len()), if is_of_traces { (2, 5) } else { (3, 3) }, "{what}");
}

#[test]
fn a_store_that_is_cut_off_is_noticed() {
    let (_folder, store, first, new) = two_runs();
    for file in new {
        let whole = fs::read(&file).expect("is there");
        for length in (0..whole.len()).step_by(5) {
            fs::write(&file, &whole[..length]).expect("writes");
            check(&store, &first, &file, &format!("{length} bytes"));
        }
        fs::write(&file, &whole).expect("writes");
    }
}

#[test]
fn a_flipped_bit_is_noticed() {
    let (_folder, store, first, new) = two_runs();
    for file in new {
        let whole = fs::read(&file).expect("is there");
        for bit in (0..whole.len() * 8).step_by(37) {
            let mut broken = whole.clone();
            broken[bit / 8] ^= 1 << (bit % 8);
            fs::write(&file, &broken).expect("writes");
            check(&store, &first, &file, &format!("bit {bit}"));
        }
        fs::write(&file, &whole).expect("writes");
    }
}

#[test]
fn what_is_damaged_is_recorded_anew_and_pruned_away() {
    let (_folder, store, first, [_, file]) = two_runs();
    let whole = fs::read(&file).expect("is there");
    fs::write(&file, &whole[..whole.len() - 1]).expect("writes");
    let lost = Project { classes_per_unit: 3, ..Project::SMALL }.trace(3, 1);
    let added = store.add_run(std::slice::from_ref(&lost), &[], &run(3)).expect("adds");
    assert_eq!((added.traces, added.problems.len()), (1, 1));
    assert_eq!(store.load().len(), 3);
    let pruned = store.prune(&Retention::USUAL).expect("prunes");
    assert_eq!(pruned.problems.len(), 1);
    let now = loaded(&store);
    assert!(now.contains(&lost) && first.iter().all(|trace| now.contains(trace)));
}

#[test]
fn files_of_a_newer_version_are_told_and_left_alone() {
    let (_folder, store, first, [_, file]) = two_runs();
    let mut newer = fs::read(&file).expect("is there");
    newer[15] = 2;
    fs::write(&file, &newer).expect("writes");
    check(&store, &first, &file, "newer");
    let problem = &store.load().problems()[0].clone();
    assert!(problem.damage.kind.is_newer());
    assert!(problem.to_string().ends_with(
        "its format is version 2, and this program reads version 1; what it holds counts as absent"
    ));
    store.prune(&Retention::USUAL).expect("prunes");
    assert_eq!(fs::read(&file).expect("is still there"), newer);
    assert_eq!(store.load().len(), 2);
}

#[test]
fn a_file_under_another_name_is_found_by_those_who_verify() {
    let (_folder, store, _, [_, file]) = two_runs();
    fs::rename(&file, file.with_file_name("renamed.seg")).expect("renames");
    assert_eq!(store.load().len(), 3);
    let problems = store.verify().problems;
    assert_eq!(problems.len(), 1);
    assert_eq!(problems[0].damage.kind, DamageKind::Misnamed);
}

#[test]
fn a_damaged_export_is_not_imported_at_all() {
    let (folder, store, ..) = two_runs();
    let (_other_folder, other) = empty();
    let (whole, problems) = store.export();
    assert_eq!(problems, []);
    let file = folder.path().join("exported");
    for at in (0..whole.len()).step_by(7) {
        let mut broken = whole.clone();
        broken[at] ^= 0x10;
        for bytes in [&broken[..], &whole[..at]] {
            fs::write(&file, bytes).expect("writes");
            let error = other.import(&file).expect_err("is damaged");
            assert!(matches!(error.kind, StoreErrorKind::Damaged(_)), "{error}");
        }
    }
    assert!(!other.folder().exists());
    let error = other.import(&folder.path().join("missing")).expect_err("is not there");
    assert!(error.to_string().contains("missing: cannot be read"), "{error}");
}

#[test]
fn a_store_that_cannot_be_written_is_an_error_that_says_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let taken = folder.path().join(".probity");
    fs::write(&taken, "a file").expect("writes");
    let store = Store::at(&taken);
    let error = store.add_run(&[Project::SMALL.trace(1, 0)], &[], &run(1)).expect_err("cannot be written");
    assert!(error.to_string().contains("cannot be written"), "{error}");
    assert!(!error.hint().is_empty());
    assert_eq!(store.load().len(), 0);
    assert_eq!(fs::read_to_string(&taken).expect("is there"), "a file");
}

#[test]
fn what_killed_processes_left_behind_is_never_read_and_pruned_away() {
    let (_folder, store, first, [_, file]) = two_runs();
    let whole = fs::read(&file).expect("is there");
    let partial = file.with_file_name("123-0.partial");
    fs::write(&partial, &whole[..whole.len() / 2]).expect("writes");
    assert_eq!(loaded(&store).len(), first.len() + 1);
    store.prune(&Retention::USUAL).expect("prunes");
    assert!(!partial.exists());
}
