//! `cargo xtask corpus`: sends every class of the corpus and of the installed JDKs through the round trip.
//!
//! The product's own command does the work, one source after the other; this only adds up what it says. The document is
//! written when everything went well and at no other time: a list of failures is for whoever repairs them.

mod document;

use std::ffi::OsString;
use std::fs;

use probity_test_support::corpus::{self, Part};
use probity_test_support::java::installed_jdks;
use serde::Deserialize;

use self::document::{Document, Row};
use crate::commands::fetch;
use crate::failure::Failure;
use crate::processes;
use crate::root::repository_root;
use crate::setup::{self, Tool};
use crate::surroundings::Surroundings;

const DOCUMENT: &str = "docs/results/classfile-corpus.md";

/// A place with classes.
struct Source {
    /// What the command is given.
    argument: OsString,
    /// A name that means the same on every machine.
    name: String,
    why: String,
    /// How many classes it is known to have; a JDK's number depends on who built it.
    classes: Option<usize>,
}

/// What the command says about a source.
#[derive(Debug, Deserialize)]
struct Roundtrip {
    read: usize,
    identical: usize,
    rewritten: usize,
    rewritten_ok: usize,
    failures: Vec<serde_json::Value>,
}

pub(crate) fn run() -> Result<(), Failure> {
    setup::ensure(&[Tool::Jdk, Tool::Maven])?;
    fetch::fetch(Part::All)?;
    processes::run(processes::cargo(["build", "--release", "--locked", "--package", "probity-cli"]))?;
    let sources = sources()?;
    let mut rows = Vec::with_capacity(sources.len());
    for source in &sources {
        rows.push(row_of(source, roundtrip(source)?));
    }
    let failed = rows.iter().filter(|row| !row.is_well()).count();
    if failed > 0 {
        return Err(Failure::Corpus { failed });
    }
    let document = Document { surroundings: Surroundings::here()?, rows };
    let path = repository_root().join(DOCUMENT);
    fs::write(&path, document.to_string()).map_err(|source| Failure::Unwritable { path, source })?;
    println!("wrote {DOCUMENT}");
    Ok(())
}

fn sources() -> Result<Vec<Source>, Failure> {
    let mut sources: Vec<Source> = Vec::new();
    for jdk in installed_jdks() {
        let mut argument = OsString::from("jrt:");
        argument.push(jdk.home());
        let (name, why) =
            (format!("JDK {}", jdk.version()), "the classes that every program uses".to_owned());
        sources.push(Source { argument, name, why, classes: None });
    }
    for fetched in corpus::fetched(Part::All)? {
        sources.push(Source {
            argument: fetched.path.into_os_string(),
            name: fetched.jar.artifact.to_owned(),
            why: fetched.jar.why.to_owned(),
            classes: Some(fetched.jar.classes),
        });
    }
    Ok(sources)
}

fn roundtrip(source: &Source) -> Result<Roundtrip, Failure> {
    let mut command = processes::probity(&["debug", "class", "--roundtrip", "--json"]);
    command.arg(&source.argument);
    let answer = processes::answer_of(command)?;
    serde_json::from_slice(&answer.stdout)
        .map_err(|source| Failure::Answer { command: answer.command, source })
}

fn row_of(source: &Source, roundtrip: Roundtrip) -> Row {
    let Roundtrip { read, identical, rewritten, rewritten_ok, failures } = roundtrip;
    println!("{}: {read} read, {identical} identical, {} failures", source.name, failures.len());
    failures.iter().for_each(|failure| println!("  {failure}"));
    Row {
        name: source.name.clone(),
        why: source.why.clone(),
        classes: source.classes.unwrap_or(read),
        read,
        identical,
        rewritten,
        rewritten_ok,
        failures: failures.len(),
    }
}
