//! JaCoCo's own tools take our files: the report of our file is that of JaCoCo's.

use crate::harness::{compile, jacoco_argument, one_jdk, our_argument, run};
use probity_test_support::java::Program;
use probity_test_support::tools;
use probity_toolchain::Jdk;
use std::path::Path;
use std::process::Command;

fn jacoco(jdk: &Jdk, arguments: &[&Path]) -> String {
    let output = Command::new(jdk.java())
        .arg("-jar")
        .arg(tools::jacoco_command().unwrap_or_else(|error| panic!("{error}")))
        .args(arguments)
        .output()
        .expect("a JVM");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_report_of_our_file_is_that_of_jacocos() {
    let jdk = one_jdk();
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (class, text) in
        [("Kinds", include_str!("java/Kinds.java")), ("Exceptions", include_str!("java/Exceptions.java"))]
    {
        let classes = compile(&jdk, class, text);
        let report = |argument: fn(&str) -> std::ffi::OsString| {
            let (exec, xml) = (folder.path().join("some.exec"), folder.path().join("some.xml"));
            let options = format!("destfile={},append=false,sessionid=same", exec.display());
            run(&Program::with(&jdk, class).class_path([classes.folder()]).jvm_argument(argument(&options)));
            let info = jacoco(&jdk, &[Path::new("execinfo"), &exec]);
            assert!(info.contains(class), "{info}");
            let classes = classes.folder();
            let words = ["report", "--classfiles", "--xml"].map(Path::new);
            jacoco(&jdk, &[words[0], &exec, words[1], &classes, words[2], &xml]);
            std::fs::read_to_string(&xml).expect("a report")
        };
        let (ours, theirs) = (report(our_argument), report(jacoco_argument));
        let without_session = |text: &str| {
            let start = text.find("<sessioninfo").expect("a session");
            let end = start + text[start..].find("/>").expect("its end");
            format!("{}{}", &text[..start], &text[end..])
        };
        assert!(ours.contains("<counter type=\"LINE\""), "{ours}");
        assert!(ours.contains("id=\"same\""));
        assert_eq!(without_session(&ours), without_session(&theirs));
    }
}
