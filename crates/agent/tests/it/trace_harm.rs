//! Programs behave with traces as without any agent.

use crate::harness::{compile, everything, run, said};
use crate::traces::{Traced, trace};
use probity_test_support::java::{Program, ProgramOutput, test_jdks};
use std::fmt::Write as _;

/// What the program itself printed on standard error.
fn own_errors(output: &ProgramOutput) -> Vec<&str> {
    output.stderr.lines().filter(|line| !line.starts_with("probity: ")).collect()
}

/// Runs a program with traces; it ends and prints as it does without.
fn assert_same(program: &Program<'_>) -> Traced {
    let plain = run(program);
    let traced = trace(program);
    assert_eq!(plain.exit_code, traced.output.exit_code, "{}", traced.output);
    for (expected, found) in plain.stdout.lines().zip(traced.output.stdout.lines()) {
        assert_eq!(expected, found);
    }
    assert_eq!(plain.stdout.lines().count(), traced.output.stdout.lines().count());
    assert_eq!(own_errors(&plain), own_errors(&traced.output));
    traced
}

#[test]
fn programs_end_as_they_do_without_traces() {
    for jdk in test_jdks() {
        let classes = compile(&jdk, "Exit", include_str!("java/Exit.java"));
        let exit = |way: &str| Program::with(&jdk, "Exit").class_path([classes.folder()]).argument(way);
        for way in ["end", "exit", "throw", "halt", "thread", "hook", "overflow"] {
            let traced = assert_same(&exit(way));
            assert_eq!(said(&traced.output), [""; 0], "{way}");
            assert!(traced.jvm().unit(&format!("Exit {way}")).used.hits.contains_key("Exit"), "{way}");
        }
        assert_same(&exit("memory").jvm_argument("-Xmx64m"));
    }
}

#[test]
fn stack_traces_and_messages_are_the_same() {
    for jdk in test_jdks() {
        let classes = compile(&jdk, "Stacks", include_str!("java/Stacks.java"));
        let program = Program::with(&jdk, "Stacks").class_path([classes.folder()]);
        let traced = assert_same(&program);
        assert!(traced.output.stdout.contains("== helpful"), "{}", traced.output);
        assert_eq!(said(&traced.output), [""; 0]);
    }
}

#[test]
fn reflection_and_serialisation_see_the_same() {
    for jdk in test_jdks() {
        let classes = compile(&jdk, "Kinds", include_str!("java/Kinds.java"));
        let program =
            Program::with(&jdk, "Kinds").class_path([classes.folder()]).jvm_argument("-Duser.language=en");
        for argument in ["-Xverify:all", "-Xcheck:jni", "-Xint", "-XX:TieredStopAtLevel=1"] {
            let traced = assert_same(&program.clone().jvm_argument(argument));
            assert_eq!(said(&traced.output), [""; 0], "{argument}");
        }
    }
}

#[test]
fn every_collector_and_kind_of_thread_works() {
    for jdk in test_jdks() {
        let classes = compile(&jdk, "Threads", include_str!("java/Threads.java"));
        let program =
            |kind: &str| Program::with(&jdk, "Threads").class_path([classes.folder()]).argument(kind);
        for collector in ["UseG1GC", "UseSerialGC", "UseParallelGC", "UseZGC"] {
            let argument = format!("-XX:+{collector}");
            let traced = assert_same(&program("platform").jvm_argument(argument).jvm_argument("-Xmx128m"));
            assert_eq!(said(&traced.output), [""; 0], "{collector}");
        }
        if jdk.feature_version() >= 21 {
            assert_same(&program("virtual"));
        }
    }
}

#[test]
fn classes_that_the_jvm_refuses_are_refused_with_the_same_words() {
    for jdk in test_jdks() {
        let classes = compile(&jdk, "Garbage", include_str!("java/Garbage.java"));
        let exceptions = compile(&jdk, "Exit", include_str!("java/Exit.java"));
        let program = Program::with(&jdk, "Garbage")
            .class_path([classes.folder()])
            .argument(exceptions.class_file("Exit").into_os_string());
        assert_same(&program);
    }
}

#[test]
fn classes_in_many_loaders_are_one_class() {
    for jdk in test_jdks() {
        let target = compile(&jdk, "Target", include_str!("java/Target.java"));
        let classes = compile(&jdk, "Loaders", include_str!("java/Loaders.java"));
        let times = if everything() { "4000" } else { "400" };
        let program = Program::with(&jdk, "Loaders")
            .class_path([classes.folder()])
            .argument(target.folder())
            .argument(times);
        let traced = trace(&program);
        assert_eq!(traced.output.exit_code, Some(0), "{}", traced.output);
        assert_eq!(said(&traced.output), [""; 0]);
        traced.jvm().class_named("Target");
        let unit = traced.jvm().units().into_values().next().expect("there is one");
        assert!(unit.used.hits.contains_key("Target"));
        assert!(unit.used.has("linked Target"), "{:#?}", unit.used.facts);
    }
}

/// A class with one method as large as the JVM takes, and a small one.
fn large_method(statements: usize) -> String {
    let mut text = String::from("public class LargeMethod {\n  static int run(int x) {\n");
    for number in 0..statements {
        let _ = writeln!(text, "    if (x > {}) x++;", 1000 + number % 20_000);
    }
    text.push_str("    return x;\n  }\n  static int small(int x) { return x > 1 ? Other.two() : 3; }\n");
    text.push_str("  static int unused() { return 4; }\n");
    text.push_str("  public static void main(String[] a) { System.out.println(run(5) + small(2)); }\n}\n");
    text + "class Other { static int two() { return 2; } }\n"
}

#[test]
fn a_class_with_a_method_that_has_no_room_for_probes_is_traced() {
    for jdk in test_jdks() {
        let classes = compile(&jdk, "LargeMethod", &large_method(6_400));
        let program = Program::with(&jdk, "LargeMethod").class_path([classes.folder()]);
        let traced = assert_same(&program);
        let jvm = traced.jvm();
        let class = jvm.class_named("LargeMethod");
        assert_eq!(class.not_recorded, None, "units can be trusted");
        let hits = &jvm.unit("LargeMethod").used.hits;
        assert!(hits.contains_key("LargeMethod") && hits.contains_key("Other"), "{hits:?}");
        assert!(!crate::execution_data::names(&traced.data).contains(&"LargeMethod".to_owned()));
    }
}
