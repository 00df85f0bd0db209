//! What a program sees of the classes of a library, of its own and of its stack is the same with traces and without.

use std::path::Path;
use std::process::Command;

use probity_test_support::java::{Compilation, Program};
use probity_test_support::suites::Suite;
use probity_toolchain::Jdk;

use crate::recorded::our_agent;

/// Runs a program that looks at all classes of a library, with and without traces.
pub(crate) fn assert_same(jdk: &Jdk, suite: &Suite) {
    let fetched = suite.fetch(jdk).unwrap_or_else(|error| panic!("{error}"));
    let source = include_str!("java/Look.java");
    let compilation = Compilation::with(jdk).release(17).option("-g").source("Look.java", source);
    let compiled = compilation.compile().unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut program =
        Program::with(jdk, "Look").class_path([compiled.folder()]).class_path(&fetched.class_path);
    for class in classes_of(jdk, &fetched.library) {
        program = program.argument(class);
    }
    let options = format!("output=none,traces={}", folder.path().display());
    let printed = |program: &Program<'_>| {
        let output = program.run_successfully().unwrap_or_else(|error| panic!("{error}"));
        output.stdout
    };
    let plain = printed(&program);
    let traced = printed(&program.clone().jvm_argument(our_agent(&options)));
    let different = plain.lines().zip(traced.lines()).find(|(plain, traced)| plain != traced);
    assert!(different.is_none() && plain == traced, "{}: {different:?}", suite.library);
    println!("{}: {} lines about classes and stacks are the same", suite.library, plain.lines().count());
}

fn classes_of(jdk: &Jdk, jar: &Path) -> Vec<String> {
    let output = Command::new(jdk.home().join("bin").join("jar")).arg("tf").arg(jar).output();
    let output = output.unwrap_or_else(|error| panic!("{error}"));
    let names = String::from_utf8_lossy(&output.stdout).into_owned();
    let names = names.lines().filter_map(|entry| entry.strip_suffix(".class"));
    names.filter(|name| !name.contains('-')).map(|name| name.replace('/', ".")).collect()
}
