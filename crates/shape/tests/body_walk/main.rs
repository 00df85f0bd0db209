//! Two versions of a method, compiled by `javac` and run with JaCoCo's probes: what the walk says of the new version from the hits
//! of the old one must be what the new one does.

mod edits;
mod grade;
mod random;

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use probity_shape::{BodyWalk, MethodShape, ShapeReader, Verdict};
use probity_test_support::java::{Compilation, test_jdks};
use probity_test_support::tools::jacoco_class_path;
use probity_toolchain::Jdk;

/// One version of the method under test, as it was compiled and run.
struct Version {
    source: String,
    bytes: Vec<u8>,
    /// The position of the method in its class.
    method: usize,
    has_entry_probe: bool,
    runs: Vec<Run>,
}

/// What one input made of it.
#[derive(Debug)]
struct Run {
    outcome: String,
    /// The probes of the method.
    probes: Vec<bool>,
}

/// A class whose method `f` is under test, with other things that it can use.
fn class_with(body: &str, more: &str) -> String {
    format!(
        "import java.util.*; import java.util.function.*;
        public class C {{
            static StringBuilder log;
            int field = 3;
            static int call(int x) {{
                log.append(x).append(' ');
                if (x % 5 == 0) throw new IllegalStateException();
                if (x % 7 == 0) throw new IllegalArgumentException();
                return x + 1;
            }}
            public static String run(int a) {{
                log = new StringBuilder();
                C c = new C();
                try {{ log.append(c.f(a)); }} catch (Throwable t) {{ log.append(t); }}
                return log.append(c.field).toString();
            }}
            {more}
            int f(int a) {{ {body} }}
        }}"
    )
}

/// Compiles versions of the class and runs the method with each input.
fn versions(jdk: &Jdk, sources: &[String], inputs: &[i32]) -> Vec<Version> {
    let jacoco = jacoco_class_path().expect("is fetched");
    let program = Compilation::with(jdk)
        .class_path(jacoco.clone())
        .source("Versions.java", include_str!("Versions.java"))
        .compile()
        .unwrap_or_else(|error| panic!("{error}"));
    let class_path = std::env::join_paths(jacoco.into_iter().chain([program.folder()])).expect("are paths");
    let mut child = Command::new(jdk.java())
        .arg("-cp")
        .arg(class_path)
        .arg("Versions")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut input = child.stdin.take().expect("is piped");
    let mut output = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(&request(sources, inputs)).expect("is read"));
        child.stdout.take().expect("is piped").read_to_end(&mut output).expect("is written");
    });
    assert!(child.wait().expect("ends").success());
    let mut answer = Answer(&output);
    sources.iter().map(|source| answer.version(source, inputs.len())).collect()
}

fn request(sources: &[String], inputs: &[i32]) -> Vec<u8> {
    let mut request = Vec::from((inputs.len() as u32).to_be_bytes());
    request.extend(inputs.iter().flat_map(|input| input.to_be_bytes()));
    request.extend((sources.len() as u32).to_be_bytes());
    for source in sources {
        request.extend(u16::try_from(source.len()).expect("is short").to_be_bytes());
        request.extend(source.bytes());
    }
    request
}

/// What is left of the program's answer.
struct Answer<'a>(&'a [u8]);

impl<'a> Answer<'a> {
    fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count);
        self.0 = rest;
        taken
    }

    fn number(&mut self) -> usize {
        u32::from_be_bytes(self.take(4).try_into().expect("are four")) as usize
    }

    fn text(&mut self) -> String {
        let length = u16::from_be_bytes(self.take(2).try_into().expect("are two"));
        String::from_utf8_lossy(self.take(usize::from(length))).into_owned()
    }

    fn version(&mut self, source: &str, inputs: usize) -> Version {
        let length = self.number();
        let bytes = self.take(length).to_vec();
        let shape = ShapeReader::new().read(&bytes).expect("has a shape");
        let is_it = |method: &MethodShape| method.name == "f" && method.descriptor.starts_with("(I");
        let method = shape.methods.iter().position(is_it).expect("is there");
        let body = shape.methods[method].body.as_ref().expect("has code");
        let runs = (0..inputs).map(|_| {
            let outcome = self.text();
            let count = self.number();
            let probes = self.take(count).iter().map(|probe| *probe != 0).collect::<Vec<_>>();
            let range = body.probes.start as usize..body.probes.end as usize;
            Run { outcome, probes: probes[range].to_vec() }
        });
        let runs = runs.collect();
        Version {
            source: source.to_owned(),
            has_entry_probe: body.entry_probe.is_some(),
            bytes,
            method,
            runs,
        }
    }
}

impl Version {
    /// The probes that some of the runs hit together.
    fn row(&self, runs: &[usize]) -> Vec<bool> {
        let mut row = vec![false; self.runs[0].probes.len()];
        for &run in runs {
            for (probe, hit) in row.iter_mut().zip(&self.runs[run].probes) {
                *probe |= hit;
            }
        }
        row
    }
}

fn walk(old: &Version, new: &Version) -> BodyWalk {
    let walk = ShapeReader::new().body_walk((&old.bytes, old.method), (&new.bytes, new.method));
    walk.expect("is understood").expect("can be walked")
}

/// What the walk says after some of the runs; that it is right is checked.
fn checked(walk: &BodyWalk, old: &Version, new: &Version, runs: &[usize]) -> Verdict {
    let row = old.row(runs);
    let entry_hit = old.has_entry_probe.then_some(!runs.is_empty());
    let verdict = walk.verdict(entry_hit, |probe| row[probe as usize]);
    if verdict != Verdict::Stale {
        for &run in runs {
            let (old, new) = (&old.runs[run], &new.runs[run]);
            assert_eq!(old.outcome, new.outcome);
        }
    }
    if let Verdict::Fresh(row) = &verdict {
        assert_eq!(row, &new.row(runs), "{runs:?}\n{}\n{}", old.source, new.source);
    }
    verdict
}

/// All sets of some numbers, in a fixed order.
fn sets(count: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..1_usize << count).map(move |bits| (0..count).filter(|at| bits >> at & 1 == 1).collect())
}

fn jdks() -> Vec<Jdk> {
    test_jdks()
}
