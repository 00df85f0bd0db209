//! JVMs with other collectors, checks and caches.

use crate::execution_data::{differences, the_class};
use crate::harness::{agent_library, compile, our_argument, read, record, record_with_jacoco, run, said};
use probity_test_support::java::{CompiledClasses, Program, test_jdks};
use probity_toolchain::Jdk;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

fn threads(jdk: &Jdk) -> CompiledClasses {
    compile(jdk, "Threads", include_str!("java/Threads.java"))
}

fn program<'j>(jdk: &'j Jdk, classes: &CompiledClasses, kind: &str) -> Program<'j> {
    Program::with(jdk, "Threads").class_path([classes.folder()]).argument(kind)
}

#[test]
fn every_collector_works() {
    for jdk in test_jdks() {
        let classes = threads(&jdk);
        let expected = record_with_jacoco(&program(&jdk, &classes, "platform"), "").data;
        for collector in ["UseG1GC", "UseSerialGC", "UseParallelGC", "UseZGC"] {
            let program = program(&jdk, &classes, "platform")
                .jvm_argument(format!("-XX:+{collector}"))
                .jvm_argument("-Xmx128m");
            let recording = record(&program, "");
            assert_eq!(recording.output.stdout, "24\n", "{collector}: {}", recording.output);
            assert_eq!(said(&recording.output), [""; 0], "{collector}");
            assert_eq!(differences(&recording.data, &expected), BTreeSet::new(), "{collector}");
        }
    }
}

#[test]
fn jni_is_used_as_its_checks_want() {
    for jdk in test_jdks() {
        let classes = compile(&jdk, "Kinds", include_str!("java/Kinds.java"));
        let program = Program::with(&jdk, "Kinds").class_path([classes.folder()]).jvm_argument("-Xcheck:jni");
        let plain = run(&program);
        let options = ["", "inclnolocationclasses=true,exclclassloader=x*,inclbootstrapclasses=true"];
        for recording in options.map(|options| record(&program, options)) {
            assert_eq!(recording.output.stdout, plain.stdout, "{}", recording.output);
            assert_eq!(recording.output.stderr, plain.stderr, "no check found anything");
            assert!(recording.data.classes().len() > 0);
        }
    }
}

#[test]
fn virtual_threads_hit_probes() {
    for jdk in test_jdks().iter().filter(|jdk| jdk.feature_version() >= 21) {
        let classes = threads(jdk);
        let program = program(jdk, &classes, "virtual");
        let recording = record(&program, "");
        assert_eq!(recording.output.stdout, "7500\n", "{}", recording.output);
        let expected = record_with_jacoco(&program, "").data;
        assert_eq!(differences(&recording.data, &expected), BTreeSet::new());
    }
}

/// How many classes a run takes from the archive of the JDK.
fn shared_classes(jdk: &Jdk, classes: &CompiledClasses, agent: bool) -> usize {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = folder.path().join("log");
    let mut program = program(jdk, classes, "platform")
        .jvm_argument(format!("-Xlog:class+load:file={}", log.display()))
        .jvm_argument("-Xshare:on");
    if agent {
        program = program.jvm_argument(our_argument("output=none"));
    }
    assert_eq!(run(&program).exit_code, Some(0));
    let text = std::fs::read_to_string(&log).expect("a log");
    text.lines().filter(|line| line.contains("shared objects file")).count()
}

#[test]
fn the_archive_of_shared_classes_stays_in_use() {
    for jdk in test_jdks() {
        let classes = threads(&jdk);
        let (without, with) = (shared_classes(&jdk, &classes, false), shared_classes(&jdk, &classes, true));
        assert!(without > 300, "{without}");
        // A class more or less depends on threads of the JVM.
        assert!(with + without / 100 >= without, "{with} of {without}");
    }
}

/// Runs a program on a JDK that has AOT caches.
fn with_cache(jdk: &Jdk, classes: &Path, arguments: &[&str]) -> Output {
    Command::new(jdk.java())
        .args(arguments)
        .arg("-cp")
        .arg(classes)
        .args(["Threads", "platform"])
        .output()
        .expect("a JVM")
}

#[test]
fn an_aot_cache_gives_a_warning_and_not_a_dead_jvm() {
    for jdk in test_jdks().iter().filter(|jdk| jdk.feature_version() >= 25) {
        let classes = threads(jdk);
        let folder = tempfile::tempdir().expect("a temporary folder");
        // The cache is only valid for a jar.
        let jar = folder.path().join("threads.jar");
        let packed = Command::new(jdk.home().join("bin/jar"))
            .arg("cf")
            .arg(&jar)
            .arg("-C")
            .arg(classes.folder())
            .arg(".")
            .status()
            .expect("the jar tool");
        assert!(packed.success());
        let cache = folder.path().join("threads.aot");
        let made = with_cache(jdk, &jar, &[&format!("-XX:AOTCacheOutput={}", cache.display())]);
        assert!(made.status.success() && cache.is_file(), "{}", String::from_utf8_lossy(&made.stderr));
        let use_cache = format!("-XX:AOTCache={}", cache.display());
        let in_file = folder.path().join("arguments");
        std::fs::write(&in_file, format!("-XX:AOTMode=on\n\"{use_cache}\"\n")).expect("a writable folder");
        let quiet = our_argument("output=none").into_string().expect("a path in UTF-8");
        let from_file = with_cache(jdk, &jar, &[&format!("@{}", in_file.display()), &quiet]);
        let said = String::from_utf8_lossy(&from_file.stderr);
        assert!(from_file.status.success() && said.contains("-XX:AOTMode=on does not go with"), "{said}");
        for (mode, words, recorded) in
            [("auto", "does not use its AOT cache", true), ("on", "-XX:AOTMode=on does not go with", false)]
        {
            let mode = format!("-XX:AOTMode={mode}");
            let plain = with_cache(jdk, &jar, &[&mode, &use_cache]);
            assert!(plain.status.success(), "{}", String::from_utf8_lossy(&plain.stderr));
            let file = folder.path().join("some.exec");
            let agent =
                format!("-agentpath:{}=destfile={},append=false", agent_library().display(), file.display());
            let output = with_cache(jdk, &jar, &[&mode, &use_cache, &agent]);
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{mode}: {stderr}");
            let printed = String::from_utf8_lossy(&output.stdout);
            // The JVM logs there that it gave the cache up, as it does with any agent.
            let own = printed.lines().filter(|line| !line.contains("[aot]"));
            assert_eq!(own.collect::<Vec<_>>(), ["24"], "{mode}: {printed}");
            assert!(stderr.contains(words), "{mode}: {stderr}");
            assert_eq!(read(&file).classes().len() > 0, recorded, "{mode}");
            if recorded {
                assert!(the_class(&read(&file), "Threads").probes.hit_count() > 0);
                std::fs::remove_file(&file).expect("it was written");
            }
        }
    }
}
