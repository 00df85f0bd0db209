//! Every class of a sample, listed by this crate and by the `javap` of each tested JDK, must be the same class.
//!
//! Both listings are read into one structure and compared field by field; what this crate decoded is counted as well, so
//! that a line which neither side prints, or which the reader of listings overlooks, is noticed. The test needs a JDK
//! and jars from the cache, and never touches anything but temporary folders.

#![allow(clippy::print_stdout, reason = "the counts are for whoever runs the test with --nocapture")]

mod compare;
mod listing;
mod sample;

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use compare::{Comparison, Counts};
use probity_classfile::attribute::Attribute;
use probity_classfile::{ClassFile, Member, print};
use probity_classpath::Source;
use probity_test_support::corpus::{self, Part};
use probity_test_support::java::test_jdks;
use probity_toolchain::Jdk;
use sample::SampledClass;

/// Classes of each JDK's own image.
const CLASSES_PER_JDK: usize = 1_500;
/// Classes of each jar.
const CLASSES_PER_JAR: usize = 120;
/// Classes for one run of `javap`.
const CLASSES_PER_RUN: usize = 250;
/// Mismatches that are worth printing.
const SHOWN_MISMATCHES: usize = 25;

#[test]
fn javap_says_the_same() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let jdks = test_jdks();
    let mut jobs: Vec<(Jdk, Vec<SampledClass>)> = Vec::new();
    for jdk in &jdks {
        let image = Source::open(format!("jrt:{}", jdk.home().display())).expect("a runtime image");
        let mut classes = sample::take(&image, CLASSES_PER_JDK, &folder.path().join(jdk.version()));
        for fetched in corpus::fetched(Part::Sample).expect("the jars of the sample") {
            let jar = Source::open(&fetched.path).expect("a jar");
            let name = fetched.jar.artifact.replace(':', "_");
            let folder = folder.path().join(format!("{}_{name}", jdk.version()));
            classes.extend(sample::take(&jar, CLASSES_PER_JAR, &folder));
        }
        while !classes.is_empty() {
            let rest = classes.split_off(CLASSES_PER_RUN.min(classes.len()));
            jobs.push((jdk.clone(), std::mem::replace(&mut classes, rest)));
        }
    }
    let (counts, mismatches) = compare_all(&jobs);
    println!("{counts:#?}");
    for mismatch in mismatches.iter().take(SHOWN_MISMATCHES) {
        println!("{mismatch}");
    }
    assert!(mismatches.is_empty(), "{} mismatches", mismatches.len());
    assert_eq!(counts.classes, jobs.iter().map(|(_, classes)| classes.len()).sum::<usize>());
    assert_counts(&counts);
}

/// Changes or drops every line of a listing, one at a time; the comparison must see it.
#[test]
fn a_change_in_any_line_is_noticed() {
    // The number of arguments of the broken method is unknown, which `javap` never says.
    let whole = include_str!("../listing/small_class.txt").replace("args_size=?", "args_size=1");
    let original = parsed(&whole).expect("a listing");
    let notices = |lines: &[&str]| {
        let mut comparison = Comparison::new(17, "changed");
        match parsed(&lines.join("\n")) {
            Ok(changed) => comparison.class(&original, &changed),
            Err(problem) => comparison.mismatch("readable", "yes", problem),
        }
        !comparison.mismatches.is_empty()
    };
    let lines: Vec<&str> = whole.lines().collect();
    assert!(!notices(&lines));
    let mut tried = 0;
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| is_compared(line)) {
        let mut dropped = lines.clone();
        dropped.remove(number);
        assert!(notices(&dropped), "dropped line {number}: {line}");
        let changed_line = with_other_last_character(line);
        let mut changed = lines.clone();
        changed[number] = &changed_line;
        assert!(notices(&changed), "changed line {number}: {line} to {changed_line}");
        tried += 1;
    }
    assert!(tried > 200, "only {tried} lines");
}

/// Whether a line says something that is compared: not a heading, a bracket or a declaration.
fn is_compared(line: &str) -> bool {
    let trimmed = line.trim();
    let is_declaration = trimmed.ends_with(';') && line.starts_with("  ") && !line.starts_with("   ");
    let is_heading = ["Start ", "from ", "Classfile ", "size ", "Compiled from", "public abstract class"]
        .iter()
        .any(|heading| trimmed.starts_with(heading));
    !(trimmed.is_empty() || is_declaration || is_heading || ["{", "}"].contains(&trimmed))
}

fn with_other_last_character(line: &str) -> String {
    let at = line.rfind(|c: char| c.is_ascii_alphanumeric() || c == ')').expect("something to change");
    let other = if line[at..].starts_with('7') { "8" } else { "7" };
    format!("{}{other}{}", &line[..at], &line[at + 1..])
}

fn parsed(text: &str) -> listing::Parsed<listing::Class> {
    let lines = listing::split(text).into_iter().next().map(|(_, lines)| lines);
    listing::parse(&lines.unwrap_or_default())
}

fn assert_counts(counts: &Counts) {
    let at_least = [
        ("classes", counts.classes, 2_000),
        ("constants", counts.constants, 200_000),
        ("fields", counts.fields, 5_000),
        ("methods", counts.methods, 10_000),
        ("instructions", counts.instructions, 300_000),
        ("comments", counts.constant_comments, 100_000),
        ("switches", counts.switches, 300),
        ("exception table rows", counts.exceptions, 1_000),
        ("line numbers", counts.lines, 50_000),
        ("local variables", counts.variables, 10_000),
        ("frames", counts.frames, 10_000),
    ];
    for (what, count, least) in at_least {
        assert!(count >= least, "only {count} {what} were compared, not {least}");
    }
}

/// Runs the jobs on all processors; each is one run of `javap`.
fn compare_all(jobs: &[(Jdk, Vec<SampledClass>)]) -> (Counts, Vec<String>) {
    let next = AtomicUsize::new(0);
    let results = Mutex::new((Counts::default(), Vec::new()));
    let threads = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((jdk, classes)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let compared = compare_batch(jdk, classes);
                    let mut results = results.lock().expect("no other thread has failed");
                    for comparison in compared {
                        results.0.add(&comparison.counts);
                        results.1.extend(comparison.mismatches);
                    }
                }
            });
        }
    });
    results.into_inner().expect("no thread has failed")
}

fn compare_batch(jdk: &Jdk, classes: &[SampledClass]) -> Vec<Comparison> {
    let text = sample::javap(jdk, classes);
    let by_file: HashMap<&str, Vec<&str>> = listing::split(&text).into_iter().collect();
    let compare = |class: &SampledClass| {
        let mut comparison = Comparison::new(jdk.feature_version(), &class.name);
        let file = class.file.to_str().expect("the path of a temporary file");
        match by_file.get(file) {
            Some(lines) => compare_class(&mut comparison, class, lines),
            None => comparison.mismatch("listed by", "nothing", "this crate"),
        }
        comparison
    };
    classes.iter().map(compare).collect()
}

fn compare_class(comparison: &mut Comparison, class: &SampledClass, javap: &[&str]) {
    let decoded = match ClassFile::read(&class.bytes) {
        Ok(decoded) => decoded,
        Err(error) => return comparison.mismatch("can be read", "yes", error.to_string()),
    };
    let text = without_lone_surrogates(&print::listing(&decoded));
    match (listing::parse(javap), parsed(&text)) {
        (Ok(javap), Ok(ours)) => {
            comparison.class(&javap, &ours);
            check_against_decoded(comparison, &decoded, &ours);
        }
        (javap, ours) => comparison.mismatch("has a listing", javap.err(), ours.err()),
    }
}

/// `javap` writes a question mark for half a surrogate pair, where this crate writes an escape.
fn without_lone_surrogates(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape: String = rest[at..].chars().take(6).collect();
        let unit = escape.strip_prefix("\\u").and_then(|hex| u16::from_str_radix(hex, 16).ok());
        let length = if unit.is_some_and(|unit| (0xD800..0xE000).contains(&unit)) {
            out.push('?');
            escape.len()
        } else {
            // The character behind a backslash belongs to it.
            let length = escape.chars().take(2).map(char::len_utf8).sum();
            out.push_str(&rest[at..at + length]);
            length
        };
        rest = &rest[at + length..];
    }
    out + rest
}

/// Checks that the listing, as it was read, has everything that was decoded.
fn check_against_decoded(comparison: &mut Comparison, decoded: &ClassFile<'_>, ours: &listing::Class) {
    let mut check = |what: &str, decoded: usize, listed: usize| {
        if decoded != listed {
            comparison.mismatch(format!("listed {what}"), decoded, listed);
        }
    };
    check("constants", decoded.pool().iter().count(), ours.pool.len());
    check("fields", decoded.fields().len(), ours.fields.len());
    check("methods", decoded.methods().len(), ours.methods.len());
    for (method, listed) in decoded.methods().iter().zip(&ours.methods) {
        let Some(code) = decoded.code(method).expect("a body that can be read") else { continue };
        let Some(listed) = &listed.code else {
            check("bodies", 1, 0);
            continue;
        };
        let rows = table_rows(decoded, method);
        check("instructions", code.instructions().filter(Result::is_ok).count(), listed.instructions.len());
        check("exceptions", code.exceptions.len(), listed.exceptions.len());
        check("lines", rows.lines, listed.lines.len());
        check("variables", rows.variables, listed.variables.len());
        check("variable types", rows.variable_types, listed.variable_types.len());
        check("frames", rows.frames, listed.frames.len());
    }
}

#[derive(Default)]
struct TableRows {
    lines: usize,
    variables: usize,
    variable_types: usize,
    frames: usize,
}

fn table_rows<'a>(class: &ClassFile<'a>, method: &Member<'a>) -> TableRows {
    let mut rows = TableRows::default();
    let Ok(Some(code)) = class.code(method) else { return rows };
    for attribute in code.attributes.iter().filter_map(|attribute| attribute.decode(class.pool()).ok()) {
        match attribute {
            Attribute::LineNumberTable(table) => rows.lines += table.len(),
            Attribute::LocalVariableTable(table) => rows.variables += table.len(),
            Attribute::LocalVariableTypeTable(table) => rows.variable_types += table.len(),
            Attribute::StackMapTable(table) => rows.frames += usize::from(table.len()),
            _ => {}
        }
    }
    rows
}
