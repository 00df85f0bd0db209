//! The images and modules of the installed JDKs, held against what the JDKs' own tools say is in them.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use probity_classpath::Source;
use probity_toolchain::{Environment, Jdk, all_jdks};

use crate::read_all;

/// The installed JDKs that have a runtime image; there must be one.
fn jdks_with_image() -> Vec<Jdk> {
    let jdks: Vec<_> = all_jdks(&Environment::of_this_process())
        .into_iter()
        .filter(|jdk| jdk.home().join("lib").join("modules").is_file())
        .collect();
    assert!(!jdks.is_empty(), "this test needs a JDK 9 or newer: set JAVA_HOME");
    jdks
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() { Ok(()) } else { Err(format!("{command:?}: {output:?}")) }
}

/// Checks that the source holds exactly the classes of the folder, byte for byte. Gives their number.
fn assert_same_classes(source: &Source, folder: &Path) -> usize {
    let mut names = BTreeSet::new();
    source.visit_classes(|class| {
        let class = class.expect("is read");
        let expected = std::fs::read(folder.join(class.name)).expect(class.name);
        assert!(class.bytes == expected, "{} differs", class.name);
        names.insert(class.name.to_owned());
    });
    let extracted: BTreeSet<String> =
        read_all(&Source::open(folder).expect("opens")).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, extracted);
    names.len()
}

fn extract(jdk: &Jdk, image: &Path, into: &Path) {
    run(Command::new(jdk.tool("jimage")).arg("extract").arg("--dir").arg(into).arg(image)).expect("extracts");
}

#[test]
fn every_class_of_every_jdk_is_what_jimage_extracts() {
    for jdk in jdks_with_image() {
        let folder = tempfile::tempdir().expect("temporary folder");
        extract(&jdk, &jdk.home().join("lib").join("modules"), folder.path());
        let source = Source::open(format!("jrt:{}", jdk.home().display())).expect("opens");
        let count = assert_same_classes(&source, folder.path());
        assert!(count > 5000, "{jdk} has {count} classes");
        assert!(source.entries().iter().any(|entry| entry.name() == "java.base/java/lang/Object.class"));
    }
}

/// Links a small compressed image with the first JDK that can link.
fn link(into: &Path) -> Jdk {
    let mut refusals = Vec::new();
    for jdk in jdks_with_image() {
        let compression = if jdk.feature_version() < 21 { "2" } else { "zip-6" };
        let result = run(Command::new(jdk.tool("jlink"))
            .args(["--add-modules", "java.base", "--compress", compression, "--output"])
            .arg(into));
        match result {
            Ok(()) => return jdk,
            Err(refusal) => refusals.push(refusal),
        }
    }
    panic!("this test needs a JDK that can link images: {refusals:?}");
}

#[test]
fn every_class_of_a_compressed_image_is_what_jimage_extracts() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let (linked, extracted) = (folder.path().join("linked"), folder.path().join("extracted"));
    let jdk = link(&linked);
    extract(&jdk, &linked.join("lib").join("modules"), &extracted);
    let source = Source::open(format!("jrt:{}", linked.display())).expect("opens");
    assert!(assert_same_classes(&source, &extracted) > 1000);
}

#[test]
fn the_classes_of_a_module_file_are_those_it_was_made_of() {
    let jdk = jdks_with_image().remove(0);
    let folder = tempfile::tempdir().expect("temporary folder");
    let (image, module) = (folder.path().join("image"), folder.path().join("made.jmod"));
    extract(&jdk, &jdk.home().join("lib").join("modules"), &image);
    let classes = image.join("java.logging");
    run(Command::new(jdk.tool("jmod")).arg("create").arg("--class-path").arg(&classes).arg(&module))
        .expect("creates");

    let mut count = 0;
    Source::open(&module).expect("opens").visit_classes(|class| {
        let class = class.expect("is read");
        let name = class.name.strip_prefix("classes/").expect("classes of a module file are in classes/");
        assert!(class.bytes == std::fs::read(classes.join(name)).expect(name), "{name} differs");
        count += 1;
    });
    assert_eq!(count, Source::open(&classes).expect("opens").entries().len());
    assert!(count > 10, "{count} classes");
}
