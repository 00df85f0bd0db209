//! The agent never harms: programs end as they do without it, whatever happens.

use crate::execution_data::{differences, names, the_class};
use crate::harness::{
    agent_library, compile, one_jdk, our_argument, read, record, record_with_jacoco, run, said,
};
use probity_test_support::java::{Program, ProgramOutput, test_jdks};
use std::fmt::Write as _;
use std::path::Path;

/// What the program itself printed on standard error.
fn own_errors(output: &ProgramOutput) -> Vec<&str> {
    output.stderr.lines().filter(|line| !line.starts_with("probity: ")).collect()
}

/// The program ends as it does without the agent and prints the same.
fn assert_same_end(program: &Program<'_>, with_agent: &ProgramOutput) {
    let plain = run(program);
    assert_eq!(plain.exit_code, with_agent.exit_code, "{with_agent}");
    for (expected, found) in plain.stdout.lines().zip(with_agent.stdout.lines()) {
        assert_eq!(expected, found);
    }
    assert_eq!(plain.stdout.lines().count(), with_agent.stdout.lines().count());
    assert_eq!(own_errors(&plain), own_errors(with_agent));
}

#[test]
fn programs_end_as_they_do_without_the_agent() {
    for jdk in test_jdks() {
        let classes = compile(&jdk, "Exit", include_str!("java/Exit.java"));
        let exit = |way: &str| Program::with(&jdk, "Exit").class_path([classes.folder()]).argument(way);
        let ways =
            [("end", 0), ("exit", 3), ("throw", 1), ("halt", 7), ("thread", 0), ("hook", 0), ("overflow", 0)];
        for (way, code) in ways {
            let recording = record(&exit(way), "");
            assert_eq!(recording.output.exit_code, Some(code), "{way}: {}", recording.output);
            assert_same_end(&exit(way), &recording.output);
            assert_eq!(said(&recording.output), [""; 0], "{way}");
            assert!(the_class(&recording.data, "Exit").probes.hit_count() > 0, "{way}");
        }
        let late = record(&exit("hook"), "");
        assert!(names(&late.data).contains(&"Exit$Late".to_owned()), "code of shutdown hooks is recorded");
        let memory = exit("memory").jvm_argument("-Xmx64m");
        assert_same_end(&memory, &record(&memory, "").output);
        let dying = exit("memory").jvm_argument("-Xmx64m").jvm_argument("-XX:+ExitOnOutOfMemoryError");
        assert_eq!(run(&dying).exit_code, record(&dying, "").output.exit_code);
    }
}

#[test]
fn a_destination_that_cannot_be_written_costs_a_message_and_nothing_else() {
    let jdk = one_jdk();
    let classes = compile(&jdk, "Exit", include_str!("java/Exit.java"));
    let program = Program::with(&jdk, "Exit").class_path([classes.folder()]).argument("exit");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("a writable folder");
    let below_a_file = file.join("x.exec").display().to_string();
    let a_folder = folder.path().display().to_string();
    for destination in ["/dev/full", &below_a_file, &a_folder] {
        // What is in the way is named: here it is the file that is no folder.
        let named = destination.strip_suffix("/x.exec").unwrap_or(destination);
        for append in ["true", "false"] {
            let options = format!("destfile={destination},append={append}");
            let output = run(&program.clone().jvm_argument(our_argument(&options)));
            assert_same_end(&program, &output);
            let said = said(&output);
            assert!(said.iter().any(|line| line.contains(named)), "{destination}: {said:?}");
        }
    }
}

#[test]
fn a_full_disk_costs_a_message_and_nothing_else() {
    let jdk = one_jdk();
    let classes = compile(&jdk, "Exit", include_str!("java/Exit.java"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("some.exec");
    // A file may not grow beyond the limit, which is what the end of a disk looks like.
    let script = "ulimit -f 0; trap '' XFSZ; exec \"$@\"";
    let output = std::process::Command::new("bash")
        .args(["-c", script, "bash"])
        .arg(jdk.java())
        .arg("-XX:-UsePerfData")
        .arg(our_argument(&format!("destfile={}", file.display())))
        .arg("-cp")
        .arg(classes.folder())
        .args(["Exit", "exit"])
        .output()
        .expect("a shell");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{stderr}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "before exit\n");
    assert!(stderr.contains("probity: execution data was not written"), "{stderr}");
    assert!(stderr.contains("some.exec"), "{stderr}");
    assert_eq!(read(&file).classes().len(), 0, "nothing half written is left");
}

#[test]
fn classes_that_the_jvm_refuses_are_refused_with_the_same_words() {
    for jdk in test_jdks() {
        let classes = compile(&jdk, "Garbage", include_str!("java/Garbage.java"));
        let exceptions = compile(&jdk, "Exit", include_str!("java/Exit.java"));
        let program = Program::with(&jdk, "Garbage")
            .class_path([classes.folder()])
            .argument(exceptions.class_file("Exit").into_os_string());
        let recording = record(&program, "");
        assert_same_end(&program, &recording.output);
        let said = said(&recording.output);
        assert!(said.iter().any(|line| line.contains("is not recorded")), "{said:?}");
        assert!(said.len() <= 3, "each kind is said once: {said:?}");
    }
}

/// A class with one method as large as the JVM takes.
fn large_method(statements: usize) -> String {
    let mut text = String::from("public class LargeMethod {\n  static int run(int x) {\n");
    for number in 0..statements {
        let _ = writeln!(text, "    if (x > {}) x++;", 1000 + number % 20_000);
    }
    text.push_str(
        "    return x;\n  }\n  public static void main(String[] a) { System.out.println(run(5)); }\n}\n",
    );
    text
}

#[test]
fn a_method_without_room_for_probes_is_left_alone_and_reported() {
    for jdk in test_jdks() {
        let classes = compile(&jdk, "LargeMethod", &large_method(6_400));
        let program = Program::with(&jdk, "LargeMethod").class_path([classes.folder()]);
        let recording = record(&program, "");
        assert_same_end(&program, &recording.output);
        assert_eq!(names(&recording.data), [""; 0]);
        let said = said(&recording.output);
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains("LargeMethod") && said[0].contains("is not recorded"), "{said:?}");
        assert_eq!(names(&record_with_jacoco(&program, "").data), [""; 0], "nor does JaCoCo");
    }
}

/// A class with more probes than an array of the usual size has.
fn many_probes() -> String {
    let mut text = String::from("public class ManyProbes {\n");
    for method in 0..300 {
        let _ = writeln!(text, "  static int m{method}(int x) {{");
        for number in 0..60 {
            let _ = writeln!(text, "    if (x == {number}) x += 2;");
        }
        text.push_str("    return x;\n  }\n");
    }
    text.push_str("  public static void main(String[] a) {\n    int sum = 0;\n");
    for method in (0..300).step_by(3) {
        let _ = writeln!(text, "    sum += m{method}({});", method % 64);
    }
    text.push_str("    System.out.println(sum);\n  }\n}\n");
    text
}

#[test]
fn a_class_with_very_many_probes_is_recorded() {
    for jdk in test_jdks() {
        let classes = compile(&jdk, "ManyProbes", &many_probes());
        let program = Program::with(&jdk, "ManyProbes").class_path([classes.folder()]);
        let recording = record(&program, "");
        assert_same_end(&program, &recording.output);
        assert!(the_class(&recording.data, "ManyProbes").probes.len() > 32_768);
        assert_eq!(differences(&recording.data, &record_with_jacoco(&program, "").data), [].into());
    }
}

#[test]
fn loading_classes_with_hardly_any_stack_does_not_end_the_jvm() {
    for jdk in test_jdks() {
        let classes = compile(&jdk, "DeepLoads", include_str!("java/DeepLoads.java"));
        let large = compile(&jdk, "Exceptions", include_str!("java/Exceptions.java"));
        let program = Program::with(&jdk, "DeepLoads")
            .class_path([classes.folder()])
            .argument(large.class_file("Exceptions").into_os_string());
        let output = record(&program, "").output;
        assert_eq!(output.exit_code, Some(0), "{output}");
        assert_eq!(output.stdout, "done true\n");
    }
}

#[test]
fn the_agent_loaded_twice_records_once() {
    let jdk = one_jdk();
    let classes = compile(&jdk, "Exit", include_str!("java/Exit.java"));
    let program = Program::with(&jdk, "Exit").class_path([classes.folder()]).argument("end");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("twice.exec");
    let argument = our_argument(&format!("destfile={}", file.display()));
    let output = run(&program.clone().jvm_argument(&argument).jvm_argument(&argument));
    assert_same_end(&program, &output);
    assert_eq!(said(&output).len(), 1, "{output}");
    assert_eq!(read(&file).sessions().len(), 1);
    assert!(Path::new(&agent_library()).is_file());
}
