//! The rule that the crates which only compute do only that: no files, no network, no processes, no clock.
//!
//! What they conclude must depend on what they are given and on nothing else; then it can be tested, cached and trusted.
//! Tests inside these crates' sources keep to the rule as well; those that need files live in `tests`.

use super::finding::Finding;
use super::lexer::{Kind, Token, tokens};
use super::tree::Tree;

const PURE_CRATES: &[&str] = &["classfile", "coverage", "instrument", "model", "select", "shape", "trace"];
const IMPURE_MODULES: &[&str] = &["env", "fs", "net", "process", "time"];
const STANDARD_STREAMS: &[&str] = &["stderr", "stdin", "stdout"];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    tree.crate_sources()
        .filter(|(path, _)| is_pure(path))
        .flat_map(|(path, text)| check_file(path, text))
        .collect()
}

fn is_pure(path: &str) -> bool {
    path.strip_prefix("crates/")
        .and_then(|rest| rest.split('/').next())
        .is_some_and(|name| PURE_CRATES.contains(&name))
}

fn check_file(path: &str, text: &str) -> Vec<Finding> {
    paths(&tokens(text))
        .into_iter()
        .filter(|used| is_impure(&used.names))
        .map(|used| {
            let message =
                format!("uses {}, but this crate does no IO and has no clock", used.names.join("::"));
            Finding::error(format!("{path}:{}", used.line), message)
        })
        .collect()
}

fn is_impure(names: &[&str]) -> bool {
    let reaches_out = matches!(names, ["std", module, ..] if IMPURE_MODULES.contains(module));
    let standard_stream = names.windows(2).any(|pair| pair[0] == "io" && STANDARD_STREAMS.contains(&pair[1]));
    reaches_out || standard_stream
}

/// A path such as `std::fs::read`, where it ends.
struct UsedPath<'a> {
    line: usize,
    names: Vec<&'a str>,
}

/// All paths in the program, those in groups (`std::{fs, io::{self, stdout}}`) written out.
fn paths<'a>(tokens: &[Token<'a>]) -> Vec<UsedPath<'a>> {
    let mut reader = PathReader { tokens, at: 0, found: Vec::new() };
    while reader.at < tokens.len() {
        reader.path(&[]);
    }
    reader.found
}

struct PathReader<'t, 'a> {
    tokens: &'t [Token<'a>],
    at: usize,
    found: Vec<UsedPath<'a>>,
}

impl<'a> PathReader<'_, 'a> {
    /// Reads one path, or passes over one token that is none.
    fn path(&mut self, prefix: &[&'a str]) {
        let Some(first) = self.tokens.get(self.at) else {
            return;
        };
        let Kind::Name(name) = first.kind else {
            self.at += 1;
            return;
        };
        let line = first.line;
        let mut names = [prefix, &[name]].concat();
        self.at += 1;
        while self.is_mark(0, ':') && self.is_mark(1, ':') {
            self.at += 2;
            match self.tokens.get(self.at).map(|token| token.kind) {
                Some(Kind::Name(name)) => {
                    names.push(name);
                    self.at += 1;
                }
                Some(Kind::Mark('{')) => {
                    self.group(&names);
                    return;
                }
                _ => break,
            }
        }
        self.found.push(UsedPath { line, names });
    }

    fn group(&mut self, prefix: &[&'a str]) {
        self.at += 1;
        while self.at < self.tokens.len() && !self.is_mark(0, '}') {
            self.path(prefix);
        }
        self.at += 1;
    }

    fn is_mark(&self, ahead: usize, mark: char) -> bool {
        self.tokens.get(self.at + ahead).is_some_and(|token| token.kind == Kind::Mark(mark))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn findings(path: &str, text: &str) -> Vec<String> {
        let tree = Tree::of(&[(path, text)]);
        check(&tree).into_iter().map(|finding| format!("{} {}", finding.place, finding.message)).collect()
    }

    #[test]
    fn io_and_clocks_are_found_however_they_are_written() {
        for line in [
            "use std::fs;",
            "fn f() { ::std::net::TcpStream::connect(a); }",
            "use std::{collections::BTreeMap, time::Instant};",
            "use std::{io::{self, stdout}};",
            "let x = std::env::var(\"X\");",
            "use std::process::{Command, Stdio};",
            "io::stderr().lock();",
        ] {
            assert!(!findings("crates/select/src/lib.rs", line).is_empty(), "{line}");
        }
        let found =
            findings("crates/shape/src/a/b.rs", "//! Docs.\n\nuse std::{\n    fmt,\n    fs::File,\n};\n");
        assert_eq!(
            found,
            ["crates/shape/src/a/b.rs:5 uses std::fs::File, but this crate does no IO and has no clock"]
        );
    }

    #[test]
    fn what_only_computes_is_fine() {
        let code = "//! No std::fs here.\nuse std::{fmt, io::{self, Read}};\nuse core::time::Duration;\n\
                    fn f(time: u32, fs: &str) { time::go(\"std::fs\"); a.process::<u8>(); }\n";
        assert_eq!(findings("crates/classfile/src/lib.rs", code), [""; 0]);
    }

    #[test]
    fn other_crates_and_tests_may() {
        assert_eq!(findings("crates/store/src/lib.rs", "use std::fs;"), [""; 0]);
        assert_eq!(findings("crates/select/tests/t.rs", "use std::fs;"), [""; 0]);
    }
}
