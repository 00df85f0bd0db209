//! Units: what test frameworks run is told apart, class by class, with the tests and how they ended.

use crate::harness::said;
use crate::traces::{Traced, TracedJvm, TracedUnit, compile_files, trace};
use probity_test_support::java::{CompiledClasses, Program, test_jdks};
use probity_test_support::programs;
use probity_toolchain::Jdk;
use probity_wire::Message;
use std::path::PathBuf;

fn class_path(sets: &[&[&str]]) -> Vec<PathBuf> {
    programs::class_path(sets).unwrap_or_else(|error| panic!("{error}"))
}

/// A framework with tests that were compiled for it.
struct Suite {
    libraries: Vec<PathBuf>,
    classes: CompiledClasses,
}

impl Suite {
    fn new(jdk: &Jdk, sets: &[&[&str]], sources: &str) -> Self {
        let libraries = class_path(sets);
        let classes = compile_files(jdk, sources, &libraries);
        Self { libraries, classes }
    }

    fn places(&self) -> Vec<PathBuf> {
        self.libraries.iter().cloned().chain([self.classes.folder()]).collect()
    }

    fn program<'j>(&self, jdk: &'j Jdk, main: &str, arguments: &[&str]) -> Program<'j> {
        let program = Program::with(jdk, main).class_path(self.places());
        arguments.iter().fold(program, |program, argument| program.argument(*argument))
    }
}

fn junit4(jdk: &Jdk) -> Suite {
    Suite::new(jdk, &[programs::JUNIT_4], include_str!("java/units_junit4.java"))
}

fn run_junit4(suite: &Suite, jdk: &Jdk, tests: &[&str]) -> Traced {
    let traced = trace(&suite.program(jdk, "org.junit.runner.JUnitCore", tests));
    assert_eq!(said(&traced.output), [""; 0]);
    traced
}

/// A unit that has ended, was in nothing and beside nothing.
fn lone(jvm: &TracedJvm, name: &str) -> TracedUnit {
    let unit = jvm.unit(name);
    assert!(unit.done, "{name} is done");
    assert_eq!((unit.inside.len(), unit.overlaps.len()), (0, 0), "{unit:?}");
    unit
}

fn sorted(mut tests: Vec<String>) -> Vec<String> {
    tests.sort();
    tests
}

#[test]
fn junit_4_runs_a_unit_for_each_class() {
    for jdk in test_jdks() {
        let traced = run_junit4(&junit4(&jdk), &jdk, &["PlainTest", "SecondTest"]);
        let jvm = traced.jvm();
        let plain = lone(jvm, "PlainTest");
        assert_eq!(plain.framework, "JUnit 4");
        assert_eq!(
            sorted(plain.tests),
            [
                "assumes(PlainTest) skipped",
                "fails(PlainTest) failed",
                "ignored(PlainTest) skipped",
                "passes(PlainTest) passed",
                "throwsError(PlainTest) failed"
            ]
        );
        assert_eq!(plain.used.nested_of("Used"), ["After", "Before", "ClassRuled", "Plain", "Ruled"]);
        let second = lone(jvm, "SecondTest");
        assert_eq!(second.tests, ["passes(SecondTest) passed"]);
        assert_eq!(second.used.nested_of("Used"), ["Second"]);
        assert_eq!(jvm.outside().nested_of("Used"), [""; 0]);
        assert_eq!(jvm.units().len(), 2);
    }
}

#[test]
fn parameters_that_are_computed_while_a_runner_is_built_belong_to_the_unit() {
    for jdk in test_jdks() {
        let traced = run_junit4(&junit4(&jdk), &jdk, &["SecondTest", "ParameterTest", "CustomTest"]);
        let jvm = traced.jvm();
        let parameters = lone(jvm, "ParameterTest");
        assert_eq!(parameters.tests, ["works[0](ParameterTest) passed", "works[1](ParameterTest) passed"]);
        assert_eq!(parameters.used.nested_of("Used"), ["Parametered", "Parameters"]);
        let custom = lone(jvm, "CustomTest");
        assert_eq!(custom.tests, ["one(CustomTest) passed"]);
        assert_eq!(custom.used.nested_of("Used"), ["Custom", "CustomBuilt"]);
        assert_eq!(lone(jvm, "SecondTest").used.nested_of("Used"), ["Second"]);
    }
}

#[test]
fn nested_classes_are_part_of_their_unit_and_suites_are_around_theirs() {
    for jdk in test_jdks() {
        let traced = run_junit4(&junit4(&jdk), &jdk, &["EnclosedTest", "OuterSuite"]);
        let jvm = traced.jvm();
        let enclosed = lone(jvm, "EnclosedTest");
        let tests = ["works(EnclosedTest$First) passed", "works(EnclosedTest$Other) passed"];
        assert_eq!(sorted(enclosed.tests), tests);
        assert_eq!(enclosed.used.nested_of("Used"), ["Inner"]);
        let around = |name: &str| jvm.unit(name).inside.into_iter().collect::<Vec<_>>();
        assert_eq!(around("SecondTest"), ["OuterSuite"]);
        assert_eq!(around("InnerSuite"), ["OuterSuite"]);
        assert_eq!(around("LeafTest"), ["InnerSuite", "OuterSuite"]);
        assert_eq!(jvm.unit("LeafTest").used.nested_of("Used"), ["Leaf"]);
        assert_eq!(jvm.unit("LeafTest").tests, ["works(LeafTest) passed"]);
        assert_eq!(lone(jvm, "OuterSuite").used.nested_of("Used"), ["InSuite"]);
        assert!(jvm.units().values().all(|unit| unit.done && unit.overlaps.is_empty()));
    }
}

#[test]
fn classes_that_fail_as_a_whole_are_units_that_failed() {
    for jdk in test_jdks() {
        let traced = run_junit4(&junit4(&jdk), &jdk, &["BrokenTest", "BeforeTest", "IgnoredTest"]);
        let jvm = traced.jvm();
        assert_eq!(lone(jvm, "BrokenTest").tests, ["initializationError(BrokenTest) failed"]);
        assert_eq!(lone(jvm, "BeforeTest").tests, ["BeforeTest failed"]);
        assert_eq!(lone(jvm, "IgnoredTest").tests, ["IgnoredTest skipped"]);
    }
}

#[test]
fn junit_3_has_units_by_its_own_runner_and_by_that_of_junit_4() {
    for jdk in test_jdks() {
        let suite = junit4(&jdk);
        let by_junit4 = run_junit4(&suite, &jdk, &["OldTest", "SecondTest"]);
        let by_itself = trace(&suite.program(&jdk, "junit.textui.TestRunner", &["OldTest"]));
        for (traced, framework) in [(by_junit4, "JUnit 4"), (by_itself, "JUnit 3")] {
            let old = lone(traced.jvm(), "OldTest");
            assert_eq!(old.framework, framework);
            assert_eq!(sorted(old.tests), ["testFails(OldTest) failed", "testPasses(OldTest) passed"]);
            assert_eq!(old.used.nested_of("Used"), ["Old"]);
        }
    }
}

#[test]
fn notifiers_that_extend_junits_own_are_heard_once() {
    for jdk in test_jdks() {
        let suite = junit4(&jdk);
        let expected = run_junit4(&suite, &jdk, &["PlainTest", "IgnoredTest", "BeforeTest"]);
        for kind in ["silent", "calling"] {
            let arguments = [kind, "PlainTest", "IgnoredTest", "BeforeTest"];
            let traced = trace(&suite.program(&jdk, "Notified", &arguments));
            for unit in ["PlainTest", "IgnoredTest", "BeforeTest"] {
                let tests = |traced: &Traced| sorted(traced.jvm().unit(unit).tests);
                assert_eq!(tests(&traced), tests(&expected), "{kind}");
            }
        }
    }
}

#[test]
fn threads_that_a_unit_leaves_behind_are_counted() {
    for jdk in test_jdks() {
        let traced = run_junit4(&junit4(&jdk), &jdk, &["ThreadTest"]);
        let unit = lone(traced.jvm(), "ThreadTest");
        assert_eq!(unit.threads_left, 1);
        assert_eq!(unit.used.nested_of("Used"), ["Leaf"]);
    }
}

#[test]
fn classes_that_junit_4_runs_at_the_same_time_overlap() {
    for jdk in test_jdks() {
        let traced = trace(&junit4(&jdk).program(&jdk, "Both", &[]));
        let jvm = traced.jvm();
        assert_overlap(jvm);
        assert_eq!(jvm.unit("Parallel1Test").tests, ["meets(Parallel1Test) passed"]);
        assert_eq!(jvm.unit("Parallel2Test").tests, ["meets(Parallel2Test) passed"]);
    }
}

/// Two units ran side by side, and both have what either of them used.
fn assert_overlap(jvm: &TracedJvm) {
    for (unit, other) in [("Parallel1Test", "Parallel2Test"), ("Parallel2Test", "Parallel1Test")] {
        let unit = jvm.unit(unit);
        assert!(unit.done);
        assert_eq!(unit.overlaps.iter().collect::<Vec<_>>(), [other]);
        assert_eq!(unit.used.nested_of("Used"), ["Parallel1", "Parallel2"]);
    }
}

#[test]
fn frameworks_are_found_in_a_class_loader_without_a_parent() {
    for jdk in test_jdks() {
        let suite = junit4(&jdk);
        let places = std::env::join_paths(suite.places()).expect("no separators");
        let program = Program::with(&jdk, "Isolated").class_path([suite.classes.folder()]).argument(places);
        let traced = trace(&program);
        let jvm = traced.jvm();
        assert_eq!(lone(jvm, "PlainTest").tests.len(), 5);
        assert_eq!(lone(jvm, "SecondTest").used.nested_of("Used"), ["Second"]);
    }
}

/// The two launchers of the JUnit Platform, with JUnit 4 beside them.
const PLATFORMS: [&[&str]; 2] = [programs::JUNIT, programs::JUNIT_6];

const LAUNCHER: &str = "org.junit.platform.console.ConsoleLauncher";

fn on_platforms() -> Vec<(Jdk, &'static [&'static str])> {
    test_jdks().iter().flat_map(|jdk| PLATFORMS.map(|platform| (jdk.clone(), platform))).collect()
}

fn platform_suite(platform: &[&str], jdk: &Jdk) -> Suite {
    Suite::new(jdk, &[platform, programs::JUNIT_4], include_str!("java/units_platform.java"))
}

fn run_platform(platform: &[&str], jdk: &Jdk, tests: &[&str], options: &[&str]) -> Traced {
    let suite = platform_suite(platform, jdk);
    let mut program = suite.program(jdk, LAUNCHER, &["execute", "--disable-banner", "--details=none"]);
    for test in tests {
        program = program.argument(format!("--select-class={test}"));
    }
    program = options.iter().fold(program, |program, option| program.argument(*option));
    let traced = trace(&program);
    assert_eq!(said(&traced.output), [""; 0]);
    traced
}

/// The tests of a unit, without what all ids start with.
fn platform_tests(unit: &TracedUnit, prefix: &str) -> Vec<String> {
    let tests = unit.tests.iter();
    sorted(tests.map(|test| test.strip_prefix(prefix).unwrap_or(test).to_owned()).collect())
}

#[test]
fn the_junit_platform_runs_a_unit_for_each_top_level_class() {
    for (jdk, platform) in on_platforms() {
        let traced = run_platform(platform, &jdk, &["PlainTest", "SecondTest", "ExtensionTest"], &[]);
        let jvm = traced.jvm();
        let plain = lone(jvm, "PlainTest");
        assert_eq!(plain.framework, "JUnit Platform");
        assert_eq!(
            platform_tests(&plain, "[engine:junit-jupiter]/[class:PlainTest]/"),
            [
                "[method:aborts()] skipped",
                "[method:fails()] failed",
                "[method:passes()] passed",
                "[method:skipped()] skipped",
                "[nested-class:Inner]/[method:passes()] passed",
                "[nested-class:Inner]/[nested-class:Deeper]/[method:passes()] passed",
            ]
        );
        assert_eq!(plain.used.nested_of("Used"), ["AfterAll", "BeforeAll", "DeepNested", "Nested", "Plain"]);
        assert_eq!(lone(jvm, "SecondTest").used.nested_of("Used"), ["Second"]);
        let extended = lone(jvm, "ExtensionTest");
        assert_eq!(extended.used.nested_of("Used"), ["Extended", "ExtensionMade"]);
        assert_eq!(jvm.units().len(), 3);
    }
}

#[test]
fn tests_of_the_junit_platform_that_are_made_while_it_runs_have_ids() {
    for (jdk, platform) in on_platforms() {
        let traced = run_platform(platform, &jdk, &["ManyTest", "BrokenTest"], &[]);
        let jvm = traced.jvm();
        let many = lone(jvm, "ManyTest");
        assert_eq!(
            platform_tests(&many, "[engine:junit-jupiter]/[class:ManyTest]/"),
            [
                "[test-factory:dynamic()]/[dynamic-container:#1]/[dynamic-test:#1] passed",
                "[test-template:parametered(java.lang.String)]/[test-template-invocation:#1] passed",
                "[test-template:parametered(java.lang.String)]/[test-template-invocation:#2] passed",
                "[test-template:repeated()]/[test-template-invocation:#1] passed",
                "[test-template:repeated()]/[test-template-invocation:#2] passed",
                "[test-template:template()]/[test-template-invocation:#1] passed",
                "[test-template:template()]/[test-template-invocation:#2] passed",
            ]
        );
        assert_eq!(many.used.nested_of("Used"), ["Arguments", "Dynamic", "Parametered", "Template"]);
        let broken = lone(jvm, "BrokenTest");
        assert_eq!(broken.tests, ["[engine:junit-jupiter]/[class:BrokenTest] failed"]);
    }
}

#[test]
fn suites_and_old_tests_on_the_junit_platform_are_units() {
    for (jdk, platform) in on_platforms() {
        let tests = ["SomeSuite", "VintageTest", "VintageParameterTest"];
        let traced = run_platform(platform, &jdk, &tests, &[]);
        let jvm = traced.jvm();
        for inner in ["SecondTest", "PlainTest"] {
            assert_eq!(jvm.unit(inner).inside.iter().collect::<Vec<_>>(), ["SomeSuite"]);
        }
        assert_eq!(jvm.unit("SecondTest").used.nested_of("Used"), ["Second"]);
        assert_eq!(lone(jvm, "SomeSuite").used.nested_of("Used"), [""; 0]);
        let vintage = lone(jvm, "VintageTest");
        assert_eq!(
            platform_tests(&vintage, "[engine:junit-vintage]/[runner:VintageTest]/"),
            ["[test:fails(VintageTest)] failed", "[test:passes(VintageTest)] passed"]
        );
        assert_eq!(vintage.used.nested_of("Used"), ["Vintage"]);
        let parameters = lone(jvm, "VintageParameterTest");
        assert_eq!(parameters.used.nested_of("Used"), ["VintageParameters"]);
        assert_eq!(parameters.tests.len(), 2);
    }
}

#[test]
fn classes_that_the_junit_platform_runs_at_the_same_time_overlap() {
    const PARALLEL: &[&str] = &[
        "--config=junit.jupiter.execution.parallel.enabled=true",
        "--config=junit.jupiter.execution.parallel.mode.default=concurrent",
        "--config=junit.jupiter.execution.parallel.mode.classes.default=concurrent",
        "--config=junit.jupiter.execution.parallel.config.strategy=fixed",
        "--config=junit.jupiter.execution.parallel.config.fixed.parallelism=4",
    ];
    for (jdk, platform) in on_platforms() {
        let traced = run_platform(platform, &jdk, &["Parallel1Test", "Parallel2Test"], PARALLEL);
        let jvm = traced.jvm();
        assert_overlap(jvm);
        for unit in ["Parallel1Test", "Parallel2Test"] {
            let passed = format!("[engine:junit-jupiter]/[class:{unit}]/[method:meets()] passed");
            assert!(jvm.unit(unit).tests.contains(&passed));
        }
    }
}

#[test]
fn an_engine_without_classes_is_one_unit_that_ends_with_it() {
    for (jdk, platform) in on_platforms() {
        let suite = platform_suite(platform, &jdk);
        let services = suite.classes.folder().join("META-INF/services");
        std::fs::create_dir_all(&services).expect("a writable folder");
        let file = services.join("org.junit.platform.engine.TestEngine");
        std::fs::write(file, "FeatureEngine\n").expect("a writable folder");
        let traced = trace(&suite.program(
            &jdk,
            LAUNCHER,
            &["execute", "--disable-banner", "--details=none", "--select-class=SecondTest"],
        ));
        let jvm = traced.jvm();
        let features = lone(jvm, "engine features");
        assert_eq!((features.parts, features.used.nested_of("Used")), (2, vec!["Plain"]));
        let scenario = |name: &str| format!("[engine:features]/[feature:{name}]/[scenario:1] passed");
        assert_eq!(features.tests, [scenario("one"), scenario("two")]);
        let number = jvm.messages.iter().find_map(|message| match message {
            Message::Unit(unit) if unit.name == b"engine features" => Some(unit.number),
            _ => None,
        });
        let done = jvm.messages.iter().filter(|message| match message {
            Message::Done { units } => number.is_some_and(|number| units.contains(&number)),
            _ => false,
        });
        assert_eq!(done.count(), 1, "it is done once");
        assert_eq!(lone(jvm, "SecondTest").used.nested_of("Used"), ["Second"]);
    }
}

/// Runs classes with TestNG, one after the other as it likes.
fn run_testng(suite: &Suite, jdk: &Jdk, tests: &str) -> Traced {
    let out = tempfile::tempdir().expect("a temporary folder");
    let program = suite
        .program(jdk, "org.testng.TestNG", &["-usedefaultlisteners", "false", "-d"])
        .argument(out.path())
        .argument("-testclass")
        .argument(tests);
    trace(&program)
}

#[test]
fn testng_has_units_although_it_mixes_the_methods_of_classes() {
    let versions = [programs::TESTNG_6, programs::TESTNG_7];
    for (jdk, version) in test_jdks().iter().flat_map(|jdk| versions.map(|set| (jdk.clone(), set))) {
        let suite = Suite::new(&jdk, &[version], include_str!("java/units_testng.java"));
        let traced = run_testng(&suite, &jdk, "FirstTest,SecondTest");
        let jvm = traced.jvm();
        let first = lone(jvm, "FirstTest");
        assert_eq!(first.framework, "TestNG");
        assert_eq!(
            sorted(first.tests),
            [
                "FirstTest.fails failed",
                "FirstTest.passes passed",
                "FirstTest.provided passed",
                "FirstTest.provided passed",
                "FirstTest.skipped skipped",
                "FirstTest.skips skipped"
            ],
            "{}",
            traced.output
        );
        assert_eq!(first.used.nested_of("Used"), ["After", "Before", "First", "Made", "Provided"]);
        assert!(first.parts > 1, "others ran between its methods");
        let second = lone(jvm, "SecondTest");
        assert_eq!(second.tests, ["SecondTest.early passed", "SecondTest.late passed"]);
        assert_eq!(second.used.nested_of("Used"), ["Second"]);
        let traced = run_testng(&suite, &jdk, "BrokenTest");
        let broken = lone(traced.jvm(), "BrokenTest");
        assert_eq!(sorted(broken.tests), ["BrokenTest.before failed", "BrokenTest.never skipped"]);
    }
}
