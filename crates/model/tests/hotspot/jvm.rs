//! Has a JVM run many programs of the model, and compares what it shows with what the model says.
//!
//! One JVM runs a whole batch, each program in a class loader of its own. This file is used by the tests and by the long check.

use std::fmt::Write as _;
use std::fs;

use probity_model::emit::{self, Expected, Form};
use probity_model::generate::Subject;
use probity_model::text::Case;
use probity_test_support::java::{Compilation, CompiledClasses, Program};
use probity_toolchain::Jdk;

const INTERNALS: &str = "java.base/jdk.internal.misc=ALL-UNNAMED";

/// A JVM that runs programs.
pub(crate) struct Judge<'j> {
    jdk: &'j Jdk,
    driver: CompiledClasses,
}

/// What came of a batch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Verdict {
    /// Programs that the JVM ran and that did what the model says.
    pub(crate) same: usize,
    /// Among them, those that ended with an exception.
    pub(crate) thrown: usize,
    /// Among them, those that left a class failed.
    pub(crate) failed: usize,
    /// Programs that cannot be written as class files.
    pub(crate) not_written: usize,
    /// Differences, each with the whole case.
    pub(crate) differences: Vec<String>,
}

impl Verdict {
    /// Adds another verdict.
    pub(crate) fn add(&mut self, other: Verdict) {
        self.same += other.same;
        self.thrown += other.thrown;
        self.failed += other.failed;
        self.not_written += other.not_written;
        self.differences.extend(other.differences);
    }
}

impl<'j> Judge<'j> {
    /// Prepares a JVM.
    pub(crate) fn new(jdk: &'j Jdk) -> Result<Self, String> {
        let driver = Compilation::with(jdk)
            .option("--add-exports")
            .option(INTERNALS)
            .source("Driver.java", include_str!("Driver.java"))
            .compile()
            .map_err(|error| error.to_string())?;
        Ok(Judge { jdk, driver })
    }

    /// Runs programs in one form.
    pub(crate) fn judge(&self, subjects: &[Subject], form: Form) -> Result<Verdict, String> {
        let mut verdict = Verdict::default();
        let mut written: Vec<(&Subject, Expected)> = Vec::new();
        let mut programs = Vec::new();
        for subject in subjects {
            let classes = emit::classes(&subject.program, &subject.test, form);
            match (classes, emit::expected(&subject.program, &subject.test)) {
                (Ok(classes), Ok(expected)) => {
                    write_program(&mut programs, &classes, &expected);
                    written.push((subject, expected));
                }
                _ => verdict.not_written += 1,
            }
        }
        let mut file = (written.len() as u32).to_be_bytes().to_vec();
        file.extend(programs);
        let shown = self.run(&file)?;
        let mut texts = shown.split("--\n");
        for (subject, expected) in written {
            let text = texts.next().unwrap_or_default();
            if text == expected.observation {
                verdict.same += 1;
                verdict.thrown += usize::from(text.starts_with("threw"));
                verdict.failed += usize::from(!expected.failed.is_empty());
            } else {
                verdict.differences.push(difference(subject, &expected, text));
            }
        }
        Ok(verdict)
    }

    fn run(&self, file: &[u8]) -> Result<String, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let path = folder.path().join("programs");
        fs::write(&path, file).map_err(|error| error.to_string())?;
        let output = Program::with(self.jdk, "Driver")
            .class_path([self.driver.folder()])
            .jvm_argument("--add-exports")
            .jvm_argument(INTERNALS)
            .jvm_argument("-Xshare:auto")
            .jvm_argument("-XX:TieredStopAtLevel=1")
            .argument(&path)
            .run_successfully()
            .map_err(|error| error.to_string())?;
        Ok(output.stdout)
    }
}

fn write_program(out: &mut Vec<u8>, classes: &[emit::EmittedClass], expected: &Expected) {
    out.extend((classes.len() as u32).to_be_bytes());
    for class in classes {
        write_text(out, &class.name.to_string());
        out.extend((class.bytes.len() as u32).to_be_bytes());
        out.extend(&class.bytes);
    }
    out.extend((expected.failed.len() as u32).to_be_bytes());
    expected.failed.iter().for_each(|name| write_text(out, &name.to_string()));
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u16).to_be_bytes());
    out.extend(text.as_bytes());
}

fn difference(subject: &Subject, expected: &Expected, text: &str) -> String {
    let mut told = String::new();
    let case =
        Case { program: subject.program.clone(), tests: vec![subject.test.clone()], revisions: Vec::new() };
    let _ = write!(told, "the model says\n{}and the JVM\n{text}for\n{case}", expected.observation);
    told
}
