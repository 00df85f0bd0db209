//! Reads the text of a case: first what it says about itself, line by line, then its files.
//!
//! The format is described in the README of the folder `cases`. What is not understood is an error with its line, never
//! skipped: a mistyped key would otherwise make a case say less than its author meant.

use std::collections::BTreeMap;
use std::path::Path;

use super::base64;
use super::case::{Case, Ekstazi, Level, Revision, Selected};
use super::error::{CaseError, Problem};

/// What the line above each file begins with.
const FILE_MARK: &str = "=== ";

/// What stands before a path that is about the second revision.
const AFTER: &str = "after";

/// A problem and its line, from 1.
type Misread = (usize, Problem);

/// The case in a file with this text.
pub(super) fn parse(file: &Path, text: &str) -> Result<Case, CaseError> {
    let name_of = |path: Option<&Path>, part: fn(&Path) -> Option<&std::ffi::OsStr>| {
        path.and_then(part).map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    };
    let group = name_of(file.parent(), Path::file_name);
    let name = name_of(Some(file), Path::file_stem);
    let read = || {
        let mut case = read_head(&head_of(text)?, Case { group, name, ..empty_case(file) })?;
        for section in sections_of(text)? {
            section.add_to(&mut case)?;
        }
        check_tests(&case)?;
        check_sources(&case)?;
        Ok(case)
    };
    read().map_err(|(line, problem)| CaseError::Syntax { file: file.to_owned(), line, problem })
}

fn empty_case(file: &Path) -> Case {
    Case {
        group: String::new(),
        name: String::new(),
        file: file.to_owned(),
        why: String::new(),
        coverage: None,
        notes: Vec::new(),
        release: 0,
        only_jdk: None,
        roots_before: Vec::new(),
        roots_after: Vec::new(),
        other_roots: Vec::new(),
        not_recompiled: Vec::new(),
        javac_arguments: Vec::new(),
        before: super::Settings::default(),
        after: super::Settings::default(),
        tests: Vec::new(),
        fails_before: Vec::new(),
        changes: Vec::new(),
        need_not_run: BTreeMap::new(),
        ekstazi: None,
        files: BTreeMap::new(),
        edits: BTreeMap::new(),
    }
}

/// A line of the head, with those that continue it.
struct Entry<'a> {
    line: usize,
    key: &'a str,
    value: String,
}

impl Entry<'_> {
    fn words(&self) -> Vec<String> {
        self.value.split_whitespace().map(str::to_owned).collect()
    }

    fn bad_value(&self) -> Misread {
        (self.line, Problem::BadValue(self.value.clone()))
    }

    fn selected(&self) -> Result<Selected, Misread> {
        match self.value.as_str() {
            "selected" => Ok(Selected::Selected),
            "missed" => Ok(Selected::Missed),
            _ => Err(self.bad_value()),
        }
    }
}

fn head_of(text: &str) -> Result<Vec<Entry<'_>>, Misread> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for (number, line) in text.lines().enumerate().take_while(|(_, line)| !line.starts_with(FILE_MARK)) {
        let line_number = number + 1;
        if line.trim().is_empty() {
            continue;
        }
        if let (Some(more), Some(entry)) = (line.strip_prefix("  "), entries.last_mut()) {
            entry.value = format!("{} {}", entry.value, more.trim());
            continue;
        }
        let (key, value) = line.split_once(':').ok_or((line_number, Problem::NoKey))?;
        entries.push(Entry { line: line_number, key, value: value.trim().to_owned() });
    }
    Ok(entries)
}

/// The keys that may stand more than once.
const REPEATABLE: &[&str] =
    &["note", "need not run", "environment", "environment before", "environment after"];

fn read_head(entries: &[Entry<'_>], mut case: Case) -> Result<Case, Misread> {
    let mut ekstazi = (None, None);
    for (index, entry) in entries.iter().enumerate() {
        let repeated = entries[..index].iter().any(|earlier| earlier.key == entry.key);
        if repeated && !REPEATABLE.contains(&entry.key) {
            return Err((entry.line, Problem::Repeated(entry.key.to_owned())));
        }
        match entry.key {
            "ekstazi" => ekstazi.0 = Some(entry.selected()?),
            "ekstazi forking" => ekstazi.1 = Some(entry.selected()?),
            _ => read_entry(entry, &mut case)?,
        }
    }
    case.ekstazi = match ekstazi {
        (Some(in_one_jvm), Some(forking)) => Some(Ekstazi { in_one_jvm, forking }),
        (None, None) => None,
        (Some(_), None) => return Err((1, Problem::Missing("ekstazi forking"))),
        (None, Some(_)) => return Err((1, Problem::Missing("ekstazi"))),
    };
    for key in ["why", "release", "tests", "changes"] {
        if !entries.iter().any(|entry| entry.key == key) {
            return Err((1, Problem::Missing(key)));
        }
    }
    Ok(case)
}

fn read_entry(entry: &Entry<'_>, case: &mut Case) -> Result<(), Misread> {
    if entry.value.is_empty() {
        return Err(entry.bad_value());
    }
    match entry.key {
        "why" => case.why = entry.value.clone(),
        "coverage" => case.coverage = Some(entry.value.clone()),
        "note" => case.notes.push(entry.value.clone()),
        "release" => case.release = entry.value.parse().map_err(|_| entry.bad_value())?,
        "jdk" => case.only_jdk = Some(entry.value.parse().map_err(|_| entry.bad_value())?),
        "roots" => {
            case.roots_before = entry.words();
            case.roots_after = entry.words();
        }
        "roots before" => case.roots_before = entry.words(),
        "roots after" => case.roots_after = entry.words(),
        "other roots" => case.other_roots = entry.words(),
        "not recompiled" => case.not_recompiled = entry.words(),
        "javac" => case.javac_arguments = entry.words(),
        "tests" => case.tests = entry.words(),
        "fails before" => case.fails_before = entry.words(),
        "changes" if entry.value == "none" => {}
        "changes" => case.changes = entry.words(),
        "need not run" => read_need_not_run(entry, case)?,
        key => read_setting(key, entry, case)?,
    }
    Ok(())
}

fn read_need_not_run(entry: &Entry<'_>, case: &mut Case) -> Result<(), Misread> {
    let (level, tests) = entry.value.split_once(' ').ok_or(entry.bad_value())?;
    let level = match level {
        "class" => Level::Class,
        "method" => Level::Method,
        "edge" => Level::Edge,
        _ => return Err(entry.bad_value()),
    };
    for test in tests.split_whitespace() {
        if case.need_not_run.insert(test.to_owned(), level).is_some() {
            return Err((entry.line, Problem::Repeated(test.to_owned())));
        }
    }
    Ok(())
}

/// Reads a line about how a JVM is started: in one revision, or in both.
fn read_setting(key: &str, entry: &Entry<'_>, case: &mut Case) -> Result<(), Misread> {
    let (what, revisions) = match key.strip_suffix(" before") {
        Some(what) => (what, vec![&mut case.before]),
        None => match key.strip_suffix(" after") {
            Some(what) => (what, vec![&mut case.after]),
            None => (key, vec![&mut case.before, &mut case.after]),
        },
    };
    for settings in revisions {
        match what {
            "jvm" => settings.jvm_arguments.extend(entry.words()),
            "environment" => {
                let (name, value) = entry.value.split_once('=').ok_or(entry.bad_value())?;
                settings.environment.insert(name.to_owned(), value.to_owned());
            }
            _ => return Err((entry.line, Problem::UnknownKey(key.to_owned()))),
        }
    }
    Ok(())
}

fn check_sources(case: &Case) -> Result<(), Misread> {
    let after = case.files_of(Revision::After);
    let is_source = |path: &str| case.files.contains_key(path) && after.contains_key(path);
    match case.not_recompiled.iter().find(|path| !is_source(path)) {
        Some(path) => Err((1, Problem::BadPath(path.clone()))),
        None => Ok(()),
    }
}

fn check_tests(case: &Case) -> Result<(), Misread> {
    let named = case.changes.iter().chain(&case.fails_before).chain(case.need_not_run.keys());
    if let Some(stranger) = named.into_iter().find(|name| !case.tests.contains(name)) {
        return Err((1, Problem::NotATest(stranger.clone())));
    }
    match case.changes.iter().find(|test| case.need_not_run.contains_key(*test)) {
        Some(test) => Err((1, Problem::MustRun(test.clone()))),
        None => Ok(()),
    }
}

/// How the contents of a file are written.
enum Written {
    Text,
    WithoutFinalNewline,
    InBase64,
    Deleted,
}

/// A file of the case: its head and the lines below it.
struct Section<'a> {
    line: usize,
    revision: Revision,
    path: &'a str,
    written: Written,
    lines: Vec<&'a str>,
}

fn sections_of(text: &str) -> Result<Vec<Section<'_>>, Misread> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    for (number, line) in text.split('\n').enumerate() {
        if let Some(head) = line.strip_prefix(FILE_MARK) {
            sections.push(read_file_head(number + 1, head)?);
        } else if let Some(section) = sections.last_mut() {
            section.lines.push(line);
        }
    }
    Ok(sections)
}

fn read_file_head(line: usize, head: &str) -> Result<Section<'_>, Misread> {
    let words: Vec<&str> = head.split_whitespace().collect();
    let (revision, words) = match words.as_slice() {
        [AFTER, rest @ ..] => (Revision::After, rest),
        all => (Revision::Before, all),
    };
    let bad_head = || (line, Problem::BadFileHead(head.to_owned()));
    let (path, how) = words.split_first().ok_or_else(bad_head)?;
    let written = match how {
        [] => Written::Text,
        ["without", "final", "newline"] => Written::WithoutFinalNewline,
        ["in", "base64"] => Written::InBase64,
        ["deleted"] if revision == Revision::After => Written::Deleted,
        _ => return Err(bad_head()),
    };
    if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Err((line, Problem::BadPath((*path).to_owned())));
    }
    Ok(Section { line, revision, path, written, lines: Vec::new() })
}

impl Section<'_> {
    fn add_to(&self, case: &mut Case) -> Result<(), Misread> {
        let contents = self.contents()?;
        let path = self.path.to_owned();
        let problem = |problem: fn(String) -> Problem| Err((self.line, problem(path.clone())));
        let known = match self.revision {
            Revision::Before => case.files.contains_key(self.path),
            Revision::After => case.edits.contains_key(self.path),
        };
        if known {
            return problem(Problem::SecondFile);
        }
        match (self.revision, contents) {
            (Revision::Before, contents) => {
                case.files.insert(path, contents.unwrap_or_default());
            }
            (Revision::After, None) if !case.files.contains_key(self.path) => {
                return problem(Problem::NothingToDelete);
            }
            (Revision::After, Some(contents)) if case.files.get(self.path) == Some(&contents) => {
                return problem(Problem::Unchanged);
            }
            (Revision::After, contents) => {
                case.edits.insert(path, contents);
            }
        }
        Ok(())
    }

    /// The bytes of the file, or none if it is deleted. Empty lines at the end do not count.
    fn contents(&self) -> Result<Option<Vec<u8>>, Misread> {
        let end = self.lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
        let text = self.lines[..end].join("\n");
        let bytes = match self.written {
            Written::Deleted if !text.is_empty() => return Err((self.line, Problem::BadValue(text))),
            Written::Deleted => return Ok(None),
            Written::Text if text.is_empty() => Vec::new(),
            Written::Text => (text + "\n").into_bytes(),
            Written::WithoutFinalNewline => text.into_bytes(),
            Written::InBase64 => {
                base64::decode(&text).ok_or((self.line, Problem::NotBase64(self.path.to_owned())))?
            }
        };
        Ok(Some(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "why: because\nrelease: 8\ntests: T U\nchanges: T\n";

    fn parsed(text: &str) -> Result<Case, String> {
        parse(Path::new("group/name.case"), text).map_err(|error| error.to_string())
    }

    #[test]
    fn everything_that_a_case_can_say_is_read() {
        let text = "\
why: one
  two
coverage: lines
note: first
note: second
release: 11
jdk: 25
roots before: app lib.jar
roots after: app
other roots: plugin
not recompiled: empty
javac: -parameters -Xlint
jvm: -ea
jvm after: -Da=b
environment: X=1
environment before: Y=a b=c
tests: p.T U V
fails before: U
changes: p.T
need not run: class U
need not run: edge V
ekstazi: missed
ekstazi forking: selected

=== app/p/T.java
class T {

}

=== data without final newline
1
=== b.bin in base64
AP8=

=== empty
=== after app/p/T.java deleted
=== after new

 x
";
        let case = parsed(text).expect("a case");
        assert_eq!((case.group.as_str(), case.name.as_str()), ("group", "name"));
        assert_eq!((case.why.as_str(), case.coverage.as_deref()), ("one two", Some("lines")));
        assert_eq!((case.notes.len(), case.release, case.jdk()), (2, 11, 25));
        assert_eq!(
            (case.roots_before.join(" "), case.javac_arguments.join(" ")),
            ("app lib.jar".into(), "-parameters -Xlint".into())
        );
        assert_eq!(
            (case.roots_of(Revision::After), &case.not_recompiled[..]),
            (&["app".into()][..], &["empty".into()][..])
        );
        assert_eq!(case.other_roots, ["plugin"]);
        assert_eq!(case.before.jvm_arguments, ["-ea"]);
        assert_eq!(case.after.jvm_arguments, ["-ea", "-Da=b"]);
        assert_eq!(case.before.environment["Y"], "a b=c");
        assert_eq!(case.after.environment.keys().collect::<Vec<_>>(), ["X"]);
        assert_eq!((case.tests.join(" "), case.fails_before.join(" ")), ("p.T U V".into(), "U".into()));
        assert_eq!(case.changes, ["p.T"]);
        assert!(Level::ALL.iter().all(|&level| case.need_not_run_at(level, "U")));
        assert!(!case.need_not_run_at(Level::Method, "V") && case.need_not_run_at(Level::Edge, "V"));
        let ekstazi = case.ekstazi.expect("what Ekstazi did");
        assert_eq!((ekstazi.in_one_jvm, ekstazi.forking), (Selected::Missed, Selected::Selected));
        let before = case.files_of(Revision::Before);
        assert_eq!(before.len(), 4);
        assert_eq!(before["app/p/T.java"], b"class T {\n\n}\n");
        assert_eq!((before["data"], before["b.bin"], before["empty"]), (&b"1"[..], &[0, 255][..], &[][..]));
        let after = case.files_of(Revision::After);
        assert_eq!(after.keys().copied().collect::<Vec<_>>(), ["b.bin", "data", "empty", "new"]);
        assert_eq!(after["new"], b"\n x\n");
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let told = |text: &str| parsed(&format!("{HEAD}{text}")).expect_err("a mistake");
        assert_eq!(told("wy: x\n"), "group/name.case:5: there is no key `wy`");
        assert_eq!(told("\nwhy: x\n"), "group/name.case:6: `why` stands twice");
        assert_eq!(told("words\n"), "group/name.case:5: expected `key: value` or `=== file`");
        assert_eq!(told("need not run: line U\n"), "group/name.case:5: `line U` cannot stand here");
        assert_eq!(told("need not run: class W\n"), "group/name.case:1: `W` is not among the tests");
        assert_eq!(
            told("need not run: class T\n"),
            "group/name.case:1: `T` gives another result and so must run"
        );
        assert_eq!(told("ekstazi: missed\n"), "group/name.case:1: `ekstazi forking` is missing");
        assert_eq!(
            told("=== ../A\n"),
            "group/name.case:5: `../A` is not a path inside the folder of the case"
        );
        assert_eq!(
            told("=== A in hex\n"),
            "group/name.case:5: expected `=== [after] PATH [how]`, not `A in hex`"
        );
        assert_eq!(told("=== A\n1\n=== A\n2\n"), "group/name.case:7: `A` stands twice");
        assert_eq!(told("=== after A deleted\n"), "group/name.case:5: `A` is deleted but was not there");
        assert_eq!(
            told("=== A\n1\n=== after A\n1\n\n"),
            "group/name.case:7: `A` is the same after as before"
        );
        assert_eq!(told("=== A in base64\n?\n"), "group/name.case:5: the contents of `A` are not Base64");
        let error = parsed("why: x\nrelease: 8\ntests: T\n").expect_err("a mistake");
        assert_eq!(error, "group/name.case:1: `changes` is missing");
    }
}
