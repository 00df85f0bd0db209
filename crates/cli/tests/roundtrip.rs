//! Sends real classes through the round trip of the built command: the sample of the corpus and one JDK.
//!
//! The whole corpus takes longer and is for `cargo xtask corpus`; this is the part that every test run can afford. The
//! counts must be those that are written down, so that a class that was never looked at is seen to be missing.

use std::ffi::{OsStr, OsString};
use std::process::Command;

use probity_test_support::corpus::{self, Part};
use probity_test_support::java::test_jdks;
use serde_json::Value;

/// What the command says about the round trip of one source, which must be all right.
fn roundtrip(source: &OsStr) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_probity"))
        .args(["debug", "class", "--roundtrip", "--json"])
        .arg(source)
        .output()
        .expect("runs");
    let document: Value = serde_json::from_slice(&output.stdout).expect("one JSON document");
    assert_eq!(document["failures"], Value::Array(Vec::new()), "{source:?}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{source:?}");
    assert_eq!(output.status.code(), Some(0), "{source:?}");
    document
}

fn count(document: &Value, name: &str) -> u64 {
    document[name].as_u64().expect("a count")
}

#[test]
fn all_classes_of_the_sample_come_out_as_they_went_in() {
    for fetched in corpus::fetched(Part::Sample).expect("the sample of the corpus") {
        let document = roundtrip(fetched.path.as_os_str());
        for name in ["read", "identical", "rewritten", "rewritten_ok"] {
            let expected = fetched.jar.classes as u64;
            assert_eq!(count(&document, name), expected, "{name} of {}", fetched.jar.artifact);
        }
    }
}

#[test]
fn all_classes_of_a_jdk_come_out_as_they_went_in() {
    let jdks = test_jdks();
    let jdk = jdks.first().expect("there is at least one");
    let mut source = OsString::from("jrt:");
    source.push(jdk.home());
    let document = roundtrip(&source);
    let read = count(&document, "read");
    // The smallest JDK that is tested, one without a desktop, has 26,000.
    assert!(read > 20_000, "{read} classes of {jdk}");
    for name in ["identical", "rewritten", "rewritten_ok"] {
        assert_eq!(count(&document, name), read, "{name} of {jdk}");
    }
}
