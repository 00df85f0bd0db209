//! What the corpus says about its jars, checked on the small sample.
//!
//! These tests fetch the sample with Maven if it is not in the cache.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use probity_test_support::corpus::{self, FetchedJar, Part};
use probity_test_support::java::{Compilation, Program, test_jdks};
use probity_test_support::{maven, tools};
use rawzip::{RECOMMENDED_BUFFER_SIZE, ZipArchive};

const LARGEST_SAMPLE_IN_BYTES: u64 = 20_000_000;

fn sample() -> Vec<FetchedJar> {
    corpus::fetched(Part::Sample).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_sample_is_small_and_has_the_classes_that_it_claims() {
    let sample = sample();
    for FetchedJar { jar, path } in &sample {
        assert_eq!(count_classes(path), jar.classes, "{}", jar.artifact);
    }
    let size: u64 = sample.iter().map(|fetched| fs::metadata(&fetched.path).expect("a jar").len()).sum();
    assert!(size <= LARGEST_SAMPLE_IN_BYTES, "{size} bytes");
}

#[test]
fn the_sample_has_subroutines() {
    let jython = sample().into_iter().find(|fetched| fetched.jar.artifact.starts_with("jython:"));
    let path = jython.expect("jython is in the sample for its subroutines").path;
    let output = Command::new(test_jdks()[0].javap())
        .args(["-c", "-p", "-classpath"])
        .arg(&path)
        .arg("org.python.core.imp")
        .output()
        .expect("javap runs");
    let listing = String::from_utf8_lossy(&output.stdout);
    for instruction in [": jsr ", ": ret "] {
        assert!(listing.contains(instruction), "no {instruction:?} in {listing}");
    }
}

#[test]
fn what_was_fetched_is_no_longer_missing() {
    let paths = maven::fetch(tools::ASM).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(paths.len(), tools::ASM.len());
    assert_eq!(maven::missing(tools::ASM).expect("well formed"), []);
}

#[test]
fn asm_and_jacoco_work_together() {
    let class_path = tools::jacoco_class_path().unwrap_or_else(|error| panic!("{error}"));
    let jdk = &test_jdks()[0];
    let text = r#"
        import org.jacoco.core.JaCoCo;
        import org.jacoco.core.instr.Instrumenter;
        import org.jacoco.core.runtime.LoggerRuntime;
        import org.objectweb.asm.ClassReader;
        class Ask {
            public static void main(String[] arguments) throws Exception {
                byte[] original = Ask.class.getResourceAsStream("Ask.class").readAllBytes();
                byte[] changed = new Instrumenter(new LoggerRuntime()).instrument(original, "Ask");
                System.out.println(JaCoCo.VERSION.substring(0, 6) + " " + new ClassReader(changed).getClassName());
            }
        }"#;
    let classes = Compilation::with(jdk)
        .class_path(&class_path)
        .source("Ask.java", text)
        .compile()
        .unwrap_or_else(|error| panic!("{error}"));
    let output = Program::with(jdk, "Ask")
        .class_path(&class_path)
        .class_path([classes.folder()])
        .run_successfully()
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(output.stdout.trim_end(), "0.8.15 Ask");
}

fn count_classes(jar: &Path) -> usize {
    let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
    let archive = ZipArchive::from_file(File::open(jar).expect("a jar"), &mut buffer).expect("a zip file");
    let mut entries = archive.entries(&mut buffer);
    let mut classes = 0;
    while let Some(entry) = entries.next_entry().expect("a readable directory") {
        classes += usize::from(entry.file_path().as_ref().ends_with(b".class"));
    }
    classes
}
