//! Compiling and running Java on the JDKs of this machine.

use std::ffi::OsString;
use std::fs;
use std::time::Duration;

use probity_test_support::java::{
    Compilation, CompiledClasses, JavaError, Program, TESTED_VERSIONS, test_jdks,
};

const GREETER: &str = r#"
package org.example;
public class Greeter {
    public static void main(String[] arguments) {
        Runnable greeting = () -> System.out.println("hello " + arguments[0] + System.getProperty("mark"));
        greeting.run();
        System.err.println("on standard error");
        System.exit(arguments.length);
    }
}
"#;

#[test]
fn a_program_is_compiled_and_run_on_every_tested_jdk() {
    for jdk in test_jdks() {
        assert!(TESTED_VERSIONS.contains(&jdk.feature_version()), "{jdk}");
        let classes = Compilation::with(&jdk)
            .release(8)
            .source("org/example/Greeter.java", GREETER)
            .source("org/example/Other.java", "package org.example; class Other { interface Inner {} }")
            .compile()
            .unwrap_or_else(|error| panic!("{jdk}: {error}"));
        assert_eq!(file_names(&classes), ["Greeter.class", "Other$Inner.class", "Other.class"]);
        let bytes = fs::read(classes.class_file("org/example/Greeter")).expect("a class file");
        assert_eq!(bytes[6..8], [0, 52], "{jdk}: --release 8 gives class files of version 52");

        let program = Program::with(&jdk, "org.example.Greeter")
            .class_path([classes.folder()])
            .jvm_argument("-Dmark=!")
            .argument("world");
        let output = program.run().expect("the program ends");
        assert_eq!(output.exit_code, Some(1));
        assert_eq!(output.stdout.trim_end(), "hello world!");
        assert_eq!(output.stderr.trim_end(), "on standard error");
        let error = program.run_successfully().expect_err("the exit code is 1").to_string();
        assert!(error.contains("exit code 1") && error.contains("hello world!"), "{error}");
    }
}

fn file_names(classes: &CompiledClasses) -> Vec<OsString> {
    let files = classes.class_files().expect("a readable folder");
    files.iter().map(|file| file.file_name().expect("a file has a name").to_owned()).collect()
}

#[test]
fn sources_may_be_files_and_use_the_class_path() {
    let jdk = &test_jdks()[0];
    let library = Compilation::with(jdk)
        .source(
            "lib/Answer.java",
            "package lib; public class Answer { public static int get() { return 42; } }",
        )
        .compile()
        .expect("the library compiles");
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = folder.path().join("Main.java");
    let text = "class Main { public static void main(String[] a) { System.out.println(lib.Answer.get()); } }";
    fs::write(&file, text).expect("source file");
    let main =
        Compilation::with(jdk).class_path([library.folder()]).file(&file).compile().expect("it compiles");
    let output = Program::with(jdk, "Main").class_path([main.folder(), library.folder()]).run_successfully();
    assert_eq!(output.expect("it runs").stdout.trim_end(), "42");
}

#[test]
fn compiler_errors_are_passed_on() {
    let jdk = &test_jdks()[0];
    let result = Compilation::with(jdk).source("Broken.java", "class Broken { int x = nothing; }").compile();
    let Err(JavaError::DoesNotCompile { messages }) = result else {
        panic!("the source has an error: {result:?}");
    };
    assert!(messages.contains("Broken.java:1") && messages.contains("nothing"), "{messages}");
}

#[test]
fn a_program_that_does_not_end_is_killed_and_its_output_kept() {
    let jdk = &test_jdks()[0];
    let text = "class Endless { public static void main(String[] a) throws Exception {
        System.out.println(\"started\"); while (true) Thread.sleep(1000); } }";
    let classes = Compilation::with(jdk).source("Endless.java", text).compile().expect("it compiles");
    let result =
        Program::with(jdk, "Endless").class_path([classes.folder()]).time_limit(Duration::from_secs(5)).run();
    let Err(JavaError::TimedOut { output, .. }) = result else {
        panic!("the program must be killed: {result:?}");
    };
    assert_eq!(output.stdout.trim_end(), "started");
}
