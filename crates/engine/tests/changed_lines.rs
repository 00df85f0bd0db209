//! Changed lines beside what Git itself says, on files that are edited at random.
//!
//! Repositories are made by the `git` command, which must be there.

use probity_coverage::LineSet;
use probity_engine::changed_lines::{ChangeError, ChangedLines};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A repository in a temporary folder.
struct Sandbox {
    folder: tempfile::TempDir,
    root: PathBuf,
}

impl Sandbox {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("temporary folder");
        let root = folder.path().canonicalize().expect("is there").join("r");
        fs::create_dir(&root).expect("creates");
        let sandbox = Sandbox { folder, root };
        sandbox.git(&["init", "-q", "-b", "main"]);
        sandbox
    }

    fn git(&self, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=n", "-c", "user.email=e", "-c", "core.autocrlf=false"])
            .args(arguments)
            .current_dir(&self.root)
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("HOME", self.folder.path())
            .output()
            .expect("git runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {said}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", "m"]);
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().expect("has a parent")).expect("creates");
        fs::write(path, text).expect("writes");
    }

    /// All files of the work tree.
    fn files(&self) -> BTreeSet<PathBuf> {
        let mut files = BTreeSet::new();
        let mut folders = vec![self.root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("is a folder") {
                let path = entry.expect("is listed").path();
                if path.is_dir() && !path.ends_with(".git") {
                    folders.push(path);
                } else if path.is_file() {
                    files.insert(path);
                }
            }
        }
        files
    }

    fn changed(&self, revision: &str) -> Result<BTreeMap<String, Vec<RangeInclusive<u32>>>, ChangeError> {
        let changed = ChangedLines::since(revision, &self.root, &self.files())?;
        assert_eq!(changed.work_tree, self.root);
        Ok(by_name(&self.root, changed.by_file))
    }

    /// What Git says of the same files, after new ones were made known to it.
    fn changed_by_git(&self, revision: &str) -> BTreeMap<String, Vec<RangeInclusive<u32>>> {
        self.git(&["add", "-A"]);
        let text = self.git(&[
            "diff",
            "--unified=0",
            "--merge-base",
            "--find-renames",
            "--ignore-space-at-eol",
            "--no-color",
            revision,
        ]);
        let mut ranges: BTreeMap<String, Vec<RangeInclusive<u32>>> = BTreeMap::new();
        let mut file = String::new();
        for line in text.lines() {
            if let Some(path) = line.strip_prefix("+++ b/") {
                path.clone_into(&mut file);
            } else if let Some(hunk) = line.strip_prefix("@@ ") {
                let new = hunk.split(' ').nth(1).and_then(|new| new.strip_prefix('+')).expect("a hunk");
                let (start, count) = new.split_once(',').unwrap_or((new, "1"));
                let [start, count] = [start, count].map(|number| number.parse::<u32>().expect("a number"));
                if count > 0 {
                    ranges.entry(file.clone()).or_default().push(start..=start + count - 1);
                }
            }
        }
        let joined = |ranges: Vec<RangeInclusive<u32>>| LineSet::from_iter(ranges).ranges().to_vec();
        ranges.into_iter().map(|(file, ranges)| (file, joined(ranges))).collect()
    }
}

fn by_name(root: &Path, by_file: HashMap<PathBuf, LineSet>) -> BTreeMap<String, Vec<RangeInclusive<u32>>> {
    let name = |path: &Path| path.strip_prefix(root).expect("is in the root").display().to_string();
    by_file.into_iter().map(|(path, lines)| (name(&path), lines.ranges().to_vec())).collect()
}

/// A file of lines that are all different.
fn lines(name: &str, count: usize) -> Vec<String> {
    (1..=count).map(|line| format!("    int {name}{line} = {};", line * 7)).collect()
}

/// Deletes, changes and adds some lines.
fn edited(random: &mut fastrand::Rng, lines: &[String]) -> Vec<String> {
    let mut edited = Vec::new();
    for line in lines {
        match random.u32(0..20) {
            0 => {}
            1 => edited.push(format!("    changed({});", random.u32(..))),
            2 => edited.extend([line.clone(), format!("    added({});", random.u32(..))]),
            3 => edited.push(format!("{line}  ")),
            _ => edited.push(line.clone()),
        }
    }
    edited
}

/// The text of a file; which line ends it has never changes.
fn text(random: &mut fastrand::Rng, lines: &[String]) -> String {
    let end = if lines.iter().any(|line| line.contains("f3_")) { "\r\n" } else { "\n" };
    let last = if random.u32(0..4) == 0 { "" } else { end };
    lines.join(end) + last
}

#[test]
fn changed_lines_are_those_that_git_tells() {
    for seed in 0..25 {
        let mut random = fastrand::Rng::with_seed(seed);
        let sandbox = Sandbox::new();
        sandbox.write(".gitignore", "ignored/\n");
        let mut files: Vec<(String, Vec<String>)> = (0..6)
            .map(|number| (format!("src/p/F{number}.java"), lines(&format!("f{number}_"), 60)))
            .collect();
        let write_all = |random: &mut fastrand::Rng, files: &mut Vec<(String, Vec<String>)>| {
            for (path, lines) in files {
                if random.bool() {
                    *lines = edited(random, lines);
                    let text = text(random, lines);
                    sandbox.write(path, &text);
                } else if !sandbox.root.join(&*path).exists() {
                    let text = text(random, lines);
                    sandbox.write(path, &text);
                }
            }
        };
        write_all(&mut random, &mut files);
        sandbox.commit();
        sandbox.git(&["checkout", "-q", "-b", "topic"]);
        // What comes after the last common commit on the other branch does not count.
        sandbox.git(&["checkout", "-q", "main"]);
        sandbox.write("src/p/F0.java", "other\n");
        sandbox.commit();
        sandbox.git(&["checkout", "-q", "topic"]);
        // Committed, with a file that moves and changes a little.
        let moved = random.usize(0..files.len());
        fs::remove_file(sandbox.root.join(&files[moved].0)).expect("removes");
        files[moved].0 = "src/q/Moved.java".to_owned();
        write_all(&mut random, &mut files);
        sandbox.commit();
        // Staged, then changed on disk, then a file that nobody knows and one that is ignored.
        write_all(&mut random, &mut files);
        sandbox.git(&["add", "-A"]);
        write_all(&mut random, &mut files);
        sandbox.write("src/p/New.java", "one\ntwo\nthree\n");
        sandbox.write("ignored/Generated.java", "one\n");
        let ours = sandbox.changed("main").expect("is a repository");
        assert_eq!(ours["src/p/New.java"], [1..=3], "seed {seed}");
        assert_eq!(ours, sandbox.changed_by_git("main"), "seed {seed}");
        assert!(!ours.contains_key("ignored/Generated.java"), "seed {seed}");
    }
}

#[test]
fn line_ends_alone_are_no_change() {
    let sandbox = Sandbox::new();
    sandbox.write("A.java", "a\nb\nc\n");
    sandbox.commit();
    sandbox.write("A.java", "a\r\nB\r\nc\r\n");
    assert_eq!(sandbox.changed("HEAD").expect("is a repository")["A.java"], [2..=2]);
}

#[test]
fn carriage_returns_alone_end_lines() {
    let sandbox = Sandbox::new();
    sandbox.write("Same.java", "a\rb\rc\r");
    sandbox.write("Edited.java", "a\rb\rc\rd\r");
    sandbox.write("Mixed.java", "a\r\nb\rc\nd\n");
    sandbox.commit();
    sandbox.write("Same.java", "a\nb\nc\n");
    sandbox.write("Edited.java", "a\rB\rc\rd\re\r");
    sandbox.write("Mixed.java", "a\r\nb\rc\nD\n");
    sandbox.write("New.java", "a\rb\r");
    let expected =
        [("Edited.java", vec![2..=2, 5..=5]), ("Mixed.java", vec![4..=4]), ("New.java", vec![1..=2])];
    let expected = expected.map(|(name, lines)| (name.to_owned(), lines));
    assert_eq!(sandbox.changed("main"), Ok(BTreeMap::from(expected)));
}

#[test]
fn a_file_that_git_forgot_still_counts_by_its_lines() {
    let sandbox = Sandbox::new();
    sandbox.write("A.java", "a\nb\nc\n");
    sandbox.write(".gitignore", "B.java\n");
    sandbox.commit();
    sandbox.git(&["rm", "-q", "--cached", "A.java"]);
    sandbox.write("A.java", "a\nb\nc\nd\n");
    sandbox.write("B.java", "known although it is ignored\n");
    sandbox.git(&["add", "-f", "B.java"]);
    let changed = sandbox.changed("HEAD").expect("is a repository");
    assert_eq!(changed["B.java"], [1..=1]);
    assert_eq!(changed["A.java"], [4..=4]);
}

#[test]
fn what_cannot_be_compared_is_an_error() {
    let sandbox = Sandbox::new();
    assert_eq!(
        sandbox.changed("HEAD"),
        Err(ChangeError::UnknownRevision { revision: "HEAD".to_owned(), is_shallow: false })
    );
    sandbox.write("A.java", "a\n");
    sandbox.commit();
    let unknown = |revision: &str, is_shallow| ChangeError::UnknownRevision {
        revision: revision.to_owned(),
        is_shallow,
    };
    assert_eq!(sandbox.changed("no-such"), Err(unknown("no-such", false)));
    assert_eq!(sandbox.changed("main..main"), Err(ChangeError::Range { revision: "main..main".to_owned() }));
    assert_eq!(sandbox.changed("HEAD:A.java"), Err(unknown("HEAD:A.java", false)));
    sandbox.git(&["checkout", "-q", "--orphan", "apart"]);
    sandbox.write("A.java", "another\n");
    sandbox.commit();
    let apart = ChangeError::NoMergeBase { revision: "main".to_owned(), is_shallow: false };
    assert_eq!(sandbox.changed("main"), Err(apart));
    let outside = sandbox.folder.path().canonicalize().expect("is there");
    let error = ChangedLines::since("HEAD", &outside, &BTreeSet::new()).expect_err("is in no repository");
    assert_eq!(error, ChangeError::NoRepository { folder: outside });
}

#[test]
fn a_shallow_clone_says_so() {
    let sandbox = Sandbox::new();
    for text in ["a\n", "b\n", "c\n"] {
        sandbox.write("A.java", text);
        sandbox.commit();
    }
    sandbox.git(&["branch", "old", "HEAD~2"]);
    let place = sandbox.folder.path().canonicalize().expect("is there").join("clone");
    let url = format!("file://{}", sandbox.root.display());
    let path = place.display().to_string();
    sandbox.git(&["clone", "-q", "--depth=1", "--no-single-branch", &url, &path]);
    let clone = Sandbox { root: place, folder: tempfile::tempdir().expect("temporary folder") };
    let apart = ChangeError::NoMergeBase { revision: "origin/old".to_owned(), is_shallow: true };
    assert_eq!(clone.changed("origin/old"), Err(apart));
    let gone = ChangeError::UnknownRevision { revision: "HEAD~1".to_owned(), is_shallow: true };
    assert!(gone.hint().is_some_and(|hint| hint.contains("shallow")));
    assert_eq!(clone.changed("HEAD~1"), Err(gone));
}
