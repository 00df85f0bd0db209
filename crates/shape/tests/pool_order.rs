//! Hashes do not depend on the constant pool: every class is written anew by ASM, with another pool, and keeps its shape.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use probity_classpath::Source;
use probity_shape::{Shape, ShapeReader};
use probity_test_support::corpus::{self, Part};
use probity_test_support::java::{Compilation, test_jdks};
use probity_test_support::tools::asm_class_path;

/// The classes as ASM writes them.
fn rewritten(classes: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let jdk = test_jdks().pop().expect("there is a JDK");
    let asm = asm_class_path().expect("is fetched");
    let program = Compilation::with(&jdk)
        .class_path(asm.clone())
        .source("Rewrite.java", include_str!("Rewrite.java"))
        .compile()
        .expect("compiles");
    let class_path = std::env::join_paths(asm.into_iter().chain([program.folder()])).expect("are paths");
    let mut child = Command::new(jdk.java())
        .arg("-cp")
        .arg(class_path)
        .arg("Rewrite")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut input = child.stdin.take().expect("is piped");
    let mut output = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for class in classes {
                let length = u32::try_from(class.len()).expect("is short");
                input.write_all(&length.to_be_bytes()).expect("is read");
                input.write_all(class).expect("is read");
            }
        });
        child.stdout.take().expect("is piped").read_to_end(&mut output).expect("is written");
    });
    assert!(child.wait().expect("ends").success());
    let mut rest = output.as_slice();
    let mut written = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let (class, after) = after.split_at(u32::from_be_bytes(*length) as usize);
        written.push(class.to_vec());
        rest = after;
    }
    written
}

/// What must stay: everything but the bytes themselves.
fn comparable(mut shape: Shape, bytes: &[u8]) -> String {
    assert_eq!(shape.content, probity_shape::ContentId::of(bytes));
    shape.content = probity_shape::ContentId::of(b"");
    shape.class_id = 0;
    format!("{shape:#?}")
}

#[test]
fn another_order_of_constants_is_the_same_shape() {
    let part = if corpus::is_whole_wanted() { Part::All } else { Part::Sample };
    let mut compared = 0;
    for place in corpus::places(part).expect("the corpus can be fetched") {
        let source = Source::open(&place.spec).expect("the source can be opened");
        let every = if corpus::is_whole_wanted() || source.name().ends_with(".jar") { 1 } else { 16 };
        let mut classes = Vec::new();
        let mut position = 0;
        source.visit_classes(|entry| {
            if position % every == 0 {
                classes.push(entry.expect("the class can be read").bytes.to_vec());
            }
            position += 1;
        });
        let mut reader = ShapeReader::new();
        for (class, other) in classes.iter().zip(rewritten(&classes)) {
            let shape = reader.read(class).expect("has a shape");
            let name = shape.name.clone();
            let (one, two) =
                (comparable(shape, class), comparable(reader.read(&other).expect("has one"), &other));
            assert_ne!(class, &other, "{name} was not changed");
            let different = one.lines().zip(two.lines()).find(|(one, two)| one != two);
            assert_eq!(different, None, "{name} of {}", place.label);
            assert_eq!(one.lines().count(), two.lines().count(), "{name} of {}", place.label);
            // One body of each class is enough.
            let walk =
                reader.body_walk((class, compared % 3), (&other, compared % 3)).expect("is understood");
            let difference = walk.and_then(|walk| walk.differences().next());
            assert_eq!(difference, None, "{name} of {}", place.label);
            compared += 1;
        }
    }
    assert!(compared > 10_000, "{compared}");
}
