//! Runs Java programs with this agent, with JaCoCo's, or with none.

use probity_execdata::store::Store;
use probity_test_support::java::{Compilation, CompiledClasses, Program, ProgramOutput, test_jdks};
use probity_test_support::tools;
use probity_toolchain::Jdk;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Whether everything is to be tried and not only a sample.
pub(crate) fn everything() -> bool {
    std::env::var("PROBITY_CORPUS").is_ok_and(|value| value == "all")
}

/// The oldest JDK that tests run on: one is enough where JDKs cannot differ.
pub(crate) fn one_jdk() -> Jdk {
    test_jdks().swap_remove(0)
}

/// The agent's library, which cargo builds beside this executable.
pub(crate) fn agent_library() -> PathBuf {
    let executable = std::env::current_exe().expect("the test knows itself");
    let library = executable.with_file_name("libprobity_agent.so");
    assert!(library.is_file(), "{} is not there", library.display());
    library
}

/// The argument that loads this agent.
pub(crate) fn our_argument(options: &str) -> OsString {
    format!("-agentpath:{}={options}", agent_library().display()).into()
}

/// The argument that loads JaCoCo's agent.
pub(crate) fn jacoco_argument(options: &str) -> OsString {
    let jar = tools::jacoco_agent().unwrap_or_else(|error| panic!("{error}"));
    format!("-javaagent:{}={options}", jar.display()).into()
}

/// Compiles one Java source, named after its class, for the oldest JDK.
pub(crate) fn compile(jdk: &Jdk, class: &str, text: &str) -> CompiledClasses {
    compile_with(jdk, class, text, &[])
}

/// Compiles one Java source against jars.
pub(crate) fn compile_with(jdk: &Jdk, class: &str, text: &str, class_path: &[PathBuf]) -> CompiledClasses {
    let compilation =
        Compilation::with(jdk).option("-g").class_path(class_path).source(&format!("{class}.java"), text);
    compilation.compile().unwrap_or_else(|error| panic!("{error}"))
}

/// Runs a program, whatever its exit code will be.
pub(crate) fn run(program: &Program<'_>) -> ProgramOutput {
    program.run().unwrap_or_else(|error| panic!("{error}"))
}

/// A program's output, and what was recorded of it.
pub(crate) struct Recording {
    pub(crate) output: ProgramOutput,
    pub(crate) data: Store,
}

/// Runs a program with this agent; `options` are added to the destination.
pub(crate) fn record(program: &Program<'_>, options: &str) -> Recording {
    record_with(program, options, our_argument)
}

/// Runs a program with JaCoCo's agent.
pub(crate) fn record_with_jacoco(program: &Program<'_>, options: &str) -> Recording {
    record_with(program, options, jacoco_argument)
}

fn record_with(program: &Program<'_>, options: &str, argument: fn(&str) -> OsString) -> Recording {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("recorded.exec");
    let comma = if options.is_empty() { "" } else { "," };
    let options = format!("destfile={}{comma}{options}", file.display());
    let output = run(&program.clone().jvm_argument(argument(&options)));
    Recording { output, data: read(&file) }
}

/// The content of an execution data file; one that is not there has none.
pub(crate) fn read(file: &Path) -> Store {
    let mut store = Store::default();
    if file.is_file() {
        let content = std::fs::read(file).expect("a readable file");
        store.load(&content).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
    store
}

/// The lines of standard error that the agent wrote.
pub(crate) fn said(output: &ProgramOutput) -> Vec<&str> {
    output.stderr.lines().filter(|line| line.starts_with("probity: ")).collect()
}
