//! The images and modules of the installed JDKs, held against what the JDKs themselves say is in them.
//!
//! A small Java program walks the image of the JVM it runs in and prints the size and the checksum of every
//! class. That is as good as extracting the image and comparing bytes, without making tens of thousands of files.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use probity_classpath::Source;
use probity_toolchain::{Environment, Jdk, all_jdks};

const PROGRAM: &str = r#"
import java.net.URI;
import java.nio.file.*;
import java.util.stream.Stream;
import java.util.zip.CRC32;

public class ListImage {
    public static void main(String[] args) throws Exception {
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        StringBuilder list = new StringBuilder();
        try (Stream<Path> paths = Files.walk(modules)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                if (path.toString().endsWith(".class")) {
                    byte[] bytes = Files.readAllBytes(path);
                    CRC32 crc = new CRC32();
                    crc.update(bytes);
                    list.append(modules.relativize(path)).append(' ').append(bytes.length);
                    list.append(' ').append(crc.getValue()).append('\n');
                }
            }
        }
        System.out.print(list);
    }
}
"#;

/// Size and checksum of each class, by name.
type Fingerprints = BTreeMap<String, (usize, u32)>;

/// The installed JDKs that have a runtime image; there must be one.
fn jdks_with_image() -> Vec<Jdk> {
    let jdks: Vec<_> = all_jdks(&Environment::of_this_process())
        .into_iter()
        .filter(|jdk| jdk.home().join("lib").join("modules").is_file())
        .collect();
    assert!(!jdks.is_empty(), "this test needs a JDK 9 or newer: set JAVA_HOME");
    jdks
}

fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        String::from_utf8(output.stdout).map_err(|error| format!("{command:?}: {error}"))
    } else {
        Err(format!("{command:?}: {output:?}"))
    }
}

/// What the JVM in `home` says is in its image.
fn according_to_java(compiler: &Jdk, home: &Path) -> Fingerprints {
    let folder = tempfile::tempdir().expect("temporary folder");
    let source = folder.path().join("ListImage.java");
    std::fs::write(&source, PROGRAM).expect("writes");
    run(Command::new(compiler.javac()).arg("-d").arg(folder.path()).arg(&source)).expect("compiles");
    let java = home.join("bin").join(format!("java{}", std::env::consts::EXE_SUFFIX));
    let list = run(Command::new(java).arg("-cp").arg(folder.path()).arg("ListImage")).expect("lists");
    list.lines().map(|line| parse_line(line).expect(line)).collect()
}

fn parse_line(line: &str) -> Option<(String, (usize, u32))> {
    let mut words = line.split(' ');
    let name = words.next()?.to_owned();
    Some((name, (words.next()?.parse().ok()?, words.next()?.parse().ok()?)))
}

/// What this crate finds in a source.
fn according_to_us(source: &Source) -> Fingerprints {
    let mut found = Fingerprints::new();
    source.visit_classes(|class| {
        let class = class.expect("is read");
        let mut crc = flate2::Crc::new();
        crc.update(class.bytes);
        found.insert(class.name.to_owned(), (class.bytes.len(), crc.sum()));
    });
    assert_eq!(found.len(), source.entries().len());
    found
}

fn assert_image_is_what_java_says(compiler: &Jdk, home: &Path) {
    let source = Source::open(format!("jrt:{}", home.display())).expect("opens");
    let (ours, expected) = (according_to_us(&source), according_to_java(compiler, home));
    assert!(expected.contains_key("java.base/java/lang/Object.class"));
    assert!(ours.keys().eq(expected.keys()), "other classes than in {}", home.display());
    for (name, fingerprint) in ours {
        assert_eq!(Some(&fingerprint), expected.get(&name), "{name}");
    }
}

#[test]
fn every_class_of_every_jdk_is_what_its_java_says() {
    for jdk in jdks_with_image() {
        assert_image_is_what_java_says(&jdk, jdk.home());
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
            Ok(_) => return jdk,
            Err(refusal) => refusals.push(refusal),
        }
    }
    panic!("this test needs a JDK that can link images: {refusals:?}");
}

#[test]
fn every_class_of_a_compressed_image_is_what_its_java_says() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let linked = folder.path().join("linked");
    let jdk = link(&linked);
    assert_image_is_what_java_says(&jdk, &linked);
}

#[test]
fn the_classes_of_a_module_file_are_those_it_was_made_of() {
    let jdk = jdks_with_image().remove(0);
    let folder = tempfile::tempdir().expect("temporary folder");
    let (image, module) = (folder.path().join("image"), folder.path().join("made.jmod"));
    run(Command::new(jdk.tool("jimage"))
        .args(["extract", "--include", "regex:/java.logging/.*", "--dir"])
        .args([image.as_path(), &jdk.home().join("lib").join("modules")]))
    .expect("extracts");
    let classes = image.join("java.logging");
    run(Command::new(jdk.tool("jmod")).arg("create").arg("--class-path").args([&classes, &module]))
        .expect("creates");

    let ours = according_to_us(&Source::open(&module).expect("opens"));
    let expected = according_to_us(&Source::open(&classes).expect("opens"));
    assert!(expected.len() > 10);
    assert_eq!(ours, expected.into_iter().map(|(name, print)| (format!("classes/{name}"), print)).collect());
}
