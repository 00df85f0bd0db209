//! What compiles and runs cases, tried on cases that are written for it.

use std::fs;
use std::path::{Path, PathBuf};

use probity_test_support::cases::{Case, CaseError, Change, MethodResult, Revision, TestOutcome, Workshop};
use probity_test_support::java::test_jdks;
use tempfile::TempDir;

const HEAD: &str = "why: to try the runner\nrelease: 8\n";

/// A test method with this body, in a class of this name.
fn test(name: &str, body: &str) -> String {
    format!(
        "import org.junit.*;\npublic class {name} {{\n    @Test\n    public void t() throws Throwable {{\n{body}\n    }}\n}}\n"
    )
}

/// A workshop, and a folder with a file for the case.
fn workshop_and_case(text: &str) -> (Workshop, TempDir, Case) {
    let workshop = Workshop::open(&test_jdks()[0]).unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().expect("temporary folder");
    let file = folder.path().join("tried.case");
    fs::write(&file, format!("{HEAD}{text}")).expect("a file");
    let case = Case::load(&file).unwrap_or_else(|error| panic!("{error}"));
    (workshop, folder, case)
}

fn result_of(outcome: &TestOutcome) -> &MethodResult {
    match outcome {
        TestOutcome::Ran(results) if results.len() == 1 => &results[0].1,
        other => panic!("{other}"),
    }
}

#[test]
fn callers_add_arguments_choose_tests_and_keep_the_folder() {
    let text = [
        "environment: OWN=case\ntests: T U\nchanges: none\n=== T.java\n",
        &test(
            "T",
            "Assert.fail(System.getProperty(\"added\") + System.getenv(\"OWN\") + System.getenv(\"ADDED\"));",
        ),
        "=== U.java\n",
        &test("U", "Assert.assertTrue(new java.io.File(\"U.java\").createNewFile());"),
    ]
    .concat();
    let (workshop, folder, case) = workshop_and_case(&text);
    let built =
        workshop.build(&case, Revision::Before, folder.path()).unwrap_or_else(|error| panic!("{error}"));
    let tests = built.tests().only(["T"]).jvm_argument("-Dadded=argument ").environment("ADDED", " variable");
    let run = tests.run().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(run.output.exit_code, Some(0), "{}", run.output);
    assert_eq!(run.outcomes.len(), 1);
    let failed = MethodResult::Failed {
        exception: "java.lang.AssertionError".into(),
        message: "argument case variable".into(),
    };
    assert_eq!(result_of(&run.outcomes["T"]), &failed);
    assert_eq!(built.layout().working_folder(), folder.path().join("sources"));
    assert!(folder.path().join("classes/main/U.class").exists());
    drop(run);
    assert!(folder.path().join("sources/U.java").exists(), "the caller's folder stays");
}

#[test]
fn the_second_revision_replaces_the_first_and_other_files_stay() {
    let text = [
        "tests: T\nchanges: T\nroots: app lib.jar\n=== app/T.java\n",
        &test("T", "new java.io.File(\"left\").createNewFile(); Assert.assertEquals(1, p.A.x());"),
        "=== lib.jar/p/A.java\npackage p;\npublic class A { public static int x() { return 1; } static class N {} }\n",
        "=== data.txt\n1\n",
        "=== after lib.jar/p/A.java\npackage p;\npublic class A { public static int x() { return 2; } }\n",
        "=== after lib.jar/p/B.java\npackage p;\nclass B {}\n=== after data.txt deleted\n",
    ]
    .concat();
    let (workshop, folder, case) = workshop_and_case(&text);
    let mine = folder.path().join("trace.bin");
    fs::write(&mine, "recorded").expect("a file");
    let run = |revision| {
        let built = workshop.build(&case, revision, folder.path()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(built.layout().class_path(), paths(folder.path(), &["classes/app", "classes/lib.jar"]));
        assert!(!built.layout().working_folder().join("left").exists(), "compiled from clean");
        built.tests().run().unwrap_or_else(|error| panic!("{error}")).outcomes
    };
    assert_eq!(result_of(&run(Revision::Before)["T"]), &MethodResult::Passed);
    assert!(run(Revision::After)["T"].failed());
    assert!(mine.exists());

    let what = case.what_changed(&workshop).unwrap_or_else(|error| panic!("{error}"));
    let classes: Vec<(&str, Change)> =
        what.classes.iter().map(|(name, change)| (name.as_str(), *change)).collect();
    assert_eq!(classes, [("p.A", Change::Changed), ("p.A$N", Change::Removed), ("p.B", Change::Added)]);
    assert_eq!(what.files.into_iter().collect::<Vec<_>>(), [("data.txt".to_owned(), Change::Removed)]);
    assert_eq!((what.sources.len(), what.settings), (2, false));
}

fn paths(folder: &Path, inside: &[&str]) -> Vec<PathBuf> {
    inside.iter().map(|path| folder.join(path)).collect()
}

#[test]
fn a_jvm_that_ends_too_early_and_sources_that_do_not_compile_are_told() {
    let text = [
        "tests: T U\nchanges: none\n=== T.java\n",
        &test("T", "System.exit(3);"),
        "=== U.java\n",
        &test("U", ""),
        "=== after U.java\nclass\n",
    ]
    .concat();
    let (workshop, folder, case) = workshop_and_case(&text);
    let built =
        workshop.build(&case, Revision::Before, folder.path()).unwrap_or_else(|error| panic!("{error}"));
    let error = built.tests().run().expect_err("the JVM ends in T");
    assert!(
        matches!(&error, CaseError::Incomplete { test, output, .. } if test == "T" && output.exit_code == Some(3)),
        "{error}"
    );
    let error = workshop.build(&case, Revision::After, folder.path()).expect_err("U does not compile");
    assert!(
        matches!(&error, CaseError::DoesNotCompile { messages, .. } if messages.contains("U.java")),
        "{error}"
    );
    assert!(built.tests().only(["V"]).run().is_ok_and(|run| run.outcomes["V"] == TestOutcome::Absent));
}
