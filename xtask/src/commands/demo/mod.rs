//! `cargo xtask demo`: shows the product at work.
//!
//! The demonstration is a list of steps. Each does one thing that a user would do, by the product's own command line,
//! and fails loudly if the result is not the expected one. Everything is written to a temporary folder.

mod program;

use std::path::{Path, PathBuf};

use probity_test_support::java::{Compilation, CompiledClasses, Program};
use probity_toolchain::{Environment, Jdk, best_jdk};

use crate::failure::Failure;
use crate::folders::files_below;
use crate::processes;
use crate::setup::{self, OLDEST_JDK, Tool};

/// What one step leaves for the next.
struct Demo {
    jdk: Jdk,
    classes: CompiledClasses,
    /// What the program printed when its classes were as the compiler had made them.
    output: String,
}

struct Step {
    title: &'static str,
    run: fn(&Demo) -> Result<(), Failure>,
}

const STEPS: &[Step] = &[
    Step { title: "run it with the agent, which records what is executed", run: record },
    Step { title: "what was recorded", run: show_recorded },
    Step { title: "coverage: a table, JaCoCo's XML, and pages for people", run: report },
    Step { title: "under the hood: what is in its classes", run: summarise },
    Step { title: "one of them in full (an excerpt)", run: print_one },
    Step { title: "read, write again, compare", run: round_trip },
    Step { title: "insert an instruction in front of every instruction", run: rewrite },
    Step { title: "run the rewritten classes, with every check that the JVM has", run: run_rewritten },
];

/// What the agent writes.
const RECORDED: &str = "run.exec";

/// The folder with the rewritten classes, beside the one of the compiler.
const REWRITTEN: &str = "rewritten";

pub(crate) fn run() -> Result<(), Failure> {
    setup::ensure(&[Tool::Jdk])?;
    let packages = ["--package", "probity-cli", "--package", "probity-agent"];
    processes::run(processes::cargo(["build", "--release", "--locked"].into_iter().chain(packages)))?;
    let count = STEPS.len() + 1;
    println!("\n== 1 of {count}: a small Java program");
    let demo = prepare()?;
    for (number, step) in STEPS.iter().enumerate() {
        println!("\n== {} of {count}: {}", number + 2, step.title);
        (step.run)(&demo)?;
    }
    println!("\nIt printed the same as before.");
    Ok(())
}

/// Compiles the program and runs it.
fn prepare() -> Result<Demo, Failure> {
    let jdk = best_jdk(&Environment::of_this_process(), OLDEST_JDK)
        .map_err(|error| Failure::Unexpected(error.to_string()))?;
    println!("$ javac -g -d classes {}", program::FILE);
    let classes = Compilation::with(&jdk).option("-g").source(program::FILE, program::SOURCE).compile()?;
    println!("$ java -classpath classes {}", program::MAIN_CLASS);
    let output =
        Program::with(&jdk, program::MAIN_CLASS).class_path([classes.folder()]).run_successfully()?.stdout;
    print!("{output}");
    if output == program::OUTPUT {
        Ok(Demo { jdk, classes, output })
    } else {
        Err(Failure::Unexpected("the program should have printed something else".to_owned()))
    }
}

impl Demo {
    /// The folder in which the commands are run.
    fn folder(&self) -> PathBuf {
        let classes = self.classes.folder();
        classes.parent().map_or_else(|| classes.clone(), Path::to_path_buf)
    }

    /// Shows a command line of the product, and gives what it prints.
    fn probity(&self, arguments: &[&str]) -> Result<String, Failure> {
        println!("$ probity {}", arguments.join(" "));
        let mut command = processes::probity(arguments);
        command.current_dir(self.folder());
        Ok(String::from_utf8_lossy(&processes::output_of(command)?).into_owned())
    }
}

fn record(demo: &Demo) -> Result<(), Failure> {
    println!(
        "$ java -agentpath:$(probity agent-path)=destfile={RECORDED} -classpath classes {}",
        program::MAIN_CLASS
    );
    let mut command = processes::probity(&["agent-path"]);
    command.current_dir(demo.folder());
    let library = String::from_utf8_lossy(&processes::output_of(command)?).trim().to_owned();
    let destination = demo.folder().join(RECORDED);
    let output = Program::with(&demo.jdk, program::MAIN_CLASS)
        .jvm_argument(format!("-agentpath:{library}=destfile={}", destination.display()))
        .class_path([demo.classes.folder()])
        .run_successfully()?
        .stdout;
    print!("{output}");
    if output == demo.output {
        Ok(())
    } else {
        Err(Failure::Unexpected("the recorded program printed something else".to_owned()))
    }
}

fn show_recorded(demo: &Demo) -> Result<(), Failure> {
    print!("{}", demo.probity(&["execinfo", RECORDED])?);
    Ok(())
}

fn report(demo: &Demo) -> Result<(), Failure> {
    let input = ["report", "--exec", RECORDED, "--classes", "classes", "--name", "Invoice"];
    let formats = ["--format", "table=-", "xml=coverage.xml", "html=coverage"];
    print!("{}", demo.probity(&[&input[..], &formats].concat())?);
    println!("$ find coverage -type f | sort");
    let path = demo.folder().join("coverage");
    for file in files_below(&path)? {
        println!("{}", file.strip_prefix(demo.folder()).unwrap_or(&file).display());
    }
    Ok(())
}

fn summarise(demo: &Demo) -> Result<(), Failure> {
    print!("{}", demo.probity(&["debug", "class", "classes"])?);
    Ok(())
}

fn print_one(demo: &Demo) -> Result<(), Failure> {
    print_excerpt(demo, "classes", 18)
}

/// Prints the beginning of a method, of which so many lines are enough to see the point.
fn print_excerpt(demo: &Demo, folder: &str, lines: usize) -> Result<(), Failure> {
    let class = format!("{folder}/{}", program::SHOWN_CLASS);
    let listing = demo.probity(&["debug", "class", "--print", &class])?;
    println!("[...]");
    program::excerpt(&listing, lines).iter().for_each(|line| println!("{line}"));
    println!("[...]");
    Ok(())
}

fn round_trip(demo: &Demo) -> Result<(), Failure> {
    print!("{}", demo.probity(&["debug", "class", "--roundtrip", "classes"])?);
    Ok(())
}

fn rewrite(demo: &Demo) -> Result<(), Failure> {
    print!("{}", demo.probity(&["debug", "rewrite", "--nops", "classes", REWRITTEN])?);
    print_excerpt(demo, REWRITTEN, 10)
}

fn run_rewritten(demo: &Demo) -> Result<(), Failure> {
    println!("$ java -Xverify:all -classpath {REWRITTEN} {}", program::MAIN_CLASS);
    let output = Program::with(&demo.jdk, program::MAIN_CLASS)
        .jvm_argument("-Xverify:all")
        .class_path([demo.folder().join(REWRITTEN)])
        .run_successfully()?
        .stdout;
    print!("{output}");
    if output == demo.output {
        Ok(())
    } else {
        Err(Failure::Unexpected("the rewritten program printed something else".to_owned()))
    }
}
