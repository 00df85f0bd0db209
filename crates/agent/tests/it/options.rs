//! Each option does what it does in JaCoCo's agent.

use crate::execution_data::{differences, names};
use crate::harness::{
    agent_library, compile, jacoco_argument, one_jdk, our_argument, read, record, record_with_jacoco, run,
    said,
};
use probity_execdata::utf;
use probity_test_support::java::{CompiledClasses, Program, test_jdks};
use probity_toolchain::Jdk;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

fn kinds(jdk: &Jdk) -> CompiledClasses {
    compile(jdk, "Kinds", include_str!("java/Kinds.java"))
}

fn program<'j>(jdk: &'j Jdk, classes: &CompiledClasses) -> Program<'j> {
    Program::with(jdk, "Kinds").class_path([classes.folder()])
}

#[test]
fn classes_are_chosen_as_jacoco_chooses_them() {
    let chosen_by = [
        ("includes=Kinds$Po*:Kinds$L*", true),
        ("includes=Kinds", true),
        ("includes=kinds", false),
        ("includes=", false),
        ("excludes=Kinds$*", true),
        ("includes=*,excludes=*$P?int:nothing", true),
        ("includes=Kinds.*", false),
        ("exclclassloader=jdk.internal.loader.ClassLoaders$AppClassLoader", false),
        ("exclclassloader=*Loader", false),
        ("exclclassloader=none", true),
        ("inclnolocationclasses=TRUE,includes=Kinds*", true),
        ("inclbootstrapclasses=false", true),
    ];
    let jdks = test_jdks();
    let classes: Vec<CompiledClasses> = jdks.iter().map(kinds).collect();
    for (turn, (options, any)) in chosen_by.into_iter().enumerate() {
        let program = program(&jdks[turn % jdks.len()], &classes[turn % jdks.len()]);
        let (ours, theirs) = (record(&program, options), record_with_jacoco(&program, options));
        assert_eq!(said(&ours.output), [""; 0], "{options}");
        assert_eq!(names(&ours.data), names(&theirs.data), "{options}");
        assert_eq!(differences(&ours.data, &theirs.data), BTreeSet::new(), "{options}");
        assert_eq!(ours.data.classes().len() > 0, any, "{options}: {:?}", names(&ours.data));
    }
}

/// Defines a class without saying where it comes from.
const NO_LOCATION: &str = r#"
    public class NoLocation extends ClassLoader {
        public static void main(String[] args) throws Exception {
            byte[] bytes = java.nio.file.Files.readAllBytes(java.nio.file.Path.of(args[0]));
            Class<?> target = new NoLocation().defineClass("Target", bytes, 0, bytes.length);
            System.out.println(target.getMethod("way", int.class).invoke(null, 2));
        }
    }"#;

#[test]
fn classes_without_a_location_are_recorded_if_asked_for() {
    for jdk in test_jdks() {
        let target = compile(&jdk, "Target", include_str!("java/Target.java"));
        let classes = compile(&jdk, "NoLocation", NO_LOCATION);
        let program = Program::with(&jdk, "NoLocation")
            .class_path([classes.folder()])
            .argument(target.class_file("Target").into_os_string());
        for (options, expected) in [
            ("", &["NoLocation"][..]),
            ("inclnolocationclasses=true", &["NoLocation", "Target"]),
            ("inclnolocationclasses=true,exclclassloader=NoLoc*", &["NoLocation"]),
        ] {
            let (ours, theirs) = (record(&program, options), record_with_jacoco(&program, options));
            assert_eq!(ours.output.stdout, "20\n");
            assert_eq!(names(&ours.data), expected, "{options}");
            assert_eq!(differences(&ours.data, &theirs.data), BTreeSet::new(), "{options}");
        }
    }
}

/// A constructor that the JDK generates, a proxy and hidden classes, all without a location.
#[test]
fn classes_that_the_jdk_makes_are_recorded_without_harm() {
    for jdk in test_jdks() {
        let classes = kinds(&jdk);
        let recording =
            record(&program(&jdk, &classes), "inclnolocationclasses=true,inclbootstrapclasses=true");
        assert_eq!(recording.output.stdout, run(&program(&jdk, &classes)).stdout, "{}", recording.output);
        assert!(
            names(&recording.data).iter().any(|name| name.contains("$Proxy")),
            "{:?}",
            names(&recording.data)
        );
    }
}

#[test]
fn sessions_have_their_name_and_are_appended_or_not() {
    let jdk = one_jdk();
    let classes = kinds(&jdk);
    let folder = tempfile::tempdir().expect("a temporary folder");
    // A comma and a colon belong to the value.
    let file = folder.path().join("a,b:c").join("some file.exec");
    let run_with = |argument: OsString| {
        let output = run(&program(&jdk, &classes).jvm_argument(argument));
        assert_eq!(output.exit_code, Some(0), "{output}");
        assert_eq!(said(&output), [""; 0]);
    };
    let options =
        |name: &str, more: &str| format!("destfile={},sessionid={name},includes=Kinds{more}", file.display());
    run_with(our_argument(&options("first", "")));
    run_with(jacoco_argument(&options("second", "")));
    run_with(our_argument(&options("third, a:b=c", ",append=true")));
    let sessions = |file: &Path| -> Vec<String> {
        read(file).sessions().iter().map(|session| utf::to_text(&session.id)).collect()
    };
    assert_eq!(sessions(&file), ["first", "second", "third, a:b=c"]);
    assert_eq!(names(&read(&file)), ["Kinds"]);
    run_with(our_argument(&options("last", ",append=false")));
    assert_eq!(sessions(&file), ["last"]);
    let session = read(&file).sessions()[0].clone();
    assert!(session.start_millis > 1_600_000_000_000 && session.dump_millis >= session.start_millis);
}

#[test]
fn nothing_is_written_where_nothing_is_wanted() {
    let jdk = one_jdk();
    let classes = kinds(&jdk);
    for (options, length) in [("dumponexit=false", Some(0)), ("output=none", None)] {
        for argument in [our_argument, jacoco_argument] {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let file = folder.path().join("some.exec");
            let all = format!("destfile={},{options}", file.display());
            let output = run(&program(&jdk, &classes).jvm_argument(argument(&all)));
            assert_eq!(output.exit_code, Some(0), "{output}");
            assert_eq!(file.metadata().ok().map(|file| file.len()), length, "{options}");
        }
    }
}

#[test]
fn without_options_the_file_is_jacocos() {
    let jdk = one_jdk();
    let classes = kinds(&jdk);
    for argument in [format!("-agentpath:{}", agent_library().display()).into(), our_argument("")] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let output = Command::new(jdk.java())
            .arg::<OsString>(argument)
            .arg("-cp")
            .arg(classes.folder())
            .arg("Kinds")
            .current_dir(&folder)
            .output()
            .expect("a JVM");
        assert!(output.status.success());
        assert!(names(&read(&folder.path().join("jacoco.exec"))).contains(&"Kinds".to_owned()));
    }
}

/// All files below a folder with their content.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("below").display().to_string();
                files.insert(name, std::fs::read(&path).expect("a readable file"));
            }
        }
    }
    files
}

#[test]
fn classes_are_dumped_as_jacoco_dumps_them() {
    for jdk in test_jdks() {
        let classes = kinds(&jdk);
        let dumped = |argument: fn(&str) -> OsString| {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let options = format!("output=none,classdumpdir={}", folder.path().join("some").display());
            run(&program(&jdk, &classes).jvm_argument(argument(&options)));
            tree(folder.path())
        };
        let (ours, theirs) = (dumped(our_argument), dumped(jacoco_argument));
        assert!(ours.len() > 10, "{:?}", ours.keys());
        assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>());
        assert!(ours == theirs, "the files have the same content");
    }
}

#[test]
fn a_wrong_option_is_named_and_the_program_runs_unrecorded() {
    let jdk = one_jdk();
    let classes = compile(&jdk, "Exit", include_str!("java/Exit.java"));
    let program = Program::with(&jdk, "Exit").class_path([classes.folder()]).argument("exit");
    let plain = run(&program);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let wrong = [
        ("colour=red", "'colour'", "destfile, append, includes"),
        ("append", "'append'", "key=value"),
        ("output=pigeon", "'pigeon'", "file, tcpserver, tcpclient and none"),
        ("port=many", "'many'", "0 to 65535"),
        ("port=-1", "'-1'", "0 to 65535"),
        ("port=65536", "'65536'", "0 to 65535"),
        ("=x", "''", "destfile, append"),
    ];
    for (option, named, valid) in wrong {
        let file = folder.path().join("some.exec");
        let options = format!("{option},destfile={}", file.display());
        let output = run(&program.clone().jvm_argument(our_argument(&options)));
        assert_eq!(output.exit_code, Some(3), "{option}: {output}");
        assert_eq!(output.stdout, plain.stdout, "{option}");
        let said = said(&output);
        assert_eq!(said.len(), 1, "{option}: {said:?}");
        assert!(said[0].contains(named) && said[0].contains(valid), "{option}: {said:?}");
        assert!(said[0].contains("runs without being recorded"), "{option}: {said:?}");
        assert!(!file.exists(), "{option}");
    }
}

#[test]
fn a_management_bean_is_said_to_be_missing() {
    let jdk = one_jdk();
    let classes = kinds(&jdk);
    let recording = record(&program(&jdk, &classes), "jmx=true");
    assert_eq!(said(&recording.output).len(), 1, "{}", recording.output);
    assert!(recording.data.classes().len() > 0);
}
