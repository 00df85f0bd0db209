//! Class loaders, kinds of classes, and other agents that change classes.

use crate::execution_data::{classes_named, differences, names, the_class};
use crate::harness::{
    compile, jacoco_argument, one_jdk, our_argument, read, record, record_with_jacoco, run, said,
};
use crate::traces::{Traced, trace};
use probity_test_support::java::{Compilation, CompiledClasses, Program, test_jdks};
use probity_test_support::tools;
use probity_toolchain::Jdk;
use probity_wire::Message;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

fn hits(recording: &probity_execdata::store::Store, class: &str) -> Vec<bool> {
    the_class(recording, class).probes.iter().collect()
}

#[test]
fn one_class_in_many_loaders_has_one_entry_and_one_range() {
    for jdk in test_jdks() {
        let target = compile(&jdk, "Target", include_str!("java/Target.java"));
        let classes = compile(&jdk, "Loaders", include_str!("java/Loaders.java"));
        let program = |times: &str| {
            let folder = target.folder().into_os_string();
            Program::with(&jdk, "Loaders").class_path([classes.folder()]).argument(folder).argument(times)
        };
        let twice = record(&program("2"), "");
        assert_eq!(hits(&twice.data, "Target").iter().filter(|hit| **hit).count(), 2, "way 1 and way 2");
        let jacoco = record_with_jacoco(&program("2"), "");
        assert_eq!(
            differences(&twice.data, &jacoco.data)
                .iter()
                .map(|bit| bit.class.as_str())
                .collect::<BTreeSet<_>>(),
            // Only our run finds a holder, so only its loop goes on.
            BTreeSet::from(["Loaders"])
        );
        let often = record(&program("4000"), "");
        assert!(often.output.stdout.contains("holders 1\n"), "{}", often.output);
        assert_eq!(hits(&often.data, "Target"), hits(&twice.data, "Target"));
        assert_eq!(said(&often.output), [""; 0]);
    }
}

#[test]
fn every_kind_of_class_is_recorded_as_jacoco_does_and_shows_no_change() {
    for jdk in test_jdks() {
        let classes = compile(&jdk, "Kinds", include_str!("java/Kinds.java"));
        let program = Program::with(&jdk, "Kinds")
            .class_path([classes.folder()])
            .jvm_argument("-Xverify:all")
            .jvm_argument("-Duser.language=en");
        let plain = run(&program);
        let ours = record(&program, "");
        assert_eq!(plain.exit_code, Some(0), "{plain}");
        assert_eq!(plain.stdout, ours.output.stdout, "reflection and serialisation see what they saw");
        assert_eq!(said(&ours.output), [""; 0]);
        let jacoco = record_with_jacoco(&program, "");
        assert_eq!(differences(&ours.data, &jacoco.data), BTreeSet::new());
        assert!(names(&ours.data).len() >= 12, "{:?}", names(&ours.data));
    }
}

#[test]
fn classes_of_named_modules_are_recorded() {
    for jdk in test_jdks() {
        let module = Compilation::with(&jdk)
            .source("module-info.java", "module some.module { exports some; }")
            .source(
                "some/Main.java",
                "package some; public class Main { public static void main(String[] a) { \
                 System.out.println(Main.class.getModule().getName() + (a.length > 5 ? 1 : 2)); } }",
            )
            .compile()
            .unwrap_or_else(|error| panic!("{error}"));
        let program = Program::with(&jdk, "some.Main")
            .jvm_argument("--module-path")
            .jvm_argument(module.folder().into_os_string())
            .jvm_argument("--add-modules")
            .jvm_argument("some.module");
        let ours = record(&program, "");
        assert_eq!(ours.output.stdout, "some.module2\n", "{}", ours.output);
        let jacoco = record_with_jacoco(&program, "");
        assert_eq!(differences(&ours.data, &jacoco.data), BTreeSet::new());
        assert_eq!(names(&ours.data), ["some/Main"]);
    }
}

/// Makes a jar of classes that is an agent.
fn agent_jar(jdk: &Jdk, classes: &CompiledClasses, folder: &Path) -> PathBuf {
    let manifest = folder.join("manifest");
    let text = "Premain-Class: Redefiner\nCan-Redefine-Classes: true\nCan-Retransform-Classes: true\n";
    std::fs::write(&manifest, text).expect("a writable folder");
    let jar = folder.join("redefiner.jar");
    let status = Command::new(jdk.home().join("bin/jar"))
        .arg("cfm")
        .args([&jar, &manifest])
        .arg("-C")
        .arg(classes.folder())
        .arg(".")
        .status()
        .expect("the jar tool");
    assert!(status.success());
    jar
}

#[test]
fn redefinition_and_retransformation_keep_the_range() {
    for jdk in test_jdks() {
        let classes = Compilation::with(&jdk)
            .source("Target.java", include_str!("java/Target.java"))
            .source("Redefiner.java", include_str!("java/Redefiner.java"))
            .compile()
            .unwrap_or_else(|error| panic!("{error}"));
        let folder = tempfile::tempdir().expect("a temporary folder");
        let jar = agent_jar(&jdk, &classes, folder.path());
        let program = |way: &str| {
            let agent = format!("-javaagent:{}", jar.display());
            Program::with(&jdk, "Redefiner").class_path([&jar]).jvm_argument(agent).argument(way)
        };
        let untouched = record(&program("none"), "");
        for way in ["original", "retransform", "captured", "many"] {
            let changed = record(&program(way), "");
            assert_eq!(changed.output.stdout, "sum 30\n", "{way}: {}", changed.output);
            assert_eq!(hits(&changed.data, "Target"), hits(&untouched.data, "Target"), "{way}");
            assert_eq!(said(&changed.output), [""; 0], "{way}");
        }
        for way in ["none", "original", "retransform", "captured", "many"] {
            let traced = trace(&program(way));
            assert_eq!(traced.output.stdout, "sum 30\n", "{way}: {}", traced.output);
            assert_eq!(said(&traced.output), [""; 0], "{way}");
            assert_eq!(hits(&traced.data, "Target"), hits(&untouched.data, "Target"), "{way}");
            let unit = traced.jvm().unit(&format!("Redefiner {way}"));
            // The agent's own class was loaded before the JVM was ready.
            for class in ["Redefiner", "Target"] {
                assert!(unit.used.hits.contains_key(class), "{way}: {class}");
            }
        }
        let not_recorded = trace(&program("changed"));
        let reasons = |traced: &Traced| {
            let of_target = traced.jvm().messages.iter().filter_map(|message| match message {
                Message::Class(class) if class.name == b"Target" => Some(class.not_recorded.is_some()),
                _ => None,
            });
            of_target.collect::<Vec<_>>()
        };
        assert_eq!(reasons(&not_recorded), [false, true], "the units after it are not trusted");
        let other = record(&program("changed"), "");
        assert_eq!(other.output.stdout, "sum 31\n", "{}", other.output);
        assert_eq!(the_class(&other.data, "Target").id, the_class(&untouched.data, "Target").id);
        assert_eq!(said(&other.output).len(), 1, "{}", other.output);
        assert!(said(&other.output)[0].contains("Target"), "{}", other.output);
    }
}

#[test]
fn classes_that_jacoco_instrumented_before_are_left_alone() {
    let jdk = one_jdk();
    let classes = compile(&jdk, "Kinds", include_str!("java/Kinds.java"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let command = tools::jacoco_command().unwrap_or_else(|error| panic!("{error}"));
    let instrument = Command::new(jdk.java())
        .arg("-jar")
        .arg(&command)
        .arg("instrument")
        .arg(classes.folder())
        .arg("--dest")
        .arg(folder.path().join("classes"))
        .output()
        .expect("a JVM");
    assert!(instrument.status.success(), "{}", String::from_utf8_lossy(&instrument.stderr));
    let agent = tools::jacoco_agent().unwrap_or_else(|error| panic!("{error}"));
    let program = Program::with(&jdk, "Kinds")
        .class_path([folder.path().join("classes"), agent])
        .jvm_argument("-Djacoco-agent.output=none");
    let recording = record(&program, "");
    assert_eq!(recording.output.exit_code, Some(0), "{}", recording.output);
    let said = said(&recording.output);
    assert!(said.iter().any(|line| line.contains("JaCoCo")), "{said:?}");
    let wrong: Vec<String> =
        names(&recording.data).into_iter().filter(|name| name.starts_with("Kinds")).collect();
    assert_eq!(wrong, [""; 0], "their ids would be wrong");
}

#[test]
fn beside_jacocos_agent_there_is_a_message_and_no_wrong_id() {
    for jdk in test_jdks() {
        let classes = compile(&jdk, "Kinds", include_str!("java/Kinds.java"));
        let program = Program::with(&jdk, "Kinds").class_path([classes.folder()]);
        let right = record_with_jacoco(&program, "").data;
        let folder = tempfile::tempdir().expect("a temporary folder");
        for ours_first in [true, false] {
            let (ours, theirs) = (folder.path().join("ours.exec"), folder.path().join("theirs.exec"));
            let mut arguments = [
                our_argument(&format!("destfile={},append=false", ours.display())),
                jacoco_argument(&format!("destfile={},append=false", theirs.display())),
            ];
            if !ours_first {
                arguments.reverse();
            }
            let [first, second] = arguments;
            let output = run(&program.clone().jvm_argument(first).jvm_argument(second));
            assert_eq!(output.exit_code, Some(0), "{output}");
            let said = said(&output);
            assert!(said.iter().any(|line| line.contains("JaCoCo's agent runs in the same JVM")), "{said:?}");
            for class in read(&ours).classes() {
                let name = crate::execution_data::name_of(class);
                assert!(right.class(class.id).is_some(), "ours first {ours_first}: {name} has another id");
            }
        }
    }
}

#[test]
fn classes_of_the_bootstrap_loader_are_recorded_if_asked_for() {
    for jdk in test_jdks() {
        let classes = compile(&jdk, "Kinds", include_str!("java/Kinds.java"));
        let program = Program::with(&jdk, "Kinds").class_path([classes.folder()]);
        let recording = record(&program, "inclbootstrapclasses=true");
        assert_eq!(recording.output.stdout, run(&program).stdout, "{}", recording.output);
        assert_eq!(said(&recording.output), [""; 0]);
        let names = names(&recording.data);
        let of_the_jdk = names.iter().filter(|name| name.starts_with("java/")).count();
        assert!(of_the_jdk > 20, "{names:?}");
        assert!(!names.iter().any(|name| name.contains("ProbityProbes")), "{names:?}");
        assert_eq!(classes_named(&recording.data, "Kinds").len(), 1);
    }
}
