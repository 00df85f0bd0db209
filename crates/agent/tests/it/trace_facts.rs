//! Facts: what a program looks at that is no code is seen for what it is.

use crate::harness::{our_argument, said};
use crate::traces::{TracedJvm, TracedUse, compile_one, recordings, trace};
use probity_test_support::java::{CompiledClasses, Program, test_jdks};
use probity_toolchain::Jdk;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// A folder with the files that the program looks at.
fn files() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let names = [
        "read",
        "nio-read",
        "length",
        "deleted",
        "nio-deleted",
        "from",
        "nio-channel",
        "nio-from",
        "nio-scanned",
    ];
    for name in names.map(|name| format!("{name}.txt")) {
        std::fs::write(folder.path().join(name), "x").expect("a writable folder");
    }
    for name in ["listed", "listed2", "nio-listed", "nio-listed2", "nio-walked", "nio-walked/inside"] {
        std::fs::create_dir(folder.path().join(name)).expect("a writable folder");
    }
    // The smallest archive: nothing but its end.
    let end = [b"PK\x05\x06".as_slice(), &[0; 18]].concat();
    std::fs::write(folder.path().join("some.zip"), end).expect("a writable folder");
    folder
}

fn compiled(jdk: &Jdk) -> CompiledClasses {
    let classes = compile_one(jdk, "Facts", include_str!("java/Facts.java"));
    let services = classes.folder().join("META-INF/services");
    std::fs::create_dir_all(&services).expect("a writable folder");
    std::fs::write(services.join("Facts$Service"), "Facts$Provider\n").expect("a writable folder");
    classes
}

/// What the program used, as the only unit of its JVM.
fn used(jdk: &Jdk, classes: &CompiledClasses, folder: &Path, more: &str) -> TracedUse {
    let program = Program::with(jdk, "Facts")
        .class_path([classes.folder()])
        .jvm_argument("-Dfacts.set=some value")
        .argument(folder)
        .argument(more);
    let traced = trace(&program);
    assert_eq!(traced.output.exit_code, Some(0), "{}", traced.output);
    assert_eq!((traced.output.stdout.as_str(), said(&traced.output)), ("", Vec::new()));
    only_unit(traced.jvm())
}

fn only_unit(jvm: &TracedJvm) -> TracedUse {
    let units = jvm.units();
    assert_eq!(units.len(), 1, "{:?}", units.keys());
    let unit = units.into_values().next().expect("there is one");
    assert_eq!((unit.framework.as_str(), unit.done, unit.tests.len()), ("none", true, 0));
    assert!(unit.name.starts_with("Facts "), "{}", unit.name);
    unit.used
}

/// What is in every run.
const EXPECTED: &[&str] = &[
    "inspected Facts$Methods",
    "inspected Facts$Annotated",
    "inspected Facts$Fields",
    "inspected Facts$Constructed",
    "inspected Facts$FieldUser",
    "inspected Facts$Colour",
    "inspected Facts$InArray",
    "inspected Facts$Proxied",
    "inspected Facts$AlsoProxied",
    "inspected Facts$ByLookup",
    "inspected Facts$ByVarHandle",
    "inspected Facts$Made",
    "inspected Facts$Stored",
    "named Facts$ByName",
    "named no.such.Name (absent)",
    "named Facts$ByLoader",
    "named no.such.ForLoader (absent)",
    "named no.such.ForLookup (absent)",
    "named no.such.ForUrls (absent)",
    "named .package-info (absent)",
    "named Facts$Provider",
    "resource relative.txt",
    "resource some/stream.txt",
    "resource some/system.txt",
    "resource some/many.txt",
    "resource some/found.txt",
    "resource some/Bundle*",
    "resource META-INF/services/Facts$Service",
    "read FOLDER/read.txt",
    "read FOLDER/missing.txt",
    "tested FOLDER/exists.txt",
    "tested FOLDER/modified.txt",
    "read FOLDER/length.txt",
    "listed FOLDER/listed",
    "listed FOLDER/listed2",
    "written FOLDER/written.txt",
    "written FOLDER/random.txt",
    "written FOLDER/deleted.txt",
    "written FOLDER/made",
    "written FOLDER/from.txt",
    "written FOLDER/to.txt",
    "read FOLDER/nio-read.txt",
    "read FOLDER/nio-missing.txt",
    "tested FOLDER/nio-exists.txt",
    "tested FOLDER/nio-directory",
    "written FOLDER/nio-written.txt",
    "written FOLDER/nio-deleted.txt",
    "written FOLDER/nio-made",
    "written FOLDER/nio-copy.txt",
    "listed FOLDER/nio-listed",
    "listed FOLDER/nio-listed2",
    "listed FOLDER/nio-walked",
    "listed FOLDER/nio-walked/inside",
    "read FOLDER/nio-channel.txt",
    "tested FOLDER/nio-channel.txt",
    "tested FOLDER/nio-link",
    "written FOLDER/nio-from.txt",
    "written FOLDER/nio-to.txt",
    "read FOLDER/nio-scanned.txt",
    "tested FOLDER/nio-read.txt",
    "inspected Facts$Simple",
    "resource relative-stream.txt",
    "resource some/module.txt",
    "listed FOLDER/some.zip",
    "property facts.set=some value",
    "property facts.unset",
    "property facts.boolean",
    "property user.timezone",
    "variable FACTS_UNSET",
    "linked Facts",
    "linked Facts$Own",
];

#[test]
fn what_a_program_looks_at_is_seen() {
    for jdk in test_jdks() {
        let (classes, folder) = (compiled(&jdk), files());
        let used = used(&jdk, &classes, folder.path(), "");
        let place = folder.path().display().to_string();
        let missing: Vec<String> = EXPECTED
            .iter()
            .map(|fact| fact.replace("FOLDER", &place))
            .filter(|fact| !used.has(fact))
            .collect();
        assert!(missing.is_empty(), "JDK {}: {missing:#?} of {:#?}", jdk.feature_version(), used.facts);
        for fact in ["child process", "stack trace", "all properties", "all variables"] {
            assert!(!used.has(fact), "JDK {}: {fact}", jdk.feature_version());
        }
        let never = ["Facts$NotTouched", "facts.other", "$$Lambda", "unknown ", "hidden uses Facts$Watched"];
        for fact in &used.facts {
            assert!(never.iter().all(|never| !fact.contains(never)), "{fact}");
        }
        let of_loaders =
            used.facts.iter().filter(|fact| fact.starts_with("listed ") && fact.ends_with(".jar"));
        assert_eq!(of_loaders.count(), 0, "{:#?}", used.facts);
    }
}

#[test]
fn what_concerns_everything_is_seen_where_it_happens_and_nowhere_else() {
    let kinds = [
        ("properties", "all properties"),
        ("variables", "all variables"),
        ("process", "child process"),
        ("runtime", "child process"),
        ("trace", "stack trace"),
        ("print", "stack trace"),
        ("thread", "stack trace"),
        ("walker", "stack trace"),
        ("null", "stack trace"),
        ("hidden", "hidden uses Facts$Watched"),
    ];
    for jdk in test_jdks() {
        let classes = compiled(&jdk);
        for (kind, fact) in kinds {
            let used = used(&jdk, &classes, files().path(), kind);
            assert!(used.has(fact), "JDK {}: {kind}: {:#?}", jdk.feature_version(), used.facts);
            let others = ["child process", "stack trace"].iter().filter(|other| **other != fact);
            assert_eq!(others.filter(|other| used.has(other)).count(), 0, "{kind}: {:#?}", used.facts);
        }
    }
}

#[test]
fn a_variable_is_recorded_with_its_value() {
    for jdk in test_jdks() {
        let (classes, folder) = (compiled(&jdk), files());
        let traces = tempfile::tempdir().expect("a temporary folder");
        let status = Command::new(jdk.java())
            .arg(our_argument(&format!("output=none,traces={}", traces.path().display())))
            .arg("-cp")
            .arg(classes.folder())
            .arg("Facts")
            .arg(folder.path())
            .arg("")
            .env("FACTS_SET", "a value")
            .status()
            .expect("a JVM");
        assert!(status.success());
        let used = only_unit(&recordings(traces.path())[0]);
        assert!(used.has("variable FACTS_SET=a value"), "{:#?}", used.facts);
    }
}
